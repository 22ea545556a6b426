"""Readers, frames and iterators: the fast path."""

from __future__ import annotations

import asyncio
import gc
import sys

import pytest

import gatheredkit as gk

from .conftest import Open
from .patience import PATIENCE


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)


def test_a_stream_starts_an_idle_source_and_stops_it_again(
    context: gk.Context, no_leaks: None
) -> None:
    battery = context.open("battery|BAT0")
    with battery.stream(maxlen=64, every=1) as samples:
        assert battery.is_updating
        context.seek(1)
        read = samples.read(limit=3)
        assert [sample.key for sample in read] == list(battery)[:3]
        assert samples.stats.delivered == 3
    assert not battery.is_updating
    battery.start(1)
    with battery.stream():
        pass
    assert battery.is_updating
    battery.close()


def test_a_full_reader_drops_the_oldest_and_counts_it(context: gk.Context) -> None:
    battery = context.open("battery|BAT0")
    width = len(battery)
    with battery.stream(maxlen=2 * width, every=1) as samples:
        context.seek(4)
        assert samples.dropped == 4 * width  # the event at 2 s besides the ticks
        read = samples.read()
        assert len(read) == 2 * width
        assert read[-width].boot_ns == 4_000_000_000
        assert samples.read() == []


def test_frames_are_views_with_a_shape(pressure: gk.Context, without_numpy: None) -> None:
    with pressure.open("memory").stream(every=0.5) as samples:
        pressure.seek(2)
        frame = samples.frame(timeout=0)
        assert frame.rows == len(frame) == 5
        column = frame["pressure_some_avg10"]
        assert isinstance(column, memoryview)
        assert (column.shape, column.readonly, column.format) == ((5,), True, "d")
        assert column.tolist() == [1.5] * 5
        assert list(frame.boot_ns) == [n * 500_000_000 for n in range(5)]
        assert next(iter(frame.time_ns)) == 1_700_000_000_000_000_000
        assert set(frame.status("pressure_some_avg10")) == {gk.SampleStatus.OK}
        with pytest.raises(KeyError):
            frame["no_such_key"]
        with pytest.raises(gk.TimedOutError):
            samples.frame(timeout=0)
        del frame, samples
        gc.collect()
        assert column[4] == 1.5


def test_with_numpy_frames_are_arrays_without_a_copy(pressure: gk.Context) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is optional")
    with pressure.open("memory").stream(every=0.5) as samples:
        pressure.seek(2)
        frame = samples.frame(timeout=0)
        column = frame["pressure_some_avg10"]
        assert column.shape == (5,)
        assert not column.flags.writeable
        assert not column.flags.owndata
        assert column.dtype == numpy.float64
        assert numpy.array_equal(column, [1.5] * 5)
        del frame
        gc.collect()
        assert column.sum() == 7.5


def test_texts_of_a_frame_are_lists(context: gk.Context) -> None:
    with context.open("battery|BAT0").stream(every=1) as samples:
        context.seek(1)
        frame = samples.frame(timeout=0)
        assert frame["state"] == ["discharging"] * 2
        assert frame["temperature"][0] != frame["temperature"][0]
        assert set(frame.status("temperature")) == {gk.SampleStatus.PERMISSION}


def test_one_reader_serves_many_sources(context: gk.Context, no_leaks: None) -> None:
    with context.open("memory") as memory, context.open("battery|BAT0") as battery:
        with context.reader() as reader:
            for source in (memory, battery):
                reader.add(source)
                source.start(1)
            with pytest.raises(gk.ExistsError):
                reader.add(memory)
            context.seek(1)
            assert reader.frame(memory, timeout=0)["total"][0] == 1_000_000
            assert reader.frame(timeout=0).source is battery
        memory.stop()
        battery.stop()


def test_updates_iterate_one_reading_at_a_time(context: gk.Context) -> None:
    with context.open("battery|BAT0").updates(every=1) as updates:
        context.seek(3)
        levels = [update["level"].value for _, update in zip(range(5), updates, strict=False)]
        assert levels == [0.5, 0.5, 0.4, 0.4, 0.4]
        context.close()
        assert next(updates, None) is None


def test_frames_end_with_their_context(context: gk.Context) -> None:
    with context.open("memory").stream(every=1) as samples:
        context.seek(1)
        frames = samples.frames()
        assert next(frames).rows == 2
        context.close()
        assert list(frames) == []


def test_updates_iterate_on_asyncio(open_script: Open) -> None:
    context = open_script()

    async def collect() -> list[float]:
        levels: list[float] = []
        async with context:
            with context.open("battery|BAT0").updates(every=1) as updates:
                asyncio.get_running_loop().call_soon(context.seek, 2)
                async for update in updates:
                    levels.append(update["level"].value)
                    if len(levels) == 3:
                        break
        return levels

    assert asyncio.run(asyncio.wait_for(collect(), PATIENCE)) == [0.5, 0.5, 0.4]


def test_events_iterate_and_are_bounded(context: gk.Context) -> None:
    with context.open("memory") as memory, memory.events(maxlen=2) as events:
        for _ in range(3):
            memory.start(1)
            memory.stop()
        assert events.dropped == 4
        assert next(events).type is gk.EventType.STARTED
        events.close()
        assert [event.type.name for event in events] == ["STOPPED"]
