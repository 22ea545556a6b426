"""A receiver of satellite signals that goes round in a circle, and the gpsd that reads it.

At a moment `t` of the wall clock, with w = 2 pi / 120 s, it is 150 m from the middle at 47.5 N
19.05 E, at a bearing of w t: north by cos(w t), east by sin(w t). So it moves clockwise at 150 w =
7.854 m/s, on a course of w t + 90 degrees, always 235.4 m above the sea.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from . import system
from .system import HARDWARE, DeviceError, state, wait, write

LATITUDE, LONGITUDE, ALTITUDE, SEPARATION = 47.5, 19.05, 235.4, 43.7
RADIUS, TURN = 150.0, 120.0
# What the receiver says of the sky.
SATELLITES, HDOP = 8, 0.9
PORT = 2947
# Metres in a degree on a sphere of the Earth's mean radius.
DEGREE = 6_371_000 * math.pi / 180


class Position(NamedTuple):
    """Degrees, metres a second, degrees."""

    latitude: float
    longitude: float
    speed: float
    course: float


def truth(moment: float) -> Position:
    """Where the receiver is at a moment, in seconds since 1970."""
    angle = 2 * math.pi * (moment % TURN) / TURN
    north, east = RADIUS * math.cos(angle), RADIUS * math.sin(angle)
    return Position(
        LATITUDE + north / DEGREE,
        LONGITUDE + east / (DEGREE * math.cos(math.radians(LATITUDE))),
        2 * math.pi * RADIUS / TURN,
        (math.degrees(angle) + 90) % 360,
    )


def device() -> Path:
    """The port the receiver is on."""
    return state("receiver", "port").resolve()


def _start_daemon() -> None:
    # Read-only: what is on the other side of the port is no receiver to be set up.
    words = ["/usr/sbin/gpsd", "-N", "-n", "-b", "-S", str(PORT), str(device())]
    system.spawn("gpsd", words)
    wait("gpsd", lambda: f":{PORT:04X} " in Path("/proc/net/tcp").read_text(), 60)


def _kill_daemon() -> None:
    number = system.number_of("gpsd")
    if number is None:
        raise DeviceError("gpsd does not run")
    os.kill(number, signal.SIGKILL)
    system.end("gpsd")


def receiver() -> None:
    """Makes the receiver, and leaves gpsd to others."""
    system.end("receiver")
    program = HARDWARE / "virtual_devices" / "nmea.py"
    system.spawn("receiver", [sys.executable, str(program), str(state("receiver", "port"))])
    wait("the port", state("receiver", "port").exists)


def gps(verb: str, fix: str = "3") -> None:
    """start | fix [2|3] | nofix | kill | restart | unplug | stop"""
    if verb == "start":
        receiver()
        system.end("gpsd")
        _start_daemon()
    elif verb == "fix" and fix in ("2", "3"):
        write(state("receiver", "ctl"), fix)
    elif verb == "nofix":
        write(state("receiver", "ctl"), "0")
    elif verb == "kill":
        _kill_daemon()
    elif verb == "restart":
        _start_daemon()
    elif verb == "unplug":
        system.end("receiver")
    elif verb == "stop":
        system.end("gpsd")
        system.end("receiver")
    else:
        raise DeviceError(f"a receiver cannot {verb} {fix}")


PARTS: dict[str, Callable[..., None]] = {"gps": gps}
