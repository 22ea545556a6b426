"""Clients that are slow, that go away, that are many; and none (serve W16, W17, W19)."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import time
from pathlib import Path

import pytest

from .asking import Events, answers, ask, get, lives, request, until
from .conftest import Start
from .crowd import Crowd
from .serving import Server, another_client

SIM = ["--context", "sim:phone"]
MEBIBYTE = 1024  # in the unit of /proc/PID/status


def memory(server: Server) -> int:
    """The resident memory of a server, in KiB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def test_slow_reader(start: Start) -> None:
    """It loses rows and is told how many; memory is bounded, and others lose nothing."""
    server = start(*SIM)
    fast = "source=accelerometer;every=0.002&source=gyroscope;every=0.002&frames=0"
    with Events(server, "source=magnetometer;every=0.05&frames=0") as other:
        other.next("update")
        before = memory(server)
        with socket.socket() as plug:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            plug.settimeout(600)
            plug.bind((another_client(), 0))
            plug.connect(("127.0.0.1", server.port))
            plug.sendall(request(server, f"/api/v1/stream?{fast}"))
            received = b""
            began, ids = time.monotonic(), []
            while time.monotonic() - began < 40:
                received += plug.recv(1024)
                event = other.next("update")
                ids.append(int(event.id or 0))
            assert memory(server) - before < 16 * MEBIBYTE
            # A client that takes a little is not cut off; now it takes all.
            while b"event: gap" not in received:
                part = plug.recv(65536)
                assert part
                received += part
            while not received.endswith(b"\n\n"):
                received += plug.recv(65536)
        gap = received.partition(b"event: gap\ndata: ")[2].partition(b"\n")[0]
        assert json.loads(gap)["rows"] > 100
        page = ask(server, "/metrics").body.partition(b"\ngathered_serve_rows_lost_total ")[2]
        assert int(page.partition(b"\n")[0]) >= json.loads(gap)["rows"]
        assert ids == list(range(ids[0], ids[0] + len(ids)))


def test_client_that_takes_nothing(start: Start) -> None:
    """After half a minute it is cut off, and what it started stops."""
    server = start(*SIM)
    with socket.socket() as plug:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plug.bind((another_client(), 0))
        plug.connect(("127.0.0.1", server.port))
        plug.sendall(request(server, "/api/v1/stream?source=gyroscope;every=0.002&frames=0"))
        assert until(lambda: bool(get(server, "/sources/gyroscope")["updating"]))
        assert until(lambda: not get(server, "/sources/gyroscope")["updating"])
    assert lives(server)


def test_garbage_of_clients_that_vanish(start: Start) -> None:
    """What is wrong behind requests is found when their client has gone already."""
    server = start(*SIM)
    good = request(server, "/", "HEAD")
    refused = request(server, "/api/v1/nothing", "DELETE", {"Content-Length": "0"})
    for number in range(300):
        plug = server.connect()
        plug.sendall(refused + good + good + b"napi.json HTTP/1.1\r\n\r\n")
        if number % 2:
            plug.shutdown(socket.SHUT_WR)
        plug.close()
    assert until(lambda: answers(server))


def test_clients_that_vanish(start: Start) -> None:
    """Clients that go in mid-answer leave nothing behind, not even a line of the log."""
    server = start(*SIM)
    targets = [
        "/",
        "/api/v1/openapi.json",
        "/metrics",
        "/api/v1/stream?source=cpu",
        "/api/v1/doctor",
    ]
    for number in range(200):
        plug = server.connect()
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        data = request(server, targets[number % len(targets)])
        is_whole = number % 3 > 0
        plug.sendall(data if is_whole else data[: len(data) // 2])
        if is_whole and number % 2:
            with contextlib.suppress(ConnectionError):
                plug.recv(10)
        plug.close()
    assert until(lambda: answers(server))
    assert until(lambda: not get(server, "/sources/cpu")["updating"])
    assert server.said() == ""


def test_crowd(start: Start) -> None:
    """Clients that go in any way, at any moment of their stream, leave their place to others."""
    server = start(*SIM)
    crowd = Crowd(server.host, clients=500, seed=8917)
    crowd.run()
    assert crowd.all_were_served
    assert until(lambda: crowd.updating() == [])
    streams = [Events(server, "source=memory") for _ in range(16)]
    assert [stream.status for stream in streams] == [200] * 16
    for stream in streams:
        stream.close()


def test_thousand_clients(start: Start) -> None:
    """Clients that come and go leave no descriptors and no memory."""
    server = start(*SIM)
    files = Path(f"/proc/{server.process.pid}/fd")

    def come_and_go(count: int) -> None:
        for number in range(count):
            if number % 10 == 0:
                with Events(server, "source=accelerometer;every=0.01") as events:
                    events.next("hello")
            else:
                assert ask(server, "/api/v1/sources/memory/values").status == 200

    come_and_go(200)
    assert until(lambda: not get(server, "/sources/accelerometer")["updating"])
    descriptors, before = len(list(files.iterdir())), memory(server)
    come_and_go(800)
    assert until(lambda: len(list(files.iterdir())) <= descriptors + 1)
    assert memory(server) - before < 16 * MEBIBYTE


def test_ten_thousand_connections(start: Start) -> None:
    """Limits hold, a stream that was there before goes on, and memory is bounded."""
    count = 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + 500:
        pytest.skip(f"this process may open {hard} files only")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 500), hard))
    plugs: list[socket.socket] = []
    try:
        server = start(*SIM)
        with Events(server, "source=memory;every=0.1") as events:
            events.next("update")
            before = memory(server)
            for number in range(count):
                plug = server.connect()
                plug.setblocking(False)
                plugs.append(plug)
                if number % 100 == 0:
                    dribble(plugs)
                    events.next("update")
            for _ in range(3):
                dribble(plugs)
                events.next("update")
            assert memory(server) - before < 64 * MEBIBYTE
        for plug in plugs:
            plug.close()
        assert until(lambda: answers(server))
    finally:
        for plug in plugs:
            plug.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def dribble(plugs: list[socket.socket]) -> None:
    """Sends one byte on each connection that is still there."""
    for plug in plugs:
        with contextlib.suppress(OSError):
            plug.send(b"G")


# Nothing without a client


def wakings(server: Server) -> int:
    """How often the threads of a server have slept and woken."""
    count = 0
    for task in Path(f"/proc/{server.process.pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                count += int(line.split()[1])
    return count


def test_idle(start: Start, tmp_path: Path) -> None:
    """A server that no client asks does not wake, before the first and after the last one."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    for options in [[], ["--control", "--recordings", str(folder)]]:
        server = start(*SIM, *options)
        assert rests(server)
        with Events(server, "source=accelerometer;every=0.01") as events:
            events.next("frame")
        assert ask(server, "/metrics").status == 200
        assert rests(server)


def rests(server: Server) -> bool:
    """Whether five seconds pass without a waking; the first moments may end what was begun."""

    def is_quiet() -> bool:
        before = wakings(server)
        time.sleep(5)
        return wakings(server) == before

    return any(is_quiet() for _ in range(20))
