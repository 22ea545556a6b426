"""Remedies that name systemd's units, done word for word under systemd: what they promise comes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import gatheredkit as gk

from virtual_devices import bluetooth, geoclue, positions, systemd
from virtual_devices.firmware import backlight
from virtual_devices.system import command, write

from . import other_user
from .proof import PATIENCE, arrives, eventually, expect, expect_equal, proves

_PROGRAM = Path(gk.library_path()).parent / "gathered"
_ACTIVATION = Path("/usr/share/dbus-1/system-services/org.bluez.service")

# As a program has it that runs all day, and sees what comes and goes.
context = gk.Context(allow="location")


def _doctor(kind: str) -> tuple[str, str]:
    """The reason and the remedy that the doctor prints: a new process, without any memory."""
    told = json.loads(command(str(_PROGRAM), "doctor", "--json", "--allow", "location"))
    (found,) = (one for one in told["kinds"] if one["kind"] == kind)
    return found["reason"], found["remedy"]


def _follow(remedy: str) -> None:
    """Does what a remedy says, as it is written."""
    done: subprocess.CompletedProcess[Any] = subprocess.run(
        ["sh", "-c", remedy], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    expect_equal(done.returncode, 0, f"{remedy}: {done.stderr}")


def _heals(kind: str, reason: str, remedy: str) -> None:
    """Proves what the doctor says of a kind, and does it."""
    told = _doctor(kind)
    expect_equal(told, (reason, remedy), kind)
    _follow(told[1])


def _becomes(source: gk.Source, *reasons: str) -> str:
    """Waits until a source's reason is one of these, and returns it."""

    def look() -> str:
        context.rescan()
        return source.info.reason.name if source.info.reason.name in reasons else ""

    what = f"{' or '.join(reasons)}, not {source.info.reason.name}"
    return eventually(what, look, every=0.5)


def _send(number: signal.Signals, unit: str) -> None:
    process = systemd.main_process(unit)
    expect(process > 1, f"{unit} does not run")
    os.kill(process, number)


@proves("A1: without a bus the remedy starts it; then it is the daemon that is missing")
def bus() -> None:
    bluetooth.controller()
    with context.open("bluetooth") as source:
        expect_equal(source.info.reason.name, "SERVICE_NOT_RUNNING")
    _heals("bluetooth", "serviceNotRunning", "systemctl start dbus.service")


@proves("A1, 3.4: BlueZ does not run; the remedy starts it, the next one powers the adapter")
def bluez() -> None:
    with context.open("bluetooth") as source:
        _heals("bluetooth", "serviceNotRunning", "systemctl start bluetooth.service")
        if _becomes(source, "POWERED_OFF", "AVAILABLE") == "POWERED_OFF":
            _follow(source.info.remedy)
            _becomes(source, "AVAILABLE")


@proves("A1: BlueZ hangs; the remedy ends it and starts another")
def bluez_hangs() -> None:
    with context.open("bluetooth") as source:
        before = systemd.main_process("bluetooth.service")
        _send(signal.SIGSTOP, "bluetooth.service")
        _heals("bluetooth", "failed", "systemctl restart bluetooth.service")
        _becomes(source, "POWERED_OFF", "AVAILABLE")
        expect(systemd.main_process("bluetooth.service") not in (0, before), "still the same")


@proves("A1: BlueZ was killed, and the bus could not start it; the remedy starts a failed unit")
def bluez_failed() -> None:
    with context.open("bluetooth") as source:
        _ACTIVATION.unlink()
        command("systemctl", "reload", "dbus.service")
        _send(signal.SIGKILL, "bluetooth.service")
        _becomes(source, "SERVICE_NOT_RUNNING")
        remedy = "systemctl start bluetooth.service # from package bluez"
        _heals("bluetooth", "serviceNotRunning", remedy)
        _becomes(source, "POWERED_OFF", "AVAILABLE")


@proves("A1, 4.5: ModemManager does not run, then hangs; after each remedy it looks for modems")
def modem_manager() -> None:
    with context.open("cell_radio") as source:
        _heals("cell_radio", "serviceNotRunning", "systemctl start ModemManager.service")
        _becomes(source, "NO_HARDWARE")
        _send(signal.SIGSTOP, "ModemManager.service")
        _heals("cell_radio", "failed", "systemctl restart ModemManager.service")
    expect_equal(_doctor("cell_radio"), ("noHardware", ""))


@proves("A1, 4.6: logind does not run; the remedy starts it, and logind names the next")
def logind() -> None:
    backlight("start")
    script = (
        "import gatheredkit as gk\n"
        "with gk.Context() as context, context.open('screen') as source:\n"
        "    try:\n"
        "        source.set('brightness', 0.5)\n"
        "    except gk.PermissionDeniedError as refusal:\n"
        "        print(refusal)\n"
    )
    # The error is one sentence, and the remedy its last part.
    remedy = other_user.python(script).stdout.split("; ")[-1].strip()
    expect_equal(remedy, "systemctl start systemd-logind.service # from package systemd")
    _follow(remedy)
    after = other_user.python(script).stdout
    expect("log in at the machine itself" in after, after)


@proves("A1, A2, 4.1: gpsd does not listen; once its socket does, a start is all that it takes")
def gpsd() -> None:
    positions.receiver()
    write("/etc/default/gpsd", f'DEVICES="{positions.device()}"\nGPSD_OPTIONS="-n -b"\n')
    try:
        with context.open("gps") as source:
            _heals("gps", "serviceNotRunning", "systemctl start gpsd.socket")
            _becomes(source, "AVAILABLE")
            expect_equal(systemd.main_process("gpsd.service"), 0, "asking started gpsd:")
            # The first one to connect starts it, and here that may take longer than it waits.
            with contextlib.suppress(gk.TimedOutError):
                source.start(every=1)
            eventually("gpsd", lambda: systemd.main_process("gpsd.service"))
            eventually("a start", lambda: _starts(source), every=1)
            arrives(source, "fix", "3d")
            expect_equal(source["provider"].value, "gpsd")
    finally:
        command("systemctl", "stop", "gpsd.socket", "gpsd.service")


def _starts(source: gk.Source) -> bool:
    with contextlib.suppress(gk.GatheredKitError):
        source.start(every=1)
    return source.is_updating


@proves("A1, 4.1: GeoClue's configuration forbids; the remedy, to its last word, allows")
def allowed() -> None:
    geoclue.prepare("[gatheredkit]\nallowed=false\nsystem=true\nusers=\n")
    command("systemctl", "start", "geoclue.service")
    geoclue.agent("/usr/libexec/geoclue-2.0/demos/agent")
    with gk.Context(allow="location") as refused, refused.open("gps") as source:
        with contextlib.suppress(gk.GatheredKitError):
            source.start(every=1)

        def is_refused() -> bool:
            return source.info.reason.name == "RESTRICTED_BY_POLICY"

        eventually("refused", is_refused)
        section, lines = source.info.remedy.split("allow ", 1)[1].split(" in ", 1)
        lines, restart = lines.split(": ", 1)[1].split("; then: ")
    geoclue.configure("\n".join([section, *lines.split(", "), ""]))
    _follow(restart)
    with gk.Context(allow="location") as other, other.open("gps") as source:
        eventually("a start", lambda: _starts(source), every=1)
        arrives(source, "fix", "3d")
        expect_equal(source["provider"].value, "geoclue")
