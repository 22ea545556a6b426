"""What a source read, column by column."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast, overload

from ._abi import decode
from ._arrow import data_frame, frame_capsules
from ._errors import ClosedError, TypeMismatchError
from ._handles import Handle
from ._html import html_table
from ._library import native
from ._native import COLUMN_BOOT, COLUMN_TIME, SampleStatus, ValueType, gkit_column, gkit_value
from ._property import Property
from ._session import Session
from ._shown import MISSING
from ._texts import format_value
from ._values import Time, Value, vector_type

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingTypeStubs]

_Letter: TypeAlias = Literal["?", "q", "d", "I"]
_Layout: TypeAlias = tuple[_Letter, str, int]

_LONG: _Layout = ("q", "<i8", 8)
_DOUBLE: _Layout = ("d", "<f8", 8)
_FORMATS: dict[int, _Layout] = {
    ValueType.BOOL: ("?", "|b1", 1),
    ValueType.INT: _LONG,
    ValueType.TIME: _LONG,
    ValueType.DOUBLE: _DOUBLE,
    ValueType.VECTOR: _DOUBLE,
}
_STATUS_FORMAT: _Layout = ("I", "<u4", 4)

# Rows at either end that a table shows.
_SHOWN = 5
_GAP = "\N{HORIZONTAL ELLIPSIS}"
_PLAIN: dict[ValueType, Callable[[float], Value]] = {
    ValueType.BOOL: bool,
    ValueType.INT: int,
    ValueType.DOUBLE: float,
    ValueType.TIME: Time,
}


class Numbers(Protocol):
    """A column of numbers: a NumPy array or a memoryview, which both are this and more. That of a
    vector has the shape (rows, components), and is asked by `column[row, component]`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows, and of components."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[float]: ...

    @overload
    def __getitem__(self, place: int | tuple[int, ...], /) -> float: ...
    @overload
    def __getitem__(self, place: slice, /) -> Numbers: ...

    def __buffer__(self, flags: int, /) -> memoryview: ...

    def tolist(self) -> list[float]:
        """The numbers as a list; of vectors a list of lists."""
        ...


Column: TypeAlias = Numbers | list[str | None] | list[bytes | None]


