"""Data sources: values put, got and deleted by query.

Longer than 300 lines: a data source has each verb, its twin and each decorator as a method, and
what a decorator makes is a data source.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, Protocol, TypeAlias, TypeVar, cast, overload

from . import _trampolines as trampolines
from ._abi import decode, encoded
from ._callbacks import Entry, no_destroy, raise_interrupt, register, require_callable
from ._custom_source import Functions, RetryFunction, custom
from ._data_source_calls import Memory, Questions
from ._errors import InvalidArgumentError
from ._event_loop import EventLoop, chosen
from ._futures import Future
from ._handles import Closing, Handle, address_of
from ._library import encode, native
from ._native import Operation, gkit_value
from ._outcome import Box, blocking, forbid_blocking, waited
from ._query import Id, Query
from ._values import GivenValue, V, Value, W
from ._waiting import timeout_ns

U = TypeVar("U")

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

# A function for a verb; those that answer later give a future of any kind, or are coroutines.
Verb: TypeAlias = Callable[..., object]
Later: TypeAlias = Awaitable[U] | concurrent.futures.Future[U]


class Part(Protocol):
    """A data source that another is made of."""

    word: str
    needs_tasks: bool


class DataSource(Closing, Handle, Generic[V]):
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

    context: EventLoop
    word: str
    """A readable description."""
    needs_tasks: bool
    """Whether a verb of it is a coroutine, which needs the asyncio loop of the context."""

    def __init__(
        self, type: str, /, *, context: EventLoop | None = None, **options: object
    ) -> None:
        context, out = chosen(context), ctypes.c_void_p()
        with encoded(options_of(options)) as made:
            given = made.as_.dict if options else None
            function = native().gkit_datasource_open
            status = function(address_of(context), encode(type), given, ctypes.byref(out))
        context.check(status)
        self.attach(context, out.value or 0, type)

    @overload
    @staticmethod
    def custom(
        *,
        get: Callable[[Query], Later[U]] | None = None,
        get_all: Callable[[Query], Later[list[U]]] | None = None,
        put: Callable[[Query, U], Later[U]] | None = None,
        put_all: Callable[[Query, list[U]], Later[list[U]]] | None = None,
        delete: Callable[[Query], object] | None = None,
        context: EventLoop | None = None,
    ) -> DataSource[U]: ...
    @overload
    @staticmethod
    def custom(
        *,
        get: Callable[[Query], U] | None = None,
        get_all: Callable[[Query], list[U]] | None = None,
        put: Callable[[Query, U], U] | None = None,
        put_all: Callable[[Query, list[U]], list[U]] | None = None,
        delete: Callable[[Query], object] | None = None,
        context: EventLoop | None = None,
    ) -> DataSource[U]: ...
    @overload
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
    ) -> DataSource[U]: ...
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
    ) -> DataSource[U]:
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
        given = {"get": get, "get_all": get_all, "put": put, "put_all": put_all, "delete": delete}
        owner = chosen(context)
        made = custom(verbs, given, owner)
        return DataSource.wrapping(
            owner, made.address, made.word, memory=made.memory, needs_tasks=made.needs_tasks
        )

    # The verbs.

    def get(self, query: Query | Id, *, timeout: float | None = None) -> V:
        """The object of a key."""
        return self._ask(_GET, query, None, timeout)

    def get_all(self, query: Query | Id, *, timeout: float | None = None) -> list[V]:
        """The list of a key, the objects of several, or everything."""
        return cast("list[V]", self._ask(_GET_ALL, query, None, timeout))

    @overload
    def put(
        self: DataSource[Value],
        query: Query | Id,
        value: GivenValue = None,
        *,
        timeout: float | None = None,
    ) -> Value: ...
    @overload
    def put(
        self, query: Query | Id, value: V | None = None, *, timeout: float | None = None
    ) -> V: ...
    def put(
        self, query: Query | Id, value: object = None, *, timeout: float | None = None
    ) -> object:
        """Stores an object, and answers what is now stored."""
        return self._ask(_PUT, query, value, timeout)

    @overload
    def put_all(
        self: DataSource[Value],
        query: Query | Id,
        values: Iterable[GivenValue],
        *,
        timeout: float | None = None,
    ) -> list[Value]: ...
    @overload
    def put_all(
        self, query: Query | Id, values: Iterable[V], *, timeout: float | None = None
    ) -> list[V]: ...
    def put_all(
        self, query: Query | Id, values: Iterable[object], *, timeout: float | None = None
    ) -> object:
        """Stores a list under a key, an object under each of several ids, or rows; and answers what
        is now stored."""
        return self._ask(_PUT_ALL, query, listed(values), timeout)

    def delete(self, query: Query | Id, *, timeout: float | None = None) -> None:
        """Deletes what the query says; what is not there is fine."""
        self._ask(_DELETE, query, None, timeout)

    def delete_all(self, query: Query | Id, *, timeout: float | None = None) -> None:
        """The same as `delete`."""
        self._ask(_DELETE, query, None, timeout)

    def get_async(self, query: Query | Id) -> Future[V]:
        """A future of `get`."""
        return self._call(_GET, query)

    def get_all_async(self, query: Query | Id) -> Future[list[V]]:
        """A future of `get_all`."""
        return self._call(_GET_ALL, query)

    @overload
    def put_async(
        self: DataSource[Value], query: Query | Id, value: GivenValue = None
    ) -> Future[Value]: ...
    @overload
    def put_async(self, query: Query | Id, value: V | None = None) -> Future[V]: ...
    def put_async(self, query: Query | Id, value: object = None) -> Future[object]:
        """A future of `put`."""
        return self._call(_PUT, query, value)

    @overload
    def put_all_async(
        self: DataSource[Value], query: Query | Id, values: Iterable[GivenValue]
    ) -> Future[list[Value]]: ...
    @overload
    def put_all_async(self, query: Query | Id, values: Iterable[V]) -> Future[list[V]]: ...
    def put_all_async(self, query: Query | Id, values: Iterable[object]) -> Future[object]:
        """A future of `put_all`."""
        return self._call(_PUT_ALL, query, listed(values))

    def delete_async(self, query: Query | Id) -> Future[None]:
        """A future of `delete`."""
        return self._call(_DELETE, query)

    def delete_all_async(self, query: Query | Id) -> Future[None]:
        """The same as `delete_async`."""
        return self._call(_DELETE, query)

    # Decorators change how it behaves, and keep it. They nest in any order; a call goes through all
    # of them on one thread, while their functions run where callbacks run. Under a `name` the
    # patch `record` knows the result, as it does stores.

    def map(self, encode: Callable[[U], V], decode: Callable[[V], U]) -> DataSource[U]:
        """Maps values: `encode` those that are put, `decode` those that come out.

        An error of a data source that a function raises is the call's error; any other exception is
        the cause of a `ParseError`. What is refused on its way in never reaches the inner source.

        >>> import gatheredkit as gk
        >>> texts = gk.DataSource("memory").map(int, str)
        >>> texts.put("k", "007")
        '7'
        """
        require_callable("map", encode, decode)
        memory = Memory()
        entry = trampolines.entry_for(Functions(memory, to_outer=decode, to_inner=encode))
        function, address = native().gkit_datasource_map, address_of(self)
        # Two functions of one registration.
        arguments = (address, trampolines.outwards)
        return self._decorated("map", memory, function, arguments, trampolines.inwards, entry)

    def validate(
        self,
        check: Callable[[V], object],
        *,
        empty_list_is_valid: bool = True,
        validate_put: bool = False,
        name: str | None = None,
    ) -> DataSource[V]:
        """Checks what is read, and with `validate_put` what is put before it is: a value for which
        `check` is false, or raises, makes the call a `ValidationError`.

        >>> import gatheredkit as gk
        >>> positive = gk.DataSource("memory").validate(lambda n: n > 0, validate_put=True)
        >>> positive.put("k", -1)
        Traceback (most recent call last):
        ...
        gatheredkit.ValidationError: the value is not valid
        """
        require_callable("validate", check)
        options: dict[str, object] = {"empty_list_is_valid": empty_list_is_valid, "name": name}
        options["validate_put"] = validate_put
        memory = Memory()
        functions: Functions[V, V] = Functions(memory, valid=check)
        entry = trampolines.entry_for(functions)
        with encoded(options) as made:
            arguments = (address_of(self), made.as_.dict)
            function = native().gkit_datasource_validate
            return self._decorated(
                "validate", memory, function, arguments, trampolines.check, entry
            )

    def retry(
        self,
        retries: int = 1,
        *,
        retry_if: RetryFunction | None = None,
        delay: float = 0.0,
        factor: float = 1.0,
        max_delay: float | None = None,
        jitter: float = 0.0,
        seed: int = 0,
        name: str | None = None,
    ) -> DataSource[V]:
        """Makes failed calls again, `retries` times at most, as long as `retry_if(error, attempt)`
        agrees; cancelled ones never. `attempt` is 1 after the first failure.

        Pauses are `delay` seconds, times `factor` from one to the next, up to `max_delay`,
        shortened at random by up to a `jitter` of 0 to 1. Raises `InvalidArgumentError` for what is
        negative.

        >>> import gatheredkit as gk
        >>> failures = iter([OSError("no network"), 42])
        >>> def get(query):
        ...     answer = next(failures)
        ...     if isinstance(answer, Exception):
        ...         raise answer
        ...     return answer
        >>> gk.DataSource.custom(get=get).retry(3).get("k")
        42
        """
        options: dict[str, object] = {"retries": retries, "seed": seed, "name": name}
        options |= {"delay": delay, "factor": float(factor), "max_delay": max_delay}
        return self._retrying({**options, "jitter": float(jitter)}, retry_if)

    def _retrying(
        self, options: dict[str, object], retry_if: RetryFunction | None
    ) -> DataSource[V]:
        function, memory = native().gkit_datasource_retry, Memory()
        with encoded(options_of(options)) as made:
            arguments = (address_of(self), made.as_.dict)
            if retry_if is None:
                given = (*arguments, trampolines.no_retry, None, no_destroy)
                return self._decorated("retry", memory, function, given)
            require_callable("retry_if", retry_if)
            functions: Functions[V, V] = Functions(memory, retry=retry_if)
            entry = trampolines.entry_for(functions)
            return self._decorated("retry", memory, function, arguments, trampolines.retry, entry)

    def cache(
        self,
        expiry: float | None = None,
        *,
        expiry_ns: int | None = None,
        capacity: int | None = None,
        name: str | None = None,
    ) -> DataSource[V]:
        """Serves answers to key queries again until they are `expiry` seconds old (300), for the
        `capacity` keys used last. Raises `InvalidArgumentError` for what is negative.

        >>> import gatheredkit as gk
        >>> answers = iter([1, 2])
        >>> source = gk.DataSource.custom(get=lambda query: next(answers)).cache(60)
        >>> source.get("k"), source.get("k"), source.get("other")
        (1, 1, 2)
        """
        options = {"expiry": expiry, "expiry_ns": expiry_ns, "capacity": capacity}
        return self._wrapped("cache", **options, name=name)

    def log(
        self,
        *,
        delay: float | None = None,
        failure_share: float | None = None,
        seed: int | None = None,
        logs_values: bool = False,
        name: str | None = None,
    ) -> DataSource[V]:
        """Logs each call, without values unless asked to: an INFO line (see `enable_logging`). To
        look for mistakes it delays calls by seconds, and fails a share of them from 0 to 1.

        >>> import gatheredkit as gk
        >>> gk.DataSource("memory").log(failure_share=1.0).get("k")
        Traceback (most recent call last):
        ...
        gatheredkit.FailedError: a failure on purpose
        """
        options = {"delay": delay, "failure_share": failure_share, "seed": seed, "name": name}
        return self._wrapped("log", **options, logs_values=logs_values)

    def _wrapped(self, word: str, **options: object) -> DataSource[V]:
        given = {name: value for name, value in options.items() if value is not None}
        with encoded(options_of(given)) as made:
            arguments = (address_of(self), encode(word), made.as_.dict)
            function = native().gkit_datasource_wrap
            return self._decorated(word, Memory(), function, arguments)

    def _decorated(
        self,
        word: str,
        memory: Memory,
        function: Callable[..., int],
        arguments: tuple[object, ...],
        trampoline: object = None,
        entry: Entry | None = None,
    ) -> DataSource[U]:
        """The decorated data source that the library makes; `entry` has its functions."""
        out = ctypes.c_void_p()
        if entry is None:
            status = function(*arguments, ctypes.byref(out))
        else:
            status = register(function, arguments, trampoline, entry, ctypes.byref(out))
        self.check(status)
        name = f"{word} of {self.word}"
        return DataSource.wrapping(self.context, out.value or 0, name, self, memory=memory)

    # Its life.

    def close(self) -> None:
        """Releases it; calls that run still end. Idempotent."""
        if self.address is not None:
            self._questions.release()
            self._let_go()

    # Machinery.

    def attach(
        self,
        context: EventLoop,
        address: int,
        word: str,
        *parts: Part,
        memory: Memory | None = None,
        needs_tasks: bool = False,
    ) -> None:
        """Takes over a handle of the library; `parts` are the data sources it is made of."""
        Handle.__init__(self, address)
        self.context = context
        self.word = word
        self.needs_tasks = needs_tasks or any(part.needs_tasks for part in parts)
        self._parts = parts
        self._memory = Memory() if memory is None else memory
        self._questions = Questions()

    @staticmethod
    def wrapping(
        context: EventLoop,
        address: int,
        word: str,
        *parts: Part,
        memory: Memory,
        needs_tasks: bool = False,
    ) -> DataSource[U]:
        """Wraps a handle of the library."""
        made = cast("DataSource[U]", DataSource.__new__(DataSource))
        made.attach(context, address, word, *parts, memory=memory, needs_tasks=needs_tasks)
        return made

    def _ask(self, operation: int, query: object, value: object, timeout: float | None) -> V:
        """Makes a call, and waits for its result."""
        context = self.context
        if context.loop == "asyncio":
            if self.needs_tasks:
                forbid_blocking(context)
            with blocking():
                return self._ask_now(operation, query, value, timeout)
        context.ensure_loop()
        return self._ask_now(operation, query, value, timeout)

    def _ask_now(self, operation: int, query: object, value: object, timeout: float | None) -> V:
        library = native()
        future = self._questions.perform(self, operation, query, value)
        try:
            found = gkit_value()
            # At most a second at a time, so that Ctrl-C interrupts.
            limit = 1_000_000_000 if timeout is None else min(timeout_ns(timeout), 1_000_000_000)
            status = library.gkit_future_wait(future, limit, ctypes.byref(found))
            if status >= 0:
                raise_interrupt()
                answer: V = decode(found.type, found.count, found, 8)
                return answer
            left = None if timeout is None else max(0.0, timeout - limit / 1e9)
            return waited(future, Box[V](), left).get()
        finally:
            library.gkit_release(future)

    def _call(self, operation: int, query: object, value: object = None) -> Future[U]:
        """Makes a call; the future has its result."""
        context = self.context
        context.ensure_loop()
        future = self._questions.perform(self, operation, query, value)
        made: Future[U] = Future(context, future, needs_tasks=self.needs_tasks)
        raise_interrupt()
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.word}{' closed' if self.closed else ''}>"


def assemble(
    get: DataSource[V] | None = None,
    put: DataSource[V] | None = None,
    delete: DataSource[W] | None = None,
) -> DataSource[V]:
    """Reads from one data source, writes to another, deletes from a third; the verbs of a missing
    one are `NotImplementedVerbError`. Raises `InvalidArgumentError` where all are missing.

    >>> import gatheredkit as gk
    >>> store = gk.DataSource("memory")
    >>> read_only = gk.assemble(get=store)
    >>> read_only
    <DataSource assembly of memory>
    """
    parts = [part for part in (get, put, delete) if part is not None]
    if not parts:
        raise InvalidArgumentError("a data source is assembled of one part at least")
    out = ctypes.c_void_p()
    function = native().gkit_datasource_assemble
    status = function(_handle(get), _handle(put), _handle(delete), ctypes.byref(out))
    parts[0].check(status)
    distinct = list(dict.fromkeys(parts))
    name = f"assembly of {', '.join(part.word for part in distinct)}"
    address = out.value or 0
    return DataSource.wrapping(parts[0].context, address, name, *distinct, memory=Memory())


def _handle(part: DataSource[V] | None) -> int | None:
    return None if part is None else address_of(part)


def listed(values: Iterable[object]) -> list[object]:
    """The values as a list."""
    return values if isinstance(values, list) else list(values)


def options_of(options: dict[str, object]) -> dict[str, object]:
    """Options as C takes them: durations in nanoseconds, paths as text.

    Raises `InvalidArgumentError` for a duration that is given twice.
    """
    made: dict[str, object] = {}
    for name, value in options.items():
        if name in _DURATIONS and value is not None:
            if f"{name}_ns" in options:
                raise InvalidArgumentError(f"give `{name}` or `{name}_ns`, not both")
            seconds = cast("float", value)
            made[f"{name}_ns"] = timeout_ns(seconds) if seconds >= 0 else -1
        elif value is not None:
            is_path = isinstance(value, os.PathLike)
            made[name] = os.fspath(cast("os.PathLike[str]", value)) if is_path else value
    return made


_DURATIONS = frozenset({"busy_timeout", "delay", "max_delay", "expiry"})
