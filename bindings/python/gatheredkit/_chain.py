"""Functions of Python one behind the other, each called once for a subscriber and value: what
reached Python stays there until the sink has it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from operator import length_hint
from typing import TypeAlias, cast

from ._abi import decode_value, encoded
from ._callbacks import Entry
from ._errors import TypeMismatchError
from ._handles import Connection

Sink: TypeAlias = Callable[..., object]

# What a stage does with its function.
MAP, FILTER, COMPACT, FLAT = range(4)

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_PLAIN = frozenset((float, bool, bytes, type(None)))


class Stage:
    """A function of a stream of Python, and who is subscribed by way of it. What it raises is the
    error of its `entry`."""

    __slots__ = ("connections", "entry", "function", "kind")

    def __init__(self, kind: int, function: Sink, entry: Entry) -> None:
        self.kind = kind
        self.function = function
        self.entry = entry
        self.connections: weakref.WeakSet[Connection] = weakref.WeakSet()

    @property
    def count(self) -> int:
        """How many are subscribed by way of it."""
        return sum(connection.connected for connection in self.connections)


def as_value(value: object) -> object:
    """The value C would give back: a vector for a tuple, a copy of what can be changed.

    Raises `TypeMismatchError` for what is no value.
    """
    if type(value) is int:
        if _LEAST <= value <= _MOST:
            return value
        raise TypeMismatchError("an int has 64 bits at most")
    if type(value) in _PLAIN or (type(value) is str and value.isascii()):
        return value
    with encoded(value) as given:
        made: object = decode_value(given)
        return made


def chained(stages: tuple[Stage, ...], sink: Sink, entry: Entry) -> Sink:
    """What takes a value through the stages to a sink, whose subscription the entry is."""
    for index, stage in enumerate(stages):
        if stage.kind == FLAT:
            sink = _spreading(stage, chained(stages[index + 1 :], sink, entry), entry)
            return _running(stages[:index], sink)
    return _running(stages, sink)


def _running(stages: tuple[Stage, ...], sink: Sink) -> Sink:
    if not stages:
        return sink
    # Whether it filters, and its function: pairs are the fastest to take apart.
    steps = tuple((stage.kind == FILTER, stage.function) for stage in stages)

    def run(value: object) -> None:
        rest = iter(steps)
        try:
            for filters, function in rest:
                if filters:
                    if function(value):
                        continue
                    return
                value = function(value)
                # What Python compares fastest shows of most ints that they have 64 bits.
                if type(value) is int and -(1 << 29) < value < 1 << 29:
                    continue
                if type(value) is not float:
                    if value is None and _present(stages, rest).kind == COMPACT:
                        return
                    value = as_value(value)
        except BaseException as error:
            _present(stages, rest).entry.report(error)
            return
        sink(value)

    return run


def _present(stages: tuple[Stage, ...], rest: Iterator[object]) -> Stage:
    """The stage that an iterator over all of them gave last; before that, the first."""
    return stages[max(0, len(stages) - 1 - length_hint(rest))]


def _spreading(stage: Stage, sink: Sink, entry: Entry) -> Sink:
    """Gives a sink the items of what a function makes of a value."""

    def spread(value: object) -> None:
        try:
            items = list(cast("Iterable[object]", stage.function(value)))
            made = cast("list[object]", as_value(items))
        except BaseException as error:
            stage.entry.report(error)
            return
        for item in made:
            if entry.cut:
                return
            try:
                sink(item)
            except BaseException as error:
                entry.report(error)

    return spread
