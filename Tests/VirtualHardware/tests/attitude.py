"""Attitude and heading, from a quaternion of the hardware and from fusion."""

from __future__ import annotations

import math
from itertools import pairwise

import gatheredkit as gk

from virtual_devices import sensors

from .proof import eventually, expect, expect_equal, expect_near, needs_kinds, proves
from .samples import Row, collect


def restart(kinds: tuple[str, ...], settings: sensors.Settings, *, hub: bool) -> int:
    """Plugs sensors in, after all others are out; returns the truth's zero."""
    sensors.stop_all()
    sensors.start(kinds, settings, hub=hub)
    zero: int = sensors.status(kinds[0])["t0_ns"]
    return zero


def truths(kind: str, rows: list[Row], zero: int) -> list[list[float]]:
    """The truth of a sensor at the time of each row."""
    return sensors.truth(kind, ((row.boot_ns - zero) / 1e9 for row in rows))


@proves("4.11: the hardware's quaternion, streamed, is true at each sample's own time")
def hardware() -> None:
    needs_kinds("device_attitude")
    settings = sensors.Settings(motion="swing", freq=0.5, clock="boottime")
    zero = restart(("rotation",), settings, hub=False)
    with gk.Context() as context, context.open("device_attitude") as source:
        rows = collect(source, "attitude", every=0.01, count=150)
        for row, (x, y, z, w) in zip(rows, truths("rotation", rows, zero), strict=True):
            expect_near(math.hypot(*row.value), 1, 1e-9, f"length of {row}")
            # A turn and its negative are the same attitude.
            off = min(math.dist(row.value, [s * n for n in (w, x, y, z)]) for s in (1, -1))
            expect(off < 3e-6, f"{row}, true is {(w, x, y, z)}")
        for one, next_one in pairwise(rows):
            product = sum(a * b for a, b in zip(one.value, next_one.value, strict=True))
            expect(product >= 0, f"the sign jumps after {one}")


@proves("4.11: roll is the angle of the swing, pitch and yaw stay")
def angles() -> None:
    needs_kinds("device_attitude")
    settings = sensors.Settings(motion="swing", freq=0.5, clock="boottime")
    zero = restart(("rotation",), settings, hub=False)
    with gk.Context() as context, context.open("device_attitude") as source:
        rows = collect(source, "roll", every=0.01, count=100)
        for row, (x, _, _, w) in zip(rows, truths("rotation", rows, zero), strict=True):
            expect_near(row.value[0], 2 * math.atan2(x, w), 1e-5, f"roll of {row}")
        for key in ("pitch", "yaw"):
            expect_near(source[key].number, 0, 1e-5, key)


@proves("4.11: fused from three sensors of one hub, roll follows the swing")
def fused() -> None:
    needs_kinds("device_attitude")
    settings = sensors.Settings(motion="swing", freq=0.25, clock="boottime")
    zero = restart(("accel", "gyro", "magn"), settings, hub=True)
    with gk.Context() as context, context.open("device_attitude") as source:
        rows = collect(source, "roll", every=0.01, count=800)[400:]
        # Gravity turns as the device does, the other way.
        tilts = [math.atan2(y, z) for _, y, z in truths("accel", rows, zero)]
        worst = max(abs(row.value[0] - tilt) for row, tilt in zip(rows, tilts, strict=True))
        expect(worst < math.radians(3), f"{math.degrees(worst):.2f} degrees off")
        expect_near(math.hypot(*(source["gravity"].vector or ())), 9.80665, 0.2, "gravity")
        expect_equal(source["reference"].value, "magnetic_north")


@proves("4.7: the heading follows a device that spins")
def heading() -> None:
    needs_kinds("compass")
    settings = sensors.Settings(motion="spin", freq=0.05, clock="boottime")
    zero = restart(("accel", "gyro", "magn"), settings, hub=True)
    with gk.Context() as context, context.open("compass") as source:
        rows = collect(source, "magnetic_heading", every=0.1, count=120)[60:]
        for row in rows:
            seconds = (row.boot_ns - zero) / 1e9
            # North is +X at rest, so +Y looks west; turning left takes the heading down.
            true = (270 - 360 * 0.05 * seconds) % 360
            off = (row.value[0] - true + 180) % 360 - 180
            expect(abs(off) < 5, f"{off:.1f} degrees off: {row}, true is {true:.1f}")


@proves("4.7: a declination given turns the magnetic heading into the true one")
def declination() -> None:
    needs_kinds("compass")
    restart(("accel", "gyro", "magn"), sensors.Settings(), hub=True)
    with gk.Context() as context, context.open("compass") as source:
        source.start(every=0.1)
        eventually("a heading", lambda: source["magnetic_heading"].value is not None)
        expect_equal(source["true_heading"].status, gk.SampleStatus.NO_DATA)
        source.set("declination", 3.5)
        eventually("a true heading", lambda: source["true_heading"].value is not None)
        samples = source.update().samples()
        true, magnetic = samples["true_heading"].number, samples["magnetic_heading"].number
        off = (true or 0) - (magnetic or 0)
        expect_near(off % 360, 3.5, 0.5, "difference of the headings")
