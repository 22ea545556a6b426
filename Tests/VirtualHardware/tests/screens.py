"""A screen on a virtual graphics card, and the backlight of the firmware."""

from __future__ import annotations

import gatheredkit as gk

from virtual_devices.firmware import backlight
from virtual_devices.peripherals import connectors, screen
from virtual_devices.system import read

from .proof import eventually, expect, expect_equal, expect_near, proves, reads, watching

screen("start")
context = gk.Context()


def only_screen() -> str:
    """The id of the screen that is connected."""

    def look() -> str | None:
        found = [info.id for info in context.sources("screen")]
        return found[0] if len(found) == 1 else None

    return eventually("one screen", look)


@proves("4.6: the connected screen has the graphics card's mode")
def mode() -> None:
    with context.open(only_screen()) as source:
        source.update()
        expect_equal((source["width"].value, source["height"].value), (1920, 1080))
        expect_equal(source["connector"].value, connectors()[0].name.split("-", 1)[1])
        expect_equal(source["built_in"].value, False)
        # The card itself is asked what it shows.
        for key in ("width", "height", "refresh_rate"):
            expect_equal(source.explain(key).place, "/dev/dri/card0", key)
        expect_near(source["refresh_rate"].number, 67, 8, "refresh_rate")
        modes = (source["modes"].text or "").split()
        expect_equal(modes, list(dict.fromkeys(read(connectors()[0] / "modes").split())))


@proves("4.6, N6: its id is made of what its EDID says, not of a number")
def identity() -> None:
    name = only_screen().split("|")[1]
    with context.open(only_screen()) as source:
        source.update()
        maker = source["manufacturer"].text
        if maker is None:
            expect_equal(name, source["connector"].value)
        else:
            expect(name.startswith(f"{maker}."), name)


@proves("4.6: a screen that is unplugged goes, and comes back under its id")
def unplugged() -> None:
    # The backlight comes later, for without a screen it would be an instance of its own.
    # This driver shows the EDID once; after that the screen goes by its connector.
    screen("unplug")
    screen("plug")
    context.rescan()
    name = only_screen()
    with context.open(name) as source, watching(context, "screen") as watch:
        source.start(every=1)
        # A connector forced by hand sends no event.
        screen("unplug")
        context.rescan()
        watch.next(gk.EventType.REMOVED)
        eventually("no data", lambda: source["width"].status == gk.SampleStatus.NO_DATA)
        screen("plug")
        context.rescan()
        expect_equal(watch.next(gk.EventType.ADDED).source_id, name)
        eventually("its mode", lambda: source["width"].status == gk.SampleStatus.OK)
        expect(source.is_updating, "stopped updating")


@proves("4.6: the only backlight is the only screen's, and its level is what was set")
def brightness() -> None:
    backlight("start")
    context.rescan()
    with context.open(only_screen()) as source:
        for percent in (70, 20, 100):
            backlight("set", str(percent))
            reads(source, "brightness_raw", percent // 10)
            expect_near(source["brightness"].number, percent / 100, 1e-9, "brightness")
        expect_equal(source["brightness_max"].value, 10)
        expect_equal(source["backlight_type"].value, "firmware")


@proves("4.6: brightness that is set is the backlight's")
def settable() -> None:
    with context.open(only_screen()) as source:
        for share, raw in ((0.3, 3), (1.0, 10)):
            source.set("brightness", share)
            reads(source, "brightness_raw", raw)
