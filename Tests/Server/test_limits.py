"""What a server gives at most, and what hostile clients cannot do (serve section 4)."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator

import pytest

from .asking import (
    BEARER,
    Events,
    answers,
    ask,
    get,
    lives,
    quoted,
    read_answer,
    request,
    send,
    until,
)
from .conftest import Start
from .serving import Server

SIM = ["--context", "sim:phone"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with control."""
    folder = tmp_path_factory.mktemp("recordings")
    options = ["--control", "--recordings", str(folder)]
    with Server(tmp_path_factory.mktemp("server"), *SIM, *options) as server:
        yield server


def head(server: Server, count: int) -> bytes:
    """A request whose line and fields have so many bytes."""
    start = f"GET /api/v1 HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: {BEARER}\r\n".encode()
    rest = count - len(start) - len(b"X: \r\n\r\n")
    return start + b"X: " + b"x" * rest + b"\r\n\r\n"


def raw(server: Server, data: str) -> list[int]:
    """The statuses of all answers to text, until the server closes."""
    text = data.replace("HOST", server.host).replace("TOKEN", BEARER).replace("\n", "\r\n")
    with server.connect() as plug:
        plug.sendall(text.encode("latin-1"))
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while part := plug.recv(65536):
                received += part
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


# Sizes


@pytest.mark.parametrize(("count", "status"), [(16000, 200), (17000, 431), (100_000, 431)])
def test_header(server: Server, count: int, status: int) -> None:
    with server.connect() as plug:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            plug.sendall(head(server, count))
        assert read_answer(plug).status == status
    assert lives(server)


def test_many_fields(server: Server) -> None:
    assert send(server, request(server, "/" + "a" * 20000)).status == 431
    fields = "".join(f"A{number}: b\r\n" for number in range(3000)).encode()
    data = request(server, "/api/v1").replace(b"\r\n\r\n", b"\r\n" + fields + b"\r\n")
    assert send(server, data).status == 431


def test_header_without_end(server: Server) -> None:
    """It is refused when it is too long, not when it ends."""
    with server.connect() as plug:
        plug.sendall(head(server, 17000)[:-4])
        assert read_answer(plug).status == 431


@pytest.mark.parametrize(("count", "status"), [(65536, 200), (65537, 413), (10_000_000, 413)])
def test_body(server: Server, count: int, status: int) -> None:
    body = b"{" + b" " * (count - 2) + b"}"
    with server.connect() as plug:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            plug.sendall(request(server, "/api/v1/rescan", "POST", {}, body))
        assert read_answer(plug).status == status


@pytest.mark.parametrize(("count", "status"), [(60, 200), (70, 413)])
def test_chunks(server: Server, count: int, status: int) -> None:
    """A body in parts has the same limit."""
    fields = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    with server.connect() as plug:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            plug.sendall(request(server, "/api/v1/rescan", "POST", fields))
            plug.sendall(b"1\r\n{\r\n" + (b"400\r\n" + b" " * 1024 + b"\r\n") * count)
            plug.sendall(b"1\r\n}\r\n0\r\n\r\n")
        assert read_answer(plug, "POST").status == status


# Bytes that are no request

SMUGGLED = "GET /health HTTP/1.1\nHost: HOST\n"


