"""Graphs: patches that hold others, and can be saved, checked, loaded and drawn."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from json import loads as parse
from pathlib import Path

from ._abi import take_container
from ._errors import (
    GraphError,
    InvalidArgumentError,
    NotFoundError,
    unknown_key,
)
from ._event_loop import EventLoop, chosen
from ._graph_picture import picture
from ._handles import address_of
from ._library import encode, last_error, native, taken
from ._native import Status
from ._patch import Patch, Port
from ._patch_types import collected, failure, introduce, is_own, make
from ._records import Document, Problem


class Graph(Patch, Mapping[str, Patch]):
    """A patch that holds named children: a mapping of them, and a context manager that lets them
    go in the end.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context, gk.Graph(context=context) as g:
    ...     norm, tap = g.add("norm"), g.add("threshold", above=12.0)
    ...     _ = norm.out["value"] >> tap.inputs["value"]
    ...     _ = tap.out["state"].subscribe(print)
    ...     norm.inputs["vector"].value = gk.Vector(9, 12)
    ...     list(g)
    True
    ['norm', 'threshold']
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __init__(self, *, context: EventLoop | None = None) -> None:
        super().__init__("graph", context=context)

    def _prepare(self) -> None:
        super()._prepare()
        self._children: dict[str, Patch] = {}
        # Where it stands in the document it was loaded from, and the patches written in Python
        # that were made for it, by their places.
        self._place: tuple[str, ...] = ()
        self._made: dict[tuple[str, ...], Patch] = {}

    # Children.

    def add(self, patch: str | Patch, /, name: str | None = None, **options: object) -> Patch:
        """Puts a patch in, made of a type and its options if need be, and returns it. Its name is
        the type where none is given, with a number if that is taken.

        Raises `ExistsError` (the name, or in a graph already), `InvalidArgumentError` (a bad name
        or option), `NotFoundError` (no such type).
        """
        child = self._new(patch, options) if isinstance(patch, str) else patch
        if child is patch and options:
            raise InvalidArgumentError("options are for a patch that is made here")
        given = None if name is None else encode(name)
        self.check(native().gkit_patch_add(self.address, given, address_of(child)))
        self._children[child.name or ""] = child
        return child

    def _new(self, kind: str, options: dict[str, object]) -> Patch:
        address, made = make(self.context, kind, options)
        if isinstance(made, Patch):
            native().gkit_release(address)
            return made
        return self._child(address, kind)

    def remove(self, name: str) -> None:
        """Takes a child out: its wires in the graph are cut, the ports it lent withdrawn.

        Raises `NotFoundError`.
        """
        self.check(native().gkit_patch_remove(self.address, encode(name)))
        self._children.pop(name, None)
        self._made.pop((*self._place, name), None)

    def offer(
        self,
        name: str,
        port: Port | None = None,
        *,
        input: str | None = None,
        output: str | None = None,
    ) -> None:
        """Offers a port of a child as one of the graph's own: the port itself, or a reference
        "child.port" as `input` or `output`.

        Raises `NotFoundError`, `ExistsError`, `InvalidArgumentError` (a bad name).
        """
        if (port is not None) + (input is not None) + (output is not None) != 1:
            raise InvalidArgumentError("give a port, or `input`, or `output`")
        is_output = output is not None
        reference = output or input or ""
        if port is not None:
            is_output = port.is_output
            reference = f"{port.patch.name}.{port.name}"
        function = native().gkit_patch_offer
        self.check(function(self.address, encode(name), encode(reference), is_output))

    def __getitem__(self, name: str) -> Patch:
        found = self._children.get(name)
        if found is not None and not found.closed:
            return found
        out = ctypes.c_void_p()
        try:
            function = native().gkit_patch_find
            self.check(function(self.address, encode(name), ctypes.byref(out)))
        except NotFoundError:
            raise unknown_key("patch", name, self) from None
        address, place = out.value or 0, (*self._place, name)
        child = self._made.get(place)
        if child is not None:
            native().gkit_release(address)
        else:
            child = self._child(address, place=place)
        self._children[name] = child
        return child

    def _child(
        self, address: int, kind: str | None = None, *, place: tuple[str, ...] = ()
    ) -> Patch:
        """The wrapper of a patch the library made: a graph is a `Graph`."""
        made = Patch.wrapping(self.context, address)
        if (kind or made.type) != "graph":
            return made
        graph = Graph.wrapping(self.context, native().gkit_retain(address) or 0)
        graph.stand(place, self._made if place else {})
        made.close()
        return graph

    def stand(self, place: tuple[str, ...], made: dict[tuple[str, ...], Patch]) -> None:
        """Says where it stands in a document, and what was made for it in Python."""
        self._place, self._made = place, made

    def __delitem__(self, name: str) -> None:
        self.remove(name)

    def __iter__(self) -> Iterator[str]:
        return iter([child["name"] for child in self.info["children"]])

    def __len__(self) -> int:
        return len(self.info["children"])

    def __bool__(self) -> bool:
        return True

    # Text.

    def to_json(self) -> str:
        """The document: the same graph always gives the same text.

        Raises `InvalidArgumentError` for a child or wire that cannot be saved, which it names.
        """
        return self._exported("json")

    def to_dot(self) -> str:
        """A drawing for Graphviz."""
        return self._exported("dot")

    def to_mermaid(self) -> str:
        """A drawing for Mermaid."""
        return self._exported("mermaid")

    def _exported(self, form: str) -> str:
        out = ctypes.c_void_p()
        self.check(native().gkit_patch_export(self.address, encode(form), ctypes.byref(out)))
        return taken(out.value)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file. Raises as `to_json`, and `OSError`."""
        Path(path).write_text(self.to_json(), "utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, context: EventLoop | None = None) -> Graph:
        """Builds the graph of a file. Raises as `from_json`, and `OSError`."""
        return cls.from_json(Path(path).read_bytes(), context=context)

    @classmethod
    def from_json(cls, text: str | bytes, *, context: EventLoop | None = None) -> Graph:
        """Builds the graph of a document: all or nothing.

        Raises `GraphError` with all `problems`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     try:
        ...         gk.Graph.from_json("{}", context=context)
        ...     except gk.GraphError as error:
        ...         print(bool(error.problems))
        True
        """
        owner = chosen(context)
        owner.ensure_loop()
        out = ctypes.c_void_p()
        failure()
        with collected() as made:
            status, problems = _check(owner, text, ctypes.byref(out))
        if status < 0:
            _refuse(owner, status, problems)
        graph = cls.wrapping(owner, out.value or 0)
        # The library makes the patches of a document in its order; before that it may have made
        # some to see what ports they have.
        places = list(_own_places(parse(text)))
        own = [each for each in made[len(made) - len(places) :] if isinstance(each, Patch)]
        graph.stand((), dict(zip(places, own, strict=True)))
        return graph

    def close(self) -> None:
        """Ends the graph: its own subscriptions and those of its children, which are let go."""
        for child in list(self._children.values()):
            child.close()
        self._children.clear()
        self._made = {}
        super().close()

    def __repr__(self) -> str:
        if self.address is None or self.context.closed:
            return "<Graph closed>"
        return f"<Graph {', '.join(self) or 'empty'}>"

    def _repr_html_(self) -> str:
        """A drawing of the patches and their wires."""
        if self.address is None or self.context.closed:
            return "<p>a closed graph</p>"
        return picture(self.to_dot())


def graph_problems(json: str | bytes, *, context: EventLoop | None = None) -> list[Problem]:
    """What is wrong with a document, without building anything; empty for a sound one.

    >>> import gatheredkit as gk
    >>> [problem.code for problem in gk.graph_problems("[")]
    ['malformed']
    """
    owner = chosen(context)
    status, problems = _check(owner, json, None)
    if status < 0 and status not in (Status.PARSE, Status.VALIDATION):
        owner.check(status)
    return problems


def _check(context: EventLoop, text: str | bytes, out: object) -> tuple[int, list[Problem]]:
    introduce(context)
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    found = ctypes.c_void_p()
    function = native().gkit_patch_from_json
    status = function(address_of(context), data, len(data), out, ctypes.byref(found))
    error = last_error(status) if status < 0 else None
    problems = [Problem(entry) for entry in take_container(found.value)] if found.value else []
    if error is not None and not problems:
        context.check(status)
    return status, problems


def _refuse(context: EventLoop, status: int, problems: list[Problem]) -> None:
    if status not in (Status.PARSE, Status.VALIDATION):
        context.check(status)
    text = "; ".join(f"{problem.pointer}: {problem.message}" for problem in problems)
    cause = failure()
    raise GraphError(text or "not a graph", code=Status(status), problems=problems) from cause


def _own_places(document: Document, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of the patches of a document whose types are written in Python, in its order."""
    for child in document.get("patches") or ():
        place = (*above, child["name"])
        if child["type"] == "graph":
            yield from _own_places(child.get("graph") or {}, place)
        elif is_own(child["type"]):
            yield place
