"""Cables between network namespaces that lose packets and take their time.

A pair of `veth` devices with `tc netem` is one where the kernel has netem. Elsewhere two TUN
devices are, between which this program carries the packets.
"""

import contextlib
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time

LOSS = 0.05
DELAY = 0.1
"""How long a packet takes one way, in seconds."""
SET_NAME = 0x400454CA
TUN_WITHOUT_HEADER = 0x1001


def ip(*words: str) -> None:
    """Runs `ip`; what it says is the reason if it fails."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Cable:
    """Between the namespaces of two hosts, of which the first has the address .1."""

    def __init__(self, number: int, hosts: tuple[str, str]) -> None:
        self.hosts = hosts
        self.names = (f"gk{os.getpid()}{number}a", f"gk{os.getpid()}{number}b")
        self.addresses = (f"10.{71 + number}.7.1", f"10.{71 + number}.7.2")
        self.has_netem = self._lay_netem()
        self._carrier = None if self.has_netem else Carrier(self.names)
        places = list(zip(self.hosts, self.names, self.addresses, strict=True))
        for host, name, _ in places:
            if not self.has_netem:
                ip("link", "set", name, "netns", host)
        for host, name, address in places:
            ip("-n", host, "address", "add", f"{address}/24", "dev", name)
            ip("-n", host, "link", "set", name, "up")

    def _lay_netem(self) -> bool:
        """Makes the pair, each end in its namespace; false where the kernel has no netem."""
        first, second = self.names
        ends = ["name", second, "netns", self.hosts[1]]
        ip("link", "add", first, "netns", self.hosts[0], "type", "veth", "peer", *ends)
        netem = ["root", "netem", "delay", f"{DELAY * 1000:.0f}ms", "loss", f"{LOSS:.0%}"]
        for host, name in zip(self.hosts, self.names, strict=True):
            words = ["tc", "-n", host, "qdisc", "add", "dev", name, *netem]
            if subprocess.run(words, capture_output=True, check=False).returncode != 0:
                ip("-n", self.hosts[0], "link", "delete", first)
                return False
        return True

    def pull(self) -> None:
        """Takes it off the second host."""
        ip("-n", self.hosts[1], "link", "set", self.names[1], "down")

    def put_back(self) -> None:
        """Plugs it in again."""
        ip("-n", self.hosts[1], "link", "set", self.names[1], "up")

    def close(self) -> None:
        """No packet is carried any more."""
        if self._carrier:
            self._carrier.close()


class Carrier:
    """Carries packets between two TUN devices."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.ends = [self._open(name) for name in names]
        self.carried = self.lost = 0
        self._is_over = threading.Event()
        self._chance = random.Random(8917)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @staticmethod
    def _open(name: str) -> int:
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(end, SET_NAME, struct.pack("16sH22x", name.encode(), TUN_WITHOUT_HEADER))
        return end

    def _carry(self) -> None:
        on_way: list[tuple[float, int, int, bytes]] = []
        while not self._is_over.is_set():
            now = time.monotonic()
            while on_way and on_way[0][0] <= now:
                self._deliver(*heapq.heappop(on_way)[2:])
            wait = min(0.2, on_way[0][0] - now) if on_way else 0.2
            for end in select.select(self.ends, [], [], wait)[0]:
                packet = self._take(end)
                if packet and self._chance.random() >= LOSS:
                    self.carried += 1
                    other = self.ends[1 - self.ends.index(end)]
                    moment = time.monotonic() + DELAY
                    heapq.heappush(on_way, (moment, self.carried, other, packet))
                elif packet:
                    self.lost += 1

    @staticmethod
    def _take(end: int) -> bytes:
        try:
            return os.read(end, 65536)
        except OSError:
            return b""

    @staticmethod
    def _deliver(end: int, packet: bytes) -> None:
        # Where the cable is pulled it is lost.
        with contextlib.suppress(OSError):
            os.write(end, packet)

    def close(self) -> None:
        """Ends it, and its devices."""
        self._is_over.set()
        self._thread.join()
        for end in self.ends:
            os.close(end)
