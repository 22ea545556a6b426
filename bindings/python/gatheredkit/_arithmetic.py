"""Streams combined: merged, listed, calculated with and compared."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._delivery import payload
from ._errors import InvalidArgumentError
from ._library import encode, native

if TYPE_CHECKING:
    from ._event_loop import EventLoop
    from ._stream import Stream

T = TypeVar("T")


class Arithmetic(Generic[T]):
    """Calculation with streams: with others, or with plain values.

    Int with int stays int, wraps, and divided by 0 gives 0; any other pair of numbers is a float;
    what does not fit gives None. The result is an `Observable` if all operands are. Comparisons
    are methods, because `==` stays identity.
    """

    def merge(self, *others: Stream[T]) -> Stream[T]:
        """Every value of this and the others, in one order."""
        merged: Stream[T] = _combined("merge", self, *others)
        return merged

    def combine(self, *others: Stream[Any]) -> Any:
        """A list of the newest value of each, once each has one; see the function `combine`."""
        return _combined("combine", self, *others)

    def __add__(self, other: Any) -> Any:
        return _combined("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _combined("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return _combined("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _combined("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _combined("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _combined("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _combined("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _combined("/", other, self)

    def __mod__(self, other: Any) -> Any:
        return _combined("%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _combined("%", other, self)

    def __neg__(self) -> Any:
        return _combined("-", self)

    def min(self, *others: Any) -> Any:
        """The smaller of two, or the smallest of several."""
        return _folded("min", self, *others)

    def max(self, *others: Any) -> Any:
        """The larger of two, or the largest of several."""
        return _folded("max", self, *others)

    def sqrt(self) -> Any:
        """The square root."""
        return _combined("sqrt", self)

    def eq(self, other: Any) -> Any:
        """Whether two values of any type are equal; an int never equals a float."""
        return _combined("==", self, other)

    def ne(self, other: Any) -> Any:
        """Whether two values of any type differ."""
        return _combined("!=", self, other)

    def lt(self, other: Any) -> Any:
        """Whether it is less: two numbers or two texts."""
        return _combined("<", self, other)

    def le(self, other: Any) -> Any:
        """Whether it is less or equal: two numbers or two texts."""
        return _combined("<=", self, other)

    def gt(self, other: Any) -> Any:
        """Whether it is greater: two numbers or two texts."""
        return _combined(">", self, other)

    def ge(self, other: Any) -> Any:
        """Whether it is greater or equal: two numbers or two texts."""
        return _combined(">=", self, other)

    def and_(self, other: Any) -> Any:
        """Whether both are true."""
        return _combined("&&", self, other)

    def or_(self, other: Any) -> Any:
        """Whether one of them is true."""
        return _combined("||", self, other)

    def not_(self) -> Any:
        """Whether it is false."""
        return _combined("!", self)


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
    merged: Stream[T] = _combined("merge", *streams)
    return merged


def combine(*streams: Stream[Any]) -> Any:
    """A list of the newest value of each: an `Observable` of observables, which can be set if they
    all can; a `Stream` otherwise, which waits until each has a value.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     width, height = gk.Variable(2, context=context), gk.Variable(3, context=context)
    ...     print(gk.combine(width, height).value, (width * height).value)
    [2, 3] 6
    """
    return _combined("combine", *streams)


def _folded(op: str, first: Any, *others: Any) -> Any:
    if not others:
        raise InvalidArgumentError(f"{op} takes two or more")
    for other in others:
        first = _combined(op, first, other)
    return first


def _combined(op: str, *operands: Any) -> Any:
    """The stream the library makes of several; plain values become variables that are never set."""
    from ._stream import Stream

    given: list[Stream[Any]] = [found for found in operands if isinstance(found, Stream)]
    if not given:
        raise InvalidArgumentError("combining takes streams")
    streams = [_stream(found, given[0].context) for found in operands]
    addresses = (ctypes.c_void_p * len(streams))(*(found._upstream() for found in streams))
    out = ctypes.c_void_p()
    function = native().gkit_stream_combine
    given[0].check(function(addresses, len(streams), encode(op), ctypes.byref(out)))
    roots = given[0]._roots.and_others(tuple(given[1:]))
    reads = {found._read for found in given}
    read = reads.pop() if op == "merge" and len(reads) == 1 else payload
    return _kind(op, streams)(out.value or 0, roots, read)


def _stream(operand: Any, context: EventLoop) -> Stream[Any]:
    from ._stream import Stream
    from ._variables import Variable

    stream: Stream[Any] = (
        operand if issubclass(type(operand), Stream) else Variable(operand, context=context)
    )
    return stream


def _kind(op: str, streams: list[Stream[Any]]) -> type[Stream[Any]]:
    from ._observable import Observable, Updatable
    from ._stream import Stream

    if op == "merge" or not all(isinstance(found, Observable) for found in streams):
        return Stream
    can_be_set = all(isinstance(found, Updatable) for found in streams)
    return Updatable if op == "combine" and can_be_set else Observable
