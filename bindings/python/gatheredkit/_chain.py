"""Functions of Python one behind the other, each called once for a subscriber and value: what
reached Python stays there until the sink has it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from functools import lru_cache
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
    for start in reversed(range(0, len(stages), _TOGETHER)):
        part = stages[start : start + _TOGETHER]
        sink = _maker(tuple(stage.kind for stage in part))(part, sink)
    return sink


# How many stages one function takes a value through.
_TOGETHER = 16

_START = """
def make(stages, sink):
    def run(value):
        at = 0
        try:"""
_FILTER = """
            if not f{0}(value):
                return"""
_MAP = """
            value = f{0}(value)"""
_COMPACT = """
            if value is None:
                return"""
# What Python compares fastest shows of most ints that they have 64 bits.
_AS_VALUE = """
            if type(value) is int and -0x20000000 < value < 0x20000000:
                pass
            elif type(value) is not float:
                value = as_value(value)"""
_NEXT = """
            at = {0}"""
_END = """
        except BaseException as error:
            stages[at].entry.report(error)
            return
        sink(value)
    {0}, = [stage.function for stage in stages]
    return run
"""
_BODIES = {
    MAP: _MAP + _AS_VALUE,
    FILTER: _FILTER,
    COMPACT: _MAP + _COMPACT + _AS_VALUE,
}


@lru_cache(256)
def _maker(kinds: tuple[int, ...]) -> Callable[[tuple[Stage, ...], Sink], Sink]:
    """Makes functions that take a value through stages of these kinds to a sink.

    They are written out, stage by stage: a loop over stages takes half as long again.
    """
    bodies = [_BODIES[kind].format(index) for index, kind in enumerate(kinds)]
    steps = bodies[0] + "".join(
        _NEXT.format(index) + body for index, body in enumerate(bodies) if index
    )
    text = _START + steps + _END.format(", ".join(f"f{index}" for index in range(len(kinds))))
    names: dict[str, object] = {"as_value": as_value}
    exec(compile(text, "<stages>", "exec"), names)
    return cast("Callable[[tuple[Stage, ...], Sink], Sink]", names["make"])


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
