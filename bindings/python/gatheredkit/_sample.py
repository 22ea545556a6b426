"""Samples: what is known of properties, and how it is decoded."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, replace
from typing import cast

from ._abi import Block, decode
from ._callbacks import reader
from ._errors import unknown_key
from ._native import SampleFlag, SampleStatus, Style, ValueType
from ._property import Absences, Property
from ._values import Time, Value, Vector, new_vector, vector_type

# With its payload as an int.
_HEAD = reader("=qqQIIIIIIq")
_NUMBER = reader("=d")
_PAYLOAD = 48


@dataclass(frozen=True, slots=True)
class Sample:
    """One timed value of one property.

    `value` is the payload of an OK sample and None otherwise, when `reason` and `remedy` say why;
    `stale_value` is the last payload of a STALE one. `time_ns` is nanoseconds since 1970, `boot_ns`
    the same instant on CLOCK_BOOTTIME: when it was so, not when it arrived. `sequence` counts the
    new values of this property from 1. `source` is the number of the session that took it.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     sample = context.read("memory")["total"]
    >>> sample.status.name, sample.unit, sample.value > 0
    ('OK', 'By', True)
    """

    property: Property
    value: Value
    stale_value: Value
    status: SampleStatus
    flags: SampleFlag
    time_ns: int
    boot_ns: int
    sequence: int
    source: int

    @builtins.property
    def key(self) -> str:
        """The property's key."""
        return self.property.key

    @builtins.property
    def unit(self) -> str | None:
        """The property's UCUM code; None for text, bool and time."""
        return self.property.unit

    @builtins.property
    def time(self) -> Time:
        """`time_ns` as a moment: `sample.time.datetime`."""
        return Time(self.time_ns)

    @builtins.property
    def is_new(self) -> bool:
        """Measured anew since this session's previous update."""
        return bool(self.flags & SampleFlag.IS_NEW)

    @builtins.property
    def gap_before(self) -> bool:
        """Something before it was dropped."""
        return bool(self.flags & SampleFlag.GAP_BEFORE)

    # Why there is no value.

    @builtins.property
    def reason(self) -> str:
        """Why it is not OK, in a few words; "" for an OK sample. Asked of the source while that is
        open and says the same still; what was looked at before the source was closed is kept.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop") as context:
        ...     hostname = context.read("device_metadata")["hostname"]
        >>> hostname.reason, hostname.remedy
        ('withheld', 'open the context with allow=hostname')
        """
        if self.status is SampleStatus.OK:
            return ""
        found = self.property.explanation(self.status)
        return (found.reason if found else "") or _WORDS.get(self.status, "the value is missing")

    @builtins.property
    def remedy(self) -> str:
        """What to do about it, in one line; "" where there is nothing to be done."""
        if self.status is SampleStatus.OK:
            return ""
        found = self.property.explanation(self.status)
        return found.remedy if found else ""

    def component(self, name: str) -> Sample:
        """One number of a vector by itself. Raises `UnknownKeyError`."""
        component = self.property.component(name)
        value, last = (
            vector[self.property.components.index(name)] if isinstance(vector, Vector) else None
            for vector in (self.value, self.stale_value)
        )
        return replace(self, property=component, value=value, stale_value=last)

    # The value, where it is of a type.

    @builtins.property
    def number(self) -> float | None:
        """A value that is an int or a float; None otherwise."""
        found = self.value
        if isinstance(found, (bool, Time)) or not isinstance(found, (int, float)):
            return None
        return found

    @builtins.property
    def boolean(self) -> bool | None:
        """A value that is a bool; None otherwise."""
        return self.value if isinstance(self.value, bool) else None

    @builtins.property
    def text(self) -> str | None:
        """A value that is a text; None otherwise."""
        return self.value if isinstance(self.value, str) else None

    @builtins.property
    def data(self) -> bytes | None:
        """A value that is bytes; None otherwise."""
        return self.value if isinstance(self.value, bytes) else None

    @builtins.property
    def vector(self) -> Vector | None:
        """A value that is a vector; None otherwise."""
        return self.value if isinstance(self.value, Vector) else None

    @builtins.property
    def moment(self) -> Time | None:
        """A value that is a moment; None otherwise. When it was so is `time`."""
        return self.value if isinstance(self.value, Time) else None

    def format(self, style: Style = Style.PEOPLE) -> str:
        """The value, or the last one of a STALE sample, as one line: see `Property.format`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop") as context:
        ...     level = context.read("battery")["level"]
        >>> level.format(), level.format(gk.Style.MACHINE) == gk.format_value(level.value)
        ('72 %', True)
        """
        known = self.value if self.status is SampleStatus.OK else self.stale_value
        return self.property.format(known, style)

    def __repr__(self) -> str:
        if self.status is SampleStatus.OK:
            return f"<Sample {self.key} {self.format()}>"
        last = f" {self.format()}" if self.stale_value is not None else ""
        return f"<Sample {self.key} {self.status.name}{last}: {self.reason}>"


