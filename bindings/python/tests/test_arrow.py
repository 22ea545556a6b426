"""Recorded rows for other libraries: C API 12, the Arrow PyCapsule interface."""

from __future__ import annotations

import gc
import importlib
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest

import gatheredkit as gk
from gatheredkit import _arrow

from .patience import PATIENCE

SCRIPT = """\
0 add accelerometer|a
0 set accelerometer|a/acceleration 1,2,-3.5
0 add battery|BAT0
0 set battery|BAT0/level 0.5
0 set battery|BAT0/state "discharging"
0 set battery|BAT0/cycle_count 9007199254740993
0 add switches|s
0 set switches|s/lid_closed true
0 add gps|g
0 set gps|g/time @1700000000123456789
2.5 absent battery|BAT0/level permission file mode
2.5 absent battery|BAT0/cycle_count noData
3.5 absent switches|s/lid_closed noData
"""

Heard = dict[str, list[tuple[int, int, dict[str, gk.Sample]]]]


@pytest.fixture
def heard() -> Heard:
    return {}


@pytest.fixture
def path(tmp_path: Path, heard: Heard) -> Path:
    """A recording of five seconds; `heard` has what the listeners of its sources got."""
    script, path = tmp_path / "device.sim", tmp_path / "walk.gkr"
    script.write_text(SCRIPT, "utf-8")
    uri = f"sim:file={script}&clock=manual"
    with (
        gk.Context(uri, loop="manual", allow="all") as context,
        gk.Recorder(context, path) as recorder,
    ):
        signal: gk.Signal[Any] = gk.Signal(context=context)
        recorder.add(signal, "ticks")
        # A listener lives as long as its source.
        sources = [context.open(info.id) for info in context.sources()]
        for source in sources:
            rows = heard.setdefault(source.id, [])

            def note(update: gk.Update, rows: Any = rows) -> None:
                samples = {key: update[key] for key in update}
                newest = max(samples.values(), key=lambda sample: sample.boot_ns)
                rows.append((newest.time_ns, newest.boot_ns, samples))

            source.listen(note)
            recorder.add(source)
            source.start(every=1)
        context.seek(5)
        for number in (1, 2.5, 3):
            signal.send(number)
        recorder.flush(timeout=PATIENCE)
    return path


@pytest.fixture
def replay(path: Path) -> Iterator[gk.Context]:
    with gk.Context(f"replay:{path}", loop="manual") as context:
        yield context


def plain(value: object) -> object:
    """A value as Arrow's Python form has it."""
    return list(value) if isinstance(value, tuple) else value


def test_every_value_is_in_the_table_of_its_source(replay: gk.Context, heard: Heard) -> None:
    for name, rows in heard.items():
        table = pyarrow.table(replay[name])
        table.validate(full=True)
        assert table.num_rows == len(rows) > 5
        assert table.column("time").cast(pyarrow.int64()).to_pylist() == [row[0] for row in rows]
        assert table.column("boot").to_pylist() == [row[1] for row in rows]
        for field in list(table.schema)[2:]:
            key = field.metadata[b"key"].decode()
            column = table.column(field.name)
            if pyarrow.types.is_timestamp(field.type):
                column = column.cast(pyarrow.int64())
            samples = [row[2][key] for row in rows]
            expected = [plain(each.value) for each in samples]
            assert column.to_pylist() == expected, (name, key)
            assert all(each.value is None for each in samples if each.status > 2)


