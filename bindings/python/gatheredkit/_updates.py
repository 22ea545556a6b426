"""Updates of a source, one by one: an iterator over what a reader queued."""

from __future__ import annotations

from collections import deque

from ._callbacks import SAMPLE_SIZE
from ._errors import ClosedError
from ._handles import AsyncClosing
from ._library import native
from ._native import gkit_sample
from ._reader import reader_of
from ._session import Session
from ._update import Update, make_update
from ._waiting import readable, readable_soon


class Updates(AsyncClosing):
    """The updates of a source, one `Update` a reading, for `for` and `async for`. Holds a bounded
    queue: it drops the oldest, counted in `dropped`. Ends when it, or the context, is closed.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop&clock=manual", loop="manual") as context:
    ...     with context.open("memory").updates(every=1) as updates:
    ...         context.seek(1)
    ...         [update["total"].status.name for _, update in zip(range(2), updates, strict=False)]
    ['OK', 'OK']
    """

    def __init__(self, source: Session, every: float | None, maxlen: int) -> None:
        self._width = max(1, len(source.table().properties))
        self._capacity = max(maxlen, self._width)
        self._reader = reader_of(source, self._capacity, every)
        self._source = source
        self._buffer = (gkit_sample * self._capacity)()
        self._waiting: deque[Update] = deque()

    @property
    def dropped(self) -> int:
        """How many samples were lost because the queue was full."""
        return self._reader.dropped

    def close(self) -> None:
        """Ends the updates, and stops the source if this iterator started it."""
        self._reader.close()

    def _fetch(self) -> None:
        """Takes what is queued, as one update a reading; a reading without its head is dropped."""
        reader = self._reader
        count = native().gkit_reader_read(reader.address, self._buffer, self._capacity, 0)
        if count <= 0:
            if count < 0:
                reader.check(count)
            return
        data = bytes(memoryview(self._buffer).cast("B")[: count * SAMPLE_SIZE])
        table, first = self._source.table(), 0
        while first < count and self._buffer[first].property != 0:
            first += 1
        for start in range(first, count - self._width + 1, self._width):
            part = data[start * SAMPLE_SIZE : (start + self._width) * SAMPLE_SIZE]
            self._waiting.append(make_update(table, part, self._width))

    def __iter__(self) -> Updates:
        return self

    def __next__(self) -> Update:
        try:
            while not self._waiting:
                self._fetch()
                if not self._waiting:
                    readable(self._reader.fileno(), None)
        except ClosedError:
            raise StopIteration from None
        return self._waiting.popleft()

    def __aiter__(self) -> Updates:
        return self

    async def __anext__(self) -> Update:
        try:
            while not self._waiting:
                self._fetch()
                if not self._waiting:
                    await readable_soon(self._reader.fileno())
        except ClosedError:
            raise StopAsyncIteration from None
        return self._waiting.popleft()

    def __repr__(self) -> str:
        return f"<Updates of {self._source!r}>"
