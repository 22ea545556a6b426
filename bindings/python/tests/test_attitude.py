"""Attitude beside the published filter, at rates, jitters and drop-outs a chip may have."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

from .imu import capture, records

numpy = pytest.importorskip("numpy", reason="NumPy is optional")
#: For some processors it has no wheel.
compared = pytest.mark.skipif(
    find_spec("vqf") is None, reason="the published filter is to compare with"
)

SECONDS = 60
#: What is left out at either end: a filter that settles is searching.
SETTLING = 5.0
#: How far the error may be above the published filter's own, in degrees.
LIMIT = 0.02


class Motion:
    """Swings about three axes on fixed functions of time, as a body in the hand does."""

    SWAYS = (
        ((0.6, 0.283, 0.0), (0.25, 0.919, 1.0)),
        ((0.5, 0.257, 2.0), (0.2, 0.823, 0.5)),
        ((1.8, 0.067, 0.0), (0.7, 0.241, 1.5)),
    )

    def __init__(self, times: Any, seed: int = 0) -> None:
        self.phases = numpy.random.default_rng(seed).uniform(0, 2 * math.pi, 3)
        self.roll, self.roll_rate = self._sway(0, times)
        self.pitch, self.pitch_rate = self._sway(1, times)
        self.yaw, self.yaw_rate = self._sway(2, times)
        self.times = times

    def _sway(self, axis: int, times: Any) -> tuple[Any, Any]:
        terms = [(a, 2 * math.pi * f, p + self.phases[axis]) for a, f, p in self.SWAYS[axis]]
        return (
            sum(a * numpy.sin(w * times + p) for a, w, p in terms),
            sum(a * w * numpy.cos(w * times + p) for a, w, p in terms),
        )

    @property
    def matrices(self) -> Any:
        """From body to east, north and up."""
        one, zero = numpy.ones_like(self.times), numpy.zeros_like(self.times)

        def about(angle: Any, rows: Any) -> Any:
            c, s = numpy.cos(angle), numpy.sin(angle)
            return numpy.moveaxis(numpy.array(rows(c, s)), 2, 0)

        x = about(self.roll, lambda c, s: [[one, zero, zero], [zero, c, -s], [zero, s, c]])
        y = about(self.pitch, lambda c, s: [[c, zero, s], [zero, one, zero], [-s, zero, c]])
        z = about(self.yaw, lambda c, s: [[c, -s, zero], [s, c, zero], [zero, zero, one]])
        return z @ y @ x

    @property
    def rates(self) -> Any:
        across = self.yaw_rate * numpy.cos(self.pitch)
        return numpy.stack(
            [
                self.roll_rate - self.yaw_rate * numpy.sin(self.pitch),
                self.pitch_rate * numpy.cos(self.roll) + across * numpy.sin(self.roll),
                across * numpy.cos(self.roll) - self.pitch_rate * numpy.sin(self.roll),
            ],
            axis=1,
        )

    def samples(self, seed: int) -> tuple[Any, Any, Any]:
        """Acceleration, rate of turn and field, with bias, noise and the shaking of a hand."""
        random = numpy.random.default_rng(seed)
        count = len(self.times)
        carried = numpy.stack(
            [numpy.sin(2 * math.pi * f * self.times + f) for f in (1.1, 0.7, 1.7)], axis=1
        )
        to_body = numpy.swapaxes(self.matrices, 1, 2)
        up = numpy.array([0, 0, 9.81]) + 0.4 * carried
        return (
            numpy.einsum("nij,nj->ni", to_body, up) + random.normal(0, 0.03, (count, 3)),
            self.rates + numpy.array([0.009, -0.006, 0.004]) + random.normal(0, 0.002, (count, 3)),
            to_body @ numpy.array([0, 20.0, -44.0]) + random.normal(0, 0.4, (count, 3)),
        )


def matrices_of(quaternions: Any) -> Any:
    w, x, y, z = quaternions.T
    return numpy.moveaxis(
        numpy.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        ),
        2,
        0,
    )


def apart(left: Any, right: Any) -> Any:
    """The angles between two series of rotations, in degrees."""
    between = numpy.swapaxes(left, 1, 2) @ right
    # From the sine where the angle is small: the cosine has lost it.
    off = between - numpy.swapaxes(between, 1, 2)
    sine = numpy.sqrt(off[:, 2, 1] ** 2 + off[:, 0, 2] ** 2 + off[:, 1, 0] ** 2) / 2
    cosine = (numpy.trace(between, axis1=1, axis2=2) - 1) / 2
    return numpy.degrees(numpy.arctan2(sine, cosine))


def mean_error(times: Any, left: Any, right: Any) -> float:
    counted = (times >= SETTLING) & (times < SECONDS - 1)
    return float(apart(left, right)[counted].mean())


def published(samples: tuple[Any, Any, Any], interval: float) -> Any:
    """What PyPI's vqf makes of samples at an interval."""
    vqf = pytest.importorskip("vqf")
    acceleration, rate, field = (numpy.ascontiguousarray(part) for part in samples)
    return matrices_of(vqf.VQF(interval).updateBatch(rate, acceleration, field)["quat9D"])


