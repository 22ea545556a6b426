"""Values that are held and change."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, overload

from ._abi import decode_value
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._connections import Connection
from ._delivery import Answer, payload, sample_reader
from ._errors import HostError
from ._library import native
from ._native import FutureFlag, gkit_sample
from ._records import Change, ValueUpdate
from ._sample import Sample
from ._stream import Roots, Stream
from ._trampolines import map_back, map_to, no_map

T = TypeVar("T")
U = TypeVar("U")


class Observable(Stream[T]):
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
    def value(self) -> T:
        """The present value. Raises `NoDataError` while nothing was published."""
        return self._latest()

    def _latest(self) -> T:
        found = gkit_sample()
        self.check(native().gkit_stream_get(self.address, ctypes.byref(found)))
        value: T = self._read(found, 0)
        return value

    @property
    def values(self) -> Stream[T]:
        """The present value, then the value after each transaction that changed it."""
        return self._viewed(Stream[T], self._read)

    @property
    def future_values(self) -> Stream[T]:
        """As `values`, without the present one."""
        return self._viewed(FutureValues[T], self._read)

    @property
    def changes(self) -> Stream[Change[T]]:
        """One `Change` for each transaction that changed it."""
        return self.apply("changes")

    @property
    def updates(self) -> Stream[ValueUpdate[T]]:
        """Each step of each transaction as a `ValueUpdate`: begin, changes, end."""
        return self.apply("updates")

    @property
    def tick(self) -> Stream[None]:
        """None at the end of each transaction, whether it changed something or not."""
        return self.apply("tick")

    @property
    def samples(self) -> Samples:
        """The same stream with whole samples in place of values; `samples.value` is the present
        one, with status and times."""
        read = sample_reader("value") if self._read is payload else self._read
        return self._viewed(Samples, read)

    def distinct(self) -> Observable[T]:
        """Leaves out changes to an equal value, and is an observable itself."""
        distinct: Any = self.apply("distinct")
        kept: Observable[T] = distinct
        return kept

    def buffered(self) -> Observable[T]:
        """The same value, silent during transactions, its `value` included."""
        buffered: Any = self.apply("buffered")
        kept: Observable[T] = buffered
        return kept

    @overload
    def map(self, f: Callable[[T], U]) -> Observable[U]: ...
    @overload
    def map(self, f: Callable[[T], U], inverse: Callable[[U], T]) -> Updatable[U]: ...
    def map(self, f: Callable[[T], U], inverse: Callable[[U], T] | None = None) -> Observable[U]:
        """What `f` makes of the value, as an observable; `f` must be pure, and may run any number
        of times. With `inverse` it can be set: to what then sets this one to `inverse(value)`.

        Raises `NotSupportedError` for an inverse of what cannot be set.
        """
        require_callable("map", f)
        if inverse is not None:
            require_callable("inverse", inverse)
        mapping = Mapping(f, inverse)

        def function(address: int, out: Any) -> int:
            back = no_map if inverse is None else map_back
            arguments = (address, map_to)
            create = native().gkit_stream_map_both
            return register(create, arguments, back, mapping.entry, out)

        kind: type[Observable[U]] = Observable[U] if inverse is None else Updatable[U]
        made: Observable[U] = self._derived(kind, function, (), self._roots.keeping(mapping))
        made._origin = mapping.entry
        return made

    def _kind_of(self, op: str) -> type[Stream[Any]]:
        if op == "distinct" and isinstance(self, Updatable):
            return Updatable
        return Observable if op in ("distinct", "buffered", "counted") else Stream

    def __repr__(self) -> str:
        if self.address is None or self.context.closed:
            return f"<{type(self).__name__} closed>"
        found = gkit_sample()
        if native().gkit_stream_get(self.address, ctypes.byref(found)) < 0:
            return f"<{type(self).__name__}>"
        return f"<{type(self).__name__} {self._read(found, 0)!r}>"


class Updatable(Observable[T]):
    """An observable that can be set; each set is a transaction, or joins the one that is open."""

    @property
    def value(self) -> T:
        """The present value; setting it raises `LimitError` in a cascade without end, and whatever
        the inverse of a `map` raises."""
        return self._latest()

    @value.setter
    def value(self, value: T) -> None:
        self.send(value)

    def send(self, value: T) -> None:
        """Sets it, as `value = ...` does."""
        entry = self._origin
        former = None if entry is None else entry.error
        try:
            self._send(value)
        except HostError as error:
            if entry is not None and entry.error is not former:
                raise error from entry.error
            raise

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        """Makes all sets inside, from whichever thread, one change.

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
        """Keeps two equal both ways from now on; `other` is set to this value first. Lives until
        it is disconnected, or this is dropped.

        Raises `BusyError` while one of them is in a transaction.
        """
        out = ctypes.c_void_p()
        function = native().gkit_stream_bind
        self.check(function(self.address, other._require(), ctypes.byref(out)))
        keeps = (*self._roots.keeps, *other._roots.keeps)
        entry = Entry(_nothing)
        connection = Connection(out.value or 0, entry, self._roots.connections, *keeps)
        raise_interrupt()
        return connection

    def follow(self, stream: Stream[T]) -> Connection:
        """Sets it to each value of a stream, its greeting included, until it is disconnected or
        this is dropped."""
        return stream._subscribe(_Setter(self), self._roots.connections)


class FutureValues(Stream[T]):
    """The values of an observable without the present one."""

    _flags = int(FutureFlag.ONLY)

    def _upstream(self) -> int:
        """What is made of it must not be greeted either: the new sides of the changes are not."""
        future = self.__dict__.get("_future")
        if future is None:
            changes: Stream[Any] = self._viewed(Stream[Any], payload).apply("changes")
            future = changes.map(lambda change: change["new"])
            self.__dict__["_future"] = future
            self._roots = Roots(self._roots.context, self._roots.connections, future._roots.keeps)
        return int(future._require())


class Samples(Stream[Sample]):
    """The samples behind the values of an observable."""

    @property
    def value(self) -> Sample:
        """The present sample. Raises `NoDataError` while nothing was published."""
        found = gkit_sample()
        self.check(native().gkit_stream_get(self.address, ctypes.byref(found)))
        sample: Sample = self._read(found, 0)
        return sample


class Mapping(Generic[T, U]):
    """A function of a held value, and its inverse, called by C; streams made with it keep it."""

    __slots__ = ("__weakref__", "_back", "_back_answer", "_to", "_to_answer", "entry", "error")

    def __init__(self, to: Callable[[T], U], back: Callable[[U], T] | None) -> None:
        self._to = to
        self._back = back
        self._to_answer, self._back_answer = Answer(), Answer()
        self.error: BaseException | None = None
        self.entry = Entry(_mapper(weakref.ref(self)), self)

    def call(self, given: Any, out: Any, back: bool) -> None:
        value = decode_value(given.contents)
        if not back:
            self._to_answer.write(out, self._to(value))
        elif self._back is not None:
            self._back_answer.write(out, self._back(value))


def _mapper(mapping: weakref.ref[Mapping[Any, Any]]) -> Callable[[Any, Any, bool], None]:
    def call(given: Any, out: Any, back: bool) -> None:
        found = mapping()
        if found is not None:
            found.call(given, out, back)

    return call


class _Setter(Generic[T]):
    """A sink that sets a value."""

    __slots__ = ("_target",)

    def __init__(self, target: Updatable[T]) -> None:
        self._target = target

    def __call__(self, value: T) -> None:
        self._target.send(value)


def _nothing() -> None:
    """A binding calls nothing of Python."""
