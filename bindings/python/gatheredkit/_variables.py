"""Streams to send into: signals, variables, publinks; and timers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ._abi import encoded
from ._callbacks import raise_interrupt, register, require_callable
from ._connections import Connection
from ._durations import duration_ns
from ._errors import InvalidArgumentError
from ._library import check, encode, native
from ._native import Status, gkit_sample
from ._observable import Updatable
from ._stream import Roots, Stream
from ._subscription import Subscription
from ._trampolines import sample as sample_callback

if TYPE_CHECKING:
    from ._event_loop import EventLoop

T = TypeVar("T")


def _new(context: EventLoop | None, kind: str, options: dict[str, Any]) -> tuple[int, Roots]:
    """A new stream of the library, in the default context where none is given."""
    if context is None:
        from ._default import default_context

        context = default_context()
    out = ctypes.c_void_p()
    with encoded(options) as made:
        given = made.as_.dict if options else None
        function = native().gkit_stream_new
        check(function(context._require(), encode(kind), given, ctypes.byref(out)))
    return out.value or 0, Roots(context)


class Signal(Stream[T]):
    """A stream of what is sent into it; it holds nothing.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     alarm = gk.Signal(context=context)
    ...     _ = alarm.subscribe(print)
    ...     alarm.send("low")
    low
    """

    def __init__(self, *, context: EventLoop | None = None) -> None:
        super().__init__(*_new(context, "signal", {}))

    def send(self, value: T) -> None:
        """Delivers a value before it returns, or queues it where the signal is just delivering.

        Raises `LimitError` in a cascade without end, `TypeMismatchError` for what is no value.
        """
        self._send(value)


class Variable(Updatable[T]):
    """A value to hold and to set.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     threshold = gk.Variable(0.2, context=context)
    ...     _ = threshold.subscribe(print)
    ...     threshold.value = 0.3
    0.2
    0.3
    """

    def __init__(self, value: T, *, context: EventLoop | None = None) -> None:
        super().__init__(*_new(context, "variable", {"value": value}))


class Publink(Stream[T]):
    """A signal with a memory and with names: it greets each subscriber with its last value.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     news = gk.Publink(context=context)
    ...     news.publish("first")
    ...     _ = news.subscribe(print)
    ...     news.last
    first
    'first'
    """

    def __init__(self, *, replays_last: bool = True, context: EventLoop | None = None) -> None:
        options = {} if replays_last else {"replays_last": False}
        super().__init__(*_new(context, "publink", options))
        self._replays = replays_last

    def publish(self, value: T) -> None:
        """Makes it the last value, and delivers it.

        Raises `LimitError` in a cascade without end, `TypeMismatchError`.
        """
        self._send(value)

    @property
    def last(self) -> T | None:
        """The last value published; None too where there is none."""
        found = gkit_sample()
        status = native().gkit_stream_get(self.address, ctypes.byref(found))
        if status == Status.NO_DATA:
            return None
        self.check(status)
        last: T = self._read(found, 0)
        return last

    @property
    def has_published(self) -> bool:
        """Whether there is a last value, be it None."""
        found = gkit_sample()
        status = native().gkit_stream_get(self.address, ctypes.byref(found))
        if status != Status.NO_DATA:
            self.check(status)
        return status >= 0

    @property
    def replays_last(self) -> bool:
        """Whether new subscribers are greeted with the last value."""
        return self._replays

    @replays_last.setter
    def replays_last(self, replays: bool) -> None:
        self.set_option("replays_last", replays)
        self._replays = replays

    @overload
    def subscribe(self, sink: Callable[[T], object]) -> Connection: ...
    @overload
    def subscribe(self, sink: Callable[[T], object], name: str) -> None: ...
    def subscribe(self, sink: Callable[[T], object], name: str | None = None) -> Connection | None:
        """Calls `sink(value)` with the last value, then with every other.

        A publink has one subscriber of a name: another takes its place. It gives no connection and
        lasts until `unsubscribe(name)`, so the sink should not hold the publink.
        """
        if name is None:
            return super().subscribe(sink)
        require_callable("subscribe", sink)
        self.context.ensure_loop()
        entry = Subscription(sink, self._read).floating()
        arguments = (self._require(), encode(name), 0)
        function = native().gkit_stream_subscribe
        self.check(register(function, arguments, sample_callback, entry, None))
        raise_interrupt()
        return None

    def unsubscribe(self, name: str) -> None:
        """Removes the subscriber of a name at once; an unknown one is fine."""
        self.check(native().gkit_stream_unsubscribe(self.address, encode(name)))


class Timer(Stream[int]):
    """Ticks on a grid while it has subscribers: the value is the number of the grid point,
    from 0. What passes during a delivery is left out; the grid never moves.

    `every` is in seconds, `interval_ns` exact. The grid begins `every` from now, or at `start`
    (`start_ns`) on the boot clock.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty&clock=manual", loop="manual") as context:
    ...     _ = gk.Timer(0.5, context=context).subscribe(print)
    ...     context.seek(1.0)
    0
    1
    """

    def __init__(
        self,
        every: float | None = None,
        *,
        interval_ns: int | None = None,
        start: float | None = None,
        start_ns: int | None = None,
        context: EventLoop | None = None,
    ) -> None:
        options: dict[str, Any] = {"interval_ns": _exact("every", every, interval_ns)}
        if start is not None:
            start_ns = round(start * 1_000_000_000)
        if start_ns is not None:
            options["start_ns"] = start_ns
        super().__init__(*_new(context, "timer", options))

    def reschedule(self, every: float | None = None, *, interval_ns: int | None = None) -> None:
        """Changes the interval; the new grid holds at once."""
        self.set_option("interval_ns", _exact("every", every, interval_ns))


def _exact(name: str, seconds: float | None, nanoseconds: int | None) -> int:
    if (seconds is None) == (nanoseconds is None):
        raise InvalidArgumentError(f"give `{name}` or `interval_ns`")
    return nanoseconds if seconds is None and nanoseconds is not None else duration_ns(seconds or 0)
