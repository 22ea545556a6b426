"""Streams: values that arrive over time, and values that are held and change.

Longer than 300 lines: a stream has each operator as a method, and what some of them make is an
observable, which is a stream.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Literal, Protocol, TypeVar, cast, overload

from . import _delivery as delivery
from . import _trampolines as trampolines
from ._abi import Block, encoded
from ._arithmetic import Arithmetic, Number, Sum, Test
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._chain import COMPACT, FILTER, FLAT, MAP, Stage
from ._delivery import Read, Roots, Step, payload
from ._errors import HostError, InvalidArgumentError
from ._flow import Flow, Lazy, send_value
from ._handles import Connection, Handle, address_of
from ._library import encode, native
from ._native import FutureFlag, gkit_sample
from ._records import Change, ValueUpdate
from ._sample import Sample
from ._values import GivenValue, Value

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
StreamT = TypeVar("StreamT", bound="Stream[object]")
TargetT = TypeVar("TargetT", bound="Target")


class Target(Protocol):
    """What a stream can be wired to."""

    def connect(self, stream: Stream[object]) -> None: ...


class Stream(Arithmetic, Flow[T_co]):
    """Values that arrive over time; made by `Signal`, `Variable`, `Publink`, `Timer`, by
    `Source.observable`, by the ports of patches, and by the operators of other streams.

    Every operator is a method that makes another stream, which works only while it has
    subscribers. Durations are seconds.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     numbers = gk.Signal(context=context)
    ...     _ = numbers.filter(lambda n: n % 2).map(str).subscribe(print)
    ...     for n in range(4):
    ...         numbers.send(n)
    1
    3
    """

    @property
    def samples(self) -> Stream[Sample]:
        """The same stream with whole samples in place of values: with status and times."""
        read = delivery.sample_reader("value") if self.decoder is payload else self.decoder
        return self._viewed(Stream[Sample], read)

    def __rshift__(self, target: TargetT) -> TargetT:
        """Wires it to the input of a patch: `stream >> patch.inputs["name"]`."""
        connect = getattr(target, "connect", None)
        if connect is None:
            return NotImplemented
        connect(self)
        return target

    # Operators of the library; durations are seconds.

    @overload
    def apply(self, op: delivery.Passing, **arguments: object) -> Stream[T_co]: ...
    @overload
    def apply(self, op: Literal["batch", "window"], **arguments: object) -> Stream[list[T_co]]: ...
    @overload
    def apply(self, op: str, **arguments: object) -> Stream[object]: ...
    def apply(self, op: str, **arguments: object) -> Stream[object]:
        """Makes a stream by the name of an operator: `apply("moving_average", window=10)`.

        Durations are seconds, or nanoseconds under a name that ends in `_ns`.
        Raises `NotFoundError` (no such operator; the message offers the nearest),
        `NotSupportedError` (needs an observable), `InvalidArgumentError`.
        """
        name = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", op).lower()
        read = self.decoder if name in delivery.PASSING else delivery.READS.get(name, payload)
        with encoded(delivery.in_nanoseconds(arguments)) as made:
            given = made.as_.dict if arguments else None
            function = native().gkit_stream_apply
            made_of = (encode(op), given)
            derived = self._derived(self._kind_of(name), function, made_of, None, read)
        derived.shares = name == "buffered"
        return derived

    def distinct(self) -> Stream[T_co]:
        """Leaves out what equals the value before: an int never equals a float, NaN equals NaN.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     numbers = gk.Signal(context=context)
        ...     _ = numbers.distinct().subscribe(print)
        ...     for n in (1, 1, 2):
        ...         numbers.send(n)
        1
        2
        """
        return self.apply("distinct")

    def buffered(self) -> Stream[T_co]:
        """Shares one subscription among all its subscribers."""
        return self.apply("buffered")

    def counted(self) -> Observable[int]:
        """How many values came, from now on, observed or not."""
        return cast("Observable[int]", self.apply("counted"))

    def flatten(self: Stream[list[U]]) -> Stream[U]:
        """The items of each list, in order."""
        return cast("Stream[U]", self.apply("flatten"))

    def bracketed(
        self, hello: object = delivery.ABSENT, goodbye: object = delivery.ABSENT
    ) -> Stream[T_co]:
        """Gives each subscriber `hello` first and `goodbye` when it leaves."""
        return self.apply("bracketed", **delivery.given(hello=hello, goodbye=goodbye))

    def throttle(self, duration: float, latest: bool = True) -> Stream[T_co]:
        """A value passes at once and closes the gate for `duration`; the newest of those that came
        meanwhile follows, unless `latest` is false."""
        return self.apply("throttle", duration=duration, latest=latest)

    def debounce(self, duration: float) -> Stream[T_co]:
        """The newest value, once none has come for `duration`."""
        return self.apply("debounce", duration=duration)

    def sample(self, duration: float) -> Stream[T_co]:
        """At each multiple of `duration`, the newest value if one came since the last."""
        return self.apply("sample", duration=duration)

    def batch(self, count: int | None = None, duration: float | None = None) -> Stream[list[T_co]]:
        """Lists without overlap: full at `count`, or `duration` after their first value."""
        return self.apply("batch", **delivery.wanted(count=count, duration=duration))

    def window(self, count: int | None = None, duration: float | None = None) -> Stream[list[T_co]]:
        """On each value, a list of the last `count`, or of those not older than `duration`."""
        return self.apply("window", **delivery.wanted(count=count, duration=duration))

    def moving_average(
        self, window: int | None = None, duration: float | None = None
    ) -> Stream[float]:
        """The mean of the last `window` values, or of those not older than `duration`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     numbers = gk.Signal(context=context)
        ...     _ = numbers.moving_average(2).subscribe(print)
        ...     for n in (1.0, 3.0, 5.0):
        ...         numbers.send(n)
        1.0
        2.0
        4.0
        """
        given = delivery.wanted(window=window, duration=duration)
        return cast("Stream[float]", self.apply("moving_average", **given))

    def low_pass(
        self, time_constant: float | None = None, *, alpha: float | None = None
    ) -> Stream[float]:
        """Smoothed exponentially: by `time_constant` seconds, or by `alpha` a value."""
        given = delivery.wanted(time_constant=time_constant, alpha=alpha)
        return cast("Stream[float]", self.apply("low_pass", **given))

    def min_change(self, delta: float) -> Stream[T_co]:
        """The first value, then each that differs from the last one sent by `delta` or more."""
        return self.apply("min_change", delta=delta)

    def timeout(self, duration: float, substitute: GivenValue) -> Stream[T_co]:
        """Everything, and `substitute` after each silence of `duration`."""
        return self.apply("timeout", duration=duration, substitute=substitute)

    # Operators that take a function. It is called once for each subscriber and value; an exception
    # drops the value, and is logged and kept as the `error` of the stream.

    def map(self: Stream[T], f: Callable[[T], U]) -> Stream[U]:
        """What `f` makes of each value.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     words = gk.Signal(context=context)
        ...     _ = words.map(len).subscribe(print)
        ...     words.send("seven")
        5
        """
        require_callable("map", f)
        return self._staged(MAP, f, lambda value, _: (True, f(value)))

    def filter(self: Stream[T], predicate: Callable[[T], object]) -> Stream[T]:
        """The values for which `predicate` is true."""
        require_callable("filter", predicate)
        return self._staged(
            FILTER,
            predicate,
            lambda value, data: (bool(predicate(value)), payload(data, 0)),
            self.decoder,
        )

    def compact_map(self: Stream[T], f: Callable[[T], U | None]) -> Stream[U]:
        """What `f` makes of each value, without the Nones."""
        require_callable("compact_map", f)

        def step(value: T, _: Block) -> tuple[bool, U | None]:
            made = f(value)
            return made is not None, made

        return self._staged(COMPACT, f, step)

    def flat_map(self: Stream[T], f: Callable[[T], Iterable[U]]) -> Stream[U]:
        """The items of what `f` makes of each value, in order."""
        require_callable("flat_map", f)
        return self._staged(FLAT, f, lambda value, _: (True, list(f(value))))

    def merge(self: Stream[U], *others: Stream[U]) -> Stream[U]:
        """Every value of this and the others, in one order."""
        return cast("Stream[U]", combined("merge", self, *others))

    @overload
    def calculated(self, op: Sum, *operands: Number) -> Stream[float]: ...
    @overload
    def calculated(self, op: Sum, *operands: object) -> Stream[float | None]: ...
    @overload
    def calculated(self, op: Test, *operands: object) -> Stream[bool]: ...
    @overload
    def calculated(self, op: Literal["combine"], *operands: object) -> Stream[list[Value]]: ...
    def calculated(self, op: str, *operands: object) -> Stream[object]:
        """What an operation makes of streams and plain values: see `Arithmetic`."""
        return combined(op, *operands)

    def _kind_of(self, op: str) -> type[Stream[object]]:
        """The kind of stream an operator makes of this one."""
        return Observable if op == "counted" else Stream

    def _staged(
        self,
        kind: int,
        function: Callable[[T], object],
        step: Step[T_co, object],
        read: Read[U] = payload,
    ) -> Stream[U]:
        """What a function of Python makes of it; `step` is the same for C, where C needs it."""
        made, former = delivery.Transform(step, self.decoder), self._lazy
        base = self._base if former is not None and self._base is not None else self._base_view()

        def make() -> int:
            create, out = native().gkit_stream_transform, ctypes.c_void_p()
            origin = base.upstream() if former is None else former.address()
            place = ctypes.byref(out)
            base.check(register(create, (origin,), trampolines.transform, made.entry, place))
            return out.value or 0 if kind != FLAT else _flattened(base, out.value or 0)

        staged: Stream[U] = Stream(None, self.roots.keeping(made), read, made.entry)
        stages = self._stages if former is not None else ()
        staged.stand_behind(base, (*stages, Stage(kind, function, made.entry)), Lazy(make))
        return staged

    def _base_view(self) -> Flow[object]:
        """The same stream, for what stands behind it."""
        return self._viewed(Stream[object], self.decoder)


def _flattened(owner: Handle, address: int) -> int:
    """The stream of the items of lists, in place of that of the lists."""
    out, library = ctypes.c_void_p(), native()
    try:
        owner.check(library.gkit_stream_apply(address, b"flatten", None, ctypes.byref(out)))
    finally:
        library.gkit_release(address)
    return out.value or 0


class Observable(Stream[T_co]):
    """A value that is held and changes; subscribing begins with the present one.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     celsius = gk.Variable(20.0, context=context)
    ...     kelvin = celsius.map(lambda c: c + 273.15)
    ...     celsius.value = 25.0
    ...     print(kelvin.value)
    298.15
    """

    @property
    def value(self) -> T_co:
        """The present value. Raises `NoDataError` while nothing was published."""
        return self._latest()

    @property
    def values(self) -> Stream[T_co]:
        """The present value, then the value after each transaction that changed it."""
        return self._viewed(Stream[T_co], self.decoder)

    @property
    def future_values(self) -> Stream[T_co]:
        """As `values`, without the present one."""
        return self._viewed(FutureValues[T_co], self.decoder)

    @property
    def changes(self) -> Stream[Change[T_co]]:
        """One `Change` for each transaction that changed it."""
        return cast("Stream[Change[T_co]]", self.apply("changes"))

    @property
    def updates(self) -> Stream[ValueUpdate[T_co]]:
        """Each step of each transaction as a `ValueUpdate`: begin, changes, end."""
        return cast("Stream[ValueUpdate[T_co]]", self.apply("updates"))

    @property
    def tick(self) -> Stream[None]:
        """None at the end of each transaction, whether it changed something or not."""
        return cast("Stream[None]", self.apply("tick"))

    @property
    def samples(self) -> Samples:
        """Whole samples in place of values, with status and times; `value` is the present one."""
        read = delivery.sample_reader("value") if self.decoder is payload else self.decoder
        return self._viewed(Samples, read)

    def distinct(self) -> Observable[T_co]:
        """Leaves out changes to an equal value, and is an observable itself."""
        return cast("Observable[T_co]", self.apply("distinct"))

    def buffered(self) -> Observable[T_co]:
        """The same value, silent during transactions, its `value` included."""
        return cast("Observable[T_co]", self.apply("buffered"))

    @overload
    def calculated(self, op: Sum, *operands: Number) -> Observable[float]: ...
    @overload
    def calculated(self, op: Sum, *operands: object) -> Observable[float | None]: ...
    @overload
    def calculated(self, op: Test, *operands: object) -> Observable[bool]: ...
    @overload
    def calculated(self, op: Literal["combine"], *operands: object) -> Observable[list[Value]]: ...
    def calculated(self, op: str, *operands: object) -> Observable[object]:
        """What an operation makes of it and others, if these are observables or plain values."""
        return cast("Observable[object]", combined(op, *operands))

    @overload
    def map(self, f: Callable[[T_co], U]) -> Observable[U]: ...
    @overload
    def map(self, f: Callable[[T_co], U], inverse: Callable[[U], T_co]) -> Updatable[U]: ...
    def map(
        self, f: Callable[[T_co], U], inverse: Callable[[U], T_co] | None = None
    ) -> Observable[U]:
        """What `f` makes of the value, as an observable; `f` must be pure, and may run any number
        of times. With `inverse` it can be set: to what then sets this one to `inverse(value)`.
        Raises `NotSupportedError` for an inverse of what cannot be set.
        """
        require_callable("map", f)
        if inverse is not None:
            require_callable("inverse", inverse)
        mapping = delivery.Mapping(f, inverse)

        def function(address: int, out: object) -> int:
            back = trampolines.no_map if inverse is None else trampolines.map_back
            create = native().gkit_stream_map_both
            return register(create, (address, trampolines.map_to), back, mapping.entry, out)

        kind: type[Observable[U]] = Observable[U] if inverse is None else Updatable[U]
        return self._derived(
            kind, function, (), self.roots.keeping(mapping), payload, mapping.entry
        )

    def _kind_of(self, op: str) -> type[Stream[object]]:
        if op == "distinct" and isinstance(self, Updatable):
            return Updatable
        return Observable if op in ("distinct", "buffered", "counted") else Stream

    def __repr__(self) -> str:
        if self.address is None or self.context.closed:
            return f"<{type(self).__name__} closed>"
        found = gkit_sample()
        if native().gkit_stream_get(self.address, ctypes.byref(found)) < 0:
            return f"<{type(self).__name__}>"
        return f"<{type(self).__name__} {self.decoder(found, 0)!r}>"


class Updatable(Observable[T]):
    """An observable that can be set; each set is a transaction, or joins the one that is open."""

    @property
    def value(self) -> T:
        """The present value; setting it raises `LimitError` in an endless cascade, and what the
        inverse of a `map` raises."""
        return self._latest()

    @value.setter
    def value(self, value: T) -> None:
        if self._origin is None:
            send_value(self, value)
        else:
            self.send(value)

    def send(self, value: T) -> None:
        """Sets it, as `value = ...` does."""
        entry = self._origin
        former = None if entry is None else entry.error
        try:
            send_value(self, value)
        except HostError as error:
            if entry is not None and entry.error is not former:
                raise error from entry.error
            raise

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        """Makes all sets inside, on any thread, one change.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     level = gk.Variable(1, context=context)
        ...     _ = level.changes.subscribe(print)
        ...     with level.transaction():
        ...         level.value = 2
        ...         level.value = 3
        Change(old=1, new=3)
        """
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """Opens a transaction, or joins the one that is open."""
        self.check(native().gkit_stream_begin(self.address))
        raise_interrupt()

    def end(self) -> None:
        """Ends what one `begin` began. Raises `InvalidArgumentError` if none is open."""
        self.check(native().gkit_stream_end(self.address))
        raise_interrupt()

    def bind(self, other: Updatable[T]) -> Connection:
        """Sets `other` to this value and keeps both equal, until it is disconnected or this is
        dropped. Raises `BusyError` while one of them is in a transaction."""
        out = ctypes.c_void_p()
        function = native().gkit_stream_bind
        self.check(function(self.address, address_of(other), ctypes.byref(out)))
        keeps = (*self.roots.keeps, *other.roots.keeps)
        home = self.roots.connections
        connection = Connection(out.value or 0, Entry(lambda: None), home, *keeps)
        raise_interrupt()
        return connection

    def follow(self, stream: Stream[T]) -> Connection:
        """Sets it to each value of a stream, its greeting included, until it is disconnected or
        this is dropped."""
        return stream.subscribe_into(self.roots.connections, self.send)


class FutureValues(Stream[T_co]):
    """The values of an observable without the present one."""

    _flags = int(FutureFlag.ONLY)

    def _base_view(self) -> Flow[object]:
        return self._viewed(FutureValues[object], self.decoder)

    _future: Stream[object] | None = None

    def upstream(self) -> int:
        """What is made of it must not be greeted either: the new sides of the changes are not."""
        if self._future is None:
            made = self._viewed(Stream[object], payload).apply("changes")
            changes = cast("Stream[Change[object]]", made)
            self._future = changes.map(lambda change: change["new"])
            self.roots = Roots(self.context, self.roots.connections, self._future.roots.keeps)
        return self._future.upstream()


class Samples(Stream[Sample]):
    """The samples behind the values of an observable."""

    @property
    def value(self) -> Sample:
        """The present sample. Raises `NoDataError` while nothing was published."""
        return self._latest()


def combined(op: str, *operands: object) -> Stream[object]:
    """The stream the library makes of several; plain values become variables that are never set."""
    given: list[Stream[object]] = [found for found in operands if isinstance(found, Stream)]
    if not given:
        raise InvalidArgumentError("combining takes streams")
    streams: list[Stream[object]] = [
        found
        if isinstance(found, Stream)
        else Updatable(*delivery.new_stream(given[0].context, "variable", {"value": found}))
        for found in operands
    ]
    addresses = (ctypes.c_void_p * len(streams))(*(found.upstream() for found in streams))
    out = ctypes.c_void_p()
    function = native().gkit_stream_combine
    given[0].check(function(addresses, len(streams), encode(op), ctypes.byref(out)))
    roots = given[0].roots.and_others(found.roots for found in given[1:])
    reads = {found.decoder for found in given}
    read = reads.pop() if op == "merge" and len(reads) == 1 else payload
    made = _kind(op, streams)(out.value or 0, roots, read)
    made.shares = True
    return made


def _kind(op: str, streams: list[Stream[object]]) -> type[Stream[object]]:
    if op == "merge" or not all(isinstance(found, Observable) for found in streams):
        return Stream
    can_be_set = all(isinstance(found, Updatable) for found in streams)
    return Updatable if op == "combine" and can_be_set else Observable
