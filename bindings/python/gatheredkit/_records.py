"""What the library sends as a dict, with its members as attributes too."""

from __future__ import annotations

from typing import Generic, TypedDict, TypeVar, cast

from ._values import Value

T = TypeVar("T")


class NamedPort(TypedDict):
    """What every port has."""

    name: str
    hint: str


class PortDescription(NamedPort, total=False):
    """An input or output of a type of patch; `unit` is there where it has one."""

    unit: str


class OptionDescription(PortDescription, total=False):
    """An option of a type of patch; a `fixed` one is no input."""

    default: Value
    fixed: bool


class PortInfo(NamedPort, total=False):
    """A port of a patch; inputs also say whether and how they are wired, and count errors."""

    wired: bool
    feedback: bool
    errors: int


class ChildInfo(TypedDict):
    """A patch in a graph."""

    name: str
    type: str


class PatchInfo(TypedDict):
    """A patch as the library describes it."""

    type: str
    name: str
    inputs: list[PortInfo]
    outputs: list[PortInfo]
    children: list[ChildInfo]


class Document(TypedDict, total=False):
    """A graph document, as far as it names patches."""

    patches: list[Child]


class NamedChild(TypedDict):
    """What every patch of a document has."""

    name: str
    type: str


class Child(NamedChild, total=False):
    """A patch of a document; a graph also has a document."""

    graph: Document


class InstanceReport(TypedDict):
    """An instance of a kind as the library reports it; words are in camel case."""

    id: str
    kind: str
    name: str
    label: str
    backend: str
    availability: str
    reason: str
    detail: str
    errno: int
    remedy: str


class KindReport(TypedDict):
    """A kind as the doctor reports it."""

    kind: str
    name: str
    backend: str
    availability: str
    reason: str
    detail: str
    errno: int
    remedy: str
    instances: list[InstanceReport]


class MechanismReport(TypedDict):
    """A mechanism of the system as the doctor reports it."""

    name: str
    version: str
    reason: str
    remedy: str


class ReportMembers(TypedDict):
    """The doctor's findings as plain dicts and lists."""

    version: str
    kinds: list[KindReport]
    mechanisms: list[MechanismReport]


class ExplanationMembers(TypedDict, total=False):
    """An explanation as the library gives it."""

    status: str
    reason: str
    remedy: str
    place: str
    clock: str
    errno: int
    raw: str | bytes | None


class Record(dict[str, T], Generic[T]):
    """A dict whose members are attributes too."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.items())})"


class Change(Record[T]):
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
        return self["old"]

    @property
    def new(self) -> T:
        """The value after it."""
        return self["new"]


class ValueUpdate(Record[object], Generic[T]):
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
        return cast("T | None", self.get("old"))

    @property
    def new(self) -> T | None:
        """The value after the change."""
        return cast("T | None", self.get("new"))


class PatchError(Record[Value]):
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
        found = self.get("status")
        return found if isinstance(found, int) else 0


class Problem(Record[Value]):
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
        found = self.get("nearest")
        return found if isinstance(found, str) else None


class PatchType(Record[object]):
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
    def inputs(self) -> list[PortDescription]:
        """Its inputs: name, hint, unit."""
        return list(cast("list[PortDescription]", self.get("inputs") or ()))

    @property
    def outputs(self) -> list[PortDescription]:
        """Its outputs: name, hint, unit."""
        return list(cast("list[PortDescription]", self.get("outputs") or ()))

    @property
    def options(self) -> list[OptionDescription]:
        """Its options; each is also an input unless it is fixed."""
        return list(cast("list[OptionDescription]", self.get("options") or ()))

    def __repr__(self) -> str:
        return f"<PatchType {self.type}>"
