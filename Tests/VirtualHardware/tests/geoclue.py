"""The real GeoClue: where its receiver and its service of networks say that this computer is."""

from __future__ import annotations

import contextlib
import signal
import time

import gatheredkit as gk

from virtual_devices import geoclue, positions, surroundings
from virtual_devices.system import command

from .proof import arrives, eventually, expect, expect_equal, expect_near, proves

ALLOWED = "[gatheredkit]\nallowed=true\nsystem=true\nusers=\n"
context = gk.Context(allow="location")


def _reason(source: gk.Source) -> str:
    return source.info.reason.name


def _remedy(text: str) -> list[str]:
    """What a remedy tells to do, as a command."""
    return text.split(": ", 1)[-1].split()


def _works() -> None:
    """A context that was not refused is told; one that was remembers it for half a minute."""
    with gk.Context(allow="location") as other, other.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        expect_equal(_reason(source), "AVAILABLE")


@proves("4.1: asking for a position starts no GeoClue, which could be")
def asleep() -> None:
    with context.open("gps") as source:
        expect("geoclue: " in source.info.detail, source.info)
    expect(geoclue.NAME not in command("busctl", "--acquired", "list"), "it was started")


@proves("4.1, A1: without an agent it is restricted by policy; the remedy, followed, is enough")
def without_agent() -> None:
    geoclue.start(ALLOWED)
    with gk.Context(allow="location") as refused, refused.open("gps") as source:
        source.start(every=1)
        eventually("refused", lambda: _reason(source) == "RESTRICTED_BY_POLICY")
        geoclue.agent(*_remedy(source.info.remedy))
    _works()


@proves("4.1: latitude, longitude, height, speed and course are the truth of their moment")
def values() -> None:
    context.rescan()
    with context.open("gps|geoclue") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        before = source["time"].value

        def another() -> dict[str, gk.Sample] | None:
            first = source.samples()["time"].value
            if first in (None, before):
                return None
            # GeoClue tells a place after each sentence: the last one of an epoch has all of it.
            time.sleep(0.3)
            found = source.samples()
            return found if found["time"].value == first else None

        for _ in range(3):
            found = eventually("another report", another)
            before = found["time"].moment
            at = positions.truth((before or 0) / 1e9)
            for key, wanted in (("latitude", at.latitude), ("longitude", at.longitude)):
                expect_near(found[key].number, wanted, 2e-7, key)
            expect_near(found["altitude_msl"].number, positions.ALTITUDE, 1e-6, "altitude_msl")
            expect_near(found["speed"].number, at.speed, 0.01, "speed")
            turned = ((found["course"].number or 0) - at.course + 180) % 360 - 180
            expect_near(turned, 0, 0.02, "course")
            expect_equal(found["provider"].value, "geoclue")


@proves("H4, L10: GeoClue, killed or stopped while a source updates, is waited for")
def killed() -> None:
    with context.open("gps") as source:
        source.start(every=1)
        arrives(source, "fix", "3d")
        geoclue.end_daemon(signal.SIGKILL)
        arrives(source, "latitude", None)
        expect(source.is_updating, "stopped updating")
        geoclue.configure(ALLOWED, receiver=False)
        geoclue.daemon()
        arrives(source, "latitude", surroundings.LATITUDE)
        expect_equal(source["longitude"].value, surroundings.LONGITUDE)
        expect_equal(source["horizontal_accuracy"].value, surroundings.ACCURACY)
        expect_equal(source["fix"].value, "2d")
        geoclue.end_daemon()
        arrives(source, "latitude", None)
        geoclue.configure(ALLOWED)
        geoclue.daemon()
        arrives(source, "fix", "3d")


@proves("4.1, A1: what its configuration forbids is policy; the remedy, followed, allows it")
def forbidden() -> None:
    geoclue.end_daemon()
    geoclue.configure("[gatheredkit]\nallowed=false\nsystem=true\nusers=\n")
    geoclue.daemon()
    with gk.Context(allow="location") as refused, refused.open("gps") as source:
        with contextlib.suppress(gk.GatheredKitError):
            source.start(every=1)
        eventually("refused", lambda: _reason(source) == "RESTRICTED_BY_POLICY")
        section, lines = source.info.remedy.split("allow ", 1)[1].split(" in ", 1)
        lines = lines.split(": ", 1)[1].split(";")[0].replace(", ", "\n")
        geoclue.end_daemon()
        geoclue.configure(f"{section}\n{lines}\n")
        geoclue.daemon()
    _works()
    geoclue.stop()
