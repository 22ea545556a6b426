"""Properties: what can be known of a source, and why their values are missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from ._errors import GatheredKitError, unknown_key
from ._format import formatted, property_info
from ._info import Explanation
from ._library import encode, text
from ._native import PropertyFlag, Reporting, SampleStatus, Style, ValueType
from ._native import gkit_property_info as PropertyInfo
from ._values import GivenValue


class Absences:
    """Why values of a source are missing: asked of it while it is open, and kept afterwards."""

    __slots__ = ("_ask", "_told", "looked_at")

    def __init__(
        self, ask: Callable[[], Callable[[int], Explanation] | None], told: dict[int, Explanation]
    ) -> None:
        """`ask` gives what explains a property by its place; None once the source is gone."""
        self._ask = ask
        self._told = told
        # The places of those without a value that were looked at.
        self.looked_at: set[int] = set()

    def explanation(self, index: int, status: SampleStatus) -> Explanation | None:
        """Why a property has had a status; None where that is not known any more."""
        ask = self._ask()
        if ask is not None:
            try:
                self._told[index] = ask(index)
            except GatheredKitError:
                self._ask = _gone
        told = self._told.get(index)
        return told if told is not None and told.status == status else None

    def settle(self) -> None:
        """Asks now, of what may soon be gone."""
        for index in tuple(self.looked_at):
            self.explanation(index, SampleStatus.NO_DATA)

    def __reduce__(self) -> tuple[object, ...]:
        return Absences, (_gone, self._told)


def _gone() -> None:
    """In place of a source that is not there any more."""


class _Owned:
    """What a property has beside its description: why its values are missing."""

    __slots__ = ("_absences",)

    _absences: Absences | None

    def belong(self, absences: Absences | None) -> None:
        """Says where explanations come from, once."""
        object.__setattr__(self, "_absences", absences)


@dataclass(frozen=True, slots=True)
class Property(_Owned):
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

    def explanation(self, status: SampleStatus) -> Explanation | None:
        """Why its value has a status, as its source says or said; None where that is unknown."""
        absences: Absences | None = getattr(self, "_absences", None)
        return None if absences is None else absences.explanation(self.index, status)

    def component(self, name: str) -> Property:
        """One number of a vector by itself, as a property. Raises `UnknownKeyError`."""
        if name not in self.components:
            raise unknown_key(f"component of {self.key}", name, self.components)
        made = replace(self, key=f"{self.key}/{name}", type=ValueType.DOUBLE, components=())
        made.belong(getattr(self, "_absences", None))
        return made

    def __reduce__(self) -> tuple[object, ...]:
        values = tuple(getattr(self, each.name) for each in fields(self))
        return _property_again, (values, getattr(self, "_absences", None))

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        return f"<Property {self.key}{unit} {self.type.name.lower()}>"


def _property_again(values: tuple[object, ...], absences: Absences | None) -> Property:
    made = object.__new__(Property)
    for each, value in zip(fields(Property), values, strict=True):
        object.__setattr__(made, each.name, value)
    made.belong(absences)
    return made


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
