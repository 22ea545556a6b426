"""A broker of one's own, and as many machines there as one likes."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import gatheredkit as gk

PATIENCE = 120.0
ROOT = "template"
SOURCES = 30


class Broker:
    """Debian's mosquitto with its default settings, on loopback."""

    def __init__(self, folder: Path) -> None:
        daemon = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
        if daemon is None:
            raise SystemExit("mosquitto is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        settings = folder / "mosquitto.conf"
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n")
        words = [daemon, "-c", str(settings)]
        self.process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while not self._answers() and time.monotonic() < end:
            time.sleep(0.01)

    def _answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


@contextlib.contextmanager
def broker() -> Iterator[Broker]:
    with tempfile.TemporaryDirectory(prefix="gathered-") as folder:
        made = Broker(Path(folder))
        try:
            yield made
        finally:
            made.end()


def available(context: gk.Context) -> list[str]:
    """The ids of the sources that can be read."""
    usable = gk.Availability.AVAILABLE
    return [each.id for each in context.sources() if each.availability is usable]


@contextlib.contextmanager
def crowd(program: Path, port: int, devices: int, heartbeat: float = 0) -> Iterator[None]:
    """Machines of SOURCES sources each, made of what the library itself publishes."""
    uri = f"mqtt:127.0.0.1:{port}&root={ROOT}"
    with gk.Context("sim:laptop&clock=manual", loop="manual") as laptop:
        ids = available(laptop)[:SOURCES]
        words = [str(program), str(port), ROOT, "one", str(devices)]
        if heartbeat:
            words.append(f"{heartbeat:g}")
        with gk.publish(uri, ids, device="one", context=laptop) as published:
            laptop.seek(3)
            published.recorder.flush(timeout=PATIENCE)
            pipe = subprocess.PIPE
            with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as process:
                assert process.stdout is not None
                if process.stdout.readline() != "ready\n":
                    raise SystemExit("the machines cannot be made")
                yield


def opened(
    program: Path, port: int, devices: int, *more: str
) -> tuple[list[float], subprocess.CompletedProcess[str]]:
    """What `opening` or `asking` prints of such machines."""
    words = [str(program), str(port), str(devices), str(SOURCES), *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return [float(word) for word in done.stdout.split()], done
