"""Futures and promises: data sources 2.6."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks


@pytest.fixture
def loop() -> Iterator[gk.Context]:
    with gk.Context("sim:empty&clock=manual", loop="manual") as context:
        yield context


def test_the_first_resolution_wins(loop: gk.Context, no_leaks: None) -> None:
    """L51"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    assert not promise.is_resolved
    assert promise.resolve(1)
    assert not promise.resolve(2)
    assert not promise.fail(ValueError("late"))
    assert promise.is_resolved
    assert promise.future.wait() == promise.future.result() == 1
    failing: gk.Promise[int] = gk.Promise(context=loop)
    error = ValueError("mine")
    assert failing.fail(error)
    assert not failing.resolve(1)
    for _ in range(2):
        with pytest.raises(ValueError, match="mine") as raised:
            failing.future.wait()
        assert raised.value is error
    assert raised.traceback is not None
    assert len(raised.traceback) < 8


def test_of_many_threads_one_resolves(no_leaks: None) -> None:
    """L51"""
    with gk.Context("sim:empty") as context:
        for _ in range(30):
            promise: gk.Promise[int] = gk.Promise(context=context)
            start = threading.Barrier(4)
            won: list[int] = []

            def resolve(
                number: int,
                promise: gk.Promise[int] = promise,
                start: threading.Barrier = start,
                won: list[int] = won,
            ) -> None:
                start.wait()
                if promise.resolve(number):
                    won.append(number)

            threads = [threading.Thread(target=resolve, args=(number,)) for number in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert [promise.future.wait(5)] == won


def test_any_number_of_consumers_each_once_in_their_order(loop: gk.Context) -> None:
    """L52, and section 6: on the loop, outside callbacks, before the call returns."""
    promise: gk.Promise[str] = gk.Promise(context=loop)
    future = promise.future
    seen: list[Any] = []
    future.then(lambda value: seen.append("1" + value)).then(lambda value: seen.append("2" + value))
    future.fail(lambda error: seen.append("never"))
    future.on_completion(lambda value, error: seen.append((value, error)))
    assert seen == []
    promise.resolve("x")
    assert seen == ["1x", "2x", ("x", None)]
    future.then(lambda value: seen.append("3" + value))
    assert seen[3:] == ["3x"]
    assert future.wait(0) == future.wait(0) == "x"


def test_states(loop: gk.Context) -> None:
    """L53: both roads lead to delivered."""
    first: gk.Promise[int] = gk.Promise(context=loop)
    states = [first.future.state]
    future = first.future.then(lambda value: None)
    states.append(future.state)
    first.resolve(1)
    assert [*states, future.state] == ["blank", "awaited", "delivered"]
    second: gk.Promise[int] = gk.Promise(context=loop)
    future = second.future
    second.resolve(1)
    states = [future.state]
    future.then(lambda value: None)
    assert [*states, future.state] == ["ready", "delivered"]


def test_consumers_are_not_called_inside_each_other(loop: gk.Context) -> None:
    """L54"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    future, seen = promise.future, []

    def meddle(_value: int) -> None:
        seen.append("first")
        assert not promise.resolve(2)
        future.cancel()
        future.then(lambda value: seen.append("late"))
        seen.append("end")

    future.then(meddle).then(lambda value: seen.append("second"))
    promise.resolve(1)
    loop.dispatch()
    assert seen == ["first", "end", "second", "late"]
    assert future.wait(0) == 1


def test_resolved_inside_a_callback_consumers_wait_for_its_end(loop: gk.Context) -> None:
    """Section 6"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    seen: list[str] = []
    promise.future.then(lambda value: seen.append("consumer"))

    def callback() -> None:
        promise.resolve(1)
        seen.append("callback")

    loop.invoke(callback)
    while loop.dispatch():
        pass
    assert seen == ["callback", "consumer"]


def test_an_exception_of_a_consumer_is_told_and_changes_nothing(
    loop: gk.Context, unraisable: list[Any]
) -> None:
    promise: gk.Promise[int] = gk.Promise(context=loop)
    seen: list[int] = []
    promise.future.then(lambda value: 1 / 0).then(seen.append)
    promise.resolve(3)
    assert (seen, promise.future.wait(0)) == ([3], 3)
    assert [type(each.exc_value) for each in unraisable] == [ZeroDivisionError]


def test_a_promise_may_intercept_the_first_resolution(loop: gk.Context) -> None:
    """L57"""
    seen: list[Any] = []

    def intercept(value: int | None, error: BaseException | None) -> int:
        seen.append((value, error))
        if error is not None:
            raise LookupError("replaced") from error
        return (value or 0) + 1

    promise: gk.Promise[int] = gk.Promise(context=loop, intercept=intercept)
    promise.future.then(seen.append)
    promise.resolve(1)
    promise.resolve(5)
    assert seen == [(1, None), 2]
    failing: gk.Promise[int] = gk.Promise(context=loop, intercept=intercept)
    failing.future.cancel()
    with pytest.raises(LookupError, match="replaced") as raised:
        failing.future.wait(0)
    assert isinstance(raised.value.__cause__, gk.CancelledError)


def test_waiting_ends_with_its_timeout_and_leaves_the_future(loop: gk.Context) -> None:
    """L58"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    future = promise.future
    before = time.monotonic()
    with pytest.raises(gk.TimedOutError):
        future.wait(timeout=0.05)
    assert time.monotonic() - before >= 0.05
    assert not future.done
    threading.Timer(0.05, promise.resolve, (2,)).start()
    assert future.wait(timeout=20) == 2


def test_an_error_that_says_timeout_is_no_timeout_of_the_waiter(loop: gk.Context) -> None:
    """L58"""
    source = gk.DataSource.custom(get=raising(TimeoutError("theirs")), context=loop)
    with pytest.raises(gk.TimedOutError, match="theirs"):
        source.get("a")


def raising(error: BaseException) -> Callable[..., Any]:
    def function(*_given: Any) -> Any:
        raise error

    return function


def test_waiting_inside_a_callback_for_what_needs_the_loop(loop: gk.Context) -> None:
    """L58"""
    promise: gk.Promise[int] = gk.Promise(context=loop)
    later = gk.DataSource.custom(get=lambda query: promise.future, context=loop)
    plain = gk.DataSource("memory", context=loop)
    plain.put("a", 1)
    outcomes: list[Any] = []

    def callback() -> None:
        outcomes.append(plain.get("a"))
        for wait in (lambda: later.get("a"), pending.wait, derived.wait):
            try:
                wait()
            except gk.WrongThreadError:
                outcomes.append("wrong thread")

    pending = later.get_async("a")
    derived = promise.future.map(str)
    loop.invoke(callback)
    while loop.dispatch():
        pass
    assert outcomes == [1, "wrong thread", "wrong thread", "wrong thread"]
    promise.resolve(4)
    assert (pending.wait(5), derived.wait(5)) == (4, "4")


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


def test_cancelling_a_derived_future_cancels_an_origin_nobody_else_hears(loop: gk.Context) -> None:
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
            each.wait(5)
    assert not promise.resolve(1)
    with pytest.raises(gk.ClosedError):
        future.then(print)
    with pytest.raises(gk.ClosedError):
        gk.Promise(context=context)


def test_what_nobody_refers_to_is_freed_and_its_consumers_are_not_called() -> None:
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
        assert arrived.wait(5)
        assert seen == ["5!"]
        context.flush(5)
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


def test_futures_read_well(loop: gk.Context) -> None:
    promise: gk.Promise[int] = gk.Promise(context=loop)
    words = [repr(promise), repr(promise.future)]
    promise.resolve(1)
    assert [*words, repr(promise), repr(promise.future)] == [
        "<Promise pending>",
        "<Future pending>",
        "<Promise resolved>",
        "<Future 1>",
    ]
