"""What the library sends as a dict, with its members as attributes too."""

from __future__ import annotations

from typing import Generic, TypeVar

from ._values import Data

T = TypeVar("T")


class Record(dict[str, Data]):
    """A dict whose members are attributes too."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.items())})"


class Change(Record, Generic[T]):
    """What a transaction made of a value: `changes` sends one for each.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     level = gk.Variable(1, context=context)
    ...     _ = level.changes.subscribe(print)
    ...     level.value = 2
    Change(old=1, new=2)
    """

    __slots__ = ()

    def __init__(self, old: T, new: T) -> None:
        super().__init__(old=old, new=new)

    @property
    def old(self) -> T:
        """The value before the transaction."""
        old: T = self["old"]
        return old

    @property
    def new(self) -> T:
        """The value after it."""
        new: T = self["new"]
        return new


class ValueUpdate(Record, Generic[T]):
    """A step of a transaction: `kind` is "begin", "change" or "end"; only a change has an `old`
    and a `new`, which are None otherwise. `updates` sends them.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     level = gk.Variable(1, context=context)
    ...     _ = level.updates.subscribe(lambda update: print(update.kind, update.new))
    ...     level.value = 2
    begin None
    change 2
    end None
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """ "begin", "change" or "end"."""
        return str(self["kind"])

    @property
    def old(self) -> T | None:
        """The value before the change."""
        return self.get("old")

    @property
    def new(self) -> T | None:
        """The value after the change."""
        return self.get("new")


class PatchError(Record):
    """A failure inside a patch: `Patch.errors` sends them.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     norm = gk.Patch("norm", context=context)
    ...     _ = norm.errors.subscribe(lambda error: print(error.port))
    ...     try:
    ...         norm.inputs["vector"].value = "north"
    ...     except TypeError:
    ...         pass
    vector
    """

    __slots__ = ()

    @property
    def port(self) -> str:
        """The port it happened at."""
        return str(self.get("port") or "")

    @property
    def code(self) -> str:
        """What kind of failure it was: "typeMismatch", "handlerFailed", "cascadeLimit" ..."""
        return str(self.get("code") or "")

    @property
    def message(self) -> str:
        """One plain sentence."""
        return str(self.get("message") or "")

    @property
    def status(self) -> int:
        """What a call answers in C that fails so; of a handler, what it answered itself."""
        return int(self.get("status") or 0)


class Problem(Record):
    """What is wrong with a graph document: see `graph_problems`."""

    __slots__ = ()

    @property
    def code(self) -> str:
        """The kind of problem: "unknownPort", "badOption" ..."""
        return str(self.get("code") or "")

    @property
    def pointer(self) -> str:
        """A JSON pointer to the place, or line and column."""
        return str(self.get("pointer") or "")

    @property
    def message(self) -> str:
        """One plain sentence."""
        return str(self.get("message") or "")

    @property
    def nearest(self) -> str | None:
        """The nearest known name, for names."""
        return self.get("nearest")


class PatchType(Record):
    """A type of patch: its ports and options, each a dict. See `patch_types`."""

    __slots__ = ()

    @property
    def type(self) -> str:
        """Its name in `Patch`, `Graph.add` and documents."""
        return str(self["type"])

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return str(self.get("summary") or "")

    @property
    def inputs(self) -> list[Data]:
        """Its inputs: name, hint, unit."""
        return list(self.get("inputs") or ())

    @property
    def outputs(self) -> list[Data]:
        """Its outputs: name, hint, unit."""
        return list(self.get("outputs") or ())

    @property
    def options(self) -> list[Data]:
        """Its options; each is also an input unless it is fixed."""
        return list(self.get("options") or ())

    def __repr__(self) -> str:
        return f"<PatchType {self.type}>"
