"""Awaiting futures on asyncio, without blocking its loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import BusyError, ClosedError, WrongThreadError
from ._outcome import Outcome

if TYPE_CHECKING:
    from ._event_loop import EventLoop
    from ._futures import Future

T = TypeVar("T")


class _Blocked(threading.local):
    """How often this thread, that of an asyncio loop, waits for a result."""

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
    """Raises `WrongThreadError` where waiting would keep the tasks from going on that are waited
    for."""
    loop = asyncio_loop(context)
    if loop is not None and running_loop() is loop:
        raise WrongThreadError("the result needs the asyncio loop of this thread: await it")


def is_blocked() -> bool:
    """Whether this thread waits for a result."""
    return _blocked.depth > 0


def asyncio_loop(context: EventLoop) -> asyncio.AbstractEventLoop | None:
    """The asyncio loop on which a context runs its callbacks; None where it does not."""
    return None if context._asyncio is None else context._asyncio[0]


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The asyncio loop that runs on this thread; None where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def awaited(future: Future[T]) -> Generator[Any, None, Outcome[T]]:
    """The result, which is waited for on the running loop; when that is cancelled, this seat among
    the listeners is given up."""
    loop, seat = asyncio.get_running_loop(), object()
    waiter: asyncio.Future[Outcome[T]] = loop.create_future()

    def hear(outcome: Outcome[T]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(_finish, waiter, outcome)

    future._listen(hear, seat)
    try:
        with _dispatching(future.context, loop):
            return (yield from waiter)
    except asyncio.CancelledError:
        future._leave(seat)
        raise


@contextmanager
def _dispatching(
    context: EventLoop, loop: asyncio.AbstractEventLoop
) -> Generator[None, None, None]:
    """A context with a manual loop is dispatched by who waits, as in `wait`.

    Its descriptor is doubled, for the program may watch it too.
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
