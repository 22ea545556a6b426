"""Motion at a hundred readings a second: columns, batches, sessions of two intervals, settings."""

from __future__ import annotations

import gc
import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gatheredkit as gk

from . import patience

PERIOD = 10_000_000
BOARD = Path(__file__).resolve().parents[3] / "Tests/Fixtures/machines/motion-board"


@pytest.fixture
def phone() -> Iterator[gk.Context]:
    """The simulated handset, its clock moved by hand."""
    with gk.Context("sim:phone&clock=manual", loop="manual") as context:
        yield context


@pytest.fixture
def board() -> Iterator[gk.Context]:
    """A captured board whose sensor plays fifty records, a hundred a second."""
    with gk.Context(f"local:root={BOARD}&clock=manual", loop="manual") as context:
        yield context


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)


def test_a_second_of_motion_is_one_frame_of_whole_columns(
    phone: gk.Context, without_numpy: None, no_leaks: None
) -> None:
    with phone.open("accelerometer").stream(every=0.01) as samples:
        phone.seek(1)
        frame = samples.frame(timeout=0)
        vectors = frame["acceleration"]
        assert isinstance(vectors, memoryview)
        assert (vectors.shape, vectors.readonly, vectors.format) == ((101, 3), True, "d")
        assert list(frame.boot_ns) == [PERIOD * row for row in range(101)]
        assert frame.time_ns[100] == 1_700_000_001_000_000_000
        assert set(frame.status("acceleration")) == {gk.SampleStatus.OK}
        assert all(5 < math.hypot(*vector) < 15 for vector in vectors.tolist())
        assert samples.dropped == 0


def test_with_numpy_vectors_are_arrays_without_a_copy(phone: gk.Context) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is optional")
    with phone.open("accelerometer").stream(every=0.01) as samples:
        phone.seek(1)
        frame = samples.frame(timeout=0)
        vectors = frame["acceleration"]
        again = frame["acceleration"]
        assert (vectors.shape, vectors.dtype) == ((101, 3), numpy.float64)
        assert vectors.flags.c_contiguous
        assert not vectors.flags.writeable
        assert not vectors.flags.owndata
        assert numpy.shares_memory(vectors, again)
        assert vectors.ctypes.data == again.ctypes.data
        length = numpy.linalg.norm(vectors, axis=1)
        assert ((length > 5) & (length < 15)).all()
        assert (numpy.diff(frame.boot_ns) == PERIOD).all()
        first = vectors[0].tolist()
        del frame, samples, again
        gc.collect()
        assert vectors[0].tolist() == first


def test_a_frame_holds_what_came_since_the_one_before(phone: gk.Context) -> None:
    with phone.open("gyroscope").stream(maxlen=1 << 16, every=0.01) as samples:
        for step in range(1, 12):
            phone.seek(step * 0.09)
        assert samples.frame(timeout=0).rows == 100
        phone.seek(2)
        frame = samples.frame(timeout=0)
        assert (frame.rows, frame.boot_ns[0]) == (101, 100 * PERIOD)
        with pytest.raises(gk.TimedOutError):
            samples.frame(timeout=0)


def test_a_reader_that_is_too_small_counts_what_it_lost(phone: gk.Context) -> None:
    accelerometer = phone.open("accelerometer")
    width = len(accelerometer)
    with accelerometer.stream(maxlen=10 * width, every=0.01) as samples:
        phone.seek(1)
        assert samples.dropped == 91 * width
        assert list(samples.frame(timeout=0).boot_ns) == [PERIOD * n for n in range(91, 101)]


def test_sessions_of_two_intervals_share_one_sensor(phone: gk.Context) -> None:
    fast, slow = phone.open("accelerometer"), phone.open("accelerometer")
    with fast.stream(every=0.01) as all_rows, slow.stream(every=0.05) as some_rows:
        phone.seek(1)
        every, some = all_rows.frame(timeout=0), some_rows.frame(timeout=0)
        assert list(some.boot_ns) == list(every.boot_ns)[::5]
        assert some["acceleration"].tolist() == every["acceleration"].tolist()[::5]
        before = slow["acceleration"].sequence
        phone.seek(1.05)
        assert slow["acceleration"].sequence == before + 5


