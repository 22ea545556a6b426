"""gathered-serve beside Debian's node_exporter and nginx:

    serving.py SERVER COMMAND ADDRESSES FRAMES

The server and the command are stripped, as they are installed; ADDRESSES is what gives each
connection of wrk an address of its own, FRAMES the least that serves streams. Prints rows as
measure.h does. Other programs disturb these figures, so the programs take turns, and medians are
shown.
"""

from __future__ import annotations

import os
import re
import selectors
import statistics
import subprocess
import sys
import time
from pathlib import Path

from measure import row
from programs import (
    COMPARABLE,
    RATE,
    Program,
    exporter,
    gathered,
    nginx,
    running,
    speaking,
    work_folder,
)

ROUNDS = 5
# Scrapes in a round, and the time between them.
SCRAPES, PAUSE = 40, 0.02
# The same of scrapes so far apart that nothing which is kept for a while is known any more.
SELDOM, LONG_PAUSE = 8, 2.4
STREAM_SECONDS = 5.0
IDLE_SECONDS = 10.0
MEGABYTE = 1e6


def scrape_cost(program: Program) -> float:
    """Milliseconds of processor time of a scrape."""
    connections = [program.connect(client) for client in range(round(1 / PAUSE / RATE) + 2)]
    begin = program.processor_time()
    for scrape in range(SCRAPES):
        program.ask(connections[scrape % len(connections)], "/metrics")
        time.sleep(PAUSE)
    spent = program.processor_time() - begin
    for connection in connections:
        connection.close()
    return spent / SCRAPES * 1e3


def seldom_costs(programs: list[Program]) -> list[float]:
    """The same of scrapes that come seldom, of programs that take turns."""
    costs: list[list[float]] = [[] for _ in programs]
    for _ in range(SELDOM):
        for program, own in zip(programs, costs, strict=True):
            connection = program.connect()
            begin = program.processor_time()
            program.ask(connection, "/metrics")
            time.sleep(LONG_PAUSE / len(programs))
            own.append(program.processor_time() - begin)
            connection.close()
    return [statistics.median(own) * 1e3 for own in costs]


def scrapes(server: str, folder: Path) -> None:
    """One scrape, and what is resident afterwards."""
    programs = {
        "local:": gathered(server, folder, "local:"),
        "sim:laptop": gathered(server, folder, "sim:laptop"),
        "node_exporter": exporter(COMPARABLE),
        "with defaults": exporter([]),
    }
    try:
        for program in programs.values():
            program.wait("/metrics")
        costs: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(ROUNDS):
            for name, program in programs.items():
                costs[name].append(scrape_cost(program))
        for context in ["local:", "sim:laptop"]:
            for peer in ["node_exporter", "with defaults"]:
                mine, theirs = (statistics.median(costs[name]) for name in [context, peer])
                row(f"scrape of {context}", mine, "ms CPU", peer, theirs, "<= 0.5 ms")
                mine, theirs = programs[context].memory, programs[peer].memory
                row("  resident after it", mine, "MiB", peer, theirs, "<= 16 MiB")
        seldom = seldom_costs([programs["local:"], programs["node_exporter"]])
        row("  one that comes seldom", seldom[0], "ms CPU", "node_exporter", seldom[1], "")
    finally:
        for program in programs.values():
            program.end()


def pages(program: Program, addresses: str) -> tuple[float, float]:
    """Pages a second that a server sends to eight clients, and what each costs in microseconds."""
    script = Path(__file__).with_name("page.lua")
    words = ["wrk", "-t8", "-c8", "-d3s", "-s", str(script), f"http://127.0.0.1:{program.port}/"]
    each = os.environ | {"LD_PRELOAD": addresses}
    begin = program.processor_time()
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=each)
    spent = program.processor_time() - begin
    found = re.search(r"^pages (\d+) (\d+) (\d+)$", done.stdout, re.MULTILINE)
    if found is None or found[3] != "0":
        sys.exit(f"wrk: {done.stdout}")
    count = int(found[1])
    return count / int(found[2]) * 1e6, spent / count * 1e6


