"""How much memory a process grows by that records for long: `memory.py WHO PLACE FILE
SECONDS`. Prints the bytes: at the highest, and in the end."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import gatheredkit as gk
import numpy as np

from written import RATE, RECORD, SCALE, insert, opened


def resident(what: str = "VmRSS") -> int:
    """Bytes; `VmHWM` is the most there ever were, of this program alone (ru_maxrss is not)."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(what)) * 1024


def ours(uri: str, path: Path, seconds: int) -> int:
    with gk.Context(uri, loop="manual") as context, context.open("accelerometer") as source:
        source.start(every=0.5 / RATE)
        with gk.Recorder(context, path) as recorder:
            recorder.add(source)
            context.seek(10.0)
            before = resident()
            for second in range(10, seconds):
                context.seek(second + 1.0)
                # Time runs faster here than it does, and what waits is bounded.
                recorder.flush(timeout=20)
    return before


def sqlites(place: str, path: Path, seconds: int) -> int:
    base, before = opened(path), 0
    with open(place, "rb") as records:
        for second in range(seconds):
            part = np.fromfile(records, RECORD, RATE)
            axes = (part["axes"] * SCALE).T.tolist()
            insert(base, list(zip(part["stamp"].tolist(), *axes, strict=True)))
            before = resident() if second == 9 else before
    base.close()
    return before


def main(who: str, uri: str, path: str, seconds: str) -> None:
    start = time.perf_counter()
    before = (ours if who == "ours" else sqlites)(uri, Path(path), int(seconds))
    print(resident("VmHWM") - before, resident() - before, time.perf_counter() - start)


if __name__ == "__main__":
    main(*sys.argv[1:])
