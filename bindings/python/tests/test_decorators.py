"""Decorators: data sources L37 to L45."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE


@pytest.fixture
def loop() -> Iterator[gk.Context]:
    with gk.Context("sim:empty&clock=manual", loop="manual") as context:
        yield context


@pytest.fixture
def memory(loop: gk.Context) -> gk.DataSource:
    return gk.DataSource("memory", context=loop)


class Fragile:
    """Fails as often as told, and counts what is asked of it."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.asked: list[str] = []
        self.answer = 1

    def get(self, query: gk.Query) -> int:
        self.asked.append(f"get {query.id}")
        if self.errors:
            raise self.errors.pop(0)
        return self.answer

    def put(self, query: gk.Query, value: Any) -> Any:
        self.asked.append(f"put {query.id}")
        return value

    def delete(self, query: gk.Query) -> None:
        self.asked.append(f"delete {query.id}")
        if self.errors:
            raise self.errors.pop(0)


def test_values_are_mapped_once_each_way_in_order(memory: gk.DataSource) -> None:
    """L38"""
    calls: list[str] = []

    def out(value: int) -> int:
        calls.append(f"out {value}")
        return value + 1

    def inwards(value: int) -> int:
        calls.append(f"in {value}")
        return value - 1

    mapped = memory.map(inwards, out)
    assert mapped.put("a", 5) == 5
    assert memory.get("a") == 4
    assert mapped.put_all("b", [1, 2]) == [1, 2]
    assert calls == ["in 5", "out 4", "in 1", "in 2", "out 0", "out 1"]
    calls.clear()
    with pytest.raises(gk.InvalidArgumentError):
        mapped.put("a", None)
    mapped.delete("a")
    assert calls == []
    assert mapped.get_all("b") == [1, 2]


def test_what_a_mapper_raises(memory: gk.DataSource) -> None:
    """L38: an error of data sources is the call's, any other the cause of one."""

    def refuse(value: Any) -> Any:
        raise errors[0]

    errors: list[BaseException] = [gk.ValidationError("too hot")]
    mapped = memory.map(refuse, refuse)
    with pytest.raises(gk.ValidationError, match="too hot"):
        mapped.put("a", 1)
    with pytest.raises(gk.NotFoundError):
        memory.get("a")
    memory.put("a", 1)
    for error in (ValueError("odd"), gk.BusyError("busy"), KeyError("k"), gk.HostError("mine")):
        errors[0] = error
        with pytest.raises(gk.ParseError) as raised:
            mapped.get("a")
        assert raised.value.__cause__ is error
    bad = memory.map(lambda value: value, lambda value: object())
    with pytest.raises(gk.ParseError) as raised:
        bad.get("a")
    assert isinstance(raised.value.__cause__, gk.TypeMismatchError)


def test_what_is_read_is_checked_and_what_is_put_where_asked(memory: gk.DataSource) -> None:
    """L40"""

    def below_ten(value: int) -> bool:
        return value < 10

    read = memory.validate(below_ten)
    both = memory.validate(below_ten, validate_put=True, empty_list_is_valid=False)
    assert read.put("a", 10) == 10
    with pytest.raises(gk.ValidationError) as raised:
        read.get("a")
    assert raised.value.__cause__ is None
    with pytest.raises(gk.ValidationError):
        both.put("b", 10)
    with pytest.raises(gk.NotFoundError):
        memory.get("b")
    read.put_all("c", [1, 10])
    with pytest.raises(gk.ValidationError):
        read.get_all("c")
    memory.put_all("e", [])
    assert read.get_all("e") == []
    with pytest.raises(gk.ValidationError):
        both.get_all("e")

    def fall_over(value: Any) -> bool:
        raise RuntimeError("no idea")

    with pytest.raises(gk.ValidationError) as raised:
        memory.validate(fall_over).get("a")
    assert isinstance(raised.value.__cause__, RuntimeError)


def test_parts_are_assembled(memory: gk.DataSource, loop: gk.Context) -> None:
    """L41"""
    other = gk.DataSource("memory", context=loop)
    split = gk.assemble(memory, other)
    split.put("a", 1)
    assert other.get("a") == 1
    with pytest.raises(gk.NotFoundError):
        split.get("a")
    with pytest.raises(gk.NotImplementedVerbError):
        split.delete("a")
    with pytest.raises(gk.InvalidArgumentError):
        gk.assemble()
    with gk.Context("sim:empty") as elsewhere, pytest.raises(gk.InvalidArgumentError):
        gk.assemble(memory, gk.DataSource("memory", context=elsewhere))


