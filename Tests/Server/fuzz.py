"""Sends bytes that are nearly requests to a server, and looks whether it lives.

python3 -m Tests.Server.fuzz URL [--seed N] [--seconds N]

The same seed makes the same bytes. The server may answer anything but 500, and answers /health in
between; what broke it is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import socket
import sys
import time

from .serving import PATIENCE, TOKEN, another_client

TARGETS = [
    "/",
    "/health",
    "/metrics",
    "/api/v1",
    "/api/v1/sources?kind=cpu",
    "/api/v1/sources/battery%7Caxp20x-battery/values?timeout=1",
    "/api/v1/stream?source=memory;every=0.1&frames=0&exact=1",
    "/api/v1/recordings/a.gkr/query?select=memory/free&from=0&to=1&every=0.1&limit=10",
    "/api/v1/recordings/a.gkr/file.csv?source=memory",
    "/api/v1/graphs/a",
    "/api/v1/openapi.json",
]
BODY = '{"name": "a.gkr", "sources": ["memory", "accelerometer"], "every": 0.5}'
SPICES = [b"\x00", b"\r\n", b"\r\n\r\n", b"%", b"%00", b"%ff", b"..", b"/", b"//", b"?", b"&", b"="]
SPICES += [b";", b":", b"\xff\xfe", b"99999999999999999999", b"-1", b"1e999", b"\t", b" ", b"#"]
SPICES += [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n"]
SPICES += [
    b"Host: evil\r\n",
    b"a" * 5000,
    b"[" * 300,
    b"{",
    b'"',
    b"\\u0000",
    b"Range: bytes=0-\r\n",
]


class Fuzzer:
    """Makes nearly-requests, and sends them."""

    def __init__(self, host: str, seed: int) -> None:
        self.host, self.chance = host, random.Random(seed)
        self.port = int(host.rpartition(":")[2])

    def request(self) -> bytes:
        """A request that is right."""
        target = self.chance.choice(TARGETS)
        method = self.chance.choice(["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "DELETE"])
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host}"]
        lines.append(f"Authorization: Bearer {TOKEN}")
        body = ""
        if method in ["POST", "DELETE"]:
            body = BODY if method == "POST" else ""
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", body]).encode()

    def spoil(self, data: bytes) -> bytes:
        """Bytes with a few changes."""
        for _ in range(self.chance.randrange(1, 5)):
            place = self.chance.randrange(len(data) + 1)
            length = self.chance.choice([0, 0, 1, 2, 10, 100])
            kind = self.chance.randrange(4)
            if kind == 0:
                middle = self.chance.choice(SPICES)
            elif kind == 1:
                middle = self.chance.randbytes(length)
            elif kind == 2:
                middle = data[place : place + length] * 2
            else:
                middle = b""
            data = data[:place] + middle + data[place + length :]
        return data

    def attack(self) -> tuple[bytes, bytes]:
        """Sends nearly-requests on one connection; them, and what came back at once."""
        pipeline = range(self.chance.randrange(1, 4))
        data = b"".join(self.spoil(self.request()) for _ in pipeline)
        received = b""
        with self.connect() as plug, contextlib.suppress(ConnectionError):
            plug.sendall(data)
            if self.chance.random() < 0.5:
                plug.shutdown(socket.SHUT_WR)
                plug.settimeout(0.05)
                with contextlib.suppress(TimeoutError):
                    received = plug.recv(65536)
        return data, received

    def lives(self) -> bool:
        """Whether the server answers. It has room again when those before are gone."""
        end = time.monotonic() + PATIENCE
        request = f"GET /health HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n"
        while time.monotonic() < end:
            with contextlib.suppress(ConnectionError), self.connect() as plug:
                plug.sendall(request.encode())
                answer = b"".join(iter(lambda: plug.recv(65536), b""))
                if answer.endswith(b"ok\n"):
                    return True
                if b" 503 " not in answer[:20]:
                    return False
            time.sleep(0.1)
        return False

    def connect(self) -> socket.socket:
        """A connection from an address that has not asked yet."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, (another_client(), 0))


def main() -> int:
    """Sends until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    fuzzer = Fuzzer(arguments.url.removeprefix("http://"), arguments.seed)
    end = time.monotonic() + arguments.seconds
    last: list[bytes] = []
    for number in itertools.count(1):
        data, received = fuzzer.attack()
        last = [*last[-20:], data]
        if b" 500 " in received[:20] or (number % 20 == 0 and not fuzzer.lives()):
            print(f"after {number} connections of seed {arguments.seed}: {received[:500]!r}")
            print("\n".join(repr(data) for data in last))
            return 1
        if time.monotonic() > end:
            break
    print(f"{number} connections; the server lives: {fuzzer.lives()}")
    return 0 if fuzzer.lives() else 1


if __name__ == "__main__":
    sys.exit(main())
