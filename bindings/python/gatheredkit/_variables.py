"""Streams that begin here: signals, variables, publinks, timers, properties of sources; and those
made of several."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from . import _trampolines as trampolines
from ._callbacks import raise_interrupt, register, require_callable
from ._delivery import Roots, Subscription, new_stream
from ._errors import InvalidArgumentError
from ._event_loop import EventLoop
from ._flow import send_value
from ._handles import Connection, address_of
from ._library import encode, native
from ._native import Status, gkit_sample
from ._session import Session
from ._stream import Observable, Samples, Stream, Updatable, combined
from ._waiting import duration_ns

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


class Signal(Stream[T]):
    """A stream of what is sent into it; it holds nothing.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     alarm = gk.Signal(context=context)
    ...     _ = alarm.subscribe(print)
    ...     alarm.send("low")
    low
    """

    shares = True

    def __init__(self, *, context: EventLoop | None = None) -> None:
        super().__init__(*new_stream(context, "signal", {}))

    if TYPE_CHECKING:

        def send(self, value: T) -> None: ...

    else:
        send = send_value


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

    shares = True

    def __init__(self, value: T, *, context: EventLoop | None = None) -> None:
        super().__init__(*new_stream(context, "variable", {"value": value}))


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

    shares = True

    def __init__(self, *, replays_last: bool = True, context: EventLoop | None = None) -> None:
        options: dict[str, object] = {} if replays_last else {"replays_last": False}
        super().__init__(*new_stream(context, "publink", options))
        self._replays = replays_last

    if TYPE_CHECKING:

        def publish(self, value: T) -> None: ...

    else:
        publish = send_value

    @property
    def last(self) -> T | None:
        """The last value published; None too where there is none."""
        found = gkit_sample()
        status = native().gkit_stream_get(self.address, ctypes.byref(found))
        if status == Status.NO_DATA:
            return None
        self.check(status)
        return self.decoder(found, 0)

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
        entry = Subscription(sink, self.decoder).floating()
        arguments = (address_of(self), encode(name), 0)
        function = native().gkit_stream_subscribe
        self.check(register(function, arguments, trampolines.sample, entry, None))
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

    shares = True

    def __init__(
        self,
        every: float | None = None,
        *,
        interval_ns: int | None = None,
        start: float | None = None,
        start_ns: int | None = None,
        context: EventLoop | None = None,
    ) -> None:
        options: dict[str, object] = {"interval_ns": _exact("every", every, interval_ns)}
        if start is not None:
            start_ns = round(start * 1_000_000_000)
        if start_ns is not None:
            options["start_ns"] = start_ns
        super().__init__(*new_stream(context, "timer", options))

    def reschedule(self, every: float | None = None, *, interval_ns: int | None = None) -> None:
        """Changes the interval; the new grid holds at once."""
        self.set_option("interval_ns", _exact("every", every, interval_ns))


def _exact(name: str, seconds: float | None, nanoseconds: int | None) -> int:
    if (seconds is None) == (nanoseconds is None):
        raise InvalidArgumentError(f"give `{name}` or `interval_ns`")
    return nanoseconds if seconds is None and nanoseconds is not None else duration_ns(seconds or 0)


# Any: the type of a property is known at run time only; `samples` have typed values.
class SourceObservable(Observable[Any]):
    """One property of a source as a value that changes: see `Source.observable`."""

    shares = True

    def __init__(self, source: Session, key: str) -> None:
        out = ctypes.c_void_p()
        address_of(source)
        self._table = source.table()
        self._table.index(key)
        source.check(native().gkit_source_stream(source.address, encode(key), ctypes.byref(out)))
        super().__init__(out.value or 0, Roots(source.event_loop))

    @property
    def samples(self) -> Samples:
        """The same stream with whole samples: with property, unit, status and times."""
        return self._viewed(Samples, self._table.sample)


def merge(*streams: Stream[T]) -> Stream[T]:
    """Every value of every stream, in one order.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     left, right = gk.Signal(context=context), gk.Signal(context=context)
    ...     _ = gk.merge(left, right).subscribe(print)
    ...     left.send(1)
    ...     right.send(2)
    1
    2
    """
    return cast("Stream[T]", combined("merge", *streams))


@overload
def combine(*streams: Updatable[T]) -> Updatable[list[T]]: ...
@overload
def combine(a: Updatable[A], b: Updatable[B], /) -> Updatable[list[A | B]]: ...
@overload
def combine(a: Observable[A], b: Observable[B], /) -> Observable[list[A | B]]: ...
@overload
def combine(*streams: Observable[T]) -> Observable[list[T]]: ...
@overload
def combine(a: Stream[A], b: Stream[B], /) -> Stream[list[A | B]]: ...
@overload
def combine(*streams: Stream[T]) -> Stream[list[T]]: ...
def combine(*streams: Stream[object]) -> Stream[object]:
    """A list of the newest value of each: an `Observable` of observables, which can be set if they
    all can; a `Stream` otherwise, which waits until each has a value.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     width, height = gk.Variable(2, context=context), gk.Variable(3, context=context)
    ...     print(gk.combine(width, height).value, (width * height).value)
    [2, 3] 6
    """
    return combined("combine", *streams)
