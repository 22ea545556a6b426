"""A modem behind the real ModemManager: every value against what the modem itself says."""

from __future__ import annotations

import signal
import subprocess

import gatheredkit as gk

from virtual_devices import modem, positions
from virtual_devices.system import command

from . import other_user
from .proof import (
    PATIENCE,
    arrives,
    eventually,
    expect,
    expect_equal,
    expect_near,
    proves,
    reads,
    watching,
)

PIN = "2468"
# Three bars of five; what +CESQ's numbers stand for (3GPP 27.007).
QUALITY, RSRQ, RSRP, RSCP, ECIO, RSSI = 60.0, -11.5, -96.0, -87.0, -9.5, -71.0
MEASURES = ("rssi", "rsrp", "rscp", "rsrq", "snr", "ecio", "sinr")

context = gk.Context(allow=["cell_id", "serial", "location"])


def _reason(source: gk.Source) -> str:
    return source.info.reason.name


def _becomes(source: gk.Source, reason: str) -> None:
    """Waits until a source that does not update is what is wanted."""

    def look() -> bool:
        context.rescan()
        return _reason(source) == reason

    eventually(f"{reason}, not {source.info}", look, every=0.5)


def _follow(remedy: str, *numbers: str) -> None:
    """Does what a remedy says; `numbers` stand for the words that a person fills in."""
    line = remedy.split(": ", 1)[-1]
    for word, number in zip(numbers[::2], numbers[1::2], strict=True):
        line = line.replace(word, number, 1)
    words = line.split()
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    expect_equal(done.returncode, 0, f"{line}: {done.stderr}")


def _name() -> str:
    (info,) = context.sources("cell_radio")
    return str(info.id)


def _rate() -> str:
    """How often ModemManager measures at present."""
    return modem.says(".Signal", "Rate")


@proves("4.5, A1: without ModemManager the remedy is to start it, and asking does not")
def absent() -> None:
    with context.open("cell_radio") as source:
        expect_equal(_reason(source), "SERVICE_NOT_RUNNING")
        expect_equal(source.info.remedy, "systemctl start ModemManager.service")
        expect(modem.NAME not in command("busctl", "--acquired", "list"), "it was started")


@proves("4.5, H2, A1: a modem that comes is an instance; its remedy, followed, unlocks it")
def locked() -> None:
    with watching(context, "cell_radio") as watch:
        modem.start(PIN)
        modem.daemon()
        event = watch.next(gk.EventType.ADDED)
    expect_equal(event.source_id, _name())
    with context.open(_name()) as source:
        _becomes(source, "REQUIRES_PERMISSION")
        expect_equal(source.info.detail, "SIM PIN needed")
        _follow(source.info.remedy, "SIM", "0", "PIN", PIN)
        _becomes(source, "POWERED_OFF")


@proves("4.5, A1: a modem that is disabled is powered off; the remedy, followed, enables it")
def disabled() -> None:
    with context.open(_name()) as source:
        _follow(source.info.remedy)
        _becomes(source, "AVAILABLE")
        reads(source, "state", "registered")


@proves("4.5: every value of a modem is the truth")
def values() -> None:
    now = modem.truth()
    wanted = {
        "technology": "lte",
        "signal_quality": QUALITY,
        "operator_name": now.operator,
        "operator_code": now.code,
        "mcc": now.code[:3],
        "mnc": now.code[3:],
        "registration": "home",
        "manufacturer": modem.MAKER,
        "model": modem.MODEL,
        "imei": modem.IMEI,
    }
    with context.open(_name()) as source:
        for key, value in wanted.items():
            reads(source, key, value)
        for key, number in (("cell_id", now.cell), ("tracking_area", now.tracking_area)):
            expect_equal(int(source[key].text or "0", 16), int(number, 16), key)
        # Of a cell of LTE there is no other area.
        expect_equal(source["location_area"].status, gk.SampleStatus.NO_DATA)
        for key in MEASURES:
            expect_equal(source[key].status, gk.SampleStatus.NO_DATA, key)
    expect_equal(_rate(), "0", "no source updates, rate")


@proves("4.5, P5: the signal is measured between start and stop, of the technology in use")
def measured() -> None:
    with context.open(_name()) as source:
        source.start(every=2)
        arrives(source, "rsrp", RSRP)
        arrives(source, "rsrq", RSRQ)
        expect_equal(_rate(), "2")
        modem.become(technology=modem.UMTS, measures=[99, 99, 34, 30, 255, 255])
        arrives(source, "technology", "umts")
        arrives(source, "rscp", RSCP)
        arrives(source, "ecio", ECIO)
        expect_equal(source["rsrp"].status, gk.SampleStatus.NO_DATA)
        area = modem.truth().location_area
        eventually(
            "its area", lambda: int(source["location_area"].text or "0", 16) == int(area, 16)
        )
        modem.become(technology=modem.GSM, measures=[40, 99, 255, 255, 255, 255])
        arrives(source, "technology", "gsm")
        arrives(source, "rssi", RSSI)
        expect_equal(source["rscp"].status, gk.SampleStatus.NO_DATA)
        modem.become(technology=modem.LTE, measures=[99, 99, 255, 255, 17, 45])
        arrives(source, "rsrp", RSRP)
        source.stop()
        eventually("the end of measuring", lambda: _rate() == "0")


