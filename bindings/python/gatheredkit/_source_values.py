"""The properties of sources as observables."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._library import encode, native
from ._observable import Observable, Samples
from ._stream import Roots

if TYPE_CHECKING:
    from ._source import Source


class SourceObservable(Observable[Any]):
    """One property of a source as a value that changes: see `Source.observable`."""

    def __init__(self, source: Source, key: str) -> None:
        out = ctypes.c_void_p()
        source._index(key)
        source.check(native().gkit_source_stream(source.address, encode(key), ctypes.byref(out)))
        super().__init__(out.value or 0, Roots(source.context))
        self._table = source.table()

    @property
    def samples(self) -> Samples:
        """The same stream with whole samples: with property, unit, status and times."""
        return self._viewed(Samples, self._table.sample)
