"""Interfaces made by hand: counters, addresses, and the events of rtnetlink."""

from __future__ import annotations

import socket

import gatheredkit as gk

from virtual_devices.system import command, load, read

from .proof import arrives, eventually, expect_equal, proves, watching

load("veth")
context = gk.Context()


def ip(words: str) -> None:
    """Runs `ip`."""
    command("ip", *words.split())


@proves("5.6: an interface that comes and goes is an instance that comes and goes")
def hotplug() -> None:
    with watching(context, "network") as watch:
        # The kernel tells that a link goes before sysfs forgets it: sometimes just before.
        for _ in range(5):
            ip("link add gk0 type veth peer name gk1")
            added = {watch.next(gk.EventType.ADDED).source_id for _ in range(2)}
            expect_equal(added, {"network|gk0", "network|gk1"})
            ip("link del gk0")
            expect_equal({watch.next(gk.EventType.REMOVED).source_id for _ in range(2)}, added)


@proves("5.6: state, carrier, addresses and size change as they are set, by events")
def changes() -> None:
    ip("link add gk0 type veth peer name gk1")
    try:
        with context.open("network|gk0") as source:
            source.start(every=600)
            arrives(source, "state", "down")
            ip("addr add 10.77.0.1/24 dev gk0")
            ip("link set gk0 up mtu 1400")
            ip("link set gk1 up")
            arrives(source, "state", "up")
            arrives(source, "carrier", True)
            arrives(source, "ipv4_addresses", "10.77.0.1/24")
            arrives(source, "mtu", 1400)
            expect_equal(source["type"].value, "ethernet")
            expect_equal(source["mac"].status, gk.SampleStatus.PERMISSION)
            ip("link set gk1 down")
            arrives(source, "carrier", False)
    finally:
        ip("link del gk0")


@proves("5.6: bytes and packets are counted exactly")
def counters() -> None:
    with context.open("network|lo") as source, socket.socket(type=socket.SOCK_DGRAM) as sender:
        keys = ("rx_bytes", "tx_bytes", "rx_packets", "tx_packets")
        before = {key: source.update()[key].number or 0 for key in keys}
        sender.bind(("127.0.0.1", 0))
        for _ in range(10):
            sender.sendto(bytes(1000), sender.getsockname())
        # Each datagram has headers of UDP and IP, 28 bytes.
        wanted = {"rx_bytes": 10280, "tx_bytes": 10280, "rx_packets": 10, "tx_packets": 10}
        source.update()
        expect_equal({key: (source[key].number or 0) - before[key] for key in keys}, wanted)
        statistics = "/sys/class/net/lo/statistics"
        for key in keys:
            expect_equal(source[key].value, int(read(f"{statistics}/{key}")), key)


@proves("5.6: rates cover the span since the previous update")
def rates() -> None:
    with context.open("network|lo") as source, socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.bind(("127.0.0.1", 0))
        source.start(every=1)
        eventually("a first rate", lambda: source["rx_rate"].value is not None)
        sender.sendto(bytes(5000), sender.getsockname())
        eventually("bytes a second", lambda: (source["rx_rate"].number or 0) > 1000)
        eventually("none", lambda: source["rx_rate"].value == 0)
