"""Timing of works that take turns, and the rows of figures that `run` makes a table of."""

from __future__ import annotations

import time
from collections.abc import Callable

ROUNDS = 15
ROUND_SECONDS = 0.004


def timed(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def measure(*works: Callable[[], object]) -> list[float]:
    """Microseconds of one run of each work, which take turns; of the fastest round each."""
    # The first call may open what the others only read, and tells nothing about them.
    for work in works:
        work()
    times = [max(1, int(ROUND_SECONDS / timed(work, 20))) for work in works]
    rounds = [
        [timed(work, count) * 1e6 for work, count in zip(works, times, strict=True)]
        for _ in range(ROUNDS)
    ]
    return [min(column) for column in zip(*rounds, strict=True)]


def row(name: str, ours: float, unit: str, peer: str, theirs: float, aim: str) -> None:
    print(name, f"{ours:g}", unit, peer, f"{theirs:g}", aim, sep="\t", flush=True)
