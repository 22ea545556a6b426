"""Values of a stream for `async for`."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from ._connections import Connection
from ._errors import ClosedError

if TYPE_CHECKING:
    from ._stream import Stream

T = TypeVar("T")


class _Inbox(Generic[T]):
    """Values that wait, and who waits for one."""

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

    def __init__(self, stream: Stream[T], maxlen: int | None) -> None:
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
            self._connection = self._stream._subscribe(inbox.take, self._home)
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
