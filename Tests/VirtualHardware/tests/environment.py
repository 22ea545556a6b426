"""Light, pressure, presence, temperature and humidity."""

from __future__ import annotations

from functools import partial

import gatheredkit as gk

from virtual_devices import sensors
from virtual_devices.dummy import dummy
from virtual_devices.firmware import light
from virtual_devices.system import DeviceError

from .proof import Skipped, eventually, expect, expect_equal, expect_near, needs_kinds, proves
from .samples import HALF_STEP, Sensor, collect, expect_steps, expect_truth

LIGHT = Sensor("als", "ambient_light", "illuminance", step=0.01)
PRESSURE = Sensor("press", "altimeter", "pressure", step=0.01)
TEMPERATURE = Sensor("temp", "temperature", "temperature", step=0.01)
HUMIDITY = Sensor("humidity", "humidity", "relative_humidity", step=0.01)

# Pascals and the altitudes of the standard atmosphere.
ALTITUDES = {101325.0: 0.0, 100000.0: 110.885, 89874.6: 999.997, 54019.9: 5000.002}


def plugged(sensor: Sensor, settings: sensors.Settings | None = None) -> gk.Context:
    """A context, and a sensor plugged in anew."""
    needs_kinds(sensor.kind, "iio")
    if sensors.holder(sensor.name):
        sensors.stop([sensor.name])
    try:
        sensors.start([sensor.name], settings)
    except DeviceError as missing:
        raise Skipped(str(missing)) from None
    return gk.Context()


def instance(context: gk.Context, sensor: Sensor) -> gk.Source:
    """The source of a sensor, among others of its kind."""
    name = sensors.NAMES[sensor.name]
    ids = [info.id for info in context.sources(sensor.kind) if f"|{name}" in info.id]
    expect_equal(len(ids), 1, f"instances of {name} in {context.sources(sensor.kind)}:")
    return context.open(ids[0])


def prove_values(sensor: Sensor, wanted: tuple[float, ...]) -> None:
    """Each value set is the value read."""
    with plugged(sensor) as context, instance(context, sensor) as source:
        for value in wanted:
            sensors.change([sensor.name], "set", value)
            sample = source.update(5)[sensor.key]
            expect_near(sample.number, value, HALF_STEP * sensor.step, f"{source.id}/{sensor.key}")


for _sensor, _law, _wanted in (
    (LIGHT, "5.1", (0.0, 0.01, 321.0, 64000.25)),
    (PRESSURE, "4.3", (101325.0, 30000.5, 119999.99)),
    (TEMPERATURE, "5.2", (21.5, 0.0, -12.34, 99.99)),
    (HUMIDITY, "5.3", (45.0, 0.01, 100.0)),
):
    proves(f"{_law}: {_sensor.kind} is what is true, to half a step")(
        partial(prove_values, _sensor, _wanted)
    )


def prove_stream(sensor: Sensor) -> None:
    """At 50 Hz, against the truth at each sample's own time."""
    settings = sensors.Settings(rate=50, motion="sine", freq=0.5, clock="boottime")
    with plugged(sensor, settings) as context, instance(context, sensor) as source:
        zero = sensors.status(sensor.name)["t0_ns"]
        rows = collect(source, sensor.key, every=0.02, count=60)
        expect_steps(rows, 0.02)
        expect_truth(rows, sensor, zero)


for _sensor in (LIGHT, PRESSURE):
    proves(f"3.2: {_sensor.kind}, streamed, is true at each sample's own time")(
        partial(prove_stream, _sensor)
    )


@proves("4.3: altitudes follow the standard atmosphere, and need a pressure at sea level")
def altitudes() -> None:
    with plugged(PRESSURE) as context, instance(context, PRESSURE) as source:
        for pascals, metres in ALTITUDES.items():
            sensors.change(["press"], "set", pascals)
            source.update(5)
            expect_near(source["pressure_altitude"].number, metres, 0.01, f"{pascals} Pa")
            expect_equal(source["altitude"].status, gk.SampleStatus.NO_DATA)
        source.set("sea_level_pressure", 100000.0)
        sensors.change(["press"], "set", 100000)
        expect_near(source.update(5)["altitude"].number, 0, 0.001, "altitude")


@proves("4.3: the relative altitude counts from the first sample after the start")
def relative() -> None:
    with plugged(PRESSURE) as context, instance(context, PRESSURE) as source:
        sensors.change(["press"], "set", 100000)
        source.start(every=0.5)
        eventually("a pressure", lambda: source["pressure"].value is not None)
        expect_near(source["relative_altitude"].number, 0, 1e-6, "relative_altitude")
        sensors.change(["press"], "set", 89874.6)

        def risen() -> bool:
            return bool(abs((source["relative_altitude"].number or 0) - 889.112) < 0.01)

        eventually(f"a rise of 889 m, not {source['relative_altitude']}", risen)


@proves("4.12: presence, told by 0 or 1, is near")
def presence() -> None:
    sensor = Sensor("prox", "proximity", "raw", step=1)
    with plugged(sensor) as context, instance(context, sensor) as source:
        for raw in (1, 0, 1):
            sensors.change(["prox"], "set", raw)
            source.update(5)
            expect_equal(source["raw"].value, raw)
            expect_equal(source["near"].value, bool(raw))
        expect_equal(source["role"].value, "user")


@proves("5.1: a light sensor of the firmware is an instance beside that of the hub")
def firmware_light() -> None:
    needs_kinds("ambient_light")
    light("777")
    try:
        with gk.Context() as context:
            ids = [one.id for one in context.sources("ambient_light") if "acpi-als" in one.id]
            expect_equal(len(ids), 1, context.sources("ambient_light"))
            expect_equal(context.read(ids[0], 5)["illuminance"].value, 777)
    finally:
        light("off")


@proves("5.8: steps are the kernel's count, from its dummy driver")
def steps() -> None:
    needs_kinds("steps")
    try:
        dummy("start")
    except DeviceError as missing:
        raise Skipped(str(missing)) from None
    try:
        with gk.Context() as context, context.open("steps") as source:
            source.start(every=0.2)
            dummy("steps", "100")
            eventually("100 steps", lambda: source["count"].value == 100)
            dummy("steps", "142")
            eventually("142 steps", lambda: source["count"].value == 142)
            session = source["session_count"].number
            expect(session is not None and session >= 42, source["session_count"])
    finally:
        dummy("unplug")
