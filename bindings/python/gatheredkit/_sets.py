"""Sets that are held, change, and tell how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableSet
from collections.abc import Set as AbstractSet
from typing import TypeVar, cast

from ._abi import Block
from ._callbacks import require_callable
from ._changes import SetChange
from ._collections import Collection
from ._delivery import new_stream, payload
from ._event_loop import EventLoop
from ._library import native
from ._stream import Stream, Updatable, combined

T = TypeVar("T")
U = TypeVar("U")


def _set_change(data: Block, offset: int) -> SetChange[object]:
    """What `changes` of a set sends."""
    found = payload(data, offset)
    return SetChange(tuple(found["removed"]), tuple(found["inserted"]))


class ObservableSet(Collection[T], AbstractSet[T]):
    """A set that changes and tells how: it is read like any set, in the order of insertion, and
    subscribed to like any observable, with lists."""

    def __sub__(self, other: AbstractSet[object]) -> set[T]:  # type: ignore[override]
        return {value for value in self.value if value not in other}

    def __contains__(self, element: object) -> bool:
        return element in self.value

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[T]:
        return iter(self.value)

    @property
    def changes(self) -> Stream[SetChange[T]]:  # type: ignore[override]
        """One `SetChange` for each transaction that changed it."""
        return cast("Stream[SetChange[T]]", self._operator(Stream, "changes", None, _set_change))

    def map(self, f: Callable[[T], U]) -> ObservableSet[U]:  # type: ignore[override]
        """What `f` makes of the elements, each result once: as long as any element leads to it."""
        require_callable("map", f)
        return self._each(ObservableSet[U], lambda value: (True, f(value)))

    def filter(  # type: ignore[override]
        self, predicate: Callable[[T], object]
    ) -> ObservableSet[T]:
        """The elements for which `predicate` is true."""
        require_callable("filter", predicate)
        return self._each(ObservableSet[T], lambda value: (bool(predicate(value)), value))

    def union(self, *others: ObservableSet[T]) -> ObservableSet[T]:
        """What is in this or any other set."""
        made = combined("union", self, *others)
        return ObservableSet(native().gkit_retain(made.native_address()) or 0, made.roots)

    @classmethod
    def _from_iterable(cls, items: Iterable[U]) -> set[U]:
        return set(items)

    __hash__ = Stream.__hash__


class SetVariable(ObservableSet[T], Updatable[list[T]], MutableSet[T]):
    """A set to hold and to change; each call is a transaction, or joins the one that is open.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     allowed = gk.SetVariable(["mac"], context=context)
    ...     _ = allowed.changes.subscribe(print)
    ...     allowed.add("ssid")
    ...     allowed.discard("mac")
    SetChange(removed=(), inserted=('ssid',))
    SetChange(removed=('mac',), inserted=())
    """

    shares = True

    def __init__(self, items: Iterable[T] = (), *, context: EventLoop | None = None) -> None:
        super().__init__(*new_stream(context, "set", {"value": list(items)}))

    def add(self, value: T) -> None:
        """Puts an element in; nothing happens where it is there."""
        if value not in self:
            self._modify(insert=[value])

    def discard(self, value: T) -> None:
        """Takes an element out; nothing happens where it is not there."""
        if value in self:
            self._modify(remove=[value])

    def update(self, *others: Iterable[T]) -> None:
        """Puts in what is not there, as one change."""
        self._modify(insert=[value for other in others for value in other])

    def clear(self) -> None:
        """Takes all elements out."""
        self.value = []

    def apply_change(self, change: SetChange[T]) -> None:
        """Makes a change of another set, as one transaction. Raises `InvalidArgumentError`, and
        changes nothing, where it does not fit."""
        self._modify(removed=list(change.removed), inserted=list(change.inserted))
