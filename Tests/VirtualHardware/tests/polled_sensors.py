"""Motion sensors polled by attribute: values, units, rates granted, and the common tail."""

from __future__ import annotations

import errno
import math
from functools import partial
from pathlib import Path

import gatheredkit as gk

from virtual_devices import sensors

from .proof import arrives, eventually, expect, expect_equal, expect_near, needs_kinds, proves
from .samples import ACCELEROMETER, HALF_STEP, VECTORS, Sensor

STILL = {"accel": (0.25, -1.5, 9.75), "gyro": (0.1, -0.2, 0.3), "magn": (0.22, -0.01, -0.42)}


def start(sensor: Sensor) -> gk.Context:
    """A context, and a sensor that stands still."""
    needs_kinds(sensor.kind)
    if not sensors.holder(sensor.name):
        sensors.start([sensor.name], sensors.Settings(motion="set", set=STILL[sensor.name]))
    sensors.change([sensor.name], "set", *STILL[sensor.name])
    return gk.Context()


def expect_vector(sample: gk.Sample, sensor: Sensor, wanted: tuple[float, ...]) -> None:
    """A value within half a step."""
    expect(sample.value is not None, sample)
    for value, true in zip(sample.vector or (), wanted, strict=True):
        off = abs(value - true * sensor.factor)
        expect(off <= HALF_STEP * sensor.step * sensor.factor, f"{sample}, true is {wanted}")


def buffer(sensor: Sensor) -> Path:
    """The device file of a sensor's buffer, which has one owner at a time."""
    folder = sensors.folder(sensor.name)
    assert folder is not None
    return Path("/dev", folder.name)


def prove_reading(sensor: Sensor) -> None:
    """A reading by hand."""
    with start(sensor) as context, context.open(sensor.kind) as source:
        source.update(5)
        expect_vector(source[sensor.key], sensor, STILL[sensor.name])
        units = {"accel": "m/s2", "gyro": "rad/s", "magn": "uT"}
        expect_equal(source[sensor.key].unit, units[sensor.name])
        expect_equal(source["acquisition"].value, "poll")
        expect_equal(source["driver"].value, f"{sensor.name}_3d")
        expect_equal(source["location"].value, "unknown")
        expect_equal(source["frame"].value, "sensor")
        expect_equal(source["mount_matrix"].status, gk.SampleStatus.UNSUPPORTED)


def prove_following(sensor: Sensor) -> None:
    """A session slow enough to be polled follows each change."""
    with start(sensor) as context, context.open(sensor.kind) as source:
        source.start(every=0.5)
        expect_near(source.rates.granted, 0.5, 1e-9, "granted")
        for times in (2, -1, 0):
            wanted = tuple(times * number for number in STILL[sensor.name])
            sensors.change([sensor.name], "set", *wanted)
            _arrives(source, sensor, wanted)
        expect(source.is_updating, "stopped updating")


def _arrives(source: gk.Source, sensor: Sensor, wanted: tuple[float, ...]) -> None:
    counts = [round(number / sensor.step) for number in wanted]

    def follows() -> bool:
        value = source[sensor.key].vector or ()
        return [round(one / sensor.step / sensor.factor) for one in value] == counts

    eventually(f"{source.id}/{sensor.key} {wanted}", follows)


for _sensor in VECTORS:
    _name = f"3.2: {_sensor.kind}, read by hand, is what is true, to half a step"
    proves(_name)(partial(prove_reading, _sensor))
    proves(f"L4: {_sensor.kind}, polled, follows what changes")(partial(prove_following, _sensor))


@proves("3.1, I3: a hub is polled four times a second at most, and the reason is told")
def floor() -> None:
    # Who asks for more gets the buffer, unless that has an owner: then the hub is polled.
    with (
        start(ACCELEROMETER) as context,
        open(buffer(ACCELEROMETER), "rb", buffering=0),
        context.open("accelerometer") as source,
    ):
        source.start(every=0.02)
        now = source.rates
        expect_near(now.granted, 0.25, 1e-9, "granted")
        expect(now.reason, "no reason for the interval granted")

        def tells_why() -> bool:
            info = source.info
            found = (info.reason, info.detail, info.errno)
            known = (gk.Reason.AVAILABLE, "polling only", errno.EBUSY)
            return found == known and bool(info.remedy)

        # A thread of its own opens the buffer, and again now and then.
        eventually("the hub is polled only, and says why", tells_why)
        wanted = (0.5, 1.5, -2.5)
        sensors.change(["accel"], "set", *wanted)
        _arrives(source, ACCELEROMETER, wanted)
        expect_equal(source["acquisition"].value, "poll")


@proves("4.10: the magnitude of the field is its length")
def magnitude() -> None:
    with start(VECTORS[2]) as context:
        samples = context.read("magnetometer", 5)
        length = math.hypot(*(samples["magnetic_field"].vector or ()))
        expect_near(samples["magnitude"].number, length, 1e-9, "magnitude")
        expect(samples["accuracy"].value != "unreliable", samples["accuracy"])


@proves("4.10: orientation is the desktop's word, and `inverted` turns it and the vectors")
def orientation() -> None:
    with start(ACCELEROMETER) as context, context.open("accelerometer") as source:
        source.start(every=0.5)
        words = {"normal": (0, -9.8, 0), "left-up": (9.8, 0, 0), "bottom-up": (0, 9.8, 0)}
        for word, vector in words.items():
            sensors.change(["accel"], "set", *vector)
            arrives(source, "orientation", word)
        source.set("inverted", True)
        arrives(source, "inverted", True)
        expect_vector(source.update(5)["acceleration"], ACCELEROMETER, (0, -9.8, 0))


@proves("4.10: a gravity sensor is no accelerometer")
def gravity() -> None:
    with start(ACCELEROMETER) as context:
        before = [info.id for info in context.sources("accelerometer")]
        sensors.start(["gravity"])
        try:
            context.rescan()
            expect_equal([info.id for info in context.sources("accelerometer")], before)
        finally:
            sensors.stop(["gravity"])
