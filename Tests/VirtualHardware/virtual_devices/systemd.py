"""systemd as on a computer that it has booted: process 1 of namespaces of its own, with the units
that the packages bring and none of them running. The kernel and its devices are the machine's.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import RUN, DeviceError, command, read, wait, write

_PROGRAM = Path("/lib/systemd/systemd")
_PACKAGED = Path("/lib/systemd/system")
# Of some two hundred units, whose reading alone takes a minute here, those that remedies are about.
UNITS = (
    "ModemManager.service",
    "bluetooth.service",
    "dbus.service",
    "dbus.socket",
    "geoclue.service",
    "gpsd.service",
    "gpsd.socket",
    "polkit.service",
    "systemd-logind.service",
)
_TARGETS = ("sysinit.target", "basic.target", "virtual.target")
_GROUP = Path("/sys/fs/cgroup/systemd")
_DRAFT = Path("/run/virtual/run")

# Its own /run, in which there is no bus; what udev knows and what the host gave are seen there. A
# `container` without a name says that this is none, whatever the host is.
_START = f"""set -e
echo $$ >{_GROUP}/cgroup.procs
exec unshare --pid --fork --kill-child --mount --cgroup sh -ec '
mount -t proc proc /proc
umount /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p {_DRAFT}
mount -t tmpfs -o mode=755 tmpfs {_DRAFT}
mkdir -p {_DRAFT}/udev {_DRAFT}/virtual {_DRAFT}/dbus {_DRAFT}/lock {_DRAFT}/systemd/system
mount --rbind /run/udev {_DRAFT}/udev
mount --rbind /run/virtual {_DRAFT}/virtual
mount -n --move {_DRAFT} /run
mount -t tmpfs tmpfs {RUN}
cp {RUN.parent}/units/* /run/systemd/system/
for folder in system-generators system-environment-generators; do
  mount -t tmpfs tmpfs /lib/systemd/$folder
done
exec env -i container= PATH="$PATH" SYSTEMD_UNIT_PATH=/run/systemd/system \\
  {_PROGRAM} --system --unit=virtual.target --log-target=null --show-status=no'
"""


def is_here() -> bool:
    """Whether systemd is process 1 for the caller."""
    return Path("/run/systemd/private").exists()


def absence() -> str:
    """Why there can be no systemd; empty if there can."""
    if not _PROGRAM.exists():
        return "systemd is not installed"
    missing = [name for name in UNITS if not (_PACKAGED / name).exists()]
    return f"there is no {', '.join(missing)}" if missing else ""


def _process() -> int:
    """The number of the namespaces' first process, as it is known outside."""
    outer = system.number_of("systemd")
    if outer is None:
        raise DeviceError(f"systemd does not run: {read(system.state('systemd', 'log'))}")
    return int(read(f"/proc/{outer}/task/{outer}/children") or 0)


def _is_up() -> bool:
    number = _process()
    return bool(number) and Path(f"/proc/{number}/root/run/systemd/private").exists()


def start() -> None:
    """Starts it with no unit but its own."""
    if absence():
        raise DeviceError(absence())
    units = RUN.parent / "units"
    shutil.rmtree(units, ignore_errors=True)
    units.mkdir(parents=True)
    for name in UNITS:
        shutil.copy(_PACKAGED / name, units)
    for name in _TARGETS:
        write(units / name, f"[Unit]\nDescription={name}\nDefaultDependencies=no\n")
    _GROUP.mkdir(exist_ok=True)
    RUN.mkdir(parents=True, exist_ok=True)
    system.spawn("systemd", ["sh", "-c", _START])
    wait("systemd", _is_up, 60)


def run(*words: str) -> int:
    """Runs a program where systemd is process 1, and returns its status."""
    place = ["nsenter", f"--target={_process()}", "--pid", "--mount", "--cgroup"]
    return subprocess.run([*place, "env", "-C", os.getcwd(), *words], check=False).returncode


def stop() -> None:
    """Ends it, and with it everything that runs there."""
    if system.number_of("systemd") is not None:
        os.kill(_process(), signal.SIGKILL)
        wait("the end of systemd", lambda: system.number_of("systemd") is None)
    system.end("systemd")


def main_process(unit: str) -> int:
    """The process of a unit that runs; zero if none does."""
    return int(command("systemctl", "show", "--value", "--property=MainPID", unit) or 0)


def _run(*words: str) -> None:
    if run(*words):
        raise DeviceError(f"{' '.join(words)} failed")


def systemd(verb: str, *words: str) -> None:
    """start | run COMMAND... | stop"""
    if verb not in ("start", "run", "stop"):
        raise DeviceError(f"systemd cannot {verb}")
    {"start": start, "run": _run, "stop": stop}[verb](*words)


PARTS: dict[str, Callable[..., None]] = {"systemd": systemd}
