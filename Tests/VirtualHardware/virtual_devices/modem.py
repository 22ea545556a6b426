"""A modem on a USB of the kernel's own: its gadget drivers are the modem's side, its `option`
driver is the computer's, and ModemManager serves it. On the modem's side speaks `at_modem.py`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from . import system
from .system import HARDWARE, RUN, DeviceError, command, state, wait, write

NAME = "org.freedesktop.ModemManager1"
# udev's rules and ModemManager's plug-in know what each port of this one is for.
_VENDOR, _PRODUCT = "0x2c7c", "0x0125"
_RECEIVER, _COMMANDS = 1, (2, 3)
MAKER, MODEL, IMEI = "Quectel", "EC25", "867698041234567"
# As registrations count them.
HOME, SEARCHING, DENIED, ROAMING = 1, 2, 3, 5
GSM, UMTS, LTE = 0, 2, 7
# Nothing answers on its first port, which is for diagnoses: probing it would take eight seconds.
_RULE = (
    'SUBSYSTEM=="tty", ATTRS{idVendor}=="2c7c", ENV{.MM_USBIFNUM}=="00", '
    'ENV{ID_MM_PORT_IGNORE}="1"\n'
)
_PLUGINS = Path("/usr/lib/x86_64-linux-gnu/ModemManager")
_GADGET = Path("/sys/kernel/config/usb_gadget/modem")
_CONTROLLER = _GADGET / "UDC"


@dataclass(frozen=True)
class Truth:
    """What is true of the modem. The measures are +CESQ's: GSM's strength and errors, UMTS's
    strength and quality, LTE's quality and strength."""

    pin: str = ""
    registration: int = HOME
    technology: int = LTE
    operator: str = "Virtual Net"
    code: str = "26201"
    location_area: str = "1F00"
    tracking_area: str = "2F1C"
    cell: str = "0079D903"
    bars: int = 3
    measures: tuple[int, ...] = (99, 99, 255, 255, 17, 45)
    fix: int = 3


def truth() -> Truth:
    """What is true at present."""
    return Truth(**json.loads(state("modem", "ctl").read_text()))


def become(**changes: object) -> None:
    """Lets something else be true; the modem says so by itself."""
    draft = state("modem", "draft")
    write(draft, json.dumps(asdict(replace(truth(), **changes))))  # type: ignore[arg-type]
    draft.replace(state("modem", "ctl"))


def _make_gadget() -> None:
    system.load("dummy_hcd", "libcomposite", "usb_f_serial", "option")
    if not _GADGET.parent.parent.is_mount():
        command("mount", "-t", "configfs", "configfs", str(_GADGET.parent.parent))
    Path("/run/udev/rules.d").mkdir(exist_ok=True)
    write("/run/udev/rules.d/78-virtual-modem.rules", _RULE)
    command("udevadm", "control", "--reload")
    strings = _GADGET / "strings/0x409"
    strings.mkdir(parents=True)
    write(_GADGET / "idVendor", _VENDOR)
    write(_GADGET / "idProduct", _PRODUCT)
    write(strings / "manufacturer", MAKER)
    write(strings / "product", MODEL)
    configuration = _GADGET / "configs/c.1"
    configuration.mkdir()
    for number in range(max(_COMMANDS) + 1):
        function = _GADGET / f"functions/gser.{number}"
        function.mkdir()
        (configuration / function.name).symlink_to(function)
    for number in range(max(_COMMANDS) + 1):
        wait("its ports", Path(f"/dev/ttyGS{number}").exists)


def start(pin: str = "") -> None:
    """Makes the modem, plugged in, with a SIM that is locked by a PIN or by none."""
    RUN.mkdir(parents=True, exist_ok=True)
    write(state("modem", "ctl"), json.dumps(asdict(Truth(pin=pin))))
    if not _GADGET.exists():
        _make_gadget()
    ports = [f"/dev/ttyGS{number}" for number in (_RECEIVER, *_COMMANDS)]
    program = HARDWARE / "virtual_devices" / "at_modem.py"
    system.spawn("modem", [sys.executable, str(program), str(state("modem", "ctl")), *ports])
    plug()


def plug() -> None:
    """Connects it."""
    (controller,) = Path("/sys/class/udc").glob("dummy_udc.0")
    write(_CONTROLLER, controller.name)
    wait("the computer's ports", lambda: len(list(Path("/dev").glob("ttyUSB*"))) == 4)


def unplug() -> None:
    """Pulls it out."""
    write(_CONTROLLER, "\n")


def _is_there() -> bool:
    return f"{NAME} " in command("busctl", "--no-pager", "--acquired", "list")


def daemon() -> None:
    """Starts ModemManager, and what it asks for rights."""
    if system.number_of("polkitd") is None:
        system.spawn("polkitd", ["/usr/lib/polkit-1/polkitd", "--no-debug"])
    # Of forty plug-ins, which take five seconds to load, those that this modem may need.
    plugins = RUN / "plugins"
    if not plugins.exists():
        plugins.mkdir()
        for name in ("generic", "quectel"):
            file = f"libmm-plugin-{name}.so"
            (plugins / file).symlink_to(_PLUGINS / file)
    system.spawn("modemmanager", ["/usr/sbin/ModemManager", f"--test-plugin-dir={plugins}"])
    wait("ModemManager", _is_there)


def end_daemon(number: signal.Signals = signal.SIGTERM) -> None:
    """Ends ModemManager, by a signal."""
    process = system.number_of("modemmanager")
    if process is None:
        raise DeviceError("ModemManager does not run")
    os.kill(process, number)
    wait("the end of ModemManager", lambda: not _is_there())
    system.end("modemmanager")


def path() -> str:
    """The modem's object, while ModemManager has one."""
    words = ["busctl", "--no-pager", "--list", "--auto-start=no", "tree", NAME]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    found = [line.strip() for line in told.splitlines() if "/Modem/" in line]
    return found[0] if found else ""


def says(interface: str, name: str) -> str:
    """What ModemManager says of a property, as `busctl` writes it without its type."""
    words = ["--auto-start=no", "get-property", NAME, path(), f"{NAME}.Modem{interface}", name]
    return command("busctl", *words).split(None, 1)[1].strip()


def stop() -> None:
    """Ends all of it."""
    system.end("modemmanager")
    if _GADGET.exists() and _CONTROLLER.read_text().strip():
        unplug()
    system.end("modem")
    system.end("polkitd")


def modem(verb: str, *words: str) -> None:
    """start [PIN] | daemon | NAME=VALUE... | kill | unplug | plug | stop"""
    if verb == "start":
        start(*words)
        daemon()
    elif verb == "kill":
        end_daemon(signal.SIGKILL)
    elif verb in ("daemon", "plug", "unplug", "stop"):
        {"daemon": daemon, "plug": plug, "unplug": unplug, "stop": stop}[verb]()
    elif all("=" in word for word in (verb, *words)):
        texts = {field.name for field in fields(Truth) if isinstance(field.default, str)}
        pairs = (word.split("=", 1) for word in (verb, *words))
        become(**{name: value if name in texts else json.loads(value) for name, value in pairs})
    else:
        raise DeviceError(f"a modem cannot {verb}")


PARTS: dict[str, Callable[..., None]] = {"modem": modem}