def gathered(root: Path, times: Any, samples: tuple[Any, Any, Any], told: float) -> tuple[Any, Any]:
    """The times of all samples but the first, and what the library makes of them."""
    stamps = numpy.round(times * 1e9).astype("int64")
    buffer = capture(root, told)
    buffer.write_bytes(records(zip((stamps + 10**9).tolist(), *samples, strict=True)))
    uri = f"local:root={root}&clock=manual"
    with gk.Context(uri, loop="manual") as context:
        source = context.open("device_attitude")
        with source.stream(maxlen=1 << 22, every=0.001) as rows:
            context.seek(SECONDS + 2)
            frame = rows.frame(timeout=0)
    # The first record may be left out behind the refresh of the same time.
    rest = slice(1 - len(stamps), None)
    steps = numpy.diff(numpy.array(frame.boot_ns)[rest])
    assert (steps == numpy.diff(stamps[1:])).all()
    assert set(frame["reference"][rest]) == {"magnetic_north"}
    return times[1:], matrices_of(numpy.array(frame["attitude"])[rest])


RATES = (20.0, 25.0, 50.0, 84.0, 100.0, 119.0, 238.0, 500.0)


@compared
@pytest.mark.parametrize("rate", RATES)
def test_at_any_rate_it_is_the_published_filter_at_that_rate(rate: float, tmp_path: Path) -> None:
    times = numpy.arange(1, SECONDS * rate) / rate
    motion = Motion(times)
    samples = motion.samples(seed=1)
    # The chip says something else than it does.
    found, attitudes = gathered(tmp_path, times, samples, told=100)
    reference = published(samples, 1 / rate)[1:]
    truth = motion.matrices[1:]
    assert mean_error(found, attitudes, reference) < LIMIT
    ours, theirs = mean_error(found, attitudes, truth), mean_error(found, reference, truth)
    assert abs(ours - theirs) < LIMIT


@compared
@pytest.mark.parametrize("jitter", [0.1, 0.4])
@pytest.mark.parametrize("rate", [20.0, 84.0, 119.0, 500.0])
def test_jitter_costs_nothing(rate: float, jitter: float, tmp_path: Path) -> None:
    even = numpy.arange(1, SECONDS * rate)
    ours, theirs = [], []
    # One trial says little: jitter errs to either side.
    for seed in range(8 if rate < 100 else 3):
        shift = numpy.random.default_rng(seed).uniform(-jitter, jitter, len(even))
        shaken, steady = Motion((even + shift) / rate, seed), Motion(even / rate, seed)
        root = tmp_path / str(seed)
        found, attitudes = gathered(root, shaken.times, shaken.samples(seed), told=100)
        ours.append(mean_error(found, attitudes, shaken.matrices[1:]))
        reference = published(steady.samples(seed), 1 / rate)
        theirs.append(mean_error(steady.times, reference, steady.matrices))
    assert abs(numpy.mean(ours) - numpy.mean(theirs)) < LIMIT


