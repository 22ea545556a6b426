"""What positions and loudness cost: gpsd, fed by gpsfake, beside a socket that reads its JSON, and
a microphone that is a file beside arecord. Rows as measure.h prints them."""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator

import gatheredkit as gk
from costs import cost, running, wait_for
from measure import row

SECONDS = 5
SOUND_SECONDS = 60
# Two sentences an epoch: ten epochs a second.
PACE = "0.05"
RATE = 48000


def free_port() -> int:
    """A port of this computer that no server listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    """Whether a server listens there."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def speaks(port: int) -> bool:
    """Whether a gpsd tells of positions, within a second."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b'?WATCH={"enable":true,"json":true};\n')
        client.settimeout(1)
        with contextlib.suppress(TimeoutError):
            while said := client.recv(65536):
                if b'"class":"TPV"' in said:
                    return True
    return False


def sentence(body: str) -> str:
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n"


def write_log(path: str) -> None:
    """A tenth of a second after the other, going north."""
    with open(path, "w", encoding="ascii", newline="") as file:
        for tenth in range(36000):
            minute, rest = divmod(tenth, 600)
            moment = f"12{minute:02d}{rest / 10:05.2f}"
            place = f"47{30 + tenth / 1e4:09.6f},N,01903.000000,E"
            file.write(sentence(f"GPRMC,{moment},A,{place},10.00,0.000,060626,,,A"))
            file.write(sentence(f"GPGGA,{moment},{place},1,08,0.9,235.4,M,43.7,M,,"))


@contextlib.contextmanager
def speaking(folder: str) -> Iterator[int]:
    """A gpsd whose receiver speaks; its port."""
    port, log = free_port(), f"{folder}/north.nmea"
    write_log(log)
    with running("gpsfake", "-q", "-c", PACE, "-P", str(port), log):
        wait_for(lambda: answers(port) and speaks(port))
        yield port


@contextlib.contextmanager
def silent() -> Iterator[int]:
    """A gpsd whose receiver says nothing; its port."""
    port = free_port()
    with socket.socket() as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.listen()
        source = f"tcp://127.0.0.1:{receiver.getsockname()[1]}"
        with running("gpsd", "-N", "-n", "-S", str(port), source):
            wait_for(lambda: answers(port))
            yield port


def our_cost(port: int) -> tuple[float, int, int]:
    """Processor seconds, wake-ups and updates while a source listens."""
    heard: list[object] = []
    with gk.Context(f"local:gpsd=127.0.0.1:{port}", allow=["location"]) as context:
        source = context.open("gps")
        connection = source.listen(heard.append)
        source.start(every=3600)
        time.sleep(2)
        before = len(heard)
        spent, woken = cost(SECONDS, time.sleep)
        found = len(heard) - before
        connection.disconnect()
    return spent, woken, found


def read_json(port: str) -> None:
    """Prints what a plain client costs: processor seconds, wake-ups, reports of a position."""
    with socket.create_connection(("127.0.0.1", int(port))) as client:
        client.sendall(b'?WATCH={"enable":true,"json":true};\n')
        found, rest = 0, b""

        def wait(seconds: float) -> None:
            nonlocal found, rest
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                client.settimeout(left)
                try:
                    *lines, rest = (rest + client.recv(65536)).split(b"\n")
                except TimeoutError:
                    return
                found += sum(json.loads(line)["class"] == "TPV" for line in lines)

        wait(2)
        found = 0
        print(*cost(SECONDS, wait), found)


def their_cost(port: int) -> list[float]:
    words = [sys.executable, __file__, "json", str(port)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def positions(folder: str) -> None:
    """Rows of the kind gps."""
    with silent() as port:
        spent, woken, _ = our_cost(port)
        theirs, their_wakes, _ = their_cost(port)
    row("gps by gpsd, idle", spent / SECONDS * 1e6, "us/s", "json", theirs / SECONDS * 1e6, "")
    row("  wake-ups", woken, f"in {SECONDS} s", "json", their_wakes, "")
    with speaking(folder) as port:
        spent, woken, found = our_cost(port)
        theirs, their_wakes, reports = their_cost(port)
    if min(found, reports) < SECONDS * 5:
        raise SystemExit(f"gps: {found} updates came, and {reports} reports")
    row("  one update", spent / found * 1e6, "us", "json", theirs / reports * 1e6, "")
    row("  wake-ups for one", woken / found, "", "json", their_wakes / reports, "")


def make_microphone(folder: str) -> None:
    """A PCM that plays a file, of half a scale and 1 kHz."""
    samples = [round(16384 * math.sin(2 * math.pi * index / 48)) for index in range(48)]
    with open(f"{folder}/tone.raw", "wb") as file:
        file.write(struct.pack("<48h", *samples) * 1000 * SOUND_SECONDS)
    with open(f"{folder}/asound.conf", "w", encoding="ascii") as file:
        file.write(
            "pcm.bench { type file slave.pcm { type null } "
            f'file "/dev/null" infile "{folder}/tone.raw" format "raw" }}\n'
        )
    os.environ["ALSA_CONFIG_PATH"] = f"{folder}/asound.conf"


def arecord_cost() -> float:
    """Processor seconds for a second of sound."""
    form = ("-f", "S16_LE", "-r", str(RATE), "-c", "1", "-t", "raw")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ("arecord", "-q", "-D", "bench", *form, "-d", str(SOUND_SECONDS), "/dev/null")
    subprocess.run(words, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent / SOUND_SECONDS


def loudness(folder: str) -> None:
    """Rows of the kind microphone."""
    make_microphone(folder)
    heard: list[object] = []
    with gk.Context("local:alsa=bench", allow=["microphone"]) as context:
        source = context.open("microphone")
        connection = source.listen(heard.append)
        source.start(every=0.1)
        time.sleep(1)
        before = len(heard)
        spent, woken = cost(SECONDS, time.sleep)
        level = source["rms_level"].value or 0
        if len(heard) - before < SECONDS * 5 or abs(level + 9.03) > 0.01:
            raise SystemExit(f"microphone: {len(heard) - before} updates, {level} dBFS")
        connection.disconnect()
    theirs = arecord_cost()
    row("microphone, a second of sound", spent / SECONDS * 1e6, "us", "arecord", theirs * 1e6, "")
    row("  wake-ups", woken / SECONDS, "in 1 s", "", 0, "")


def measure(folder: str) -> None:
    """All rows."""
    positions(folder)
    loudness(folder)


if __name__ == "__main__":
    read_json(sys.argv[2])
