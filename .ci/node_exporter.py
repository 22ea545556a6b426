"""What `.ci/try-metrics` compares: node_exporter's page and ours, of a tree or of this machine."""

import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

EXPORTER = "prometheus-node-exporter"
PATIENCE = 20.0
Labels = frozenset[tuple[str, str]]
SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass
class Family:
    """All samples of one name."""

    kind: str = "untyped"
    samples: dict[Labels, float] = field(default_factory=dict)


Page = dict[str, Family]


def parsed(text: str) -> Page:
    """The families of a page in Prometheus's text 0.0.4."""
    page: Page = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name, kind = line.split()[2:4]
            page.setdefault(name, Family()).kind = kind
        elif line and not line.startswith("#"):
            found = SAMPLE.fullmatch(line)
            assert found is not None, line
            labels = frozenset(LABEL.findall(found[2] or ""))
            samples = page.setdefault(found[1], Family()).samples
            assert labels not in samples, f"twice: {line}"
            samples[labels] = float(found[3])
    return page


class Exporter:
    """node_exporter on loopback, reading a tree, or this machine without one."""

    def __init__(self, tree: Path | None) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.log = Path(self.folder.name) / "log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.words = [EXPORTER, f"--web.listen-address={self.address}", "--log.level=error"]
        if tree:
            # Its own way to counters of interfaces asks this machine's kernel.
            self.words += ["--no-collector.netdev.netlink", f"--path.procfs={tree}/proc"]
            self.words += [f"--path.sysfs={tree}/sys", f"--path.rootfs={tree}"]
            self.words += [f"--path.udev.data={tree}/run/udev/data"]
        # Collectors at which it ended: it is started again without them.
        self.fatal: list[str] = []
        self.start()

    def start(self) -> None:
        without = [f"--no-collector.{name}" for name in self.fatal]
        with self.log.open("w") as log:
            self.process = subprocess.Popen([*self.words, *without], stderr=log)

    def page(self) -> Page:
        """A scrape; the first waits until it listens."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"http://{self.address}/metrics") as answer:
                    return parsed(answer.read().decode())
            except OSError:
                if time.monotonic() > end:
                    raise
                if self.process.poll() is not None:
                    found = re.search(r"\(\*(\w+?)(Stats)?Collector\)", text_of(self.log))
                    assert found is not None, "node_exporter ended, and not by a collector"
                    self.fatal.append(found[1])
                    self.start()
                time.sleep(0.05)

    def __enter__(self) -> "Exporter":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def ours(command: Path, tree: Path | None) -> Page:
    """What we say of a tree, or of this machine, when we had the time to read all."""
    context = f"local:root={tree}" if tree else "local:"
    words = [str(command), "metrics", "--node", "--context", context]
    end = time.monotonic() + PATIENCE
    while True:
        page = parsed(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        if page["gathered_scrape_late"].samples[frozenset()] == 0:
            return page
        assert time.monotonic() < end, f"{context}: not all is read in time"


def text_of(file: Path) -> str:
    """A file's text without white space around it; empty where it cannot be read."""
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def prepare(machine: Path, tree: Path) -> None:
    """Copies a captured machine, and adds files that node_exporter wants besides those it has: each
    kernel has them, and in them what the others say already."""
    shutil.copytree(machine, tree, symlinks=True)
    for name in ["proc", "sys"]:
        (tree / name).mkdir(exist_ok=True)
    for zone in tree.glob("sys/class/thermal/thermal_zone*"):
        complete(zone / "policy", "step_wise")
    for folder in tree.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq"):
        for name in ["available_governors", "driver", "governor", "setspeed"]:
            complete(folder / f"scaling_{name}", "powersave")
        complete(folder / "related_cpus", folder.parent.name.removeprefix("cpu"))
    if (tree / "proc/pressure").is_dir():
        for name in ["cpu", "io", "memory"]:
            numbers = "avg10=0.00 avg60=0.00 avg300=0.00 total=0"
            complete(tree / "proc/pressure" / name, f"some {numbers}\nfull {numbers}")
    mounts = [mount.line for mount in mounts_of(tree)]
    if mounts:
        complete(tree / "proc/mounts", "\n".join(mounts))
    interfaces = [counters(folder) for folder in (tree / "sys/class/net").glob("*/statistics")]
    if interfaces:
        complete(tree / "proc/net/dev", "\n\n" + "\n".join(interfaces))


def complete(file: Path, text: str) -> None:
    """Makes a file that is missing."""
    if not file.exists() and not file.is_symlink():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")


def counters(folder: Path) -> str:
    """The line of /proc/net/dev for an interface, by its counters."""

    def numbers(way: str, names: str) -> str:
        return " ".join(text_of(folder / f"{way}_{name}") or "0" for name in names.split())

    received = numbers("rx", "bytes packets errors dropped fifo frame compressed multicast")
    sent = numbers("tx", "bytes packets errors dropped fifo collisions carrier compressed")
    return f"{folder.parent.name}: {received} {sent}"


@dataclass
class Mount:
    """A line of the table of mounts."""

    device: str
    point: str
    # As /proc/mounts has it.
    line: str


def mounts_of(tree: Path) -> list[Mount]:
    """The mounts of a tree, or of this machine."""
    lines = text_of(tree / "proc/self/mountinfo") or text_of(tree / "proc/1/mountinfo")
    mounts = []
    for line in lines.splitlines():
        words = line.split(" ")
        if len(words) < 9 or "-" not in words[6:]:
            continue
        kind, source, *flags = words[words.index("-", 6) + 1 :]
        # Read-only, be it the mount or the file system.
        modes = {word for text in [words[5], *flags[:1]] for word in text.split(",")}
        mode = "ro" if "ro" in modes else "rw"
        mounts.append(Mount(words[2], words[4], f"{source} {words[4]} {kind} {mode} 0 0"))
    return mounts
