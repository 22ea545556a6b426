"""What creating devices takes: modules, files, waiting, programs of one's own."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")

HARDWARE = Path(__file__).resolve().parent.parent
CACHE = Path(
    os.environ.get("VIRTUAL_CACHE", HARDWARE.parent.parent / ".build" / "virtual-hardware")
)
# State of the devices: one file for each thing known of a program.
RUN = Path("/run/virtual/devices")


class DeviceError(Exception):
    """A device cannot be made or driven; the text says why."""


def command(*words: str) -> str:
    """Runs a program to its end and returns its output. Raises `DeviceError` if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise DeviceError(f"{' '.join(words)} failed ({done.returncode}): {said}")
    return done.stdout


def load(*modules: str) -> None:
    """Loads kernel modules; `name option=value` where options are wanted."""
    for module in modules:
        command("modprobe", *module.split())


def can_load(module: str) -> bool:
    """Loads a kernel module if there is one."""
    return subprocess.run(["modprobe", "-q", module], check=False).returncode == 0


def read(path: str | Path, default: str = "") -> str:
    """A file's text without white space at its ends, or the default if it cannot be read."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return default


def write(path: str | Path, value: object) -> None:
    """Writes a value, as text, in one go."""
    with open(path, "w") as file:
        file.write(str(value))


def wait(what: str, look: Callable[[], Found | None], seconds: float = 30) -> Found:
    """Looks until there is something. Raises `DeviceError` when the seconds are over."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise DeviceError(f"timed out waiting for {what}")
        time.sleep(0.05)


def state(name: str, part: str) -> Path:
    """Where something is kept of a program: its `pid`, `log`, `ctl`, ..."""
    return RUN / f"{name}.{part}"


def spawn(name: str, words: Sequence[str]) -> None:
    """Starts a program that stays; it is ended by its number only, see `end`."""
    RUN.mkdir(parents=True, exist_ok=True)
    with open(state(name, "log"), "w") as log:
        started = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    write(state(name, "pid"), started.pid)


def number_of(name: str) -> int | None:
    """The process of a program that runs."""
    number = read(state(name, "pid"))
    status = read(f"/proc/{number}/stat", " Z ") if number else " Z "
    return None if " Z " in status else int(number)


def end(name: str) -> None:
    """Ends a program started by `spawn`, if it runs."""
    number = number_of(name)
    if number is not None:
        os.kill(number, signal.SIGTERM)
        wait(f"the end of {name}", lambda: _buried(number), 10)
    for part in ("pid", "ctl"):
        state(name, part).unlink(missing_ok=True)


def _buried(number: int) -> bool:
    # It need not be our child: the process that started it may have ended since.
    with suppress(ChildProcessError):
        os.waitpid(number, os.WNOHANG)
    return " Z " in read(f"/proc/{number}/stat", " Z ")
