"""Streams made with Python functions."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._callbacks import Entry, register, require_callable
from ._delivery import Answer, Read, memory, payload
from ._library import native
from ._trampolines import transform

if TYPE_CHECKING:
    from ._stream import Roots, Stream

T = TypeVar("T")
U = TypeVar("U")

Step = Callable[[Any], "tuple[bool, Any]"]


class Transform:
    """A function of one value, called by C; streams made with it keep it."""

    __slots__ = ("__weakref__", "_answer", "_function", "_read", "entry", "error")

    def __init__(self, function: Callable[[Any, Any], tuple[bool, Any]], read: Read[Any]) -> None:
        self._function = function
        self._read = read
        self._answer = Answer()
        self.error: BaseException | None = None
        self.entry = Entry(_caller(weakref.ref(self)), self)

    def call(self, sample: int, out: Any) -> bool:
        """Makes one value of another; False drops it."""
        data = memory(sample, 1)
        passes, value = self._function(self._read(data, 0), data)
        if passes:
            self._answer.write(out, value)
        return passes


def _caller(transform: weakref.ref[Transform]) -> Callable[[int, Any], bool]:
    def call(sample: int, out: Any) -> bool:
        found = transform()
        return found is not None and found.call(sample, out)

    return call


class Functions(Generic[T]):
    """The operators that take a function. It is called once for each subscriber and value; an
    exception drops the value, and is logged and kept as the `error` of the stream."""

    if TYPE_CHECKING:
        _read: Read[Any]
        _roots: Roots
        _derived: Callable[..., Any]

        def flatten(self) -> Stream[Any]: ...

    def map(self, f: Callable[[T], U]) -> Stream[U]:
        """What `f` makes of each value.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     words = gk.Signal(context=context)
        ...     _ = words.map(len).subscribe(print)
        ...     words.send("seven")
        5
        """
        require_callable("map", f)
        return self._transformed(lambda value, _: (True, f(value)))

    def filter(self, predicate: Callable[[T], object]) -> Stream[T]:
        """The values for which `predicate` is true."""
        require_callable("filter", predicate)

        def step(value: T, data: Any) -> tuple[bool, Any]:
            return bool(predicate(value)), payload(data, 0)

        return self._transformed(step, self._read)

    def compact_map(self, f: Callable[[T], U | None]) -> Stream[U]:
        """What `f` makes of each value, without the Nones."""
        require_callable("compact_map", f)

        def step(value: T, _: Any) -> tuple[bool, U | None]:
            made = f(value)
            return made is not None, made

        return self._transformed(step)

    def flat_map(self, f: Callable[[T], Iterable[U]]) -> Stream[U]:
        """The items of what `f` makes of each value, in order."""
        require_callable("flat_map", f)
        lists: Stream[Any] = self._transformed(lambda value, _: (True, list(f(value))))
        return lists.flatten()

    def _transformed(
        self, step: Callable[[Any, Any], tuple[bool, Any]], read: Read[Any] = payload
    ) -> Stream[Any]:
        from ._stream import Stream

        made = Transform(step, self._read)

        def function(address: int, out: Any) -> int:
            arguments = (address,)
            create = native().gkit_stream_transform
            return register(create, arguments, transform, made.entry, out)

        stream: Stream[Any] = self._derived(Stream, function, (), self._roots.keeping(made), read)
        stream._origin = made.entry
        return stream
