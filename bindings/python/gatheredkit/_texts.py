"""Values as text: JSON, numbers with units, and identifiers of sources and properties."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from ._abi import decode_value, encoded, take_dict
from ._format import formatted, property_info
from ._library import check, encode, native, taken
from ._native import Style, gkit_value
from ._values import GivenValue, Value


def to_json(value: GivenValue) -> str:
    """A value as JSON that `from_json` reads back equal.

    Raises `TypeMismatchError` for NaN and infinities, which JSON has no words for.

    >>> import gatheredkit as gk
    >>> gk.to_json({"t": 21.5, "raw": b"\\x00"})
    '{"t":21.5,"raw":{"bytes":"AA=="}}'
    """
    with encoded(value) as made:
        return taken(native().gkit_value_to_json(ctypes.byref(made)))


def from_json(source: str | bytes) -> Value:
    """The value of a JSON text; whole numbers that fit 64 bits are int.

    Raises `ParseError` (also for duplicate names), `LimitError` (nested over 128 deep).

    >>> import gatheredkit as gk
    >>> gk.from_json('{"v": {"vector": [1, 2]}}')
    {'v': Vector(x=1.0, y=2.0)}
    """
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    made = gkit_value()
    check(native().gkit_value_from_json(data, len(data), ctypes.byref(made)))
    try:
        found: Value = decode_value(made)
        return found
    finally:
        native().gkit_value_clear(ctypes.byref(made))


def format_value(value: GivenValue, unit: str | None = None, style: Style = Style.MACHINE) -> str:
    """A value as one line: the shortest decimal that reads back the same, a space, the UCUM unit.
    With `Style.PEOPLE` it is for people, as far as the unit tells: `Property.format` knows more.

    >>> import gatheredkit as gk
    >>> gk.format_value(21.5, "Cel"), gk.format_value(273_600, "s", gk.Style.PEOPLE)
    ('21.5 Cel', '3 d 4 h')
    """
    code = None if unit is None else encode(unit)
    return formatted(value, property_info(unit=code), style)


def convert(value: float, source: str, target: str) -> float:
    """Converts between commensurable UCUM units, and from angular rate to rotation frequency.

    Raises `InvalidArgumentError` (unknown, not commensurable, or a number that is not finite).

    >>> import gatheredkit as gk
    >>> gk.convert(25, "Cel", "K")
    298.15
    """
    result = ctypes.c_double()
    units = encode(source), encode(target)
    check(native().gkit_unit_convert(value, *units, ctypes.byref(result)))
    return result.value


@dataclass(frozen=True, slots=True)
class SourceIdentifier:
    """The parts of an id, decoded. `path` is the canonical text of the property's part,
    `components` its decoded parts; `ancestors` go from the root to the parent. Absent parts are
    None.

    >>> import gatheredkit as gk
    >>> found = gk.parse_id("accelerometer|bmi160@pi.local/acceleration/x")
    >>> found.kind, found.instance, found.device, found.components
    ('accelerometer', 'bmi160', 'pi.local', ('acceleration', 'x'))
    >>> found.parent
    'accelerometer|bmi160@pi.local/acceleration'
    """

    kind: str
    instance: str | None
    device: str | None
    path: str | None
    components: tuple[str, ...]
    ancestors: tuple[str, ...]
    canonical: str
    source: str
    parent: str | None

    def __str__(self) -> str:
        return self.canonical


def parse_id(identifier: str) -> SourceIdentifier:
    """Takes the id of a source or property apart; unknown kinds and foreign devices parse.

    Raises `ParseError`, whose message begins "byte N: ".
    """
    out = ctypes.c_void_p()
    check(native().gkit_id_parse(encode(identifier), ctypes.byref(out)))
    found = take_dict(out.value)
    return SourceIdentifier(
        kind=found["kind"],
        instance=found.get("instance"),
        device=found.get("device"),
        path=found.get("path"),
        components=tuple(found.get("components", ())),
        ancestors=tuple(found.get("ancestors", ())),
        canonical=found["canonical"],
        source=found["source"],
        parent=found.get("parent"),
    )


def build_id(
    kind: str, instance: str | None = None, device: str | None = None, *components: str
) -> str:
    """The canonical text of an id; every part is given decoded.

    Raises `InvalidArgumentError` for an empty or impossible part.

    >>> import gatheredkit as gk
    >>> gk.build_id("storage", "/home", None, "available")
    'storage|%2Fhome/available'
    """
    parts: dict[str, object] = {"kind": kind}
    if instance is not None:
        parts["instance"] = instance
    if device is not None:
        parts["device"] = device
    if components:
        parts["components"] = list(components)
    out = ctypes.c_void_p()
    with encoded(parts) as made:
        # The parameter is the text's address, whatever the kind of pointer.
        check(native().gkit_id_build(made.as_.dict, ctypes.byref(out)))
    return taken(out.value)
