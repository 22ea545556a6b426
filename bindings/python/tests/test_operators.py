"""The operators of streams 2.4, by the clock of the context."""

from __future__ import annotations

import gc
import math
from typing import Any

import pytest

import gatheredkit as gk


class Taps:
    """A signal, and what came out of a stream made of it, with the moment in seconds."""

    def __init__(self, context: gk.Context) -> None:
        self.context = context
        self.signal: gk.Signal[Any] = gk.Signal(context=context)
        self.seen: list[Any] = []

    def tap(self, stream: gk.Stream[Any]) -> gk.Connection:
        return stream.subscribe(self.seen.append)

    def send(self, *values: Any) -> list[Any]:
        for value in values:
            self.signal.send(value)
        return self.take()

    def at(self, seconds: float, *values: Any) -> list[Any]:
        self.context.seek(seconds)
        return self.send(*values)

    def take(self) -> list[Any]:
        seen, self.seen[:] = list(self.seen), []
        return seen


@pytest.fixture
def taps(context: gk.Context) -> Taps:
    return Taps(context)


def test_functions_map_filter_compact_and_flatten(taps: Taps) -> None:
    """streams L25."""
    signal = taps.signal
    taps.tap(signal.map(lambda n: n + 1))
    taps.tap(signal.filter(lambda n: n > 1))
    taps.tap(signal.compact_map(lambda n: str(n) if n > 1 else None))
    taps.tap(signal.flat_map(lambda n: range(n)))
    assert taps.send(1) == [2, 0]
    assert taps.send(2) == [3, 2, "2", 0, 1]


def test_a_function_runs_once_for_each_subscriber_and_value_and_never_unobserved(
    taps: Taps,
) -> None:
    """streams L21, L29."""
    calls: list[int] = []
    mapped = taps.signal.map(calls.append)
    taps.send(1)
    assert calls == []
    with mapped.subscribe(lambda _: None), mapped.subscribe(lambda _: None):
        taps.send(2)
    assert calls == [2, 2]
    shared = mapped.buffered()
    with shared.subscribe(lambda _: None), shared.subscribe(lambda _: None):
        assert taps.signal.subscriber_count == 1
        taps.send(3)
    assert calls == [2, 2, 3]


def test_a_failing_function_drops_the_value_and_is_told_by_the_stream(
    taps: Taps, unraisable: list[Any]
) -> None:
    inverse = taps.signal.map(lambda n: 1 / n)
    taps.tap(inverse)
    assert inverse.error is None
    assert taps.send(0, 2) == [0.5]
    assert isinstance(inverse.error, ZeroDivisionError)
    wrong = taps.signal.map(lambda n: object())
    taps.tap(wrong)
    assert taps.send(4) == [0.25]
    assert isinstance(wrong.error, gk.TypeMismatchError)
    assert len(unraisable) == 2


def test_filters_pass_every_value_on_unchanged(taps: Taps) -> None:
    values = ["text", b"\0", gk.Vector(1, 2), {"a": [1]}, None, 2.5]
    taps.tap(taps.signal.filter(lambda value: True))
    assert taps.send(*values) == values


def test_merging_and_combining(taps: Taps, context: gk.Context) -> None:
    """streams L26, L27."""
    other: gk.Signal[int] = gk.Signal(context=context)
    taps.tap(gk.merge(taps.signal, other))
    taps.tap(taps.signal.combine(other))
    taps.send(1)
    other.send(2)
    assert taps.take() == [2, [1, 2]]
    assert taps.send(3) == [3, [3, 2]]
    with pytest.raises(gk.InvalidArgumentError):
        gk.merge()


def test_distinct_and_min_change(taps: Taps) -> None:
    """streams L28, L40, L69."""
    taps.tap(taps.signal.distinct())
    assert taps.send(1, 1, 1.0, 1.0, math.inf) == [1, 1.0, math.inf]
    taps.seen.clear()
    with taps.signal.min_change(0.5).subscribe(lambda value: taps.seen.append(("min", value))):
        found = taps.send(1.0, 1.4, 1.5, 1.9, 2.1)
    assert [value for value in found if isinstance(value, tuple)] == [
        ("min", 1.0),
        ("min", 1.5),
        ("min", 2.1),
    ]


