"""An iiod of our own on loopback, whose devices umockdev pretends."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
from pathlib import Path

from .patience import until

PROGRAM = "/usr/sbin/iiod"
IS_INSTALLED = os.access(PROGRAM, os.X_OK) and shutil.which("umockdev-run") is not None

SCALE = 0.5
RECORDS = 200


def _device(number: int, attributes: dict[str, str], records: bytes = b"") -> str:
    place = f"/devices/bus/{attributes['name']}/iio:device{number}"
    content = f"={records.hex().upper()}" if records else ""
    lines = [f"P: {place}", f"N: iio:device{number}{content}"]
    lines += [f"E: DEVNAME=/dev/iio:device{number}", "E: SUBSYSTEM=iio", "E: DEVTYPE=iio_device"]
    lines += [f"A: {name}={value}\\n" for name, value in attributes.items()]
    return "\n".join(lines) + "\n\n"


def _imu() -> str:
    """A chip of three axes that counts up along x, down along y and rests at 20 along z."""
    attributes = {"name": "bmi160", "sampling_frequency": "100", "in_accel_scale": str(SCALE)}
    attributes |= {"sampling_frequency_available": "100"}
    attributes |= {"buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1"}
    for index, axis in enumerate("xyz"):
        element = f"scan_elements/in_accel_{axis}"
        attributes[f"in_accel_{axis}_raw"] = str((16, 17, 20)[index])
        attributes |= {f"{element}_en": "0", f"{element}_index": str(index)}
        attributes[f"{element}_type"] = "le:s16/16>>0"
    records = b"".join(struct.pack("<3h", row, -row, 20) for row in range(RECORDS))
    return _device(0, attributes, records)


def _barometer() -> str:
    return _device(1, {"name": "bmp280", "in_pressure_input": "100", "in_temp_input": "21500"})


def free_port() -> int:
    """A port that no process listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Iiod:
    """Serves the devices while it runs; started and ended as often as wanted, on one port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._devices = folder / "devices"
        self._devices.write_text(_imu() + _barometer(), "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """What an `ip:` URI says."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it and waits until it serves."""
        words = ["umockdev-run", "-d", str(self._devices), "--", PROGRAM, "-p", str(self.port)]
        self._process = subprocess.Popen(
            words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if not until(self._serves):
            raise TimeoutError("iiod did not begin to serve")

    def _serves(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def stop(self) -> None:
        """Ends it as a crash would: it ignores SIGTERM. Its group is it and umockdev alone."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
