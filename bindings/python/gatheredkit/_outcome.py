"""Results of futures: read from the library, or kept here because they never went there."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeVar

from ._abi import decode_value, take_dict
from ._callbacks import raise_interrupt
from ._data_source_calls import error_of
from ._errors import CancelledError, GatheredKitError, TimedOutError
from ._library import check, last_error, native
from ._native import Status, gkit_value
from ._waiting import deadline, passed

T = TypeVar("T")

# Ctrl-C is heard between two of these.
_SLICE_NS = 1_000_000_000


class Outcome(Generic[T]):
    """A value, or an error."""

    __slots__ = ("_trace", "error", "value")

    def __init__(self, value: Any = None, error: BaseException | None = None) -> None:
        self.value: T = value
        self.error = error
        # Each `raise` adds to the traceback of an exception: it is raised as it came.
        self._trace: TracebackType | None = None if error is None else error.__traceback__

    @staticmethod
    def of(function: Callable[[], Any]) -> Outcome[Any]:
        """What a function answers or raises; what ends programs passes."""
        try:
            return Outcome(function())
        except Exception as error:
            return Outcome(None, error)

    def get(self) -> T:
        """The value; raises the error."""
        if self.error is not None:
            raise self.error.with_traceback(self._trace)
        return self.value


class Box(Generic[T]):
    """What those who know a future share: its result once it was read, and who listens."""

    __slots__ = ("__weakref__", "listeners", "made", "outcome", "was_heard")

    def __init__(self) -> None:
        self.outcome: Outcome[T] | None = None
        # What Python resolved it with: the library knows only that it did.
        self.made: Outcome[T] | None = None
        self.listeners: set[object] = set()
        self.was_heard = False

    def read(self, address: int) -> Outcome[T]:
        """The result of a future that has one."""
        if self.outcome is None:
            value = gkit_value()
            status = native().gkit_future_wait(address, 0, ctypes.byref(value))
            self.outcome = self.answered(value) if status >= 0 else self.peek(address)
            if self.outcome is None:
                return Outcome(None, CancelledError("the future has gone"))
        return self.outcome

    def answered(self, value: gkit_value) -> Outcome[T]:
        """The result of one that has succeeded."""
        if self.outcome is None:
            made = self.made
            self.outcome = Outcome(decode_value(value)) if made is None else made
        return self.outcome

    def peek(self, address: int | None) -> Outcome[T] | None:
        """The result; None while it is pending."""
        if self.outcome is None:
            out = ctypes.c_void_p()
            if address is None or native().gkit_future_get_error(address, ctypes.byref(out)) < 0:
                return None
            failure = _failure(out.value or 0)
            if failure is None:
                return self.read(address)
            self.outcome = Outcome(None, failure)
        return self.outcome


class Claim:
    """The right to resolve a future, which is used once; and what else is called then."""

    __slots__ = ("__weakref__", "_unused", "intercept", "on_cancel")

    def __init__(
        self,
        on_cancel: Callable[[], object] | None = None,
        intercept: Callable[[Any, BaseException | None], Any] | None = None,
    ) -> None:
        # Taking the last item of a list is one step for every thread, without a lock that a
        # finalizer could meet.
        self._unused = [True]
        self.on_cancel = on_cancel
        self.intercept = intercept

    @property
    def was_used(self) -> bool:
        """Whether there is a result, or one is just being given."""
        return not self._unused

    def use(self) -> bool:
        """Whether the caller is the one who resolves."""
        try:
            return self._unused.pop()
        except IndexError:
            return False

    def settle(self, address: int | None, box: Box[Any], outcome: Outcome[Any]) -> bool:
        """Resolves a future; False where that was done before."""
        if not self.use():
            return False
        intercept, self.intercept = self.intercept, None
        if intercept is not None:
            before = outcome
            outcome = Outcome.of(lambda: intercept(before.value, before.error))
        box.made = outcome
        status = native().gkit_future_resolve(address, 0, None, None)
        raise_interrupt()
        return status >= 0


def _failure(report: int) -> GatheredKitError | None:
    """The error that a dictionary given away tells of; None for a success."""
    code = gkit_value()
    check(native().gkit_dict_get(report, b"code", ctypes.byref(code)))
    if code.as_.integer == 0:
        native().gkit_release(report)
        return None
    return error_of(take_dict(report))


def waited(address: int, box: Box[T], timeout: float | None) -> Outcome[T]:
    """The result of a future, once it is there. Raises `TimedOutError`, `WrongThreadError`."""
    value, end = gkit_value(), deadline(timeout)
    while True:
        left = _SLICE_NS if end is None else max(0, min(_SLICE_NS, end - time.monotonic_ns()))
        status = native().gkit_future_wait(address, left, ctypes.byref(value))
        raise_interrupt()
        if status >= 0:
            return box.answered(value)
        error = last_error(status)
        outcome = box.peek(address)
        if outcome is not None:
            return outcome
        if status != Status.TIMEOUT:
            raise error
        if passed(end):
            raise TimedOutError("there is no result yet")
