"""Batteries: what the firmware says is what the library says, hot-plug included."""

from __future__ import annotations

import time

import gatheredkit as gk

from virtual_devices.firmware import battery, mains, values
from virtual_devices.peripherals import mouse

from .proof import (
    Seen,
    arrives,
    eventually,
    expect,
    expect_equal,
    expect_near,
    proves,
    reads,
    watching,
)

JOULES = 3.6  # in a milliwatt hour
REPEATS = 1.2  # seconds for which the driver keeps what it has read

battery("start")
mains("off")
context = gk.Context()


def levelled(source: gk.Source, percent: int) -> None:
    """Sets the level; the kernel's driver repeats what it knows for a second."""
    battery("set", str(percent))
    reads(source, "energy", values()["remaining"] * JOULES)


@proves("a battery of ACPI is found, beside the aggregate of all")
def found() -> None:
    ids = [info.id for info in context.sources("battery")]
    expect_equal(ids[:2], ["battery|aggregate", "battery|BAT0"])


@proves("4.13: each value is the firmware's, in SI units")
def firmware_values() -> None:
    with context.open("battery|BAT0") as source:
        levelled(source, 42)
        now, energies = values(), ("energy", "energy_full", "energy_full_design")
        for key, name in zip(energies, ("remaining", "full", "design"), strict=True):
            expect_equal(source[key].value, now[name] * JOULES, key)
        expect_near(source["level"].number, 0.42, 0.011, "level")
        expect_near(source["voltage"].number, now["volts"] / 1000, 1e-9, "voltage")
        expect_near(source["power"].number, now["rate"] / 1000, 1e-9, "power")
        expect_equal(source["cycle_count"].value, now["cycles"], "cycle_count")
        expect_near(source["health"].number, now["full"] / now["design"], 1e-9, "health")
        expect_equal(source["state"].value, "discharging")
        expect_equal(source["external_power"].value, False)
        expect_equal(source["technology"].value, "Li-ion")
        expect_equal(source["manufacturer"].value, "GatheredKit")
        expect_equal(source["scope"].value, "system")
        wanted = (source["energy"].number or 0) / (source["power"].number or 1)
        expect_near(source["time_to_empty"].number, wanted, 1, "time_to_empty")


@proves("4.13: charging, full and not charging are told apart, and mains is external power")
def states() -> None:
    with context.open("battery|BAT0") as source:
        for word, state in (("charging", "charging"), ("full", "full")):
            battery("state", word)
            reads(source, "state", state)
            reads(source, "external_power", True)
        battery("set", "50")
        battery("state", "not-charging")
        reads(source, "state", "not_charging")
        battery("state", "discharging")
        reads(source, "external_power", False)
        reads(source, "state", "discharging")


@proves("4.13: what the kernel announces arrives without waiting for a tick")
def announced() -> None:
    with context.open("battery|BAT0") as source:
        levelled(source, 61)
        source.start(every=600)
        time.sleep(REPEATS)
        battery("set", "23")
        arrives(source, "level", 0.23)


@proves("V5: the battery's serial number is withheld until it is allowed")
def serial() -> None:
    with context.open("battery|BAT0") as source:
        expect_equal(source.update()["serial"].status, gk.SampleStatus.PERMISSION)
        with gk.Context(allow="serial") as allowed:
            expect_equal(allowed.read("battery|BAT0")["serial"].value, "0001")


@proves("L10, H5: unplugged while updating it stays updating, and comes back with the same id")
def replugged() -> None:
    with (
        context.open("battery|BAT0") as source,
        watching(context, "battery") as watch,
        Seen(source.listen_events) as events,
    ):
        source.start(every=5)
        events.next(gk.EventType.STARTED)
        battery("unplug")
        events.next(gk.EventType.AVAILABILITY_CHANGED)
        eventually("no level", lambda: source["level"].status == gk.SampleStatus.NO_DATA)
        expect_equal(source.info.reason, gk.Reason.DISCONNECTED)
        expect(source.is_updating, "stopped updating")
        battery("plug")
        events.next(gk.EventType.AVAILABILITY_CHANGED)
        eventually("a level", lambda: source["level"].status == gk.SampleStatus.OK)
        expect_equal(source.id, "battery|BAT0")
        expect(source.is_updating, "stopped updating")
        expect_equal(watch.next(gk.EventType.REMOVED).source_id, source.id)
        expect_equal(watch.next(gk.EventType.ADDED).source_id, source.id)


@proves("4.13: a new battery's cycles and capacity are read afresh")
def replaced() -> None:
    with context.open("battery|BAT0") as source:
        battery("cycles", "321")
        reads(source, "cycle_count", 321)
        battery("health", "80")
        reads(source, "health", 0.8)
        battery("health", "96")
        reads(source, "health", 0.96)


@proves("4.13: a mouse's battery is an instance of its own and never counts in the aggregate")
def mouse_battery() -> None:
    with watching(context, "battery") as watch, context.open("battery") as aggregate:
        mouse("start", "80")
        try:
            event = watch.next(gk.EventType.ADDED)
            with context.open(event.source_id) as source:
                reads(source, "level", 0.8)
                expect_equal(source["scope"].value, "device")
                mouse("set", "55")
                reads(source, "level", 0.55)
                with context.open("battery|BAT0") as system:
                    levelled(system, 30)
                    reads(aggregate, "energy", system["energy"].value)
                    expect_near(aggregate["level"].number, 0.3, 0.001, "the aggregate's level")
        finally:
            mouse("unplug")
        watch.next(gk.EventType.REMOVED)


@proves("4.13: without any battery the aggregate still tells of external power")
def no_battery() -> None:
    battery("unplug")
    try:
        with context.open("battery") as aggregate:
            eventually("no hardware", lambda: aggregate.info.reason == gk.Reason.NO_HARDWARE)
            for word, wanted in (("on", True), ("off", False)):
                mains(word)
                reads(aggregate, "external_power", wanted)
    finally:
        battery("plug")
