"""How lists and sets change: the changes that they tell, and their algebra."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, MutableSequence, MutableSet, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from ._errors import InvalidArgumentError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListModification(Generic[T]):
    """A place of a list where elements were removed, put in, or both."""

    at: int
    """The index of the first element, once the modifications before it are made."""
    old: tuple[T, ...] = ()
    """The elements that were there."""
    new: tuple[T, ...] = ()
    """The elements that are there now."""

    @property
    def kind(self) -> str:
        """ "insert", "remove", "replace" (one for one) or "slice"."""
        if not self.old:
            return "insert"
        if not self.new:
            return "remove"
        return "replace" if len(self.old) == len(self.new) == 1 else "slice"


@dataclass(frozen=True, slots=True)
class ListChange(Generic[T]):
    """How a list has changed: modifications in order of their places, which do not touch.

    >>> change = ListChange.of(3, [ListModification(0, ("a",)), ListModification(2, (), ("z",))])
    >>> letters = ["a", "b", "c"]
    >>> change.apply(letters)
    >>> letters
    ['b', 'c', 'z']
    >>> change.reversed().apply(letters)
    >>> letters
    ['a', 'b', 'c']
    """

    count: int
    """How many elements there were."""
    modifications: tuple[ListModification[T], ...] = ()
    """What has changed; each supposes that those before it are made."""

    @classmethod
    def of(cls, count: int, modifications: Iterable[ListModification[T]]) -> ListChange[T]:
        """Modifications one after the other, at any places. Raises `InvalidArgumentError` for one
        that has no such place."""
        made: ListChange[T] = ListChange(count)
        length = count
        for number, one in enumerate(modifications):
            if one.at < 0 or one.at + len(one.old) > length:
                raise InvalidArgumentError(f"modification {number} does not fit the list")
            step: ListChange[T] = ListChange(length, (one,) if one.old or one.new else ())
            made, length = made.merged(step), length + len(one.new) - len(one.old)
        return made

    @property
    def new_count(self) -> int:
        """How many elements there are now."""
        return self.count + sum(len(one.new) - len(one.old) for one in self.modifications)

    def apply(self, items: MutableSequence[T]) -> None:
        """Changes a list. Raises `InvalidArgumentError`, and changes nothing, where it does not
        fit: where there are more or fewer elements, or others than it removes."""
        if len(items) != self.count:
            raise InvalidArgumentError("the change is of a list of another length")
        shift = 0
        for number, one in enumerate(self.modifications):
            start = one.at + shift
            if tuple(items[start : start + len(one.old)]) != one.old:
                raise InvalidArgumentError(f"modification {number} does not fit the list")
            shift += len(one.old) - len(one.new)
        for one in self.modifications:
            items[one.at : one.at + len(one.old)] = one.new

    def reversed(self) -> ListChange[T]:
        """The change that leads back."""
        made, shift = [], 0
        for one in self.modifications:
            made.append(ListModification(one.at + shift, one.new, one.old))
            shift += len(one.old) - len(one.new)
        return ListChange(self.new_count, tuple(made))

    def merged(self, later: ListChange[T]) -> ListChange[T]:
        """This change and the one after it, as one. Raises `InvalidArgumentError` for a change of
        a list of another length."""
        if later.count != self.new_count:
            raise InvalidArgumentError("the change is of a list of another length")
        return ListChange(self.count, tuple(_merged(self.modifications, later.modifications)))

    def moves(self) -> list[tuple[int, int]]:
        """Elements that were removed and put in again: the index before and after, each once."""
        places: dict[Hashable, list[int]] = {}
        shift = 0
        for one in self.modifications:
            for offset, item in enumerate(one.old):
                places.setdefault(cast("Hashable", item), []).append(one.at + shift + offset)
            shift += len(one.old) - len(one.new)
        found = []
        for one in self.modifications:
            for offset, item in enumerate(one.new):
                if places.get(cast("Hashable", item)):
                    found.append((places[cast("Hashable", item)].pop(0), one.at + offset))
        return found


# A modification with the range it takes of the list between two changes.
_Part = tuple[int, int, ListModification[T]]


def _merged(
    earlier: Sequence[ListModification[T]], later: Sequence[ListModification[T]]
) -> Iterable[ListModification[T]]:
    firsts: list[_Part[T]] = [(one.at, one.at + len(one.new), one) for one in earlier]
    seconds: list[_Part[T]] = []
    shift = 0
    for one in later:
        seconds.append((one.at + shift, one.at + shift + len(one.old), one))
        shift += len(one.old) - len(one.new)
    shift = 0
    while firsts or seconds:
        start = min(parts[0][0] for parts in (firsts, seconds) if parts)
        end, first, second = start, list[_Part[T]](), list[_Part[T]]()
        while True:
            if firsts and firsts[0][0] <= end:
                end = max(end, firsts[0][1])
                first.append(firsts.pop(0))
            elif seconds and seconds[0][0] <= end:
                end = max(end, seconds[0][1])
                second.append(seconds.pop(0))
            else:
                break
        old = _overlaid(start, end, first, second, old=True)
        new = _overlaid(start, end, second, first, old=False)
        if old or new:
            yield ListModification(start + shift, old, new)
        shift += sum(len(one.new) - len(one.old) for _, _, one in second)


def _overlaid(
    start: int, end: int, over: list[_Part[T]], under: list[_Part[T]], *, old: bool
) -> tuple[T, ...]:
    """The elements of one side, and between them those of the other."""
    found: list[T] = []
    place, below = start, 0
    nothing: ListModification[T] = ListModification(end)
    for first, last, top in [*over, (end, end, nothing)]:
        while below < len(under):
            low, high, one = under[below]
            left, right = max(place, low), min(first, high)
            if left < right:
                found += (one.old if old else one.new)[left - low : right - low]
            if high > first:
                break
            below += 1
        found += top.old if old else top.new
        place = last
    return tuple(found)


@dataclass(frozen=True, slots=True)
class SetChange(Generic[T]):
    """How a set has changed: what has gone, and what has come; nothing is in both."""

    removed: tuple[T, ...] = ()
    """The elements that have gone."""
    inserted: tuple[T, ...] = ()
    """The elements that have come, in this order."""

    def apply(self, items: MutableSet[T]) -> None:
        """Changes a set. Raises `InvalidArgumentError`, and changes nothing, where it does not
        fit."""
        if not all(one in items for one in self.removed) or any(
            one in items for one in self.inserted
        ):
            raise InvalidArgumentError("the change is of another set")
        for one in self.removed:
            items.discard(one)
        for one in self.inserted:
            items.add(one)

    def reversed(self) -> SetChange[T]:
        """The change that leads back."""
        return SetChange(self.inserted, self.removed)

    def merged(self, later: SetChange[T]) -> SetChange[T]:
        """This change and the one after it, as one: what came and went is in neither."""
        gone = [one for one in self.removed if one not in later.inserted]
        gone += [one for one in later.removed if one not in self.inserted]
        come = [one for one in self.inserted if one not in later.removed]
        come += [one for one in later.inserted if one not in self.removed]
        return SetChange(tuple(gone), tuple(come))
