"""The lid, the thermal zone and a thermometer chip."""

from __future__ import annotations

import gatheredkit as gk

from virtual_devices.firmware import lid, thermal
from virtual_devices.thermometer import thermometer

from .proof import arrives, eventually, expect, expect_equal, expect_near, proves, reads, watching

lid("open")
context = gk.Context()


@proves("5.7: a lid that closes arrives as an event, without a tick")
def lid_events() -> None:
    with context.open("switches") as source:
        expect_equal(source.id, "switches|aggregate")
        reads(source, "lid_closed", False)
        source.start(every=600)
        for word, closed in (("closed", True), ("open", False)):
            lid(word)
            arrives(source, "lid_closed", closed)


@proves("5.7: a lid is read as it stands")
def lid_state() -> None:
    with context.open("switches") as source:
        for word, closed in (("closed", True), ("open", False)):
            lid(word)
            reads(source, "lid_closed", closed)


@proves("5.7: a switch that no device has is unsupported")
def other_switches() -> None:
    samples = context.read("switches")
    for key in ("headphone_inserted", "docked", "muted"):
        expect_equal(samples[key].status, gk.SampleStatus.UNSUPPORTED, key)


@proves("5.5: the thermal zone's temperature and trips are the firmware's")
def zone() -> None:
    with context.open("thermal|acpitz") as source:
        for celsius in (27.8, 61.5, 104.8):
            thermal(str(celsius))
            source.update()
            # The kernel takes 273.2 for the zero of Celsius, or 273.15, as the table looks.
            expect_near(source["temperature"].number, celsius, 0.1, "temperature")
            expect_equal(source["state"].value, "nominal")
        expect_near(source["trip_critical"].number, 120, 0.2, "trip_critical")
        expect_equal(source["trip_passive"].status, gk.SampleStatus.UNSUPPORTED)
        thermal("30")


@proves("5.2: a thermometer chip that comes and goes is an instance that comes and goes")
def chip() -> None:
    with watching(context, "temperature") as watch:
        thermometer("start")
        added = watch.next(gk.EventType.ADDED)
        expect("lm75" in added.source_id, added)
        with context.open(added.source_id) as source:
            for celsius in (25.0, -12.5, 0.0, 99.5):
                thermometer("set", str(celsius))
                # The driver repeats what it knows for one and a half seconds.
                reads(source, "temperature", celsius)
            expect_equal(source["high"].value, 80.0)
            expect_equal(source["role"].value, "chip")
            expect_equal(source["driver"].value, "lm75")
            source.start(every=1)
            thermometer("unplug")
            watch.next(gk.EventType.REMOVED)
            eventually("no data", lambda: source["temperature"].status == gk.SampleStatus.NO_DATA)
            thermometer("plug")
            expect_equal(watch.next(gk.EventType.ADDED).source_id, source.id)
            eventually("a temperature", lambda: source["temperature"].value == 99.5)
            expect(source.is_updating, "stopped updating")
        thermometer("unplug")
