"""Recorders: sources and streams into a file, which a replay context plays."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Literal, NamedTuple

from ._abi import encoded, take_dict
from ._context import Context, Source
from ._default import default_context
from ._errors import InvalidArgumentError
from ._handles import Closing, Handle
from ._library import encode, native
from ._stream import Stream
from ._values import Time
from ._waiting import interval as interval_of
from ._waiting import timeout_ns

Existing = Literal["refuse", "append", "overwrite"]
Format = Literal["recording", "csv", "jsonl", "mqtt"]


class SinkInfo(NamedTuple):
    """How a recorder or publisher stands. `state` is "open" for a file; "connecting", "connected",
    "waiting" (for the next attempt, for the `reason`) or "superseded" for a publisher; "closed"
    for both. What does not apply is None, texts are "" where there is nothing to say."""

    format: str
    target: str
    state: str
    reason: str = ""
    remedy: str = ""
    errno: int = 0
    rows_taken: int = 0
    rows_sent: int = 0
    rows_acknowledged: int = 0
    rows_lost: int = 0
    bytes_sent: int = 0
    messages_sent: int | None = None
    spooled_rows: int | None = None
    spooled_bytes: int | None = None
    connections: int | None = None
    connected_since: Time | None = None


class Recorder(Closing, Handle):
    """A recording being written. Whatever is added goes into it from then on, on a thread of the
    library's; no source waits for it, and a process that is killed loses one second at most.

    `format` "csv" and "jsonl" are text for other programs: see `gkit_sink_open`; a csv of several
    sources takes `layout="long"`. `existing` says what is done where there is such a file. Further
    options are those of `gkit_sink_open`: `memory_limit`, `rotate_bytes`, `rotate_interval_ns`,
    `keep`, `name` ...
    Raises `ExistsError`, `BusyError` (another recorder writes it), `InvalidArgumentError`,
    `ParseError` (to append to what is no recording), `InputOutputError`.

    >>> import gatheredkit as gk, tempfile
    >>> path = tempfile.mktemp(suffix=".gkr")
    >>> with gk.Context("sim:laptop&clock=manual", loop="manual") as laptop:
    ...     with gk.Recorder(laptop, path) as recorder, laptop.open("battery") as battery:
    ...         recorder.add(battery)
    ...         battery.start(every=1)
    ...         laptop.seek(60)
    >>> with gk.Context("replay:" + path) as replay:
    ...     replay.duration
    60.0
    """

    def __init__(
        self,
        context: Context,
        path: str | os.PathLike[str],
        *,
        format: Format = "recording",
        existing: Existing = "refuse",
        **options: object,
    ) -> None:
        out = ctypes.c_void_p()
        self.path = os.fspath(path)
        given = options if format == "mqtt" else {"existing": existing, **options}
        with encoded(given) as members:
            status = native().gkit_sink_open(
                context.address,
                encode(format),
                encode(self.path),
                members.as_.dict,
                ctypes.byref(out),
            )
        context.check(status)
        super().__init__(out.value)
        self.context = context

    def add(self, what: Source | Stream[object], name: str | None = None) -> None:
        """Records every update and event of a source, or every value of a stream, which needs a
        name. Starting and stopping stays your business.

        Raises `ClosedError`, `InvalidArgumentError` (of another context, without a name).
        """
        if isinstance(what, Source):
            self.check(native().gkit_sink_add_source(self.address, what.address))
        elif name is None:
            raise InvalidArgumentError("a stream is recorded under a name")
        else:
            self.check(
                native().gkit_sink_add_stream(self.address, what.native_address(), encode(name))
            )

    def add_all(self, every: float | None = None) -> None:
        """Records and starts all available sources of the context, and each that appears or becomes
        available later; `every` is the interval in seconds. They stop when the recorder is closed.
        Sources that were added are left as they are; one that cannot be started is logged.

        Raises `ClosedError`, `InvalidArgumentError`.
        """
        self.context.ensure_loop()
        self.check(native().gkit_sink_add_all(self.address, interval_of(every, None)))

    def flush(self, timeout: float | None = None) -> None:
        """Returns when all that has come so far is on the disk; `timeout` in seconds.

        Raises `TimedOutError`, `InputOutputError` (what prevents it; nothing is lost by that).
        """
        self.check(native().gkit_sink_flush(self.address, timeout_ns(timeout)))

    def info(self) -> SinkInfo:
        """What it has taken in, and what has become of that."""
        out = ctypes.c_void_p()
        self.check(native().gkit_sink_get_info(self.address, ctypes.byref(out)))
        return SinkInfo(**take_dict(out.value))

    def close(self) -> None:
        """Writes what has come and closes the file. Idempotent. Raises as `flush`."""
        if self.address is None:
            return
        try:
            self.check(native().gkit_sink_close(self.address))
        finally:
            self._let_go()

    def __repr__(self) -> str:
        return f"<Recorder {self.path}{' closed' if self.closed else ''}>"


class Recording(Closing):
    """What `record` began: sources being recorded until the end of a `with` block, or until the
    duration is over if that is later. `sources` are those that were named."""

    def __init__(self, recorder: Recorder, sources: list[Source], end: float | None) -> None:
        self.recorder = recorder
        self.sources = sources
        self.end = end

    def info(self) -> SinkInfo:
        """What it has taken in, and what has become of that."""
        return self.recorder.info()

    def close(self) -> None:
        """Ends at once: stops the sources and closes the file. Idempotent."""
        for source in self.sources:
            source.close()
        self.sources = []
        self.recorder.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if error is None and self.end is not None:
                self.recorder.context.sleep(max(0.0, self.end - time.monotonic()))
        finally:
            self.close()

    def __repr__(self) -> str:
        count = len(self.sources) or "all"
        return f"<Recording of {count} sources to {self.recorder.path}>"


def record(
    path: str | os.PathLike[str],
    sources: Iterable[str] | None = None,
    *,
    every: float | None = None,
    duration: float | None = None,
    context: Context | None = None,
    format: Format = "recording",
    existing: Existing = "refuse",
    **options: object,
) -> Recording:
    """Records sources, by id or kind, into a file: `with record(...)`, for `duration` seconds or as
    long as the block lasts. Without `sources` everything is recorded that is available, or comes
    later. `every` is the interval in seconds; `format`, `existing` and further options are those of
    `Recorder`.

    Raises as `Recorder`, `Context.open` and `Source.start`.

    >>> import gatheredkit as gk, tempfile
    >>> path = tempfile.mktemp(suffix=".gkr")
    >>> with gk.Context("sim:phone") as phone:
    ...     with gk.record(path, ["accelerometer"], every=0.02, duration=0.2, context=phone):
    ...         pass
    >>> with gk.Context("replay:" + path) as replay:
    ...     [source.kind for source in replay.sources()]
    ['accelerometer']
    """
    context = context or default_context()
    recorder = Recorder(context, path, format=format, existing=existing, **options)
    return begin(recorder, sources, every, duration)


def begin(
    recorder: Recorder,
    sources: Iterable[str] | None,
    every: float | None,
    duration: float | None,
) -> Recording:
    """Adds sources to a recorder and starts them: those named, or all there are, later ones too."""
    opened: list[Source] = []
    recording = Recording(recorder, opened, None)
    try:
        if sources is None:
            recorder.add_all(every)
        for name in sources or ():
            source = recorder.context.open(name)
            opened.append(source)
            recorder.add(source)
            source.start(every)
    except BaseException:
        recording.close()
        raise
    recording.end = None if duration is None else time.monotonic() + duration
    return recording
