"""Repositories: data sources L46 to L49."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE


class Mock:
    """A store in Python that notes what is asked, and fails as told."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self.log = log
        self.entries: dict[str, Any] = {}
        self.error: BaseException | None = None

    def _note(self, verb: str) -> None:
        self.log.append(f"{self.name} {verb}")
        if self.error is not None:
            raise self.error

    def get(self, query: gk.Query) -> Any:
        self._note("get")
        return self.entries[query.id]

    def put(self, query: gk.Query, value: Any) -> Any:
        self._note("put")
        self.entries[query.id] = value
        return value

    def delete(self, query: gk.Query) -> None:
        self._note("delete")
        self.entries.pop(query.id, None)


class Bench:
    """A repository of two mocks; values from 10 on are not valid in its cache."""

    def __init__(self, context: gk.Context, agrees: bool = False) -> None:
        self.log: list[str] = []
        self.main, self.cache = Mock("main", self.log), Mock("cache", self.log)
        self.judged: list[Any] = []

        def fallback(main: Exception, cache: Exception | None) -> bool:
            self.judged.append((type(main), type(cache)))
            return agrees

        self.repository = gk.Repository(
            gk.DataSource.custom(self.main, context=context),
            gk.DataSource.custom(self.cache, context=context),
            valid=lambda value: value < 10,
            fallback=fallback,
        )

    def taken(self) -> list[str]:
        taken, self.log[:] = list(self.log), []
        return taken


@pytest.fixture
def loop() -> Iterator[gk.Context]:
    with gk.Context("sim:empty", loop="manual") as context:
        yield context


READS = [
    ("main", ["main get"]),
    ("main_sync", ["main get", "cache put"]),
    ("cache_sync", ["cache get", "main get", "cache put"]),
    ("default", ["cache get", "main get", "cache put"]),
    (None, ["cache get", "main get", "cache put"]),
]


@pytest.mark.parametrize(("operation", "asked"), READS)
def test_reads_by_operation(loop: gk.Context, operation: Any, asked: list[str]) -> None:
    """2.5, L47"""
    bench = Bench(loop)
    bench.main.entries["k"] = 7
    assert bench.repository.get("k", operation=operation) == 7
    assert bench.taken() == asked
    bench.main.entries["k"] = 8
    found = bench.repository.get_async("k", operation=operation).wait(PATIENCE)
    is_cached = operation in ("cache_sync", "default", None)
    assert (found, bench.taken()) == ((7, ["cache get"]) if is_cached else (8, asked))


WRITES = [
    ("main", ["main"]),
    ("cache", ["cache"]),
    ("cache_ignoring_validity", ["cache"]),
    ("main_sync", ["main", "cache"]),
    ("cache_sync", ["cache", "main"]),
    ("default", ["main", "cache"]),
    (None, ["main", "cache"]),
]


@pytest.mark.parametrize(("operation", "order"), WRITES)
def test_writes_by_operation(loop: gk.Context, operation: Any, order: list[str]) -> None:
    """2.5, L48"""
    bench = Bench(loop)
    repository = bench.repository
    assert repository.put("k", 3, operation=operation) == 3
    assert bench.taken() == [f"{name} put" for name in order]
    repository.delete("k", operation=operation)
    repository.delete_all(gk.Query.id("k"), operation=operation)
    assert bench.taken() == [f"{name} delete" for name in order] * 2
    first, *others = (getattr(bench, name) for name in order)
    first.error = OSError("refused")
    with pytest.raises(gk.FailedError) as raised:
        repository.put_async("k", 4, operation=operation).wait(PATIENCE)
    assert bench.taken() == [f"{order[0]} put"]
    assert list(raised.value.completed) == []
    if others:
        first.error, others[0].error = None, OSError("refused")
        with pytest.raises(gk.FailedError) as raised:
            repository.put("k", 4, operation=operation)
        assert list(raised.value.completed) == [order[0]]


