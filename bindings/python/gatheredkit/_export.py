"""Recordings written as what other programs read: Parquet and MCAP."""

# pyright: basic, reportMissingTypeStubs=false
# The optional packages come without types.

from __future__ import annotations

import base64
import contextlib
import heapq
import json
import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Literal
from urllib.parse import quote

from ._arrow import Recorded, metadata, package
from ._callbacks import require_callable
from ._context import Context
from ._errors import ExistsError, InvalidArgumentError

if TYPE_CHECKING:
    import pyarrow

Progress = Callable[[float], object]

# Rows of a row group: many blocks of a recording, and few enough to be held in memory.
_GROUP = 1 << 16


def export(
    recording: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: Literal["parquet", "mcap"] | None = None,
    sources: Iterable[str] | None = None,
    existing: Literal["refuse", "overwrite"] = "refuse",
    progress: Progress | None = None,
) -> list[str]:
    """Writes what was recorded as Parquet, or as MCAP with a channel a source (JSON, by wall time);
    the paths of the files it made. Without `format` the ending of `target` tells.

    `sources` are ids, kinds and names of streams; without, all sources. A Parquet file holds one:
    of several, `target` is a folder. A file takes its name when it is whole, whatever ends the
    export before; `existing` says what is done where there is such a file. `progress` is called
    with what part is done, up to 1.0. Memory holds some blocks of the recording, never all of it.

    Raises `PackageNotFoundError` without pyarrow or mcap, `ExistsError`, `NotFoundError`,
    `ParseError`, `InvalidArgumentError`, `InputOutputError`, `OSError`.

    >>> import gatheredkit as gk, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with gk.Context("sim:phone") as phone:
    ...     with gk.record(folder + "/walk.gkr", ["memory"], duration=0.2, context=phone):
    ...         pass
    >>> [path] = gk.export(folder + "/walk.gkr", folder + "/walk.parquet", sources=["memory"])
    """
    if progress is not None:
        require_callable("progress", progress)
    path = os.fspath(target)
    kind = format or _format(path)
    with Context("replay:" + quote(os.fspath(recording)), loop="manual") as replay:
        names = [each.id for each in replay.sources()] if sources is None else list(sources)
        rows = [Recorded(replay, name) for name in names]
        part = _Part(replay.duration or 0.0, len(rows), progress)
        if kind == "mcap":
            with _aside(path, existing) as file:
                _write_mcap(file, rows, part)
            made = [path]
        elif kind == "parquet":
            made = _parquet_paths(path, names)
            for one, each in zip(made, rows, strict=True):
                with _aside(one, existing) as file:
                    _write_parquet(file, each, part)
        else:
            raise InvalidArgumentError(f"a recording is exported as parquet or mcap: {kind!r}")
    part.tell(1.0)
    return made


def _format(path: str) -> Literal["parquet", "mcap"]:
    ending = os.path.splitext(path)[1].lower().removeprefix(".")
    if ending == "parquet":
        return "parquet"
    if ending == "mcap":
        return "mcap"
    raise InvalidArgumentError(f"{path} does not end as a format does: give `format`")


def _parquet_paths(path: str, names: list[str]) -> list[str]:
    if len(names) == 1 and not os.path.isdir(path):
        return [path]
    os.makedirs(path, exist_ok=True)
    return [os.path.join(path, f"{quote(name, safe='|:~+,=%@')}.parquet") for name in names]


class _Part:
    """How much of an export is done, told to the caller's progress function if there is one."""

    def __init__(self, duration: float, count: int, tell: Progress | None) -> None:
        self._duration = max(duration, 1e-9)
        self._count = max(count, 1)
        self._tell = tell
        self._first: int | None = None
        self._last = -1.0
        self.done = 0

    def reached(self, time_ns: int, *, of_all: bool = False) -> None:
        """Rows up to a wall time are written: of one source, or of all together."""
        self._first = time_ns if self._first is None else self._first
        part = min(max((time_ns - self._first) / 1e9 / self._duration, 0.0), 1.0)
        self.tell(part if of_all else (self.done + part) / self._count)

    def tell(self, part: float) -> None:
        if self._tell is not None and part > self._last:
            self._last = part
            self._tell(part)


def _private(path: str, flags: int) -> int:
    """Opens a file, which is made for its owner only: its values may be personal."""
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _aside(path: str, existing: str) -> Generator[IO[bytes]]:
    """A file that is renamed into place when the block succeeds, and removed otherwise."""
    if existing not in ("refuse", "overwrite"):
        raise InvalidArgumentError(f"existing is refuse or overwrite: {existing!r}")
    if existing == "refuse" and os.path.lexists(path):
        raise ExistsError(f"{path} is there already")
    part = path + ".part"
    try:
        with open(part, "wb", opener=_private) as file:
            os.fchmod(file.fileno(), 0o600)  # What a killed process left may have another mode.
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _write_parquet(file: IO[bytes], rows: Recorded, part: _Part) -> None:
    arrow, parquet = package("pyarrow", "parquet"), package("pyarrow.parquet", "parquet")
    reader = rows.batches()
    with parquet.ParquetWriter(file, reader.schema, compression="zstd") as writer:
        held: list[pyarrow.RecordBatch] = []
        for batch in reader:
            held.append(batch)
            if sum(each.num_rows for each in held) >= _GROUP:
                writer.write_table(arrow.Table.from_batches(held))
                held = []
            part.reached(batch.column("time")[-1].value)
        if held:
            writer.write_table(arrow.Table.from_batches(held))
    part.done += 1


