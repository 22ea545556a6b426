"""The same reads from Python: gatheredkit beside psutil. Prints rows as measure.h does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import gatheredkit as gk
import psutil

from measure import measure, row


def compare(
    name: str, source: gk.Source, key: str, theirs: Callable[[], object], aim: str
) -> float:
    """Reads all of a source and looks at one value, as users of psutil do; the microseconds."""
    figures = interleave(lambda: source.update()[key].value, theirs)
    row(name, *figures, aim)
    return figures[0]


def interleave(
    ours: Callable[[], object], theirs: Callable[[], object]
) -> tuple[float, str, str, float]:
    mine, peers = measure(ours, theirs)
    return mine, "us", "psutil", peers


def psutil_tick() -> None:
    """What a monitor made with psutil asks once a second."""
    psutil.virtual_memory()
    psutil.swap_memory()
    psutil.cpu_times(percpu=True)
    psutil.cpu_freq(percpu=True)
    psutil.getloadavg()
    for part in psutil.disk_partitions():
        psutil.disk_usage(part.mountpoint)
    psutil.disk_io_counters(perdisk=True)
    psutil.net_io_counters(pernic=True)
    psutil.net_if_stats()
    psutil.net_if_addrs()
    psutil.sensors_battery()
    psutil.sensors_temperatures()


def limits(reads: str) -> dict[str, float]:
    """Microseconds of the same files, kept open and read by C alone."""
    told = subprocess.run([reads, "limits"], check=True, capture_output=True, text=True).stdout
    return {kind: float(spent) for kind, spent in map(str.split, told.splitlines())}


def main(tick: str, reads: str) -> None:
    limit = limits(reads)
    with gk.Context("local:") as context:
        memory, cpu, network = (context.open(kind) for kind in ("memory", "cpu", "network"))
        root = context.open("storage|%2F")
        compare("Python: memory", memory, "available", psutil.virtual_memory, "<= 0.35 x")
        spent = compare("Python: cpu", cpu, "usage", psutil.cpu_times, "<= 0.8 x")
        # Where most of psutil's time is the kernel's, a factor of that is the aim.
        row("", spent, "us", "kept files in C", limit["cpu"], "<= 1.5 x")
        compare("Python: storage of /", root, "free", lambda: psutil.disk_usage("/"), "")
        spent = compare("Python: network", network, "rx_bytes", psutil.net_io_counters, "<= 0.25 x")
        row("", spent, "us", "kept files in C", limit["network"], "<= 1.5 x")
        volumes = interleave(lambda: context.sources("storage"), psutil.disk_partitions)
        row("Python: list of volumes", *volumes, "<= 0.5 x")
    [theirs] = measure(psutil_tick)
    told = subprocess.run([tick], check=True, capture_output=True, text=True).stdout
    ours, kept_open = map(float, told.split())
    row("all file-based kinds, a tick", ours, "ms", "psutil loop", theirs / 1e3, "<= 0.25 ms")
    row("", ours, "ms", "kept files in C", kept_open, "")


def battery_only() -> None:
    """Where the battery is another than the computer's own."""
    with gk.Context("local:") as context:
        battery = context.open("battery|BAT0")
        compare("Python: battery", battery, "level", psutil.sensors_battery, "<= 0.25 x")


if __name__ == "__main__":
    battery_only() if sys.argv[1] == "battery" else main(*sys.argv[1:])