def test_bracketed_greets_and_says_farewell(taps: Taps) -> None:
    """streams L20, L30."""
    connection = taps.tap(taps.signal.bracketed(hello="hi", goodbye="bye"))
    assert taps.send(1) == ["hi", 1]
    connection.disconnect()
    assert taps.take() == ["bye"]
    taps.tap(taps.signal.bracketed(hello=None)).disconnect()
    assert taps.take() == [None]


def test_a_farewell_reaches_a_sink_that_leaves_inside_itself(taps: Taps) -> None:
    """streams L20."""
    held: list[gk.Connection] = []

    def sink(value: object) -> None:
        taps.seen.append(value)
        if held:
            held.pop().disconnect()

    held.append(taps.signal.bracketed(goodbye="bye").subscribe(sink))
    assert taps.send(1, 2) == [1, "bye"]
    gc.collect()


def test_counted_is_an_observable_that_works_unobserved(taps: Taps) -> None:
    """streams L32."""
    counted = taps.signal.counted()
    taps.send("a", "b")
    assert counted.value == 2
    taps.tap(counted)
    assert taps.send("c") == [2, 3]


def test_throttle_keeps_the_newest_unless_told_otherwise(taps: Taps) -> None:
    """streams L33."""
    with taps.tap(taps.signal.throttle(1.0)):
        assert taps.at(0, 1, 2, 3) == [1]
        assert taps.at(1) == [3]
        assert taps.at(1.5, 4) == []
        assert taps.at(2) == [4]
    with taps.tap(taps.signal.throttle(1.0, latest=False)):
        assert taps.at(10, 1, 2) == [1]
        assert taps.at(11.5, 3) == [3]


def test_debounce_and_sample(taps: Taps) -> None:
    """streams L34, L35."""
    with taps.tap(taps.signal.debounce(0.5)):
        assert taps.at(0, 1) == []
        assert taps.at(0.4, 2) == []
        assert taps.at(0.8) == []
        assert taps.at(0.9) == [2]
    with taps.tap(taps.signal.sample(1.0)):
        assert taps.at(1.5, 3, 4) == []
        assert taps.at(1.9) == [4]
        assert taps.at(5) == []


def test_batches_and_windows(taps: Taps) -> None:
    """streams L36, L37."""
    with taps.tap(taps.signal.batch(count=3, duration=1.0)):
        assert taps.at(0, 1, 2, 3, 4) == [[1, 2, 3]]
        assert taps.at(1) == [[4]]
    with taps.tap(taps.signal.batch(2)):
        assert taps.at(2, 1, 2, 3) == [[1, 2]]
    with taps.tap(taps.signal.window(2)):
        assert taps.at(3, 1, 2, 3) == [[1], [1, 2], [2, 3]]
    with taps.tap(taps.signal.window(duration=1.0)):
        assert taps.at(4, 1) == [[1]]
        assert taps.at(4.5, 2) == [[1, 2]]
        assert taps.at(5.2, 3) == [[2, 3]]


def test_averages(taps: Taps) -> None:
    """streams L38, L39."""
    with taps.tap(taps.signal.moving_average(window=2)):
        assert taps.send(1.0, 2.0, 4.0) == [1.0, 1.5, 3.0]
    with taps.tap(taps.signal.low_pass(alpha=0.5)):
        assert taps.send(1.0, 3.0) == [1.0, 2.0]
    with taps.tap(taps.signal.low_pass(time_constant=1.0)):
        assert taps.at(1, 0.0) == [0.0]
        assert taps.at(2, 1.0) == [0.5]


