"""Brokers that speak MQTT wrongly, or say what they should not."""

from __future__ import annotations

import contextlib
import random
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator

CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PING = 0x10, 0x30, 0x80, 0xA0, 0xC0


def packet(first: int, body: bytes) -> bytes:
    """A packet with the length that it has."""
    length, digits = len(body), b""
    while True:
        length, digit = divmod(length, 128)
        digits += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([first]) + digits + body


class Visitor:
    """A client of the broker."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.is_five = True

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise ConnectionResetError
            data += more
        return data

    def hear(self) -> tuple[int, bytes]:
        """The next packet of the client's."""
        first = self.take(1)[0]
        length = shift = 0
        while True:
            digit = self.take(1)[0]
            length |= (digit & 0x7F) << shift
            shift += 7
            if digit < 0x80:
                return first, self.take(length)

    def say(self, data: bytes) -> None:
        self.connection.sendall(data)

    def accept(self) -> None:
        """Waits for CONNECT, and accepts."""
        _, body = self.hear()
        self.is_five = body[6] == 5
        self.say(packet(0x20, b"\0\0\0" if self.is_five else b"\0\0"))

    def grant(self, body: bytes, code: int = 1) -> None:
        """Answers to SUBSCRIBE."""
        rest = body[3:] if self.is_five else body[2:]
        count = 0
        while rest:
            (length,) = struct.unpack(">H", rest[:2])
            rest = rest[length + 3 :]
            count += 1
        properties = b"\0" if self.is_five else b""
        self.say(packet(0x90, body[:2] + properties + bytes([code]) * count))

    def publish(self, topic: bytes, payload: bytes, first: int = PUBLISH) -> None:
        properties = b"\0" if self.is_five else b""
        number = b"\0\7" if first & 6 else b""
        head = struct.pack(">H", len(topic)) + topic + number + properties
        self.say(packet(first, head + payload))

    def serve(self, *, acknowledges: bool = True, code: int = 1) -> None:
        """Does what a broker does until something is subscribed."""
        while self.answer(acknowledges=acknowledges, code=code) != SUBSCRIBE:
            pass

    def answer(self, *, acknowledges: bool = True, code: int = 1) -> int:
        """Answers one packet; its type."""
        first, body = self.hear()
        kind = first & 0xF0
        if kind == SUBSCRIBE:
            self.grant(body, code)
        elif kind == UNSUBSCRIBE:
            self.say(packet(0xB0, body[:2] + (b"\0\0" if self.is_five else b"")))
        elif kind == PING:
            self.say(packet(0xD0, b""))
        elif kind == PUBLISH and first & 6 and acknowledges:
            (length,) = struct.unpack(">H", body[:2])
            self.say(packet(0x40, body[2 + length : 4 + length]))
        return kind


Behaviour = Callable[[Visitor], None]


def garbage(visitor: Visitor) -> None:
    visitor.hear()
    while True:
        visitor.say(random.randbytes(512))


def unknown_property(visitor: Visitor) -> None:
    visitor.hear()
    visitor.say(packet(0x20, b"\0\0\3\x7e\1\1"))
    while True:
        visitor.answer()


