"""Readers: bounded queues of samples, read in batches or as an iterator of updates."""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ._callbacks import SAMPLE_SIZE
from ._errors import ClosedError, TimedOutError
from ._event_loop import EventLoop
from ._frame import Frame
from ._handles import Closing, Handle
from ._library import native
from ._native import (
    Overflow,
    Status,
    gkit_reader_options,
    gkit_reader_stats,
    gkit_sample,
)
from ._sample import Sample
from ._session import Session
from ._update import Update, make_update
from ._waiting import deadline, passed, readable


@dataclass(frozen=True, slots=True)
class ReaderStats:
    """What went through a reader, in samples: waiting, handed out, and lost because it was full.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.reader() as reader:
    ...     reader.stats
    ReaderStats(queued=0, delivered=0, dropped=0)
    """

    queued: int
    delivered: int
    dropped: int


class Reader(Closing, Handle):
    """A bounded queue of the samples of one or more sources, filled whether or not the context is
    dispatched: the fast path. Made by `Source.stream` and `Context.reader`.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop&clock=manual", loop="manual") as context:
    ...     with context.open("memory").stream(every=1) as samples:
    ...         context.seek(3)
    ...         samples.frame(timeout=0).rows, samples.dropped
    (4, 0)
    """

    def __init__(self, context: EventLoop, maxlen: int, overflow: Overflow) -> None:
        options = gkit_reader_options(
            struct_size=ctypes.sizeof(gkit_reader_options), capacity=maxlen, overflow=overflow
        )
        out = ctypes.c_void_p()
        function = native().gkit_reader_new
        context.check(function(context.address, ctypes.byref(options), ctypes.byref(out)))
        super().__init__(out.value)
        self._context = context
        self._sources: dict[int, Session] = {}
        self._started: list[Session] = []

    def add(self, source: Session) -> None:
        """Adds a source and keeps it; does not start it.

        Raises `ExistsError`, `InvalidArgumentError` (of another context).
        """
        self.check(native().gkit_reader_add(self.address, source.address))
        self._sources[source.info.number] = source

    def start(self, source: Session, every: float | None = None) -> None:
        """Starts an idle source, and stops it when the reader is closed; `every` in seconds."""
        if every is not None or not source.is_updating:
            idle = not source.is_updating
            source.start(every)
            if idle:
                self._started.append(source)

    def fileno(self) -> int:
        """The descriptor that is readable while samples are queued; do not read it."""
        return self.check(native().gkit_reader_fd(self.address))

    def read(self, limit: int = 4096, timeout: float | None = 0.0) -> list[Sample]:
        """Takes at most `limit` samples, oldest first; waits `timeout` seconds for the first one
        (None: for ever), and is empty when they are over. Raises `ClosedError`."""
        buffer = (gkit_sample * limit)()
        end = deadline(timeout)
        while True:
            count = self.check(native().gkit_reader_read(self.address, buffer, limit, 0))
            if count or passed(end):
                return [self._sample(buffer, row) for row in range(count)]
            readable(self.fileno(), end)

    def frame(self, source: Session | None = None, timeout: float | None = 1.0) -> Frame:
        """Takes all rows queued of one source (None: of the first that has any) as columns; waits
        `timeout` seconds (None: for ever). Raises `TimedOutError`, `ClosedError`."""
        out, end = ctypes.c_void_p(), deadline(timeout)
        candidates = list(self._sources.values()) if source is None else [source]
        function, status = native().gkit_reader_next_frame, int(Status.TIMEOUT)
        while True:
            for chosen in candidates:
                status = function(self.address, chosen.address, 0, ctypes.byref(out))
                if status != Status.TIMEOUT:
                    self.check(status)
                    return Frame(out.value or 0, chosen)
            if passed(end):
                raise TimedOutError("no rows came in time")
            readable(self.fileno(), end)

    def frames(self, every: float = 0.0) -> Iterator[Frame]:
        """All that comes, as one `Frame` every so many seconds (0: as soon as there is anything);
        ends when the reader or the context is closed. Intervals without rows are left out."""
        due = time.monotonic()
        while not self.closed and not self._context.closed:
            due = max(due + every, time.monotonic())
            if every > 0:
                self._context.sleep(due - time.monotonic())
            try:
                yield self.frame(timeout=None if every <= 0 else 0.0)
            except TimedOutError:
                continue
            except ClosedError:
                return

    @property
    def stats(self) -> ReaderStats:
        """How many samples are queued, were handed out and were lost."""
        found = gkit_reader_stats(struct_size=ctypes.sizeof(gkit_reader_stats))
        self.check(native().gkit_reader_get_stats(self.address, ctypes.byref(found)))
        return ReaderStats(found.queued, found.delivered, found.dropped)

    @property
    def dropped(self) -> int:
        """How many samples were lost because the reader was full."""
        return self.stats.dropped

    def close(self) -> None:
        """Lets the queue go, and stops the sources it started. Idempotent."""
        for source in self._started:
            if not source.closed and not self._context.closed:
                source.stop()
        self._started.clear()
        self._sources.clear()
        self._let_go()

    def _sample(self, buffer: ctypes.Array[gkit_sample], row: int) -> Sample:
        source = self._sources[buffer[row].source]
        return source.table().sample(buffer, row * SAMPLE_SIZE)

    def __repr__(self) -> str:
        if self.closed:
            return "<Reader closed>"
        stats = self.stats
        return f"<Reader {stats.queued} queued, {stats.dropped} dropped>"


def reader_of(source: Session, maxlen: int, every: float | None) -> Reader:
    """A reader of one source, which is started if it is idle."""
    reader = Reader(source.event_loop, maxlen, Overflow.DROP_OLDEST)
    reader.add(source)
    reader.start(source, every)
    return reader


class Updates(Closing):
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
                    await self._readable()
        except ClosedError:
            raise StopAsyncIteration from None
        return self._waiting.popleft()

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        event, fd = asyncio.Event(), self._reader.fileno()
        loop.add_reader(fd, event.set)
        try:
            # A closed context must be noticed although its descriptor stays silent.
            await asyncio.wait_for(event.wait(), 1.0)
        except asyncio.TimeoutError:
            pass
        finally:
            loop.remove_reader(fd)

    def __repr__(self) -> str:
        return f"<Updates of {self._source!r}>"
