"""Samples: what can be known (`Property`) and what is known (`Sample`)."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import cast

from ._abi import Block, decode
from ._errors import UnknownKeyError
from ._format import formatted, property_info
from ._library import encode, text
from ._native import PropertyFlag, Reporting, SampleFlag, SampleStatus, Style, ValueType
from ._native import gkit_property_info as PropertyInfo
from ._values import GivenValue, Time, Value, Vector, new_vector, vector_type

# With its payload as an int.
_HEAD = Struct("=qqQIIIIIIq").unpack_from
_NUMBER = Struct("=d").unpack_from
_PAYLOAD = 48


@dataclass(frozen=True, slots=True)
class Property:
    """A value's description, constant as long as its instance exists.

    `unit` is a UCUM code, None for text, bool and time. `components` are the names of a vector's
    numbers, `words` those an enumerated text can have. `minimum` and `maximum` are infinite where
    unknown; `resolution` is the hardware's step, 0 where unknown.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("battery") as battery:
    ...     level = battery.properties["level"]
    >>> level.name, level.unit, level.type.name, level.minimum, level.maximum
    ('Level', '1', 'DOUBLE', 0.0, 1.0)
    """

    index: int
    key: str
    name: str
    unit: str | None
    type: ValueType
    components: tuple[str, ...]
    words: tuple[str, ...]
    reporting: Reporting
    flags: PropertyFlag
    minimum: float
    maximum: float
    resolution: float

    @property
    def writable(self) -> bool:
        """Whether it can be set: on the device, or as a setting of the session."""
        return bool(self.flags & (PropertyFlag.WRITABLE | PropertyFlag.CONFIG))

    @property
    def personal(self) -> bool:
        """Whether it is withheld unless the context's `allow` has its category."""
        return bool(self.flags & PropertyFlag.PERSONAL)

    def format(self, value: GivenValue, style: Style = Style.PEOPLE) -> str:
        """A value of it as one line: for people, rounded and with the unit as people write it, or
        with `Style.MACHINE` exactly, as `format_value`. None is an en dash.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
        ...     total = memory.properties["total"]
        >>> total.format(23_730_000_000), total.format(23_730_000_000, gk.Style.MACHINE)
        ('22.1 GiB', '23730000000 By')
        """
        return formatted(value, _format_info(self), style)

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        return f"<Property {self.key}{unit} {self.type.name.lower()}>"


@dataclass(frozen=True, slots=True)
class Sample:
    """One timed value of one property.

    `value` is the payload of an OK sample and None otherwise; `stale_value` is the last payload of
    a STALE one. `time_ns` is nanoseconds since 1970, `boot_ns` the same instant on
    CLOCK_BOOTTIME: when it was so, not when it arrived. `sequence` counts the new values of this
    property from 1. `source` is the number of the session that took it.

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
        return f"<Sample {self.key} {self.status.name}{last}>"


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

    __slots__ = ("_vectors", "borrowed", "indices", "properties", "textual")

    def __init__(self, properties: tuple[Property, ...]) -> None:
        self.properties = properties
        self.indices = {found.key: found.index for found in properties}
        borrowed = (ValueType.STRING, ValueType.BYTES, ValueType.DICT, ValueType.LIST)
        self.textual = [found.index for found in properties if found.type in borrowed]
        self.borrowed = frozenset(self.textual)
        self._vectors: list[type[Vector] | None] = [
            vector_type(found.components) if found.components else None for found in properties
        ]

    def index(self, key: str) -> int:
        """The place of a key; raises `UnknownKeyError`, which names those that are."""
        found = self.indices.get(key)
        if found is None:
            raise UnknownKeyError(f"no property {key!r}; there are {', '.join(self.indices)}")
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
        made.value = None if state else payload
        made.stale_value = payload if state == _STALE else None
        made.status = _STATUS[state] if state < _STATUSES else SampleStatus(state)
        made.flags = _FLAGS[flags] if flags < _FLAG_SETS else SampleFlag(flags)
        made.time_ns = time_ns
        made.boot_ns = boot_ns
        made.sequence = sequence
        made.source = source
        made.__class__ = _finished
        return cast("Sample", made)


# Plain numbers and tables, for the members of an enumeration cost 40 ns each time.
_STALE = int(SampleStatus.STALE)
_INT, _DOUBLE, _VECTOR = map(int, (ValueType.INT, ValueType.DOUBLE, ValueType.VECTOR))
_STATUS = list(SampleStatus)
_STATUSES = len(_STATUS)
_FLAGS = [SampleFlag(number) for number in range(16)]
_FLAG_SETS = len(_FLAGS)


def make_property(index: int, info: PropertyInfo) -> Property:
    """A property from what the library says of it."""
    names = tuple(text(info.components).split(",")) if info.components else ()
    is_vector = info.type == ValueType.VECTOR
    return Property(
        index=index,
        key=text(info.key),
        name=text(info.name),
        unit=text(info.unit) if info.unit is not None else None,
        type=ValueType(info.type),
        components=names if is_vector else (),
        words=() if is_vector else names,
        reporting=Reporting(info.reporting_mode),
        flags=PropertyFlag(info.flags),
        minimum=info.minimum,
        maximum=info.maximum,
        resolution=info.resolution,
    )


@lru_cache(maxsize=1024)
def _format_info(found: Property) -> PropertyInfo:
    """A property as the library wants it for texts."""
    return property_info(
        key=encode(found.key),
        unit=None if found.unit is None else encode(found.unit),
        type=found.type,
        flags=found.flags,
        minimum=found.minimum,
        maximum=found.maximum,
        resolution=found.resolution,
    )
