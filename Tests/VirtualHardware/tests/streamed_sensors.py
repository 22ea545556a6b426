"""Motion sensors streamed from the kernel's buffer: every sample, at its own time, as it was."""

from __future__ import annotations

import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import gatheredkit as gk

from virtual_devices import sensors
from virtual_devices.system import read

from .proof import PATIENCE, eventually, expect, expect_equal, expect_near, needs_kinds, proves
from .samples import (
    ACCELEROMETER,
    VECTORS,
    Row,
    Sensor,
    collect,
    expect_steps,
    expect_truth,
    expect_whole,
    rows_of,
)


def restart(sensor: Sensor, settings: sensors.Settings) -> int:
    """Plugs a sensor in with these settings; returns the truth's zero."""
    needs_kinds(sensor.kind)
    if sensors.holder(sensor.name):
        sensors.stop([sensor.name])
    sensors.start([sensor.name], settings)
    zero: int = sensors.status(sensor.name)["t0_ns"]
    return zero


def prove_truth(sensor: Sensor, motion: str) -> None:
    """The hub stamps with the boot clock, which the library prefers: nothing is translated."""
    zero = restart(sensor, sensors.Settings(motion=motion, freq=0.5, clock="boottime"))
    with gk.Context() as context, context.open(sensor.kind) as source:
        rows = collect(source, sensor.key, every=0.01, count=200)
        expect_steps(rows, 0.01)
        expect_truth(rows, sensor, zero)


def prove_whole(sensor: Sensor, rate: int) -> None:
    """Each sample carries its number."""
    restart(sensor, sensors.Settings(rate=rate, motion="count"))
    with gk.Context() as context, context.open(sensor.kind) as source:
        rows = collect(source, sensor.key, every=1 / rate, count=2 * rate)
        expect_whole(rows, sensor)
        expect_steps(rows, 1 / rate)


for _sensor in VECTORS:
    _name = f"3.2: {_sensor.kind}, streamed at 100 Hz, is true at each sample's own time"
    proves(_name)(partial(prove_truth, _sensor, "sine"))
proves("3.2: gyroscope, streamed, is true when the device swings")(
    partial(prove_truth, VECTORS[1], "swing")
)
proves("3.2: magnetometer, streamed, is true when the device spins")(
    partial(prove_truth, VECTORS[2], "spin")
)
for _rate in (100, 200, 500, 1000):
    _name = f"I6: at {_rate} Hz no sample is lost, doubled or out of order"
    proves(_name)(partial(prove_whole, ACCELEROMETER, _rate))


@proves("V12: stamps of the wall clock are translated to the boot clock")
def translated() -> None:
    zero = restart(ACCELEROMETER, sensors.Settings(motion="sine", freq=0.5, clock="realtime"))
    with gk.Context() as context, context.open("accelerometer") as source:
        rows = collect(source, "acceleration", every=0.01, count=100)
        expect_steps(rows, 0.01)
        moments = ((row.time_ns - zero) / 1e9 for row in rows)
        truths = sensors.truth("accel", moments)
        # Two milliseconds of doubt about the clocks, on a slope of 2 pi a second.
        for row, truth in zip(rows, truths, strict=True):
            for value, true in zip(row.value, truth, strict=True):
                expect_near(value, true, 0.0126, f"{row}")


@proves("V11: samples that the hub does not stamp are stamped by the kernel")
def unstamped() -> None:
    restart(ACCELEROMETER, sensors.Settings(motion="count", clock="none"))
    with gk.Context() as context, context.open("accelerometer") as source:
        begin = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        rows = collect(source, "acceleration", every=0.01, count=200)
        end = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        expect_whole(rows, ACCELEROMETER)
        times = [row.boot_ns for row in rows]
        expect(times == sorted(set(times)), "time goes back or stands still")
        expect(begin < times[0] and times[-1] < end, (begin, times[0], times[-1], end))
        expect_equal(source.explain("acceleration").clock, "kernel")


@proves("I6: three sensors at 200 Hz at once lose nothing")
def all_at_once() -> None:
    for sensor in VECTORS:
        restart(sensor, sensors.Settings(rate=200, motion="count"))
    with gk.Context() as context, context.reader(1 << 20) as reader:
        opened = {sensor: context.open(sensor.kind) for sensor in VECTORS}
        for source in opened.values():
            reader.add(source)
        for source in opened.values():
            reader.start(source, 0.005)
        for sensor, source in opened.items():
            rows: list[Row] = []
            while len(rows) < 400:
                rows += rows_of(reader.frame(source, timeout=PATIENCE), sensor.key)
            expect_whole(rows, sensor)
        expect_equal(reader.dropped, 0, "dropped")


@proves("I6: a slower session gets samples of the hardware, never a mean or a repeat")
def thinned() -> None:
    zero = restart(ACCELEROMETER, sensors.Settings(motion="sine", freq=0.5, clock="boottime"))
    with gk.Context() as context, context.open("accelerometer") as fast:
        fast.start(every=0.01)
        with context.open("accelerometer") as slow:
            # The first row is the refresh of the start, which has what is known by then (L3).
            rows = collect(slow, "acceleration", every=0.05, count=41)[1:]
            steps = {b.boot_ns - a.boot_ns for a, b in pairwise(rows)}
            expect_equal(steps, {50_000_000}, "steps of time")
            expect_truth(rows, ACCELEROMETER, zero)


@proves("3.2, P5: the rate is the hardware's, told as such, and all is put back on stopping")
def put_back() -> None:
    restart(ACCELEROMETER, sensors.Settings(rate=50))
    folder = sensors.folder("accel")
    assert folder is not None

    def written() -> dict[str, str]:
        names = [*Path(folder, "scan_elements").glob("*_en"), folder / "buffer/enable"]
        names.append(folder / "in_accel_sampling_frequency")
        names.append(folder / "current_timestamp_clock")
        return {name.name: read(name) for name in names}

    before = written()
    with gk.Context() as context, context.open("accelerometer") as source:
        source.start(every=0.004)
        rate = sensors.status("accel")["rate"]
        expect(rate >= 250, f"the hub runs at {rate} Hz")
        expect_near(source.rates.granted, 1 / rate, 1e-9, "granted")
        collect(source, "acceleration", every=0.004, count=50)
        expect_equal(source["acquisition"].value, "stream")
        expect_near(source["sampling_frequency"].number, rate, 0.1, "sampling_frequency")
        source.stop()
        # The buffer's own thread puts back, after the stop has returned.
        eventually(f"what was set before, {before}", lambda: written() == before)
