"""Recorders and replays: C API 12, sources V14."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import gatheredkit as gk

from .conftest import Open
from .patience import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "walk.gkr"


def recorded(path: Path, seconds: int = 10, **options: object) -> list[float]:
    """Records a simulated accelerometer ten times a second; what its session heard."""
    heard: list[float] = []
    with (
        gk.Context("sim:phone&clock=manual", loop="manual") as phone,
        gk.Recorder(phone, path, **options) as recorder,  # type: ignore[arg-type]
        phone.open("accelerometer") as source,
    ):
        source.listen(lambda update: heard.append(update["acceleration"].value.x))
        recorder.add(source)
        source.start(every=0.1)
        phone.seek(seconds)
        recorder.flush(timeout=PATIENCE)
    return heard


def test_a_replay_has_the_same_source_and_values(path: Path) -> None:
    values = recorded(path)
    with gk.Context(f"replay:{path}", loop="manual") as replay:
        replay.set_rate(0)
        assert replay.duration == 10
        [info] = replay.sources()
        heard: list[gk.Sample] = []
        with replay.open(info.id) as source:
            source.listen(lambda update: heard.append(update["acceleration"]))
            source.start()
            replay.seek(replay.duration)
            assert [sample.value.x for sample in heard] == values
            assert all(gk.SampleFlag.REPLAYED in sample.flags for sample in heard)
            replay.seek(2)
            replay.sleep(0.05)
            assert heard[-1].value.x == values[20]
            assert replay.position == 2


def test_as_fast_as_it_can_nothing_is_dropped(path: Path) -> None:
    values = recorded(path, seconds=60)
    with gk.Context(f"replay:{path}") as replay:
        replay.set_rate(math.inf)
        with replay.open("accelerometer").stream(maxlen=1 << 16) as samples:
            while replay.position < 60:
                replay.sleep(0.01)
            frame = samples.frame(timeout=PATIENCE)
            assert [row[0] for row in frame["acceleration"].tolist()] == values
            assert samples.dropped == 0


def test_a_file_that_is_there_is_not_touched_unasked(path: Path) -> None:
    recorded(path, seconds=1)
    before = path.read_bytes()
    with pytest.raises(gk.ExistsError):
        recorded(path)
    assert path.read_bytes() == before
    recorded(path, seconds=1, existing="append")
    assert path.read_bytes().startswith(before)
    recorded(path, seconds=2, existing="overwrite")
    with gk.Context(f"replay:{path}") as replay:
        assert replay.duration == 2


def test_streams_are_recorded_under_a_name(path: Path) -> None:
    with (
        gk.Context("sim:empty") as context,
        gk.Recorder(context, path) as recorder,
    ):
        signal: gk.Signal[int] = gk.Signal(context=context)
        with pytest.raises(gk.InvalidArgumentError, match="name"):
            recorder.add(signal)
        recorder.add(signal, "ticks")
        signal.send(7)
        recorder.flush()
        assert b"ticks" in path.read_bytes()


def test_record_takes_what_is_available_for_a_while(path: Path) -> None:
    with (
        gk.Context("sim:laptop") as laptop,
        gk.record(path, duration=0.2, context=laptop) as recording,
    ):
        assert "all sources" in repr(recording)
    with gk.Context(f"replay:{path}") as replay:
        kinds = {source.kind for source in replay.sources()}
        assert {"memory", "battery", "storage"} <= kinds


def test_what_comes_later_is_recorded_too(path: Path, open_script: Open) -> None:
    context = open_script()
    with context, gk.Recorder(context, path) as recorder, context.open("memory") as memory:
        recorder.add(memory)
        recorder.add_all(every=0.5)
        context.seek(4)
        assert not memory.is_updating
    with gk.Context(f"replay:{path}") as replay:
        found = [source.id for source in replay.sources()]
        assert {"battery|BAT0", "battery|BAT1"} <= set(found)
        assert len(set(found)) == len(found)
    with pytest.raises(gk.ClosedError):
        recorder.add_all()


def test_what_cannot_be_is_said(path: Path) -> None:
    with gk.Context("sim:phone") as phone:
        with pytest.raises(gk.NotFoundError):
            gk.record(path, ["nothing"], context=phone)
        with pytest.raises(gk.InvalidArgumentError, match="speed"):
            gk.Recorder(phone, path, existing="overwrite", speed=1)
        with pytest.raises(gk.InputOutputError):
            gk.Recorder(phone, "/proc/none/walk.gkr")
        with pytest.raises(gk.NotSupportedError):
            phone.set_rate(1)
    path.write_text("no recording")
    with pytest.raises(gk.ParseError):
        gk.Context(f"replay:{path}")
    recorded(path, seconds=1, existing="overwrite")
    with gk.Context(f"replay:{path}") as replay, pytest.raises(gk.InvalidArgumentError):
        replay.set_rate(-1)


def test_a_closed_recorder_says_so(path: Path) -> None:
    with gk.Context("sim:phone") as phone:
        recorder = gk.Recorder(phone, path)
        recorder.close()
        recorder.close()
        with pytest.raises(gk.ClosedError):
            recorder.flush()
        with phone.open("memory") as memory, pytest.raises(gk.ClosedError):
            recorder.add(memory)
    assert gk.live_count("sink") == 0
