"""The functions C calls for data sources and futures: one for each callback type.

An exception out of a mapper, a check or a verb is the error of the call, and is not logged. That of
a consumer is logged, since no call reports it.
"""

from __future__ import annotations

from typing import Any, cast

from ._callbacks import Entry, entry_of
from ._data_source_calls import Memory, lent_error
from ._native import (
    Status,
    gkit_fallback_fn,
    gkit_future_fn,
    gkit_map_fn,
    gkit_perform_fn,
    gkit_retry_fn,
)

_FORGOTTEN = int(Status.CLOSED)
_INVALID = int(Status.VALIDATION)


def entry_for(functions: object) -> Entry:
    """The registration of an object whose methods are called."""
    return Entry(cast(Any, functions))


def _functions(entry: Entry) -> Any:
    return entry.call


def _status(key: int, error: BaseException) -> int:
    """What C is told of an exception; those that end programs go to who waits on this thread."""
    entry = entry_of(key)
    if isinstance(error, (KeyboardInterrupt, SystemExit)) and entry is not None:
        entry.report(error)
    memory: Memory = Memory() if entry is None else _functions(entry).memory
    return memory.code(error)


def _on_outwards(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        _functions(entry).map(given, out, False)
    except BaseException as error:
        return _status(key, error)
    return 0


def _on_inwards(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        _functions(entry).map(given, out, True)
    except BaseException as error:
        return _status(key, error)
    return 0


def _on_check(given: Any, _out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        return 0 if _functions(entry).check(given) else _INVALID
    except BaseException as error:
        return _status(key, error)


def _on_retry(error: Any, attempt: int, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        return bool(_functions(entry).retry(lent_error(error), attempt))
    except BaseException as raised:
        entry.report(raised)
        return False


def _on_fallback(main: Any, cache: Any, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        return bool(_functions(entry).fallback(lent_error(main), lent_error(cache)))
    except BaseException as raised:
        entry.report(raised)
        return False


def _on_perform(operation: int, query: int, value: Any, reply: int, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        _functions(entry).perform(operation, query, value, reply)
    except BaseException as error:
        entry.report(error)


def _on_future(future: int, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call(future)
    except BaseException as error:
        entry.report(error)


outwards = gkit_map_fn(_on_outwards)
inwards = gkit_map_fn(_on_inwards)
check = gkit_map_fn(_on_check)
no_check = gkit_map_fn()
retry = gkit_retry_fn(_on_retry)
no_retry = gkit_retry_fn()
fallback = gkit_fallback_fn(_on_fallback)
no_fallback = gkit_fallback_fn()
perform = gkit_perform_fn(_on_perform)
future = gkit_future_fn(_on_future)
