"""Values that are held and change: transactions, mapping, combining, binding."""

from __future__ import annotations

import gc
import threading
from typing import Any

import pytest

import gatheredkit as gk


def heard(stream: gk.Stream[Any]) -> list[Any]:
    """What a stream sends from now on."""
    seen: list[Any] = []
    stream.subscribe(seen.append)
    return seen


def test_the_five_views_of_a_value(context: gk.Context, no_leaks: None) -> None:
    """streams L49, L51, L53, L55."""
    level = gk.Variable(1, context=context)
    itself, values, future = heard(level), heard(level.values), heard(level.future_values)
    changes, updates, ticks = heard(level.changes), heard(level.updates), heard(level.tick)
    level.value = 2
    level.value = 2
    assert itself == values == [1, 2, 2]
    assert future == [2, 2]
    assert changes == [gk.Change(1, 2), gk.Change(2, 2)]
    assert (changes[0].old, changes[0].new) == (1, 2)
    assert changes[0] == {"old": 1, "new": 2}
    assert [update.kind for update in updates] == ["begin", "change", "end"] * 2
    assert (updates[1].old, updates[1].new, updates[0].new) == (1, 2, None)
    assert ticks == [None, None]
    assert repr(changes[0]) == "Change(old=1, new=2)"
    assert repr(level) == "<Variable 2>"
    del level
    gc.collect()


def test_a_transaction_is_one_change(context: gk.Context) -> None:
    """streams L52, L55, L57."""
    level = gk.Variable(1, context=context)
    changes, ticks = heard(level.changes), heard(level.tick)
    with level.transaction():
        level.value = 2
        with level.transaction():
            level.value = 3
        assert changes == []
        assert level.value == 3
    with level.transaction():
        pass
    assert (changes, len(ticks)) == ([gk.Change(1, 3)], 2)
    with pytest.raises(ZeroDivisionError), level.transaction():
        level.value = 1 // 0
    assert len(ticks) == 3
    with pytest.raises(gk.InvalidArgumentError):
        level.end()


def test_what_is_made_of_future_values_is_not_greeted(context: gk.Context) -> None:
    level = gk.Variable(1, context=context)
    future = level.future_values
    made, merged = heard(future.map(str)), heard(gk.merge(future, future))
    filtered = heard(future.filter(lambda n: n > 2))
    assert made == merged == []
    level.value = 2
    level.value = 3
    assert (made, merged, filtered) == (["2", "3"], [2, 2, 3, 3], [3])


def test_mapping_is_an_observable_and_with_an_inverse_it_can_be_set(
    context: gk.Context, no_leaks: None
) -> None:
    """streams L59."""
    celsius = gk.Variable(20.0, context=context)
    kelvin = celsius.map(lambda c: c + 273.15, inverse=lambda k: k - 273.15)
    text = celsius.map(lambda c: f"{c:.1f}")
    assert isinstance(kelvin, gk.Updatable)
    assert isinstance(text, gk.Observable)
    assert not isinstance(text, gk.Updatable)
    texts, changes = heard(text), heard(text.changes)
    kelvin.value = 300.15
    assert round(celsius.value, 9) == 27.0
    assert (texts, text.value) == (["20.0", "27.0"], "27.0")
    assert changes == [gk.Change("20.0", "27.0")]
    with pytest.raises(gk.NotSupportedError):
        text.map(str, inverse=str)
    with kelvin.transaction():
        celsius.value = 1.0
        kelvin.value = 274.15
    assert len(changes) == 2
    del celsius, kelvin, text
    gc.collect()


def test_an_inverse_that_raises_refuses_the_set(context: gk.Context, unraisable: list[Any]) -> None:
    origin = gk.Variable(1, context=context)
    derived = origin.map(str, inverse=int)
    with pytest.raises(gk.HostError) as caught:
        derived.value = "many"
    assert isinstance(caught.value.__cause__, ValueError)
    assert (origin.value, derived.value) == (1, "1")

    def refuse(_value: str) -> int:
        raise gk.InvalidArgumentError("not today")

    with pytest.raises(gk.InvalidArgumentError):
        origin.map(str, inverse=refuse).value = "2"
    assert origin.value == 1


