"""Recordings from Python beside SQLite, Parquet and MCAP: the same rows of an accelerometer, three
axes and a time at 1 kHz, written and read again. Prints rows as measure.h does.

What each is given differs: ours takes rows as a source brings them, with both clocks, states and
sequence, and has them on the disk within a second; SQLite has a transaction a second, MCAP a
message a row; Parquet gets whole columns at the end, before which there is no file.
"""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gatheredkit as gk
import numpy as np
import pandas
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

import written
from measure import row
from written import BEGIN, PEERS, RATE, Columns

SECONDS = 300
LONG = 2000
ROUNDS = 5
SECOND = 1_000_000_000


def best(*works: Callable[[], object]) -> list[float]:
    """Seconds of each work, which take turns; of the fastest round each."""
    rounds = [[timed(work) for work in works] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*rounds, strict=True)]


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(
    name: str, unit: str, scale: float, *, aim: str = "", **works: Callable[[], object]
) -> None:
    """One row a peer; the first work is ours. The aim is beside the first peer."""
    mine, *theirs = best(*works.values())
    aims = [aim, *[""] * (len(theirs) - 1)]
    for peer, spent, wanted in zip(list(works)[1:], theirs, aims, strict=True):
        row(name, mine * scale, unit, peer, spent * scale, wanted)


def writing(folder: Path, uri: str, columns: Columns) -> None:
    alone = min(written.gather(uri, SECONDS) for _ in range(3))
    with_recorder = []
    for turn in range(3):
        path = folder / f"{turn}.gkr"
        with_recorder.append(written.gather(uri, SECONDS, path))
    mine = (min(with_recorder) - alone) / columns.count * 1e9
    path.rename(folder / "ours.gkr")
    room = written.size(folder / "ours.gkr") / columns.count
    for peer, work in PEERS.items():
        file = folder / peer
        spent = written.spent(work, columns, file)
        row("recorded row, one by one", mine, "ns", peer, spent / columns.count * 1e9, "")
        row("  its room", room, "bytes", peer, written.size(file) / columns.count, "")
    row("  gathered, not recorded", alone / columns.count * 1e9, "ns", "", 0, "")


def check(path: Path, columns: Columns) -> None:
    """What was recorded is what was written, to the bit, or figures are worth nothing."""
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        table = pyarrow.table(replay["accelerometer"])
    axes = np.stack(table["acceleration"].to_numpy())
    steps = np.diff(table["boot"].to_numpy())
    # The row at the moment of the start repeats the reading there, which came before the recorder.
    count = columns.count - 1
    if len(axes) < count or not np.array_equal(axes[-count:], columns.axes[1:]):
        raise SystemExit(f"{len(axes)} of {count} rows were recorded")
    if not np.array_equal(steps[1 - count :], np.diff(columns.times[1:])):
        raise SystemExit("the times are not those of the sensor")


def reading(path: Path, parquet: Path) -> None:
    """Ours has all properties of the sensor, 18, as the peer with the aim has, which reads our
    export: the whole beside the whole. The other reads times and axes alone."""
    [whole] = gk.export(path, path.with_suffix(".parquet"))

    def table() -> Any:
        with gk.Context(f"replay:{path}", loop="manual") as replay:
            return pyarrow.table(replay["accelerometer"])

    def frame() -> Any:
        with gk.Context(f"replay:{path}", loop="manual") as replay:
            return replay["accelerometer"].to_pandas()

    arrow: dict[str, Callable[[], Any]] = {
        "ours": table,
        "pyarrow, the same": lambda: read(whole),
        "pyarrow, 4 columns": lambda: read(parquet),
    }
    compare("whole recording into Arrow", "ms", 1e3, aim="<= 1.3 x", **arrow)
    frames: dict[str, Callable[[], Any]] = {
        "ours": frame,
        "pandas, 4 columns": lambda: pandas.read_parquet(parquet),
    }
    compare("whole recording into pandas", "ms", 1e3, **frames)


def read(path: Path | str, **options: Any) -> Any:
    return pyarrow.parquet.read_table(path, **options)


def middle(path: Path, parquet: Path, base: sqlite3.Connection) -> None:
    """A hundredth of the rows, from the middle: as Python's own values, as a store gives them."""
    length = SECONDS * SECOND // 100
    first = BEGIN + SECONDS * SECOND // 2
    start = recorded_begin(path) + SECONDS * SECOND // 2
    every = gk.DataSource("recording", path=path)
    store = gk.DataSource("recording", path=path, properties=["acceleration"])
    ends = [pandas.Timestamp(each, tz="UTC") for each in (first, first + length)]
    filters = [("time", ">=", ends[0]), ("time", "<", ends[1])]
    scanned = pyarrow.dataset.dataset(parquet)
    field = pyarrow.dataset.field("time")
    wanted = (field >= pyarrow.scalar(ends[0])) & (field < pyarrow.scalar(ends[1]))
    query = gk.Query.time_range(start, start + length)
    sql = "SELECT time, x, y, z FROM rows WHERE time >= ? AND time < ?"
    works: dict[str, Callable[[], Any]] = {
        "ours": lambda: store.get_all(query),
        "pyarrow filters, to pylist": lambda: read(parquet, filters=filters).to_pylist(),
        "pyarrow dataset, to pylist": lambda: scanned.to_table(filter=wanted).to_pylist(),
        "pyarrow filters, columns": lambda: read(parquet, filters=filters),
        "sqlite3": lambda: base.execute(sql, (first, first + length)).fetchall(),
    }
    counts = {name: len(work()) for name, work in works.items()}
    if max(counts.values()) - min(counts.values()) > 2:
        raise SystemExit(f"the peers do not find the same: {counts}")
    compare("1 % of its rows, by time", "ms", 1e3, **works)
    [whole] = best(lambda: every.get_all(query))
    row("  with all 18 properties", whole * 1e3, "ms", "", 0, "")


