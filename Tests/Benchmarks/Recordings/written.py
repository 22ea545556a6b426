"""The rows that recordings are compared with, and how each format is given them."""

from __future__ import annotations

import math
import os
import sqlite3
import struct
import time
from collections.abc import Callable
from pathlib import Path

import gatheredkit as gk
import numpy as np
import pyarrow
import pyarrow.parquet
from mcap.writer import CompressionType, Writer

RATE = 1000
SCALE = 0.000598
RECORD = np.dtype([("axes", "<i2", 3), ("pad", "<i2"), ("stamp", "<i8")])
# Rows of a row group, as ours are exported: ranges read whole groups.
GROUP = 1 << 16
BEGIN = 1_800_000_000_000_000_000

SENSOR = {
    "name": "bench_accel",
    "in_accel_scale": SCALE,
    "sampling_frequency": RATE,
    "current_timestamp_clock": "boottime",
    "buffer/enable": 0,
    "scan_elements/in_timestamp_en": 1,
    "scan_elements/in_timestamp_index": 3,
    "scan_elements/in_timestamp_type": "le:s64/64>>0",
}


def shaken(seconds: int) -> np.ndarray:
    """Records of a kernel's buffer at 1 kHz: gravity that tilts slowly, a tremor, noise of 8 steps
    (its standard deviation), and a few microseconds of jitter."""
    random, count = np.random.default_rng(1), seconds * RATE
    records = np.zeros(count, RECORD)
    moments = np.arange(count) / RATE
    tilt = 0.4 * np.sin(moments / 7)
    tremor = 160 * np.sin(2 * np.pi * 8 * moments)
    bodies = (16384 * np.sin(tilt), 900 + tremor, 16384 * np.cos(tilt) - tremor)
    for axis, body in enumerate(bodies):
        records["axes"][:, axis] = np.rint(body + random.normal(0, 8, count))
    jitter = np.rint(random.normal(0, 3000, count)).astype(np.int64)
    records["stamp"] = BEGIN + np.arange(count, dtype=np.int64) * (1_000_000_000 // RATE) + jitter
    return records


def captured(folder: Path, records: np.ndarray) -> str:
    """The URI of a computer with these records in its sensor's buffer, whose time we move."""
    sensor = folder / "sys/bus/iio/devices/iio:device0"
    files = dict(SENSOR)
    for index, axis in enumerate("xyz"):
        files[f"in_accel_{axis}_raw"] = 0
        files[f"scan_elements/in_accel_{axis}_en"] = 1
        files[f"scan_elements/in_accel_{axis}_index"] = index
        files[f"scan_elements/in_accel_{axis}_type"] = "le:s16/16>>0"
    for name, text in files.items():
        path = sensor / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", "ascii")
    (folder / "dev").mkdir()
    records.tofile(folder / "dev/iio:device0")
    return f"local:root={folder}&clock=manual"


def gather(uri: str, seconds: int, path: Path | None = None) -> float:
    """Processor seconds of a source that plays its rows a second at a time, into a recording if
    there is a path."""
    with gk.Context(uri, loop="manual") as context, context.open("accelerometer") as source:
        source.start(every=0.5 / RATE)
        # Time runs faster here than it does: a second's rows may come while those before wait.
        recorder = gk.Recorder(context, path, memory_limit=1 << 30) if path else None
        if recorder:
            recorder.add(source)
        start = time.process_time()
        for second in range(seconds):
            context.seek(second + 1.0)
        if recorder:
            recorder.close()
        return time.process_time() - start


class Columns:
    """The same rows as columns: nanoseconds and m/s2."""

    def __init__(self, records: np.ndarray) -> None:
        self.times = records["stamp"].astype(np.int64)
        self.axes = (records["axes"] * SCALE).astype(np.float64)
        self.count = len(records)
        self.rows = list(zip(self.times.tolist(), *self.axes.T.tolist(), strict=True))


def insert(base: sqlite3.Connection, rows: list[tuple[float, ...]]) -> None:
    with base:
        base.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", rows)


def opened(path: Path) -> sqlite3.Connection:
    """A table by time, which has no other key beside."""
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("CREATE TABLE rows(time INTEGER PRIMARY KEY, x REAL, y REAL, z REAL)")
    return base


def to_sqlite(columns: Columns, path: Path) -> None:
    """A transaction a second, as ours is synchronised."""
    base = opened(path)
    for first in range(0, columns.count, RATE):
        insert(base, columns.rows[first : first + RATE])
    base.close()


def to_parquet(columns: Columns, path: Path, **options: object) -> None:
    names = ["time", "x", "y", "z"]
    times = pyarrow.array(columns.times, pyarrow.timestamp("ns", "UTC"))
    table = pyarrow.table([times, *np.ascontiguousarray(columns.axes.T)], names)
    pyarrow.parquet.write_table(table, path, row_group_size=GROUP, **options)


def to_mcap(columns: Columns, path: Path) -> None:
    """A message a row, of three packed doubles: the least that a message can be."""
    pack = struct.Struct("<3d").pack
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start()
        schema = writer.register_schema("vector", "", b"")
        channel = writer.register_channel("accelerometer", "doubles", schema)
        for moment, *axes in columns.rows:
            writer.add_message(channel, moment, pack(*axes), moment)
        writer.finish()  # type: ignore[no-untyped-call]


# What suits such columns best, if one knows it.
TUNED = {
    "compression": "zstd",
    "use_dictionary": False,
    "column_encoding": {
        "time": "DELTA_BINARY_PACKED",
        **dict.fromkeys("xyz", "BYTE_STREAM_SPLIT"),
    },
}

Writing = Callable[[Columns, Path], None]

PEERS: dict[str, Writing] = {
    "SQLite": to_sqlite,
    "Parquet, zstd": lambda columns, path: to_parquet(columns, path, compression="zstd"),
    "Parquet, snappy": lambda columns, path: to_parquet(columns, path, compression="snappy"),
    "Parquet, encodings": lambda columns, path: to_parquet(columns, path, **TUNED),
    "MCAP, zstd": to_mcap,
}


def spent(work: Writing, columns: Columns, path: Path) -> float:
    """Processor seconds of writing a new file, of all threads; of the fastest time."""
    least = math.inf
    for _ in range(3):
        path.unlink(missing_ok=True)
        start = time.process_time()
        work(columns, path)
        least = min(least, time.process_time() - start)
    return least


def size(path: Path) -> int:
    return os.stat(path).st_size
