"""Queries as Python objects: data sources L11."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

import gatheredkit as gk

Query = gk.Query


@pytest.mark.parametrize(
    ("query", "kind", "members"),
    [
        (Query(), "void", {}),
        (Query.void(), "void", {}),
        (Query.id("a"), "id", {"id": "a"}),
        (Query(id=0), "id", {"id": 0}),
        (Query.ids(("a", 1)), "ids", {"ids": ["a", 1]}),
        (Query.key("t"), "key", {"key": "t"}),
        (Query.all(), "all", {}),
        (Query("all"), "all", {}),
        (Query.all(order_by="-n"), "all", {"order_by": ["-n"]}),
        (Query(where=("=", "n", 1)), "all", {"where": ["=", "n", 1]}),
        (Query.page(2), "page", {"offset": 2}),
        (Query(limit=3), "page", {"limit": 3}),
        (Query.object({"n": (1, 2)}), "object", {"value": {"n": (1, 2)}}),
        (Query.time_range(5, 9), "time", {"from_ns": 5, "to_ns": 9}),
        (
            Query.time_range(datetime(1970, 1, 1, 0, 0, 1, tzinfo=timezone.utc)),
            "time",
            {"from_ns": 1_000_000_000},
        ),
    ],
)
def test_members(query: gk.Query, kind: str, members: dict[str, object]) -> None:
    expected = {"offset": 0, **members} if kind == "page" and "limit" not in members else members
    assert (query.type, query.members) == (kind, expected)
    again = Query(query.type, **query.members)
    assert again == query
    assert again != Query.key("another")


def test_a_query_tells_its_members() -> None:
    query = Query.id("a").by("main")
    assert (query.id, query.key, query.ids, query.route) == ("a", None, None, "main")
    assert (query.value, query.where) == (None, None)
    assert repr(query) == "Query('id', id='a', route='main')"
    assert query != "a"


def test_unknown_members_and_types_are_refused() -> None:
    with pytest.raises(gk.InvalidArgumentError, match="colour"):
        Query("all", colour=1)
    store = gk.DataSource("memory")
    for bad in (Query("odd"), Query("id"), Query("object"), Query("page", offset="x")):
        with pytest.raises(gk.InvalidArgumentError):
            store.get_all(bad)
