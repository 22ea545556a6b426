"""Futures that are cancelled, abandoned or outlive their context: data sources L59, L60."""

from __future__ import annotations

import gc
import threading
import weakref
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


def test_cancelling_tells_the_producer_once(loop: gk.Context, no_leaks: None) -> None:
    """L59"""
    told: list[str] = []
    promise: gk.Promise[int] = gk.Promise(context=loop, on_cancel=lambda: told.append("told"))
    future = promise.future
    future.cancel()
    future.cancel()
    assert told == ["told"]
    assert not promise.resolve(1)
    with pytest.raises(gk.CancelledError):
        future.wait(0)
    resolved: gk.Promise[int] = gk.Promise(context=loop, on_cancel=lambda: told.append("no"))
    resolved.resolve(1)
    resolved.future.cancel()
    assert (told, resolved.future.wait(0)) == (["told"], 1)


def test_cancelling_a_derived_future_cancels_an_origin_without_another_listener(
    loop: gk.Context,
) -> None:
    """L59"""
    told: list[str] = []
    promise: gk.Promise[int] = gk.Promise(context=loop, on_cancel=lambda: told.append("told"))
    called: list[int] = []
    first = promise.future.map(lambda value: called.append(value))
    second = promise.future.map(str)
    first.cancel()
    assert told == []
    second.cancel()
    assert told == ["told"]
    assert promise.future.done
    assert called == []


def test_closing_the_context_cancels_what_is_pending(no_leaks: None) -> None:
    """L59, C API R17"""
    with gk.Context("sim:empty", loop="manual") as context:
        told: list[str] = []
        promise: gk.Promise[int] = gk.Promise(context=context, on_cancel=lambda: told.append("end"))
        future = promise.future
        derived = future.map(str)
        future.fail(lambda error: told.append(type(error).__name__))
    assert sorted(told) == ["CancelledError", "end"]
    for each in (future, derived):
        with pytest.raises(gk.CancelledError):
            each.wait(PATIENCE)
    assert not promise.resolve(1)
    with pytest.raises(gk.ClosedError):
        future.then(print)
    with pytest.raises(gk.ClosedError):
        gk.Promise(context=context)


def test_what_has_no_reference_is_freed_and_its_consumers_are_not_called() -> None:
    """L60"""
    with gk.Context("sim:empty", loop="manual") as context:
        gc.collect()
        futures, entries = gk.live_count("future"), _callbacks.living_entries()
        seen: list[Any] = []
        promise: gk.Promise[int] = gk.Promise(context=context)
        promise.future.map(str).then(seen.append).fail(seen.append)
        promise.future.fail(seen.append)
        del promise
        gc.collect()
        assert seen == []
        assert gk.live_count("future") == futures
        assert _callbacks.living_entries() == entries


def test_a_promise_that_is_dropped_cancels_a_future_that_is_held(loop: gk.Context) -> None:
    """L60"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    future, derived = promise.future, promise.future.map(str)
    heard: list[BaseException] = []
    future.fail(heard.append)
    del promise
    gc.collect()
    for each in (future, derived):
        with pytest.raises(gk.CancelledError):
            each.wait(0)
    assert [type(error) for error in heard] == [gk.CancelledError]


def test_releasing_after_then_is_fine() -> None:
    """L60"""
    with gk.Context("sim:empty") as context:
        seen: list[Any] = []
        arrived = threading.Event()
        store = gk.DataSource("memory", context=context).map(str, str)
        store.put("a", 5)
        store.get_async("a").map(lambda value: value + "!").then(seen.append).on_completion(
            lambda value, error: arrived.set()
        )
        del store
        gc.collect()
        assert arrived.wait(PATIENCE)
        assert seen == ["5!"]
        context.flush(PATIENCE)
    gc.collect()


def test_a_promise_that_cancels_itself_is_no_leak(loop: gk.Context) -> None:
    class Work:
        def __init__(self) -> None:
            self.promise: gk.Promise[int] = gk.Promise(context=loop, on_cancel=self.stop)
            self.promise.future.then(print)

        def stop(self) -> None:
            self.promise.fail(ValueError())

    work = weakref.ref(Work())
    gc.collect()
    assert work() is None
