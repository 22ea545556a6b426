"""Futures made of others: data sources L55, L56, L59 and L61."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks

from .patience import PATIENCE


@pytest.fixture
def loop() -> Iterator[gk.Context]:
    with gk.Context("sim:empty&clock=manual", loop="manual") as context:
        yield context


def resolved(loop: gk.Context, value: Any) -> gk.Future[Any]:
    promise: gk.Promise[Any] = gk.Promise(context=loop)
    if isinstance(value, BaseException):
        promise.fail(value)
    else:
        promise.resolve(value)
    return promise.future


def test_steps_on_success_and_on_failure(loop: gk.Context) -> None:
    """L55"""
    one, failed = resolved(loop, 1), resolved(loop, KeyError("k"))
    called: list[Any] = []
    assert one.map(lambda value: value + 1).wait() == 2
    assert one.flat_map(lambda value: resolved(loop, [value])).wait() == [1]
    assert one.filter(lambda value: value > 0).wait() == 1
    assert one.map_error(lambda error: KeyError(str(error))).wait() == 1
    assert one.recover(lambda error: 0).wait() == 1
    with pytest.raises(gk.ValidationError):
        one.filter(lambda value: value > 1).wait()
    with pytest.raises(gk.TypeMismatchError):
        one.flat_map(lambda value: value).wait()
    for step in (failed.map, failed.flat_map, failed.filter):
        with pytest.raises(KeyError):
            step(called.append).wait()  # type: ignore[arg-type]
    assert called == []
    with pytest.raises(OSError, match="mine"):
        failed.map_error(lambda error: OSError("mine")).wait()
    assert failed.recover(lambda error: 7).wait() == 7


def test_a_thrown_error_skips_the_steps_that_want_a_value(loop: gk.Context) -> None:
    """L55"""
    called: list[Any] = []
    chain = resolved(loop, 0).map(lambda value: 1 / value).map(called.append)
    assert chain.recover(lambda error: type(error).__name__).wait() == "ZeroDivisionError"
    assert called == []
    seen: list[Any] = []
    chain.on_completion(lambda value, error: seen.append((value, type(error))))
    assert seen == [(None, ZeroDivisionError)]


def test_recovering_from_a_code_leaves_other_errors_alone(loop: gk.Context) -> None:
    """L55"""
    store = gk.DataSource("memory", context=loop)
    missing = store.get_async("unknown")
    assert missing.recover(lambda error: 1, gk.Status.NOT_FOUND).wait() == 1
    assert missing.recover(lambda error: 2, code=gk.NotFoundError).wait() == 2
    for other in (gk.Status.IO, gk.FailedError):
        with pytest.raises(gk.NotFoundError):
            missing.recover(lambda error: 1, code=other).wait()


def test_a_batch_keeps_the_order_given(loop: gk.Context) -> None:
    """L56"""
    promises: list[gk.Promise[int]] = [gk.Promise(context=loop) for _ in range(3)]
    whole = gk.Future.batch(promise.future for promise in promises)
    for place in (2, 0, 1):
        assert not whole.done
        promises[place].resolve(place)
    assert whole.wait(0) == [0, 1, 2]
    assert gk.Future.batch([], context=loop).wait(0) == []
    assert gk.Future.batch([]).wait(PATIENCE) == []


def test_a_batch_fails_with_the_first_failure_once(loop: gk.Context) -> None:
    """L56"""
    promises: list[gk.Promise[int]] = [gk.Promise(context=loop) for _ in range(3)]
    whole = gk.Future.batch([promise.future for promise in promises])
    heard: list[Any] = []
    whole.fail(heard.append)
    first = ValueError("first")
    promises[1].fail(first)
    promises[0].fail(ValueError("second"))
    promises[2].resolve(1)
    assert heard == [first]


def test_cancelling_a_batch_cancels_its_parts(loop: gk.Context) -> None:
    """L59"""
    promises: list[gk.Promise[int]] = [gk.Promise(context=loop) for _ in range(2)]
    whole = gk.Future.batch([promise.future for promise in promises])
    promises[1].future.then(lambda value: None)
    whole.cancel()
    assert promises[0].is_resolved
    assert not promises[1].is_resolved


def test_zip_joins_two_to_four(loop: gk.Context) -> None:
    """L56"""
    parts = [resolved(loop, number) for number in range(4)]
    assert parts[0].zip(parts[1]).wait(0) == (0, 1)
    assert parts[0].zip(*parts[1:]).wait(0) == (0, 1, 2, 3)
    for others in ([], [*parts, parts[0]]):
        with pytest.raises(gk.InvalidArgumentError):
            parts[0].zip(*others)


def test_cancelling_behind_a_flat_map_reaches_the_inner_future(loop: gk.Context) -> None:
    """L59"""
    told: list[str] = []
    inner: gk.Promise[int] = gk.Promise(context=loop, on_cancel=lambda: told.append("inner"))
    chain = resolved(loop, 1).flat_map(lambda value: inner.future).map(str)
    assert not chain.done
    chain.cancel()
    assert told == ["inner"]


def test_a_delay_is_by_the_clock_and_zero_is_at_once(loop: gk.Context, no_leaks: None) -> None:
    """L61"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    delayed, at_once = promise.future.delayed(2.0), promise.future.delayed(0)
    failing = resolved(loop, KeyError("k")).delayed(1.0)
    promise.resolve(5)
    assert at_once.wait(0) == 5
    loop.seek(1.999999999)
    assert not delayed.done
    loop.seek(position_ns=2_000_000_000)
    assert delayed.wait(0) == 5
    with pytest.raises(KeyError):
        failing.wait(0)
    for bad in (-1, float("nan"), float("inf")):
        with pytest.raises(gk.InvalidArgumentError):
            promise.future.delayed(bad)


def test_a_delay_without_a_listener_is_no_leak() -> None:
    gc.collect()
    entries = _callbacks.living_entries()
    with gk.Context("sim:empty&clock=manual", loop="manual") as loop:
        ended = resolved(loop, 1).delayed(1.0)
        loop.seek(1)
        assert ended.wait(0) == 1
        cancelled = resolved(loop, 1).delayed(60.0)
        cancelled.cancel()
        resolved(loop, 1).delayed(60.0)
    del ended, cancelled
    gc.collect()
    assert _callbacks.living_entries() == entries
