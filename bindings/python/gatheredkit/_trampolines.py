"""The functions C calls for streams and patches: one for each callback type.

They answer C: an exception drops the value of an operator, and is a negative status elsewhere.
"""

from __future__ import annotations

from typing import Any

from ._callbacks import entry_of
from ._errors import GatheredKitError
from ._native import (
    Status,
    gkit_input_fn,
    gkit_map_fn,
    gkit_patch_make_fn,
    gkit_sample_fn,
    gkit_transform_fn,
)

_FORGOTTEN = int(Status.CLOSED)


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
        # Bad options are for who asked, and nothing to log.
        return status_of(error)
    except BaseException as error:
        entry.report(error)
        return status_of(error)
    return 0


sample = gkit_sample_fn(_on_sample)
transform = gkit_transform_fn(_on_transform)
map_to = gkit_map_fn(_on_map)
map_back = gkit_map_fn(_on_map_back)
no_map = gkit_map_fn()
patch_input = gkit_input_fn(_on_input)
no_input = gkit_input_fn()
patch_make = gkit_patch_make_fn(_on_make)
