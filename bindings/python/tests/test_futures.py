"""Futures and promises: data sources 2.6."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE


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
            assert [promise.future.wait(PATIENCE)] == won


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
    assert future.wait(timeout=PATIENCE) == 2


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
    assert (pending.wait(PATIENCE), derived.wait(PATIENCE)) == (4, "4")


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
