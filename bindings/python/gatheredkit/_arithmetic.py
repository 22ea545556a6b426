"""Calculation with streams, and comparison."""

from __future__ import annotations

from typing import Protocol, TypeVar

from ._errors import InvalidArgumentError

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)


class Operand(Protocol[C_co]):
    """What can be calculated with."""

    def calculated(self, op: str, *operands: object) -> C_co:
        """What an operation makes of streams and plain values, one of which is this."""
        ...


class Arithmetic:
    """Calculation with streams: with others, or with plain values.

    Int with int stays int, wraps, and divided by 0 gives 0; any other pair of numbers is a float;
    what does not fit gives None. The result is an `Observable` if all operands are. Comparisons
    are methods, because `==` stays identity.
    """

    def combine(self: Operand[C], *others: object) -> C:
        """A list of the newest value of each, once each has one; see the function `combine`."""
        return self.calculated("combine", self, *others)

    def __add__(self: Operand[C], other: object) -> C:
        return self.calculated("+", self, other)

    def __radd__(self: Operand[C], other: object) -> C:
        return self.calculated("+", other, self)

    def __sub__(self: Operand[C], other: object) -> C:
        return self.calculated("-", self, other)

    def __rsub__(self: Operand[C], other: object) -> C:
        return self.calculated("-", other, self)

    def __mul__(self: Operand[C], other: object) -> C:
        return self.calculated("*", self, other)

    def __rmul__(self: Operand[C], other: object) -> C:
        return self.calculated("*", other, self)

    def __truediv__(self: Operand[C], other: object) -> C:
        return self.calculated("/", self, other)

    def __rtruediv__(self: Operand[C], other: object) -> C:
        return self.calculated("/", other, self)

    def __mod__(self: Operand[C], other: object) -> C:
        return self.calculated("%", self, other)

    def __rmod__(self: Operand[C], other: object) -> C:
        return self.calculated("%", other, self)

    def __neg__(self: Operand[C]) -> C:
        return self.calculated("-", self)

    def min(self: Operand[C], *others: object) -> C:
        """The smaller of two, or the smallest of several."""
        return _folded("min", self, others)

    def max(self: Operand[C], *others: object) -> C:
        """The larger of two, or the largest of several."""
        return _folded("max", self, others)

    def sqrt(self: Operand[C]) -> C:
        """The square root."""
        return self.calculated("sqrt", self)

    def eq(self: Operand[C], other: object) -> C:
        """Whether two values of any type are equal; an int never equals a float."""
        return self.calculated("==", self, other)

    def ne(self: Operand[C], other: object) -> C:
        """Whether two values of any type differ."""
        return self.calculated("!=", self, other)

    def lt(self: Operand[C], other: object) -> C:
        """Whether it is less: two numbers or two texts."""
        return self.calculated("<", self, other)

    def le(self: Operand[C], other: object) -> C:
        """Whether it is less or equal: two numbers or two texts."""
        return self.calculated("<=", self, other)

    def gt(self: Operand[C], other: object) -> C:
        """Whether it is greater: two numbers or two texts."""
        return self.calculated(">", self, other)

    def ge(self: Operand[C], other: object) -> C:
        """Whether it is greater or equal: two numbers or two texts."""
        return self.calculated(">=", self, other)

    def and_(self: Operand[C], other: object) -> C:
        """Whether both are true."""
        return self.calculated("&&", self, other)

    def or_(self: Operand[C], other: object) -> C:
        """Whether one of them is true."""
        return self.calculated("||", self, other)

    def not_(self: Operand[C]) -> C:
        """Whether it is false."""
        return self.calculated("!", self)


def _folded(op: str, first: Operand[C], others: tuple[object, ...]) -> C:
    """The operation of two, again and again."""
    if not others:
        raise InvalidArgumentError(f"{op} takes two or more")
    made = first.calculated(op, first, others[0])
    for other in others[1:]:
        made = first.calculated(op, made, other)
    return made
