"""Recordings written as what other programs read: Parquet, MCAP, CSV and JSON lines."""

# pyright: basic, reportMissingTypeStubs=false
# The optional packages come without types.

from __future__ import annotations

import contextlib
import heapq
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import quote

from . import _trampolines as trampolines
from ._abi import encoded
from ._arrow import Recorded, package
from ._callbacks import Entry, register, require_callable
from ._context import Context
from ._errors import ExistsError, InvalidArgumentError
from ._handles import address_of
from ._json_rows import JSONRows
from ._library import encode, native

if TYPE_CHECKING:
    import pyarrow

Progress = Callable[[float], object]
Format: TypeAlias = Literal["parquet", "mcap", "csv", "jsonl"]
FORMATS: tuple[Format, ...] = ("parquet", "mcap", "csv", "jsonl")
_TEXTS = ("csv", "jsonl")

# Rows of a row group: many blocks of a recording, and few enough to be held in memory.
_GROUP = 1 << 16


def export(
    recording: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: Format | None = None,
    sources: Iterable[str] | None = None,
    existing: Literal["refuse", "overwrite"] = "refuse",
    layout: Literal["wide", "long"] | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Writes what was recorded as Parquet, as MCAP with a channel a source (JSON, by wall time), as
    CSV or as JSON lines; the paths of the files it made. Without `format` the ending of `target`
    tells: .parquet, .mcap, .csv, .jsonl.

    `sources` are ids, kinds and names of streams; without, all sources, in text all streams too. A
    Parquet file holds one: of several, `target` is a folder. The `layout` of a CSV is "wide", one
    source with a column a property, or "long", a line a value; without, as many sources need. A
    file takes its name when it is whole, whatever ends the export before; `existing` says what is
    done where there is such a file. `progress` is called with what part is done, up to 1.0. Memory
    holds some blocks of the recording, never all of it.

    Parquet needs `pip install 'gatheredkit[parquet]'`, MCAP `pip install 'gatheredkit[mcap]'`, text
    nothing. Raises `PackageNotFoundError`, `ExistsError`, `BusyError`, `NotFoundError`,
    `ParseError`, `InvalidArgumentError`, `InputOutputError`, `OSError`.

    >>> import gatheredkit as gk, pathlib, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with gk.Context("sim:phone") as phone:
    ...     with gk.record(folder + "/walk.gkr", ["memory"], duration=0.2, context=phone):
    ...         pass
    >>> gk.export(folder + "/walk.gkr", folder + "/walk.csv") == [folder + "/walk.csv"]
    True
    >>> pathlib.Path(folder, "walk.csv").read_text()[:20]
    'time,total,available'
    """
    if progress is not None:
        require_callable("progress", progress)
    path = os.fspath(target)
    kind = format or _format(path)
    if layout is not None and kind != "csv":
        raise InvalidArgumentError(f"a layout is of a csv, not of {kind}")
    if kind in _TEXTS:
        options: dict[str, object] = {"existing": existing}
        options |= {} if sources is None else {"sources": list(sources)}
        options |= {} if layout is None else {"layout": layout}
        with Context("replay:" + quote(os.fspath(recording)), loop="manual") as replay:
            _write_text(replay, kind, path, options, _Part(0, 1, progress))
        return [path]
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
            known = ", ".join(FORMATS)
            raise InvalidArgumentError(f"a recording is exported as {known}, not as {kind!r}")
    part.tell(1.0)
    return made


def _format(path: str) -> Format:
    ending = os.path.splitext(path)[1].lower().removeprefix(".")
    for known in FORMATS:
        if ending == known:
            return known
    raise InvalidArgumentError(
        f"{path} does not end as a format does", remedy=f"give `format`: {', '.join(FORMATS)}"
    )


def _write_text(
    replay: Context, kind: Format, path: str, options: dict[str, object], part: _Part
) -> None:
    # Told of how far it is in any case, for that is where Ctrl-C is noticed.
    entry = Entry(lambda rows, of: part.tell(rows / max(of, 1)))
    with encoded(options) as made:
        arguments = (address_of(replay), encode(kind), encode(path), made.as_.dict)
        function = native().gkit_context_export_text
        status = register(function, arguments, trampolines.progress, entry)
    if entry.error is not None:
        raise entry.error
    replay.check(status)
    part.tell(1.0)


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