def _write_mcap(file: IO[bytes], rows: list[Recorded], part: _Part) -> None:
    mcap = package("mcap.writer", "mcap")
    package("pyarrow", "mcap")
    writer = mcap.Writer(file)
    writer.start(profile="", library="gatheredkit")
    messages: list[Iterator[tuple[int, int, int, bytes]]] = []
    for each in rows:
        lines = JSONRows(each)
        schema = writer.register_schema(
            lines.title, "jsonschema", json.dumps(lines.schema).encode()
        )
        channel = writer.register_channel(each.name, "json", schema, lines.metadata)
        messages.append(_messages(lines, channel))
    for count, (time, number, channel, data) in enumerate(
        heapq.merge(*messages, key=itemgetter(0))
    ):
        writer.add_message(
            channel, log_time=time, data=data, publish_time=time, sequence=number & 0xFFFFFFFF
        )
        if count % 4096 == 0:
            part.reached(time, of_all=True)
    writer.finish()


def _messages(lines: JSONRows, channel: int) -> Iterator[tuple[int, int, int, bytes]]:
    for number, (time, data) in enumerate(lines):
        # Before 1970 there is no log time.
        yield max(time, 0), number, channel, data


# Rows as JSON.

# Converts a value of a column, whose type its field states, for JSON.
_Made = Callable[..., object]


class JSONRows:
    """The rows of a source or stream as JSON, one object each: `boot_ns`, then a member a property.
    A missing value is null, and so is a number that is not finite; a vector is an object of its
    components, a moment its nanoseconds since 1970, bytes are Base64."""

    def __init__(self, rows: Recorded) -> None:
        self._reader = rows.batches()
        schema = self._reader.schema
        told = metadata(schema)
        self.title = told.get("kind", rows.name)
        self.metadata: dict[str, str] = {}
        for key in ("source", "stream", "label"):
            if key in told:
                self.metadata[key] = told[key]
        self._columns: list[tuple[str, _Made]] = [("boot_ns", _plain)]
        properties: dict[str, object] = {"boot_ns": {"type": "integer"}}
        for field in list(schema)[2:]:
            name = metadata(field)["key"]
            description, made = _description(field)
            self._columns.append((name, made))
            properties[name] = description
            if unit := metadata(field).get("unit"):
                self.metadata[f"unit.{name}"] = unit
        self.schema: dict[str, object] = {
            "title": self.title,
            "type": "object",
            "properties": properties,
        }

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        arrow = package("pyarrow", "arrow")
        for batch in self._reader:
            # Moments as integers: `datetime` has no nanoseconds.
            columns = [
                column.cast(arrow.int64()) if arrow.types.is_timestamp(column.type) else column
                for column in batch.columns
            ]
            times, *values = (column.to_pylist() for column in columns)
            for time, *row in zip(times, *values, strict=True):
                members = {
                    name: None if value is None else made(value)
                    for (name, made), value in zip(self._columns, row, strict=True)
                }
                yield time, json.dumps(members, separators=(",", ":"), allow_nan=False).encode()


def _description(field: pyarrow.Field) -> tuple[dict[str, object], _Made]:
    """The JSON schema of a column, and what makes its members."""
    types, told = package("pyarrow", "arrow").types, metadata(field)
    facts: dict[str, object] = {"title": told.get("name", told["key"])}
    if unit := told.get("unit"):
        facts["description"] = f"in {unit}"
    if types.is_fixed_size_list(field.type):
        names = told["components"].split(",")
        numbers = {name: {"type": ["number", "null"]} for name in names}
        return {**facts, "type": ["object", "null"], "properties": numbers}, lambda value: {
            name: _number(number) for name, number in zip(names, value, strict=True)
        }
    if types.is_boolean(field.type):
        return {**facts, "type": ["boolean", "null"]}, _plain
    if types.is_floating(field.type):
        return {**facts, "type": ["number", "null"]}, _number
    if types.is_binary(field.type):
        content = {"type": ["string", "null"], "contentEncoding": "base64"}
        return {**facts, **content}, lambda value: base64.b64encode(value).decode()
    if types.is_string(field.type):
        if told.get("encoding") == "json":
            return facts, json.loads
        return {**facts, "type": ["string", "null"]}, _plain
    if types.is_timestamp(field.type):
        facts["description"] = "nanoseconds since 1970-01-01T00:00:00Z"
    return {**facts, "type": ["integer", "null"]}, _plain


def _plain(value: object) -> object:
    return value


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
