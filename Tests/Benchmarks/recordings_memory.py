"""How much memory a process grows by that records for long: `recordings_memory.py WHO PLACE FILE
SECONDS`. Prints the bytes: at the highest, and in the end."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import gatheredkit as gk
import psutil

from recordings_written import RATE, RECORD, SCALE, insert, opened


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


def highest() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(uri: str, path: Path, seconds: int) -> int:
    with gk.Context(uri, loop="manual") as context, context.open("accelerometer") as source:
        source.start(every=0.5 / RATE)
        with gk.Recorder(context, path) as recorder:
            recorder.add(source)
            context.seek(10.0)
            before = resident()
            for second in range(10, seconds):
                context.seek(second + 1.0)
    return before


def sqlites(uri: str, path: Path, seconds: int) -> int:
    import numpy as np

    records = np.memmap(uri, RECORD, "r")
    base, before = opened(path), 0
    for second in range(seconds):
        part = records[second * RATE : (second + 1) * RATE]
        axes = (part["axes"] * SCALE).T.tolist()
        insert(base, list(zip(part["stamp"].tolist(), *axes, strict=True)))
        before = resident() if second == 9 else before
    base.close()
    return before


def main(who: str, uri: str, path: str, seconds: str) -> None:
    start = time.perf_counter()
    before = (ours if who == "ours" else sqlites)(uri, Path(path), int(seconds))
    print(highest() - before, resident() - before, time.perf_counter() - start)


if __name__ == "__main__":
    main(*sys.argv[1:])