@proves("P5: a rate that another program has set is used, and left alone")
def taken() -> None:
    command("mmcli", "-m", "any", "--signal-setup=3")
    try:
        with context.open(_name()) as source:
            source.start(every=1)
            arrives(source, "rsrp", RSRP)
        expect_equal(_rate(), "3")
    finally:
        command("mmcli", "-m", "any", "--signal-setup=0")


@proves("4.5, L4: what the modem says by itself is an update at once")
def events() -> None:
    with context.open(_name()) as source:
        source.start(every=600)
        arrives(source, "registration", "home")
        modem.become(bars=5)
        arrives(source, "signal_quality", 100.0)
        modem.become(registration=modem.ROAMING, operator="Other Net", code="26202")
        arrives(source, "registration", "roaming")
        arrives(source, "operator_name", "Other Net")
        arrives(source, "operator_code", "26202")
        modem.become(registration=modem.SEARCHING)
        arrives(source, "registration", "searching")
        eventually("searching", lambda: _reason(source) == "SEARCHING")
        arrives(source, "operator_name", None)
        modem.become(registration=modem.HOME, operator="Virtual Net", code="26201", bars=3)
        arrives(source, "registration", "home")
        eventually("available", lambda: _reason(source) == "AVAILABLE")


@proves("4.5: a user without rights is told all but what ModemManager has to measure first")
def unprivileged() -> None:
    keys = ("state", "signal_quality", "operator_name", "rsrp", "cell_id", "imei")
    script = (
        "import gatheredkit as gk\n"
        "with gk.Context() as context, context.open('cell_radio') as source:\n"
        "    source.start(every=1)\n"
        "    gk.sleep(3)\n"
        f"    for key in {keys}:\n"
        "        print(source[key].value, source[key].status.name)\n"
    )
    done = other_user.python(script)
    expect_equal(done.returncode, 0, done.stderr)
    wanted = ["registered OK", f"{QUALITY} OK", "Virtual Net OK"] + ["None PERMISSION"] * 3
    expect_equal(done.stdout.splitlines(), wanted)
    expect_equal(_rate(), "0")


@proves("H4, L10, P5: ModemManager, killed while a source updates, is waited for and asked again")
def killed() -> None:
    with context.open(_name()) as source:
        source.start(every=1)
        arrives(source, "rsrp", RSRP)
        modem.end_daemon(signal.SIGKILL)
        eventually("no service", lambda: _reason(source) == "SERVICE_NOT_RUNNING")
        arrives(source, "model", None)
        expect(source.is_updating, "stopped updating")
        modem.daemon()
        # After its start ModemManager leaves a modem as it is until a client enables it.
        eventually("the modem", lambda: _reason(source) == "POWERED_OFF")
        _follow(source.info.remedy)
        arrives(source, "operator_name", "Virtual Net")
        arrives(source, "rsrp", RSRP)
        expect_equal(_rate(), "1", "asked for again, rate")
        source.stop()
        eventually("the end of measuring", lambda: _rate() == "0")


@proves("4.1, A1: a modem's receiver is off; the remedy, followed, lets it tell the truth")
def positioned() -> None:
    with context.open("gps") as source:
        expect_equal((source.info.backend, _reason(source)), ("modem", "POWERED_OFF"))
        _follow(source.info.remedy)
        _becomes(source, "AVAILABLE")
        source.start(every=1)
        arrives(source, "fix", "3d")
        at = positions.truth((source["time"].moment or 0) / 1e9)
        expect_near(source["latitude"].number, at.latitude, 2e-7, "latitude")
        expect_near(source["longitude"].number, at.longitude, 2e-7, "longitude")
        expect_near(source["altitude_msl"].number, positions.ALTITUDE, 1e-6, "altitude_msl")
        expect_equal(source["provider"].value, "modem")
        modem.become(fix=0)
        arrives(source, "fix", "none")
        expect_equal(source["latitude"].status, gk.SampleStatus.NO_DATA)


@proves("H2, H4, L10: a modem pulled out, and a daemon stopped meanwhile, come back as the same")
def pulled_out() -> None:
    name = _name()
    with context.open(name) as source, watching(context, "cell_radio") as watch:
        source.start(every=1)
        arrives(source, "rsrp", RSRP)
        modem.unplug()
        expect_equal(watch.next(gk.EventType.REMOVED).source_id, name)
        eventually("disconnected", lambda: _reason(source) == "DISCONNECTED")
        arrives(source, "model", None)
        modem.end_daemon()
        eventually("no service", lambda: _reason(source) == "SERVICE_NOT_RUNNING")
        expect(source.is_updating, "stopped updating")
        modem.plug()
        modem.daemon()
        expect_equal(watch.next(gk.EventType.ADDED).source_id, name)
        eventually("the modem", lambda: _reason(source) == "POWERED_OFF")
    modem.stop()
