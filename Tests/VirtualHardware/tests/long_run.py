"""Hours in short: sensors stream while some are unplugged at random (LONG_RUN_SECONDS)."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import time
from pathlib import Path

import gatheredkit as gk

from virtual_devices import sensors
from virtual_devices.system import read

from .proof import eventually, expect, needs_kinds, proves
from .samples import VECTORS, Row, Sensor, numbers, rows_of

SECONDS = float(os.environ.get("LONG_RUN_SECONDS") or 20)
RATE = 100
MOST_GROWTH = 2 << 20


def resident() -> int:
    """Bytes of memory this process holds, but for what is free and can be given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(read("/proc/self/statm").split()[1]) * os.sysconf("SC_PAGESIZE")


def descriptors() -> int:
    """Open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Track:
    """What came of one sensor: a stretch of numbers for each time it was plugged in."""

    def __init__(self, sensor: Sensor) -> None:
        self.sensor = sensor
        self.plugged = 1
        self.last: int | None = None
        self.last_time = 0
        self.samples = 0
        self.stretches = 0

    def take(self, rows: list[Row]) -> None:
        """Checks rows against those before them."""
        for number, row in zip(numbers(rows, self.sensor), rows, strict=True):
            expect(row.boot_ns > self.last_time, f"time goes back in {self.sensor.kind}: {row}")
            if self.last is None or number != self.last + 1:
                self.stretches += 1
                told = f"{self.stretches} stretches, plugged {self.plugged} times"
                expect(
                    self.stretches <= self.plugged,
                    f"{self.sensor.kind}: after sample {self.last} came {number}: {told}",
                )
            self.last, self.last_time = number, row.boot_ns
            self.samples += 1


def drain(reader: gk.Reader, opened: dict[Track, gk.Source]) -> None:
    """Takes what is queued of every sensor."""
    for track, source in opened.items():
        try:
            track.take(rows_of(reader.frame(source, timeout=0), track.sensor.key))
        except gk.TimedOutError:
            continue


def replug(reader: gk.Reader, opened: dict[Track, gk.Source], seconds: float) -> dict[str, int]:
    """Unplugs and plugs in sensors at random for some time; counts how often each."""
    chance, end = random.Random(1), time.monotonic() + seconds
    unplugged = dict.fromkeys((track.sensor.name for track in opened), 0)
    while time.monotonic() < end:
        # The last one is never touched.
        track = chance.choice(list(opened)[:-1])
        name = track.sensor.name
        sensors.unplug([name])
        track.plugged += 1
        unplugged[name] += 1
        time.sleep(chance.uniform(0, 0.5))
        drain(reader, opened)
        sensors.plug([name])
        rest = time.monotonic() + chance.uniform(0.5, 2)
        while time.monotonic() < rest:
            time.sleep(0.1)
            drain(reader, opened)
    return unplugged


@proves("only what is unplugged is lost, and nothing grows", seconds=int(SECONDS * 1.1) + 120)
def long_run() -> None:
    needs_kinds(*(sensor.kind for sensor in VECTORS))
    running = [sensor.name for sensor in VECTORS if sensors.holder(sensor.name)]
    if running:
        sensors.stop(running)
    names = [sensor.name for sensor in VECTORS]
    sensors.start(names, sensors.Settings(rate=RATE, motion="count"))
    with gk.Context() as context, context.reader(1 << 18) as reader:
        opened = {Track(sensor): context.open(sensor.kind) for sensor in VECTORS}
        for source in opened.values():
            reader.add(source)
            reader.start(source, 1 / RATE)
        # So long it takes until each thread of the allocator has its memory.
        replug(reader, opened, 8 + SECONDS / 10)
        before = resident(), descriptors()
        begin = time.monotonic()
        unplugged = replug(reader, opened, SECONDS)
        passed = time.monotonic() - begin
        after = resident(), descriptors()
        for track, source in opened.items():
            expect(source.is_updating, f"{track.sensor.kind} stopped updating")
        untouched = list(opened)[-1]
        expect(untouched.samples >= 0.9 * passed * RATE, f"{untouched.samples} in {passed:.0f} s")
        print(f"        {SECONDS:g} s, unplugged {unplugged}, memory and files {before} {after}")
        # A buffer may be just opening or closing; what leaks stays.
        files = f"open files grew from {before[1]} to {after[1]}"
        eventually(files, lambda: descriptors() <= before[1])
        expect(after[0] - before[0] < MOST_GROWTH, f"memory grew from {before[0]} to {after[0]}")
