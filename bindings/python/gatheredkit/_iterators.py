"""Events as an iterator."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ._closing import Closing
from ._connections import Connection
from ._errors import ClosedError
from ._info import Event

if TYPE_CHECKING:
    from ._context import Context


class Events(Closing):
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
        context: Context,
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


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
