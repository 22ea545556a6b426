"""Contexts, and the sources they open.

Longer than 300 lines: a source knows its context, and a context makes sources.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Literal

from . import _trampolines as trampolines
from ._abi import take_dict
from ._arrow import Recorded
from ._callbacks import Entry, raise_interrupt, require_callable
from ._collections import InstanceList
from ._errors import GatheredKitError, InvalidArgumentError, UnavailableError, unknown_key
from ._event_loop import EventLoop
from ._handles import Connection, connect
from ._info import Event, Report, SessionInfo, SourceInfo, report_html, source_infos, take_json
from ._iterators import Events
from ._library import check, encode, native
from ._native import EventType, Mode, Overflow, Reason, gkit_context_options
from ._reader import Reader, reader_of
from ._reading import Reading
from ._sample import Sample, Table
from ._session import Session
from ._shown import samples_html
from ._texts import parse_id
from ._update import Update, lender
from ._updates import Updates
from ._variables import SourceObservable

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingTypeStubs]


class Source(Session):
    """One session on one instance, opened by `Context.open`; `source[key]` is its last known
    `Sample`, without I/O. Sessions are private: starting or stopping one disturbs no other.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     memory.update()["total"].status.name
    'OK'
    """

    def __init__(self, context: Context, address: int) -> None:
        super().__init__(context, address)
        self.context = context

    # Listeners.

    def listen(self, fn: Callable[[Update], object]) -> Connection:
        """Calls `fn(update)` with every `Update`, on the context's loop.

        The connection lives as long as the source unless it is ended; the callback should not
        hold the source, or `close` it in the end. High rates: `stream` and `updates`.
        """
        require_callable("listen", fn)
        self.context.ensure_loop()
        origin, first = weakref.ref(self), self.table()

        def table() -> Table:
            source = origin()
            return source.table() if source else first

        entry = Entry(lender(fn, table, self._known))
        function = native().gkit_source_listen_batches
        return connect(function, self, (), trampolines.batch, entry, self._connections)

    def listen_events(self, fn: Callable[[Event], object]) -> Connection:
        """Calls `fn(event)` with every `Event` of this source, from now on: started, stopped,
        failed, availability changed, permission requested."""
        require_callable("listen_events", fn)
        self.context.ensure_loop()

        def deliver(source_id: str, number: int, error: GatheredKitError | None) -> None:
            fn(Event(EventType(number), source_id, error))

        entry = Entry(deliver)
        function = native().gkit_source_listen_events
        return connect(function, self, (), trampolines.event, entry, self._connections)

    def events(self, maxlen: int = 1024) -> Events:
        """The events as an iterator, for `for` and `async for`."""
        return Events(self.context, self.listen_events, maxlen)

    def updates(self, every: float | None = None, *, maxlen: int = 4096) -> Updates:
        """The updates as an iterator, for `for` and `async for`; starts an idle source, and stops
        it again in the end. Holds at most `maxlen` samples and drops the oldest."""
        return Updates(self, every, maxlen)

    def observable(self, key: str) -> SourceObservable:
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
        return SourceObservable(self, key)

    def stream(self, maxlen: int = 4096, *, every: float | None = None) -> Reader:
        """A bounded queue of this source's samples, read in batches; starts an idle source, and
        stops it again in the end. See `Reader`."""
        return reader_of(self, maxlen, every)

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
        """The schema of these rows. Raises as `__arrow_c_stream__`."""
        return self.recorded.__arrow_c_schema__()

    def to_pandas(self) -> pandas.DataFrame:
        """All its recorded rows as a `pandas.DataFrame`: see `Recorded.to_pandas`."""
        return self.recorded.to_pandas()

    @property
    def remedy(self) -> str:
        """What to do to make it available, in one line; "" where there is nothing to be done. For
        hardware this computer does not have, a simulated one to try."""
        return _remedy_for(self.info, self.context)

    def _remedy(self) -> str:
        return "" if self.address is None else self.remedy

    def __repr__(self) -> str:
        if self.address is None:
            return "<Source closed>"
        info = self.info
        state = info.availability.name.lower()
        return f"<Source {info.id} {state}, {info.property_count} properties>"

    def _repr_html_(self) -> str:
        return samples_html(self.id, self.samples())


class Context(EventLoop):
    """A machine and an event loop, opened by a URI; every source belongs to one.

    `uri` is `local:` (None), `local:root=DIR`, `ip:HOST`, `sim:NAME`, `sim:file=FILE` or
    `replay:FILE`. `allow` names the categories of personal values to open: a str ("ssid,location",
    "all") or several. Callbacks run on a thread of the context (`loop="thread"`), in `dispatch`
    (`loop="manual"`), or, with `async with`, on the running asyncio loop.
    Raises `InvalidArgumentError`, `NotFoundError`, `ParseError`.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     context.open("battery").id
    'battery|aggregate'
    """

    def __init__(
        self,
        uri: str | None = None,
        *,
        allow: str | Iterable[str] = (),
        loop: Literal["thread", "manual"] = "thread",
    ) -> None:
        if loop not in ("thread", "manual"):
            raise InvalidArgumentError(f"a loop is thread or manual: {loop!r}")
        options = gkit_context_options(
            struct_size=ctypes.sizeof(gkit_context_options), mode=Mode.HOST, allow=_words(allow)
        )
        out = ctypes.c_void_p()
        name = None if uri is None else encode(uri)
        status = native().gkit_context_open(name, ctypes.byref(options), ctypes.byref(out))
        check(status)
        super().__init__(out.value or 0, loop)
        self.uri = uri or "local:"
        self._sources: weakref.WeakSet[Source] = weakref.WeakSet()

    def sources(self, kind: str | None = None) -> list[SourceInfo]:
        """The instances there are, of one kind or of all in catalogue order; starts nothing.

        Raises `NotFoundError` for an unknown kind.
        """
        out = ctypes.c_void_p()
        name = None if kind is None else encode(kind)
        self.check(native().gkit_source_list(self.address, name, ctypes.byref(out)))
        return list(source_infos(take_json(out.value)))

    def open(self, id_or_kind: str) -> Source:
        """Opens a new, private session on an instance, or on a kind's default one. A known kind
        always opens, whether present or not. Raises `NotFoundError`, `ParseError`."""
        out = ctypes.c_void_p()
        name = encode(id_or_kind)
        self.check(native().gkit_source_open(self.address, name, ctypes.byref(out)))
        source = Source(self, out.value or 0)
        self._sources.add(source)
        return source

    def __getitem__(self, id_or_kind: str) -> Source:
        """The same as `open`: a new session, which ends with its last reference."""
        if not isinstance(id_or_kind, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a source is named by a str: {id_or_kind!r}")
        return self.open(id_or_kind)

    def recorded(self, name: str) -> Recorded:
        """All rows of a source, by id or kind, or of a stream, by name, in a `replay:` context:
        what `pyarrow.table` and others take. Raises nothing before it is used."""
        return Recorded(self, name)

    def read(
        self,
        id_or_kind: str,
        timeout: float | None = 1.0,
        *,
        missing: Literal["raise", "ok"] = "raise",
    ) -> Reading:
        """One `Reading` of a source, or of one property of it, "memory/available", or of one
        component, "accelerometer/acceleration/x"; `timeout` in seconds.

        Raises as `open`, `UnknownKeyError`, and `UnavailableError` for a source that is not there:
        `missing="ok"` gives a reading without values then, which says why.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty") as context:
        ...     context.read("battery", missing="ok")["level"].reason
        'the script has no such device'
        """
        if missing not in ("raise", "ok"):
            raise InvalidArgumentError(f"missing is raise or ok: {missing!r}")
        name, path = id_or_kind, tuple[str, ...]()
        if "/" in id_or_kind:
            found = parse_id(id_or_kind)
            name, path = found.source, found.components
        with self.open(name) as source:
            source.update(timeout)
            samples, info = source.samples(), source.info
            if path:
                samples = dict([_chosen(samples, path)])
            reading = Reading(info, samples, _remedy_for(info, self))
        if missing == "raise" and reading.is_missing:
            text = f"{reading.id}: {reading.reason}"
            raise UnavailableError(text, errno=info.errno, remedy=reading.remedy)
        return reading

    def reader(self, maxlen: int = 4096, *, overflow: Overflow = Overflow.DROP_OLDEST) -> Reader:
        """A bounded queue for the samples of one or more sources; `maxlen` in samples."""
        return Reader(self, maxlen, overflow)

    def instances(self, kind: str | None = None) -> InstanceList:
        """The instances of a kind, or of every kind, as a list that can be watched. Raises
        `NotFoundError` for an unknown kind.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:phone", loop="manual") as context:
        ...     batteries = context.instances("battery")
        ...     print(batteries.map(lambda row: row["id"]).value)
        ['battery|aggregate', 'battery|BAT0']
        """
        return InstanceList(self, kind)

    def gather(self, kind: str | None, body: Callable[[Source], object]) -> Connection:
        """Calls `body(source)` with a source for each instance that is there or appears, and lets
        go of it when the instance has gone or the connection is cut."""
        require_callable("gather", body)
        sources: dict[str, Source] = {}

        def follow(rows: list[dict[str, str]]) -> None:
            ids = {row["id"] for row in rows}
            for gone in sources.keys() - ids:
                sources.pop(gone).close()
            for row in rows:
                if row["id"] not in sources:
                    source = sources[row["id"]] = self.open(row["id"])
                    body(source)

        return self.instances(kind).asvalue.subscribe_into(self._connections, follow)

    def watch(self, kind: str | None = None, *, maxlen: int = 1024) -> Events:
        """Instances that come or go, of one kind or all, for `for` and `async for`. Those
        already here are not announced. Raises `NotFoundError` for an unknown kind."""
        return Events(self, lambda fn: self.listen_events(fn, kind), maxlen)

    def listen_events(self, fn: Callable[[Event], object], kind: str | None = None) -> Connection:
        """Calls `fn(event)` when instances come or go, of one kind or of all.

        Raises `NotFoundError` for an unknown kind.
        """
        require_callable("listen_events", fn)
        self.ensure_loop()

        def deliver(source_id: str, number: int, error: GatheredKitError | None) -> None:
            fn(Event(EventType(number), source_id, error))

        name = None if kind is None else encode(kind)
        entry = Entry(deliver)
        function = native().gkit_source_watch
        return connect(function, self, (name,), trampolines.event, entry, self._connections)

    def doctor(self) -> Report:
        """Every kind, instance, reason, remedy and mechanism, without side effects."""
        out = ctypes.c_void_p()
        self.check(native().gkit_context_report(self.address, ctypes.byref(out)))
        return Report(take_dict(out.value))

    report = doctor

    def rescan(self) -> None:
        """Looks at once whether instances came, went or changed; their events were delivered when
        it returns."""
        self.check(native().gkit_context_rescan(self.address))
        raise_interrupt()
        self.forget_values()

    def allow(self, *categories: str) -> None:
        """Sets which personal values are open: category names, "all", or nothing. Acts at once:
        waiting sources start, those that lose their permission stop.

        Raises `InvalidArgumentError` for an unknown category; nothing changed then.
        """
        self.check(native().gkit_context_set_allow(self.address, _words(categories) or b""))
        self.forget_values()

    def forget_values(self) -> None:
        """Marks the values of idle sources as possibly outdated."""
        for source in list(self._sources):
            source.forget_values()

    def close(self) -> None:
        """Stops all sources, ends all registrations, waits for a callback that is running.
        Idempotent. Raises `WrongThreadError` inside a callback; nothing happened then."""
        if self.address is not None:
            for source in list(self._sources):
                source.settle()
        super().close()

    def __repr__(self) -> str:
        return f"<Context {self.uri}{' closed' if self.closed else ''}>"

    def _repr_html_(self) -> str:
        return report_html(self.doctor())


def _remedy_for(info: SessionInfo, context: Context) -> str:
    if info.remedy or info.reason is not Reason.NO_HARDWARE or context.uri != "local:":
        return info.remedy
    name = _simulation_of(info.kind)
    return f'to try a simulated one: gk.Context("sim:{name}")' if name else ""


@cache
def _simulation_of(kind: str) -> str | None:
    """A simulated device that has a kind; None where none has."""
    for name in ("laptop", "phone"):
        with Context(f"sim:{name}", loop="manual") as simulated:
            if simulated.sources(kind):
                return name
    return None


def _words(allow: str | Iterable[str]) -> bytes | None:
    """Categories as the library takes them: separated by commas; None for none."""
    words = allow if isinstance(allow, str) else ",".join(allow)
    return encode(words) if words else None


def _chosen(samples: dict[str, Sample], path: tuple[str, ...]) -> tuple[str, Sample]:
    """What the part of an id behind the source names: a property, or a component of one."""
    key, *below = path
    sample = samples.get(key)
    if sample is None:
        raise unknown_key("property", key, samples)
    for name in below:
        sample = sample.component(name)
    return sample.key, sample