def test_the_cache_alone(loop: gk.Context) -> None:
    bench = Bench(loop)
    with pytest.raises(gk.NotFoundError):
        bench.repository.get("k", operation="cache")
    bench.cache.entries["k"] = 12
    with pytest.raises(gk.ValidationError):
        bench.repository.get("k", operation="cache")
    assert bench.repository.get("k", operation="cache_ignoring_validity") == 12
    assert set(bench.taken()) == {"cache get"}
    with pytest.raises(gk.InvalidArgumentError):
        bench.repository.get("k", operation="odd")  # type: ignore[arg-type]
    with pytest.raises(gk.InvalidArgumentError):
        bench.repository.get(gk.Query.id("k").by("odd"))
    assert bench.taken() == []


@pytest.mark.parametrize(
    ("error", "is_miss"),
    [
        (KeyError("k"), True),
        (gk.ValidationError("old"), True),
        (gk.ParseError("damaged"), True),
        (OSError("down"), False),
        (TimeoutError("slow"), False),
        (RuntimeError("bug"), False),
    ],
)
def test_misses(loop: gk.Context, error: BaseException, is_miss: bool) -> None:
    """L46"""
    bench = Bench(loop)
    bench.main.entries["k"], bench.cache.error = 7, error
    if is_miss:
        # The cache that cannot be refreshed is told to the log only (L48).
        assert bench.repository.get("k") == 7
        assert bench.taken() == ["cache get", "main get", "cache put"]
    else:
        with pytest.raises(gk.GatheredKitError) as raised:
            bench.repository.get("k")
        assert raised.value.__cause__ is error
        assert bench.taken() == ["cache get"]


@pytest.mark.parametrize("agrees", [False, True])
@pytest.mark.parametrize("is_stale", [False, True])
def test_falling_back(loop: gk.Context, agrees: bool, is_stale: bool) -> None:
    """L49"""
    bench = Bench(loop, agrees)
    bench.main.error = OSError("down")
    if is_stale:
        bench.cache.entries["k"] = 12
    missed = gk.ValidationError if is_stale else gk.NotFoundError
    if agrees and is_stale:
        assert bench.repository.get("k", operation="cache_sync") == 12
    else:
        with pytest.raises(gk.GatheredKitError) as raised:
            bench.repository.get("k", operation="cache_sync")
        error = raised.value
        if agrees:
            assert type(error) is gk.NotFoundError
            assert [type(cause) for cause in error.causes] == [gk.FailedError, gk.NotFoundError]
            chain, seen = error.__cause__, []
            while chain is not None:
                seen.append(type(chain))
                chain = chain.__cause__
            assert gk.FailedError in seen
            assert gk.NotFoundError in seen
        else:
            assert type(error) is gk.FailedError
            assert missed in [type(cause) for cause in error.causes]
    assert bench.judged == [(gk.FailedError, missed)]
    # Only `cache_sync` asks (2.5).
    with pytest.raises(gk.FailedError):
        bench.repository.get("k")
    assert len(bench.judged) == 1


def test_without_a_cache_the_operation_does_not_matter(loop: gk.Context) -> None:
    memory = gk.DataSource("memory", context=loop)
    alone = gk.Repository(memory)
    for operation in ("main", "cache", "cache_sync", "default"):
        alone.put("k", operation, operation=operation)
        assert alone.get("k", operation=operation) == operation
    assert alone.put_all("l", [1], operation="main") == [1]
    assert alone.get_all("l", operation="cache") == [1]
    assert alone.put_all_async("l", [2], operation="main").wait(PATIENCE) == [2]
    assert alone.get_all_async("l", operation="main").wait(PATIENCE) == [2]
    assert alone.delete_async("l", operation="main").wait(PATIENCE) is None
    assert alone.delete_all_async("k", operation="main").wait(PATIENCE) is None
    assert repr(alone) == "<Repository of memory>"


def test_lists_are_judged_item_by_item(loop: gk.Context) -> None:
    """L50, as L40"""
    main, cache = (gk.DataSource("memory", context=loop) for _ in range(2))
    main.put_all("l", [1])
    cache.put_all("l", [])
    assert gk.Repository(main, cache, valid=bool).get_all("l") == []
    strict = gk.Repository(main, cache, valid=bool, empty_list_is_valid=False)
    assert strict.get_all("l") == [1]
    cache.put_all("l", [1, 0])
    assert strict.get_all("l") == [1]
    assert cache.get_all("l") == [1]
