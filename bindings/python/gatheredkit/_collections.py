"""Lists that are held, change, and tell how; and the instances of a context as one."""

from __future__ import annotations

import ctypes
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    MutableSequence,
    Sequence,
)
from typing import TypeVar, cast, overload

from . import _delivery as delivery
from . import _trampolines as trampolines
from ._abi import Block, encoded
from ._callbacks import raise_interrupt, register, require_callable
from ._changes import ListChange, ListModification
from ._delivery import new_stream, payload
from ._event_loop import EventLoop
from ._library import encode, native
from ._stream import Observable, Stream, Updatable, combined

T = TypeVar("T")
U = TypeVar("U")
StreamT = TypeVar("StreamT", bound=Stream[object])


def _list_change(data: Block, offset: int) -> ListChange[object]:
    """What `changes` of a list sends."""
    found = payload(data, offset)
    return ListChange(
        found["count"],
        tuple(
            ListModification(one["at"], tuple(one["old"]), tuple(one["new"]))
            for one in found["modifications"]
        ),
    )


class Collection(Observable[list[T]]):
    """What lists and sets have in common; the operators of single values are those of `Observable`
    behind `asvalue`."""

    @property
    def asvalue(self) -> Observable[list[T]]:
        """The same as one value, the list of the elements, for what is made of values."""
        return self._viewed(Observable[list[T]], self.decoder)

    @property
    def size(self) -> Observable[int]:
        """How many elements there are, told when it is another number."""
        return cast("Observable[int]", self._operator(Observable, "count"))

    @property
    def elements(self) -> Stream[T]:
        """Every element that is put in from now on, in order."""
        return cast("Stream[T]", self._operator(Stream, "elements"))

    def contains(self, element: T) -> Observable[bool]:
        """Whether an element is in it, told when that changes."""
        return cast("Observable[bool]", self._operator(Observable, "contains", {"value": element}))

    def sorted(self, by: str | None = None, *, descending: bool = False) -> ObservableList[T]:
        """The elements in order, by themselves or by a member of each; what has no place in it,
        such as an element without the member, comes last."""
        arguments: dict[str, object] = {"descending": descending}
        if by is not None:
            arguments["by"] = by
        return cast("ObservableList[T]", self._operator(ObservableList, "sorted", arguments))

    def _operator(
        self,
        kind: type[StreamT],
        name: str,
        arguments: dict[str, object] | None = None,
        read: delivery.Read[object] = payload,
    ) -> StreamT:
        with encoded(arguments or {}) as made:
            given = made.as_.dict if arguments else None
            function = native().gkit_stream_apply
            return self._derived(kind, function, (encode(name), given), None, read)

    def _each(self, kind: type[StreamT], function: Callable[[T], tuple[bool, object]]) -> StreamT:
        """What a function of Python makes of each element that is put in."""
        made = delivery.Transform(lambda value, _: function(cast("T", value)), payload)
        each, out = self._operator(Stream[object], "each"), ctypes.c_void_p()
        create, place = native().gkit_stream_transform, ctypes.byref(out)
        given = (each.native_address(),)
        each.check(register(create, given, trampolines.transform, made.entry, place))
        return kind(out.value or 0, self.roots.keeping(made), payload, made.entry)

    def _modify(self, **modification: object) -> None:
        with encoded(modification) as made:
            self.check(native().gkit_stream_modify(self.native_address(), made.as_.dict))
        raise_interrupt()


