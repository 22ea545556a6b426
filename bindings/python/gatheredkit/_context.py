"""Contexts: a machine and an event loop."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Literal

from . import _callbacks
from ._connections import Connection, connect
from ._durations import timeout_ns
from ._errors import InvalidArgumentError, NotSupportedError
from ._events import Events
from ._handles import Handle
from ._info import Event, Report, SourceInfo, make_source_info
from ._library import check, encode, native
from ._loop import LoopThread
from ._native import EventType, Mode, Overflow, gkit_context_options
from ._reader import Reader
from ._samples import Sample
from ._source import Source
from ._values import take_container, take_dict
from ._waiting import deadline, passed, readable

Loop = Literal["thread", "manual", "asyncio"]


class Context(Handle):
    """A machine and an event loop, opened by a URI; every source belongs to one.

    `uri` is `local:` (None), `local:root=DIR`, `ip:HOST`, `sim:NAME`, `sim:file=FILE` or
    `replay:FILE`. `allow` names the categories of personal values to open: a str ("ssid,location",
    "all") or several. Callbacks run on a thread of the context (`loop="thread"`), in `dispatch`
    (`loop="manual"`), or, with `async with`, on the running asyncio loop.
    Raises `InvalidArgumentError`, `NotFoundError`, `ParseError`.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     context.open("battery").id
    'battery|aggregate'
    """

    def __init__(
        self,
        uri: str | None = None,
        *,
        allow: str | Iterable[str] = (),
        loop: Literal["thread", "manual"] = "thread",
    ) -> None:
        if loop not in ("thread", "manual"):
            raise InvalidArgumentError(f"a loop is thread or manual: {loop!r}")
        options = gkit_context_options(
            struct_size=ctypes.sizeof(gkit_context_options), mode=Mode.HOST, allow=_words(allow)
        )
        out = ctypes.c_void_p()
        name = None if uri is None else encode(uri)
        status = native().gkit_context_open(name, ctypes.byref(options), ctypes.byref(out))
        check(status)
        super().__init__(out.value)
        self.uri = uri or "local:"
        self.loop: Loop = loop
        self._thread: LoopThread | None = None
        self._asyncio: tuple[asyncio.AbstractEventLoop, int] | None = None
        self._starting = threading.Lock()
        self._connections: set[Connection] = set()
        self._sources: weakref.WeakSet[Source] = weakref.WeakSet()
        self._closers: list[weakref.WeakMethod[Callable[[], None]]] = []
        open_contexts.add(self)

    # Sources.

    def sources(self, kind: str | None = None) -> list[SourceInfo]:
        """The instances there are, of one kind or of all in catalogue order; starts nothing.

        Raises `NotFoundError` for an unknown kind.
        """
        out = ctypes.c_void_p()
        name = None if kind is None else encode(kind)
        self.check(native().gkit_source_list(self.address, name, ctypes.byref(out)))
        return [make_source_info(entry) for entry in take_container(out.value)]

    def open(self, id_or_kind: str) -> Source:
        """Opens a new, private session on an instance, or on a kind's default one. A known kind
        always opens, whether present or not. Raises `NotFoundError`, `ParseError`."""
        out = ctypes.c_void_p()
        name = encode(id_or_kind)
        self.check(native().gkit_source_open(self.address, name, ctypes.byref(out)))
        source = Source(self, out.value or 0)
        self._sources.add(source)
        return source

    def read(self, id_or_kind: str, timeout: float | None = 1.0) -> dict[str, Sample]:
        """One reading of a source, by key in catalogue order; `timeout` in seconds.

        Raises as `open`.
        """
        with self.open(id_or_kind) as source:
            return source.update(timeout).samples()

    def reader(
        self, maxlen: int = 4096, *, overflow: Overflow = Overflow.DROP_OLDEST
    ) -> Reader:
        """A bounded queue for the samples of one or more sources; `maxlen` in samples."""
        return Reader(self, maxlen, overflow)

    def watch(self, kind: str | None = None, *, maxlen: int = 1024) -> Events:
        """Instances that come, go or change, of one kind or all, for `for` and `async for`. Those
        already here are not announced. Raises `NotFoundError` for an unknown kind."""
        return Events(self, lambda fn: self.listen_events(fn, kind), maxlen)

    def listen_events(
        self, fn: Callable[[Event], object], kind: str | None = None
    ) -> Connection:
        """Calls `fn(event)` when instances come, go or change, of one kind or of all.

        Raises `NotFoundError` for an unknown kind.
        """
        self.ensure_loop()

        def deliver(source_id: str, number: int, error: Any) -> None:
            fn(Event(EventType(number), source_id, error))

        name = None if kind is None else encode(kind)
        entry = _callbacks.Entry(deliver)
        function = native().gkit_source_watch
        return connect(function, self, (name,), _callbacks.event, entry, self._connections)

    def doctor(self) -> Report:
        """Every kind, instance, reason, remedy and mechanism, without side effects."""
        out = ctypes.c_void_p()
        self.check(native().gkit_context_report(self.address, ctypes.byref(out)))
        return Report(take_dict(out.value))

    report = doctor

    def rescan(self) -> None:
        """Looks at once whether instances came, went or changed; their events were delivered when
        it returns."""
        self.check(native().gkit_context_rescan(self.address))
        self._forget_values()

    def allow(self, *categories: str) -> None:
        """Sets which personal values are open: category names, "all", or nothing. Acts at once:
        waiting sources start, those that lose their permission stop.

        Raises `InvalidArgumentError` for an unknown category; nothing changed then.
        """
        self.check(native().gkit_context_set_allow(self.address, _words(categories) or b""))
        self._forget_values()

    # The loop.

    def fileno(self) -> int:
        """The descriptor that is readable while callbacks wait; the same for the whole life."""
        return self.check(native().gkit_context_fd(self.address))

    def dispatch(self, timeout: float | None = 0.0) -> int:
        """Runs the callbacks that wait on this thread, and tells how many; if there are none,
        waits `timeout` seconds for the first (None: for ever). For `loop="manual"`.

        Raises `BusyError` (another thread dispatches), `WrongThreadError` (inside a callback).
        """
        end = deadline(timeout)
        while True:
            count = self.check(native().gkit_context_dispatch(self.address, 0))
            _callbacks.raise_interrupt()
            if count or passed(end):
                return count
            readable(self.fileno(), end)

    def flush(self, timeout: float | None = None) -> None:
        """Returns when everything handed to the context before it has been delivered.

        Raises `TimedOutError`, `WrongThreadError` (inside a callback).
        """
        self.ensure_loop()
        self.check(native().gkit_context_flush(self.address, timeout_ns(timeout)))
        _callbacks.raise_interrupt()

    def invoke(self, fn: Callable[[], object]) -> None:
        """Runs a function where callbacks run: queued, first in first out, never at once."""
        self.ensure_loop()
        entry = _callbacks.Entry(fn)
        function = native().gkit_context_invoke
        arguments = (self._require(),)
        self.check(_callbacks.register(function, arguments, _callbacks.invoke, entry))

    def sleep(self, seconds: float) -> None:
        """Lets time pass, and callbacks run meanwhile."""
        if self.loop != "manual":
            time.sleep(max(0.0, seconds))
            return
        end = deadline(seconds)
        while not passed(end):
            left = 0 if end is None else end - time.monotonic_ns()
            self.dispatch(max(0.0, left / 1e9))

    @property
    def is_current(self) -> bool:
        """Whether this thread is running a callback of this context."""
        return native().gkit_context_is_current(self.address)

    def ensure_loop(self) -> None:
        """Starts the thread of `loop="thread"`, the first time it is needed."""
        if self._thread is None and self.loop == "thread":
            with self._starting:
                if self._thread is None and self.address is not None:
                    self._thread = LoopThread(self.address)

    # Time.

    def now(self) -> tuple[int, int]:
        """The context's clock as samples carry it: `time_ns` and `boot_ns`."""
        wall, boot = ctypes.c_int64(), ctypes.c_int64()
        function = native().gkit_context_now
        self.check(function(self.address, ctypes.byref(wall), ctypes.byref(boot)))
        return wall.value, boot.value

    def seek(self, position: float | None = None, *, position_ns: int | None = None) -> None:
        """Moves a manual clock to a position, in seconds since opening (or exactly, in
        nanoseconds), and delivers everything due on the way on this thread before it returns.

        Raises `InvalidArgumentError` (backwards), `NotSupportedError` (a clock that cannot be
        moved), `WrongThreadError` (inside a callback), `LimitError` (over a million callbacks).
        """
        if (position is None) == (position_ns is None):
            raise InvalidArgumentError("give `position` or `position_ns`")
        if position_ns is None:
            position_ns = round((position or 0.0) * 1_000_000_000)
        self._forget_values()
        self.check(native().gkit_context_seek(self.address, position_ns))
        _callbacks.raise_interrupt()

    @property
    def position_ns(self) -> int:
        """The clock's position since opening. Raises `NotSupportedError` for a clock that cannot
        be moved."""
        return self.check(native().gkit_context_position(self.address, None))

    @property
    def position(self) -> float:
        """The clock's position in seconds since opening. Raises as `position_ns`."""
        return self.position_ns / 1e9

    @property
    def duration(self) -> float | None:
        """The length of a recording in seconds; None where there is no end."""
        length = ctypes.c_int64()
        self.check(native().gkit_context_position(self.address, ctypes.byref(length)))
        return length.value / 1e9 if length.value else None

    # The end.

    def close(self) -> None:
        """Stops all sources, ends all registrations, waits for a callback that is running.
        Idempotent. Raises `WrongThreadError` inside a callback; nothing happened then."""
        if self.address is None:
            return
        self._leave_asyncio()
        self.check(native().gkit_context_close(self.address))
        if self._thread is not None:
            self._thread.join()
        self._connections.clear()
        self._let_go()
        open_contexts.discard(self)
        for closer in self._closers:
            if (call := closer()) is not None:
                call()

    def on_close(self, method: Callable[[], None]) -> None:
        """Calls a bound method, held weakly, once the context is closed."""
        self._closers = [closer for closer in self._closers if closer() is not None]
        self._closers.append(weakref.WeakMethod(method))

    def __enter__(self) -> Context:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Context:
        if self._thread is not None or self.loop == "asyncio":
            raise NotSupportedError("this context runs its callbacks elsewhere already")
        loop, fd = asyncio.get_running_loop(), self.fileno()
        self.loop = "asyncio"
        self._asyncio = loop, fd
        loop.add_reader(fd, self._dispatch_ready)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _dispatch_ready(self) -> None:
        if self.address is not None:
            self.dispatch()

    def _leave_asyncio(self) -> None:
        if self._asyncio is not None:
            loop, fd = self._asyncio
            self._asyncio = None
            if not loop.is_closed():
                loop.remove_reader(fd)

    def _forget_values(self) -> None:
        for source in list(self._sources):
            source.forget_values()

    def __repr__(self) -> str:
        return f"<Context {self.uri}{' closed' if self.closed else ''}>"

    def _repr_html_(self) -> str:
        return self.doctor()._repr_html_()


open_contexts: weakref.WeakSet[Context] = weakref.WeakSet()


def close_contexts() -> None:
    """At exit: closes every context that is still open."""
    for context in list(open_contexts):
        try:
            context.close()
        except Exception:
            _callbacks.logger.exception("closing %r failed", context)


def _words(allow: str | Iterable[str]) -> bytes | None:
    """Categories as the library takes them: separated by commas; None for none."""
    words = allow if isinstance(allow, str) else ",".join(allow)
    return encode(words) if words else None


atexit.register(close_contexts)
os.register_at_fork(after_in_child=open_contexts.clear)
