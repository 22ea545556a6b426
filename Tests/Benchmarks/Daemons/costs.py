"""What a wait costs: processes as long as they are wanted, a message bus of one's own, and the
processor time and wake-ups of this process."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process as long as it is wanted."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def private_bus(folder: str) -> Iterator[str]:
    """A message bus of our own; its address, also as that of the system's."""
    address = f"unix:path={folder}/bus"
    with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
        file.write(
            f"<busconfig><type>session</type><listen>{address}</listen><auth>EXTERNAL</auth>"
            '<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>'
            '<allow own="*"/><allow eavesdrop="true"/></policy></busconfig>\n'
        )
    with running("dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf"):
        wait_for(lambda: os.path.exists(f"{folder}/bus"))
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        yield address


def wait_for(condition: Callable[[], bool]) -> None:
    """Waits until it holds. Raises `TimeoutError` after ten seconds."""
    end = time.monotonic() + 10
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


def used() -> tuple[float, int]:
    """Seconds of processor time of this process, and how often it was woken."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID), usage.ru_nvcsw


def cost(seconds: float, wait: Callable[[float], None]) -> tuple[float, int]:
    """Processor time and wake-ups of a wait, the waiter's own one left out."""
    before = used()
    wait(seconds)
    after = used()
    return after[0] - before[0], max(0, after[1] - before[1] - 1)