def test_types_and_metadata_are_those_of_the_properties(replay: gk.Context) -> None:
    motion = pyarrow.schema(replay["accelerometer"])
    assert motion.metadata == {
        b"source": b"accelerometer|a",
        b"kind": b"accelerometer",
        b"label": motion.metadata[b"label"],
    }
    field = motion.field("acceleration")
    assert field.type == pyarrow.list_(pyarrow.field("item", "double", nullable=False), 3)
    assert field.metadata[b"unit"] == b"m/s2"
    assert field.metadata[b"components"] == b"x,y,z"
    assert motion.field("time").type == pyarrow.timestamp("ns", "UTC")
    assert motion.field("boot").type == pyarrow.int64()
    assert not motion.field("time").nullable
    assert field.nullable
    battery = pyarrow.schema(replay["battery|BAT0"])
    assert battery.field("level").metadata[b"range"] == b"0.0,1.0"
    assert b"discharging" in battery.field("state").metadata[b"words"].split(b",")
    assert battery.field("cycle_count").type == pyarrow.int64()
    assert pyarrow.schema(replay["switches"]).field("lid_closed").type == pyarrow.bool_()
    place = pyarrow.schema(replay["gps"])
    assert place.field("value.time").type == pyarrow.timestamp("ns", "UTC")


def test_a_stream_is_one_column(replay: gk.Context) -> None:
    table = pyarrow.table(replay.recorded("ticks"))
    assert table.column_names == ["time", "boot", "value"]
    assert table.column("value").to_pylist() == [1.0, 2.5, 3.0]
    with pytest.raises(gk.NotFoundError, match="ticks"):
        replay.recorded("tics").__arrow_c_stream__()


def test_pandas_has_a_column_a_component(replay: gk.Context) -> None:
    frame = replay["accelerometer"].to_pandas()
    assert isinstance(frame.index, pandas.DatetimeIndex)
    assert str(frame.index.tz) == "UTC"
    assert frame["acceleration.z"].tolist() == [-3.5] * len(frame)
    assert frame.attrs["units"]["acceleration.x"] == "m/s2"
    battery = replay["battery|BAT0"].to_pandas()
    # Neither number nor truth is bent by its neighbours that are missing.
    assert battery["cycle_count"].iloc[0] == 9007199254740993
    assert battery["cycle_count"].iloc[-1] is pandas.NA
    assert math.isnan(battery["level"].iloc[-1])
    lids = replay["switches"].to_pandas()["lid_closed"]
    assert lids.iloc[0]
    assert lids.iloc[-1] is pandas.NA
    place = replay["gps"].to_pandas()
    assert place["value.time"].iloc[0].value == 1700000000123456789


def test_only_replays_have_recorded_rows(pressure: gk.Context) -> None:
    with pytest.raises(gk.NotSupportedError, match="no replay"):
        pyarrow.table(pressure["memory"])
    with pytest.raises(gk.NotSupportedError):
        pressure["memory"].to_pandas()
    with pytest.raises(TypeError, match="str"):
        pressure[0]  # type: ignore[index]


def test_capsules_are_released_whether_used_or_not(replay: gk.Context) -> None:
    gc.collect()
    before = len(_arrow._pointed)
    source = replay["battery|BAT0"]
    capsules = [source.__arrow_c_stream__() for _ in range(10)]
    assert len(_arrow._pointed) == before + 10
    reader = pyarrow.RecordBatchReader.from_stream(source)
    replay.close()
    # What was exported before goes on.
    rows = sum(batch.num_rows for batch in reader)
    assert rows > 5
    capsules.clear()
    reader.close()
    del reader
    gc.collect()
    assert len(_arrow._pointed) == before
    with pytest.raises(gk.ClosedError):
        source.__arrow_c_stream__()


def test_streams_of_one_recording_are_read_in_parallel(replay: gk.Context, heard: Heard) -> None:
    counts: list[int] = []

    def read() -> None:
        counts.append(sum(pyarrow.table(replay[name]).num_rows for name in heard))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [sum(map(len, heard.values()))] * 8


def test_a_missing_package_is_named(replay: gk.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])

    source = replay["accelerometer"]
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(gk.PackageNotFoundError, match="pandas") as caught:
        source.to_pandas()
    assert caught.value.remedy == "pip install 'gatheredkit[pandas]'"
    with pytest.raises(ImportError, match="pyarrow"):
        source.recorded.batches()
