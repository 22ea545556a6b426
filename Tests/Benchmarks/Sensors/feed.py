"""Feeds a second of a sensor's records at 100 kHz into a pipe: `feed.py PIPE`. Each hundredth of a
second lets a block of them through, as a kernel does."""

from __future__ import annotations

import os
import sys
import time

import numpy as np

RECORD = np.dtype([("axes", "<i2", 3), ("pad", "<i2"), ("stamp", "<i8")])
BLOCK = 1000


def main(path: str) -> None:
    block = np.zeros(BLOCK, RECORD)
    block["axes"] = np.arange(3 * BLOCK).reshape(BLOCK, 3)
    pipe = os.open(path, os.O_WRONLY)
    due = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    for _ in range(100):
        block["stamp"] = due + np.arange(1 - BLOCK, 1) * 10_000
        os.write(pipe, block.tobytes())
        due += BLOCK * 10_000
        time.sleep(max(0, due - time.clock_gettime_ns(time.CLOCK_BOOTTIME)) / 1e9)


if __name__ == "__main__":
    main(sys.argv[1])
