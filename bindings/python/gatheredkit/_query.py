"""Queries: which entries of a data source a call is about."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar, cast, overload

from ._errors import InvalidArgumentError
from ._values import GivenValue, Time, Value, Vector

T = TypeVar("T")

# Any JSON value; equal key text is the same entry, so that 7 and "7" meet.
Id: TypeAlias = str | int | float | Sequence[GivenValue] | Mapping[str, GivenValue]

# ["and", [">", "level", 0.2], ["not", ["is_null", "word"]]], tuples being as good as lists.
Condition: TypeAlias = Sequence[GivenValue]

# The type of a query that has a member, where none is said.
_TYPES = (
    ("id", "id"),
    ("ids", "ids"),
    ("key", "key"),
    ("value", "object"),
    ("from_ns", "time"),
    ("to_ns", "time"),
    ("offset", "page"),
    ("limit", "page"),
    ("where", "all"),
    ("order_by", "all"),
)
_KNOWN = frozenset(name for name, _ in _TYPES)


class _Member(Generic[T]):
    """Makes a query where it is asked of the class, and reads the member of one: `Query.id("a")`,
    `query.id`."""

    def __init__(self, name: str, doc: str) -> None:
        self._name = name
        self.__doc__ = doc

    @overload
    def __get__(self, query: None, owner: type[Query]) -> Callable[[object], Query]: ...
    @overload
    def __get__(self, query: Query, owner: type[Query]) -> T: ...
    def __get__(self, query: Query | None, owner: type[Query]) -> T | Callable[[object], Query]:
        if query is not None:
            return cast("T", query.members.get(self._name))

        def make(given: object) -> Query:
            return owner(self._name, **{self._name: given})

        return make


class Query:
    """Which entries a call is about; where one is named, a bare id will do in its place.

    `Query(type, **members)` takes the members of the C interface; without a type it is the one the
    members say. Lengths and moments are ints: entries, and nanoseconds since the epoch.
    Raises `InvalidArgumentError` for a member there is not; what the members hold is judged by the
    call.

    >>> import gatheredkit as gk
    >>> gk.Query.id(7), gk.Query.ids(["a", "b"]).ids, gk.Query(key="7").type
    (Query('id', id=7), ['a', 'b'], 'key')
    >>> gk.Query.all(where=("and", (">", "level", 0.2), ("not", ("is_null", "word"))))
    Query('all', where=['and', ['>', 'level', 0.2], ['not', ['is_null', 'word']]])
    """

    __slots__ = ("members", "type")

    id = _Member[Value]("id", "The entry of an id: any JSON value.")
    ids = _Member["list[Value] | None"]("ids", "The entries of several ids, in their order.")
    key = _Member["str | None"]("key", "The entry whose id has this text.")

    def __init__(self, type: str | None = None, /, **members: object) -> None:
        for name in members:
            if name != "route" and name not in _KNOWN:
                raise InvalidArgumentError(f"a query has no member {name!r}")
        given = {name: value for name, value in members.items() if value is not None}
        kept = {
            name: _PLAIN[name](value) if name in _PLAIN else value for name, value in given.items()
        }
        self.type: str = type or next((kind for name, kind in _TYPES if name in kept), "void")
        self.members = cast("dict[str, Value]", kept)

    @classmethod
    def void(cls) -> Query:
        """Nothing: no verb takes it."""
        return cls("void")

    @classmethod
    def all(
        cls, *, where: Condition | None = None, order_by: str | Iterable[str] | None = None
    ) -> Query:
        """Everything; of rows those that `where` agrees with, in an order.

        A condition is `["=", column, value]`, likewise `!=` `<` `<=` `>` `>=`;
        `["in", column, [values]]`; `["is_null", column]`; `["and", ...]`, `["or", ...]`,
        `["not", condition]`. An order is names of columns, `-` before one reverses it.
        """
        return cls("all", where=where, order_by=_names(order_by))

    @classmethod
    def page(
        cls,
        offset: int = 0,
        limit: int | None = None,
        *,
        where: Condition | None = None,
        order_by: str | Iterable[str] | None = None,
    ) -> Query:
        """A slice of everything: at most `limit` values from the one at `offset` on."""
        return cls("page", offset=offset, limit=limit, where=where, order_by=_names(order_by))

    @classmethod
    def object(cls, value: object) -> Query:
        """The entry with the id of a value, which `put` then stores."""
        return cls("object", value=value)

    @classmethod
    def time_range(
        cls, start: int | datetime | None = None, end: int | datetime | None = None
    ) -> Query:
        """What was recorded from `start` on and before `end`, nanoseconds since the epoch or aware
        datetimes: recordings only."""
        return cls("time", from_ns=_moment(start), to_ns=_moment(end))

    def by(self, route: str) -> Query:
        """The same query, by a route of a repository: main, cache, cache_ignoring_validity,
        main_sync, cache_sync, default."""
        return Query(self.type, **{**self.members, "route": route})

    @property
    def value(self) -> Value:
        """The value of an object query; None in others."""
        return self.members.get("value")

    @property
    def where(self) -> Value:
        """The condition; None for none."""
        return self.members.get("where")

    @property
    def route(self) -> str | None:
        """The route through a repository; None for the default one."""
        return cast("str | None", self.members.get("route"))

    def __eq__(self, other: builtins.object) -> bool:
        if not isinstance(other, Query):
            return NotImplemented
        return (self.type, self.members) == (other.type, other.members)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        members = (f", {name}={value!r}" for name, value in self.members.items())
        return f"Query({self.type!r}{''.join(members)})"


def dictionary(query: object) -> dict[str, object]:
    """A query, or the id of one, as C takes it."""
    if isinstance(query, Query):
        return {"type": query.type, **query.members}
    return {"type": "id", "id": _plain_id(query)}


def made_of(members: dict[str, Value]) -> Query:
    """The query of a dictionary of C."""
    kind = cast("str | None", members.pop("type", None))
    return Query(kind, **members)


def plain(value: object) -> object:
    """A value whose tuples are lists, as in JSON."""
    if isinstance(value, tuple) and not isinstance(value, Vector):
        return [plain(item) for item in cast("list[object]", value)]
    if isinstance(value, list):
        return [plain(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in cast("dict[str, object]", value).items()}
    return value


def _plain_id(given: object) -> object:
    """An id as C takes it: an int of more than 64 bits by its digits, which are its key text."""
    if isinstance(given, int) and not -(1 << 63) <= given < 1 << 63:
        return str(given)
    return plain(given)


def _plain_ids(given: object) -> list[object]:
    return [_plain_id(each) for each in cast("Iterable[object]", given)]


# The other members are taken as they are.
_PLAIN: dict[str, Callable[[object], object]] = {
    "id": _plain_id,
    "ids": _plain_ids,
    "where": plain,
}


def _names(order_by: str | Iterable[str] | None) -> list[str] | None:
    return [order_by] if isinstance(order_by, str) else None if order_by is None else [*order_by]


def _moment(moment: int | datetime | None) -> int | None:
    return int(Time.of(moment)) if isinstance(moment, datetime) else moment
