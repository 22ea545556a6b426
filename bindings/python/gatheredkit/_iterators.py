"""Iterators for `for` and `async for`: events, and the values of streams."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from ._errors import ClosedError
from ._event_loop import EventLoop
from ._handles import AsyncClosing, Connection, Home
from ._info import Event

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Events(AsyncClosing):
    """The events of a source or of a context, for `for` and `async for`. Bounded: it drops the
    oldest and counts them in `dropped`. Ends when it, or its context, is closed.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     with memory.events() as events:
    ...         memory.start(every=1)
    ...         next(events).type.name
    'STARTED'
    """

    def __init__(
        self,
        context: EventLoop,
        connect: Callable[[Callable[[Event], object]], Connection],
        maxlen: int,
    ) -> None:
        self.dropped = 0
        self._context = context
        self._queue: deque[Event] = deque(maxlen=maxlen)
        self._changed = threading.Condition()
        self._waiter: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]] | None = None
        self._connection = connect(self._take)
        context.on_close(self._wake)

    def close(self) -> None:
        """Ends the events; iteration stops after those already here."""
        self._connection.disconnect()
        self._wake()

    def _take(self, event: Event) -> None:
        with self._changed:
            self.dropped += len(self._queue) == self._queue.maxlen
            self._queue.append(event)
        self._wake()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
            waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter[0].is_closed():
            waiter[0].call_soon_threadsafe(_finish, waiter[1])

    @property
    def _ended(self) -> bool:
        return not self._connection.connected or self._context.closed

    def __iter__(self) -> Events:
        return self

    def __next__(self) -> Event:
        while not self._queue:
            if self._ended:
                raise StopIteration
            if self._context.loop == "manual":
                with suppress(ClosedError):
                    self._context.dispatch(None)
                continue
            with self._changed:
                if not self._queue and not self._ended:
                    self._changed.wait()
        return self._queue.popleft()

    def __aiter__(self) -> Events:
        return self

    async def __anext__(self) -> Event:
        loop = asyncio.get_running_loop()
        while not self._queue:
            if self._ended:
                raise StopAsyncIteration
            future = loop.create_future()
            self._waiter = loop, future
            if self._queue or self._ended:
                continue
            await future
        return self._queue.popleft()

    def __repr__(self) -> str:
        return f"<Events {len(self._queue)} waiting, {self.dropped} dropped>"


class _Inbox(Generic[T]):
    """A queue of values, and the task that waits for one."""

    def __init__(self, maxlen: int | None) -> None:
        self.values: deque[T] = deque(maxlen=maxlen)
        self.dropped = 0
        self._lock = threading.Lock()
        self._waiter: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]] | None = None

    def take(self, value: T) -> None:
        with self._lock:
            self.dropped += len(self.values) == self.values.maxlen
            self.values.append(value)
        self.wake()

    def wait(self, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]) -> None:
        with self._lock:
            self._waiter = waiter
        if self.values:
            self.wake()

    def wake(self) -> None:
        with self._lock:
            waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter[0].is_closed():
            waiter[0].call_soon_threadsafe(_finish, waiter[1])


class Values(Protocol[T_co]):
    """A stream, as far as its values are waited for."""

    @property
    def context(self) -> EventLoop: ...

    def subscribe_into(self, home: Home, sink: Callable[[T_co], object]) -> Connection: ...


class AsyncValues(Generic[T]):
    """The values of a stream for `async for`: one subscription, from the first value asked for to
    the end of the loop, of its task or of the context.

    >>> import asyncio
    >>> import gatheredkit as gk
    >>> async def first() -> object:
    ...     async with gk.Context("sim:empty") as context:
    ...         async for value in gk.Variable(7, context=context):
    ...             return value
    >>> asyncio.run(first())
    7
    """

    def __init__(self, stream: Values[T], maxlen: int | None) -> None:
        self._stream = stream
        self._inbox: _Inbox[T] = _Inbox(maxlen)
        self._home: set[Connection] = set()
        self._connection: Connection | None = None
        self._ended = False

    @property
    def dropped(self) -> int:
        """How many values were lost because the `async for` did not keep up."""
        return self._inbox.dropped

    def close(self) -> None:
        """Ends the values; idempotent."""
        self._ended = True
        if self._connection is not None:
            self._connection.disconnect()
        self._inbox.wake()

    async def aclose(self) -> None:
        """Ends the values; idempotent."""
        self.close()

    def __aiter__(self) -> AsyncValues[T]:
        return self

    async def __anext__(self) -> T:
        try:
            return await self._next()
        except BaseException:
            self.close()
            raise

    async def _next(self) -> T:
        loop, inbox = asyncio.get_running_loop(), self._inbox
        if self._connection is None and not self._ended:
            self._subscribe()
        while not inbox.values:
            if self._ended or self._stream.context.closed:
                raise StopAsyncIteration
            future: asyncio.Future[None] = loop.create_future()
            inbox.wait((loop, future))
            if not (self._ended or self._stream.context.closed):
                await future
        return inbox.values.popleft()

    def _subscribe(self) -> None:
        inbox = self._inbox
        try:
            self._connection = self._stream.subscribe_into(self._home, inbox.take)
        except ClosedError:
            self._ended = True
            return
        self._stream.context.on_close(self._close_now)

    def _close_now(self) -> None:
        self._ended = True
        self._inbox.wake()

    def __repr__(self) -> str:
        return f"<AsyncValues {len(self._inbox.values)} waiting, {self.dropped} dropped>"


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
