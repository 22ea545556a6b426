"""Sensors: a HID sensor hub served by the kernel's hid-sensor-* drivers, and its truth."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import system
from .system import CACHE, DeviceError, read, state, wait, write

# What each sensor is called by the kernel: its module, its IIO device.
_KINDS = {
    "accel": ("hid-sensor-accel-3d", "accel_3d"),
    "gravity": ("hid-sensor-accel-3d", "gravity"),
    "gyro": ("hid-sensor-gyro-3d", "gyro_3d"),
    "magn": ("hid-sensor-magn-3d", "magn_3d"),
    "incl": ("hid-sensor-incl-3d", "incli_3d"),
    "rotation": ("hid-sensor-rotation", "dev_rotation"),
    "relrotation": ("hid-sensor-rotation", "relative_orientation"),
    "georotation": ("hid-sensor-rotation", "geomagnetic_orientation"),
    "als": ("hid-sensor-als", "als"),
    "press": ("hid-sensor-press", "press"),
    "prox": ("hid-sensor-prox", "prox"),
    "temp": ("hid-sensor-temperature", "temperature"),
    "humidity": ("hid-sensor-humidity", "humidity"),
}
KINDS = tuple(_KINDS)
# The names of their IIO devices.
NAMES = {kind: name for kind, (_, name) in _KINDS.items()}
GROUPS = {
    "imu": ("accel", "gyro", "magn", "incl", "rotation", "gravity"),
    "env": ("als", "press", "prox", "temp", "humidity"),
}
GROUPS["sensors"] = GROUPS["imu"] + GROUPS["env"]
CHANGES = ("motion", "set", "rate", "freq", "amp", "pause", "resume", "drop")
_CLOCKS = {
    "realtime": time.CLOCK_REALTIME,
    "none": time.CLOCK_REALTIME,
    "monotonic": time.CLOCK_MONOTONIC,
    "boottime": time.CLOCK_BOOTTIME,
}


@dataclass(frozen=True)
class Settings:
    """How sensors start: rate and frequency in Hz, the clock of their time stamps."""

    rate: float = 100
    motion: str = "still"
    freq: float = 1
    amp: float = 1
    clock: str = "realtime"
    set: Sequence[float] = field(default_factory=tuple)

    def options(self) -> list[str]:
        """As options of the emulator, zero being now."""
        zero = time.clock_gettime_ns(_CLOCKS[self.clock])
        options = ["--clock", self.clock, "--t0", str(zero), "--rate", str(self.rate)]
        options += ["--freq", str(self.freq), "--amp", str(self.amp)]
        if self.set:
            return [*options, "--set", ",".join(map(str, self.set))]
        return [*options, "--motion", self.motion]


def folder(kind: str) -> Path | None:
    """The IIO device of a sensor that is plugged in."""
    for found in Path("/sys/bus/iio/devices").glob("iio:device*"):
        if read(found / "name") == _KINDS[kind][1] and (found / "uevent").exists():
            return found
    return None


def start(
    kinds: Iterable[str], settings: Settings | None = None, *, hub: bool = False
) -> dict[str, str]:
    """Plugs sensors in, each as a device of its own or all as one hub; returns the kernel names.

    Those without a kernel module are left out. Raises `DeviceError` if none is left.
    """
    options = (settings or Settings()).options()
    system.load("uhid", "hid-sensor-hub")
    found = [kind for kind in kinds if system.can_load(_KINDS[kind][0])]
    if not found:
        raise DeviceError(f"no kernel modules for {' '.join(kinds)}")
    for kind in found:
        if holder(kind):
            raise DeviceError(f"{kind} is already there")
    if hub:
        return _plug("hub", found, options)
    return {kind: _plug(kind, [kind], options)[kind] for kind in found}


def _plug(name: str, kinds: Sequence[str], options: Sequence[str]) -> dict[str, str]:
    files = ["--ctl", str(state(name, "ctl")), "--state", str(state(name, "json"))]
    program = str(CACHE / "sensor-hub")
    system.spawn(name, [program, *options, *files, "--serial", f"virtual-{name}", *kinds])
    write(state(name, "kinds"), " ".join(kinds))
    write(state(name, "options"), json.dumps(options))
    return {kind: _wait_for(kind) for kind in kinds}


def _wait_for(kind: str) -> str:
    return wait(f"the IIO device of {kind}", lambda: _ready(kind))


def _ready(kind: str) -> str | None:
    found = folder(kind)
    if found is None or not (found / "trigger" / "current_trigger").exists():
        return None
    return found.name if Path("/dev", found.name).exists() else None


def holder(kind: str) -> str | None:
    """The program that plays a sensor: its own, or a hub."""
    for name in (kind, "hub"):
        if kind in read(state(name, "kinds")).split():
            return name
    return None


def _holders(kinds: Iterable[str]) -> list[str]:
    found = dict.fromkeys(name for kind in kinds if (name := holder(kind)))
    if not found:
        raise DeviceError(f"not started: {' '.join(kinds)}")
    return list(found)


def stop(kinds: Iterable[str]) -> None:
    """Unplugs sensors for good; a hub goes as a whole."""
    for name in _holders(kinds):
        _unplug(name)


def stop_all() -> None:
    """Unplugs whatever sensors there are, for good."""
    running = [kind for kind in KINDS if holder(kind)]
    if running:
        stop(running)


def unplug(kinds: Iterable[str]) -> None:
    """Unplugs sensors, remembering their settings as they were started."""
    for name in _holders(kinds):
        write(state(name, "unplugged"), _unplug(name))


def _unplug(name: str) -> str:
    kinds = read(state(name, "kinds"))
    system.end(name)
    state(name, "kinds").unlink()
    for kind in kinds.split():
        _wait_for_the_end(kind)
    return kinds


def _wait_for_the_end(kind: str) -> None:
    wait(f"the end of {kind}", lambda: folder(kind) is None, 10)


def plug(kinds: Iterable[str]) -> None:
    """Plugs in again what was unplugged."""
    for name in dict.fromkeys([*kinds, "hub"]):
        waiting = read(state(name, "unplugged")).split()
        if waiting and set(waiting) & set(kinds):
            state(name, "unplugged").unlink()
            _plug(name, waiting, json.loads(read(state(name, "options"))))


def change(kinds: Iterable[str], what: str, *words: object) -> None:
    """Changes a setting of running sensors: one of `CHANGES`."""
    for kind in kinds:
        name = holder(kind)
        if name:
            write(state(name, "ctl"), f"{what} {kind} {' '.join(map(str, words))}\n")
    time.sleep(0.05)


def status(kind: str) -> dict[str, Any]:
    """Settings and counts of a sensor as last saved, at most half a second ago; `t0_ns` is the
    truth's zero on the clock of its time stamps."""
    (name,) = _holders([kind])
    saved = json.loads(wait(f"the state of {kind}", lambda: read(state(name, "json"))))
    found: dict[str, Any] = next(one for one in saved["sensors"] if one["kind"] == kind)
    return found | {"t0_ns": saved["t0_ns"], "clock": saved["clock"]}


def truth(kind: str, seconds: Iterable[float]) -> list[list[float]]:
    """The true values of a sensor at moments after its zero, in the unit of its status."""
    now = status(kind)
    words = ["--freq", str(now["freq"]), "--amp", str(now["amp"])]
    words += ["--motion", now["motion"]] if now["motion"] != "set" else []
    if now["motion"] == "set":
        words += ["--set", ",".join(map(str, now["set"]))]
    asked = "\n".join(f"{moment:.9f}" for moment in seconds)
    done = subprocess.run(
        [str(CACHE / "sensor-hub"), "--eval", *words, kind],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    return [[float(word) for word in line.split()[1:]] for line in done.stdout.splitlines()]
