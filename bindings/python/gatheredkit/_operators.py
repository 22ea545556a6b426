"""The operators of streams as the library lists them."""

from __future__ import annotations

import ctypes
from typing import Literal, TypeAlias, cast

from ._abi import take_container
from ._library import check, native
from ._records import NamedPort, Record
from ._values import Value

By: TypeAlias = Literal["apply", "combine"]
Collection: TypeAlias = Literal["list", "set"]
Need: TypeAlias = Literal["required", "exactlyOne", "atLeastOne"]


class ListedOption(NamedPort):
    """What every option of an operator has."""

    required: bool


class OperatorOption(ListedOption, total=False):
    """An option of an operator; what it has no `unit`, bounds or default for is not there."""

    unit: str
    least: int | float
    most: int | float
    default: Value


class Operator(Record[object]):
    """An operator of streams, and how it is called. See `operators`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return str(self["name"])

    @property
    def summary(self) -> str:
        """The values it sends, in one line."""
        return str(self.get("summary") or "")

    @property
    def by(self) -> By:
        """The function of C that takes the name: "apply", which is `Stream.apply`, or "combine",
        which are `merge`, `combine`, and the arithmetic and comparisons of streams."""
        return cast("By", self["by"])

    @property
    def least_inputs(self) -> int:
        """How many streams it takes at least."""
        return cast("int", self["least_inputs"])

    @property
    def most_inputs(self) -> int | None:
        """How many streams it takes at most; None is any number."""
        return cast("int | None", self.get("most_inputs"))

    @property
    def needs_observable(self) -> bool:
        """Whether it needs a stream that holds a value."""
        return cast("bool", self["needs_observable"])

    @property
    def collections(self) -> list[Collection]:
        """Of which type the streams must be: "list" is that of `ObservableList`, "set" that of
        `ObservableSet`. Empty where that may be any."""
        return list(cast("list[Collection]", self.get("collections") or ()))

    @property
    def need(self) -> Need:
        """Which options must be given: each that is "required", or of all of them "exactlyOne" or
        "atLeastOne"."""
        return cast("Need", self["need"])

    @property
    def options(self) -> list[OperatorOption]:
        """Its options: name, hint, required, and unit, least, most and default where there is one.
        A duration has the unit "ns" and a name that ends in `_ns`; without that ending
        `Stream.apply` takes it in seconds."""
        return list(cast("list[OperatorOption]", self.get("options") or ()))

    def __repr__(self) -> str:
        return f"<Operator {self.name}>"


def operators() -> list[Operator]:
    """The operators of streams there are: those of one stream, then those of several.

    >>> import gatheredkit as gk
    >>> [found.summary for found in gk.operators() if found.name == "debounce"]
    ['the newest value once none has come for that long']
    """
    out = ctypes.c_void_p()
    check(native().gkit_stream_list_operators(ctypes.byref(out)))
    return [Operator(entry) for entry in take_container(out.value)]
