"""The event loop of a context: where its callbacks run, its clock and its end."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import os
import threading
import time
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Literal, TypeVar

from ._callbacks import Entry, log_interrupt, logger, raise_interrupt, register, require_callable
from ._errors import InvalidArgumentError, NotSupportedError
from ._handles import Closing, Connection, Handle, address_of
from ._library import native
from ._native import Status
from ._trampolines import invoke
from ._waiting import deadline, passed, readable, timeout_ns

Loop = Literal["thread", "manual", "asyncio"]
Entered = TypeVar("Entered", bound="EventLoop")


class EventLoop(Closing, Handle):
    """The event loop of a `Context`: it runs callbacks, keeps time, and closes."""

    def __init__(self, address: int, loop: Loop) -> None:
        super().__init__(address)
        self.loop: Loop = loop
        self._thread: _LoopThread | None = None
        self._asyncio: tuple[asyncio.AbstractEventLoop, int] | None = None
        self._starting = threading.Lock()
        self._connections: set[Connection] = set()
        self._closers: list[weakref.WeakMethod[Callable[[], None]]] = []
        open_contexts.add(self)

    def forget_values(self) -> None:
        """Marks the values of idle sources as possibly outdated."""

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
            raise_interrupt()
            if count or passed(end):
                return count
            readable(self.fileno(), end)

    def flush(self, timeout: float | None = None) -> None:
        """Returns when everything handed to the context before it has been delivered.

        Raises `TimedOutError`, `WrongThreadError` (inside a callback).
        """
        self.ensure_loop()
        self.check(native().gkit_context_flush(self.address, timeout_ns(timeout)))
        raise_interrupt()

    def invoke(self, fn: Callable[[], object]) -> None:
        """Runs a function where callbacks run: queued, first in first out, never at once."""
        require_callable("invoke", fn)
        self.ensure_loop()
        entry = Entry(fn)
        function = native().gkit_context_invoke
        arguments = (address_of(self),)
        self.check(register(function, arguments, invoke, entry))

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
                    self._thread = _LoopThread(self.address)

    @property
    def asyncio_loop(self) -> asyncio.AbstractEventLoop | None:
        """The asyncio loop that runs its callbacks; None where none does."""
        return None if self._asyncio is None else self._asyncio[0]

    # Time.

    def now(self) -> tuple[int, int]:
        """The context's clock as samples carry it: `time_ns` and `boot_ns`."""
        wall, boot = ctypes.c_int64(), ctypes.c_int64()
        function = native().gkit_context_now
        self.check(function(self.address, ctypes.byref(wall), ctypes.byref(boot)))
        return wall.value, boot.value

    def seek(self, position: float | None = None, *, position_ns: int | None = None) -> None:
        """Moves a manual clock to a position, in seconds since opening (or exactly, in
        nanoseconds), and delivers everything due on the way on this thread before it returns. So
        does a replay that stands still; one that runs, or is to go back, jumps.

        Raises `InvalidArgumentError` (backwards), `NotSupportedError` (a clock that cannot be
        moved), `WrongThreadError` (inside a callback), `LimitError` (over a million callbacks).
        """
        if (position is None) == (position_ns is None):
            raise InvalidArgumentError("give `position` or `position_ns`")
        if position_ns is None:
            position_ns = round((position or 0.0) * 1_000_000_000)
        self.forget_values()
        self.check(native().gkit_context_seek(self.address, position_ns))
        raise_interrupt()

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

    def set_rate(self, rate: float) -> None:
        """Sets how fast a replay runs: 0 stands still, 1 is as it was recorded, `math.inf` as fast
        as it can. It runs from the moment the first source starts; nothing is ever dropped.

        Raises `InvalidArgumentError` (negative, NaN), `NotSupportedError` (no replay).
        """
        self.check(native().gkit_context_set_rate(self.address, rate))

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

    async def __aenter__(self: Entered) -> Entered:
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


class _LoopThread:
    """A daemon thread that dispatches until its context is closed. It holds the handle only, so
    that a context without other references can be freed."""

    def __init__(self, address: int) -> None:
        self._address = address
        self._is_loop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gatheredkit", daemon=True)
        self._thread.start()
        # Nothing is registered before there is a loop: this waits for no callback.
        self._is_loop.wait()

    def _run(self) -> None:
        dispatch = native().gkit_context_dispatch
        dispatch(self._address, 0)
        self._is_loop.set()
        while True:
            status = dispatch(self._address, -1)
            log_interrupt()
            if status == Status.BUSY:
                time.sleep(0.01)
            elif status < 0:
                return

    def join(self) -> None:
        """Waits for its end, unless called on it."""
        if threading.current_thread() is not self._thread:
            self._thread.join()


# Opens the default context, or returns the open one.
_default: list[Callable[[], EventLoop]] = []


def provide_default(open_default: Callable[[], EventLoop]) -> None:
    """Sets the function that gives the default context."""
    _default[:] = [open_default]


def chosen(context: EventLoop | None) -> EventLoop:
    """The context given, or the default one."""
    return _default[0]() if context is None else context


open_contexts: weakref.WeakSet[EventLoop] = weakref.WeakSet()


def in_callback() -> bool:
    """Whether this thread is running a callback of any context."""
    return any(context.is_current for context in list(open_contexts))


def close_contexts() -> None:
    """At exit: closes every context that is still open."""
    for context in list(open_contexts):
        try:
            context.close()
        except Exception:
            logger.exception("closing %r failed", context)


atexit.register(close_contexts)
os.register_at_fork(after_in_child=open_contexts.clear)
