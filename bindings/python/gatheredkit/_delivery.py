"""How the values of streams come from C and go back: samples read, sinks and functions called."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast, get_args

from ._abi import (
    Answer,
    Block,
    ValuePointer,
    decode,
    decode_value,
    encoded,
)
from ._callbacks import SAMPLE_SIZE, Entry, memory, reader
from ._errors import InvalidArgumentError
from ._event_loop import EventLoop, chosen
from ._handles import Connection, address_of
from ._library import check, encode, native
from ._native import PropertyFlag, Reporting, SampleFlag, SampleStatus, ValueType
from ._property import Property
from ._records import Change, PatchError, ValueUpdate
from ._sample import Sample
from ._values import Value
from ._waiting import duration_ns

T = TypeVar("T")
U = TypeVar("U")

# The value of the sample that starts at an offset of some memory.
Read: TypeAlias = Callable[[Block, int], T]

# What an operator makes of a value and its sample: whether it passes, and the new value.
Step: TypeAlias = Callable[[T, Block], "tuple[bool, U | None]"]

_STATE = reader("=IIII")
_TIMES = reader("=qqQ")
_ORIGIN = reader("=I")


class Roots:
    """What Python knows of the origins of a stream: their context, the connections that live as
    long as they do, and the Python objects they need to deliver."""

    __slots__ = ("connections", "context", "keeps")

    def __init__(
        self,
        context: EventLoop,
        connections: set[Connection] | None = None,
        keeps: tuple[object, ...] = (),
    ) -> None:
        self.context = context
        self.connections: set[Connection] = set() if connections is None else connections
        self.keeps = keeps

    def and_others(self, others: Iterable[Roots]) -> Roots:
        """These, and what other streams are made of."""
        keeps = tuple(keep for other in others for keep in other.keeps)
        return Roots(self.context, self.connections, self.keeps + keeps)

    def keeping(self, *others: object) -> Roots:
        """These and more to keep."""
        return Roots(self.context, self.connections, self.keeps + others)


# Any: C does not know the type of the values of a stream, which its program states; as the reader
# of a `Stream[T]` this gives a T.
def payload(data: Block, offset: int) -> Any:
    """The payload of an OK sample, and None of any other."""
    status, _, kind, count = _STATE(data, offset + 32)
    return decode(kind, count, data, offset + 48) if kind and not status else None


def change(data: Block, offset: int) -> Change[Value]:
    """What `changes` sends."""
    found: dict[str, Value] = payload(data, offset) or {}
    return Change(found.get("old"), found.get("new"))


def value_update(data: Block, offset: int) -> ValueUpdate[Value]:
    """What `updates` sends."""
    return ValueUpdate(payload(data, offset) or {})


def patch_error(data: Block, offset: int) -> PatchError:
    """What the errors of a patch send."""
    return PatchError(payload(data, offset) or {})


@cache
def sample_reader(key: str) -> Read[Sample]:
    """Reads whole samples of a stream without a property."""

    def read(data: Block, offset: int) -> Sample:
        status, flags, kind, count = _STATE(data, offset + 32)
        found = decode(kind, count, data, offset + 48) if kind else None
        return Sample(
            _loose_property(key, kind),
            found if status == SampleStatus.OK else None,
            found if status == SampleStatus.STALE else None,
            SampleStatus(status),
            SampleFlag(flags),
            *_TIMES(data, offset),
            *_ORIGIN(data, offset + 24),
        )

    return read


@cache
def _loose_property(key: str, kind: int) -> Property:
    infinite = float("inf")
    return Property(
        index=0,
        key=key,
        name=key,
        unit=None,
        type=ValueType(kind),
        components=(),
        words=(),
        reporting=Reporting.CONTINUOUS,
        flags=PropertyFlag(0),
        minimum=-infinite,
        maximum=infinite,
        resolution=0.0,
    )


class Subscription(Generic[T]):
    """A function that is called with each value of a stream.

    C refers to its entry only, which refers to it weakly: a sink that refers to its own stream
    makes a cycle that Python's collector can free.
    """

    __slots__ = ("__weakref__", "_read", "entry", "error", "sink")

    def __init__(self, sink: Callable[[T], object], read: Read[T]) -> None:
        self.sink = sink
        self._read = read
        self.error: BaseException | None = None
        self.entry = Entry(_deliverer(weakref.ref(self)), self)

    def floating(self) -> Entry:
        """An entry that holds the sink itself, for subscriptions without a connection."""
        self.entry.call = self.deliver
        return self.entry

    def deliver(self, samples: int, count: int) -> None:
        """Calls the sink with each value; one that fails does not keep the next ones from it."""
        data, entry = memory(samples, count), self.entry
        for index in range(count):
            if index and entry.cut:
                break
            try:
                self.sink(self._read(data, index * SAMPLE_SIZE))
            except BaseException as error:
                entry.report(error)


def _deliverer(subscription: weakref.ref[Subscription[T]]) -> Callable[[int, int], None]:
    def deliver(samples: int, count: int) -> None:
        found = subscription()
        if found is not None:
            found.deliver(samples, count)

    return deliver


class Transform(Generic[T]):
    """A function of one value, called by C; streams made with it keep it."""

    __slots__ = ("__weakref__", "_answer", "_function", "_read", "entry", "error")

    def __init__(self, function: Step[T, object], read: Read[T]) -> None:
        self._function = function
        self._read = read
        self._answer = Answer()
        self.error: BaseException | None = None
        self.entry = Entry(_caller(weakref.ref(self)), self)

    def call(self, sample: int, out: object) -> bool:
        """Makes one value of another; False drops it."""
        data = memory(sample, 1)
        passes, value = self._function(self._read(data, 0), data)
        if passes:
            self._answer.write(out, value)
        return passes


def _caller(transform: weakref.ref[Transform[T]]) -> Callable[[int, object], bool]:
    def call(sample: int, out: object) -> bool:
        found = transform()
        return found is not None and found.call(sample, out)

    return call


class Mapping(Generic[T, U]):
    """A function of a held value, and its inverse, called by C; streams made with it keep it."""

    __slots__ = ("__weakref__", "_back", "_back_answer", "_to", "_to_answer", "entry", "error")

    def __init__(self, to: Callable[[T], U], back: Callable[[U], T] | None) -> None:
        self._to = to
        self._back = back
        self._to_answer, self._back_answer = Answer(), Answer()
        self.error: BaseException | None = None
        self.entry = Entry(_mapper(weakref.ref(self)), self)

    def call(self, given: ValuePointer, out: object, back: bool) -> None:
        value = decode_value(given.contents)
        if not back:
            self._to_answer.write(out, self._to(value))
        elif self._back is not None:
            self._back_answer.write(out, self._back(value))


def _mapper(
    mapping: weakref.ref[Mapping[T, U]],
) -> Callable[[ValuePointer, object, bool], None]:
    def call(given: ValuePointer, out: object, back: bool) -> None:
        found = mapping()
        if found is not None:
            found.call(given, out, back)

    return call


# Making streams of the library.

# Operators that pass on the values they are given.
Passing: TypeAlias = Literal[
    "distinct",
    "buffered",
    "bracketed",
    "throttle",
    "debounce",
    "sample",
    "min_change",
    "timeout",
]
PASSING: frozenset[str] = frozenset(get_args(Passing))
READS: dict[str, Read[object]] = {"changes": change, "updates": value_update}
_DURATIONS = ("duration", "time_constant")


class Absent:
    """Stands for an argument that was not given, where None is a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


def wanted(**arguments: object) -> dict[str, object]:
    """The arguments that are not None."""
    return {key: value for key, value in arguments.items() if value is not None}


def given(**arguments: object) -> dict[str, object]:
    """The arguments that are not ABSENT."""
    return {key: value for key, value in arguments.items() if value is not ABSENT}


def in_nanoseconds(arguments: dict[str, object]) -> dict[str, object]:
    """Seconds as the nanoseconds the library takes."""
    made = dict(arguments)
    for name in _DURATIONS:
        if name in made:
            if f"{name}_ns" in made:
                raise InvalidArgumentError(f"give `{name}` or `{name}_ns`, not both")
            made[f"{name}_ns"] = duration_ns(cast("float", made.pop(name)))
    return made


def new_stream(
    context: EventLoop | None, kind: str, options: dict[str, object]
) -> tuple[int, Roots]:
    """A new stream of the library, in the default context where none is given."""
    context, out = chosen(context), ctypes.c_void_p()
    with encoded(options) as made:
        given = made.as_.dict if options else None
        function = native().gkit_stream_new
        check(function(address_of(context), encode(kind), given, ctypes.byref(out)))
    return out.value or 0, Roots(context)
