"""Readers that do not keep up harm no other, and see what they have lost: fleet F26, F28."""

from __future__ import annotations

import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

import gatheredkit as gk

from .mqtt import MOSQUITTO, private_broker
from .patience import PATIENCE, until

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")

mqtt = pytest.importorskip("paho.mqtt.client")

# A broker that keeps little for who does not take it.
SETTINGS = ("max_queued_messages 5", "max_inflight_messages 2")
ROWS = "gathered/v1/pi/accelerometer/mpu6050/rows"


def block_numbers(message: bytes) -> list[int]:
    """The numbers of the blocks in a message of rows."""
    numbers = []
    while message:
        marker, _, _, length, number, _, _ = struct.unpack("<4sHHIIII", message[:24])
        assert marker == b"\xf5GK\xa7"
        numbers.append(number)
        message = message[24 + length :]
    return numbers


class SlowReader:
    """An independent client that takes its time with every message."""

    def __init__(self, uri: str) -> None:
        self.pause = 1.0
        self.numbers: list[int] = []
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_message = self._take
        self.client.connect("127.0.0.1", int(uri.rsplit(":", 1)[1]))
        self.client.subscribe(ROWS, qos=1)
        self.client.loop_start()

    def _take(self, client: object, userdata: object, message: mqtt.MQTTMessage) -> None:
        time.sleep(self.pause)
        self.numbers += block_numbers(message.payload)

    @property
    def missing(self) -> int:
        """How many blocks did not come between the first and the last."""
        numbers = list(self.numbers)
        return numbers[-1] - numbers[0] + 1 - len(numbers)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@contextmanager
def published(uri: str, phone: gk.Context) -> Iterator[gk.Recording]:
    """An accelerometer at 1 kHz, in many small messages."""
    with gk.publish(
        uri,
        ["accelerometer"],
        every=0.001,
        device="pi",
        batch_interval=0.02,
        memory_limit=1 << 20,
        context=phone,
    ) as publishing:
        yield publishing


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


def test_a_slow_reader_loses_blocks_and_the_publisher_nothing(tmp_path: Path) -> None:
    """fleet F26, F28, by paho: the broker drops what it does not take."""
    with (
        private_broker(tmp_path, *SETTINGS) as uri,
        gk.Context("sim:phone") as phone,
        published(uri, phone) as publishing,
        phone.open("accelerometer") as own,
        gk.Recorder(phone, tmp_path / "own.gkr") as recorder,
    ):
        recorder.add(own)
        own.start(every=0.001)
        reader = SlowReader(uri)
        assert until(lambda: len(reader.numbers) > 1)
        gathered = recorder.info().rows_taken
        taken = publishing.info().rows_taken
        before = resident()
        sent = publishing.info().messages_sent or 0
        assert until(lambda: (publishing.info().messages_sent or 0) > sent + 100)
        assert resident() < before + (64 << 20)
        reader.pause = 0
        assert until(lambda: reader.missing > 20)
        reader.close()
        info = publishing.info()
        assert info.rows_lost == recorder.info().rows_lost == 0
        assert info.rows_taken - (info.rows_acknowledged or 0) < 1000
        # What is gathered goes to a file as well, as fast as before.
        assert recorder.info().rows_taken - gathered > (info.rows_taken - taken) / 2
        assert reader.numbers == sorted(set(reader.numbers))


def jumps(rows: list[list[int]]) -> list[list[int]]:
    """The rows in front of which others are missing."""
    return [later for earlier, later in pairwise(rows) if later[0] > earlier[0] + 1]


READER = """
import sys, gatheredkit as gk
with gk.Context(sys.argv[1]) as fleet, fleet.open("accelerometer|mpu6050@pi") as source:
    def tell(update):
        for reading in update.readings:
            sample = reading["acceleration"]
            print(sample.sequence, int(sample.gap_before), sample.boot_ns, flush=True)
    source.listen(tell)
    source.start(every=0.001)
    sys.stdin.read()
"""


def test_a_reader_that_was_stopped_misses_nothing_unmarked(tmp_path: Path) -> None:
    """fleet F28, F49: what the connection holds comes, though the clock is followed anew, and what
    the broker has dropped is a gap by the blocks' numbers."""
    told = tmp_path / "told"
    with (
        private_broker(tmp_path, *SETTINGS) as uri,
        gk.Context("sim:phone") as phone,
        published(uri, phone) as publishing,
        told.open("w") as output,
    ):
        publishing.recorder.flush(timeout=PATIENCE)
        words = [sys.executable, "-c", READER, uri]
        reader = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=output)

        def rows() -> list[list[int]]:
            lines = told.read_text("utf-8").split("\n")[:-1]
            return [[int(word) for word in line.split()] for line in lines]

        assert until(lambda: len(rows()) > 50)
        reader.send_signal(signal.SIGSTOP)
        sent = publishing.info().messages_sent or 0
        assert until(lambda: (publishing.info().messages_sent or 0) > sent + 100)
        reader.send_signal(signal.SIGCONT)
        count = len(rows())
        assert until(lambda: len(rows()) > count + 1000)
        reader.communicate(timeout=PATIENCE)
        assert reader.returncode == 0
    found = rows()
    assert [time for _, _, time in found] == sorted(time for _, _, time in found)
    # The first state may be older than the first rows.
    unmarked = [row for row in jumps(found[20:]) if not row[1]]
    assert not unmarked