@pytest.mark.parametrize(
    ("data", "statuses"),
    [
        ("hello\n\n", [400]),
        ("GET /health\n\n", [400]),
        ("GET /health HTTP/9.9\nHost: HOST\n\n", [400]),
        ("PRI * HTTP/2.0\n\nSM\n\n", [400]),
        ("GET /health HTTP/1.1\nHost : HOST\n\n", [400]),
        ("GET /health HTTP/1.1\n Host: HOST\n\n", [400]),
        ("GET /health HTTP/1.1\nHost: HOST\nX: a\x00b\n\n", [400]),
        (
            f"{SMUGGLED}Content-Length: 0\nTransfer-Encoding: chunked\n\n0\n\n",
            [400],
        ),
        (
            f"{SMUGGLED}Transfer-Encoding: chunked\nContent-Length: 5\n\n0\n\n",
            [400],
        ),
        (f"{SMUGGLED}Content-Length: 1\nContent-Length: 2\n\nab", [400]),
        (f"{SMUGGLED}Content-Length: -1\n\n", [400]),
        (f"{SMUGGLED}Content-Length: +1\n\na", [400]),
        (f"{SMUGGLED}Content-Length: 99999999999999999999\n\n", [400]),
        (f"{SMUGGLED}Transfer-Encoding: identity\n\n", [400]),
        (f"{SMUGGLED}Transfer-Encoding: chunked, identity\n\n0\n\n", [400]),
        (f"{SMUGGLED}Transfer-Encoding: xchunked\n\n0\n\n", [400]),
        (f"{SMUGGLED}Transfer-Encoding: chunked\n\nffffffffffffffffff\n", [200, 400]),
        (f"{SMUGGLED}Upgrade: websocket\nConnection: upgrade, close\n\n", [200]),
        (f"{SMUGGLED}Expect: 100-continue\nConnection: close\n\n", [200]),
    ],
)
def test_bad_bytes(server: Server, data: str, statuses: list[int]) -> None:
    """One refusal, and the connection ends: what follows is never taken for a request."""
    found = raw(server, data)
    assert found in [statuses, statuses[-1:]]
    follow = data + "GET /api/v1 HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n"
    if statuses[-1] == 400:
        assert 200 not in raw(server, follow)[len(statuses) - 1 :]
    assert lives(server)


