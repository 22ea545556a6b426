"""Subscribers in Python share one subscription of C: the same values, order and errors."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks
from gatheredkit._library import native

from .patience import PATIENCE


def subscriptions(stream: gk.Stream[Any]) -> int:
    """How many C has."""
    return native().gkit_stream_subscriber_count(stream.address)


def test_the_first_new_value_makes_one_subscription_of_many(
    context: gk.Context, no_leaks: None
) -> None:
    """streams L1, L5."""
    entries = _callbacks.living_entries()
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[tuple[int, int]] = []
    connections = [
        signal.subscribe(lambda value, place=place: seen.append((place, value)))
        for place in range(5)
    ]
    assert (subscriptions(signal), signal.subscriber_count) == (5, 5)
    signal.send(1)
    signal.send(2)
    assert seen == [(place, value) for value in (1, 2) for place in range(5)]
    assert (subscriptions(signal), signal.subscriber_count) == (1, 5)
    seen.clear()
    connections[0].disconnect()
    connections[3].disconnect()
    signal.send(3)
    assert seen == [(place, 3) for place in (1, 2, 4)]
    assert signal.subscriber_count == 3
    for connection in connections:
        connection.disconnect()
        assert not connection.connected
    assert (subscriptions(signal), signal.subscriber_count) == (0, 0)
    assert _callbacks.living_entries() == entries


def test_who_joins_during_a_delivery_waits_for_what_is_sent_after_it(context: gk.Context) -> None:
    """streams L6."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[tuple[str, int]] = []

    def first(value: int) -> None:
        seen.append(("first", value))
        if value == 1:
            signal.send(2)
            signal.subscribe(lambda value: seen.append(("late", value)))
            signal.send(3)

    signal.subscribe(first)
    signal.send(0)
    signal.send(1)
    signal.send(4)
    late = [value for name, value in seen if name == "late"]
    assert late == [3, 4]
    assert [value for name, value in seen if name == "first"] == [0, 1, 2, 3, 4]
    assert seen[-2:] == [("first", 4), ("late", 4)]
    assert subscriptions(signal) == 1


def test_those_who_hold_a_value_greet_late_subscribers_alone(context: gk.Context) -> None:
    """streams L19; patches L1."""
    level = gk.Variable(1, context=context)
    news: gk.Publink[int] = gk.Publink(context=context)
    for stream, send in ((level, level.send), (news, news.publish)):
        send(1)
        seen: list[tuple[str, int]] = []
        stream.subscribe(lambda value, seen=seen: seen.append(("a", value)))
        send(2)
        stream.subscribe(lambda value, seen=seen: seen.append(("b", value)))
        send(3)
        stream.subscribe(lambda value, seen=seen: seen.append(("c", value)))
        assert seen == [("a", 1), ("a", 2), ("b", 2), ("a", 3), ("b", 3), ("c", 3)]
        seen.clear()
        send(4)
        assert seen == [("a", 4), ("b", 4), ("c", 4)]
        assert (subscriptions(stream), stream.subscriber_count) == (1, 3)


def test_future_values_share_and_are_not_greeted(context: gk.Context) -> None:
    level = gk.Variable(1, context=context)
    seen: list[tuple[str, int]] = []
    level.subscribe(lambda value: seen.append(("value", value)))
    level.future_values.subscribe(lambda value: seen.append(("future", value)))
    level.future_values.map(lambda value: -value).subscribe(lambda value: seen.append(("m", value)))
    level.value = 2
    level.value = 3
    assert seen == [
        ("value", 1),
        *[pair for n in (2, 3) for pair in (("value", n), ("future", n), ("m", -n))],
    ]
    assert (subscriptions(level), level.subscriber_count) == (1, 3)


def test_a_value_set_midway_in_a_transaction_is_counted_for_each(context: gk.Context) -> None:
    """streams L56."""
    level = gk.Variable(1, context=context)
    seen: list[tuple[str, int]] = []
    level.future_values.subscribe(lambda value: seen.append(("a", value)))
    with level.transaction():
        level.value = 2
        level.subscribe(lambda value: seen.append(("b", value)))
    assert seen == [("b", 2), ("a", 2)]
    level.value = 3
    assert seen[2:] == [("a", 3), ("b", 3)]


