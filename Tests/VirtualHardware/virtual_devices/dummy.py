"""The kernel's own dummy IIO device, made through configfs: voltages and a step counter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import system
from .system import command, read, wait, write

NAME = "pedometer"
_CONFIG = Path("/sys/kernel/config")
_PLACE = _CONFIG / "iio/devices/dummy" / NAME


def folder() -> Path | None:
    """The IIO device while it is there."""
    for found in Path("/sys/bus/iio/devices").glob("iio:device*"):
        if read(found / "name") == NAME:
            return found
    return None


def dummy(verb: str, word: str = "") -> None:
    """start | unplug | steps N"""
    if verb in ("start", "plug"):
        system.load("industrialio-configfs", "iio_dummy")
        if not _CONFIG.is_mount():
            command("mount", "-t", "configfs", "configfs", str(_CONFIG))
        wait("the dummy's folder", _PLACE.parent.exists)
        _PLACE.mkdir()
        wait("the dummy", folder)
    elif verb == "steps":
        write(wait("the dummy", folder, 1) / "in_steps_input", int(word))
    else:
        _PLACE.rmdir()


PARTS: dict[str, Callable[..., None]] = {"dummy": dummy}
