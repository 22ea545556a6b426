"""Machines whose wall clocks are wrong, and are set while they publish: fleet F48 to F50.

The publisher is a process of its own, whose CLOCK_REALTIME is ahead by what a file says.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import gatheredkit as gk

from .mqtt import MOSQUITTO
from .patience import PATIENCE, until

pytestmark = [
    pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

SECOND = 1_000_000_000
AHEAD = (3 * 60 + 10) * 60 * SECOND
BEHIND = 90 * SECOND + SECOND // 5
SOURCE = "accelerometer|mpu6050"

OTHER_CLOCK = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;

__attribute__((constructor)) static void look(void) {
  void *file = mmap(NULL, 8, PROT_READ, MAP_SHARED, open(getenv("CLOCK_AHEAD"), O_RDONLY), 0);
  if (file != MAP_FAILED) ahead = file;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long failure = syscall(SYS_clock_gettime, clock, time);
  if (failure == 0 && clock == CLOCK_REALTIME && ahead) {
    int64_t sum = time->tv_sec * INT64_C(1000000000) + time->tv_nsec + *ahead;
    time->tv_sec = sum / 1000000000;
    time->tv_nsec = sum % 1000000000;
  }
  return (int)failure;
}
"""

PUBLISHER = """
import json, sys
import gatheredkit as gk

rows = []

def note(update):
    for reading in update.readings:
        sample = reading["acceleration"]
        rows.append((sample.sequence, sample.time_ns, sample.boot_ns, list(sample.value)))

options = {"device": "pi", "rows": "always", "batch_interval_ns": 50_000_000}
with (
    gk.Context("sim:phone") as phone,
    gk.Recorder(phone, sys.argv[1], format="mqtt", **options) as sink,
    phone.open(sys.argv[2]) as source,
):
    source.listen(note)
    sink.add(source)
    source.start(every=0.01)
    sys.stdin.readline()
    source.stop()
    sink.flush(timeout=600)
json.dump(rows, sys.stdout)
"""

Row = tuple[int, int, int, list[float]]
"""A row's sequence, its time on both clocks, and its value."""


def rows_of(update: gk.Update) -> Iterator[Row]:
    """What is new in an update."""
    for reading in update.readings:
        each = reading["acceleration"]
        if each.status == gk.SampleStatus.OK and each.is_new:
            assert isinstance(each.value, gk.Vector)
            yield each.sequence, each.time_ns, each.boot_ns, list(each.value)


class Machine:
    """A publisher with a wall clock of its own."""

    def __init__(self, broker: str, folder: Path) -> None:
        self.offset = folder / "ahead"
        self.set_clock(AHEAD)
        library = folder / "clock.so"
        words = ["gcc", "-O2", "-shared", "-fPIC", "-xc", "-", "-o", str(library)]
        subprocess.run(words, input=OTHER_CLOCK, text=True, check=True)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PUBLISHER, broker, SOURCE],
            env={
                **os.environ,
                "LD_PRELOAD": str(library),
                "CLOCK_AHEAD": str(self.offset),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def set_clock(self, ahead: int) -> None:
        """Sets how many nanoseconds its wall clock is ahead of ours."""
        with self.offset.open("r+b" if self.offset.exists() else "wb") as file:
            file.write(struct.pack("=q", ahead))

    def end(self) -> list[Row]:
        """Ends it; what it has gathered."""
        told, _ = self.process.communicate("end\n", timeout=PATIENCE)
        assert self.process.returncode == 0
        return [(row[0], row[1], row[2], row[3]) for row in json.loads(told)]


@contextmanager
def machine(broker: str, folder: Path) -> Iterator[Machine]:
    made = Machine(broker, folder)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()


def check(heard: list[Row], own: list[Row]) -> None:
    # A listener that is slow gets the newest rows only.
    known = {row[0]: row for row in own}
    assert len([row for row in heard if row[0] in known]) > len(heard) / 2
    assert [row[0] for row in heard] == list(range(heard[0][0], own[-1][0] + 1)), "a row is lost"
    boots = [row[2] for row in heard]
    assert boots == sorted(boots), "a time has gone back"
    for row in heard:
        _, realtime, boot, value = known.get(row[0], row)
        assert (row[1], row[3]) == (realtime, value)
        # Both machines are one here: what is added is the way of a message.
        assert 0 <= row[2] - boot < 10 * SECOND


def test_a_clock_that_is_wrong_and_is_set_moves_no_row(broker: str, tmp_path: Path) -> None:
    heard: list[Row] = []

    def detail() -> str:
        return next((each.detail for each in fleet.sources() if each.id == f"{SOURCE}@pi"), "")

    with machine(broker, tmp_path) as other, gk.Context(broker) as fleet:
        assert until(lambda: [each.id for each in fleet.sources()] == [f"{SOURCE}@pi"])
        path = tmp_path / "fleet.gkr"
        with fleet.open(f"{SOURCE}@pi") as source, gk.Recorder(fleet, path) as recorder:
            recorder.add(source)
            source.listen(lambda update: heard.extend(rows_of(update)))
            source.start(every=0.001)
            assert until(lambda: len(heard) > 200 and detail() == "the clock of pi is 3 h ahead")
            # It is set right, and beyond that.
            other.set_clock(0)
            assert until(lambda: detail() == "")
            other.set_clock(-BEHIND)
            # The way of a message makes it more.
            behind = re.compile(r"the clock of pi is 9\d s behind")
            assert until(lambda: behind.fullmatch(detail()) is not None)
            own = other.end()
            assert until(lambda: heard[-1][0] >= own[-1][0])
            recorder.flush(timeout=PATIENCE)
    # The state that is there at the start may be some rows before the first of these.
    check(heard[1:], own)
    offsets = [row[1] - row[2] for row in own]
    step = max(offsets) - min(offsets)
    assert abs(step - (AHEAD + BEHIND)) < SECOND, "the clock was not set"
    assert recorded(path) == [(row[1], row[3]) for row in heard]


def recorded(path: Path) -> list[tuple[int, list[float]]]:
    """The rows of a recording: when each was so on the wall clock of its machine, and its value."""
    rows: list[Row] = []
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        replay.set_rate(0)
        with replay.open(SOURCE) as source:
            source.listen(lambda update: rows.extend(rows_of(update)))
            source.start()
            replay.seek(replay.duration or 0)
    return [(row[1], row[3]) for row in rows]
