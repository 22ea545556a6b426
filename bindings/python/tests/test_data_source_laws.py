"""The laws of data sources, for every store, decorator, repository and one written in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

from .data_source_laws import LAWS, Kind, Trial
from .patience import PATIENCE

FULL = frozenset({"lists", "ids", "all"})
ROWS = {
    "table": "t",
    "key": "name",
    "columns": [{"name": "name", "type": "string"}, {"name": "n", "type": "int"}],
}


class Shelf:
    """A data source written in Python, on top of another: every verb passes through its code."""

    def __init__(self, inner: gk.DataSource) -> None:
        self._inner = inner

    def get(self, query: gk.Query) -> Any:
        return self._inner.get(query)

    def get_all(self, query: gk.Query) -> Any:
        return self._inner.get_all_async(query)

    def put(self, query: gk.Query, value: Any) -> Any:
        return self._inner.put_async(query, value)

    def put_all(self, query: gk.Query, values: Any) -> Any:
        return self._inner.put_all(query, values)

    def delete(self, query: gk.Query) -> Any:
        return self._inner.delete(query)


def memory(context: gk.Context, **options: Any) -> gk.DataSource:
    return gk.DataSource("memory", context=context, **options)


def storage(path: Path, context: gk.Context, **options: Any) -> gk.DataSource:
    return gk.DataSource("storage", path=path / "s.sqlite", context=context, **options)


def as_bytes(key: str, number: int) -> bytes:
    return f"{key}={number}".encode()


def wrapped(inner: Any) -> Any:
    return {"inner": inner}


def unwrapped(outer: Any) -> Any:
    return outer["inner"]


KINDS = [
    Kind("memory", lambda path, context: memory(context), FULL),
    Kind(
        "memory of objects",
        lambda path, context: memory(context, id="name"),
        FULL | {"object"},
    ),
    Kind("storage", lambda path, context: storage(path, context), frozenset({"lists", "ids"})),
    Kind("prefix", lambda path, context: storage(path, context, layout="prefix", prefix="p"), FULL),
    Kind(
        "root",
        lambda path, context: storage(path, context, layout="root", root="r", type="dict"),
        FULL | {"until written"},
    ),
    Kind(
        "sqlite",
        lambda path, context: gk.DataSource("sqlite", path=path / "t", context=context, **ROWS),
        frozenset({"ids", "all", "object", "where"}),
    ),
    Kind(
        "files",
        lambda path, context: gk.DataSource("files", folder=path / "f", context=context),
        FULL,
        as_bytes,
    ),
    Kind(
        "plain files",
        lambda path, context: gk.DataSource(
            "files", folder=path / "f", naming="plain", context=context
        ),
        FULL,
        as_bytes,
    ),
    Kind("map", lambda path, context: memory(context).map(wrapped, unwrapped), FULL),
    Kind(
        "every decorator",
        lambda path, context: (
            memory(context)
            .cache(60)
            .retry(2)
            .validate(lambda value: True, validate_put=True)
            .log()
            .map(wrapped, unwrapped)
            .retry(1, retry_if=lambda error, attempt: True)
        ),
        FULL,
    ),
    Kind(
        "assembly",
        lambda path, context: (lambda one: gk.assemble(get=one, put=one, delete=one))(
            memory(context)
        ),
        FULL,
    ),
    Kind("repository", lambda path, context: gk.Repository(memory(context)), FULL),
    Kind(
        "repository with a cache",
        lambda path, context: gk.Repository(memory(context), storage(path, context)),
        frozenset({"lists", "ids"}),
    ),
    Kind(
        "Python",
        lambda path, context: gk.DataSource.custom(Shelf(memory(context)), context=context),
        FULL,
    ),
]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_it_obeys(kind: Kind, law: str, tmp_path: Path, no_leaks: None) -> None:
    with gk.Context("sim:empty") as context, kind.open(tmp_path, context) as source:
        getattr(Trial(kind, source), law)()


@pytest.mark.parametrize("law", LAWS)
def test_it_obeys_with_a_manual_loop(law: str, tmp_path: Path) -> None:
    for kind in KINDS:
        path = tmp_path / kind.name
        path.mkdir()
        with gk.Context("sim:empty", loop="manual") as context:
            getattr(Trial(kind, kind.open(path, context)), law)()


def test_void_has_no_verb() -> None:
    """L19"""
    void = gk.DataSource("void")
    for query in ("a", "", gk.Query.void(), gk.Query.all()):
        for call in (void.get, void.get_all, void.delete, void.delete_all):
            with pytest.raises(gk.NotImplementedVerbError):
                call(query)  # type: ignore[operator]
        with pytest.raises(NotImplementedError):
            void.put(query, 1)
        with pytest.raises(NotImplementedError):
            void.put_all(query, [])


@pytest.mark.parametrize("verb", ["get", "get_all", "put", "put_all", "delete", "delete_all"])
def test_every_verb_has_a_twin_that_does_not_wait(verb: str) -> None:
    store = gk.DataSource("memory")
    store.put_all("l", [1])
    store.put("k", 1)
    given: tuple[Any, ...] = ([2],) if verb == "put_all" else (2,) if verb == "put" else ()
    key = "l" if verb == "get_all" else "k"
    future = getattr(store, f"{verb}_async")(key, *given)
    expected = {"get": 1, "get_all": [1], "put": 2, "put_all": [2]}.get(verb)
    assert isinstance(future, gk.Future)
    assert future.wait(PATIENCE) == expected
    assert getattr(store, verb)(key, *given, timeout=PATIENCE) == expected
