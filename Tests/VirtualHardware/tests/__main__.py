"""Runs the proofs, each file in a process of its own:  python3 -m tests [NAME...]"""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from virtual_devices import sensors, systemd

_CLOSING = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
# In this order: what is plain first, what needs everything last.
SUITES = (
    "batteries",
    "switches_and_heat",
    "screens",
    "microphone",
    "positions",
    "geoclue",
    "metadata",
    "networks",
    "wireless",
    "bluetooth",
    "modems",
    "volumes",
    "unprivileged",
    "energy",
    "polled_sensors",
    "streamed_sensors",
    "environment",
    "attitude",
    "iio_devices",
    "replugging",
    "long_run",
    "remedies",
)
UNDER_SYSTEMD = ("remedies",)
# Longer than two waits in vain, so that what fails says so itself.
LONGEST_SUITE = 900


def _alone(name: str) -> int:
    sensors.stop_all()
    if name in UNDER_SYSTEMD and not systemd.is_here():
        return _under_systemd(name)
    importlib.import_module(f"tests.{name}")
    from . import proof

    return proof.run()


def _under_systemd(name: str) -> int:
    """Runs one file where systemd is process 1."""
    if systemd.absence():
        print(f"skipped {name}: {systemd.absence()}\n0 passed, 0 failed, 1 skipped")
        return 0
    try:
        systemd.start()
        return systemd.run(sys.executable, "-m", "tests", "--alone", name)
    finally:
        systemd.stop()


def _show(process: subprocess.Popen[str]) -> list[int]:
    counts: list[int] = []
    for line in process.stdout or ():
        closing = _CLOSING.match(line)
        if closing:
            counts = [int(number) for number in closing.groups()]
        else:
            print(line, end="", flush=True)
    return counts


def _suite(name: str, longest: float) -> list[int]:
    """Runs one file; a process that dies without its closing line has failed."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests", "--alone", name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    # A call into the library that never returns cannot be interrupted from Python.
    killer = subprocess.Popen(["sh", "-c", f"sleep {longest}; kill -9 -{process.pid}"])
    try:
        counts = _show(process)
        status = process.wait()
    finally:
        killer.kill()
        killer.wait()
    if not counts or (status and not counts[1]):
        ending = signal.Signals(-status).name if status < 0 else f"status {status}"
        print(f"FAILED  {name}: ended with {ending}")
        counts = [sum(pair) for pair in zip(counts or [0, 0, 0], [0, 1, 0], strict=True)]
    print(f"        {name}: {time.monotonic() - begin:.0f} s", flush=True)
    return counts


def main(names: list[str]) -> int:
    """Runs the files named, or all; prints the closing line."""
    if names[:1] == ["--alone"]:
        return min(_alone(names[1]), 1)
    totals = [0, 0, 0]
    longest = LONGEST_SUITE + float(os.environ.get("LONG_RUN_SECONDS") or 0)
    for name in names or SUITES:
        if not (Path(__file__).parent / f"{name}.py").exists():
            sys.exit(f"there is no {name}; there are {', '.join(SUITES)}")
        totals = [sum(pair) for pair in zip(totals, _suite(name, longest), strict=True)]
    print("{} passed, {} failed, {} skipped".format(*totals))
    return min(totals[1], 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
