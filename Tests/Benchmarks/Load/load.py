"""What load costs: domains of power, channels of hwmon, control groups, beside C and the tools of
the system; and the discovery of kinds on a machine that has none of them.

    load.py FILES FOLDER    the program of files.c, a folder for devices

The devices are files, shown as this computer's where a name space of mounts may be made. Prints
rows as measure.h does."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gatheredkit as gk
from measure import measure, row

KINDS = [
    "gpu",
    "power",
    "fan",
    "voltage",
    "current",
    "session",
    "capture",
    "unit",
    "time",
    "disk",
    "ups",
]
GROUPS = Path("/sys/fs/cgroup/gathered-bench")
CLASSES = Path("/sys/class")


def write(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(f"{text}\n", "ascii")


def beside_files(
    program: str, ids: list[str], paths: list[Path], name: str, aim: str
) -> None:
    """Prints the row of readings beside kept files."""
    lines = [*ids, "", *map(str, paths)]
    words = [program, "local:", name, aim]
    subprocess.run(words, input="\n".join(lines) + "\n", text=True, check=True)


def ids_of(kind: str) -> list[str]:
    with gk.Context("local:") as context:
        return [
            each.id for each in context.sources(kind) if each.id != f"{kind}|aggregate"
        ]


def make_zones(classes: Path) -> None:
    """Eight zones of two packages."""
    for package in range(2):
        names = [f"package-{package}", "core", "uncore", "dram"]
        for place, name in enumerate(names):
            suffix = "" if place == 0 else f":{place - 1}"
            energy = {"energy_uj": "123456789", "max_energy_range_uj": "262143328850"}
            limit = {
                "constraint_0_name": "long_term",
                "constraint_0_power_limit_uw": "15000000",
            }
            zone = classes / f"powercap/intel-rapl:{package}{suffix}"
            write(zone, {"name": name, "enabled": "1", **energy, **limit})


def make_channels(classes: Path) -> None:
    """Forty channels of voltage of four chips."""
    for chip in range(4):
        place = classes / f"hwmon/hwmon{chip}"
        write(place, {"name": f"bench{chip}"})
        for number in range(10):
            facts = {
                "input": "1204",
                "label": f"Rail {number}",
                "min": "1000",
                "max": "1400",
            }
            write(place, {f"in{number}_{key}": text for key, text in facts.items()})


def zones(program: str) -> None:
    ids = ids_of("power")
    if len(ids) != 8:
        raise SystemExit(f"not eight zones: {ids}")
    paths = sorted(CLASSES.glob("powercap/*/energy_uj"))
    paths += sorted(CLASSES.glob("powercap/*/*_power_limit_uw"))
    paths += sorted(CLASSES.glob("powercap/*/max_energy_range_uj"))
    beside_files(program, ids, paths, "read power of eight zones", "<= 1.5 x")


def spent_by(words: list[str]) -> float:
    """Microseconds of processor time of a command, the least of ten."""
    times = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return min(times) * 1e6


def channels(program: str) -> None:
    ids = ids_of("voltage")
    if len(ids) != 40:
        raise SystemExit(f"not forty channels: {ids}")
    paths = [
        each
        for key in ("input", "min", "max")
        for each in CLASSES.glob(f"hwmon/*/in*_{key}")
    ]
    beside_files(program, ids, paths, "read forty channels of hwmon", "")
    if shutil.which("sensors") is None:
        print("no sensors(1) to compare with", file=sys.stderr)
        return
    with gk.Context("local:") as context:
        sources = [context.open(each) for each in ids]
        [ours] = measure(lambda: [source.update() for source in sources])
    row("  from Python", ours, "us", "sensors(1)", spent_by(["sensors"]), "<= 0.5 x")


@contextmanager
def groups(count: int) -> Iterator[list[Path]]:
    """Control groups of this computer, without processes."""
    made = [GROUPS / f"bench-{number}.service" for number in range(count)]
    for each in made:
        each.mkdir(parents=True)
    try:
        yield made
    finally:
        for each in made:
            each.rmdir()
        GROUPS.rmdir()


def units() -> None:
    if not (GROUPS.parent / "cgroup.procs").exists():
        # In a name space of our own.
        mount = ["mount", "-t", "cgroup2", "none", str(GROUPS.parent)]
        if subprocess.run(mount, check=False).returncode != 0:
            print("no control groups of version 2 can be made", file=sys.stderr)
            return
    with groups(300), gk.Context("local:") as context:
        sources = [context.open(each.id) for each in context.sources("unit")]
        if len(sources) < 300:
            raise SystemExit(f"not 300 groups: {len(sources)}")
        [ours] = measure(lambda: [source.update() for source in sources])
        words = ["systemd-cgtop", "--batch", "--iterations=1", "--depth=5"]
        theirs = spent_by(words) if shutil.which(words[0]) else 0
        row(
            "read unit of 300 groups",
            ours,
            "us",
            "systemd-cgtop -n 1",
            theirs,
            "<= 0.5 x",
        )
    growth()


def resident() -> int:
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * resource.getpagesize()


def growth() -> None:
    """Control groups that come and go while the list of units is watched."""
    heard = 0

    def note(_: gk.Event) -> None:
        nonlocal heard
        heard += 1

    with gk.Context("local:") as context:
        watch = context.listen_events(note, "unit")
        come_and_go(100, context)
        before, known = resident(), heard
        for _ in range(10):
            come_and_go(100, context)
        row(
            "1000 groups come and go, growth",
            (resident() - before) / 1024,
            "KiB",
            "",
            0,
            "none",
        )
        if heard == known:
            raise SystemExit("no group was seen")
        watch.disconnect()


def come_and_go(count: int, context: gk.Context) -> None:
    with groups(count):
        context.rescan()
    context.rescan()


def discovery(folder: Path) -> None:
    """All kinds of load, presence and health where there are none."""
    folder.mkdir(exist_ok=True)
    known = [kind for kind in KINDS if kind in {each.kind for each in gk.kinds()}]

    def discover() -> None:
        with gk.Context(f"local:root={folder}") as context:
            for kind in known:
                context.sources(kind)

    begin: Callable[[], float] = time.perf_counter
    spent = []
    for _ in range(20):
        start = begin()
        discover()
        spent.append(begin() - start)
    row(
        f"{len(known)} absent kinds discovered",
        min(spent) * 1e3,
        "ms",
        "",
        0,
        "<= 10 ms",
    )


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    if len(sys.argv) > 3:
        zones(program)
        channels(program)
        units()
        return
    make_zones(folder / "class")
    make_channels(folder / "class")
    show = 'mount --bind "$1" /sys/class && shift && exec "$@"'
    words = [sys.executable, *sys.argv, "shown"]
    shown = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        show,
        "sh",
        str(folder / "class"),
        *words,
    ]
    if subprocess.run(shown, check=False).returncode != 0:
        print("no devices can be shown as this computer's", file=sys.stderr)
    discovery(folder / "nothing")


main()