def test_a_mapping_that_raises_is_none_and_failed(
    context: gk.Context, unraisable: list[Any]
) -> None:
    origin = gk.Variable(0, context=context)
    inverse = origin.map(lambda n: 1 // n)
    assert inverse.value is None
    assert inverse.samples.value.status is gk.SampleStatus.FAILED
    assert isinstance(inverse.error, ZeroDivisionError)
    origin.value = 1
    assert inverse.value == 1


def test_combining_updatables_can_be_set_as_a_whole(context: gk.Context) -> None:
    """streams L62."""
    a, b = gk.Variable(1, context=context), gk.Variable(2, context=context)
    both = gk.combine(a, b)
    assert isinstance(both, gk.Updatable)
    changes = heard(both.changes)
    both.value = [3, 4]
    assert (a.value, b.value) == (3, 4)
    assert changes == [gk.Change([1, 2], [3, 4])]
    product = a * b
    updates = heard(product.updates)
    with a.transaction(), b.transaction():
        a.value = 5
        b.value = 6
    assert [update.new for update in updates if update.kind == "change"] == [20, 30]
    assert product.value == 30


def test_distinct_and_buffered_of_a_value(context: gk.Context) -> None:
    """streams L64, L65."""
    level = gk.Variable(1, context=context)
    distinct, buffered = level.distinct(), level.buffered()
    assert isinstance(distinct, gk.Updatable)
    assert isinstance(buffered, gk.Observable)
    values = heard(distinct)
    level.value = 1
    level.value = 2
    assert values == [1, 2]
    with level.transaction():
        level.value = 3
        assert (level.value, buffered.value) == (3, 2)
    assert buffered.value == 3
    distinct.value = 4
    assert level.value == 4


def test_following_is_one_way(context: gk.Context, no_leaks: None) -> None:
    """streams L66."""
    target, stream = gk.Variable(0, context=context), gk.Publink[int](context=context)
    stream.publish(1)
    connection = target.follow(stream)
    assert target.value == 1
    stream.publish(2)
    assert target.value == 2
    connection.disconnect()
    stream.publish(3)
    assert (target.value, stream.subscriber_count) == (2, 0)
    target.follow(stream)
    del target, connection
    gc.collect()
    assert stream.subscriber_count == 0


def test_binding_is_two_ways(context: gk.Context, no_leaks: None) -> None:
    """streams L67."""
    left, right = gk.Variable(1, context=context), gk.Variable(2, context=context)
    changes = heard(right.changes)
    with left.bind(right) as binding:
        assert right.value == 1
        right.value = 5
        assert left.value == 5
        left.value = 6
        assert changes == [gk.Change(2, 1), gk.Change(1, 5), gk.Change(5, 6)]
        assert binding.connected
    left.value = 7
    assert (right.value, binding.connected) == (6, False)
    with left.transaction(), pytest.raises(gk.BusyError):
        left.bind(right)
    del left, right, binding
    gc.collect()


def test_sets_of_other_threads_join_a_transaction(context: gk.Context) -> None:
    """streams L52, section 5."""
    level = gk.Variable(0, context=context)
    changes = heard(level.changes)
    with level.transaction():
        thread = threading.Thread(target=level.send, args=(1,))
        thread.start()
        thread.join()
        level.value = 2
    assert changes == [gk.Change(0, 2)]


def test_a_set_inside_a_sink_is_a_transaction_of_its_own(context: gk.Context) -> None:
    """streams L54."""
    level = gk.Variable(0, context=context)
    level.subscribe(lambda value: level.send(value + 1) if value % 2 else None)
    changes = heard(level.changes)
    level.value = 1
    assert changes == [gk.Change(0, 1), gk.Change(1, 2)]
    assert level.value == 2


def test_whole_samples_have_times_and_status(context: gk.Context) -> None:
    level = gk.Variable(1.5, context=context)
    context.seek(2)
    level.value = 2.5
    sample = level.samples.value
    assert (sample.value, sample.boot_ns, sample.status.name) == (2.5, 2_000_000_000, "OK")
    assert sample.time_ns == 1_700_000_002_000_000_000
    greeting, *rest = (seen := heard(level.samples))
    assert (greeting.value, greeting.is_new, rest) == (2.5, False, [])
    level.value = 3.5
    assert seen[-1].is_new
    kept = heard(level.samples.filter(lambda sample: sample.value > 4))
    level.value = 5.5
    assert [sample.value for sample in kept] == [5.5]
