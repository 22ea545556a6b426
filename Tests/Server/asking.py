"""Requests of which every byte is known, and their answers."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPResponse
from types import TracebackType
from typing import Any

from .serving import PATIENCE, TOKEN, Server

BEARER = f"Bearer {TOKEN}"


@dataclass
class Answer:
    """An answer as it came."""

    status: int
    fields: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def field(self, name: str) -> str | None:
        """The value of the only field of a name."""
        values = [value for known, value in self.fields if known.lower() == name.lower()]
        assert len(values) <= 1, f"{name} is there {len(values)} times"
        return values[0] if values else None

    @property
    def json(self) -> Any:
        """Its body."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the error that it is, without the prefix."""
        error = self.json["error"]
        assert set(error) == {"code", "errno", "message", "remedy"}
        return str(error["code"]).removeprefix("GKIT_ERROR_")


def request(
    server: Server,
    target: str,
    method: str = "GET",
    fields: Mapping[str, str | None] | None = None,
    body: bytes | None = None,
) -> bytes:
    """The bytes of a request with Host and the token, unless fields say otherwise."""
    all_fields: dict[str, str | None] = {"Host": server.host, "Authorization": BEARER}
    if body is not None:
        all_fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    all_fields |= fields or {}
    lines = [f"{method} {target} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in all_fields.items() if value is not None]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def read_answer(plug: socket.socket, method: str = "GET") -> Answer:
    """The next answer on a connection."""
    response = HTTPResponse(plug, method=method)
    response.begin()
    return Answer(response.status, response.getheaders(), response.read())


def send(server: Server, data: bytes, method: str = "GET", client: str | None = None) -> Answer:
    """Sends bytes on a connection of their own, and reads one answer."""
    with server.connect(client) as plug:
        plug.sendall(data)
        return read_answer(plug, method)


def ask(
    server: Server,
    target: str,
    method: str = "GET",
    fields: Mapping[str, str | None] | None = None,
    body: object = None,
    client: str | None = None,
) -> Answer:
    """Asks, and reads the answer."""
    data = None if body is None else json.dumps(body).encode()
    return send(server, request(server, target, method, fields, data), method, client)


def get(server: Server, target: str, **parts: Any) -> Any:
    """The JSON at a path of the interface."""
    answer = ask(server, f"/api/v1{target}", **parts)
    assert answer.status == 200, answer
    return answer.json


def until(holds: Callable[[], bool]) -> bool:
    """Looks again and again until something holds; whether it does."""
    end = time.monotonic() + PATIENCE
    while not (is_there := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return is_there


def lives(server: Server) -> bool:
    """Whether it answers."""
    return ask(server, "/health").body == b"ok\n"


def answers(server: Server) -> bool:
    """Whether there is room for a client."""
    with contextlib.suppress(ConnectionError):
        return ask(server, "/health").status == 200
    return False


@dataclass
class Event:
    """One event of a stream."""

    name: str = ""
    data: Any = None
    id: str | None = None


class Events:
    """A stream of events of a server."""

    def __init__(self, server: Server, parameters: str, client: str | None = None) -> None:
        self.plug = server.connect(client)
        self.plug.sendall(request(server, f"/api/v1/stream?{parameters}"))
        self.response = HTTPResponse(self.plug)
        self.response.begin()
        self.status = self.response.status
        self.comments = 0
        self.retry = ""

    def __iter__(self) -> Iterator[Event]:
        event = Event()
        while line := self.response.readline():
            name, _, value = line.decode().rstrip("\n").partition(":")
            value = value.removeprefix(" ")
            if line == b"\n":
                if event.name:
                    yield event
                event = Event()
            elif not name:
                self.comments += 1
                yield Event("comment")
            elif name == "event":
                event.name = value
            elif name == "id":
                event.id = value
            elif name == "data":
                event.data = json.loads(value)
            elif name == "retry":
                self.retry = value

    def next(self, name: str, holds: Callable[[Any], bool] = lambda data: True) -> Event:
        """The next event of a name for which something holds."""
        end = time.monotonic() + PATIENCE
        for event in self:
            if event.name == name and holds(event.data):
                return event
            assert time.monotonic() < end, f"the stream goes on without {name}"
        raise AssertionError(f"the stream ended without {name}")

    def close(self) -> None:
        """Goes away."""
        self.response.close()
        self.plug.close()

    def __enter__(self) -> Events:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def quoted(id_: str) -> str:
    """An id, encoded once."""
    return id_.replace("%", "%25").replace("|", "%7C").replace(":", "%3A")


def plain(value: Any) -> Any:
    """A value of the command line as the interface writes it (W21)."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 1 << 53 else str(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        times = {"time_ns", "time"}
        return {
            key: str(item) if key in times and isinstance(item, int) else plain(item)
            for key, item in value.items()
        }
    return value