class _Draft:
    """A sample being made: the same slots without the lock, for a frozen class fills its own
    four times slower."""

    __slots__ = Sample.__slots__

    property: Property
    value: Value
    stale_value: Value
    status: SampleStatus
    flags: SampleFlag
    time_ns: int
    boot_ns: int
    sequence: int
    source: int


_finished = cast("type[_Draft]", Sample)


class Table:
    """The properties of a source in catalogue order, and how to decode its samples."""

    __slots__ = ("_vectors", "absences", "borrowed", "indices", "properties", "textual")

    def __init__(self, properties: tuple[Property, ...], absences: Absences) -> None:
        self.properties = properties
        self.absences = absences
        for each in properties:
            each.belong(absences)
        self.indices = {found.key: found.index for found in properties}
        borrowed = (ValueType.STRING, ValueType.BYTES, ValueType.DICT, ValueType.LIST)
        self.textual = [found.index for found in properties if found.type in borrowed]
        self.borrowed = frozenset(self.textual)
        self._vectors: list[type[Vector] | None] = [
            vector_type(found.components) if found.components else None for found in properties
        ]

    def index(self, key: str) -> int:
        """The place of a key; raises `UnknownKeyError`, which names the nearest."""
        found = self.indices.get(key)
        if found is None:
            raise unknown_key("property", key, self.indices)
        return found

    def sample(self, data: Block, offset: int) -> Sample:
        """The sample that starts at `offset` of `data`; text behind it must still be alive."""
        head: tuple[int, ...] = _HEAD(data, offset)
        time_ns, boot_ns, sequence, source, index, state, flags, kind, count, integer = head
        payload: Value
        if kind == _DOUBLE:
            payload = _NUMBER(data, offset + _PAYLOAD)[0]
        elif kind == _INT:
            payload = integer
        elif kind:
            found = decode(kind, count, data, offset + _PAYLOAD)
            vector = self._vectors[index] if kind == _VECTOR else None
            payload = new_vector(vector, found) if vector else found
        else:
            payload = None
        # Written one by one: a call with nine arguments costs a quarter of all this.
        made = _Draft()
        made.property = self.properties[index]
        if state:
            made.value = None
            made.stale_value = payload if state == _STALE else None
            self.absences.looked_at.add(index)
        else:
            made.value = payload
            made.stale_value = None
        made.status = _STATUS[state] if state < _STATUSES else SampleStatus(state)
        made.flags = _FLAGS[flags] if flags < _FLAG_SETS else SampleFlag(flags)
        made.time_ns = time_ns
        made.boot_ns = boot_ns
        made.sequence = sequence
        made.source = source
        made.__class__ = _finished
        return cast("Sample", made)


_WORDS = {
    SampleStatus.NO_DATA: "there is no value now",
    SampleStatus.STALE: "the value is old",
    SampleStatus.PERMISSION: "it is not permitted",
    SampleStatus.UNSUPPORTED: "there is no such value here",
    SampleStatus.FAILED: "it could not be read",
}

# Plain numbers and tables, for the members of an enumeration cost 40 ns each time.
_STALE = int(SampleStatus.STALE)
_INT, _DOUBLE, _VECTOR = map(int, (ValueType.INT, ValueType.DOUBLE, ValueType.VECTOR))
_STATUS = list(SampleStatus)
_STATUSES = len(_STATUS)
_FLAGS = [SampleFlag(number) for number in range(16)]
_FLAG_SETS = len(_FLAGS)
