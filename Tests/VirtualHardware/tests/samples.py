"""Streams of a virtual sensor, taken whole and compared with the truth of each moment."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise

import gatheredkit as gk

from virtual_devices import sensors

from .proof import PATIENCE, expect, expect_equal

# A row is compared to half a step, and a little for the arithmetic of the scale.
HALF_STEP = 0.501


@dataclass(frozen=True)
class Sensor:
    """A virtual sensor, and where the library tells of it: `factor` leads from the sensor's unit
    to the property's."""

    name: str
    kind: str
    key: str
    factor: float = 1
    step: float = 1e-6


ACCELEROMETER = Sensor("accel", "accelerometer", "acceleration")
GYROSCOPE = Sensor("gyro", "gyroscope", "rotation_rate")
MAGNETOMETER = Sensor("magn", "magnetometer", "magnetic_field", 100)
VECTORS = (ACCELEROMETER, GYROSCOPE, MAGNETOMETER)


@dataclass(frozen=True)
class Row:
    """One sample of a stream; a number is a vector of one."""

    boot_ns: int
    time_ns: int
    value: tuple[float, ...]


def rows_of(frame: gk.Frame, key: str) -> list[Row]:
    """The rows of a frame in which a property has a value."""
    columns = (frame.boot_ns, frame.time_ns, frame.numbers(key), frame.status(key))
    found = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Row(boot, real, tuple(value) if isinstance(value, list) else (value,))
        for boot, real, value, status in found
        if status == gk.SampleStatus.OK
    ]


def collect(
    source: gk.Source, key: str, *, every: float, count: int, within: float = PATIENCE
) -> list[Row]:
    """Streams until there are `count` rows; none may have been dropped on the way."""
    rows: list[Row] = []
    end = time.monotonic() + within
    with source.stream(1 << 20, every=every) as reader:
        while len(rows) < count:
            left = end - time.monotonic()
            expect(left > 0, f"{len(rows)} of {count} samples within {within:g} s")
            try:
                rows += rows_of(reader.frame(timeout=left), key)
            except gk.TimedOutError:
                continue
        expect_equal((reader.dropped, source.rates.dropped), (0, 0), "dropped")
    return rows


def numbers(rows: list[Row], sensor: Sensor) -> list[int]:
    """The raw counts behind rows: with the motion `count`, the numbers of the samples."""
    unit = sensor.step * sensor.factor
    for row in rows:
        expect(len(set(row.value)) == 1, f"torn sample {row}")
    return [round(row.value[0] / unit) for row in rows]


def expect_whole(rows: list[Row], sensor: Sensor) -> None:
    """No sample is lost, doubled or out of order."""
    found = numbers(rows, sensor)
    breaks = [(a, b) for a, b in pairwise(found) if b != a + 1]
    expect(not breaks, f"after sample A came B: {breaks[:5]}, {len(breaks)} such of {len(found)}")


def expect_steps(rows: list[Row], period: float) -> None:
    """Time stamps are the hub's own, whose steps are exact."""
    steps = {b.boot_ns - a.boot_ns for a, b in pairwise(rows)}
    expect_equal(steps, {round(period * 1e9)}, "steps of time")


def expect_truth(rows: list[Row], sensor: Sensor, zero: int) -> None:
    """Every sample is what was true at its own moment, to half a step. `zero` is the truth's zero
    on the boot clock."""
    truths = sensors.truth(sensor.name, ((row.boot_ns - zero) / 1e9 for row in rows))
    unit = sensor.step * sensor.factor
    worst, place = 0.0, 0
    for number, (row, truth) in enumerate(zip(rows, truths, strict=True)):
        off = max(
            abs(value - true * sensor.factor) / unit
            for value, true in zip(row.value, truth, strict=True)
        )
        if off > worst:
            worst, place = off, number
    evidence = f"{worst:.3f} steps off in row {place} of {len(rows)}: {rows[place]}"
    expect(worst <= HALF_STEP, f"{evidence}, true is {truths[place]}")
