"""The catalogue: what each kind of source measures, and where its values come from."""

from __future__ import annotations

import ctypes
from typing import cast

from ._abi import take_container
from ._html import html_table
from ._library import check, encode, native
from ._records import Record


class KindProperty(Record[object]):
    """A property of a kind; the members are attributes too. See `kinds`."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """Its name in ids: "level"."""
        return str(self["key"])

    @property
    def name(self) -> str:
        """Its name for people: "Level"."""
        return str(self["name"])

    @property
    def meaning(self) -> str:
        """What it means, in a clause."""
        return str(self["meaning"])

    @property
    def origin(self) -> str:
        """Where its values come from: a kernel file, a member of an interface, or a formula."""
        return str(self["origin"])

    @property
    def type(self) -> str:
        """ "bool", "int", "double", "vector", "string", "bytes", "time" or "enum"."""
        return str(self["type"])

    @property
    def unit(self) -> str | None:
        """A code of UCUM; None where there is none."""
        return cast("str | None", self.get("unit"))

    @property
    def mode(self) -> str:
        """When a reading of it is news: "continuous", "onChange", "oneShot" or "static"."""
        return str(self["mode"])

    @property
    def flags(self) -> list[str]:
        """Its traits: "writable", "config", "personal", "counter", "derived"."""
        return list(cast("list[str]", self["flags"]))

    @property
    def category(self) -> str | None:
        """The category that must be allowed before it is shown; None if it is not personal."""
        return cast("str | None", self.get("category"))

    @property
    def components(self) -> list[str]:
        """The names of a vector's components."""
        return list(cast("list[str]", self.get("components") or ()))

    @property
    def words(self) -> list[str]:
        """The words of an enum."""
        return list(cast("list[str]", self.get("words") or ()))

    @property
    def minimum(self) -> float | None:
        """The least value, where it is known."""
        return cast("float | None", self.get("minimum"))

    @property
    def maximum(self) -> float | None:
        """The greatest value, where it is known."""
        return cast("float | None", self.get("maximum"))

    @property
    def resolution(self) -> float | None:
        """The step of the values, where it is known."""
        return cast("float | None", self.get("resolution"))

    def __repr__(self) -> str:
        return f"<KindProperty {self.key}>"


class Kind(Record[object]):
    """A kind of source; the members are attributes too. See `kinds`."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Its name in ids: "battery"."""
        return str(self["kind"])

    @property
    def name(self) -> str:
        """Its name for people: "Battery"."""
        return str(self["name"])

    @property
    def meaning(self) -> str:
        """What it is about, in a clause."""
        return str(self["meaning"])

    @property
    def origin(self) -> str:
        """Where its values come from, in the order in which that is tried."""
        return str(self["origin"])

    @property
    def instances(self) -> str:
        """What its instances are, in the order in which they are listed."""
        return str(self["instances"])

    @property
    def has_aggregate(self) -> bool:
        """Whether one instance stands for all others."""
        return cast("bool", self["has_aggregate"])

    @property
    def default_interval(self) -> float:
        """The built-in interval of a start that names none, in seconds."""
        return cast("int", self["default_interval_ns"]) / 1e9

    @property
    def min_interval(self) -> float:
        """The shortest interval on a live machine, in seconds."""
        return cast("int", self["min_interval_ns"]) / 1e9

    @property
    def event_driven(self) -> bool:
        """Whether a change is an update, too."""
        return cast("bool", self["event_driven"])

    @property
    def category(self) -> str | None:
        """The category that must be allowed before any value is shown; None if there is none."""
        return cast("str | None", self.get("category"))

    @property
    def permits(self) -> list[str]:
        """The categories that permit actions besides showing values."""
        return list(cast("list[str]", self["permits"]))

    @property
    def simulated(self) -> list[str]:
        """The contexts it can be tried in, such as "sim:laptop"."""
        return list(cast("list[str]", self["simulated"]))

    @property
    def properties(self) -> list[KindProperty]:
        """Its properties, in the order of a reading."""
        rows = cast("list[dict[str, object]]", self["properties"])
        return [KindProperty(row) for row in rows]

    def __repr__(self) -> str:
        return f"<Kind {self.kind}>"

    def _repr_html_(self) -> str:
        columns = ("key", "unit", "meaning", "origin")
        rows = [[found.get(column, "") for column in columns] for found in self.properties]
        return html_table(f"{self.name}: {self.meaning}", columns, rows)


def kinds(kind: str | None = None) -> list[Kind]:
    """The kinds of sources there are, in catalogue order, or the one named; whether this machine
    has one or not. Raises `NotFoundError` for an unknown kind.

    >>> import gatheredkit as gk
    >>> battery = gk.kinds("battery")[0]
    >>> battery.meaning, battery.simulated
    ('charge, power and health of batteries', ['sim:laptop', 'sim:phone'])
    >>> level = battery.properties[0]
    >>> level.key, level.unit, level.minimum, level.maximum, level.mode
    ('level', '1', 0.0, 1.0, 'onChange')
    """
    out = ctypes.c_void_p()
    name = None if kind is None else encode(kind)
    check(native().gkit_kind_list(name, ctypes.byref(out)))
    return [Kind(entry) for entry in take_container(out.value)]
