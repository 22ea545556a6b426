"""What daemons cost: on the message bus, beside GDBus, an idle subscription, an update of each
kind, and calls while no daemon is there; then what `streams` and `screen` measure.
Takes a private bus, dbusmock and umockdev; prints rows as measure.h does. To be run by the system's
Python, which has them."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import dbus
import gatheredkit as gk
import screen
import streams
from costs import cost, private_bus, running, wait_for
from gi.repository import Gio, GLib
from measure import row
from mocks import SUBJECTS, Subject

IDLE_SECONDS = 5
# How long values change.
FEEDING = 5
CALLS = 20
ABSENT = ["battery", "bluetooth", "bluetooth_device", "cell_radio", "proximity", "ambient_light"]
ABSENT += ["accelerometer"]


def fed(subject: Subject, wait: Callable[[float], None]) -> float:
    """Processor seconds of one change while a feeder of its own makes them."""
    with running(sys.executable, __file__, "feed", subject.kind):
        wait(1.5)
        return cost(FEEDING, wait)[0] / FEEDING * subject.spacing


def feed(kind: str) -> None:
    """Changes a value again and again."""
    subject = next(each for each in SUBJECTS if each.kind == kind)
    bus = dbus.SystemBus()
    for turn in range(1 << 20):
        subject.change(bus, turn)
        time.sleep(subject.spacing)


class GDBus:
    """A subscription to every change of a property through GDBus, and its loop."""

    def __init__(self) -> None:
        self.connection = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)
        self.loop = GLib.MainLoop()
        self.heard = 0
        self.connection.signal_subscribe(
            None,
            "org.freedesktop.DBus.Properties",
            "PropertiesChanged",
            None,
            None,
            Gio.DBusSignalFlags.NONE,
            self.hear,
        )

    def claim(self, subject: Subject) -> None:
        """Does what a client has to do first to be told anything."""
        if subject.claim:
            words = (subject.service, subject.path, *subject.claim)
            flags = Gio.DBusCallFlags.NONE
            self.connection.call_sync(*words, None, None, flags, 5000, None)

    def hear(self, *_: object) -> None:
        self.heard += 1

    def wait(self, seconds: float) -> None:
        GLib.timeout_add(int(seconds * 1000), self.loop.quit)
        self.loop.run()


def peer(what: str, kind: str) -> None:
    """Prints the cost of GDBus, in a process of its own."""
    gdbus = GDBus()
    subject = next(each for each in SUBJECTS if each.kind == kind)
    gdbus.claim(subject)
    if what == "idle":
        print(*cost(IDLE_SECONDS, gdbus.wait))
    else:
        print(fed(subject, gdbus.wait))
        if not gdbus.heard:
            raise SystemExit("GDBus heard of no change")


def ask_peer(*words: str) -> list[float]:
    output = subprocess.run(
        [sys.executable, __file__, "peer", *words], check=True, capture_output=True, text=True
    )
    return [float(word) for word in output.stdout.split()]


def present(subject: Subject, address: str) -> None:
    """Rows of a kind whose daemon is there."""
    with running(sys.executable, "-m", "dbusmock", *subject.mock):
        bus = dbus.SystemBus()
        wait_for(lambda: bus.name_has_owner(subject.service))
        subject.prepare(bus)
        heard: list[object] = []
        with gk.Context(f"local:bus={address}", allow=["all"]) as context:
            source = context.open(subject.kind)
            connection = source.listen(heard.append)
            source.start(every=subject.every)
            time.sleep(1)
            spent, woken = cost(IDLE_SECONDS, time.sleep)
            before = len(heard)
            spent_on_one = fed(subject, time.sleep)
            if len(heard) - before < FEEDING / subject.spacing / 2:
                raise SystemExit(f"{subject.kind}: {len(heard) - before} updates came")
            connection.disconnect()
        theirs, their_wakes = ask_peer("idle", subject.kind)
        name = f"{subject.kind} by {subject.name}"
        is_told = subject.every > IDLE_SECONDS
        what = "idle" if is_told else f"read every {subject.every:g} s"
        row(f"{name}, {what}", spent / IDLE_SECONDS * 1e6, "us/s", "GDBus", theirs * 2e5, "")
        aim = "0" if is_told else ""
        row("  wake-ups", woken, f"in {IDLE_SECONDS} s", "GDBus", their_wakes, aim)
        [theirs] = ask_peer("update", subject.kind)
        aim = "<= 400 us" if subject.kind == "battery" else ""
        row("  one update", spent_on_one * 1e6, "us", "GDBus", theirs * 1e6, aim)


def absent(address: str) -> None:
    """What calls take while no daemon has its name, and what is then asked of the bus."""
    with gk.Context(f"local:bus={address}") as context:
        sources = [context.open(kind) for kind in ABSENT]
        for source in sources:
            spent: list[float] = []
            for _ in range(CALLS):
                begin = time.perf_counter()
                with contextlib.suppress(gk.GatheredKitError):
                    source.update()
                spent.append(time.perf_counter() - begin)
            row(f"{source.id} without its daemon", max(spent) * 1e3, "ms", "", 0, "<= 50 ms")
        row("  asked of the bus", questions(sources, address), f"in {IDLE_SECONDS} s", "", 0, "0")


def questions(sources: list[gk.Source], address: str) -> int:
    """Calls to the bus while sources without a daemon are waiting for it."""
    watch = ("dbus-monitor", "--address", address, "type=method_call")
    with subprocess.Popen(watch, stdout=subprocess.PIPE, text=True) as monitor:
        for source in sources:
            with contextlib.suppress(gk.GatheredKitError):
                source.start(every=1)
        time.sleep(1)
        begin = time.time()
        time.sleep(IDLE_SECONDS)
        monitor.terminate()
        calls = re.findall(r"^method call time=([0-9.]+)", monitor.communicate()[0], re.M)
    return sum(float(when) >= begin for when in calls)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with private_bus(folder) as address:
            absent(address)
            for subject in SUBJECTS:
                present(subject, address)
        streams.measure(folder)
    screen.measure()


if __name__ == "__main__":
    {"feed": feed, "peer": peer}.get(sys.argv[1] if sys.argv[1:] else "", lambda *_: main())(
        *sys.argv[2:]
    )