@compared
@pytest.mark.parametrize("rate", [20.0, 84.0, 119.0, 500.0])
@pytest.mark.parametrize("lost", ["singly", "in a row"])
def test_drop_outs_cost_less_than_the_published_filter(
    rate: float, lost: str, tmp_path: Path
) -> None:
    motion = Motion(numpy.arange(1, SECONDS * rate) / rate)
    samples, truth = motion.samples(seed=4), motion.matrices
    if lost == "singly":
        kept = numpy.random.default_rng(5).random(len(motion.times)) > 0.03
    else:
        kept = motion.times % 9 > 0.3
    kept[[0, 1, -1]] = True
    times, rest = motion.times[kept], tuple(part[kept] for part in samples)
    found, attitudes = gathered(tmp_path, times, rest, told=100)
    ours = mean_error(found, attitudes, truth[kept][1:])
    # It knows no times, and so takes all that was not measured for rest.
    assert ours < mean_error(found, published(rest, 1 / rate)[1:], truth[kept][1:]) + LIMIT
    if lost == "singly" and rate > 50:
        whole = mean_error(motion.times, published(samples, 1 / rate), truth)
        assert ours < whole * 1.05 + LIMIT


NO_UP = "the accelerometer measures nothing: free fall or no data"
NO_NORTH = "the magnetometer measures nothing: no data"
UP, NORTH, NOTHING = (0.0, 0.0, 9.81), (0.0, 20.0, -44.0), (0.0, 0.0, 0.0)


def test_exact_zeros_are_no_attitude_and_no_heading_polled(tmp_path: Path) -> None:
    capture(tmp_path, 100)
    keys = {
        "device_attitude": ("attitude", "roll", "pitch", "yaw", "gravity", "user_acceleration"),
        "compass": ("magnetic_heading", "accuracy"),
    }
    with gk.Context(f"local:root={tmp_path}") as context:
        for kind, names in keys.items():
            source = context.open(kind).update()
            for key in names:
                assert source[key].status is gk.SampleStatus.NO_DATA
                assert source.explain(key).reason == NO_UP
        # What it measures is said as it is.
        assert list(context.read("accelerometer")["acceleration"].value) == [0, 0, 0]


def test_exact_zeros_are_no_attitude_and_no_heading_streamed(tmp_path: Path) -> None:
    rows = [(UP, NORTH), (NOTHING, NORTH), (NOTHING, NOTHING), (UP, NOTHING), (UP, NORTH)]
    device = capture(tmp_path, 100, {"accel": UP, "magn": NORTH})
    device.write_bytes(
        records(
            ((step + 1) * 10_000_000, up, NOTHING, field) for step, (up, field) in enumerate(rows)
        )
    )
    ok, none = gk.SampleStatus.OK, gk.SampleStatus.NO_DATA
    expected = {
        "device_attitude": ("attitude", ["", NO_UP, NO_UP, "", ""]),
        "compass": ("magnetic_heading", ["", NO_UP, NO_UP, NO_NORTH, ""]),
    }
    for kind, (key, reasons) in expected.items():
        with gk.Context(f"local:root={tmp_path}&clock=manual", loop="manual") as context:
            source = context.open(kind)
            with source.stream(every=0.01) as samples:
                told = []
                for step in range(len(rows)):
                    context.seek(step * 0.01 + 0.005)
                    told.append(source.explain(key).reason)
                frame = samples.frame(timeout=0)
            assert told == reasons
            assert list(frame.status(key))[-5:] == [none if why else ok for why in reasons]
            for number, why in zip(list(frame[key])[-5:], reasons, strict=True):
                assert math.isnan(numpy.sum(number)) == bool(why)
