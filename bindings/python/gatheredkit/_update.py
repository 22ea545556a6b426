"""What a source read, row by row: updates of samples."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from weakref import ref

from ._callbacks import SAMPLE_SIZE
from ._library import check, native
from ._native import gkit_sample
from ._sample import Sample, Table
from ._shown import samples_html

# Held while lent text is read, so that it is not taken back meanwhile.
_reading_text = threading.RLock()


class Rows:
    """The readings of one update in memory of the library or a copy of it, and the samples made of
    them so far. A sample is made when it is looked at.

    Memory that is lent is read through a view, which is released before it is taken back: another
    thread that is just reading finds the copy then. Only the newest reading is lent so; those
    before it are read from the batch.
    """

    __slots__ = ("__weakref__", "_batch", "_data", "_width", "count", "made", "table")

    def __init__(
        self, table: Table, data: bytes | memoryview, count: int, batch: int | None = None
    ) -> None:
        self.table = table
        self.count = count
        self._width = width = len(table.properties)
        # The place of the first sample that is there, and the memory from that on.
        self._data = (0 if batch is None else (count - 1) * width, data)
        # As long as it is lent.
        self._batch = batch
        # By place: a reading after the other.
        self.made: dict[int, Sample] = {}

    def sample(self, row: int, index: int) -> Sample:
        """One property of one reading."""
        place = row * self._width + index
        made = self.made.get(place)
        if made is None:
            if index in self.table.borrowed:
                with _reading_text:
                    made = self.made.get(place) or self._read(place)
            else:
                made = self._read(place)
            self.made[place] = made
        return made

    def make_texts(self) -> None:
        """Makes the samples whose text the library is about to take back."""
        for index in self.table.textual:
            for row in range(self.count):
                self.sample(row, index)

    def settle(self) -> None:
        """Copies what was lent, and makes the samples whose text is taken back."""
        start, data = self._data
        if isinstance(data, bytes):
            return None
        with _reading_text:
            self._data = (0, self._earlier(0, self.count) if start else bytes(data))
            self._batch = None
            self.make_texts()
        while True:
            try:
                return data.release()
            except BufferError:
                continue

    def _read(self, place: int) -> Sample:
        while True:
            start, data = self._data
            if place < start:
                return self._read_earlier(place)
            try:
                return self.table.sample(data, (place - start) * SAMPLE_SIZE)
            except ValueError:
                if isinstance(data, bytes):
                    raise

    def _read_earlier(self, place: int) -> Sample:
        """A sample of a reading before the newest one."""
        with _reading_text:
            if self._batch is None:
                return self.table.sample(self._data[1], place * SAMPLE_SIZE)
            row, index = divmod(place, self._width)
            return self.table.sample(self._earlier(row, 1), index * SAMPLE_SIZE)

    def _earlier(self, row: int, count: int) -> bytes:
        """A copy of so many readings from one on; the batch is lent."""
        samples = count * self._width
        room = (gkit_sample * samples)()
        check(native().gkit_batch_read(self._batch, row, room, samples))
        return bytes(room)


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
        rows = self._rows
        index = rows.table.indices.get(key)
        return rows.sample(self._row, rows.table.index(key) if index is None else index)

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


def lender(
    fn: Callable[[Update], object], table: Callable[[], Table], fixed: Table | None
) -> Callable[[int, int, int, int], None]:
    """What calls a listener with an update that is lent for the call: the samples of its newest
    reading, by their address and number, and the batch of all with its number of readings. What the
    listener keeps is copied at the end. `table` is asked where there is no fixed one."""

    def lend(newest: int, count: int, batch: int, readings: int) -> None:
        data = memoryview(_lent(count).from_address(newest))
        rows = Rows(fixed or table(), data, readings, batch if readings > 1 else None)
        kept = ref(rows)
        try:
            fn(Update(rows, readings - 1))
        finally:
            # Where references are not counted it is still there, and copied in any case.
            del rows
            still = kept()
            if still is not None:
                still.settle()

    return lend


@cache
def _lent(count: int) -> type[ctypes.Array[ctypes.c_char]]:
    """The memory of so many samples."""
    return ctypes.c_char * (count * SAMPLE_SIZE)


def _newest(table: Table, data: bytes | memoryview, count: int) -> tuple[Rows, int]:
    readings = count // (len(table.properties) or 1) or 1
    return Rows(table, data, readings), readings - 1
