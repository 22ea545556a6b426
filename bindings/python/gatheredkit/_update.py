"""Updates: what a listener or an iterator is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._errors import UnknownKeyError
from ._html import html_table
from ._sample import SAMPLE_SIZE, Sample, Table


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

    __slots__ = ("_data", "_made", "_row", "_rows", "_table")

    def __init__(
        self,
        table: Table,
        data: Any,
        row: int,
        rows: int,
        made: dict[int, Sample] | None = None,
    ) -> None:
        self._table = table
        self._data = data
        self._row = row
        self._rows = rows
        self._made: dict[int, Sample] = {} if made is None else made

    @property
    def readings(self) -> tuple[Update, ...]:
        """All readings of this update, oldest first; the last is the update itself."""
        return tuple(
            Update(self._table, self._data, row, row + 1, self._made) for row in range(self._rows)
        )

    def __getitem__(self, key: str) -> Sample:
        index = self._table.indices.get(key)
        if index is None:
            raise unknown_key(key, self._table)
        return self._at(self._row * len(self._table.properties) + index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.indices)

    def __len__(self) -> int:
        return len(self._table.properties)

    def settle(self) -> None:
        """Makes the samples whose text the library is about to take back."""
        width = len(self._table.properties)
        for index in self._table.textual:
            for row in range(self._rows):
                self._at(row * width + index)

    def _at(self, position: int) -> Sample:
        made = self._made.get(position)
        if made is None:
            made = self._table.sample(self._data, position * SAMPLE_SIZE)
            self._made[position] = made
        return made

    def __repr__(self) -> str:
        new = sum(sample.is_new for sample in self.values())
        return f"<Update {len(self)} values, {new} new>"

    def _repr_html_(self) -> str:
        return samples_html("Update", self)


def make_update(table: Table, data: Any, count: int) -> Update:
    """The update in `count` samples."""
    rows = count // (len(table.properties) or 1) or 1
    return Update(table, data, rows - 1, rows)


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


def unknown_key(key: str, table: Table) -> UnknownKeyError:
    """The error for a key that is not there, with those that are."""
    return UnknownKeyError(f"no property {key!r}; there are {', '.join(table.indices)}")
