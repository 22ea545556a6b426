"""Sessions: the life of a source, its properties, and what was last known of each."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from threading import get_ident
from typing import TypeVar

from ._abi import encoded, take_dict
from ._callbacks import SAMPLE_SIZE, interrupts, raise_interrupt
from ._errors import with_remedy
from ._event_loop import EventLoop
from ._handles import AsyncClosing, Connection, Handle, address_of
from ._info import Explanation, Rates, SessionInfo, make_explanation, make_session_info
from ._library import bound, native, text
from ._native import (
    SourceState,
    gkit_property_info,
    gkit_rates,
    gkit_sample,
    gkit_source_info,
)
from ._property import Absences, Property, make_property
from ._sample import Sample, Table
from ._thread_rows import ThreadRows
from ._values import GivenValue, Value
from ._waiting import interval as interval_of
from ._waiting import timeout_ns
from ._warnings import PermissionWarning, warn

SessionT = TypeVar("SessionT", bound="Session")

# A second, as `gkit_source_read_values` takes it.
_SECOND = ctypes.c_int64.from_param(1_000_000_000)


class Session(AsyncClosing, Handle):
    """A source by itself: what needs no other object. One call takes a reading and copies all
    values into memory of the thread; a sample is made when its key is asked for."""

    def __init__(self, loop: EventLoop, address: int) -> None:
        super().__init__(address)
        self.event_loop = loop
        self._connections: set[Connection] = set()
        self._read_values = bound("gkit_source_read_values", ctypes.c_int64)
        self._rows: dict[int, ThreadRows] = {}
        # What the newest update read; None where other values may be newer.
        self._newest: ThreadRows | None = None
        self._stamp: object = None
        self._running = False
        self._known: Table | None = None

    # What it is.

    @property
    def id(self) -> str:
        """The canonical id; the bare kind as long as no instance is bound."""
        return self.info.id

    @property
    def metadata(self) -> dict[str, Value]:
        """What is known beside the values: vendor, driver, path, mount matrix, backend."""
        out = ctypes.c_void_p()
        self.check(native().gkit_source_get_metadata(self.address, ctypes.byref(out)))
        found: dict[str, Value] = take_dict(out.value)
        return found

    @property
    def rates(self) -> Rates:
        """The intervals asked for, granted and measured, and what was skipped and dropped."""
        found = gkit_rates(struct_size=ctypes.sizeof(gkit_rates))
        self.check(native().gkit_source_get_rates(self.address, ctypes.byref(found)))
        numbers = (found.asked_ns, found.granted_ns, found.measured_ns)
        return Rates(*numbers, found.skipped, found.dropped, text(found.reason))

    @property
    def info(self) -> SessionInfo:
        """Everything about the source at this moment; never blocks."""
        found = gkit_source_info(struct_size=ctypes.sizeof(gkit_source_info))
        self.check(native().gkit_source_get_info(self.address, ctypes.byref(found)))
        return make_session_info(found)

    # Life cycle.

    def start(self, every: float | None = None, *, interval_ns: int | None = None) -> None:
        """Starts updating, and refreshes at once; while updating it replaces the interval.

        `every` is in seconds, `interval_ns` exact; neither asks for the kind's default. Returns
        when the source is updating, or waiting for a permission that may still be granted, of which
        a `PermissionWarning` tells.
        Raises `InvalidArgumentError`, `PermissionDeniedError`, `BusyError`, `TimedOutError`,
        `UnavailableError`, `InputOutputError`.
        """
        asked = interval_of(every, interval_ns)
        self.event_loop.ensure_loop()
        status = native().gkit_source_start(self.address, asked)
        if status < 0:
            self._fail(status, self._remedy())
        self._running = True
        raise_interrupt()
        if not self.is_updating:
            self._warn_of_waiting()

    def _warn_of_waiting(self) -> None:
        info = self.info
        if info.state is SourceState.WAITING:
            text = f"{info.id} waits for a permission: {info.detail}"
            warn(with_remedy(text, info.remedy), PermissionWarning)

    def stop(self) -> None:
        """Stops updating or waiting: on return `STOPPED` was delivered and no update begins any
        more. Idle sources stay idle."""
        self.check(native().gkit_source_stop(self.address))
        self._newest, self._stamp = None, object()
        self._running = False
        raise_interrupt()

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
        self.settle()
        self._let_go()
        self._connections.clear()

    def settle(self) -> None:
        """Asks why those values are missing that were looked at, before that cannot be asked any
        more: what their samples tell afterwards."""
        if self._known is not None:
            self._known.absences.settle()

    # Values.

    @property
    def properties(self) -> dict[str, Property]:
        """The properties by key, in catalogue order; the list never changes while the instance
        exists."""
        return {found.key: found for found in self.table().properties}

    def update(self: SessionT, timeout: float | None = 1.0) -> SessionT:
        """Takes one reading now, in every state, beside the schedule; returns the source.

        Blocks until it is in or `timeout` seconds are up (None: for ever), and notifies the
        listeners once. A missing value is no error: its sample says why. What may block, such as a
        sensor, is read by a thread of the library so that the limit holds; without a limit it is
        read on this thread, which takes less than half as long.
        Raises `ClosedError`, `ForkedError`.
        """
        rows = self._newest
        if rows is None or rows.thread != get_ident():
            rows = self._rows_of_thread()
        # Its listeners ask the library, which has what is being delivered.
        self._newest = self._stamp = None
        limit = _SECOND if timeout == 1.0 else ctypes.c_int64.from_param(timeout_ns(timeout))
        read = self._read_values
        count = read(self.place, limit, rows.place, rows.room)
        if count < 0:
            self._stamp = object()
            self._fail(count)
        rows.made.clear()
        if count == rows.capacity:
            self._stamp = rows.stamp = object()
            self._newest = rows
        else:
            self._stamp = object()
        if interrupts:
            raise_interrupt()
        return self

    def __getitem__(self, key: str) -> Sample:
        rows = self._newest
        if rows is None or self._running or rows.thread != get_ident():
            if self._running or self._stamp is None:
                return self._latest(key)
            rows = self._rows_of_thread()
            if rows.stamp is not self._stamp:
                self._copy_values(rows)
        made = rows.made.get(key)
        if made is None:
            table = self._known or self.table()
            index = table.indices.get(key)
            if index is None or self.address is None:
                return self._latest(key)
            made = rows.made[key] = table.sample(rows.buffer, index * SAMPLE_SIZE)
        return made

    def __contains__(self, key: object) -> bool:
        return key in self.table().indices

    def __iter__(self) -> Iterator[str]:
        return iter(self.table().indices)

    def __len__(self) -> int:
        return len(self.table().properties)

    def samples(self) -> dict[str, Sample]:
        """The last known samples of all properties, by key in catalogue order; no I/O.

        They are those of one moment: no update comes between two of them.
        """
        table = self.table()
        capacity = len(table.properties)
        buffer = (gkit_sample * capacity)()
        self.check(native().gkit_source_get_values(self.address, buffer, capacity))
        # The texts of an earlier call of the same function on this thread are gone.
        self._rows_of_thread().stamp = None
        return {
            key: table.sample(buffer, index * SAMPLE_SIZE) for key, index in table.indices.items()
        }

    def explain(self, key: str) -> Explanation:
        """Why a value is what it is, its raw form and where it came from.

        Raises `UnknownKeyError`.
        """
        return self._explanation(self._index(key))

    def _explanation(self, index: int) -> Explanation:
        out = ctypes.c_void_p()
        self.check(native().gkit_source_explain(self.address, index, ctypes.byref(out)))
        return make_explanation(take_dict(out.value))

    def set(self, key: str, value: GivenValue) -> None:
        """Sets a property that is writable: the device's, or a setting of this session.

        Raises `UnknownKeyError`, `NotSupportedError`, `TypeMismatchError`, `InvalidArgumentError`
        (out of range), `PermissionDeniedError`, `InputOutputError`.
        """
        index = self._index(key)
        with encoded(value, self.table().properties[index].type) as made:
            pointer = ctypes.byref(made)
            self.check(native().gkit_source_set_value(self.address, index, pointer))
        self._newest = self._stamp = None

    def table(self) -> Table:
        """The property table; of an unbound `iio` source it may still be replaced."""
        known = self._known
        if known is not None:
            return known
        info = self.info
        absences = Absences(weakref.WeakMethod(self._explanation), {})
        table = Table(tuple(map(self._property, range(info.property_count))), absences)
        if info.kind != "iio" or info.id != info.kind:
            self._known = table
        return table

    def _property(self, index: int) -> Property:
        found = gkit_property_info(struct_size=ctypes.sizeof(gkit_property_info))
        function = native().gkit_source_get_property_info
        self.check(function(self.address, index, ctypes.byref(found)))
        return make_property(index, found)

    def _index(self, key: str) -> int:
        address_of(self)
        return self.table().index(key)

    def _latest(self, key: str) -> Sample:
        found = gkit_sample()
        index = self._index(key)
        self.check(native().gkit_source_get_value(self.address, index, ctypes.byref(found)))
        return self.table().sample(found, 0)

    def _rows_of_thread(self) -> ThreadRows:
        thread = get_ident()
        rows = self._rows.get(thread)
        if rows is None:
            rows = self._rows[thread] = ThreadRows(thread)
        return rows

    def _copy_values(self, rows: ThreadRows) -> None:
        """Copies the last known values, where the newest reading is not this thread's."""
        stamp, capacity = self._stamp, len(self.table().properties)
        if rows.capacity != capacity:
            rows.make_room(capacity)
        function = native().gkit_source_get_values
        self.check(function(self.address, rows.buffer, capacity))
        rows.made.clear()
        rows.stamp = stamp

    def forget_values(self) -> None:
        """Marks the values of an idle source as possibly outdated."""
        if self._stamp is not None:
            self._newest, self._stamp = None, object()

    def _remedy(self) -> str:
        return "" if self.address is None else self.info.remedy
