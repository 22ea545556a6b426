"""The laws of data sources 2.1 and 2.2, for any data source: what it can do, and how to open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

Query = gk.Query


@dataclass
class Kind:
    """A kind of data source: how one is opened, what it can do, and the values it holds."""

    name: str
    open: Callable[[Path, gk.Context], gk.DataSource]
    can: frozenset[str] = field(default_factory=frozenset)
    value: Callable[[str, int], Any] = lambda key, number: {"n": number, "name": key}


def fails(error: type[gk.GatheredKitError]) -> AbstractContextManager[Any]:
    """A block that fails with exactly this error."""

    @contextmanager
    def block() -> Iterator[None]:
        with pytest.raises(error) as raised:
            yield
        assert type(raised.value) is error

    return block()


class Trial:
    """The laws; each is a method that tries one data source."""

    def __init__(self, kind: Kind, source: gk.DataSource) -> None:
        self.kind = kind
        self.source = source

    def value(self, key: str, number: int) -> Any:
        return self.kind.value(key, number)

    def law_1_answers(self) -> None:
        source, one = self.source, self.value("a", 1)
        assert source.put("a", one) == source.get("a") == one
        if "lists" in self.kind.can:
            values = [self.value("b", 1), self.value("b", 2)]
            assert source.put_all("b", values) == source.get_all("b") == values
        source.delete("a")
        source.put("a", one)
        source.delete_all("a")
        with fails(gk.NotFoundError):
            source.get("a")

    def law_2_one_shape_a_key(self) -> None:
        if "lists" not in self.kind.can:
            return
        source = self.source
        source.put_all("a", [self.value("a", 1)])
        source.put("a", self.value("a", 2))
        with fails(gk.NotFoundError):
            source.get_all("a")
        source.put_all("a", [self.value("a", 3)])
        with fails(gk.NotFoundError):
            source.get("a")
        source.delete("a")
        with fails(gk.NotFoundError):
            source.get_all("a")

    def law_3_absent(self) -> None:
        with fails(gk.NotFoundError):
            self.source.get("unknown")
        if "lists" in self.kind.can:
            with fails(gk.NotFoundError):
                self.source.get_all("unknown")
        self.source.delete("unknown")

    def law_4_null(self) -> None:
        one = self.value("a", 1)
        self.source.put("a", one)
        with fails(gk.InvalidArgumentError):
            self.source.put("a", None)
        assert self.source.get("a") == one

    def law_5_empty_lists(self) -> None:
        if "lists" in self.kind.can:
            assert self.source.put_all("a", []) == []
            assert self.source.get_all("a") == []

    def law_6_all_or_nothing(self) -> None:
        if "ids" not in self.kind.can:
            return
        values = [self.value("a", 1), self.value("a", 2)]
        with fails(gk.InvalidArgumentError):
            self.source.put_all(Query.ids(["a", "a"]), values)
        with fails(gk.InvalidArgumentError):
            self.source.put_all(Query.ids(["a", "b"]), values[:1])
        for key in ("a", "b"):
            with fails(gk.NotFoundError):
                self.source.get(key)

    def law_7_order_of_refusal(self) -> None:
        with fails(gk.NotSupportedError):
            self.source.put(Query.all(), None)
        with fails(gk.NotSupportedError):
            self.source.get(Query.ids([""]))
        with fails(gk.InvalidArgumentError):
            self.source.get("")

    def law_9_key_texts(self) -> None:
        one = self.value("7", 1)
        self.source.put(7, one)
        for query in ("7", 7, Query.id(7), Query.key("7"), Query(id="7")):
            assert self.source.get(query) == one
        for empty in (Query.key(""), float("nan"), float("inf"), [float("nan")]):
            with fails(gk.InvalidArgumentError):
                self.source.get(empty)
        with fails(gk.NotFoundError):
            self.source.get("07")

    def law_11_no_id_means_all(self) -> None:
        for key in ("all", "ids", "void", "*", "%", "a.b", "a%2Eb"):
            one = self.value(key, 1)
            self.source.put(key, one)
            assert self.source.get(key) == one
        with fails(gk.NotFoundError):
            self.source.get("b")

    def law_12_what_a_verb_takes(self) -> None:
        one, source = self.value("a", 1), self.source
        never = [Query.void(), Query.ids(["a"]), Query.all(), Query.page(0, 1)]
        never += [Query.time_range(0, 1)]
        for query in never:
            with fails(gk.NotSupportedError):
                source.get(query)
            with fails(gk.NotSupportedError):
                source.put(query, one)
        for query in (Query.void(), Query.page(0, 1), Query.time_range(0, 1)):
            with fails(gk.NotSupportedError):
                source.delete(query)
            with fails(gk.NotSupportedError):
                source.put_all(query, [one])
        for query in (Query.void(), Query.object(one), Query.time_range(0, 1)):
            with fails(gk.NotSupportedError):
                source.get_all(query)
        self._refuses_what_it_lacks(one)

    def _refuses_what_it_lacks(self, one: Any) -> None:
        can, source = self.kind.can, self.source
        lacking = [] if "ids" in can else [Query.ids(["a"])]
        lacking += [] if "all" in can else [Query.all(), Query.page(0, 1)]
        lacking += [] if "lists" in can else [Query.id("a"), Query.key("a")]
        lacking += [] if "where" in can else [Query.all(order_by="n")]
        for query in lacking:
            with fails(gk.NotSupportedError):
                source.get_all(query)
        if "object" not in can:
            with fails(gk.NotSupportedError):
                source.put(Query.object(one))

    def law_13_reading_ids(self) -> None:
        if "ids" not in self.kind.can:
            return
        a, b = self.value("a", 1), self.value("b", 2)
        assert self.source.put_all(Query.ids(["a", "b"]), [a, b]) == [a, b]
        assert self.source.get_all(Query.ids(["b", "a", "b"])) == [b, a, b]
        with pytest.raises(gk.NotFoundError) as raised:
            self.source.get_all(Query.ids(["x", "a", "y"]))
        assert list(raised.value.missing) == ["x", "y"]
        self.source.delete(Query.ids(["a", "b", "c"]))
        with fails(gk.NotFoundError):
            self.source.get("b")

    def law_15_all_and_16_pages(self) -> None:
        if "all" not in self.kind.can:
            return
        c, a = self.value("c", 3), self.value("a", 1)
        if "until written" not in self.kind.can:
            assert self.source.get_all(Query.all()) == []
        self.source.put("c", c)
        self.source.put("a", a)
        expected = [a, c]
        if "lists" in self.kind.can:
            expected += self.source.put_all("b", [self.value("b", 5), self.value("b", 4)])
        assert self.source.get_all(Query.all()) == expected
        self._pages(expected)
        self.source.delete(Query.all())
        with fails(gk.NotFoundError):
            self.source.get("a")

    def _pages(self, expected: list[Any]) -> None:
        for offset, limit in ((0, 1), (1, 5), (9, 2), (0, 0)):
            found = self.source.get_all(Query.page(offset, limit))
            assert found == expected[offset : offset + limit]
        assert self.source.get_all(Query.page(1)) == expected[1:]
        for offset, limit in ((-1, 1), (0, -1)):
            with fails(gk.InvalidArgumentError):
                self.source.get_all(Query.page(offset, limit))

    def law_17_object(self) -> None:
        if "object" not in self.kind.can:
            return
        one = self.value("a", 1)
        assert self.source.put(Query.object(one)) == one
        assert self.source.get(Query.object(one)) == self.source.get("a") == one
        with fails(gk.InvalidArgumentError):
            self.source.put(Query.object(one), one)
        self.source.delete(Query.object(one))
        with fails(gk.NotFoundError):
            self.source.get("a")


LAWS = [name for name in vars(Trial) if name.startswith("law_")]
