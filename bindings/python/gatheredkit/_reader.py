"""Readers: bounded queues of samples, read in batches."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._closing import Closing
from ._errors import ClosedError, TimedOutError
from ._frame import Frame
from ._handles import Handle
from ._library import native
from ._native import (
    Overflow,
    Status,
    gkit_reader_options,
    gkit_reader_stats,
    gkit_sample,
)
from ._sample import SAMPLE_SIZE, Sample
from ._waiting import deadline, passed, readable

if TYPE_CHECKING:
    from ._context import Context
    from ._source import Source


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

    def __init__(self, context: Context, maxlen: int, overflow: Overflow) -> None:
        options = gkit_reader_options(
            struct_size=ctypes.sizeof(gkit_reader_options), capacity=maxlen, overflow=overflow
        )
        out = ctypes.c_void_p()
        function = native().gkit_reader_new
        context.check(function(context.address, ctypes.byref(options), ctypes.byref(out)))
        super().__init__(out.value)
        self._context = context
        self._sources: dict[int, Source] = {}
        self._started: list[Source] = []

    def add(self, source: Source) -> None:
        """Adds a source and keeps it; does not start it.

        Raises `ExistsError`, `InvalidArgumentError` (of another context).
        """
        self.check(native().gkit_reader_add(self.address, source.address))
        self._sources[source.info.number] = source

    def start(self, source: Source, every: float | None = None) -> None:
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

    def frame(self, source: Source | None = None, timeout: float | None = 1.0) -> Frame:
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
