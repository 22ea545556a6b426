"""Decorators: data sources that change how another one behaves."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _data_source_callbacks as callbacks
from ._abi import decode_value, encoded
from ._callbacks import Entry, no_destroy, register, require_callable
from ._data_source_calls import Memory
from ._delivery import Answer
from ._errors import GatheredKitError, InvalidArgumentError
from ._library import encode, native

if TYPE_CHECKING:
    from ._data_source import DataSource

RetryFunction = Callable[[GatheredKitError, int], object]


class Functions:
    """The functions of one decorator, which C calls one at a time."""

    __slots__ = ("_answer", "_memory", "_to_inner", "_to_outer", "fallback", "retry", "valid")

    def __init__(
        self,
        memory: Memory,
        *,
        to_outer: Callable[[Any], Any] | None = None,
        to_inner: Callable[[Any], Any] | None = None,
        valid: Callable[[Any], object] | None = None,
        retry: RetryFunction | None = None,
        fallback: Callable[[Exception, Exception | None], object] | None = None,
    ) -> None:
        # Exceptions hold frames, and those what the functions used: they are not kept from here.
        self._memory = weakref.ref(memory)
        self._to_outer, self._to_inner = to_outer, to_inner
        self.valid, self.retry, self.fallback = valid, retry, fallback
        self._answer = Answer()

    @property
    def memory(self) -> Memory:
        """Where exceptions are kept; nowhere once the data source has gone."""
        return self._memory() or Memory()

    def map(self, given: Any, out: Any, inwards: bool) -> None:
        """Makes one value of another."""
        function = self._to_inner if inwards else self._to_outer
        assert function is not None
        self._answer.write(out, function(decode_value(given.contents)))

    def check(self, given: Any) -> bool:
        """Whether a value is valid."""
        return self.valid is None or bool(self.valid(decode_value(given.contents)))


class Decorators:
    """What can be put around a data source, which it then keeps. They nest in any order; a call
    goes through all of them without changing threads, but to where callbacks run for functions.
    Under a `name` the patch `record` knows the result, as it does stores (see `DataSource`)."""

    if TYPE_CHECKING:
        context: Any
        _word: str

        def _require(self) -> int: ...
        def check(self, status: int) -> int: ...

    def map(self, encode: Callable[[Any], Any], decode: Callable[[Any], Any]) -> DataSource:
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
        entry = callbacks.entry_for(Functions(memory, to_outer=decode, to_inner=encode))
        function, address = native().gkit_datasource_map, self._require()
        # Two functions of one registration.
        arguments = (address, callbacks.outwards)
        return self._decorated("map", memory, function, arguments, callbacks.inwards, entry)

    def validate(
        self,
        check: Callable[[Any], object],
        *,
        empty_list_is_valid: bool = True,
        validate_put: bool = False,
        name: str | None = None,
    ) -> DataSource:
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
        options: dict[str, Any] = {"empty_list_is_valid": empty_list_is_valid, "name": name}
        options["validate_put"] = validate_put
        memory = Memory()
        entry = callbacks.entry_for(Functions(memory, valid=check))
        with encoded(options) as made:
            arguments = (self._require(), made.as_.dict)
            function = native().gkit_datasource_validate
            return self._decorated("validate", memory, function, arguments, callbacks.check, entry)

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
    ) -> DataSource:
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
        options: dict[str, Any] = {"retries": retries, "seed": seed, "name": name}
        options |= {"delay": delay, "factor": float(factor), "max_delay": max_delay}
        return self._retrying({**options, "jitter": float(jitter)}, retry_if)

    def _retrying(self, options: dict[str, Any], retry_if: RetryFunction | None) -> DataSource:
        from ._data_source import options_of

        function, memory = native().gkit_datasource_retry, Memory()
        with encoded(options_of(options)) as made:
            arguments = (self._require(), made.as_.dict)
            if retry_if is None:
                given = (*arguments, callbacks.no_retry, None, no_destroy)
                return self._decorated("retry", memory, function, given)
            require_callable("retry_if", retry_if)
            entry = callbacks.entry_for(Functions(memory, retry=retry_if))
            return self._decorated("retry", memory, function, arguments, callbacks.retry, entry)

    def cache(
        self,
        expiry: float | None = None,
        *,
        expiry_ns: int | None = None,
        capacity: int | None = None,
        name: str | None = None,
    ) -> DataSource:
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
    ) -> DataSource:
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

    def _wrapped(self, word: str, **options: Any) -> DataSource:
        from ._data_source import options_of

        given = {name: value for name, value in options.items() if value is not None}
        with encoded(options_of(given)) as made:
            arguments = (self._require(), encode(word), made.as_.dict)
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
    ) -> DataSource:
        """What the library makes of this one, with an entry for its functions if there is one."""
        from ._data_source import DataSource

        out = ctypes.c_void_p()
        if entry is None:
            status = function(*arguments, ctypes.byref(out))
        else:
            status = register(function, arguments, trampoline, entry, ctypes.byref(out))
        self.check(status)
        name, inner = f"{word} of {self._word}", self
        assert isinstance(inner, DataSource)
        return DataSource._wrapping(self.context, out.value or 0, name, inner, memory=memory)


def assemble(
    get: DataSource | None = None, put: DataSource | None = None, delete: DataSource | None = None
) -> DataSource:
    """Reads from one data source, writes to another, deletes from a third; the verbs of a missing
    one are `NotImplementedVerbError`. Raises `InvalidArgumentError` where all are missing.

    >>> import gatheredkit as gk
    >>> store = gk.DataSource("memory")
    >>> read_only = gk.assemble(get=store)
    >>> read_only
    <DataSource assembly of memory>
    """
    from ._data_source import DataSource

    parts = [part for part in (get, put, delete) if part is not None]
    if not parts:
        raise InvalidArgumentError("a data source is assembled of one part at least")
    out = ctypes.c_void_p()
    function = native().gkit_datasource_assemble
    status = function(_handle(get), _handle(put), _handle(delete), ctypes.byref(out))
    parts[0].check(status)
    distinct = list(dict.fromkeys(parts))
    name = f"assembly of {', '.join(part._word for part in distinct)}"
    address = out.value or 0
    return DataSource._wrapping(parts[0].context, address, name, *distinct, memory=Memory())


def _handle(part: DataSource | None) -> int | None:
    return None if part is None else part._require()