def recorded_begin(path: Path) -> int:
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        for batch in replay["accelerometer"].recorded.batches():
            return int(batch.column("time")[0].value)
    raise SystemExit(f"{path} is empty")


def sampling_down(path: Path, parquet: Path, base: sqlite3.Connection) -> None:
    """Least, greatest and mean of each second, of three axes."""
    store = gk.DataSource("recording", path=path, properties=["acceleration"], interval_ns=SECOND)
    aggregates = [(axis, what) for axis in "xyz" for what in ("min", "max", "mean")]

    def with_arrow() -> Any:
        table = read(parquet)
        second = pyarrow.compute.floor_temporal(table["time"], unit="second")
        return table.append_column("second", second).group_by("second").aggregate(aggregates)

    def with_pandas() -> Any:
        frame = pandas.read_parquet(parquet).set_index("time")
        return frame.resample("1s").agg(["min", "max", "mean"])

    columns = ", ".join(f"min({axis}), max({axis}), avg({axis})" for axis in "xyz")
    sql = f"SELECT time / {SECOND}, {columns} FROM rows GROUP BY 1"
    works: dict[str, Callable[[], Any]] = {
        "ours": lambda: store.get_all(gk.Query.id(store_key(path))),
        "pyarrow group by": with_arrow,
        "pandas resample": with_pandas,
        "sqlite3 GROUP BY": lambda: base.execute(sql).fetchall(),
    }
    counts = {name: len(work()) for name, work in works.items()}
    if max(counts.values()) - min(counts.values()) > 2:
        raise SystemExit(f"the peers do not find the same: {counts}")
    compare("min, max, mean of seconds", "ms", 1e3, **works)


def store_key(path: Path) -> str:
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        return replay.sources()[0].id


def replaying(path: Path, parquet: Path, count: int) -> None:
    """Rows a second. A replay wakes sources, dates samples and serves sessions, as live ones do;
    record batches are columns handed over: not the same work."""

    def batches() -> None:
        found = sum(each.num_rows for each in pyarrow.parquet.ParquetFile(parquet).iter_batches())
        if found != count:
            raise SystemExit("the peer has lost rows")

    [theirs] = best(batches)
    # Ours has no row of the start.
    pull = (count - 1) / min(pulled(path, count - 1) for _ in range(3))
    row("replay to a reader", pull, "rows/s", "pyarrow batches", count / theirs, "")
    spent, updates = min(pushed(path) for _ in range(3))
    push = count / spent
    row("replay to a listener in Python", push, "rows/s", "pyarrow batches", count / theirs, "")
    row("  rows of one update", count / updates, "rows", "", 0, "")


def pulled(path: Path, count: int) -> float:
    with gk.Context(f"replay:{path}") as replay:
        replay.set_rate(0)
        with replay.open("accelerometer").stream(maxlen=1 << 20) as samples:
            start, rows = time.perf_counter(), 0
            replay.set_rate(math.inf)
            while rows < count:
                rows += samples.frame(timeout=20).rows
            return time.perf_counter() - start


def pushed(path: Path) -> tuple[float, int]:
    """Seconds, and updates: a listener is called once a delivery, with the newest row of it."""
    heard = 0

    def hear(_update: gk.Update) -> None:
        nonlocal heard
        heard += 1

    with gk.Context(f"replay:{path}") as replay, replay.open("accelerometer") as source:
        replay.set_rate(0)
        source.listen(hear)
        source.start()
        start = time.perf_counter()
        replay.set_rate(math.inf)
        # It moves on only when all before has been delivered.
        while replay.position < (replay.duration or 0):
            if time.perf_counter() - start > 120:
                raise SystemExit(f"the replay has come to {replay.position} s")
            time.sleep(0.001)
        return time.perf_counter() - start, heard


def memory(folder: Path) -> None:
    """Of processes that record millions of rows: what they grow by after the first ten seconds."""
    uri = written.captured(folder / "long", written.shaken(LONG))
    places = {"ours": uri, "sqlite3": str(folder / "long/dev/iio:device0")}
    grown: dict[str, list[float]] = {}
    for who, place in places.items():
        script = Path(__file__).with_name("memory.py")
        words = [str(script), who, place, str(folder / f"long {who}"), str(LONG)]
        command = [sys.executable, *words]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        grown[who] = [float(word) for word in output.split()]
    ours, theirs = grown.values()
    name = f"memory, {LONG * RATE // 1_000_000} million rows"
    row(f"{name}, highest", ours[0] / 1e6, "MB more", "sqlite3", theirs[0] / 1e6, "")
    row("  in the end", ours[1] / 1e6, "MB more", "sqlite3", theirs[1] / 1e6, "")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = written.shaken(SECONDS)
        columns = Columns(records)
        (folder / "machine").mkdir()
        writing(folder, written.captured(folder / "machine", records), columns)
        path, parquet = folder / "ours.gkr", folder / "Parquet, zstd"
        check(path, columns)
        reading(path, parquet)
        base = sqlite3.connect(folder / "SQLite")
        middle(path, parquet, base)
        sampling_down(path, parquet, base)
        replaying(path, parquet, columns.count)
        (folder / "long").mkdir()
        memory(folder)


if __name__ == "__main__":
    main()
