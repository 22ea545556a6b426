"""Contexts: a machine and an event loop."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Literal

from . import _callbacks
from ._abi import take_container, take_dict
from ._arrow import Recorded
from ._connections import Connection, connect
from ._errors import InvalidArgumentError
from ._event_loop import EventLoop
from ._info import Event, Report, SourceInfo, make_source_info
from ._iterators import Events
from ._library import check, encode, native
from ._native import EventType, Mode, Overflow, gkit_context_options
from ._reader import Reader
from ._sample import Sample
from ._source import Source


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
        return [make_source_info(entry) for entry in take_container(out.value)]

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

    def read(self, id_or_kind: str, timeout: float | None = 1.0) -> dict[str, Sample]:
        """One reading of a source, by key in catalogue order; `timeout` in seconds.

        Raises as `open`.
        """
        with self.open(id_or_kind) as source:
            return source.update(timeout).samples()

    def reader(self, maxlen: int = 4096, *, overflow: Overflow = Overflow.DROP_OLDEST) -> Reader:
        """A bounded queue for the samples of one or more sources; `maxlen` in samples."""
        return Reader(self, maxlen, overflow)

    def watch(self, kind: str | None = None, *, maxlen: int = 1024) -> Events:
        """Instances that come or go, of one kind or all, for `for` and `async for`. Those
        already here are not announced. Raises `NotFoundError` for an unknown kind."""
        return Events(self, lambda fn: self.listen_events(fn, kind), maxlen)

    def listen_events(self, fn: Callable[[Event], object], kind: str | None = None) -> Connection:
        """Calls `fn(event)` when instances come or go, of one kind or of all.

        Raises `NotFoundError` for an unknown kind.
        """
        _callbacks.require_callable("listen_events", fn)
        self.ensure_loop()

        def deliver(source_id: str, number: int, error: Any) -> None:
            fn(Event(EventType(number), source_id, error))

        name = None if kind is None else encode(kind)
        entry = _callbacks.Entry(deliver)
        function = native().gkit_source_watch
        return connect(function, self, (name,), _callbacks.event, entry, self._connections)

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
        _callbacks.raise_interrupt()
        self.forget_values()

    def allow(self, *categories: str) -> None:
        """Sets which personal values are open: category names, "all", or nothing. Acts at once:
        waiting sources start, those that lose their permission stop.

        Raises `InvalidArgumentError` for an unknown category; nothing changed then.
        """
        self.check(native().gkit_context_set_allow(self.address, _words(categories) or b""))
        self.forget_values()

    def forget_values(self) -> None:
        """Something happened that may have changed the values of idle sources."""
        for source in list(self._sources):
            source.forget_values()

    def __repr__(self) -> str:
        return f"<Context {self.uri}{' closed' if self.closed else ''}>"

    def _repr_html_(self) -> str:
        return self.doctor()._repr_html_()


def _words(allow: str | Iterable[str]) -> bytes | None:
    """Categories as the library takes them: separated by commas; None for none."""
    words = allow if isinstance(allow, str) else ",".join(allow)
    return encode(words) if words else None