def test_failed_calls_are_made_again(loop: gk.Context) -> None:
    """L42"""
    fragile = Fragile(OSError("one"), OSError("two"))
    source = gk.DataSource.custom(fragile, context=loop)
    assert source.retry(5).get("k") == 1
    assert len(fragile.asked) == 3
    fragile.errors = [OSError(str(number)) for number in range(9)]
    with pytest.raises(gk.FailedError, match="2"):
        source.retry(2).get("k")
    asked: list[Any] = []

    def decide(error: gk.GatheredKitError, attempt: int) -> bool:
        asked.append((type(error), str(error.__cause__), attempt))
        return attempt < 2

    fragile.errors = [ValueError("x"), OSError("y")]
    with pytest.raises(gk.FailedError):
        source.retry(5, retry_if=decide).delete("k")
    assert asked == [(gk.HostError, "x", 1), (gk.FailedError, "y", 2)]
    fragile.errors, fragile.asked = [gk.CancelledError("off")] * 3, []
    with pytest.raises(gk.CancelledError):
        source.retry(5).get("k")
    assert len(fragile.asked) == 1
    for bad in ({"retries": -1}, {"delay": -1.0}, {"jitter": 2.0}):
        with pytest.raises(gk.InvalidArgumentError):
            source.retry(**bad)


def test_a_failing_condition_does_not_agree(loop: gk.Context, unraisable: list[Any]) -> None:
    source = gk.DataSource.custom(Fragile(OSError("one")), context=loop)
    with pytest.raises(gk.FailedError, match="one"):
        source.retry(5, retry_if=lambda error, attempt: 1 / 0).get("k")
    assert [type(each.exc_value) for each in unraisable] == [ZeroDivisionError]


def test_pauses_are_by_the_clock(loop: gk.Context) -> None:
    """L42"""
    fragile = Fragile(OSError("one"), OSError("two"), OSError("three"))
    source = gk.DataSource.custom(fragile, context=loop)
    future = source.retry(3, delay=1.0, factor=3.0, max_delay=2.0).get_async("k")
    counts = []
    for moment in (0.999, 1.0, 2.999, 3.0, 4.999, 5.0):
        loop.seek(moment)
        counts.append(len(fragile.asked))
    assert counts == [1, 2, 2, 3, 3, 4]
    assert future.wait(0) == 1


def test_answers_are_served_again_until_they_are_too_old(loop: gk.Context) -> None:
    """L43, L44"""
    fragile = Fragile()
    source = gk.DataSource.custom(fragile, context=loop)
    for cache in (source.cache(1.0), source.cache(expiry_ns=1_000_000_000, capacity=8)):
        fragile.asked, start = [], loop.position
        assert cache.get("k") == cache.get("k") == 1
        loop.seek(start + 0.999999999)
        assert cache.get("k") == 1
        assert fragile.asked == ["get k"]
        loop.seek(start + 1)
        assert cache.get("k") == 1
        assert fragile.asked == ["get k", "get k"]
        cache.put("k", 9)
        assert cache.get("k") == 9
        cache.delete("k")
        assert cache.get("k") == 1
    with pytest.raises(gk.InvalidArgumentError):
        source.cache(-1.0)
    with pytest.raises(gk.InvalidArgumentError):
        source.cache(1.0, expiry_ns=1)


def test_reads_that_overlap_share_one_call(loop: gk.Context) -> None:
    """L43"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    asked: list[str] = []

    def get(query: gk.Query) -> gk.Future[int]:
        asked.append(query.id)
        return promise.future

    cache = gk.DataSource.custom(get=get, context=loop).cache(10)
    both = gk.Future.batch([cache.get_async("k"), cache.get_async("k")])
    promise.resolve(3)
    assert both.wait(PATIENCE) == [3, 3]
    assert asked == ["k"]


def test_calls_are_logged_without_values(
    memory: gk.DataSource, caplog: pytest.LogCaptureFixture
) -> None:
    """L45"""
    gk.enable_logging(gk.LogLevel.INFO)
    try:
        with caplog.at_level(logging.INFO):
            memory.log().put("a", "secret")
            memory.log(logs_values=True).put("b", "plain to see")
    finally:
        gk.disable_logging()
    assert "put id a: object" in caplog.text
    assert "secret" not in caplog.text
    assert "put id b plain to see: plain to see" in caplog.text
    with pytest.raises(gk.FailedError):
        memory.log(failure_share=1.0, seed=7).get("a")


def test_decorators_keep_what_they_decorate(loop: gk.Context) -> None:
    """L37"""
    nested = gk.DataSource("memory", context=loop).map(int, str).retry(1).cache().log()
    assert nested.put("a", "07") == "7"
    assert repr(nested) == "<DataSource log of cache of retry of map of memory>"
    for query in (gk.Query.void(), gk.Query.all()):
        with pytest.raises(gk.NotSupportedError):
            nested.get(query)
    with nested as same:
        assert same.get("a") == "7"
    with pytest.raises(gk.ClosedError):
        nested.get("a")
    with pytest.raises(gk.ClosedError):
        nested.map(str, str)
    assert "closed" in repr(nested)
