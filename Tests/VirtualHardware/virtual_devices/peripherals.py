"""Things that are plugged into a computer: a mouse with a battery, a screen, disks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import system
from .system import CACHE, DeviceError, read, state, wait, write

_SUPPLIES = Path("/sys/class/power_supply")
_SCSI = Path("/sys/bus/pseudo/drivers/scsi_debug")


def mouse(verb: str, level: str = "80") -> None:
    """start [PERCENT] | set PERCENT | unplug: a HID battery of scope Device"""
    if verb in ("start", "plug"):
        system.load("uhid", "hid-generic", "evdev")
        options = ["--name", "Virtual Mouse", "--serial", "virtual-mouse", "--level", level]
        files = ["--ctl", str(state("mouse", "ctl"))]
        system.spawn("mouse", [str(CACHE / "sensor-hub"), "--mouse", *options, *files])
        wait("the mouse's battery", lambda: any(_SUPPLIES.glob("hid-virtual-mouse-battery*")))
    elif verb == "set":
        write(state("mouse", "ctl"), f"level {level}\n")
    else:
        system.end("mouse")
        wait("the mouse to go", lambda: not any(_SUPPLIES.glob("hid-virtual-mouse-battery*")))


def connectors() -> list[Path]:
    """The sockets of the graphics card."""
    return sorted(Path("/sys/class/drm").glob("card[0-9]*-*"))


def screen(verb: str, name: str = "") -> None:
    """start | unplug [CONNECTOR] | plug [CONNECTOR]; a forced connector sends no udev event"""
    if verb == "start":
        system.load("virtio-gpu")
        wait("a connector", connectors)
        for connector in connectors():
            print(connector.name, read(connector / "status"))
        return
    # A connector forced on has no EDID.
    words = {"unplug": "off", "plug": "detect"}
    if verb not in words:
        raise DeviceError(f"a screen cannot {verb}")
    chosen = Path("/sys/class/drm", name) if name else connectors()[0]
    write(chosen / "status", words[verb])


def disks() -> list[Path]:
    """The disks that `storage` made: one removable, one that forgets what it is told."""
    scsi = _SCSI.glob("adapter*/host*/target*/*/block/*")
    return [*scsi, *Path("/sys/block").glob("nullb*")]


def storage(verb: str) -> None:
    """start | stop: a removable disk of 64 MiB and a null disk of 1 GiB"""
    if verb == "start":
        system.load("scsi_debug dev_size_mb=64 removable=1 delay=0", "sd_mod")
        system.load("null_blk nr_devices=1 gb=1")
        wait("the disks", lambda: len(disks()) == 2)
        print("\n".join(disk.name for disk in disks()))
    else:
        system.command("modprobe", "-r", "scsi_debug", "null_blk")


PARTS: dict[str, Callable[..., None]] = {"mouse": mouse, "screen": screen, "storage": storage}
