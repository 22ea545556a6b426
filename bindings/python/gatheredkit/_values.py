"""What values are: those of Python, and vectors and moments, which it has no type for."""

from __future__ import annotations

import datetime as dt
import math
import typing
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # Type checkers bring its stub.

# Makes a vector of a type, from any iterable; nothing is checked.
new_vector: Callable[[type[Vector], Iterable[float]], Vector] = vars(tuple)["__new__"]
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_NAMES = ("x", "y", "z", "w")


class Vector(tuple[float, ...]):
    """2 to 4 numbers; a named tuple with the component names of its property.

    >>> import gatheredkit as gk
    >>> v = gk.Vector(3, 4)
    >>> v, v.x, v.norm
    (Vector(x=3.0, y=4.0), 3.0, 5.0)
    >>> gk.Vector(1, 2, 3)._fields
    ('x', 'y', 'z')
    """

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __new__(cls, *components: float) -> Vector:
        if not 2 <= len(components) <= 4:
            raise ValueError("a vector has 2 to 4 components")
        chosen = cls if cls._fields else vector_type(_NAMES[: len(components)])
        if cls._fields and len(components) != len(cls._fields):
            raise TypeError(f"this vector has the components {', '.join(cls._fields)}")
        made: Vector = new_vector(chosen, map(float, components))
        return made

    def __getattr__(self, name: str) -> float:
        raise AttributeError(f"this vector has no component {name!r}")

    @classmethod
    def _make(cls, components: Iterable[float]) -> Vector:
        made: Vector = new_vector(cls, components)
        return made

    @property
    def norm(self) -> float:
        """Its length, in the vector's unit."""
        return math.hypot(*self)

    def _asdict(self) -> dict[str, float]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **changes: float) -> Vector:
        return type(self)(*{**self._asdict(), **changes}.values())

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={number!r}" for key, number in self._asdict().items())
        return f"Vector({inner})"

    def __reduce__(self) -> tuple[object, ...]:
        return _vector_again, (self._fields, tuple(self))


@cache
def vector_type(names: tuple[str, ...]) -> type[Vector]:
    """The vector type with these component names."""
    plain = namedtuple("Vector", names)  # type: ignore[misc]  # names known at run time only
    fields = {name: plain.__dict__[name] for name in names}
    members = {"__slots__": (), "_fields": names, "__match_args__": names, **fields}
    return type("Vector", (Vector,), members)


def _vector_again(names: tuple[str, ...], components: tuple[float, ...]) -> Vector:
    return vector_type(names)(*components)


class Time(int):
    """A moment: nanoseconds since 1970, UTC; a `datetime` on demand.

    >>> import gatheredkit as gk
    >>> gk.Time(1_700_000_000_000_000_000).datetime.isoformat()
    '2023-11-14T22:13:20+00:00'
    """

    __slots__ = ()

    @classmethod
    def of(cls, moment: dt.datetime) -> Time:
        """The moment of an aware datetime; raises `ValueError` for a naive one."""
        if moment.tzinfo is None:
            raise ValueError("the datetime has no time zone")
        return cls((moment - _EPOCH) // dt.timedelta(microseconds=1) * 1000)

    @property
    def datetime(self) -> dt.datetime:
        """As an aware datetime in UTC; the last three digits of the nanoseconds are cut."""
        return _EPOCH + dt.timedelta(microseconds=self // 1000)

    def __repr__(self) -> str:
        return f"Time({int(self)})"


Scalar: TypeAlias = bool | int | float | str | bytes | Vector | Time | None
Value: TypeAlias = Scalar | list["Value"] | dict[str, "Value"]

# What a program may give as a value. A list is declared as a `Sequence`, since `list` is
# invariant: of sequences only lists, and as vectors tuples of 2 to 4 numbers, are values.
GivenValue: TypeAlias = (
    bool
    | int
    | float
    | str
    | bytes
    | bytearray
    | memoryview
    | dt.datetime
    | Sequence["GivenValue"]
    | Mapping[str, "GivenValue"]
    | None
)

# The types of the values of data sources: any value where the program states none. `typing` has
# defaults of type parameters from Python 3.13 on.
if TYPE_CHECKING:
    V = TypeVar("V", default=Value)
    W = TypeVar("W", default=Value)
else:
    V, W = typing.TypeVar("V"), typing.TypeVar("W")
