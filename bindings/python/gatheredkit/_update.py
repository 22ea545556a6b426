"""What a source read, row by row: updates of samples."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping

from ._callbacks import SAMPLE_SIZE
from ._info import html_table
from ._sample import Sample, Table

# Held while lent text is read, so that it is not taken back meanwhile.
_reading_text = threading.RLock()


class Rows:
    """The readings of one update in memory of the library or a copy of it, and the samples made of
    them so far. A sample is made when it is looked at.

    Memory that is lent is read through a view, which is released before it is taken back: another
    thread that is just reading finds the copy then.
    """

    __slots__ = ("__weakref__", "_data", "_made", "count", "table")

    def __init__(self, table: Table, data: bytes | memoryview, count: int) -> None:
        self.table = table
        self.count = count
        self._data = data
        self._made: dict[int, Sample] = {}

    def sample(self, row: int, index: int) -> Sample:
        """One property of one reading."""
        place = row * len(self.table.properties) + index
        made = self._made.get(place)
        if made is None:
            if index in self.table.borrowed:
                with _reading_text:
                    made = self._read(place)
            else:
                made = self._read(place)
            self._made[place] = made
        return made

    def make_texts(self) -> None:
        """Makes the samples whose text the library is about to take back."""
        for index in self.table.textual:
            for row in range(self.count):
                self.sample(row, index)

    def settle(self) -> None:
        """Copies what was lent, and makes the samples whose text is taken back."""
        data = self._data
        if isinstance(data, bytes):
            return None
        with _reading_text:
            self.make_texts()
            self._data = bytes(data)
        while True:
            try:
                return data.release()
            except BufferError:
                continue

    def _read(self, place: int) -> Sample:
        made = self._made.get(place)
        if made is not None:
            return made
        while True:
            try:
                return self.table.sample(self._data, place * SAMPLE_SIZE)
            except ValueError:
                if isinstance(self._data, bytes):
                    return self.table.sample(self._data, place * SAMPLE_SIZE)


class Update(Mapping[str, Sample]):
    """The newest reading of a source, by key in catalogue order; a sample is made when its key is
    first asked for. Where one update brings several readings, `readings` has them all.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop", loop="manual") as context:
    ...     memory = context.open("memory")
    ...     _ = memory.listen(lambda update: print(update["total"].unit, len(update.readings)))
    ...     _ = memory.update()
    By 1
    """

    __slots__ = ("_row", "_rows")

    def __init__(self, rows: Rows, row: int) -> None:
        self._rows = rows
        self._row = row

    @property
    def readings(self) -> tuple[Update, ...]:
        """All readings of this update, oldest first; the last is the update itself."""
        return tuple(Update(self._rows, row) for row in range(self._row + 1))

    def __getitem__(self, key: str) -> Sample:
        return self._rows.sample(self._row, self._rows.table.index(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.table.indices)

    def __len__(self) -> int:
        return len(self._rows.table.properties)

    def __repr__(self) -> str:
        new = sum(sample.is_new for sample in self.values())
        return f"<Update {len(self)} values, {new} new>"

    def _repr_html_(self) -> str:
        return samples_html("Update", self)


def make_update(table: Table, data: bytes, count: int) -> Update:
    """The update in a copy of `count` samples, whose texts are lent for this call."""
    rows, row = _newest(table, data, count)
    rows.make_texts()
    return Update(rows, row)


def lend_update(fn: Callable[[Update], object], table: Table, samples: int, count: int) -> None:
    """Calls a listener with the update in `count` samples that are lent for the call; what it
    keeps is copied at its end."""
    block = (ctypes.c_char * (count * SAMPLE_SIZE)).from_address(samples)
    rows, row = _newest(table, memoryview(block), count)
    kept = weakref.ref(rows)
    try:
        fn(Update(rows, row))
    finally:
        # Where references are not counted it is still there, and copied in any case.
        del rows
        if (still := kept()) is not None:
            still.settle()


def _newest(table: Table, data: bytes | memoryview, count: int) -> tuple[Rows, int]:
    readings = count // (len(table.properties) or 1) or 1
    return Rows(table, data, readings), readings - 1


def samples_html(caption: str, samples: Mapping[str, Sample]) -> str:
    """Samples as a table."""
    rows = [
        (
            sample.property.name,
            "" if sample.value is None else sample.value,
            sample.unit or "",
            sample.status.name,
        )
        for sample in samples.values()
    ]
    return html_table(caption, ("Property", "Value", "Unit", "Status"), rows)
