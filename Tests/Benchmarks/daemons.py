"""What daemons on the message bus cost, beside GDBus: an idle subscription, an update of each
kind, and calls while no daemon is there. Takes a private bus and dbusmock; prints rows as
measure.h does. To be run by the system's Python, which has both."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import dbus
import gatheredkit as gk
from gi.repository import Gio, GLib

from measure import row

IDLE_SECONDS = 5
UPDATES = 40
# Event-driven updates are at least a tenth of a second apart.
SPACING = 0.12
CALLS = 20
MOCK = "org.freedesktop.DBus.Mock"


@dataclass
class Subject:
    """A kind, the mock of its daemon, and the object and property that are changed."""

    kind: str
    template: str
    service: str
    path: str
    interface: str
    property: str
    values: tuple[object, object]
    prepare: Callable[[dbus.Bus], object]

    def change(self, bus: dbus.Bus, turn: int) -> None:
        mock = dbus.Interface(bus.get_object(self.service, self.path), MOCK)
        mock.UpdateProperties(self.interface, {self.property: self.values[turn % 2]})


def add_battery(bus: dbus.Bus) -> None:
    mock = dbus.Interface(bus.get_object("org.freedesktop.UPower", "/org/freedesktop/UPower"), MOCK)
    mock.AddDischargingBattery("bench", "Bench", 50.0, dbus.Int64(3600))


def add_adapter(bus: dbus.Bus) -> None:
    dbus.Interface(bus.get_object("org.bluez", "/"), "org.bluez.Mock").AddAdapter("hci0", "bench")


def add_lid(bus: dbus.Bus) -> None:
    mock = dbus.Interface(bus.get_object("org.freedesktop.login1", "/org/freedesktop/login1"), MOCK)
    mock.AddProperty("org.freedesktop.login1.Manager", "LidClosed", dbus.Boolean(False))


SUBJECTS = [
    Subject(
        "battery",
        "upower",
        "org.freedesktop.UPower",
        "/org/freedesktop/UPower/devices/bench",
        "org.freedesktop.UPower.Device",
        "Percentage",
        (dbus.Double(40), dbus.Double(41)),
        add_battery,
    ),
    Subject(
        "bluetooth",
        "bluez5",
        "org.bluez",
        "/org/bluez/hci0",
        "org.bluez.Adapter1",
        "Discoverable",
        (dbus.Boolean(True), dbus.Boolean(False)),
        add_adapter,
    ),
    Subject(
        "switches",
        "logind",
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
        "LidClosed",
        (dbus.Boolean(True), dbus.Boolean(False)),
        add_lid,
    ),
]
ABSENT = ["battery", "bluetooth", "bluetooth_device", "cell_radio", "proximity", "ambient_light"]


@contextlib.contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process as long as it is wanted."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def private_bus(folder: str) -> Iterator[str]:
    """A message bus of our own; its address, also as that of the system's."""
    address = f"unix:path={folder}/bus"
    with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
        file.write(
            f"<busconfig><type>session</type><listen>{address}</listen><auth>EXTERNAL</auth>"
            '<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>'
            '<allow own="*"/><allow eavesdrop="true"/></policy></busconfig>\n'
        )
    with running("dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf"):
        wait_for(lambda: os.path.exists(f"{folder}/bus"))
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        yield address


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


def used() -> tuple[float, int]:
    """Seconds of processor time of this process, and how often it was woken."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID), usage.ru_nvcsw


def cost(seconds: float, wait: Callable[[float], None]) -> tuple[float, int]:
    """Processor time and wake-ups of a wait, the waiter's own one left out."""
    before = used()
    wait(seconds)
    after = used()
    return after[0] - before[0], max(0, after[1] - before[1] - 1)


def fed(subject: Subject, wait: Callable[[float], None]) -> float:
    """Processor seconds of one change while a feeder of its own makes them."""
    with running(sys.executable, __file__, "feed", subject.kind):
        wait(1.5)
        return cost(UPDATES * SPACING, wait)[0] / UPDATES


def feed(kind: str) -> None:
    """Changes a value again and again."""
    subject = next(each for each in SUBJECTS if each.kind == kind)
    bus = dbus.SystemBus()
    for turn in range(1 << 20):
        subject.change(bus, turn)
        time.sleep(SPACING)


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

    def hear(self, *_: object) -> None:
        self.heard += 1

    def wait(self, seconds: float) -> None:
        GLib.timeout_add(int(seconds * 1000), self.loop.quit)
        self.loop.run()


def peer(what: str, kind: str) -> None:
    """Prints the cost of GDBus, in a process of its own."""
    gdbus = GDBus()
    if what == "idle":
        print(*cost(IDLE_SECONDS, gdbus.wait))
    else:
        subject = next(each for each in SUBJECTS if each.kind == kind)
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
    mock = ("-m", "dbusmock", "--template", subject.template)
    with running(sys.executable, *mock):
        bus = dbus.SystemBus()
        wait_for(lambda: bus.name_has_owner(subject.service))
        subject.prepare(bus)
        heard: list[object] = []
        with gk.Context(f"local:bus={address}", allow=["all"]) as context:
            source = context.open(subject.kind)
            connection = source.listen(heard.append)
            source.start(every=3600)
            time.sleep(1)
            spent, woken = cost(IDLE_SECONDS, time.sleep)
            before = len(heard)
            spent_on_one = fed(subject, time.sleep)
            if len(heard) - before < UPDATES / 2:
                raise SystemExit(f"{subject.kind}: {len(heard) - before} updates came")
            connection.disconnect()
        theirs, their_wakes = ask_peer("idle", subject.kind)
        name = f"{subject.kind} by {subject.template}"
        row(f"{name}, idle", spent / IDLE_SECONDS * 1e6, "us/s", "GDBus", theirs * 2e5, "")
        row("  wake-ups", woken, f"in {IDLE_SECONDS} s", "GDBus", their_wakes, "0")
        [theirs] = ask_peer("update", subject.kind)
        row("  one update", spent_on_one * 1e6, "us", "GDBus", theirs * 1e6, "")


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


if __name__ == "__main__":
    {"feed": feed, "peer": peer}.get(sys.argv[1] if sys.argv[1:] else "", lambda *_: main())(
        *sys.argv[2:]
    )
