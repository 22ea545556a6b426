"""A microphone that hears a tone: ALSA's loopback card, whose one device records the other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import HARDWARE, DeviceError, read, wait, write

_DRIVER = Path("/sys/bus/platform/drivers/snd_aloop")
_CARD = Path("/proc/asound/card0")
_NODE = Path("/dev/snd/pcmC0D1c")


def is_open() -> bool:
    """Whether a process captures from it."""
    return read(_CARD / "pcm1c/sub0/status", "closed") != "closed"


def _play(hertz: str, level: str) -> None:
    program = HARDWARE / "virtual_devices" / "tone.py"
    system.spawn("microphone", [sys.executable, str(program), hertz, level])
    wait("the tone", lambda: "RUNNING" in read(_CARD / "pcm0p/sub0/status"))


def microphone(verb: str, hertz: str = "1000", level: str = "-20") -> None:
    """start [HZ [DBFS]] | unplug | plug [HZ [DBFS]] | stop: a sine of a peak level, for ever"""
    if verb == "start":
        system.load("snd-aloop index=0 pcm_substreams=1")
        wait("the card", _NODE.exists)
        system.end("microphone")
        _play(hertz, level)
    elif verb == "unplug":
        # Returns when every process has let go of the card.
        write(_DRIVER / "unbind", "snd_aloop.0")
        system.end("microphone")
    elif verb == "plug":
        write(_DRIVER / "bind", "snd_aloop.0")
        wait("the card", _NODE.exists)
        _play(hertz, level)
    elif verb == "stop":
        system.end("microphone")
        system.command("modprobe", "-r", "snd-aloop")
    else:
        raise DeviceError(f"a microphone cannot {verb}")


PARTS: dict[str, Callable[..., None]] = {"microphone": microphone}
