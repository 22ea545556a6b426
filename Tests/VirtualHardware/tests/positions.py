"""A receiver that goes round in a circle, behind a gpsd: every value against where it was."""

from __future__ import annotations

from collections.abc import Mapping

import gatheredkit as gk

from virtual_devices import positions
from virtual_devices.positions import PORT, gps, truth

from .proof import arrives, eventually, expect, expect_equal, expect_near, proves

OF_FIX = ("latitude", "longitude", "altitude_msl", "speed", "course", "horizontal_accuracy")
context = gk.Context(allow="location")


def _gpsd() -> Mapping[str, object]:
    """What the doctor says of it."""
    (row,) = [row for row in context.doctor().mechanisms if row["name"] == "gpsd"]
    return row


def _is_connected() -> bool:
    """Whether a client has a connection to gpsd."""
    with open("/proc/net/tcp") as table:
        return any(f":{PORT:04X} 01 " in line for line in table)


def _report(source: gk.Source, after: object) -> dict[str, gk.Sample]:
    """The values of one report, another than that of a moment."""

    def look() -> dict[str, gk.Sample] | None:
        found = source.samples()
        whole = found["time"].value == source["time"].value not in (None, after)
        return found if whole else None

    return eventually("another report", look)


@proves("A2, A6: without gpsd the kind says what starts it, and doctor that nothing listens")
def absent() -> None:
    row = _gpsd()
    expect_equal((row["version"], bool(row["remedy"])), ("", True), row)
    with context.open("gps") as source:
        expect_equal(source.info.reason.name, "SERVICE_NOT_RUNNING")
        expect(source.info.remedy, source.info)


@proves("A2: looking at a gpsd that listens connects to nothing")
def looked_at() -> None:
    gps("start")
    with context.open("gps") as source:

        def is_available() -> bool:
            context.rescan()
            return source.info.reason.name == "AVAILABLE"

        eventually("available", is_available)
    expect(str(PORT) in str(_gpsd()["version"]), _gpsd())
    expect(not _is_connected(), "a client is connected")


@proves("4.1: latitude, longitude, height, speed and course are the truth of their moment")
def values() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        before: object = None
        for _ in range(5):
            found = _report(source, before)
            before = found["time"].value
            at = truth((found["time"].moment or 0) / 1e9)
            # A minute of arc is given to six places: some centimetres.
            for key, wanted in (("latitude", at.latitude), ("longitude", at.longitude)):
                expect_near(found[key].number, wanted, 2e-7, key)
            expect_near(found["speed"].number, at.speed, 0.01, "speed")
            turned = ((found["course"].number or 0) - at.course + 180) % 360 - 180
            expect_near(turned, 0, 0.02, "course")
            expect_near(found["altitude_msl"].number, positions.ALTITUDE, 1e-6, "altitude_msl")
            expect_equal(found["provider"].value, "gpsd")
            expect_equal(found["device"].value, str(positions.device()))
        expect_equal(source["satellites_used"].value, positions.SATELLITES)
        expect_equal(source["hdop"].value, positions.HDOP)


@proves("4.1: with a fix on a level there is no height, and the rest flows")
def level() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        gps("fix", "2")
        arrives(source, "fix", "2d")
        expect_equal(source["altitude_msl"].status, gk.SampleStatus.NO_DATA)
        expect_equal(source["latitude"].status, gk.SampleStatus.OK)
        gps("fix", "3")
        arrives(source, "fix", "3d")


@proves("4.1: a lost fix is no data and searching, never the last position; a fix found is told")
def lost() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        gps("nofix")
        arrives(source, "fix", "none")
        for key in OF_FIX:
            expect_equal(source[key].status, gk.SampleStatus.NO_DATA, key)
        expect_equal(source.explain("latitude").reason, "no fix")
        eventually("searching", lambda: source.info.reason.name == "SEARCHING")
        expect(source.is_updating, "stopped updating")
        gps("fix")
        arrives(source, "fix", "3d")
        eventually("available", lambda: source.info.reason.name == "AVAILABLE")


@proves("4.1: a receiver that says nothing for 5 s is stale")
def silent() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        gps("unplug")

        def is_old() -> bool:
            return source["latitude"].status in (gk.SampleStatus.STALE, gk.SampleStatus.NO_DATA)

        eventually("stale or gone", is_old)
        expect(source.is_updating, "stopped updating")
        gps("stop")
        gps("start")
        arrives(source, "fix", "3d")


@proves("L10: gpsd killed while updating is waited for, and taken up again when it is back")
def killed() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        gps("kill")
        eventually("away", lambda: source.info.reason.name == "SERVICE_NOT_RUNNING")
        eventually("no data", lambda: source["latitude"].status == gk.SampleStatus.NO_DATA)
        expect_equal(source["fix"].status, gk.SampleStatus.NO_DATA)
        expect(source.is_updating, "stopped updating")
        gps("restart")
        arrives(source, "fix", "3d")
        expect_equal(source.info.reason.name, "AVAILABLE")


@proves("P2: without allow no client connects, and every value is withheld")
def private() -> None:
    eventually("the end of the last connection", lambda: not _is_connected())
    with gk.Context() as bare, bare.open("gps") as source:
        source.start(every=1)
        source.update()
        for key, sample in source.samples().items():
            expect_equal(sample.status, gk.SampleStatus.PERMISSION, key)
        expect(not _is_connected(), "a client is connected")


@proves("gnss=: the port itself is read where no gpsd runs, and left to one that comes")
def port() -> None:
    gps("kill")
    with (
        gk.Context(f"local:gnss={positions.device()}", allow="location") as own,
        own.open("gps") as source,
    ):
        source.start(every=1)
        arrives(source, "provider", "nmea")
        arrives(source, "fix", "3d")
        found = _report(source, None)
        at = truth((found["time"].moment or 0) / 1e9)
        expect_near(found["latitude"].number, at.latitude, 2e-7, "latitude")
        expect_near(found["speed"].number, at.speed, 0.01, "speed")
        gps("restart")
        arrives(source, "provider", "gpsd")
        arrives(source, "fix", "3d")
        expect(source.is_updating, "stopped updating")
    gps("stop")
