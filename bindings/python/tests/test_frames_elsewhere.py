"""Frames for other libraries and in notebooks; asyncio (Python API P22 to P27)."""

from __future__ import annotations

import asyncio
import gc
import math
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import pyarrow
import pytest

import gatheredkit as gk
from gatheredkit import _arrow

from .conftest import Open
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
2.5 set battery|BAT0/state "full"
3.5 absent switches|s/lid_closed noData
"""
KINDS = ["accelerometer", "battery|BAT0", "switches|s", "gps"]


def frame_of(context: gk.Context, kind: str, seconds: float = 5) -> gk.Frame:
    with context.open(kind).stream(every=1) as samples:
        context.seek(context.position + seconds)
        return samples.frame(timeout=0)


@pytest.fixture
def device(open_script: Open) -> gk.Context:
    return open_script(SCRIPT, allow="all")


# Arrow.


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_a_record_batch_with_the_columns_of_a_recording(
    device: gk.Context, kind: str, tmp_path: Path
) -> None:
    with gk.Recorder(device, tmp_path / "walk.gkr") as recorder:
        source = device.open(kind)
        recorder.add(source)
        with source.stream(every=1) as samples:
            device.seek(5)
            frame = samples.frame(timeout=0)
        del source
    batch = pyarrow.record_batch(frame)
    with gk.Context(f"replay:{tmp_path}/walk.gkr", loop="manual") as replay:
        recorded = pyarrow.table(replay.recorded(kind))
    assert batch.schema.equals(recorded.schema, check_metadata=True)
    assert pyarrow.Table.from_batches([batch]).equals(recorded.combine_chunks())
    assert batch.num_rows == frame.rows > 5


def test_what_is_missing_is_null_and_what_is_not_a_number_is_not(device: gk.Context) -> None:
    frame = frame_of(device, "battery|BAT0")
    batch = pyarrow.record_batch(frame)
    batch.validate(full=True)
    levels = batch.column("level").to_pylist()
    assert levels.count(None) == [status for status in frame.status("level")].count(3) > 0
    assert [each for each in levels if each is not None] == [
        each for each in frame.numbers("level").tolist() if not math.isnan(each)
    ]
    assert batch.column("cycle_count").to_pylist()[0] == 9007199254740993
    assert batch.column("state").to_pylist() == frame.texts("state")
    assert set(frame.texts("state")) == {"discharging", "full"}
    assert batch.column("time").cast("int64").to_pylist() == frame.time_ns.tolist()
    assert batch.column("boot").to_pylist() == frame.boot_ns.tolist()


def test_a_record_batch_outlives_frame_and_context(open_script: Open, no_leaks: None) -> None:
    context = open_script(SCRIPT)
    frame = frame_of(context, "accelerometer")
    schema, rows = frame.__arrow_c_array__()
    assert "arrow_schema" in repr(schema)
    assert "arrow_array" in repr(rows)
    before = len(_arrow._pointed)
    # Capsules that nothing takes release what they hold.
    del schema, rows
    gc.collect()
    assert len(_arrow._pointed) == before - 2
    batch = pyarrow.record_batch(frame)
    assert pyarrow.schema(frame).equals(batch.schema, check_metadata=True)
    context.close()
    del frame
    gc.collect()
    assert batch.column("acceleration").to_pylist() == [[1, 2, -3.5]] * batch.num_rows


def test_a_python_without_capsules_says_so(
    device: gk.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frame_of(device, "accelerometer")
    monkeypatch.setattr(_arrow.ctypes, "pythonapi", None)
    with pytest.raises(gk.NotSupportedError, match="; use CPython"):
        frame.__arrow_c_array__()


def test_a_frame_is_a_data_frame(device: gk.Context) -> None:
    frame = frame_of(device, "accelerometer")
    table = frame.to_pandas()
    assert list(table["acceleration.z"]) == [-3.5] * frame.rows
    assert table.index.name == "time"
    assert table.attrs["units"]["acceleration.x"] == "m/s2"
    battery = frame_of(device, "battery|BAT0").to_pandas()
    assert isinstance(battery["cycle_count"].dtype, pandas.Int64Dtype)
    assert battery["cycle_count"].isna().any()


def test_without_pandas_the_error_ends_with_what_to_install(
    device: gk.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frame_of(device, "accelerometer")

    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(_arrow.importlib, "import_module", absent)
    with pytest.raises(gk.PackageNotFoundError) as caught:
        frame.to_pandas()
    assert str(caught.value).endswith("; pip install 'gatheredkit[pandas]'")


# Notebooks.


@pytest.mark.parametrize("with_numpy", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_shows_its_first_and_last_rows(
    device: gk.Context, kind: str, with_numpy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_numpy:
        monkeypatch.setitem(sys.modules, "numpy", None)
    frame = frame_of(device, kind, 20)
    shown = ElementTree.fromstring(frame._repr_html_())
    rows = [[cell.text for cell in row.iter("td")] for row in shown.iter("tr")][1:]
    assert len(rows) == 11
    assert rows[5][0] == "\N{HORIZONTAL ELLIPSIS}"
    assert rows[0][0] == gk.format_value(gk.Time(frame.time_ns[0]))
    assert rows[-1][0] == gk.format_value(gk.Time(frame.time_ns[frame.rows - 1]))
    heads = [head.text for head in shown.iter("th")]
    assert heads == ["time", *frame]
    caption = shown.find("caption")
    assert caption is not None
    assert (caption.text or "").startswith(f"{frame.rows} rows of ")
    column = heads.index({"battery|BAT0": "level", "switches|s": "lid_closed"}.get(kind, heads[1]))
    if kind == "accelerometer":
        assert rows[0][column] == "( 1.000,  2.000, -3.500) m/s\N{SUPERSCRIPT TWO}"
    if kind in ("battery|BAT0", "switches|s"):
        assert rows[-1][column] == "\N{EN DASH}"
        assert rows[0][column] in ("50 %", "yes")
    if kind == "gps":
        assert rows[0][heads.index("time", 1)] == "2023-11-14 22:13:20 UTC"


def test_a_short_frame_is_shown_whole(device: gk.Context) -> None:
    html = frame_of(device, "accelerometer", 3)._repr_html_()
    assert html.count("<tr>") == 5


# asyncio.


def test_sources_and_readers_end_with_async_with(context: gk.Context) -> None:
    async def run() -> tuple[gk.Source, gk.Reader]:
        async with context, context.open("battery|BAT0") as battery:
            async with battery.stream(every=1) as samples:
                assert battery.is_updating
            assert samples.closed
            assert not battery.is_updating
            async with battery.updates(every=1) as updates:
                assert (await anext(aiter(updates)))["level"].value == 0.5
            async with battery.events() as events:
                battery.start(every=1)
                assert (await anext(aiter(events))).type is gk.EventType.STARTED
        return battery, samples

    battery, samples = asyncio.run(asyncio.wait_for(run(), PATIENCE))
    assert battery.closed
    assert samples.closed


def test_a_source_ends_where_its_block_fails(context: gk.Context) -> None:
    opened: list[gk.Source] = []

    async def run() -> None:
        async with context.open("battery|BAT0") as battery:
            opened.append(battery)
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        asyncio.run(run())
    assert opened[0].closed


def test_async_for_gives_the_frames_of_a_reader(context: gk.Context) -> None:
    async def run() -> list[int]:
        counts: list[int] = []
        async with context.open("battery|BAT0").stream(every=0.5) as samples:
            async for frame in samples:
                counts.append(frame.rows)
                if len(counts) == 3:
                    samples.close()
                else:
                    # What comes while it waits.
                    position = context.position + len(counts)
                    asyncio.get_running_loop().call_later(0.01, context.seek, position)
        return counts

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == [1, 2, 5]


def test_frames_in_asyncio_come_every_so_often() -> None:
    async def run() -> int:
        rows = 0
        async with (
            gk.Context("sim:laptop") as laptop,
            laptop.open("memory").stream(every=0.02) as samples,
        ):
            async for frame in samples.frames(every=0.1):
                rows += frame.rows
                if rows >= 4:
                    break
        return rows

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) >= 4


def test_frames_end_with_the_context_in_both_kinds_of_loops(open_script: Open) -> None:
    context = open_script()
    samples = context.open("battery|BAT0").stream(every=1)
    frames = iter(samples)
    assert next(frames).rows == 1
    context.close()
    assert list(frames) == []

    async def run() -> list[gk.Frame]:
        async with gk.Context("sim:laptop") as laptop:
            reader = laptop.reader()
            asyncio.get_running_loop().call_later(0.01, laptop.close)
            return [frame async for frame in reader]

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == []
