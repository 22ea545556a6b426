"""Waiting that Ctrl-C interrupts."""

from __future__ import annotations

import select
import time

# A closed context must be noticed although its descriptor stays silent.
_SLICE_NS = 1_000_000_000


def readable(fd: int, deadline_ns: int | None) -> bool:
    """Waits until a descriptor is readable, for a second at most; whether it is.

    `deadline_ns` is on `time.monotonic_ns`; None waits without one.
    """
    wait_ns = _SLICE_NS
    if deadline_ns is not None:
        wait_ns = max(0, min(wait_ns, deadline_ns - time.monotonic_ns()))
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(-(-wait_ns // 1_000_000)))


def deadline(timeout: float | None) -> int | None:
    """The moment on `time.monotonic_ns` at which a timeout is over; None for none."""
    if timeout is None:
        return None
    return time.monotonic_ns() + round(max(0.0, min(timeout, 9e9)) * 1_000_000_000)


def passed(moment: int | None) -> bool:
    """Whether a deadline is over."""
    return moment is not None and time.monotonic_ns() >= moment
