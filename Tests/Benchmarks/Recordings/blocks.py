"""What recording costs where a sensor brings its rows in blocks of ten, as a kernel does at 1 kHz;
here a hundred times as fast. To be run by `with-sensors`; prints rows as measure.h does."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import gatheredkit as gk

from measure import row
from written import PEERS, Columns, shaken, spent

SECONDS = 3
RATE = 100_000
BLOCK = 1000
TURNS = 4
PIPE = "/dev/iio:device4"


def feed() -> None:
    """Lets rows through each hundredth of a second; they are taken in blocks of ten."""
    records = shaken(SECONDS * RATE // 1000)
    pipe = os.open(PIPE, os.O_WRONLY)
    due = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    for first in range(0, len(records), BLOCK):
        block = records[first : first + BLOCK]
        block["stamp"] = [due + (place - BLOCK + 1) * 10_000 for place in range(BLOCK)]
        os.write(pipe, block.tobytes())
        due += BLOCK * 10_000
        time.sleep(max(0, due - time.clock_gettime_ns(time.CLOCK_BOOTTIME)) / 1e9)
    os._exit(0)


def gather(path: Path | None) -> float:
    """Processor seconds of the rows that are fed, into a recording if there is a path."""
    with (
        gk.Context("local:", loop="manual") as context,
        context.open("accelerometer|bench_fast") as source,
    ):
        # Granted is the kind's least, a millisecond; nothing is to be thinned out.
        source.start(interval_ns=10_000)
        recorder = gk.Recorder(context, path) if path else None
        if recorder:
            recorder.add(source)
        feeder = os.fork()
        if feeder == 0:
            feed()
        start = time.process_time()
        os.waitpid(feeder, 0)
        time.sleep(0.1)
        if recorder:
            recorder.close()
        return time.process_time() - start


def recorded(path: Path) -> int:
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        source = replay["accelerometer"]
        return sum(batch.num_rows for batch in source.recorded.batches())


def main() -> None:
    count = SECONDS * RATE
    with tempfile.TemporaryDirectory() as name:
        folder, alone, ours = Path(name), [], []
        for turn in range(TURNS):
            alone.append(gather(None))
            ours.append(gather(folder / f"{turn}.gkr"))
            found = recorded(folder / f"{turn}.gkr")
            if found < count:
                raise SystemExit(f"{found} of {count} rows were recorded")
        mine = (min(ours) - min(alone)) / count * 1e9
        columns = Columns(shaken(count // 1000))
        for peer, work in PEERS.items():
            least = spent(work, columns, folder / peer)
            row("recorded row, in blocks of 10", mine, "ns", peer, least / count * 1e9, "")
        row("  gathered, not recorded", min(alone) / count * 1e9, "ns", "", 0, "")


if __name__ == "__main__":
    main()
