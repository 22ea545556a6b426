"""Readers: bounded queues of samples, read in batches or frame by frame."""

from __future__ import annotations

import asyncio
import ctypes
import time
from contextlib import suppress
from dataclasses import dataclass

from ._callbacks import SAMPLE_SIZE
from ._errors import ClosedError, TimedOutError
from ._event_loop import EventLoop
from ._frame import Frame
from ._handles import AsyncClosing, Handle
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
from ._waiting import deadline, passed, readable, readable_soon


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


class Reader(AsyncClosing, Handle):
    """A bounded queue of the samples of one or more sources, filled whether or not the context is
    dispatched: the fast path. Made by `Source.stream` and `Context.reader`. `for` and `async for`
    give its frames.

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

    def frames(self, every: float = 0.0) -> Frames:
        """All that comes, as one `Frame` every so many seconds (0: as soon as there is anything),
        for `for` and `async for`; ends when the reader or the context is closed. Intervals without
        rows are left out."""
        return Frames(self, self._context, every)

    def __iter__(self) -> Frames:
        """All that comes, as soon as there is anything."""
        return self.frames()

    def __aiter__(self) -> Frames:
        """The same for `async for`."""
        return self.frames()

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
        for source in self._sources.values():
            source.settle()
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


class Frames:
    """The frames of a reader, for `for` and `async for`. Ends when the reader, or its context, is
    closed.

    >>> import asyncio
    >>> import gatheredkit as gk
    >>> async def rows() -> int:
    ...     async with gk.Context("sim:laptop") as context:
    ...         async with context.open("memory").stream(every=0.1) as samples:
    ...             async for frame in samples:
    ...                 return frame.rows
    >>> asyncio.run(rows()) > 0
    True
    """

    def __init__(self, reader: Reader, context: EventLoop, every: float) -> None:
        self._reader = reader
        self._context = context
        self._every = every
        self._due: float | None = None

    def _pause(self) -> float:
        """How long to wait for the next frame, in seconds."""
        now = time.monotonic()
        self._due = now + self._every if self._due is None else max(self._due + self._every, now)
        return self._due - now

    @property
    def _is_over(self) -> bool:
        return self._reader.closed or self._context.closed

    def __iter__(self) -> Frames:
        return self

    def __next__(self) -> Frame:
        while not self._is_over:
            if self._every > 0:
                self._context.sleep(self._pause())
            try:
                return self._reader.frame(timeout=None if self._every <= 0 else 0.0)
            except TimedOutError:
                continue
            except ClosedError:
                break
        raise StopIteration

    def __aiter__(self) -> Frames:
        return self

    async def __anext__(self) -> Frame:
        try:
            while not self._is_over:
                if self._every > 0:
                    await asyncio.sleep(self._pause())
                with suppress(TimedOutError):
                    return self._reader.frame(timeout=0.0)
                if self._every <= 0:
                    await readable_soon(self._reader.fileno())
        except ClosedError:
            pass
        raise StopAsyncIteration

    def __repr__(self) -> str:
        return f"<Frames of {self._reader!r}>"


def reader_of(source: Session, maxlen: int, every: float | None) -> Reader:
    """A reader of one source, which is started if it is idle."""
    reader = Reader(source.event_loop, maxlen, Overflow.DROP_OLDEST)
    reader.add(source)
    reader.start(source, every)
    return reader
