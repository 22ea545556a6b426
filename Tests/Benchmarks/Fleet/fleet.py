"""Fleets: what it costs to publish and to read, beside programs in C and in Python that do the same
with libmosquitto and paho-mqtt, at Debian's mosquitto:

    fleet.py PROGRAMS

PROGRAMS is the folder of what is built of Fleet/*.c. Prints rows as measure.h does. What a peer is
given is said at each part; its figures are of the same minutes.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gatheredkit as gk
import paho.mqtt.client as paho
import pyarrow
from machines import PATIENCE, SOURCES, available, broker, crowd, opened
from measure import row

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Recordings"))
from written import captured, shaken

SECONDS = 5
KINDS = 24
DEVICES = 1000
ROUNDS = 3
# What the rounds of `publishing` and `decoding` take, and a spool, in seconds.
SHAKEN = 120
SPOOLED = 1200


def figures(*words: object) -> list[float]:
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, check=True
    )
    return [float(word) for word in done.stdout.split()]


def fast_sensor(programs: Path, uri: str) -> None:
    """An accelerometer at 1 kHz: ours takes rows as a sensor buffers them, with all 18 properties,
    their states, both clocks and sequence; the peer sends time, sequence and three axes."""
    with broker() as mine:
        ours = figures(
            programs / "publishing", mine.port, uri, SECONDS, 500_000, "accelerometer"
        )
        theirs = figures(programs / "samples", mine.port, SECONDS)
    name, peer = "1 kHz accelerometer published", "JSON a sample, C"
    costs = [each[1] - each[0] for each in (ours, theirs)]
    row(name, costs[0], "ms CPU/s", peer, costs[1], "<= 0.05 x")
    row("  gathered, not published", ours[0], "ms CPU/s", "", 0, "")
    row(
        "  payload",
        ours[4] / ours[2],
        "bytes/row",
        peer,
        theirs[4] / theirs[2],
        "<= 8 bytes",
    )


def many_kinds(programs: Path) -> None:
    """24 kinds at 1 Hz: the peer sends the values it is given once, a message a property."""
    with gk.Context("sim:laptop") as laptop:
        kinds = list(
            dict.fromkeys(each.partition("|")[0] for each in available(laptop))
        )[:KINDS]
        values = []
        for kind in kinds:
            reading = laptop.read(kind, PATIENCE, missing="ok")
            with laptop.open(kind) as source:
                values += [
                    (f"{kind}/{key}", reading[key].value, str(found.unit))
                    for key, found in source.properties.items()
                ]
    with broker() as mine:
        words = [
            programs / "publishing",
            mine.port,
            "sim:laptop",
            SECONDS,
            10**9,
            *kinds,
        ]
        ours = figures(*words)
        peer = [sys.executable, __file__, "properties", str(mine.port)]
        text = json.dumps(
            [each for each in values if isinstance(each[1], (int, float, str))]
        )
        done = subprocess.run(
            peer, input=text, stdout=subprocess.PIPE, text=True, check=True
        )
        theirs = [float(word) for word in done.stdout.split()]
    name = f"{KINDS} kinds at 1 Hz published"
    row(
        name,
        (ours[1] - ours[0]) / 10,
        "% of a core",
        "paho, a property",
        theirs[0],
        "<= 1 %",
    )
    row("  with what gathers them", ours[1] / 10, "% of a core", "", 0, "")
    row("  payload", ours[4] / 1e3, "kB/s", "paho, a property", theirs[1], "<= 30 kB/s")


def properties(port: int) -> None:
    """The peer: sends values that standard input tells, each second, a message each."""
    values = json.load(sys.stdin)
    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", port)
    client.loop_start()
    sent, begin, spent = 0, time.monotonic(), time.process_time()
    for second in range(SECONDS * ROUNDS):
        for topic, value, unit in values:
            message = {"value": value, "unit": unit, "time": time.time()}
            text = json.dumps(message)
            client.publish(f"properties/{topic}", text, qos=1, retain=True)
            sent += len(text)
        time.sleep(max(0, begin + second + 1 - time.monotonic()))
    seconds = time.monotonic() - begin
    share = (time.process_time() - spent) / seconds * 100
    print(share, sent / seconds / 1e3)
    client.loop_stop()


def many_machines(programs: Path) -> None:
    """1000 machines of 30 sources: the peer asks in the same way, and keeps what comes."""
    with broker() as mine, crowd(programs / "crowd", mine.port, DEVICES):
        turns = [
            [
                opened(programs / name, mine.port, DEVICES)[0]
                for name in ("opening", "asking")
            ]
            for _ in range(ROUNDS)
        ]
    ours, theirs = (
        [statistics.median(column) for column in zip(*each, strict=True)]
        for each in zip(*turns, strict=True)
    )
    name, peer, count = (
        f"{DEVICES} machines x {SOURCES} sources",
        "C, the same way",
        DEVICES * SOURCES,
    )
    whole = [ours[0] + ours[1], theirs[0] + theirs[1]]
    row(name, whole[0], "s", peer, whole[1], "<= 1.5 x")
    row("  the list of them", ours[0], "s", peer, theirs[0], "")
    row(f"  what {count} sources are", ours[1], "s", peer, theirs[1], "")
    row(
        "  missing",
        2 * count - ours[2] - ours[3],
        "sources",
        peer,
        count - theirs[4],
        "0",
    )
    row("  heap of an idle source", ours[4], "bytes", "", 0, "<= 8192")
    row("  of one that was opened", ours[5], "bytes", "", 0, "")
    row("  most resident", ours[6], "MiB", "C, texts alone", theirs[5], "<= 256 MiB")


def spool(folder: Path) -> None:
    """What a spool holds goes to the broker: the peer reads the same recording, into Arrow."""
    uri, place = captured(folder, shaken(SPOOLED)), folder / "spool"
    recording = f"replay:{place / 'pi.gkr'}"

    def kept(uri: str, *ids: str) -> gk.Recording:
        return gk.publish(
            uri, ids, every=1e-3, device="pi", spool=place, context=machine
        )

    with gk.Context(uri, loop="manual") as machine:
        with kept("mqtt:127.0.0.1:1", "accelerometer") as before:
            machine.seek(SPOOLED)
            before.recorder.flush(timeout=PATIENCE)
            size = (before.info().spooled_bytes or 0) / 1e6
        begin = time.monotonic()
        with gk.Context(recording, loop="manual") as replay:
            rows = pyarrow.table(replay["accelerometer"]).num_rows
        theirs = size / (time.monotonic() - begin)
        with broker() as mine, kept(f"mqtt:127.0.0.1:{mine.port}") as after:
            wait(lambda: after.info().connections == 1)
            begin = time.monotonic()
            wait(lambda: after.info().spooled_rows == 0)
            ours = size / (time.monotonic() - begin)
            if after.info().rows_acknowledged != rows:
                raise SystemExit("the broker has not what the recording has")
    row("spool sent", ours, "MB/s", "read into Arrow", theirs, ">= 0.5 x, or 20")


def wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("it takes too long")
        time.sleep(0.001)


def main() -> None:
    programs = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        uri = captured(folder, shaken(SHAKEN))
        fast_sensor(programs, uri)
        many_kinds(programs)
        with broker() as mine:
            words = [programs / "decoding", mine.port, folder, uri, SECONDS]
            subprocess.run([str(word) for word in words], check=False)
        for program in ("throughput", "latency"):
            with broker() as mine:
                subprocess.run([str(programs / program), str(mine.port)], check=False)
        many_machines(programs)
        spool(folder / "much")


if __name__ == "__main__":
    if sys.argv[1] == "properties":
        properties(int(sys.argv[2]))
    else:
        main()
