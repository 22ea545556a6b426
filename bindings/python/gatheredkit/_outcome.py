"""Results of futures: read from the library, or kept here because they never went there; and
waiting for them, on a thread or on asyncio."""

from __future__ import annotations

import asyncio
import ctypes
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Generic, Protocol, TypeVar, cast

from ._abi import decode_value, take_dict
from ._callbacks import raise_interrupt
from ._data_source_calls import error_of
from ._errors import (
    BusyError,
    CancelledError,
    ClosedError,
    GatheredKitError,
    TimedOutError,
    WrongThreadError,
)
from ._event_loop import EventLoop
from ._library import check, last_error, native
from ._native import Status, gkit_value
from ._waiting import deadline, passed

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

# Ctrl-C interrupts between two of these.
_SLICE_NS = 1_000_000_000


class Outcome(Generic[T_co]):
    """A value, or an error."""

    __slots__ = ("_trace", "error", "value")

    def __init__(self, value: T_co | None, error: BaseException | None = None) -> None:
        # An error has no value to read.
        self.value = cast("T_co", value)
        self.error = error
        # Each `raise` extends the traceback of an exception: this is the original one.
        self._trace: TracebackType | None = None if error is None else error.__traceback__

    @staticmethod
    def of(function: Callable[[], T]) -> Outcome[T]:
        """What a function answers or raises; what ends programs passes."""
        try:
            return Outcome(function())
        except Exception as error:
            return Outcome(None, error)

    def get(self) -> T_co:
        """The value; raises the error."""
        if self.error is not None:
            raise self.error.with_traceback(self._trace)
        return self.value


class Box(Generic[T]):
    """What the handles of a future share: its result once it was read, and its listeners."""

    __slots__ = ("__weakref__", "listeners", "made", "outcome", "was_heard")

    def __init__(self) -> None:
        self.outcome: Outcome[T] | None = None
        # The outcome given in Python; the library knows only that there is one.
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


class Claim(Generic[T]):
    """The right to resolve a future, which is used once; and what else is called then."""

    __slots__ = ("__weakref__", "_unused", "intercept", "on_cancel")

    def __init__(
        self,
        on_cancel: Callable[[], object] | None = None,
        intercept: Callable[[T | None, BaseException | None], T] | None = None,
    ) -> None:
        # `list.pop` is atomic, and needs no lock, on which a finalizer could deadlock.
        self._unused = [True]
        self.on_cancel = on_cancel
        self.intercept = intercept

    @property
    def was_used(self) -> bool:
        """Whether there is a result, or one is just being given."""
        return not self._unused

    def use(self) -> bool:
        """Uses it; False where it was used before."""
        try:
            return self._unused.pop()
        except IndexError:
            return False

    def settle(self, address: int | None, box: Box[T], outcome: Outcome[T]) -> bool:
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
    """The error of a report that the library gave away; None for a success."""
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


# Waiting on the thread of an asyncio loop.


class _Blocked(threading.local):
    """The number of nested waits of this thread, which runs an asyncio loop."""

    depth = 0


_blocked = _Blocked()


@contextmanager
def blocking() -> Generator[None, None, None]:
    """A block in which this thread waits; the tasks of its asyncio loop stand still meanwhile."""
    _blocked.depth += 1
    try:
        yield
    finally:
        _blocked.depth -= 1


def forbid_blocking(context: EventLoop) -> None:
    """Raises `WrongThreadError` where waiting would block the tasks that are waited for."""
    loop = context.asyncio_loop
    if loop is not None and running_loop() is loop:
        raise WrongThreadError("the result needs the asyncio loop of this thread: await it")


def is_blocked() -> bool:
    """Whether this thread waits for a result."""
    return _blocked.depth > 0


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The asyncio loop that runs on this thread; None where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Awaitable(Protocol[T_co]):
    """A future, as far as it is awaited."""

    context: EventLoop

    def listen(self, hear: Callable[[Outcome[T_co]], object], token: object = None) -> None: ...

    def leave(self, token: object) -> None: ...


def awaited(future: Awaitable[T]) -> Generator[object, None, Outcome[T]]:
    """The result, awaited on the running loop; cancelling the `await` removes its listener."""
    loop, token = asyncio.get_running_loop(), object()
    waiter: asyncio.Future[Outcome[T]] = loop.create_future()

    def hear(outcome: Outcome[T]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(_finish, waiter, outcome)

    future.listen(hear, token)
    try:
        with _dispatching(future.context, loop):
            return (yield from waiter)
    except asyncio.CancelledError:
        future.leave(token)
        raise


@contextmanager
def _dispatching(
    context: EventLoop, loop: asyncio.AbstractEventLoop
) -> Generator[None, None, None]:
    """Dispatches a context with a manual loop while a future is awaited, as `wait` does.

    Its descriptor is duplicated, since the program may watch it too.
    """
    if context.loop != "manual":
        yield
        return

    def dispatch() -> None:
        try:
            context.dispatch()
        except (BusyError, ClosedError):
            loop.remove_reader(fd)

    fd = os.dup(context.fileno())
    loop.add_reader(fd, dispatch)
    try:
        yield
    finally:
        loop.remove_reader(fd)
        os.close(fd)


def _finish(waiter: asyncio.Future[Outcome[T]], outcome: Outcome[T]) -> None:
    if not waiter.done():
        waiter.set_result(outcome)
