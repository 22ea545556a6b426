"""Identifiers of sources and properties."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from ._abi import encoded, take_dict
from ._library import check, encode, native, taken


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