def test_tls(server: Server) -> None:
    """A browser that was told https:// gets 400, and the log says what it was."""
    hello = bytes.fromhex("16030100c6010000c20303") + bytes(180)
    assert send(server, hello).status == 400
    assert "this looks like TLS: use http://" in server.said()


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
def test_methods(server: Server, method: str) -> None:
    target = server.host if method == "CONNECT" else "/api/v1"
    answer = ask(server, target, method)
    if method == "CONNECT":
        assert answer.status in [400, 405]
    else:
        assert answer.status == 405
        assert set((answer.field("Allow") or "").split(", ")) >= {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize(
    ("method", "target", "allowed"),
    [
        ("POST", "/", {"GET", "HEAD", "OPTIONS"}),
        ("POST", "/api/v1/sources", {"GET", "HEAD", "OPTIONS"}),
        ("DELETE", "/api/v1/recordings", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("GET", "/api/v1/rescan", {"POST", "OPTIONS"}),
    ],
)
def test_allowed_methods(server: Server, method: str, target: str, allowed: set[str]) -> None:
    answer = ask(server, target, method, {"Content-Type": "application/json"})
    assert (answer.status, set((answer.field("Allow") or "").split(", "))) == (405, allowed)


def test_versions(server: Server) -> None:
    """HTTP/1.0 is answered, and closed unless it asks otherwise."""
    assert raw(server, "GET /health HTTP/1.0\nHost: HOST\n\n") == [200]
    text = "GET /api/v1/stream?source=memory HTTP/1.0\nHost: HOST\nAuthorization: TOKEN\n\n"
    with server.connect() as plug:
        data = text.replace("HOST", server.host).replace("TOKEN", BEARER).replace("\n", "\r\n")
        plug.sendall(data.encode())
        received = b""
        while b"event: hello\ndata: {" not in received:
            part = plug.recv(65536)
            assert part
            received += part
    assert b"chunked" not in received.lower()


def test_pipeline(server: Server) -> None:
    """Requests that come at once are answered in their order."""
    one = "GET /PATH HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n"
    paths = ["health", "api/v1/sources", "nothing", "", "api/v1/openapi.json", "health"]
    data = "".join(one.replace("PATH", path) for path in paths)
    data = data.removesuffix("\n") + "Connection: close\n\n"
    assert raw(server, data) == [200, 200, 404, 200, 200, 200]


def test_head_has_no_body(server: Server) -> None:
    for target in ["/", "/api/v1", "/metrics", "/nothing"]:
        full, short = ask(server, target), ask(server, target, "HEAD")
        assert (short.status, short.body) == (full.status, b"")
        assert int(short.field("Content-Length") or "") > 0


# Numbers


def test_connections(start: Start) -> None:
    """Of 64 connections the next is refused with the reason; when one goes there is room."""
    server = start(*SIM)
    plugs = [server.connect() for _ in range(64)]
    for plug in plugs:
        plug.sendall(request(server, "/health"))
        assert read_answer(plug).status == 200
    with server.connect() as one_more:
        answer = read_answer(one_more)
        assert (answer.status, answer.code) == (503, "LIMIT")
        assert answer.field("Retry-After") == "1"
        assert answer.field("X-Content-Type-Options") == "nosniff"
    plugs.pop().close()
    assert until(lambda: answers(server))
    for plug in plugs:
        plug.close()


def test_streams(start: Start) -> None:
    server = start(*SIM)
    streams = [Events(server, "source=memory") for _ in range(16)]
    assert all(events.status == 200 for events in streams)
    answer = ask(server, "/api/v1/stream?source=memory")
    assert (answer.status, answer.code) == (503, "LIMIT")
    assert int(answer.field("Retry-After") or "") > 0
    # The page and its answers are still there.
    assert get(server, "/sources/memory")["updating"] is True
    for events in streams:
        events.close()
    assert until(lambda: ask(server, "/api/v1/stream?source=memory", "HEAD").status == 200)
    assert until(lambda: not get(server, "/sources/memory")["updating"])


def test_sources_of_a_stream(server: Server) -> None:
    ids = [row["id"] for row in get(server, "/sources")["sources"]]
    assert len(ids) > 32
    with Events(server, "&".join(f"source={quoted(id_)}" for id_ in ids[:32])) as events:
        assert len(events.next("hello").data["sources"]) == 32
    answer = ask(server, "/api/v1/stream?" + "&".join(f"source={quoted(id_)}" for id_ in ids[:33]))
    assert (answer.status, answer.code) == (400, "LIMIT")


def test_rate(start: Start) -> None:
    """Sixty at once, then 20 a second; other addresses are not concerned."""
    server = start(*SIM)
    statuses: list[int] = []
    began = time.monotonic()
    while 429 not in statuses and len(statuses) < 10000:
        answer = ask(server, "/health", client="127.0.0.9")
        statuses.append(answer.status)
    took = time.monotonic() - began
    assert statuses[-1] == 429, "the machine is too slow to ask so often"
    assert 60 <= len(statuses) - 1 <= 60 + 20 * took + 1
    assert int(answer.field("Retry-After") or "") >= 1
    assert answer.code == "LIMIT"
    assert ask(server, "/health", client="127.0.0.10").status == 200
    assert until(lambda: ask(server, "/health", client="127.0.0.9").status == 200)


# Time


def test_slow_header(server: Server) -> None:
    """A header has ten seconds, whether or not bytes come."""
    began = time.monotonic()
    with server.connect() as plug:
        plug.sendall(b"GET /health HTTP/1.1\r\n")
        answer = read_answer(plug)
        assert (answer.status, answer.code) == (408, "TIMEOUT")
        assert plug.recv(1) == b""
    assert time.monotonic() - began >= 9


def test_slow_body_and_idle(start: Start) -> None:
    """A body that does not come, and a connection without a request, have 60 s."""
    server = start(*SIM)
    began = time.monotonic()
    with server.connect() as silent, server.connect() as slow:
        slow.sendall(request(server, "/health", fields={"Content-Length": "10"}))
        answer = read_answer(slow)
        assert (answer.status, answer.code) == (408, "TIMEOUT")
        assert silent.recv(1) == b""
    assert time.monotonic() - began >= 55
