"""Between Python and C: values, and lengths of time.

bool, int, float, str, bytes, None, list and dict are themselves; `Vector` (or a tuple of 2 to 4
numbers) is a VECTOR, `Time` (or an aware `datetime`) a TIME.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from struct import Struct
from struct import error as StructError
from typing import Any, Protocol, TypeAlias, cast

from ._callbacks import reader
from ._errors import TypeMismatchError
from ._library import bound, check, encode, fail, native, text
from ._native import ValueType, gkit_sample, gkit_value
from ._values import Time, new_vector, vector_type

# Memory of the library from which samples are read, or a copy of it.
Lent: TypeAlias = "ctypes.Array[ctypes.c_char] | ctypes.Array[gkit_sample] | gkit_sample"
Block: TypeAlias = "bytes | memoryview | Lent | gkit_value"


class ValuePointer(Protocol):
    """A pointer to a value that C lends to a callback."""

    @property
    def contents(self) -> gkit_value: ...


# Plain numbers, for a member of an enumeration costs 40 ns each time.
_INT, _DOUBLE, _VECTOR = map(int, (ValueType.INT, ValueType.DOUBLE, ValueType.VECTOR))
_STRING, _BYTES, _TIME = map(int, (ValueType.STRING, ValueType.BYTES, ValueType.TIME))
_DICT, _LIST = int(ValueType.DICT), int(ValueType.LIST)

_head = reader("=IIq")
_integer = reader("=q")
_number = reader("=d")
_address = reader("=Q")
_vectors = {count: reader(f"={count}d") for count in (2, 3, 4)}
_plain_vectors = {count: vector_type(("x", "y", "z", "w")[:count]) for count in (2, 3, 4)}


def decode(kind: int, count: int, data: Any, offset: int) -> Any:
    """The Python value of a payload that starts at `offset` of `data`, copied."""
    if kind == _DOUBLE:
        return _number(data, offset)[0]
    if kind == _INT:
        return _integer(data, offset)[0]
    if kind == _VECTOR:
        return new_vector(_plain_vectors[count], _vectors[count](data, offset))
    decoder = _DECODERS.get(kind)
    return decoder(count, data, offset) if decoder else None


def decode_value(value: gkit_value) -> Any:
    """The Python value of a `gkit_value`, copied."""
    return decode(value.type, value.count, value, 8)


class _Walk:
    """Reads containers, by one call of C for each member, which C writes to the same place."""

    __slots__ = ("_at", "_count", "_item", "_key", "_names", "_places", "_text")

    def __init__(self) -> None:
        self._count = bound("gkit_dict_count", ctypes.c_int64)
        self._at = bound("gkit_dict_at", ctypes.c_int32)
        self._key, self._item = ctypes.c_char_p(), gkit_value()
        self._places = ctypes.byref(self._key), ctypes.byref(self._item)
        # The payload of the item as text that ends with a NUL.
        self._text = ctypes.c_char_p.from_buffer(self._item, 8)
        # Keys that were met: rows of one kind share them.
        self._names: dict[bytes, str] = {}

    def read(self, handle: int | None) -> Any:
        """A dict or a list with all that is in it; an empty one is a list."""
        at, key, item, (key_place, item_place) = self._at, self._key, self._item, self._places
        place = ctypes.c_void_p.from_param(handle)
        count = self._count(place)
        named: dict[str, Any] = {}
        listed: list[Any] = []
        for index in _indices[:count] if count <= len(_indices) else map(_size, range(count)):
            status = at(place, index, key_place, item_place)
            if status < 0:
                fail(status)
            name = key.value
            kind, length, integer = _head(item)
            if kind == _STRING:
                data = self._text.value or b""
                if len(data) != length:
                    data = ctypes.string_at(integer, length)
                value: Any = data.decode("utf-8", "replace")
            elif kind == _INT:
                value = integer
            elif kind == _DOUBLE:
                value = _number(item, 8)[0]
            elif kind == _VECTOR:
                value = new_vector(_plain_vectors[length], _vectors[length](item, 8))
            elif kind == _TIME:
                value = Time(integer)
            elif kind == _LIST:
                value = self.read(integer)
            elif kind == _DICT:
                value = self.read(integer) or {}
            else:
                value = decode(kind, length, item, 8)
            if name is None:
                listed.append(value)
            else:
                named[self._names.get(name) or self._name(name)] = value
        return named or listed

    def _name(self, key: bytes) -> str:
        made = text(key)
        if len(self._names) < 1024:
            self._names[key] = made
        return made


# Those that are not in use, and numbers of members as C takes them.
_walks: list[_Walk] = []
_size = ctypes.c_size_t.from_param
_indices = tuple(map(_size, range(64)))


def decode_dict(handle: int | None) -> Any:
    """A dict or a list, copied with all that is in it; the handle stays the owner's."""
    try:
        walk = _walks.pop()
    except IndexError:
        walk = _Walk()
    made = walk.read(handle)
    _walks.append(walk)
    return made


def take_dict(handle: int | None) -> Any:
    """A dictionary the library gave away: converted, then released."""
    return take_container(handle) or {}


def take_container(handle: int | None) -> Any:
    """A dictionary or list the library gave away: converted, then released."""
    try:
        return decode_dict(handle)
    finally:
        native().gkit_release(handle)


