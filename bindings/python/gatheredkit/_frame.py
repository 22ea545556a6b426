"""Frames: rows of one source as immutable columns."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._abi import decode
from ._handles import Handle
from ._library import native
from ._native import COLUMN_BOOT, COLUMN_TIME, ValueType, gkit_column, gkit_value
from ._update import unknown_key

if TYPE_CHECKING:
    from ._source import Source

_FORMATS: dict[int, tuple[Any, str, int]] = {
    ValueType.BOOL: ("?", "|b1", 1),
    ValueType.INT: ("q", "<i8", 8),
    ValueType.TIME: ("q", "<i8", 8),
    ValueType.DOUBLE: ("d", "<f8", 8),
    ValueType.VECTOR: ("d", "<f8", 8),
}
_STATUS_FORMAT = ("I", "<u4", 4)


class Frame(Handle):
    """Rows of one source, oldest first; `frame[key]` is a property's column.

    Numbers are NumPy arrays where NumPy was imported, otherwise memoryviews: read-only, without a
    copy, and alive as long as they are referenced. Vectors have the shape (rows, components). Texts
    and bytes are lists. Missing rows are NaN, 0 or None: `status(key)` tells them apart.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop&clock=manual", loop="manual") as context:
    ...     with context.open("memory").stream(every=0.1) as samples:
    ...         context.seek(1.0)
    ...         frame = samples.frame(timeout=0)
    >>> frame["available"].shape == (frame.rows,)
    True
    """

    def __init__(self, address: int, source: Source) -> None:
        super().__init__(address)
        self.source = source
        self._table = source.table()
        self._columns: dict[str, Any] = {}

    @property
    def rows(self) -> int:
        """How many readings there are."""
        return int(self._column(COLUMN_TIME).rows)

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.indices)

    def __contains__(self, key: object) -> bool:
        return key in self._table.indices

    @property
    def time_ns(self) -> Any:
        """The rows' wall times: nanoseconds since 1970."""
        return self._numbers(self._column(COLUMN_TIME), _FORMATS[ValueType.INT])

    @property
    def boot_ns(self) -> Any:
        """The rows' boot times: nanoseconds of CLOCK_BOOTTIME."""
        return self._numbers(self._column(COLUMN_BOOT), _FORMATS[ValueType.INT])

    def status(self, key: str) -> Any:
        """The `SampleStatus` of each row of a property, as numbers."""
        found = gkit_column()
        function = native().gkit_frame_status
        self.check(function(self.address, self._index(key), ctypes.byref(found)))
        return self._numbers(found, _STATUS_FORMAT)

    def __getitem__(self, key: str) -> Any:
        made = self._columns.get(key)
        if made is None:
            column = self._column(self._index(key))
            layout = _FORMATS.get(column.type)
            made = _objects(column) if layout is None else self._numbers(column, layout)
            # An array keeps the frame, and no collector looks into arrays: kept here, both stay.
            if not isinstance(getattr(made, "base", None), _ArraySource):
                self._columns[key] = made
        return made

    def _index(self, key: str) -> int:
        index = self._table.indices.get(key)
        if index is None:
            raise unknown_key(key, self._table)
        return index

    def _column(self, index: int) -> gkit_column:
        found = gkit_column()
        function = native().gkit_frame_column
        self.check(function(self.address, index, ctypes.byref(found)))
        return found

    def _numbers(self, column: gkit_column, layout: tuple[str, str, int]) -> Any:
        letter, code, size = layout
        is_vector = column.type == ValueType.VECTOR
        shape = (column.rows, column.count) if is_vector else (column.rows,)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            strides = (column.stride, size) if is_vector else (column.stride,)
            return numpy.asarray(_ArraySource(self, column.data, shape, strides, code))
        return self._view(column, letter, size, shape)

    def _view(self, column: gkit_column, letter: Any, size: int, shape: tuple[int, ...]) -> Any:
        if column.rows == 0:
            empty: Any = memoryview(b"")
            return empty.cast(letter)
        width = size * column.count if len(shape) == 2 else size
        length = column.stride * (column.rows - 1) + width
        block = (ctypes.c_char * length).from_address(column.data)
        block._frame = self  # what a view of it keeps alive
        view: Any = memoryview(block).cast("B").toreadonly()
        if column.stride == width:
            return view.cast(letter, shape)
        if len(shape) == 1 and column.stride % size == 0:
            return view.cast(letter)[:: column.stride // size]
        rows = (view[row * column.stride :][:width] for row in range(column.rows))
        copied: Any = memoryview(b"".join(rows))
        return copied.cast(letter, shape)

    def __repr__(self) -> str:
        return "<Frame closed>" if self.closed else f"<Frame {self.rows} rows>"


class _ArraySource:
    """What NumPy makes an array of, and what keeps the frame alive as the array's base."""

    def __init__(
        self,
        frame: Frame,
        data: int | None,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        code: str,
    ) -> None:
        self.frame = frame
        interface: dict[str, Any] = {"version": 3, "shape": shape, "typestr": code}
        if data:
            interface |= {"data": (data, True), "strides": strides}
        else:
            interface |= {"data": memoryview(b"")}
        self.__array_interface__ = interface


def _objects(column: gkit_column) -> list[Any]:
    """Texts or bytes, copied; None where a row is missing."""
    rows: list[Any] = []
    for row in range(column.rows):
        address = column.data + row * column.stride
        if column.type == ValueType.STRING:
            found = ctypes.c_char_p.from_address(address).value
            rows.append(None if found is None else found.decode("utf-8", "replace"))
        else:
            data = ctypes.string_at(address, ctypes.sizeof(gkit_value))
            kind, count = int.from_bytes(data[:4], sys.byteorder), data[4:8]
            rows.append(decode(kind, int.from_bytes(count, sys.byteorder), data, 8))
    return rows
