"""Repositories: a main data source and a cache."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, cast, overload

from . import _trampolines as trampolines
from ._abi import encoded
from ._callbacks import no_destroy, register, require_callable
from ._custom_source import Functions
from ._data_source import DataSource
from ._data_source_calls import Memory
from ._futures import Future
from ._handles import address_of
from ._library import native
from ._query import Id, Query
from ._values import GivenValue, V, Value

Route: TypeAlias = Literal[
    "main", "cache", "cache_ignoring_validity", "main_sync", "cache_sync", "default"
]


class Repository(DataSource[V]):
    """Decides between a main data source and a cache, by the `operation` of a call.

    `main` and `cache` ask one of them. `main_sync` asks main and refreshes the cache, and writes to
    both, main first. `cache_sync` asks main only for what the cache lacks, or what is not `valid`,
    and writes to both, the cache first. `default` reads as `cache_sync` that never falls back, and
    writes as `main_sync`. Without a cache it is main, whatever the operation.

    `valid(value)` judges what comes from the cache. `fallback(main_error, cache_error)` is asked on
    `cache_sync` when main failed after a miss: true answers with the stale value. Where the second
    of two writes fails, the error has the first under `completed`. A cache that cannot be refreshed
    is a WARNING in the log.

    >>> import gatheredkit as gk
    >>> main, cache = gk.DataSource("memory"), gk.DataSource("memory")
    >>> _ = main.put("k", 1)
    >>> numbers = gk.Repository(main, cache)
    >>> numbers.get("k"), cache.get("k"), numbers.get("k", operation="main")
    (1, 1, 1)
    """

    def __init__(
        self,
        main: DataSource[V],
        cache: DataSource[V] | None = None,
        *,
        valid: Callable[[V], object] | None = None,
        fallback: Callable[[Exception, Exception | None], object] | None = None,
        empty_list_is_valid: bool = True,
        name: str | None = None,
    ) -> None:
        for part, given in (("valid", valid), ("fallback", fallback)):
            if given is not None:
                require_callable(part, given)
        memory, out = Memory(), ctypes.c_void_p()
        check = trampolines.no_check if valid is None else trampolines.check
        ask = trampolines.no_fallback if fallback is None else trampolines.fallback
        with encoded({"empty_list_is_valid": empty_list_is_valid, "name": name}) as made:
            second = None if cache is None else address_of(cache)
            arguments = (address_of(main), second, made.as_.dict, check)
            function, result = native().gkit_repository_new, ctypes.byref(out)
            if valid is None and fallback is None:
                status = function(*arguments, ask, None, no_destroy, result)
            else:
                functions: Functions[V, V] = Functions(memory, valid=valid, fallback=fallback)
                entry = trampolines.entry_for(functions)
                status = register(function, arguments, ask, entry, result)
        main.check(status)
        parts = [main] if cache is None else [main, cache]
        word = f"of {', '.join(part.word for part in parts)}"
        self.attach(main.context, out.value or 0, word, *parts, memory=memory)

    def get(
        self, query: Query | Id, *, timeout: float | None = None, operation: Route | None = None
    ) -> V:
        """The object of a key."""
        return super().get(_routed(query, operation), timeout=timeout)

    def get_all(
        self, query: Query | Id, *, timeout: float | None = None, operation: Route | None = None
    ) -> list[V]:
        """The list of a key, the objects of several, or everything."""
        return super().get_all(_routed(query, operation), timeout=timeout)

    @overload
    def put(
        self: Repository[Value],
        query: Query | Id,
        value: GivenValue = None,
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> Value: ...
    @overload
    def put(
        self,
        query: Query | Id,
        value: V | None = None,
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> V: ...
    def put(
        self,
        query: Query | Id,
        value: object = None,
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> object:
        """Stores an object, and answers what is now stored."""
        stored = cast("V | None", value)
        return super().put(_routed(query, operation), stored, timeout=timeout)

    @overload
    def put_all(
        self: Repository[Value],
        query: Query | Id,
        values: Iterable[GivenValue],
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> list[Value]: ...
    @overload
    def put_all(
        self,
        query: Query | Id,
        values: Iterable[V],
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> list[V]: ...
    def put_all(
        self,
        query: Query | Id,
        values: Iterable[object],
        *,
        timeout: float | None = None,
        operation: Route | None = None,
    ) -> object:
        """Stores a list, and answers what is now stored."""
        stored = cast("Iterable[V]", values)
        return super().put_all(_routed(query, operation), stored, timeout=timeout)

    def delete(
        self, query: Query | Id, *, timeout: float | None = None, operation: Route | None = None
    ) -> None:
        """Deletes what the query says; what is not there is fine."""
        super().delete(_routed(query, operation), timeout=timeout)

    def delete_all(
        self, query: Query | Id, *, timeout: float | None = None, operation: Route | None = None
    ) -> None:
        """The same as `delete`."""
        super().delete(_routed(query, operation), timeout=timeout)

    def get_async(self, query: Query | Id, *, operation: Route | None = None) -> Future[V]:
        """A future of `get`."""
        return super().get_async(_routed(query, operation))

    def get_all_async(
        self, query: Query | Id, *, operation: Route | None = None
    ) -> Future[list[V]]:
        """A future of `get_all`."""
        return super().get_all_async(_routed(query, operation))

    @overload
    def put_async(
        self: Repository[Value],
        query: Query | Id,
        value: GivenValue = None,
        *,
        operation: Route | None = None,
    ) -> Future[Value]: ...
    @overload
    def put_async(
        self, query: Query | Id, value: V | None = None, *, operation: Route | None = None
    ) -> Future[V]: ...
    def put_async(
        self, query: Query | Id, value: object = None, *, operation: Route | None = None
    ) -> Future[object]:
        """A future of `put`."""
        return super().put_async(_routed(query, operation), cast("V | None", value))

    @overload
    def put_all_async(
        self: Repository[Value],
        query: Query | Id,
        values: Iterable[GivenValue],
        *,
        operation: Route | None = None,
    ) -> Future[list[Value]]: ...
    @overload
    def put_all_async(
        self, query: Query | Id, values: Iterable[V], *, operation: Route | None = None
    ) -> Future[list[V]]: ...
    def put_all_async(
        self, query: Query | Id, values: Iterable[object], *, operation: Route | None = None
    ) -> Future[object]:
        """A future of `put_all`."""
        return super().put_all_async(_routed(query, operation), cast("Iterable[V]", values))

    def delete_async(self, query: Query | Id, *, operation: Route | None = None) -> Future[None]:
        """A future of `delete`."""
        return super().delete_async(_routed(query, operation))

    def delete_all_async(
        self, query: Query | Id, *, operation: Route | None = None
    ) -> Future[None]:
        """The same as `delete_async`."""
        return super().delete_async(_routed(query, operation))


def _routed(query: Query | Id, operation: Route | None) -> Query | Id:
    if operation is None:
        return query
    return (query if isinstance(query, Query) else Query.id(query)).by(operation)