def test_a_buffer_brings_batches_and_a_slower_session_fewer(board: gk.Context) -> None:
    batches: list[gk.Update] = []
    fast, slow = board.open("accelerometer|iio:device0"), board.open("accelerometer|iio:device0")
    with fast.stream(every=0.01) as all_rows, slow.stream(every=0.05) as some_rows:
        fast.listen(batches.append)
        board.seek(0.45)
        every, some = all_rows.frame(timeout=0), some_rows.frame(timeout=0)
        assert every.rows >= 45
        assert 9 <= some.rows <= 12
        times = list(every.boot_ns)[1:]  # the refresh of the start is as old as the first record
        assert all(early < late for early, late in itertools.pairwise(times))
        rest = iter(every["acceleration"].tolist())
        assert all(vector in rest for vector in some["acceleration"].tolist())
        assert fast["acquisition"].value == "stream"
        readings = [row for batch in batches for row in batch.readings]
        assert [row["acceleration"].boot_ns for row in readings][-len(times) :] == times


def test_readings_before_the_newest_are_read_while_lent_and_copied_where_kept() -> None:
    kept: list[gk.Update] = []
    seen: list[tuple[int, list[int], str]] = []

    def look(update: gk.Update) -> None:
        every = update.readings
        times = [reading["acceleration"].boot_ns for reading in every]
        seen.append((len(every), times, every[0]["acquisition"].value))

    # A host that comes late gets all rows that wait in one update.
    with gk.Context(f"local:root={BOARD}", loop="manual") as context:
        source = context.open("accelerometer|iio:device0")
        source.listen(look)
        source.listen(kept.append)
        with source.stream(every=0.01) as rows:
            assert patience.until(lambda: rows.stats.queued >= 20 * len(source))
            context.dispatch()
    assert max(count for count, _, _ in seen) > 1
    later = [
        (len(every), [reading["acceleration"].boot_ns for reading in every])
        for every in (update.readings for update in kept)
    ]
    assert later == [(count, times) for count, times, _ in seen]
    assert seen[-1][2] == kept[-1].readings[0]["acquisition"].value == "stream"


def test_a_setting_belongs_to_the_session_that_made_it(phone: gk.Context) -> None:
    with phone.open("altimeter") as one, phone.open("altimeter") as other:
        one.start(1)
        other.start(1)
        phone.seek(1)
        assert one["altitude"].status is gk.SampleStatus.NO_DATA
        one.set("sea_level_pressure", 101_325.0)
        assert one["sea_level_pressure"].value == 101_325
        phone.seek(2)
        assert one["altitude"].value == pytest.approx(one["pressure_altitude"].value)
        assert other["altitude"].status is gk.SampleStatus.NO_DATA
        assert other["sea_level_pressure"].status is gk.SampleStatus.NO_DATA


def test_gravity_is_turned_over_openly(phone: gk.Context) -> None:
    with phone.open("accelerometer") as one, phone.open("accelerometer") as other:
        one.set("inverted", True)
        one.start(0.01)
        other.start(0.01)
        phone.seek(0.1)
        assert (one["inverted"].value, other["inverted"].value) == (True, False)
        assert list(one["acceleration"].value) == [-x for x in other["acceleration"].value]
    with phone.open("device_attitude") as attitude:
        attitude.set("inverted", True)
        assert attitude.update()["inverted"].value is True


def test_settings_that_cannot_be_are_refused_and_change_nothing(phone: gk.Context) -> None:
    with phone.open("compass") as compass:
        compass.set("declination", 3.5)
        with pytest.raises(gk.TypeMismatchError):
            compass.set("declination", "east")
        for wrong in (180.5, -1e9, math.nan, math.inf):
            with pytest.raises(gk.InvalidArgumentError):
                compass.set("declination", wrong)
        with pytest.raises(gk.NotSupportedError):
            compass.set("true_heading", 90.0)
        with pytest.raises(gk.UnknownKeyError):
            compass.set("no_such_key", 1.0)
        compass.start(0.1)
        phone.seek(0.5)
        turned = (compass["magnetic_heading"].value + 3.5) % 360
        assert compass["declination"].value == 3.5
        assert compass["true_heading"].value == pytest.approx(turned)
