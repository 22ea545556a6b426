"""Calculation with streams, and comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias, TypeVar, overload

from ._errors import InvalidArgumentError

T_co = TypeVar("T_co", covariant=True)
C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)

Sum: TypeAlias = Literal["+", "-", "*", "/", "%", "min", "max", "sqrt"]
Test: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "&&", "||", "!"]


class Valued(Protocol[T_co]):
    """A stream whose values are of a type."""

    @property
    def decoder(self) -> Callable[..., T_co]: ...


Number: TypeAlias = "float | Valued[float]"


class Numbers(Valued[float], Protocol[C_co]):
    """A stream of numbers, and what a calculation with numbers makes of it."""

    def calculated(self, op: Sum, *operands: Number) -> C_co: ...


class Operand(Protocol[C_co]):
    """What can be calculated with."""

    def calculated(self, op: Sum, *operands: object) -> C_co: ...


class Comparable(Protocol[C_co]):
    """What can be compared."""

    def calculated(self, op: Test, *operands: object) -> C_co: ...


class Combinable(Protocol[C_co]):
    """What can be listed with others."""

    def calculated(self, op: Literal["combine"], *operands: object) -> C_co: ...


# pyright: reportInconsistentOverload=false
# Each body passes its operands on unchecked.


class Arithmetic:
    """Calculation with streams: with others, or with plain values.

    Int with int stays int, wraps, and divided by 0 gives 0; any other pair of numbers is a float;
    what does not fit gives None. The result is an `Observable` if all operands are. Comparisons
    are methods, because `==` stays identity.
    """

    def combine(self: Combinable[C], *others: object) -> C:
        """A list of the newest value of each, once each has one; see the function `combine`."""
        return self.calculated("combine", self, *others)

    @overload
    def __add__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __add__(self: Operand[C], other: object) -> C: ...
    def __add__(self: Operand[C], other: object) -> C:
        return self.calculated("+", self, other)

    @overload
    def __radd__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __radd__(self: Operand[C], other: object) -> C: ...
    def __radd__(self: Operand[C], other: object) -> C:
        return self.calculated("+", other, self)

    @overload
    def __sub__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __sub__(self: Operand[C], other: object) -> C: ...
    def __sub__(self: Operand[C], other: object) -> C:
        return self.calculated("-", self, other)

    @overload
    def __rsub__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __rsub__(self: Operand[C], other: object) -> C: ...
    def __rsub__(self: Operand[C], other: object) -> C:
        return self.calculated("-", other, self)

    @overload
    def __mul__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __mul__(self: Operand[C], other: object) -> C: ...
    def __mul__(self: Operand[C], other: object) -> C:
        return self.calculated("*", self, other)

    @overload
    def __rmul__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __rmul__(self: Operand[C], other: object) -> C: ...
    def __rmul__(self: Operand[C], other: object) -> C:
        return self.calculated("*", other, self)

    @overload
    def __truediv__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __truediv__(self: Operand[C], other: object) -> C: ...
    def __truediv__(self: Operand[C], other: object) -> C:
        return self.calculated("/", self, other)

    @overload
    def __rtruediv__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __rtruediv__(self: Operand[C], other: object) -> C: ...
    def __rtruediv__(self: Operand[C], other: object) -> C:
        return self.calculated("/", other, self)

    @overload
    def __mod__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __mod__(self: Operand[C], other: object) -> C: ...
    def __mod__(self: Operand[C], other: object) -> C:
        return self.calculated("%", self, other)

    @overload
    def __rmod__(self: Numbers[C], other: Number) -> C: ...
    @overload
    def __rmod__(self: Operand[C], other: object) -> C: ...
    def __rmod__(self: Operand[C], other: object) -> C:
        return self.calculated("%", other, self)

    @overload
    def __neg__(self: Numbers[C]) -> C: ...
    @overload
    def __neg__(self: Operand[C]) -> C: ...
    def __neg__(self: Operand[C]) -> C:
        return self.calculated("-", self)

    @overload
    def min(self: Numbers[C], *others: Number) -> C: ...
    @overload
    def min(self: Operand[C], *others: object) -> C: ...
    def min(self: Operand[C], *others: object) -> C:
        """The smaller of two, or the smallest of several."""
        return _folded("min", self, others)

    @overload
    def max(self: Numbers[C], *others: Number) -> C: ...
    @overload
    def max(self: Operand[C], *others: object) -> C: ...
    def max(self: Operand[C], *others: object) -> C:
        """The larger of two, or the largest of several."""
        return _folded("max", self, others)

    @overload
    def sqrt(self: Numbers[C]) -> C: ...
    @overload
    def sqrt(self: Operand[C]) -> C: ...
    def sqrt(self: Operand[C]) -> C:
        """The square root."""
        return self.calculated("sqrt", self)

    def eq(self: Comparable[C], other: object) -> C:
        """Whether two values of any type are equal; an int never equals a float."""
        return self.calculated("==", self, other)

    def ne(self: Comparable[C], other: object) -> C:
        """Whether two values of any type differ."""
        return self.calculated("!=", self, other)

    def lt(self: Comparable[C], other: object) -> C:
        """Whether it is less: two numbers or two texts."""
        return self.calculated("<", self, other)

    def le(self: Comparable[C], other: object) -> C:
        """Whether it is less or equal: two numbers or two texts."""
        return self.calculated("<=", self, other)

    def gt(self: Comparable[C], other: object) -> C:
        """Whether it is greater: two numbers or two texts."""
        return self.calculated(">", self, other)

    def ge(self: Comparable[C], other: object) -> C:
        """Whether it is greater or equal: two numbers or two texts."""
        return self.calculated(">=", self, other)

    def and_(self: Comparable[C], other: object) -> C:
        """Whether both are true."""
        return self.calculated("&&", self, other)

    def or_(self: Comparable[C], other: object) -> C:
        """Whether one of them is true."""
        return self.calculated("||", self, other)

    def not_(self: Comparable[C]) -> C:
        """Whether it is false."""
        return self.calculated("!", self)


def _folded(op: Literal["min", "max"], first: Operand[C], others: tuple[object, ...]) -> C:
    """Applies an operation of two operands from left to right."""
    if not others:
        raise InvalidArgumentError(f"{op} takes two or more")
    made = first.calculated(op, first, others[0])
    for other in others[1:]:
        made = first.calculated(op, made, other)
    return made
