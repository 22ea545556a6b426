"""Recorded rows for other libraries: the Arrow PyCapsule interface, and pandas."""

# pyright: basic, reportMissingTypeStubs=false
# The optional packages come without types.

from __future__ import annotations

import ctypes
import importlib
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, cast

from ._errors import NotSupportedError, PackageNotFoundError
from ._event_loop import EventLoop
from ._handles import Handle
from ._library import encode, native

if TYPE_CHECKING:
    import pandas
    import pyarrow


class _Schema(ctypes.Structure):
    """`ArrowSchema` of the Arrow C data interface, as far as it is used here."""

    _fields_ = (
        ("described", ctypes.c_void_p * 7),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _Array(ctypes.Structure):
    """`ArrowArray` of the same interface, as far as it is used here."""

    _fields_ = (
        ("counts", ctypes.c_int64 * 5),
        ("places", ctypes.c_void_p * 3),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _Stream(ctypes.Structure):
    """`ArrowArrayStream` of the Arrow C stream interface."""

    _fields_ = (
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class Recorded:
    """All recorded rows of one source or stream of a replay, in the order they were recorded,
    whatever the clock of the replay says: what pyarrow, polars, DuckDB and pandas take.

    Columns are `time` (UTC), `boot` (nanoseconds) and one a property; the metadata of a field has
    unit, name, range, components, words. A missing value is null. Rows are read as they are asked
    for. See `Context.recorded` and `Source.recorded`.
    """

    def __init__(self, context: EventLoop, name: str) -> None:
        self._context = context
        self.name = name

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule `arrow_array_stream` of all rows; it outlives the context. A requested
        schema is ignored.

        Raises `NotFoundError`, `NotSupportedError` (no replay), `ClosedError`, `InputOutputError`.
        """
        return _capsule(b"arrow_array_stream", self._exported())

    def __arrow_c_schema__(self) -> object:
        """A capsule `arrow_schema` that describes the rows. Raises as `__arrow_c_stream__`."""
        stream, schema = self._exported(), _Schema()
        address = ctypes.addressof(stream)
        try:
            if stream.get_schema(address, ctypes.addressof(schema)) != 0:
                raise NotSupportedError((stream.get_last_error(address) or b"").decode())
        finally:
            stream.release(address)
        return _capsule(b"arrow_schema", schema)

    def batches(self) -> pyarrow.RecordBatchReader:
        """A `pyarrow.RecordBatchReader`, which reads a batch when it is asked for one.

        Raises `PackageNotFoundError` without pyarrow, and as `__arrow_c_stream__`.
        """
        arrow = package("pyarrow", "arrow")
        reader: pyarrow.RecordBatchReader = arrow.RecordBatchReader.from_stream(self)
        return reader

    def to_pandas(self) -> pandas.DataFrame:
        """A `pandas.DataFrame` of all rows (`pip install 'gatheredkit[pandas]'`): the index is
        `time`, the components of a vector are columns of their own, `acceleration.x` ..., whole
        numbers and truths stay what they are where some are missing. `attrs["units"]` has the units
        by column.

        Raises `PackageNotFoundError` without pandas or pyarrow, and as `__arrow_c_stream__`.
        """
        package("pandas", "pandas")
        package("pyarrow", "pandas")
        return _data_frame(self.batches().read_all())

    def _exported(self) -> _Stream:
        stream = _Stream()
        address = ctypes.addressof(stream)
        name = encode(self.name)
        context = self._context
        context.check(native().gkit_context_export_arrow(context.address, name, address))
        return stream

    def __repr__(self) -> str:
        return f"<Recorded {self.name}>"


def frame_capsules(frame: Handle) -> tuple[object, object]:
    """The capsules `arrow_schema` and `arrow_array` of the rows of a frame, which are a copy."""
    schema, rows = _Schema(), _Array()
    places = ctypes.addressof(schema), ctypes.addressof(rows)
    frame.check(native().gkit_frame_export_arrow(frame.address, *places))
    try:
        described = _capsule(b"arrow_schema", schema)
    except NotSupportedError:
        rows.release(places[1])
        raise
    return described, _capsule(b"arrow_array", rows)


def data_frame(frame: object) -> pandas.DataFrame:
    """A `pandas.DataFrame` of what has `__arrow_c_array__`."""
    package("pandas", "pandas")
    arrow = package("pyarrow", "pandas")
    return _data_frame(arrow.Table.from_batches([arrow.record_batch(frame)]))


def _data_frame(table: pyarrow.Table) -> pandas.DataFrame:
    panda, arrow = package("pandas", "pandas"), package("pyarrow", "pandas")
    # Short batches are combined first: converting each of them would dominate the time.
    parts = [flattened(batch) for batch in table.combine_chunks().to_batches()]
    empty = flattened(arrow.RecordBatch.from_pylist([], schema=table.schema))
    flat = arrow.Table.from_batches(parts, schema=empty.schema)
    types = {arrow.int64(): panda.Int64Dtype(), arrow.bool_(): panda.BooleanDtype()}
    frame: pandas.DataFrame = flat.to_pandas(types_mapper=types.get).set_index("time")
    units = {field.name: metadata(field).get("unit") for field in flat.schema}
    frame.attrs["units"] = {name: unit for name, unit in units.items() if unit}
    return frame


def package(name: str, extra: str) -> ModuleType:
    """An optional package, imported when it is first wanted."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = name.partition(".")[0]
        if error.name != missing:
            raise
        raise PackageNotFoundError(
            f"this needs the package {missing}", remedy=f"pip install 'gatheredkit[{extra}]'"
        ) from error


def metadata(field: pyarrow.Field | pyarrow.Schema) -> dict[str, str]:
    """The metadata of a field, or of a schema, as text."""
    pairs = cast("dict[bytes, bytes]", field.metadata or {})
    return {key.decode(): value.decode() for key, value in pairs.items()}


def flattened(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """A record batch with one column for each component of a vector."""
    arrow, compute = package("pyarrow", "arrow"), package("pyarrow.compute", "arrow")
    fields: list[object] = []
    columns: list[object] = []
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if not arrow.types.is_fixed_size_list(field.type):
            fields.append(field)
            columns.append(column)
            continue
        for index, component in enumerate(metadata(field)["components"].split(",")):
            name = f"{field.name}.{component}"
            fields.append(arrow.field(name, arrow.float64(), metadata=field.metadata))
            columns.append(compute.list_element(column, index))
    schema = arrow.schema(fields, metadata=batch.schema.metadata)
    made: pyarrow.RecordBatch = arrow.RecordBatch.from_arrays(columns, schema=schema)
    return made


# The structs of capsules, kept until the capsules are destroyed.

_Struct: TypeAlias = _Schema | _Array | _Stream
_pointed: dict[int, _Struct] = {}


def _capsule(name: bytes, struct: _Struct) -> object:
    api: ctypes.PyDLL | None = getattr(ctypes, "pythonapi", None)
    if api is None:
        struct.release(ctypes.addressof(struct))
        raise NotSupportedError("this Python has no capsules", remedy="use CPython")
    new = api.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, _Destructor)
    address = ctypes.addressof(struct)
    _pointed[address] = struct
    made: object = new(address, name, _destructor)
    return made


def _destroy(capsule: int) -> None:
    """Releases a struct that no consumer has taken over."""
    api = ctypes.pythonapi
    name, get = api.PyCapsule_GetName, api.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_void_p)
    address = get(capsule, name(capsule))
    struct = _pointed.pop(address, None)
    if struct is not None and struct.release:
        struct.release(address)


_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_destructor = _Destructor(_destroy)
