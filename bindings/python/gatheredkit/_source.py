"""Sources: live, private sessions on one instance."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _callbacks
from ._abi import take_dict
from ._arrow import Recorded
from ._closing import Closing
from ._connections import Connection, connect
from ._durations import interval as interval_of
from ._info import Event, Rates
from ._library import native, text
from ._native import EventType, gkit_rates
from ._sample import SAMPLE_SIZE
from ._session import Readings
from ._update import Update, make_update, samples_html

if TYPE_CHECKING:
    from ._context import Context
    from ._iterators import Events
    from ._observable import Observable
    from ._reader import Reader
    from ._updates import Updates


class Source(Closing, Readings):
    """One session on one instance, opened by `Context.open`; `source[key]` is its last known
    `Sample`, without I/O. Sessions are private: starting or stopping one disturbs no other.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     memory.update()["total"].status.name
    'OK'
    """

    def __init__(self, context: Context, address: int) -> None:
        super().__init__(address)
        self.context = context
        self._connections: set[Connection] = set()

    # What it is.

    @property
    def id(self) -> str:
        """The canonical id; the bare kind as long as no instance is bound."""
        return self.info.id

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known beside the values: vendor, driver, path, mount matrix, backend."""
        out = ctypes.c_void_p()
        self.check(native().gkit_source_get_metadata(self.address, ctypes.byref(out)))
        return take_dict(out.value)

    @property
    def rates(self) -> Rates:
        """The intervals asked for, granted and measured, and what was skipped and dropped."""
        found = gkit_rates(struct_size=ctypes.sizeof(gkit_rates))
        self.check(native().gkit_source_get_rates(self.address, ctypes.byref(found)))
        numbers = (found.asked_ns, found.granted_ns, found.measured_ns)
        return Rates(*numbers, found.skipped, found.dropped, text(found.reason))

    # Life cycle.

    def start(self, every: float | None = None, *, interval_ns: int | None = None) -> None:
        """Starts updating, and refreshes at once; while updating it replaces the interval.

        `every` is in seconds, `interval_ns` exact; neither asks for the kind's default. Returns
        when the source is updating, or waiting for a permission that may still be granted.
        Raises `InvalidArgumentError`, `PermissionDeniedError`, `BusyError`, `TimedOutError`,
        `UnavailableError`, `InputOutputError`.
        """
        asked = interval_of(every, interval_ns)
        self.context.ensure_loop()
        status = native().gkit_source_start(self.address, asked)
        if status < 0:
            self._failed(status, self._remedy())
        self._running = True
        _callbacks.raise_interrupt()

    def stop(self) -> None:
        """Stops updating or waiting: on return `STOPPED` was delivered and no update begins any
        more. Idle sources stay idle."""
        self.check(native().gkit_source_stop(self.address))
        self._stamp = object()
        self._running = False
        _callbacks.raise_interrupt()

    @property
    def is_updating(self) -> bool:
        """Whether it is updating; False once it is closed."""
        return native().gkit_source_is_updating(self.address, None)

    @property
    def interval(self) -> float | None:
        """The interval asked for, in seconds; None when it is not updating."""
        asked = ctypes.c_int64()
        updating = native().gkit_source_is_updating(self.address, ctypes.byref(asked))
        return asked.value / 1e9 if updating else None

    def close(self) -> None:
        """Ends the session: no callback of it begins any more, and none is running. Idempotent."""
        self._let_go()
        self._connections.clear()

    # Listeners.

    def listen(self, fn: Callable[[Update], object]) -> Connection:
        """Calls `fn(update)` with every `Update`, on the context's loop.

        The connection lives as long as the source unless it is ended; the callback should not
        hold the source, or `close` it in the end. High rates: `stream` and `updates`.
        """
        _callbacks.require_callable("listen", fn)
        self.context.ensure_loop()
        origin, first = weakref.ref(self), self.table()
        fixed = self._known

        def deliver(samples: int, count: int) -> None:
            source = None if fixed else origin()
            table = fixed or (source.table() if source else first)
            block = (ctypes.c_char * (count * SAMPLE_SIZE)).from_address(samples)
            update = make_update(table, block.raw, count)
            fn(update)
            if table.textual:
                update.settle()

        entry = _callbacks.Entry(deliver)
        function = native().gkit_source_listen
        return connect(function, self, (), _callbacks.update, entry, self._connections)

    def listen_events(self, fn: Callable[[Event], object]) -> Connection:
        """Calls `fn(event)` with every `Event` of this source, from now on: started, stopped,
        failed, availability changed, permission requested."""
        _callbacks.require_callable("listen_events", fn)
        self.context.ensure_loop()

        def deliver(source_id: str, number: int, error: Any) -> None:
            fn(Event(EventType(number), source_id, error))

        entry = _callbacks.Entry(deliver)
        function = native().gkit_source_listen_events
        return connect(function, self, (), _callbacks.event, entry, self._connections)

    def events(self, maxlen: int = 1024) -> Events:
        """The events as an iterator, for `for` and `async for`."""
        from ._iterators import Events

        return Events(self.context, self.listen_events, maxlen)

    def updates(self, every: float | None = None, *, maxlen: int = 4096) -> Updates:
        """The updates as an iterator, for `for` and `async for`; starts an idle source, and stops
        it again in the end. Holds at most `maxlen` samples and drops the oldest."""
        from ._updates import Updates

        return Updates(self, every, maxlen)

    def observable(self, key: str) -> Observable[Any]:
        """The property as a value that is held and changes: its payloads, None while there is
        none, and with `samples` whole samples. It keeps the session; it does not start it.

        Raises `UnknownKeyError`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop", loop="manual") as context:
        ...     memory = context.open("memory")
        ...     total = memory.observable("total")
        ...     _ = memory.update()
        ...     total.value > 0, total.samples.value.unit
        (True, 'By')
        """
        from ._source_values import SourceObservable

        return SourceObservable(self, key)

    def stream(self, maxlen: int = 4096, *, every: float | None = None) -> Reader:
        """A bounded queue of this source's samples, read in batches; starts an idle source, and
        stops it again in the end. See `Reader`."""
        reader = self.context.reader(maxlen)
        reader.add(self)
        reader.start(self, every)
        return reader

    # What was recorded.

    @property
    def recorded(self) -> Recorded:
        """All its rows in the recording that a `replay:` context plays."""
        return Recorded(self.context, self.id)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """All its recorded rows, for `pyarrow.table` and others: see `Recorded`.

        Raises `NotSupportedError` where the context is no replay.
        """
        return self.recorded.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """What these rows are. Raises as `__arrow_c_stream__`."""
        return self.recorded.__arrow_c_schema__()

    def to_pandas(self) -> Any:
        """All its recorded rows as a `pandas.DataFrame`: see `Recorded.to_pandas`."""
        return self.recorded.to_pandas()

    # Machinery.

    def _remedy(self) -> str:
        return "" if self.address is None else self.info.remedy

    def __repr__(self) -> str:
        if self.address is None:
            return "<Source closed>"
        info = self.info
        state = info.availability.name.lower()
        return f"<Source {info.id} {state}, {info.property_count} properties>"

    def _repr_html_(self) -> str:
        return samples_html(self.id, self.samples())
