"""Every IIO device as a whole: what no other kind tells stays reachable."""

from __future__ import annotations

import gatheredkit as gk

from virtual_devices import sensors
from virtual_devices.dummy import NAME, dummy, folder
from virtual_devices.system import DeviceError, read

from .proof import Skipped, expect, expect_equal, expect_near, needs_kinds, proves


@proves("5.9: an inclinometer, which is no other kind, is an instance with its angles")
def inclinometer() -> None:
    needs_kinds("iio")
    angles = (0.1, -0.2, 0.3)
    sensors.start(["incl"], sensors.Settings(motion="set", set=angles))
    try:
        with gk.Context() as context:
            ids = [info.id for info in context.sources("iio") if "incli_3d" in info.id]
            expect_equal(len(ids), 1, context.sources("iio"))
            vectors = [
                sample
                for sample in context.read(ids[0], 5).values()
                if sample.property.type == gk.ValueType.VECTOR
            ]
            expect_equal(len(vectors), 1, vectors)
            for value, true in zip(vectors[0].vector or (), angles, strict=True):
                expect_near(value, true, 0.5e-6, vectors[0].key)
    finally:
        sensors.stop(["incl"])


@proves("5.9: every IIO device is listed, and each tells its driver")
def listed() -> None:
    needs_kinds("iio")
    sensors.stop_all()
    started = sensors.start(["accel", "als", "prox"])
    try:
        with gk.Context() as context:
            drivers = {context.read(info.id, 5)["driver"].value for info in context.sources("iio")}
            expect({sensors.NAMES[kind] for kind in started} <= drivers, drivers)
    finally:
        sensors.stop(list(started))


@proves("3.2: voltages of the kernel's dummy device are (raw + offset) x scale, in volts")
def voltages() -> None:
    needs_kinds("iio")
    try:
        dummy("start")
    except DeviceError as missing:
        raise Skipped(str(missing)) from None
    try:
        place = folder()
        assert place is not None
        raw, offset, scale = (
            float(read(place / f"in_voltage0_{part}")) for part in ("raw", "offset", "scale")
        )
        with gk.Context() as context:
            ids = [info.id for info in context.sources("iio") if f"|{NAME}" in info.id]
            expect_equal(len(ids), 1, context.sources("iio"))
            samples = context.read(ids[0], 5)
            wanted = (raw + offset) * scale / 1000
            expect_near(samples["voltage0"].number, wanted, 1e-12, "voltage0")
            expect_equal(samples["voltage0"].unit, "V")
            expect("voltage1_voltage2" in samples, list(samples))
            expect_equal(samples["driver"].value, NAME)
    finally:
        dummy("unplug")
