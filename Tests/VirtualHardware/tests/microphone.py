"""A sound card that hears a tone of a known level, behind the kernel's loopback driver."""

from __future__ import annotations

import threading

import gatheredkit as gk

from virtual_devices.microphone import is_open, microphone

from .proof import eventually, expect, expect_equal, expect_near, proves, watching

microphone("start", "1000", "-20")
NAME = "microphone|Loopback.1"
context = gk.Context(allow="microphone")


def levels(source: gk.Source) -> tuple[float, float]:
    """The next levels of an updating source."""

    def look() -> tuple[float, float] | None:
        rms, peak = source["rms_level"].number, source["peak_level"].number
        return None if rms is None or peak is None else (rms, peak)

    return eventually("levels", look)


@proves("A2, P2: listing, looking and starting without leave open no device")
def closed() -> None:
    with gk.Context() as shut, shut.open(NAME) as source:
        names = [info.id for info in shut.sources("microphone")]
        expect_equal(names, ["microphone|default", "microphone|Loopback.0", NAME])
        shut.doctor()
        expect_equal(source.info.reason.name, "REQUIRES_PERMISSION")
        expect_equal(source.info.remedy, "open the context with allow=microphone")
        source.start(every=0.1)
        source.update()
        expect_equal(source["rms_level"].status, gk.SampleStatus.PERMISSION)
        expect(not source.is_updating, "updates without leave")
        expect(not is_open(), "the device was opened")


@proves("4.4: a sine of -20 dBFS has an RMS level of -23.01 and a peak level of -20")
def tone() -> None:
    with context.open(NAME) as source:
        source.start(every=0.5)
        levels(source)
        for _ in range(3):
            rms, peak = levels(source)
            expect_near(rms, -23.01, 0.1, "rms_level")
            expect_near(peak, -20, 0.05, "peak_level")
            gk.sleep(0.5)
        expect_equal(source["clipped_samples"].value, 0)
        # Statics are read at the start.
        expect_equal((source["sample_rate"].value, source["channels"].value), (48000, 1))
        expect_equal(source["device"].value, "plughw:CARD=0,DEV=1")
        expect(is_open(), "the PCM is not open")
    eventually("the device to be let go", lambda: not is_open())


@proves("I8, L14: sessions of different intervals share one capture")
def shared() -> None:
    # The card has one subdevice: a second capture would find it busy.
    with context.open(NAME) as quick, context.open(NAME) as slow:
        quick.start(every=0.1)
        slow.start(every=1)
        for source in (quick, slow):
            expect_near(levels(source)[0], -23.01, 0.1, "rms_level")
        quick.stop()
        expect(is_open(), "the capture ended with the first session")
        slow.stop()
        eventually("the device to be let go", lambda: not is_open())


@proves("E3: a card another program captures from is busy")
def busy() -> None:
    with gk.Context(allow="microphone") as other, other.open(NAME) as first:
        first.start(every=1)
        with context.open(NAME) as second:
            try:
                second.start(every=1)
            except gk.BusyError:
                pass
            else:
                expect(False, "both capture")
            expect(not second.is_updating, "updates")


@proves("L10: a card that is unplugged goes, comes back, and is heard again")
def unplugged() -> None:
    with context.open(NAME) as source, watching(context, "microphone") as watch:
        source.start(every=0.5)
        levels(source)
        unplug = threading.Thread(target=microphone, args=("unplug",))
        unplug.start()
        for _ in range(3):
            watch.next(gk.EventType.REMOVED)
        unplug.join()
        eventually("no data", lambda: source["rms_level"].status == gk.SampleStatus.NO_DATA)
        expect(source.is_updating, "stopped updating")
        microphone("plug", "1000", "-6")
        # What is heard before the tone begins is silence.
        eventually("the tone", lambda: abs((source["rms_level"].number or 0) + 9.01) < 0.1)
        expect(source.is_updating, "stopped updating")