_DECODERS: dict[int, Callable[[int, Any, int], Any]] = {
    ValueType.BOOL: lambda count, data, offset: bool(_integer(data, offset)[0] & 255),
    ValueType.STRING: lambda count, data, offset: ctypes.string_at(
        _address(data, offset)[0], count
    ).decode("utf-8", "replace"),
    ValueType.BYTES: lambda count, data, offset: ctypes.string_at(_address(data, offset)[0], count),
    ValueType.TIME: lambda count, data, offset: Time(_integer(data, offset)[0]),
    ValueType.DICT: lambda _, data, offset: decode_dict(_address(data, offset)[0]) or {},
    ValueType.LIST: lambda _, data, offset: decode_dict(_address(data, offset)[0]),
}


@contextmanager
def encoded(value: Any, kind: int | None = None) -> Generator[gkit_value, None, None]:
    """A `gkit_value` that lives as long as the block.

    `kind` is the type wanted, where one is: an int then also makes a DOUBLE or a TIME.
    Raises `TypeMismatchError` for what has no place in a value.
    """
    owned: list[int] = []
    kept: list[object] = []
    try:
        yield _encode(value, kind, owned, kept)
    finally:
        release_all(owned)


def encode_into(value: Any, owned: list[int], kept: list[object]) -> gkit_value:
    """A `gkit_value`; what it refers to is added to what is owned (handles) and kept."""
    return _encode(value, None, owned, kept)


def _encode(value: Any, kind: int | None, owned: list[int], kept: list[object]) -> gkit_value:
    if isinstance(value, datetime):
        value = Time.of(value)
    if kind is not None and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if kind == _DOUBLE else Time(value) if kind == _TIME else value
    whole = packed(value)
    if whole is not None:
        return gkit_value.from_buffer_copy(whole)
    made = gkit_value()
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        _encode_text(made, value, kept)
    elif isinstance(value, tuple):
        _encode_vector(made, cast(Any, value))
    elif isinstance(value, (list, Mapping)):
        made.type = _LIST if isinstance(value, list) else _DICT
        made.as_.dict = _encode_container(value, owned)
    elif isinstance(value, (int, float)):
        plain = Time if isinstance(value, Time) else int if isinstance(value, int) else float
        return _encode(plain(value), kind, owned, kept)
    else:
        raise TypeMismatchError(f"a {type(value).__name__} is no value")
    return made


def _encode_text(made: gkit_value, value: Any, kept: list[object]) -> None:
    payload = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)
    kept.append(payload)
    made.type = _STRING if isinstance(value, str) else _BYTES
    made.count = len(payload)
    made.as_.string = payload


def _encode_vector(made: gkit_value, value: Any) -> None:
    if not 2 <= len(value) <= 4 or not all(isinstance(item, (int, float)) for item in value):
        raise TypeMismatchError("a tuple is a vector: 2 to 4 numbers; use a list for others")
    made.type, made.count = ValueType.VECTOR, len(value)
    made.as_.vector[: len(value)] = value


def _encode_container(value: Any, owned: list[int]) -> int:
    library = native()
    is_list = not isinstance(value, Mapping)
    handle = library.gkit_list_new() if is_list else library.gkit_dict_new()
    if not handle:
        check(-17)
    assert handle is not None
    owned.append(handle)
    put, place = bound("gkit_dict_set", ctypes.c_int32), ctypes.c_void_p.from_param(handle)
    inner: list[int] = []
    kept: list[object] = []
    try:
        for key, item in _members(value):
            if key is not None and not isinstance(key, str):
                raise TypeMismatchError("the keys of a dict are str")
            name = None if key is None else encode(key)
            made = packed(item) or ctypes.byref(_encode(item, None, inner, kept))
            check(put(place, name, made))
            release_all(inner)
            kept.clear()
    finally:
        release_all(inner)
    return handle


def packed(value: Any) -> bytes | None:
    """The bytes of a `gkit_value` that refers to nothing; None for others."""
    pack = _PACKS.get(type(value))
    try:
        return None if pack is None else pack(value)
    except StructError:
        raise TypeMismatchError("an int has 64 bits at most") from None


# A `gkit_value` as C takes it: of its type, and a number.
pack_integer = Struct("=Qq24x").pack
pack_number = Struct("=Qd24x").pack
_NONE = bytes(ctypes.sizeof(gkit_value))
_PACKS: dict[type, Callable[[Any], bytes]] = {
    int: partial(pack_integer, _INT),
    float: partial(pack_number, _DOUBLE),
    Time: partial(pack_integer, _TIME),
    bool: partial(pack_integer, int(ValueType.BOOL)),
    type(None): lambda _: _NONE,
}


def _members(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if hasattr(value, "items") else [(None, item) for item in value]


class Answer:
    """What a function answered C last: it lives until the next answer, as C asks for."""

    __slots__ = ("__weakref__", "_kept", "_owned")

    def __init__(self) -> None:
        self._owned: list[int] = []
        self._kept: list[object] = []
        weakref.finalize(self, release_all, self._owned).atexit = False

    def write(self, out: Any, value: object) -> None:
        """Writes a value where C wants it. Raises `TypeMismatchError`."""
        release_all(self._owned)
        self._kept.clear()
        made = encode_into(value, self._owned, self._kept)
        ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(gkit_value))


def release_all(handles: list[int]) -> None:
    """Releases references of the library."""
    while handles:
        native().gkit_release(handles.pop())