class Frame(Handle):
    """Rows of one source, oldest first; `frame[key]` is a property's column.

    Numbers are NumPy arrays where NumPy was imported, otherwise memoryviews: read-only, without a
    copy, and alive as long as they are referenced. Vectors have the shape (rows, components). Texts
    and bytes are lists. Missing rows are NaN, 0 or None: `status(key)` tells them apart.
    `numbers(key)` and `texts(key)` are the same columns, for those who check types. pyarrow, polars
    and others take a frame as a record batch, `to_pandas` makes a data frame of it.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop&clock=manual", loop="manual") as context:
    ...     with context.open("memory").stream(every=0.1) as samples:
    ...         context.seek(1.0)
    ...         frame = samples.frame(timeout=0)
    >>> frame["available"].shape == (frame.rows,)
    True
    """

    def __init__(self, address: int, source: Session) -> None:
        super().__init__(address)
        self.source = source
        self._table = source.table()
        self._columns: dict[str, Column] = {}

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
    def time_ns(self) -> Numbers:
        """The rows' wall times: nanoseconds since 1970."""
        return self._numbers(self._column(COLUMN_TIME), _LONG)

    @property
    def boot_ns(self) -> Numbers:
        """The rows' boot times: nanoseconds of CLOCK_BOOTTIME."""
        return self._numbers(self._column(COLUMN_BOOT), _LONG)

    def status(self, key: str) -> Numbers:
        """The `SampleStatus` of each row of a property, as numbers."""
        found = gkit_column()
        function = native().gkit_frame_status
        self.check(function(self.address, self._table.index(key), ctypes.byref(found)))
        return self._numbers(found, _STATUS_FORMAT)

    def numbers(self, key: str) -> Numbers:
        """A column of numbers. Raises `UnknownKeyError`, `TypeMismatchError` for others."""
        column = self[key]
        if isinstance(column, list):
            raise TypeMismatchError(f"{key} is no column of numbers")
        return column

    def texts(self, key: str) -> list[str | None]:
        """A column of texts. Raises `UnknownKeyError`, `TypeMismatchError` for others."""
        column = self[key]
        if self._table.properties[self._table.index(key)].type != ValueType.STRING:
            raise TypeMismatchError(f"{key} is no column of texts")
        return cast("list[str | None]", column)

    def __getitem__(self, key: str) -> Column:
        made = self._columns.get(key)
        if made is None:
            column = self._column(self._table.index(key))
            layout = _FORMATS.get(column.type)
            made = _objects(column) if layout is None else self._numbers(column, layout)
            # An array refers to the frame, and no collector traverses arrays: cached, both leak.
            if not isinstance(getattr(made, "base", None), _ArraySource):
                self._columns[key] = made
        return made

    # For other libraries.

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The rows as a record batch, for `pyarrow.record_batch` and others: capsules
        `arrow_schema` and `arrow_array` of a copy. Its columns are those of `Recorded`; what is
        missing is null. A requested schema is ignored.

        Raises `NotSupportedError` in a Python without capsules.
        """
        return frame_capsules(self)

    def __arrow_c_schema__(self) -> object:
        """The schema of these rows. Raises as `__arrow_c_array__`."""
        return frame_capsules(self)[0]

    def to_pandas(self) -> pandas.DataFrame:
        """A `pandas.DataFrame` of the rows (`pip install 'gatheredkit[pandas]'`), with columns as
        those of `Recorded.to_pandas`.

        Raises `PackageNotFoundError` without pandas or pyarrow.
        """
        return data_frame(self)

    def _column(self, index: int) -> gkit_column:
        found = gkit_column()
        function = native().gkit_frame_column
        self.check(function(self.address, index, ctypes.byref(found)))
        return found

    def _numbers(self, column: gkit_column, layout: _Layout) -> Numbers:
        letter, code, size = layout
        is_vector = column.type == ValueType.VECTOR
        shape = (column.rows, column.count) if is_vector else (column.rows,)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            strides = (column.stride, size) if is_vector else (column.stride,)
            array: Numbers = numpy.asarray(_ArraySource(self, column.data, shape, strides, code))
            return array
        return cast("Numbers", self._view(column, letter, size, shape))

    def _view(
        self, column: gkit_column, letter: _Letter, size: int, shape: tuple[int, ...]
    ) -> object:
        if column.rows == 0:
            return memoryview(b"").cast(letter)
        width = size * column.count if len(shape) == 2 else size
        length = column.stride * (column.rows - 1) + width
        block = (ctypes.c_char * length).from_address(column.data)
        vars(block)["frame"] = self  # a view keeps it alive
        view = memoryview(block).cast("B").toreadonly()
        if column.stride == width:
            return view.cast(letter, shape)
        if len(shape) == 1 and column.stride % size == 0:
            return view.cast(letter)[:: column.stride // size]
        rows = (view[row * column.stride :][:width] for row in range(column.rows))
        return memoryview(b"".join(rows)).cast(letter, shape)

    def __repr__(self) -> str:
        return "<Frame closed>" if self.closed else f"<Frame {self.rows} rows>"

    def _repr_html_(self) -> str:
        """The first and last rows as a table."""
        if self.closed:
            return "<p>a closed frame</p>"
        count, times = self.rows, self.time_ns
        rows = list(range(count))
        if count > 2 * _SHOWN:
            rows = [*rows[:_SHOWN], -1, *rows[count - _SHOWN :]]
        heads = ["time"]
        columns = [[_GAP if row < 0 else format_value(Time(times[row])) for row in rows]]
        for found in self._table.properties:
            heads.append(found.key)
            columns.append(["" if row < 0 else self._cell(found, row) for row in rows])
        of = ""
        with suppress(ClosedError):
            of = f" of {self.source.id}"
        return html_table(f"{count} rows{of}", heads, list(zip(*columns, strict=True)))

    def _cell(self, found: Property, row: int) -> str:
        column = self[found.key]
        if self.status(found.key)[row] not in (SampleStatus.OK, SampleStatus.STALE):
            return MISSING
        value: Value
        if isinstance(column, list):
            value = column[row]
        elif found.components:
            numbers = [float(column[row, place]) for place in range(len(found.components))]
            value = vector_type(found.components)(*numbers)
        else:
            value = _PLAIN[found.type](column[row])
        return found.format(value)


class _ArraySource:
    """The array interface of a column; as the array's base it keeps the frame alive."""

    def __init__(
        self,
        frame: Frame,
        data: int | None,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        code: str,
    ) -> None:
        self.frame = frame
        interface: dict[str, object] = {"version": 3, "shape": shape, "typestr": code}
        if data:
            interface |= {"data": (data, True), "strides": strides}
        else:
            interface |= {"data": memoryview(b"")}
        self.__array_interface__ = interface


def _objects(column: gkit_column) -> list[str | None] | list[bytes | None]:
    """Texts or bytes, copied; None where a row is missing."""
    addresses = (column.data + row * column.stride for row in range(column.rows))
    if column.type == ValueType.STRING:
        found = (ctypes.c_char_p.from_address(address).value for address in addresses)
        return [None if each is None else each.decode("utf-8", "replace") for each in found]
    values = (ctypes.string_at(address, ctypes.sizeof(gkit_value)) for address in addresses)
    return [_payload(data) for data in values]


def _payload(data: bytes) -> bytes | None:
    kind, count = (int.from_bytes(part, sys.byteorder) for part in (data[:4], data[4:8]))
    found: bytes | None = decode(kind, count, data, 8)
    return found
