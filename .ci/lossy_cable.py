"""Cables between network namespaces that lose packets and take their time.

A pair of `veth` devices with `tc netem` is one where the kernel has netem. Elsewhere two TUN
devices are, between which a process of its own carries the packets: lossy_cable.py NAME NAME
"""

import contextlib
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
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
        self._carrier = None if self.has_netem else self._start_carrier()
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

    def _start_carrier(self) -> subprocess.Popen[str]:
        """Starts what carries the packets; its devices are there then."""
        carrier = subprocess.Popen(
            [sys.executable, __file__, *self.names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert carrier.stdout is not None
        if carrier.stdout.readline() != "ready\n":
            carrier.wait()
            raise OSError("there are no TUN devices")
        return carrier

    def pull(self) -> None:
        """Takes it off the second host."""
        ip("-n", self.hosts[1], "link", "set", self.names[1], "down")

    def put_back(self) -> None:
        """Plugs it in again."""
        ip("-n", self.hosts[1], "link", "set", self.names[1], "up")

    def close(self) -> str:
        """No packet is carried any more; tells how many were, where that is known."""
        if self._carrier is None:
            return ""
        return self._carrier.communicate()[0].strip()


class Carrier:
    """Carries packets between two TUN devices, until there is standard input, or its end."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.ends = [self._open(name) for name in names]
        self.carried = self.lost = 0
        self._chance = random.Random(8917)
        self._on_way: list[tuple[float, int, int, bytes]] = []
        # A device that is down has an error at every look: it is left alone for a while.
        self._quiet_until = [0.0, 0.0]

    @staticmethod
    def _open(name: str) -> int:
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(end, SET_NAME, struct.pack("16sH22x", name.encode(), TUN_WITHOUT_HEADER))
        return end

    def carry(self) -> None:
        """Carries until it is told to end."""
        while True:
            now = time.monotonic()
            while self._on_way and self._on_way[0][0] <= now:
                self._deliver(*heapq.heappop(self._on_way)[2:])
            wait = min(0.2, self._on_way[0][0] - now) if self._on_way else 0.2
            up = [
                end for end, until in zip(self.ends, self._quiet_until, strict=True) if until <= now
            ]
            ready = select.select([0, *up], [], [], wait)[0]
            if 0 in ready:
                return
            for end in ready:
                self._take(end)

    def _take(self, end: int) -> None:
        place = self.ends.index(end)
        try:
            packet = os.read(end, 65536)
        except OSError:
            self._quiet_until[place] = time.monotonic() + 0.05
            return
        if self._chance.random() < LOSS:
            self.lost += 1
            return
        self.carried += 1
        moment = time.monotonic() + DELAY
        heapq.heappush(self._on_way, (moment, self.carried, self.ends[1 - place], packet))

    @staticmethod
    def _deliver(end: int, packet: bytes) -> None:
        # Where the cable is pulled it is lost.
        with contextlib.suppress(OSError):
            os.write(end, packet)


def main() -> int:
    carrier = Carrier((sys.argv[1], sys.argv[2]))
    print("ready", flush=True)
    carrier.carry()
    print(f"{carrier.carried} packets carried, {carrier.lost} lost", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