def static_page(server: str, folder: Path, addresses: str) -> None:
    with running(gathered(server, folder, "sim:laptop")) as ours:
        page = ours.ask(ours.connect(), "/")
        with running(nginx(folder, page)) as theirs:
            theirs.wait("/")
            turns = [(pages(ours, addresses), pages(theirs, addresses)) for _ in range(ROUNDS)]
    for place, name, unit, aim in [
        (0, "static page", "requests/s", ">= 0.25 x"),
        (1, "  processor time of one", "us", ""),
    ]:
        mine, other = (statistics.median(turn[who][place] for turn in turns) for who in [0, 1])
        row(name, mine, unit, "nginx", other, aim)


def listen(program: Program, count: int) -> float:
    """The share of a core, in percent, that a server takes for streams of 100 rows a second."""
    path = "/api/v1/stream?source=accelerometer;every=0.01"
    with selectors.DefaultSelector() as streams:
        for client in range(count):
            connection = program.connect(client)
            connection.request("GET", path, headers=program.fields)
            assert connection.sock is not None
            streams.register(connection.sock, selectors.EVENT_READ)
        follow(streams, 2.0)
        begin, started = program.processor_time(), time.monotonic()
        rows = follow(streams, STREAM_SECONDS)
        seconds = time.monotonic() - started
        spent = program.processor_time() - begin
        for key in list(streams.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
    expected = 100 * seconds * count
    if rows < expected / 2:
        sys.exit(f"streams: {rows} rows in {seconds:g} s to {count}")
    # A machine that is too busy leaves out rows.
    return spent / seconds * 100 * expected / rows


def follow(streams: selectors.BaseSelector, seconds: float) -> int:
    """Reads what comes; how many rows that were."""
    end, rows = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        for key, _ in streams.select(left):
            text = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
            rows += sum(part.count(b",") + 1 for part in re.findall(rb'"dt":\[([^]]*)', text))
    return rows


def event_streams(server: str, folder: Path, least: str) -> None:
    """To one page and to as many as there may be, beside the least there is to do in C."""
    with running(gathered(server, folder, "sim:phone")) as ours, running(speaking([least])) as c:
        for count, aim in [(1, "<= 0.5 %"), (16, "<= 4 %")]:
            turns = []
            for _ in range(3):
                turns.append((listen(ours, count), listen(c, count)))
                # Those that are closed give their places to the next.
                time.sleep(1)
            mine, theirs = (statistics.median(column) for column in zip(*turns, strict=True))
            name = f"100 Hz x 3 axes to {count} page{'s' if count > 1 else ''}"
            row(name, mine, "% of a core", "the least, in C", theirs, aim)


def first_answer(server: str, folder: Path) -> float:
    """Milliseconds from the start to an answer."""
    begin = time.monotonic()
    with running(gathered(server, folder, "local:")) as program:
        program.wait("/")
        return (time.monotonic() - begin) * 1e3


def idling(server: str, folder: Path) -> None:
    times = [first_answer(server, folder) for _ in range(2 * ROUNDS + 1)]
    row("start to first answer", statistics.median(times), "ms", "", 0, "<= 60 ms")
    with running(gathered(server, folder, "local:")) as program:
        program.wait("/")
        time.sleep(3)
        row("resident, idle", program.memory, "MiB", "", 0, "<= 14 MiB")
        before = program.switches
        time.sleep(IDLE_SECONDS)
        wakes = program.switches - before
        row(f"wake-ups in {IDLE_SECONDS:g} s, idle", wakes, "switches", "", 0, "0")


def main() -> None:
    server, command, addresses, least = sys.argv[1:]
    with work_folder() as folder:
        scrapes(server, folder)
        static_page(server, folder, addresses)
        event_streams(server, folder, least)
        idling(server, folder)
    sizes = [Path(path).stat().st_size / MEGABYTE for path in [server, command]]
    row("gathered-serve, stripped", sizes[0], "MB", "gathered", sizes[1], "<= + 6 MB")


if __name__ == "__main__":
    main()
