"""GeoClue, with a receiver of satellite signals on a socket, a service on this computer that knows
where networks are, and its own agent.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from . import surroundings, system
from .system import HARDWARE, DeviceError, command, state, wait, write

NAME = "org.freedesktop.GeoClue2"
_DAEMON, _PORT = "/usr/libexec/geoclue", 18999
_SETTINGS = Path("/etc/geoclue/geoclue.conf")


def configure(more: str = "", *, receiver: bool = True) -> None:
    """What it asks where it is, and what else its configuration says."""
    off = "".join(f"[{name}]\nenable=false\n" for name in ("3g", "cdma", "modem-gps", "compass"))
    write(
        _SETTINGS,
        "[agent]\nwhitelist=geoclue-demo-agent\n"
        f"[network-nmea]\nenable={str(receiver).lower()}\n"
        f"nmea-socket={state('surroundings', 'socket')}\n"
        f"[wifi]\nenable=true\nurl=http://127.0.0.1:{_PORT}{surroundings.PATH}\n"
        f"submit-data=false\nsubmission-nick=geoclue\n{off}{more}",
    )


def _is_there() -> bool:
    return f"{NAME} " in command("busctl", "--no-pager", "--acquired", "list")


def daemon() -> None:
    """Starts it, as the user it is."""
    words = ["setpriv", "--reuid=geoclue", "--regid=geoclue", "--clear-groups"]
    system.spawn("geoclue", [*words, _DAEMON, "--timeout=0"])
    wait("GeoClue", _is_there)


def start(more: str = "") -> None:
    """Starts it, without an agent; `more` is what else its configuration says."""
    prepare(more)
    daemon()


def prepare(more: str = "") -> None:
    """Makes all that it asks, and leaves it to others to start it."""
    configure(more)
    # It asks no service while the kernel has no way out of this computer.
    command("ip", "route", "replace", "default", "dev", "lo")
    place = state("surroundings", "socket")
    program = HARDWARE / "virtual_devices" / "surroundings.py"
    system.spawn("surroundings", [sys.executable, str(program), str(place), str(_PORT)])
    wait("the receiver", place.exists)


def end_daemon(number: signal.Signals = signal.SIGTERM) -> None:
    """Ends it, by a signal."""
    process = system.number_of("geoclue")
    if process is None:
        raise DeviceError("GeoClue does not run")
    os.kill(process, number)
    wait("the end of GeoClue", lambda: not _is_there())
    system.end("geoclue")


def agent(*words: str) -> None:
    """Starts an agent that agrees with what the configuration allows."""
    system.spawn("agent", words)


def stop() -> None:
    """Ends all of it."""
    for name in ("agent", "geoclue", "surroundings"):
        system.end(name)
    command("ip", "route", "del", "default", "dev", "lo")


def geoclue(verb: str, word: str = "") -> None:
    """start | fix 0|2|3 | kill | daemon | stop"""
    if verb == "start":
        start()
    elif verb == "fix" and word in ("0", "2", "3"):
        write(state("surroundings", "ctl"), word)
    elif verb == "kill":
        end_daemon(signal.SIGKILL)
    elif verb == "daemon":
        daemon()
    elif verb == "stop":
        stop()
    else:
        raise DeviceError(f"GeoClue cannot {verb} {word}")


PARTS: dict[str, Callable[..., None]] = {"geoclue": geoclue}
