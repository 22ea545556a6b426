"""A real MQTT broker of a test's own."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .patience import PATIENCE, until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")


@contextmanager
def private_broker(folder: Path, *settings: str) -> Iterator[str]:
    """The URI of a broker that takes every client, with further lines of its configuration."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines = [f"listener {port} 127.0.0.1", "allow_anonymous true", "user root", *settings]
    file = folder / "mosquitto.conf"
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert MOSQUITTO is not None
    daemon = subprocess.Popen([MOSQUITTO, "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: answers(port))
        yield f"mqtt:127.0.0.1:{port}"
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE)


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
