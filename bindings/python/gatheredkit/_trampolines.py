"""The functions C calls: one for each callback type, for the whole process.

Those of streams and patches answer C: an exception drops the value of an operator, and is a
negative status elsewhere. An exception out of a mapper, a check or a verb of a data source is the
error of the call, and is not logged. That of a consumer of a future is logged, since no call
reports it.
"""

from __future__ import annotations

from typing import Any, cast

from ._callbacks import Entry, entry_of
from ._errors import GatheredKitError, make_error
from ._library import text
from ._native import (
    Status,
    gkit_batch_fn,
    gkit_error,
    gkit_event_fn,
    gkit_fallback_fn,
    gkit_future_fn,
    gkit_input_fn,
    gkit_invoke_fn,
    gkit_log_fn,
    gkit_map_fn,
    gkit_patch_make_fn,
    gkit_perform_fn,
    gkit_progress_fn,
    gkit_retry_fn,
    gkit_sample_fn,
    gkit_transform_fn,
)

_FORGOTTEN = int(Status.CLOSED)
_INVALID = int(Status.VALIDATION)


def event_error(pointer: Any) -> GatheredKitError | None:
    """The error of an event, copied; None for NULL."""
    if not pointer:
        return None
    found: gkit_error = pointer.contents
    return make_error(found.code, found.sys_errno, text(found.message))


def _on_batch(_source: int, newest: int, count: int, batch: int, readings: int, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call(newest, count, batch, readings)
    except BaseException as error:
        entry.report(error)


def _on_event(_source: int, source_id: bytes, event: int, error: Any, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call(text(source_id), event, event_error(error))
    except BaseException as raised:
        entry.report(raised)


def _on_log(level: int, subsystem: bytes, message: bytes, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call(level, text(subsystem), text(message))
    except BaseException as error:
        entry.error = error


def _on_progress(rows: int, of: int, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        entry.call(rows, of)
    except BaseException as error:
        # The export that is given up raises it.
        entry.error = error
        return False
    return True


def _on_invoke(key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call()
    except BaseException as error:
        entry.report(error)


def status_of(error: BaseException) -> int:
    """What C is told of an exception: the status of a failure of the library, or USER."""
    if isinstance(error, GatheredKitError) and error.code < 0:
        return int(error.code)
    return int(Status.USER)


def _on_sample(samples: int, count: int, key: int) -> None:
    entry = entry_of(key)
    if entry is None:
        return
    try:
        entry.call(samples, count)
    except BaseException as error:
        entry.report(error)


def _on_transform(sample: int, out: Any, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        return bool(entry.call(sample, out))
    except BaseException as error:
        entry.report(error)
        return False


def _on_map(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        entry.call(given, out, False)
    except BaseException as error:
        entry.report(error)
        return status_of(error)
    return 0


def _on_map_back(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        entry.call(given, out, True)
    except BaseException as error:
        entry.report(error)
        return status_of(error)
    return 0


def _on_input(_patch: int, sample: int, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        entry.call(sample)
    except BaseException as error:
        entry.report(error)
        return status_of(error)
    return 0


def _on_make(patch: int, options: int, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        entry.call(patch, options)
    except GatheredKitError as error:
        # Bad options are an error of the caller, and not logged.
        return status_of(error)
    except BaseException as error:
        entry.report(error)
        return status_of(error)
    return 0


def entry_for(functions: object) -> Entry:
    """The registration of an object whose methods are called."""
    return Entry(cast(Any, functions))


def _functions(entry: Entry) -> Any:
    return entry.call


def _code_of(key: int, error: BaseException) -> int:
    """What C is told of an exception; those that end programs are raised by the call that waits."""
    entry = entry_of(key)
    if isinstance(error, (KeyboardInterrupt, SystemExit)) and entry is not None:
        entry.report(error)
    return _FORGOTTEN if entry is None else int(_functions(entry).memory.code(error))


def _on_outwards(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        _functions(entry).map(given.contents, out, False)
    except BaseException as error:
        return _code_of(key, error)
    return 0


def _on_inwards(given: Any, out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        _functions(entry).map(given.contents, out, True)
    except BaseException as error:
        return _code_of(key, error)
    return 0


def _on_check(given: Any, _out: Any, key: int) -> int:
    entry = entry_of(key)
    if entry is None:
        return _FORGOTTEN
    try:
        return 0 if _functions(entry).check(given.contents) else _INVALID
    except BaseException as error:
        return _code_of(key, error)


def _on_retry(error: Any, attempt: int, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        return bool(_functions(entry).retry(error.contents, attempt))
    except BaseException as raised:
        entry.report(raised)
        return False


def _on_fallback(main: Any, cache: Any, key: int) -> bool:
    entry = entry_of(key)
    if entry is None:
        return False
    try:
        return bool(_functions(entry).fallback(main.contents, cache.contents))
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


batch = gkit_batch_fn(_on_batch)
event = gkit_event_fn(_on_event)
log = gkit_log_fn(_on_log)
invoke = gkit_invoke_fn(_on_invoke)
no_log = gkit_log_fn()
sample = gkit_sample_fn(_on_sample)
transform = gkit_transform_fn(_on_transform)
map_to = gkit_map_fn(_on_map)
map_back = gkit_map_fn(_on_map_back)
no_map = gkit_map_fn()
patch_input = gkit_input_fn(_on_input)
no_input = gkit_input_fn()
patch_make = gkit_patch_make_fn(_on_make)
outwards = gkit_map_fn(_on_outwards)
inwards = gkit_map_fn(_on_inwards)
check = gkit_map_fn(_on_check)
no_check = gkit_map_fn()
retry = gkit_retry_fn(_on_retry)
no_retry = gkit_retry_fn()
fallback = gkit_fallback_fn(_on_fallback)
no_fallback = gkit_fallback_fn()
perform = gkit_perform_fn(_on_perform)
progress = gkit_progress_fn(_on_progress)
future = gkit_future_fn(_on_future)
