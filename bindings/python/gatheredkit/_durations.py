"""Seconds of Python to nanoseconds of C."""

from __future__ import annotations

import math

from ._errors import InvalidArgumentError

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
