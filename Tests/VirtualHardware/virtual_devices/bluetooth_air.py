"""What stands between a virtual Bluetooth controller and the air, one process each:

  python3 -m virtual_devices.bluetooth_air controller   a controller of the kernel's, on /dev/vhci
  python3 -m virtual_devices.bluetooth_air advertiser   a device nearby, which advertises

Both have a radio of btvirt's, whose signals have no strength; the controller lends them the one
that `devices bluetooth rssi` says.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Iterator

from .system import read, state, wait

SERVER = "/tmp/bt-server-bredrle"
LOUDNESS = -60

_COMMAND, _EVENT, _VENDOR = 1, 4, 0xFF
# Where the length of a packet's rest stands, and how wide it is, by the packet's type.
_LENGTHS = {_COMMAND: (3, 1), 2: (3, 2), 3: (3, 1), _EVENT: (2, 1), 5: (3, 2)}
_LE_META, _REPORT, _EXTENDED_REPORT = 0x3E, 0x02, 0x0D

# The HCI commands of an advertiser.
_RESET, _READ_ADDRESS = 0x0C03, 0x1009
_SET_PARAMETERS, _SET_DATA, _ENABLE = 0x2006, 0x2008, 0x200A

NAME = "Virtual Thing"
COMPANY, COMPANY_DATA = 0x1234, bytes((0xAB, 0xCD))
TX_POWER = -8
SERVICE = 0x180F


def radio() -> socket.socket:
    """A new radio of btvirt's, which refuses until the kernel has its ciphers."""
    return wait("a radio", _try_radio)


def _try_radio() -> socket.socket | None:
    air = socket.socket(socket.AF_UNIX)
    try:
        air.connect(SERVER)
        _tell(air, _RESET)
    except OSError:
        return None
    return air


class Packets:
    """The packets in a stream of bytes, as they become whole."""

    def __init__(self) -> None:
        self._waiting = b""

    def take(self, more: bytes) -> Iterator[bytes]:
        """Those that are whole by now."""
        self._waiting += more
        while self._waiting:
            place, width = _LENGTHS[self._waiting[0]]
            head = place + width
            whole = head + int.from_bytes(self._waiting[place:head], "little")
            if len(self._waiting) < max(head, whole):
                return
            packet, self._waiting = self._waiting[:whole], self._waiting[whole:]
            yield packet


def louder(packet: bytes, decibels: int) -> bytes:
    """An event with the strength of every advertisement it reports; others as they are."""
    if packet[:2] != bytes((_EVENT, _LE_META)) or packet[3] not in (_REPORT, _EXTENDED_REPORT):
        return packet
    changed = bytearray(packet)
    place = 5
    for _ in range(packet[4]):
        if packet[3] == _REPORT:
            # Type, kind of address, address, length, data, strength.
            place += 9 + packet[place + 8]
            changed[place] = decibels & 0xFF
            place += 1
        else:
            # Type, kind of address, address, two radios, set, power, strength, ..., length, data.
            changed[place + 13] = decibels & 0xFF
            place += 24 + packet[place + 23]
    return bytes(changed)


def controller() -> None:
    """Lends the kernel a radio until it goes."""
    air = radio()
    heard = Packets()
    kernel = os.open("/dev/vhci", os.O_RDWR)
    os.write(kernel, bytes((_VENDOR, 0)))
    while True:
        ready, _, _ = select.select([kernel, air.fileno()], [], [])
        if kernel in ready:
            said = os.read(kernel, 4096)
            # Which number it has got: that may come after its first command.
            if said[0] != _VENDOR:
                air.sendall(said)
        if air.fileno() in ready:
            more = air.recv(4096)
            if not more:
                return
            loudness = int(read(state("bluetooth", "rssi"), str(LOUDNESS)))
            for packet in heard.take(more):
                _give(kernel, louder(packet, loudness))


def _give(kernel: int, packet: bytes) -> None:
    """Gives the kernel a packet, which it refuses while the adapter is blocked or off."""
    try:
        os.write(kernel, packet)
    except OSError as refusal:
        if refusal.errno != errno.ENXIO:
            raise


def _tell(air: socket.socket, code: int, parameters: bytes = b"") -> bytes:
    air.sendall(struct.pack("<BHB", _COMMAND, code, len(parameters)) + parameters)
    heard = Packets()
    while more := air.recv(4096):
        for packet in heard.take(more):
            # "Command complete": how many more, which command, status and what it returns.
            if packet[1] == 0x0E and struct.unpack_from("<H", packet, 4) == (code,):
                return packet[6:]
    raise ConnectionError("btvirt is gone")


def _advertisement() -> bytes:
    parts = [
        bytes((0x01, 0x06)),
        bytes((0x09,)) + NAME.encode(),
        struct.pack("<BH", 0xFF, COMPANY) + COMPANY_DATA,
        struct.pack("<Bb", 0x0A, TX_POWER),
        struct.pack("<BH", 0x03, SERVICE),
    ]
    data = b"".join(bytes((len(part),)) + part for part in parts)
    return bytes((len(data),)) + data.ljust(31, b"\0")


def advertiser() -> None:
    """Says what it is, four times a second: an emulated radio speaks when it begins to."""
    air = radio()
    address = _tell(air, _READ_ADDRESS)[1:7]
    state("bluetooth", "address").write_text(address[::-1].hex(":").upper())
    _tell(air, _SET_PARAMETERS, struct.pack("<HHBBB6sBB", 0x800, 0x800, 0, 0, 0, bytes(6), 7, 0))
    _tell(air, _SET_DATA, _advertisement())
    while True:
        _tell(air, _ENABLE, b"\1")
        time.sleep(0.2)
        _tell(air, _ENABLE, b"\0")
        time.sleep(0.05)


if __name__ == "__main__":
    {"controller": controller, "advertiser": advertiser}[sys.argv[1]]()
