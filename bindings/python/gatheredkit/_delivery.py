"""Values of streams: from the samples that C brings, and to what a function answers."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any, TypeAlias, TypeVar

from ._abi import decode, encode_into
from ._library import native
from ._native import PropertyFlag, Reporting, SampleFlag, SampleStatus, ValueType, gkit_value
from ._records import Change, PatchError, ValueUpdate
from ._sample import SAMPLE_SIZE, Property, Sample

T = TypeVar("T")

# The value of the sample that starts at an offset of some memory.
Read: TypeAlias = Callable[[Any, int], T]

_STATE = Struct("=IIII").unpack_from
_TIMES = Struct("=qqQ").unpack_from
_ORIGIN = Struct("=I").unpack_from
_ONE = ctypes.c_char * SAMPLE_SIZE


def memory(samples: int, count: int) -> Any:
    """The samples of a callback, to read from until it returns."""
    kind = _ONE if count == 1 else ctypes.c_char * (count * SAMPLE_SIZE)
    return kind.from_address(samples)


def payload(data: Any, offset: int) -> Any:
    """The payload of an OK sample, and None of any other."""
    status, _, kind, count = _STATE(data, offset + 32)
    return decode(kind, count, data, offset + 48) if kind and not status else None


def change(data: Any, offset: int) -> Change[Any]:
    """What `changes` sends."""
    found: dict[str, Any] = payload(data, offset) or {}
    return Change(found.get("old"), found.get("new"))


def value_update(data: Any, offset: int) -> ValueUpdate[Any]:
    """What `updates` sends."""
    return ValueUpdate(payload(data, offset) or {})


def patch_error(data: Any, offset: int) -> PatchError:
    """What the errors of a patch send."""
    return PatchError(payload(data, offset) or {})


@cache
def sample_reader(key: str) -> Read[Sample]:
    """Whole samples of a stream that no property describes."""

    def read(data: Any, offset: int) -> Sample:
        status, flags, kind, count = _STATE(data, offset + 32)
        found = decode(kind, count, data, offset + 48) if kind else None
        return Sample(
            _loose_property(key, kind),
            found if status == SampleStatus.OK else None,
            found if status == SampleStatus.STALE else None,
            SampleStatus(status),
            SampleFlag(flags),
            *_TIMES(data, offset),
            *_ORIGIN(data, offset + 24),
        )

    return read


@cache
def _loose_property(key: str, kind: int) -> Property:
    infinite = float("inf")
    return Property(
        index=0,
        key=key,
        name=key,
        unit=None,
        type=ValueType(kind),
        components=(),
        words=(),
        reporting=Reporting.CONTINUOUS,
        flags=PropertyFlag(0),
        minimum=-infinite,
        maximum=infinite,
        resolution=0.0,
    )


class Answer:
    """What a function answered C last: it lives until the next answer, as C asks for."""

    __slots__ = ("__weakref__", "_kept", "_owned")

    def __init__(self) -> None:
        self._owned: list[int] = []
        self._kept: list[object] = []
        weakref.finalize(self, _release_all, self._owned).atexit = False

    def write(self, out: Any, value: Any) -> None:
        """Writes a value where C wants it. Raises `TypeMismatchError`."""
        _release_all(self._owned)
        self._kept.clear()
        made = encode_into(value, self._owned, self._kept)
        ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(gkit_value))


def _release_all(handles: list[int]) -> None:
    while handles:
        native().gkit_release(handles.pop())
