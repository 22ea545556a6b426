"""What `.ci/try-fleet-hosts` runs on its hosts, and what comes of that."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import gatheredkit as gk
from lossy_cable import ip

PATIENCE = 60.0
FAST = "accelerometer|mpu6050"
SLOW = "battery|aggregate"


class Missing(Exception):
    """What cannot be tried here, and why."""


class Counts:
    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, what: str, holds: bool, found: object = "") -> None:
        """One check, with what was found."""
        self.passed, self.failed = self.passed + holds, self.failed + (not holds)
        end = f": {found}" if found != "" else ""
        print(f"{'ok     ' if holds else 'FAILED '} {what}{end}", flush=True)

    def wait(self, what: str, holds: Callable[[], bool], limit: float) -> None:
        """Waits for something for so many seconds, and tells how long it took."""
        begin = time.monotonic()
        while not (found := holds()) and time.monotonic() < begin + limit:
            time.sleep(0.2)
        self.check(what, found, f"after {time.monotonic() - begin:.1f} s")


def finish(process: subprocess.Popen[bytes]) -> int:
    """Ends a program as Ctrl-C does; its exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    return process.wait(PATIENCE)


class Host:
    """A network namespace, and what runs in it."""

    def __init__(self, word: str, ends: ExitStack) -> None:
        self.name = f"gk-{os.getpid()}-{word}"
        self.ends = ends
        ip("netns", "add", self.name)
        ends.callback(ip, "netns", "delete", self.name)
        ip("-n", self.name, "link", "set", "lo", "up")

    def start(
        self,
        *words: str,
        output: Path | None = None,
        errors: int | None = None,
        has_input: bool = False,
    ) -> subprocess.Popen[bytes]:
        """Starts a program, which is ended with all."""
        command = ["ip", "netns", "exec", self.name, *words]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if output is None else output.open("wb"),
            stderr=errors,
        )
        self.ends.callback(finish, process)
        return process

    def run(self, *words: str) -> str:
        """What a program prints."""
        command = ["ip", "netns", "exec", self.name, *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE, check=False)
        return done.stdout.decode()


class Watch:
    """What `gathered watch --json` prints into a file."""

    def __init__(self, output: Path) -> None:
        self._file = output.open("rb")
        self._rest = b""
        self._counts: dict[tuple[str, str], int] = {}

    def _count(self, source: str, status: str) -> int:
        """How many readings of a source have had a value of a status so far."""
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        for line in map(json.loads, lines):
            for each in {value["status"] for value in line.get("values", {}).values()}:
                key = (line["id"], each)
                self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts.get((source, status), 0)

    def comes(self, source: str, status: str = "ok") -> Callable[[], bool]:
        """Whether a reading comes from now on."""
        before = self._count(source, status)
        return lambda: self._count(source, status) > before


class Row(NamedTuple):
    """A reading of a machine: when it was by the machine's clock, and all that it says."""

    time: int
    values: str


def rows(gathered: str, path: Path) -> list[Row]:
    """The readings in a recording of one source, in the order of their times.

    What is stale is none, and one that is good again is said once more. Numbers are texts that
    mean them to the last bit.
    """
    target = path.with_suffix(".jsonl")
    subprocess.run([gathered, "export", str(path), str(target), "--overwrite"], check=True)
    found: list[Row] = []
    known: set[Row] = set()
    is_away = may_repeat = False
    for line in map(json.loads, target.read_text("utf-8").splitlines()):
        if not (values := line.get("values")):
            continue
        if next(iter(values.values()))["status"] != "ok":
            may_repeat = may_repeat or not is_away
            is_away = True
            continue
        is_away = False
        row = Row(line["time_ns"], json.dumps(values))
        if row in known and may_repeat:
            may_repeat = False
            continue
        known.add(row)
        found.append(row)
    return sorted(found)


def publish(uri: str, folder: Path) -> int:
    """The publisher's own program: what is published is recorded as well, until input ends."""
    with (
        gk.Context("sim:phone", allow="all") as phone,
        gk.Recorder(
            phone, uri, format="mqtt", device="pi", rows="always", spool=str(folder / "pi")
        ) as sink,
        gk.Recorder(phone, folder / "own.gkr") as recorder,
        phone.open(FAST) as source,
    ):
        sink.add(source)
        recorder.add(source)
        source.start(every=0.02)
        sys.stdin.read()
        source.stop()
        recorder.flush(timeout=PATIENCE)
        sink.flush(timeout=PATIENCE)
        end = time.monotonic() + PATIENCE
        while (sink.info().spooled_rows or 0) > 0 and time.monotonic() < end:
            time.sleep(0.1)
        told = sink.info()
        facts: dict[str, object] = {
            each: getattr(told, each)
            for each in ("rows_taken", "rows_lost", "rows_acknowledged", "connections")
        }
        facts["is_clean"] = told.rows_lost == 0 and not told.spooled_rows
        (folder / "sink.json").write_text(json.dumps(facts))
    return 0