def test_timeout_sends_its_substitute_after_each_silence(taps: Taps) -> None:
    """streams L41."""
    with taps.tap(taps.signal.timeout(1.0, "silence")):
        assert taps.at(0.5, 1) == [1]
        assert taps.at(1.4) == []
        assert taps.at(1.5) == ["silence"]
        assert taps.at(9) == []
        assert taps.send(2) == [2]
        assert taps.at(10) == ["silence"]


def test_apply_takes_seconds_and_nanoseconds_and_both_spellings(taps: Taps) -> None:
    with taps.tap(taps.signal.apply("debounce", duration=0.25)):
        assert taps.at(0, 1) + taps.at(0.25) == [1]
    with taps.tap(taps.signal.apply("movingAverage", window=2)):
        assert taps.send(1.0, 3.0) == [1.0, 2.0]
    with taps.tap(taps.signal.apply("debounce", duration_ns=1)):
        assert taps.at(1, 2) + taps.at(1.1) == [2]
    with pytest.raises(gk.InvalidArgumentError, match="both"):
        taps.signal.apply("debounce", duration=1, duration_ns=1)


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        ("debounce", {}),
        ("debounce", {"duration": 0}),
        ("debounce", {"duration": -1}),
        ("debounce", {"duration": math.nan}),
        ("debounce", {"duration_ns": 0}),
        ("batch", {"count": 0}),
        ("batch", {}),
        ("window", {"count": -1}),
        ("window", {}),
        ("moving_average", {"window": 0}),
        ("low_pass", {}),
        ("timeout", {"duration": 1}),
        ("distinct", {"colour": 1}),
        ("throttle", {"duration": 1, "latest": "yes"}),
    ],
)
def test_bad_arguments_are_refused(taps: Taps, op: str, arguments: dict[str, Any]) -> None:
    """streams L24."""
    with pytest.raises(gk.GatheredKitError) as caught:
        taps.signal.apply(op, **arguments)
    assert isinstance(caught.value, (gk.InvalidArgumentError, gk.TypeMismatchError))


def test_arithmetic_of_observables(context: gk.Context) -> None:
    """streams L62, L63."""
    a, b = gk.Variable(7, context=context), gk.Variable(2, context=context)
    results = [a + b, a - b, a * b, a / b, a % b, -a, a.min(b), a.max(b), 1 + a, 10 - b]
    assert [result.value for result in results] == [9, 5, 14, 3, 1, -7, 2, 7, 8, 8]
    assert all(isinstance(result, gk.Observable) for result in results)
    b.value = 0
    assert [(a / b).value, (a % b).value, (b + 0.5).value] == [0, 0, 0.5]
    assert gk.Variable(9.0, context=context).sqrt().value == 3.0
    assert a.max(3, 11, b).value == 11


def test_comparisons_and_logic_are_methods(context: gk.Context) -> None:
    a, b = gk.Variable("abc", context=context), gk.Variable("abd", context=context)
    found = [a.eq(b), a.ne(b), a.lt(b), a.le(b), a.gt(b), a.ge(b), a.eq("abc")]
    assert [result.value for result in found] == [False, True, True, True, False, False, True]
    yes, no = gk.Variable(True, context=context), gk.Variable(False, context=context)
    assert [yes.and_(no).value, yes.or_(no).value, yes.not_().value] == [False, True, False]
    assert a.lt(1).value is None
    assert (a == b, a == a) == (False, True)


def test_signals_are_calculated_with_too(taps: Taps) -> None:
    result = taps.signal * 2
    assert not isinstance(result, gk.Observable)
    taps.tap(result)
    assert taps.send(3) == [6]


def test_operators_leave_nothing_behind(context: gk.Context, no_leaks: None) -> None:
    taps = Taps(context)
    chain = taps.signal.map(str).window(3).map(len).distinct().throttle(1).counted()
    taps.tap(chain)
    taps.tap(taps.signal.merge(taps.signal.map(lambda n: {"n": [n]})))
    taps.send(1, 2, 3)
    assert taps.signal.subscriber_count > 0
    del chain, taps
    gc.collect()
