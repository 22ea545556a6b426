"""Sensors that are unplugged while they stream."""

from __future__ import annotations

from itertools import pairwise

import gatheredkit as gk

from virtual_devices import sensors

from .proof import Seen, eventually, expect, expect_equal, needs_kinds, proves, watching
from .samples import ACCELEROMETER, VECTORS, expect_whole, numbers, rows_of


def restart(clock: str = "realtime") -> None:
    """Three sensors that count their samples."""
    needs_kinds(*(sensor.kind for sensor in VECTORS))
    running = [sensor.name for sensor in VECTORS if sensors.holder(sensor.name)]
    if running:
        sensors.stop(running)
    settings = sensors.Settings(rate=200, motion="count", clock=clock)
    sensors.start([sensor.name for sensor in VECTORS], settings)


@proves("L10, H5: a sensor unplugged under load stays updating and comes back under its id")
def unplugged() -> None:
    restart()
    with (
        gk.Context() as context,
        context.open("accelerometer") as source,
        Seen(source.listen_events) as events,
        watching(context, "accelerometer") as watch,
    ):
        name = source.id
        source.start(every=0.005)
        events.next(gk.EventType.STARTED)
        for _ in range(3):
            eventually("values", lambda: source["acceleration"].value is not None)
            before = source["acceleration"].sequence
            sensors.unplug(["accel"])
            events.next(gk.EventType.AVAILABILITY_CHANGED)
            expect_equal(watch.next(gk.EventType.REMOVED).source_id, name)
            eventually("no data", lambda: source["acceleration"].status == gk.SampleStatus.NO_DATA)
            expect_equal(source.info.reason, gk.Reason.DISCONNECTED)
            expect(source.is_updating, "stopped updating")
            sensors.plug(["accel"])
            events.next(gk.EventType.AVAILABILITY_CHANGED)
            expect_equal(watch.next(gk.EventType.ADDED).source_id, name)
            eventually("values again", lambda: source["acceleration"].value is not None)
            expect(source["acceleration"].sequence > before, "the sequence fell")
            expect_equal(source.id, name)
            expect(source.is_updating, "stopped updating")
        source.stop()
        events.next(gk.EventType.STOPPED)


@proves("L14: what is unplugged costs its neighbours not one sample")
def neighbours() -> None:
    restart()
    with gk.Context() as context, context.reader(1 << 20) as reader:
        opened = {sensor: context.open(sensor.kind) for sensor in VECTORS}
        for source in opened.values():
            reader.add(source)
            reader.start(source, 0.005)
        accelerometer = opened[ACCELEROMETER]
        for _ in range(4):
            eventually("values", lambda: accelerometer["acceleration"].value is not None)
            context.sleep(0.5)
            sensors.unplug(["accel"])
            eventually("no data", lambda: accelerometer["acceleration"].value is None)
            sensors.plug(["accel"])
        for sensor, source in opened.items():
            rows = rows_of(reader.frame(source), sensor.key)
            if sensor == ACCELEROMETER:
                found = numbers(rows, sensor)
                begins = [b for a, b in pairwise(found) if b != a + 1]
                expect(len(begins) in (3, 4), f"{len(begins)} new beginnings")
                expect(max(begins) < 50, f"a beginning late: {begins}")
            else:
                expect(len(rows) > 200, f"{len(rows)} samples of {sensor.kind}")
                expect_whole(rows, sensor)
            times = [row.boot_ns for row in rows]
            expect(times == sorted(set(times)), f"time goes back in {sensor.kind}")


@proves("N6: two sensors that swap their kernel numbers keep their ids")
def swapped() -> None:
    restart()
    with gk.Context() as context:
        before = {sensor: context.open(sensor.kind).id for sensor in VECTORS}
        sensors.unplug(["accel", "gyro"])
        sensors.plug(["gyro"])
        sensors.plug(["accel"])
        context.rescan()
        expect_equal({sensor: context.open(sensor.kind).id for sensor in VECTORS}, before)
