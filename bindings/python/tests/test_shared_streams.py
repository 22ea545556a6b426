"""Sessions that share the buffer of one captured sensor of 500 Hz."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import gatheredkit as gk

ROWS = 6000
MS = 1_000_000


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[gk.Context]:
    device = tmp_path / "sys" / "bus" / "iio" / "devices" / "iio:device0"
    (device / "scan_elements").mkdir(parents=True)
    files = {"name": "bmi160", "sampling_frequency": "500", "in_anglvel_scale": "0.001"}
    for index, axis in enumerate("xyz"):
        files[f"in_anglvel_{axis}_raw"] = "0"
        files[f"scan_elements/in_anglvel_{axis}_en"] = "1"
        files[f"scan_elements/in_anglvel_{axis}_index"] = str(index)
        files[f"scan_elements/in_anglvel_{axis}_type"] = "le:s16/16>>0"
    for name, text in files.items():
        (device / name).write_text(text + "\n", "ascii")
    (tmp_path / "dev").mkdir()
    records = b"".join(struct.pack("<hhh", row, 0, 0) for row in range(ROWS))
    (tmp_path / "dev" / "iio:device0").write_bytes(records)
    with gk.Context(f"local:root={tmp_path}&clock=manual", loop="manual") as context:
        yield context


def test_a_granted_rate_is_the_session_s_own(chip: gk.Context) -> None:
    with chip.open("gyroscope") as slow, slow.stream(maxlen=1 << 20, every=0.02) as samples:
        granted = [slow.rates.granted_ns]
        chip.seek(1)
        with chip.open("gyroscope") as fast, fast.stream(maxlen=1 << 20, every=0.001) as all_rows:
            granted.append(slow.rates.granted_ns)
            assert fast.rates.granted_ns == 2 * MS
            assert fast.rates.reason == "the nearest rate of the hardware"
            chip.seek(2)
            assert all_rows.frame(timeout=0).rows == 501
        granted.append(slow.rates.granted_ns)
        chip.seek(3)
        assert granted == [20 * MS] * 3
        assert not slow.rates.reason
        rows = samples.frame(timeout=0)
        assert {b - a for a, b in pairwise(rows.boot_ns)} == {20 * MS}
        assert rows.rows == 151
        assert samples.dropped == 0


def test_a_reader_that_blocks_keeps_the_first_and_the_last_rows(chip: gk.Context) -> None:
    gyroscope = chip.open("gyroscope")
    width = len(gyroscope)
    with (
        chip.reader(100 * width, overflow=gk.Overflow.BLOCK) as held,
        chip.reader(1 << 20) as free,
    ):
        held.add(gyroscope)
        free.add(gyroscope)
        gyroscope.start(every=0.002)
        chip.seek(11)
        assert free.frame(timeout=0).rows == 5501
        assert free.dropped == gyroscope.rates.dropped == 0
        assert held.stats.queued == 100 * width
        assert held.dropped == (5501 - 100 - 4096) * width
        times: list[int] = []
        gaps: list[int] = []
        while read := held.read(limit=37 * width):
            rows = [sample for sample in read if sample.key == "rotation_rate"]
            times += [row.boot_ns // MS for row in rows]
            gaps += [row.boot_ns // MS for row in rows if row.gap_before]
            assert held.stats.queued <= 100 * width
        first_of_last = 11_000 - 4095 * 2
        assert times == [*range(0, 200, 2), *range(first_of_last, 11_001, 2)]
        assert gaps == [first_of_last]
        assert held.stats.delivered == 4196 * width
    gyroscope.close()
