"""Lengths of time, and waiting that Ctrl-C interrupts."""

from __future__ import annotations

import asyncio
import math
import select
import time

from ._errors import InvalidArgumentError

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


async def readable_soon(fd: int) -> None:
    """The same for the running asyncio loop: waits for a second at most."""
    loop, event = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(fd, event.set)
    try:
        await asyncio.wait_for(event.wait(), _SLICE_NS / 1e9)
    except asyncio.TimeoutError:
        pass
    finally:
        loop.remove_reader(fd)


def deadline(timeout: float | None) -> int | None:
    """The moment on `time.monotonic_ns` at which a timeout is over; None for none."""
    if timeout is None:
        return None
    return time.monotonic_ns() + round(max(0.0, min(timeout, 9e9)) * 1_000_000_000)


def passed(moment: int | None) -> bool:
    """Whether a deadline is over."""
    return moment is not None and time.monotonic_ns() >= moment


# Seconds of Python, nanoseconds of C.

FOREVER = -1
_LONGEST = (1 << 63) - 1


def timeout_ns(seconds: float | None) -> int:
    """A timeout; None waits for ever. Raises `InvalidArgumentError` for NaN."""
    if seconds is None:
        return FOREVER
    if math.isnan(seconds):
        raise InvalidArgumentError("the timeout is not a number")
    return max(0, min(_LONGEST, round(min(seconds, 9e9) * 1_000_000_000)))


def interval(every: float | None, interval_ns: int | None) -> int:
    """An interval to ask for; 0 is the kind's default.

    Raises `InvalidArgumentError` unless it is a finite number above 0, and given once.
    """
    if every is None:
        return 0 if interval_ns is None else interval_ns
    if interval_ns is not None:
        raise InvalidArgumentError("give `every` or `interval_ns`, not both")
    if not (math.isfinite(every) and 0 < every <= 9e9):
        raise InvalidArgumentError(f"an interval is a finite number of seconds above 0: {every}")
    return max(1, round(every * 1_000_000_000))


def duration_ns(seconds: float) -> int:
    """A duration of an operator. Raises `InvalidArgumentError` unless it is finite and above 0."""
    if not (math.isfinite(seconds) and 0 < seconds <= 9e9):
        raise InvalidArgumentError(f"a duration is a finite number of seconds above 0: {seconds}")
    return max(1, round(seconds * 1_000_000_000))