def unknown_property_later(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    # It is no list in MQTT 3.1.1.
    visitor.say(packet(PUBLISH, b"\0\x14gathered/v1/a/online\3\x7e\1\1{}"))
    while True:
        visitor.answer()


def made_up_packets(visitor: Visitor) -> None:
    visitor.accept()
    while True:
        kind = random.choice([0x20, 0x30, 0x32, 0x40, 0x50, 0x62, 0x70, 0x90, 0xB0, 0xE0, 0xF0])
        head = b"\0\1A\0\7" if kind & 0xF0 == PUBLISH else b"\0\7\0"[: random.randrange(4)]
        listed = b"".join(
            bytes([random.randrange(45)]) + random.randbytes(random.choice([1, 2, 4]))
            for _ in range(random.randrange(4))
        )
        size = max(0, len(listed) + random.choice([0, 0, 0, 1, -1, 90]))
        visitor.say(packet(kind, head + bytes([size]) + listed))


def endless_length(visitor: Visitor) -> None:
    visitor.accept()
    visitor.say(bytes([PUBLISH]) + b"\xff\xff\xff\x7f\0\1A")
    while True:
        visitor.say(bytes(65536))


def late_answer(visitor: Visitor) -> None:
    _, body = visitor.hear()
    time.sleep(1.5)
    visitor.is_five = body[6] == 5
    visitor.say(packet(0x20, b"\0\0\0" if visitor.is_five else b"\0\0"))
    while True:
        visitor.answer()


def wrong_numbers(visitor: Visitor) -> None:
    visitor.accept()
    while True:
        first, _ = visitor.hear()
        for kind in (0x40, 0x50, 0x62, 0x70):
            visitor.say(packet(kind, b"\xab\xcd"))
        if first & 0xF0 == SUBSCRIBE:
            visitor.say(packet(0x90, b"\xab\xcd\0\1" if visitor.is_five else b"\xab\xcd\1"))


def broken_topic(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    for topic in (b"", b"\xff\xfe", b"gathered/v1/+/online", b"#", b"gathered/v1/a\0b/online"):
        visitor.publish(topic, b"{}")
    while True:
        visitor.answer()


def cut_in_a_packet(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    visitor.say(packet(PUBLISH, b"\0\x12gathered/v1/a/online\0{}")[:9])


def refused_subscriptions(visitor: Visitor) -> None:
    visitor.accept()
    while True:
        visitor.answer(code=0x87)


def never_acknowledges(visitor: Visitor) -> None:
    visitor.accept()
    while True:
        visitor.answer(acknowledges=False)


def unsubscribed_topics(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    about = b'{"format": "gatheredkit.about", "version": 1, "session": "s", "sent": {"time_ns": 1,'
    about += b' "boot_ns": 1}, "source": "fan|a", "properties": []}'
    number = 0
    while True:
        number += 1
        visitor.publish(b"gathered/v1/pi/fan/f%d/about" % number, about)
        visitor.publish(b"gathered/v1/d%d/fan/a/state" % number, b"{}")
        visitor.publish(b"elsewhere/%d" % number, about)


def huge_payloads(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    text = b'{"a": "' + b"x" * (3 << 20) + b'"}'
    while True:
        for what in (b"device", b"online", b"fan/a/about", b"fan/a/rows", b"fan/a/state"):
            visitor.publish(b"gathered/v1/pi/" + what, text)


def retained_flood(visitor: Visitor) -> None:
    visitor.accept()
    visitor.serve()
    device = (
        b'{"format": "gatheredkit.device", "version": 1, "device": "x", "session": "s", "sent":'
    )
    device += b' {"time_ns": 1, "boot_ns": 1}, "sources": []}'
    number = 0
    while True:
        # More than a fleet of ours has been tried with takes seconds to be listed.
        number = (number + 1) % 5000
        online = b'{"state": "online", "session": "s%d", "since_ns": 1}' % number
        visitor.publish(b"gathered/v1/d%d/online" % number, online, PUBLISH | 3)
        visitor.publish(b"gathered/v1/d%d/device" % number, device, PUBLISH | 3)


BEHAVIOURS: list[Behaviour] = [
    garbage,
    unknown_property,
    unknown_property_later,
    made_up_packets,
    endless_length,
    late_answer,
    wrong_numbers,
    broken_topic,
    cut_in_a_packet,
    refused_subscriptions,
    never_acknowledges,
    unsubscribed_topics,
    huge_payloads,
    retained_flood,
]


@contextlib.contextmanager
def hostile_broker(behaviour: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """The URI of a broker that behaves so to every client, behind TLS if it is to be."""
    server = socket.create_server(("127.0.0.1", 0))
    visitors: list[socket.socket] = []

    def talk(connection: socket.socket) -> None:
        # In the end the client is gone, or all is over.
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.enter_context(connection)
            if tls is not None:
                connection = stack.enter_context(tls.wrap_socket(connection, server_side=True))
            behaviour(Visitor(connection))

    def listen() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            visitors.append(connection)
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    try:
        port = server.getsockname()[1]
        yield f"mqtt:127.0.0.1:{port}" if tls is None else f"mqtts:localhost:{port}"
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        for connection in visitors:
            connection.close()
        listening.join()
