"""What a scrape of this machine costs, and what a server keeps (serve section 11)."""

from __future__ import annotations

import shutil
import socket
import statistics
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import DEVNULL, Popen

import pytest

from .asking import ask, until
from .conftest import Start
from .test_clients import MEBIBYTE, memory

EXPORTER = "prometheus-node-exporter"
ROUNDS = 30
PAUSE = 0.05  # so that the requests of an address stay within its limit


def cost(pid: int, scrape: Callable[[], object]) -> float:
    """The processor time of a scrape by a process, in milliseconds: the median of many."""
    clock = ~pid << 3 | 2
    found = []
    for _ in range(ROUNDS):
        before = time.clock_gettime_ns(clock)
        scrape()
        # What follows an answer is a part of it.
        time.sleep(PAUSE)
        found.append((time.clock_gettime_ns(clock) - before) / 1e6)
    return statistics.median(found)


@contextmanager
def exporter() -> Iterator[tuple[int, str]]:
    """node_exporter on loopback: its process and the address of its page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [EXPORTER, f"--web.listen-address={address}", "--log.level=error"]
    with Popen(words, stderr=DEVNULL) as running:
        yield running.pid, f"http://{address}/metrics"
        running.terminate()


def fetched(page: str) -> bool:
    """Whether a page is there."""
    try:
        with urllib.request.urlopen(page) as answer:
            return bool(answer.read())
    except OSError:
        return False


def test_memory(start: Start) -> None:
    """An idle server is small, and one that is scraped again and again stays small."""
    server = start("--context", "local:")
    assert ask(server, "/health").status == 200
    assert memory(server) <= 14 * MEBIBYTE
    for _ in range(ROUNDS):
        assert ask(server, "/metrics").status == 200
        time.sleep(PAUSE)
    assert memory(server) <= 16 * MEBIBYTE


def test_cost(start: Start) -> None:
    """A scrape takes less than node_exporter does for its own."""
    if shutil.which(EXPORTER) is None:
        pytest.skip(f"{EXPORTER} is not installed")
    server = start("--context", "local:")
    with exporter() as (pid, page):
        assert until(lambda: fetched(page))
        ask(server, "/metrics")
        # On a busy machine a moment may be worse for one than for the other.
        assert until(
            lambda: (
                cost(server.process.pid, lambda: ask(server, "/metrics"))
                < cost(pid, lambda: fetched(page))
            )
        )