def test_a_property_that_was_read_greets_and_then_shares(context: gk.Context) -> None:
    """streams L19: a greeting is told apart, whatever was read before."""
    battery = context.open("battery|BAT0")
    level = battery.observable("level")
    battery.start(every=1)
    context.seek(0)
    seen: list[tuple[str, float]] = []
    for name in "abc":
        level.subscribe(lambda value, name=name: seen.append((name, value)))
    assert seen == [("a", 0.5), ("b", 0.5), ("c", 0.5)]
    seen.clear()
    context.seek(3)
    assert seen
    assert seen[-3:] == [("a", 0.4), ("b", 0.4), ("c", 0.4)]
    assert [name for name, _ in seen] == list("abc") * (len(seen) // 3)
    assert (subscriptions(level), level.subscriber_count) == (1, 3)


def test_leaving_inside_a_delivery_acts_at_once(context: gk.Context) -> None:
    """streams L7, L8, L17."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[str] = []
    connections: list[gk.Connection] = []
    signal.subscribe(lambda value: connections[1].disconnect() if value == 2 else None)
    connections.append(signal.subscribe(lambda _: seen.append("stays")))
    connections.append(signal.subscribe(lambda _: seen.append("goes")))
    connections.reverse()
    connections[1], connections[0] = connections[0], connections[1]
    signal.send(1)
    signal.send(2)
    assert seen == ["stays", "goes", "stays"]
    counts: list[int] = []

    def last(_value: int) -> None:
        for connection in everyone:
            connection.disconnect()
        counts.append(other.subscriber_count)

    other: gk.Signal[int] = gk.Signal(context=context)
    everyone = [other.subscribe(lambda _: None)]
    everyone += [other.subscribe(last), other.subscribe(lambda _: counts.append(-1))]
    other.send(1)
    assert (counts, other.subscriber_count, subscriptions(other)) == ([0], 0, 0)


def test_disconnecting_elsewhere_waits_for_that_sink_and_for_no_other() -> None:
    """C API rule 16."""
    with gk.Context("sim:empty") as context:
        signal: gk.Signal[int] = gk.Signal(context=context)
        inside, goes_on = threading.Event(), threading.Event()
        ended: list[str] = []

        def slow(value: int) -> None:
            if value == 3:
                inside.set()
                assert goes_on.wait(PATIENCE)
                ended.append("sink")

        first = signal.subscribe(lambda _: None)
        held = signal.subscribe(slow)
        third = signal.subscribe(lambda value: ended.append("third") if value == 3 else None)
        signal.send(1)
        signal.send(2)
        sender = threading.Thread(target=signal.send, args=(3,))
        sender.start()
        assert inside.wait(PATIENCE)
        first.disconnect()
        third.disconnect()
        leaver = threading.Thread(target=lambda: (held.disconnect(), ended.append("left")))
        leaver.start()
        leaver.join(0.05)
        assert ended == []
        goes_on.set()
        leaver.join(PATIENCE)
        sender.join(PATIENCE)
        assert ended == ["sink", "left"]
        assert signal.subscriber_count == 0


def test_an_exception_is_reported_once_and_stops_nobody(
    context: gk.Context, unraisable: list[Any]
) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    failing = [signal.subscribe(lambda value: 1 // value) for _ in range(2)]
    signal.subscribe(seen.append)
    for value in (1, 2, 0, 3):
        signal.send(value)
    assert seen == [1, 2, 0, 3]
    assert [type(connection.error) for connection in failing] == [ZeroDivisionError] * 2
    assert [hook.exc_type for hook in unraisable] == [ZeroDivisionError] * 2
    assert all(connection.connected for connection in failing)


def test_what_can_be_changed_is_each_subscriber_s_own(context: gk.Context) -> None:
    signal: gk.Signal[Any] = gk.Signal(context=context)
    seen: list[Any] = []
    for _ in range(3):
        signal.subscribe(lambda value: seen.append(value) or value.append("mine"))
    for _ in range(3):
        seen.clear()
        signal.send([{"a": 1}])
        assert seen == [[{"a": 1}, "mine"]] * 3
    signal.send([])


def test_what_else_is_subscribed_keeps_its_place(context: gk.Context) -> None:
    """streams L5: what C delivers in between is not overtaken."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[str] = []
    signal.subscribe(lambda _: seen.append("first"))
    signal.distinct().subscribe(lambda _: seen.append("distinct"))
    signal.subscribe(lambda _: seen.append("last"))
    for value in (1, 2):
        seen.clear()
        signal.send(value)
        assert seen == ["first", "distinct", "last"]
    assert signal.subscriber_count == 3


def test_closing_ends_everyone_once(no_leaks: None) -> None:
    entries = _callbacks.living_entries()
    context = gk.Context("sim:empty", loop="manual")
    signal: gk.Signal[int] = gk.Signal(context=context)
    connections = [signal.map(str).subscribe(lambda _: None) for _ in range(3)]
    connections += [signal.subscribe(lambda _: None)]
    signal.send(1)
    signal.send(2)
    late = signal.subscribe(lambda _: None)
    context.close()
    assert not any(connection.connected for connection in [*connections, late])
    assert _callbacks.living_entries() == entries
    for connection in connections:
        connection.disconnect()
    with pytest.raises(gk.ClosedError):
        signal.map(str).subscribe(print)


def test_joining_leaving_and_sending_at_once_loses_and_repeats_nothing() -> None:
    """streams L1, L2, L8: each sink hears consecutive values, and none after it has left."""
    wrong: list[object] = []
    with gk.Context("sim:empty") as context:
        signal: gk.Signal[int] = gk.Signal(context=context)
        done = threading.Event()

        def join_and_leave() -> None:
            while not done.is_set():
                heard: list[int] = []
                connections = [signal.subscribe(heard.append), signal.subscribe(lambda _: None)]
                while len(heard) < 5 and not done.is_set():
                    pass
                connections[0].disconnect()
                count = len(heard)
                connections[1].disconnect()
                if heard != list(range(heard[0], heard[0] + count)) if heard else count:
                    wrong.append(heard)

        threads = [threading.Thread(target=join_and_leave) for _ in range(3)]
        for thread in threads:
            thread.start()
        for value in range(3000):
            signal.send(value)
        done.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert (wrong, signal.subscriber_count) == ([], 0)
