"""Clients that come and go on streams of a server, many at once.

python3 -m Tests.Server.crowd URL [--clients N] [--seed N]

Each reads a little, asks for something else meanwhile, and goes in one of the ways that clients
go. There are more at once than places for streams, so some are refused, and come again. The server
has to live, and to let go of what they started.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import socket
import sys
import threading
import time

from .serving import PATIENCE, TOKEN, another_client

PLANS = [
    "source=accelerometer;every=0.002&source=gyroscope;every=0.002",
    "source=accelerometer;every=0.002&frames=0",
    "source=memory;every=0.1&source=battery&source=cpu",
    "source=magnetometer;every=0.005&exact=1",
    "source=cpu;every=0.5",
]
OTHERS = ["/metrics", "/api/v1/sources", "/api/v1/sources/memory/values", "/api/v1/doctor"]
AT_ONCE = 20
RESET = b"\x01\x00\x00\x00\x00\x00\x00\x00"


class Crowd:
    """Clients of one server, taken one after the other by some threads."""

    def __init__(self, host: str, clients: int, seed: int) -> None:
        self.host, self.clients, self.seed = host, clients, seed
        self.left = iter(range(clients))
        self.lock = threading.Lock()
        self.counts: dict[str, int] = {}

    def count(self, name: str) -> None:
        """Counts what a client met."""
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + 1

    @property
    def all_were_served(self) -> bool:
        """Whether each had its stream, or went before."""
        served = self.counts.get("200", 0) + self.counts.get("gone at once", 0)
        return served == self.clients

    def run(self) -> None:
        """Lets all of them come and go."""
        threads = [threading.Thread(target=self.work) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def work(self) -> None:
        """Plays clients until none is left."""
        while True:
            with self.lock:
                number = next(self.left, None)
            if number is None:
                return
            try:
                self.come_and_go(random.Random(f"{self.seed}/{number}"))
            except (OSError, http.client.HTTPException) as error:
                self.count(type(error).__name__)

    def come_and_go(self, chance: random.Random) -> None:
        """One client."""
        with self.connect() as plug:
            self.send(plug, f"/api/v1/stream?{chance.choice(PLANS)}")
            way = chance.randrange(4)
            if way == 0:
                # Away before the answer.
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                return self.count("gone at once")
            response = http.client.HTTPResponse(plug)
            response.begin()
            status = response.status
            self.count(str(status))
            if status == 503:
                time.sleep(chance.random() * 0.1)
                return self.come_and_go(chance)
            end = time.monotonic() + chance.random() * 0.3
            while time.monotonic() < end and response.read1(4096):
                pass
            if way == 1:
                self.ask(chance.choice(OTHERS))
            if way == 2:
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            if way == 3:
                plug.shutdown(socket.SHUT_WR)
        return None

    def connect(self) -> socket.socket:
        """A connection from an address that has not asked yet."""
        port = int(self.host.rpartition(":")[2])
        with self.lock:
            client = another_client()
        return socket.create_connection(("127.0.0.1", port), PATIENCE, (client, 0))

    def send(self, plug: socket.socket, target: str) -> None:
        """Sends a request."""
        lines = [f"GET {target} HTTP/1.1", f"Host: {self.host}", f"Authorization: Bearer {TOKEN}"]
        plug.sendall("\r\n".join([*lines, "", ""]).encode())

    def ask(self, target: str) -> bytes:
        """The body of an answer; empty where the server has no room."""
        with self.connect() as plug:
            self.send(plug, target)
            response = http.client.HTTPResponse(plug)
            response.begin()
            return response.read() if response.status == 200 else b""

    def updating(self) -> list[str] | None:
        """The sources that are kept updating; None while there is no room to ask."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            if body := self.ask("/api/v1/sources"):
                rows = json.loads(body)["sources"]
                return [str(row["id"]) for row in rows if row["updating"]]
        return None


def main() -> int:
    """Lets the crowd through, and looks what it leaves behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    crowd = Crowd(arguments.url.removeprefix("http://"), arguments.clients, arguments.seed)
    crowd.run()
    print(f"{arguments.clients} clients:", ", ".join(map(str, sorted(crowd.counts.items()))))
    end = time.monotonic() + min(PATIENCE, 60)
    while (left := crowd.updating()) != [] and time.monotonic() < end:
        time.sleep(0.2)
    print("still updating:", left)
    return 0 if left == [] and crowd.all_were_served else 1


if __name__ == "__main__":
    sys.exit(main())
