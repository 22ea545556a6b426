"""Data sources: values put, got and deleted by query."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ._abi import encoded
from ._closing import Closing
from ._data_source_calls import Memory
from ._data_source_questions import Calls
from ._decorators import Decorators
from ._durations import timeout_ns
from ._errors import InvalidArgumentError
from ._futures import Future
from ._library import encode, native
from ._native import Operation
from ._query import Id, Query

if TYPE_CHECKING:
    from ._event_loop import EventLoop

_GET, _GET_ALL, _PUT, _PUT_ALL, _DELETE = (
    int(each)
    for each in (
        Operation.GET,
        Operation.GET_ALL,
        Operation.PUT,
        Operation.PUT_ALL,
        Operation.DELETE,
    )
)

Verb = Callable[..., Any]


class DataSource(Closing, Calls, Decorators):
    """A store, a decorator around one, or verbs of your own: values by query, an id being one.

    Types are `void`, `memory`, `storage` (small values that outlive the program), `sqlite` (rows of
    a table, each a dict), `files` (bytes), `keychain` (secrets), `recording` (what was recorded).
    Options are those of `gkit_datasource_open`; durations are seconds, or nanoseconds under a name
    that ends in `_ns`. `timeout` is in seconds, None for ever. Each verb has a twin that gives a
    `Future` at once.

    With a `name` (`store` for `storage`, whose `name` is its file's) it is what the patch `record`
    appends to: each sample is a row `{"source": ..., "time": ..., "value": ...}` of its own.
    What it refuses, or is behind by 4096 rows, is an error of the patch.

    Raises `NotFoundError` (no such type), `InvalidArgumentError` (a bad option), `ExistsError` (the
    name is taken). The verbs raise `NotFoundError` (with `missing`), `InvalidArgumentError`,
    `NotSupportedError` (the verb does not take this query), `NotImplementedVerbError`,
    `ValidationError`, `ParseError`, `FailedError`, `TimedOutError`, `CancelledError`,
    `WrongThreadError` (inside a callback, for what needs the loop), and `TypeMismatchError` for
    what is no value.

    >>> import gatheredkit as gk
    >>> with gk.DataSource("memory") as store:
    ...     store.put("k1", {"t": 21.5})
    ...     store.get_all(gk.Query.all())
    {'t': 21.5}
    [{'t': 21.5}]
    """

    def __init__(self, type: str, /, *, context: EventLoop | None = None, **options: Any) -> None:
        from ._default import default_context

        context = context or default_context()
        out = ctypes.c_void_p()
        with encoded(options_of(options)) as made:
            given = made.as_.dict if options else None
            function = native().gkit_datasource_open
            status = function(context._require(), encode(type), given, ctypes.byref(out))
        context.check(status)
        self._attach(context, out.value or 0, type)

    @staticmethod
    def custom(
        verbs: object = None,
        /,
        *,
        get: Verb | None = None,
        get_all: Verb | None = None,
        put: Verb | None = None,
        put_all: Verb | None = None,
        delete: Verb | None = None,
        context: EventLoop | None = None,
    ) -> DataSource:
        """A data source of your own: functions, or an object with such methods, for the verbs you
        have; to the others it answers `NotImplementedVerbError`.

        `get`, `get_all` and `delete` are called with a `Query`, `put` and `put_all` also with what
        to put, one at a time, where callbacks run. They answer with a value, with a `Future` (of
        asyncio and concurrent.futures, too) that is resolved later, or are `async def` where the
        context runs on asyncio. What they raise is the error of the call: `NotSupportedError` for a
        query you do not take, LookupError for `NotFoundError`, OSError for `FailedError`.

        >>> import gatheredkit as gk
        >>> lengths = gk.DataSource.custom(get=lambda query: len(query.id))
        >>> lengths.get("seven")
        5
        """
        from ._custom_source import custom

        given = {"get": get, "get_all": get_all, "put": put, "put_all": put_all, "delete": delete}
        return custom(verbs, given, context)

    # The verbs.

    def get(self, query: Query | Id, *, timeout: float | None = None) -> Any:
        """The object of a key."""
        return self._ask(_GET, query, None, timeout)

    def get_all(self, query: Query | Id, *, timeout: float | None = None) -> list[Any]:
        """The list of a key, the objects of several, or everything."""
        found: list[Any] = self._ask(_GET_ALL, query, None, timeout)
        return found

    def put(self, query: Query | Id, value: Any = None, *, timeout: float | None = None) -> Any:
        """Stores an object, and answers what is now stored."""
        return self._ask(_PUT, query, value, timeout)

    def put_all(
        self, query: Query | Id, values: Iterable[Any], *, timeout: float | None = None
    ) -> list[Any]:
        """Stores a list under a key, an object under each of several ids, or rows; and answers what
        is now stored."""
        stored: list[Any] = self._ask(_PUT_ALL, query, listed(values), timeout)
        return stored

    def delete(self, query: Query | Id, *, timeout: float | None = None) -> None:
        """Deletes what the query says; what is not there is fine."""
        self._ask(_DELETE, query, None, timeout)

    def delete_all(self, query: Query | Id, *, timeout: float | None = None) -> None:
        """The same as `delete`."""
        self._ask(_DELETE, query, None, timeout)

    def get_async(self, query: Query | Id) -> Future[Any]:
        """A future of `get`."""
        return self._call(_GET, query)

    def get_all_async(self, query: Query | Id) -> Future[list[Any]]:
        """A future of `get_all`."""
        return self._call(_GET_ALL, query)

    def put_async(self, query: Query | Id, value: Any = None) -> Future[Any]:
        """A future of `put`."""
        return self._call(_PUT, query, value)

    def put_all_async(self, query: Query | Id, values: Iterable[Any]) -> Future[list[Any]]:
        """A future of `put_all`."""
        return self._call(_PUT_ALL, query, listed(values))

    def delete_async(self, query: Query | Id) -> Future[None]:
        """A future of `delete`."""
        return self._call(_DELETE, query)

    def delete_all_async(self, query: Query | Id) -> Future[None]:
        """The same as `delete_async`."""
        return self._call(_DELETE, query)

    # Its life.

    def close(self) -> None:
        """Lets go of it; calls that run still end. Idempotent."""
        if self.address is not None:
            self._release_questions()
            self._let_go()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._word}{' closed' if self.closed else ''}>"

    @classmethod
    def _wrapping(
        cls, context: EventLoop, address: int, word: str, *parts: DataSource, memory: Memory
    ) -> DataSource:
        """One that the library has made of others."""
        made = DataSource.__new__(DataSource)
        made._attach(context, address, word, *parts, memory=memory)
        return made


def listed(values: Iterable[Any]) -> list[Any]:
    """What to put, as a list."""
    return values if isinstance(values, list) else list(values)


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """Options as C takes them: durations in nanoseconds, paths as text.

    Raises `InvalidArgumentError` for a duration that is given twice.
    """
    made: dict[str, Any] = {}
    for name, value in options.items():
        if name in _DURATIONS and value is not None:
            if f"{name}_ns" in options:
                raise InvalidArgumentError(f"give `{name}` or `{name}_ns`, not both")
            made[f"{name}_ns"] = timeout_ns(value) if value >= 0 else -1
        elif value is not None:
            made[name] = value.__fspath__() if hasattr(value, "__fspath__") else value
    return made


_DURATIONS = frozenset({"busy_timeout", "delay", "max_delay", "expiry"})