class ObservableList(Collection[T], Sequence[T]):
    """A list that changes and tells how: it is read like any sequence, and subscribed to like any
    observable. Iterating sees the list as it was when that began.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     words = gk.ListVariable(["b", "a"], context=context)
    ...     shouted = words.map(str.upper).sorted()
    ...     _ = shouted.changes.subscribe(lambda change: print(change.modifications))
    ...     words.append("c")
    ...     print(list(shouted))
    (ListModification(at=2, old=(), new=('C',)),)
    ['A', 'B', 'C']
    """

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self.value[index]

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[T]:
        return iter(self.value)

    @property
    def changes(self) -> Stream[ListChange[T]]:  # type: ignore[override]
        """One `ListChange` for each transaction that changed it."""
        return cast("Stream[ListChange[T]]", self._operator(Stream, "changes", None, _list_change))

    def map(self, f: Callable[[T], U]) -> ObservableList[U]:  # type: ignore[override]
        """What `f` makes of each element, at the same indices; it is called once for each that is
        put in, while the result is observed."""
        require_callable("map", f)
        return self._each(ObservableList[U], lambda value: (True, f(value)))

    def filter(  # type: ignore[override]
        self, predicate: Callable[[T], object]
    ) -> ObservableList[T]:
        """The elements for which `predicate` is true, in their order."""
        require_callable("filter", predicate)
        return self._each(ObservableList[T], lambda value: (bool(predicate(value)), value))

    def sum(self) -> Observable[float]:
        """The sum of all numbers: of ints an int, which wraps."""
        return cast("Observable[float]", self._operator(Observable, "sum"))

    def concat(self, *others: ObservableList[T]) -> ObservableList[T]:
        """The elements of this and other lists, one list after the other."""
        made = combined("concat", self, *others)
        return ObservableList(native().gkit_retain(made.native_address()) or 0, made.roots)


class ListVariable(ObservableList[T], Updatable[list[T]], MutableSequence[T]):
    """A list to hold and to change; each call is a transaction, or joins the one that is open.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     numbers = gk.ListVariable([1, 2], context=context)
    ...     _ = numbers.subscribe(print)
    ...     numbers[1:] = [5, 6]
    ...     del numbers[0]
    [1, 2]
    [1, 5, 6]
    [5, 6]
    """

    shares = True

    def __init__(self, items: Iterable[T] = (), *, context: EventLoop | None = None) -> None:
        super().__init__(*new_stream(context, "list", {"value": list(items)}))

    def insert(self, index: int, value: T) -> None:
        """Puts an element before the one at an index, as in a list."""
        length = len(self)
        place = max(0, length + index) if index < 0 else min(index, length)
        self._modify(at=place, insert=[value])

    @overload
    def __setitem__(self, index: int, value: T) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[T]) -> None: ...
    def __setitem__(self, index: int | slice, value: T | Iterable[T]) -> None:
        if isinstance(index, int):
            self._modify(at=self._place(index), remove=1, insert=[value])
            return
        start, stop, step = index.indices(len(self))
        given = list(cast("Iterable[T]", value))
        if step == 1:
            self._modify(at=start, remove=max(0, stop - start), insert=given)
        else:
            items = self.value
            items[index] = given
            self.value = items

    def __delitem__(self, index: int | slice) -> None:
        if isinstance(index, int):
            self._modify(at=self._place(index), remove=1)
            return
        start, stop, step = index.indices(len(self))
        if step == 1:
            self._modify(at=start, remove=max(0, stop - start))
        else:
            items = self.value
            del items[index]
            self.value = items

    def _place(self, index: int) -> int:
        length = len(self)
        if not -length <= index < length:
            raise IndexError(f"the list has no index {index}")
        return index + length if index < 0 else index

    def append(self, value: T) -> None:
        """Puts an element at the end."""
        self._modify(at=len(self), insert=[value])

    def extend(self, values: Iterable[T]) -> None:
        """Puts elements at the end, as one change."""
        self._modify(at=len(self), insert=list(values))

    def clear(self) -> None:
        """Removes all elements."""
        self.value = []

    def apply_change(self, change: ListChange[T]) -> None:
        """Makes a change of another list of the same elements, as one transaction. Raises
        `InvalidArgumentError`, and changes nothing, where it does not fit."""
        rows = [
            {"at": one.at, "old": list(one.old), "new": list(one.new)}
            for one in change.modifications
        ]
        self._modify(count=change.count, modifications=rows)

    __hash__ = Stream.__hash__


class InstanceList(ObservableList[dict[str, str]]):
    """The instances of a context, as a list that can be watched: rows with `id`, `kind`, `name`,
    `label`, `availability`, `reason`, `detail` and `remedy`. It follows while it is observed, with
    nothing missed between what it holds and what it tells; one look at the machine is one change.
    """

    def __init__(self, context: EventLoop, kind: str | None) -> None:
        options: dict[str, object] = {} if kind is None else {"kind": kind}
        super().__init__(*new_stream(context, "sources", options))
