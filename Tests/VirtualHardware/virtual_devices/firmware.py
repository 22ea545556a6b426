"""Parts the firmware table describes: battery, mains, lid, thermal zone, light, backlight."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import DeviceError, read, wait, write

# The table's values: numbers of 32 bits at this place, in the order of firmware/laptop.dsl.
_PLACE = 0x10000000
_NAMES = (
    "sequence",
    "present",
    "state",
    "rate",
    "remaining",
    "volts",
    "design",
    "full",
    "design_volts",
    "cycles",
    "mains",
    "lid",
    "temperature",
    "lux",
    "backlight",
)
_FIRST = {
    "state": 1,
    "rate": 8500,
    "remaining": 35000,
    "volts": 11400,
    "design": 50000,
    "full": 48000,
    "design_volts": 11100,
    "cycles": 123,
    "lid": 1,
    "temperature": 3032,
    "lux": 250,
    "backlight": 50,
}
_SUPPLIES = Path("/sys/class/power_supply")
_ZERO_CELSIUS = 273.2


def values(**changes: int) -> dict[str, int]:
    """The values of all parts, after changing some and letting the kernel know."""
    memory = os.open("/dev/mem", os.O_RDWR)
    try:
        with mmap.mmap(memory, 4096, offset=_PLACE) as cells:
            now = dict(zip(_NAMES, struct.unpack_from(f"<{len(_NAMES)}I", cells), strict=True))
            if not now["design"]:
                now |= _FIRST
            now |= changes
            now["sequence"] += bool(changes)
            struct.pack_into(f"<{len(_NAMES)}I", cells, 0, *now.values())
    finally:
        os.close(memory)
    if changes:
        _notify()
    return now


def _notify() -> None:
    """Reads the thermal zone, whose method then tells the drivers what has changed."""
    system.can_load("thermal")
    for zone in Path("/sys/class/thermal").glob("thermal_zone*"):
        if read(zone / "type") == "acpitz":
            read(zone / "temp")


def _present(there: bool) -> None:
    values(present=int(there))
    wait("the battery to come or go", lambda: (_SUPPLIES / "BAT0").exists() == there)


def battery(verb: str, word: str = "") -> None:
    """start | plug | unplug | set PERCENT | state WORD | rate MILLIWATT | volts MILLIVOLT |
    cycles N | health PERCENT"""
    now = values()
    if verb in ("start", "plug"):
        system.load("battery", "ac")
        _present(True)
    elif verb in ("unplug", "stop"):
        _present(False)
    elif verb == "set":
        values(remaining=round(now["full"] * float(word) / 100))
    elif verb == "state":
        _battery_state(word, now)
    elif verb in ("rate", "volts"):
        values(**{verb: int(word)})
    elif verb == "cycles":
        _replace(cycles=int(word))
    elif verb == "health":
        _replace(full=round(now["design"] * float(word) / 100))
    else:
        raise DeviceError(f"a battery cannot {verb}")


def _battery_state(word: str, now: dict[str, int]) -> None:
    states = {
        "discharging": (1, 0),
        "charging": (2, 1),
        "full": (0, 1),
        "not-charging": (0, 1),
        "critical": (5, 0),
    }
    number, mains = states[word]
    changes = {"state": number, "mains": mains, "rate": (now["rate"] or 8500) if number else 0}
    if word == "full":
        changes["remaining"] = now["full"]
    values(**changes)


def _replace(**changes: int) -> None:
    """The driver reads what never changes only when a battery comes."""
    _present(False)
    values(**changes)
    _present(True)


def mains(verb: str) -> None:
    """on | off"""
    system.load("ac")
    values(mains={"on": 1, "off": 0}[verb])


def lid(verb: str) -> None:
    """open | closed"""
    system.load("button", "evdev")
    values(lid={"open": 1, "closed": 0}[verb])


def thermal(celsius: str) -> None:
    """CELSIUS"""
    values(temperature=round((float(celsius) + _ZERO_CELSIUS) * 10))


def light(verb: str) -> None:
    """LUX | off: a light sensor beside those of the hub"""
    # Its driver cannot be unloaded, for it holds a trigger of its own.
    system.load("acpi_als")
    driver, device = Path("/sys/bus/acpi/drivers/acpi_als"), "ACPI0008:00"
    bound = (driver / device).exists()
    if bound != (verb != "off"):
        write(driver / ("unbind" if bound else "bind"), device)
    if verb != "off":
        values(lux=round(float(verb)))


def backlight(verb: str, word: str = "") -> None:
    """start | set PERCENT"""
    if verb == "start":
        values()
        system.load("virtio-gpu", "video")
        wait("the backlight", _panel)
    else:
        panel = wait("the backlight", _panel, 1)
        most = int(read(panel / "max_brightness"))
        write(panel / "brightness", round(most * float(word) / 100))


def _panel() -> Path | None:
    return next(iter(Path("/sys/class/backlight").glob("*")), None)


PARTS: dict[str, Callable[..., None]] = {
    "battery": battery,
    "ac": mains,
    "lid": lid,
    "thermal": thermal,
    "light": light,
    "backlight": backlight,
}
