"""Hours in short: sensors stream while some are unplugged at random (LONG_RUN_SECONDS)."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import time
from pathlib import Path
from xml.etree import ElementTree

import gatheredkit as gk

from virtual_devices import sensors
from virtual_devices.system import read

from .proof import LONGEST_TEST, eventually, expect, needs_kinds, proves
from .samples import VECTORS, Row, Sensor, numbers, rows_of

SECONDS = float(os.environ.get("LONG_RUN_SECONDS") or 20)
RATE = 100
# What waits to be fetched, and what each thread of the allocator keeps for itself.
MOST_GROWTH = 1 << 20
# Memory that is free but lies between what is not.
MOST_SCATTERED = 8 << 20


def resident() -> int:
    """Bytes of memory this process holds."""
    return int(read("/proc/self/statm").split()[1]) * os.sysconf("SC_PAGESIZE")


def allocated() -> int:
    """Bytes that are allocated and not freed, by malloc_info(3)."""
    gc.collect()
    libc, path = ctypes.CDLL(None), b"/dev/shm/malloc_info"
    libc.fopen.restype = ctypes.c_void_p
    file = ctypes.c_void_p(libc.fopen(path, b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
    whole = ElementTree.parse(path.decode()).getroot()
    sizes = {each.get("type"): int(each.get("size", 0)) for each in whole.findall("total")}
    system = next(each for each in whole.findall("system") if each.get("type") == "current")
    return int(system.get("size", 0)) - sizes["fast"] - sizes["rest"] + sizes["mmap"]


def descriptors() -> int:
    """Open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Track:
    """What came of one sensor: a stretch of numbers for each time it was plugged in."""

    def __init__(self, sensor: Sensor, source: gk.Source) -> None:
        self.sensor = sensor
        self.source = source
        self.plugged = 1
        self.last: int | None = None
        self.last_time = 0
        self.samples = 0
        self.stretches = 0

    def take(self, rows: list[Row]) -> None:
        """Checks rows against those before them."""
        for number, row in zip(numbers(rows, self.sensor), rows, strict=True):
            expect(
                row.boot_ns > self.last_time,
                f"time goes back in {self.sensor.kind}: {row}",
            )
            if self.last is None or number != self.last + 1:
                self.stretches += 1
                expect(
                    self.stretches <= self.plugged,
                    f"{self.sensor.kind}: after sample {self.last} came {number}, which begins "
                    f"stretch {self.stretches} of {self.plugged}, {self.source.rates}",
                )
            self.last, self.last_time = number, row.boot_ns
            self.samples += 1


def drain(reader: gk.Reader, tracks: list[Track]) -> None:
    """Takes what is queued of every sensor."""
    for track in tracks:
        try:
            track.take(rows_of(reader.frame(track.source, timeout=0), track.sensor.key))
        except gk.TimedOutError:
            continue


def replug(reader: gk.Reader, tracks: list[Track], seconds: float) -> dict[str, int]:
    """Unplugs and plugs in sensors at random for some time; counts how often each."""
    chance, end = random.Random(1), time.monotonic() + seconds
    unplugged = dict.fromkeys((track.sensor.name for track in tracks), 0)
    while time.monotonic() < end:
        # The last one is never touched.
        track = chance.choice(tracks[:-1])
        name = track.sensor.name
        sensors.unplug([name])
        track.plugged += 1
        unplugged[name] += 1
        time.sleep(chance.uniform(0, 0.5))
        drain(reader, tracks)
        sensors.plug([name])
        rest = time.monotonic() + chance.uniform(0.5, 2)
        while time.monotonic() < rest:
            time.sleep(0.1)
            drain(reader, tracks)
    return unplugged


@proves(
    "only what is unplugged is lost, and nothing grows",
    seconds=int(SECONDS * 1.1) + LONGEST_TEST,
)
def long_run() -> None:
    needs_kinds(*(sensor.kind for sensor in VECTORS))
    running = [sensor.name for sensor in VECTORS if sensors.holder(sensor.name)]
    if running:
        sensors.stop(running)
    names = [sensor.name for sensor in VECTORS]
    sensors.start(names, sensors.Settings(rate=RATE, motion="count"))
    with gk.Context() as context, context.reader(1 << 18) as reader:
        tracks = [Track(sensor, context.open(sensor.kind)) for sensor in VECTORS]
        for track in tracks:
            reader.add(track.source)
            reader.start(track.source, 1 / RATE)
        # So long it takes until each thread of the allocator has its memory.
        replug(reader, tracks, 8 + SECONDS / 10)
        before = allocated(), resident(), descriptors()
        begin = time.monotonic()
        unplugged = replug(reader, tracks, SECONDS)
        passed = time.monotonic() - begin
        after = allocated(), resident(), descriptors()
        print(f"        {SECONDS:g} s, unplugged {unplugged}, allocated, resident and open files")
        print(f"        {before} {after}")
        for track in tracks:
            expect(track.source.is_updating, f"{track.sensor.kind} stopped updating")
        untouched = tracks[-1]
        expect(
            untouched.samples >= 0.9 * passed * RATE,
            f"{untouched.samples} in {passed:.0f} s",
        )
        # A buffer may be just opening or closing; what leaks stays.
        files = f"open files grew from {before[2]} to {after[2]}"
        eventually(files, lambda: descriptors() <= before[2])
        growth = f"memory grew from {before[:2]} to {after[:2]}"
        expect(after[0] - before[0] < MOST_GROWTH, growth)
        expect(after[1] - before[1] < MOST_SCATTERED, growth)
