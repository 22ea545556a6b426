"""Streams: delivery, connections, lifetime, timers, tasks and threads."""

from __future__ import annotations

import gc
import logging
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks


def test_every_value_of_python_goes_through_a_signal_and_comes_out_equal(
    context: gk.Context, no_leaks: None
) -> None:
    signal: gk.Signal[Any] = gk.Signal(context=context)
    seen: list[Any] = []
    with signal.subscribe(seen.append):
        values: list[Any] = [None, True, 7, 1.5, "text", b"\0raw", gk.Vector(1, 2, 3), gk.Time(5)]
        values += [[1, "a", [2.5]], {"k": {"nested": [None]}}, {}, []]
        for value in values:
            signal.send(value)
    assert seen == values
    assert [type(value) for value in seen] == [type(value) for value in values]
    with pytest.raises(gk.TypeMismatchError):
        signal.send(object())
    signal.close()


def test_a_value_without_a_subscriber_is_discarded_and_sends_inside_sinks_queue(
    context: gk.Context,
) -> None:
    """streams L2, L3, L5."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    signal.send(0)
    seen: list[tuple[str, int]] = []

    def first(value: int) -> None:
        seen.append(("first", value))
        if value == 1:
            signal.send(2)
            seen.append(("sent", value))

    signal.subscribe(first)
    signal.subscribe(lambda value: seen.append(("second", value)))
    signal.send(1)
    assert seen == [("first", 1), ("sent", 1), ("second", 1), ("first", 2), ("second", 2)]


def test_a_sink_disconnected_before_its_turn_gets_nothing(context: gk.Context) -> None:
    """streams L7, L9."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    later: list[gk.Connection] = []
    signal.subscribe(lambda _: later[0].disconnect())
    later.append(signal.subscribe(seen.append))
    assert signal.subscriber_count == 2
    signal.send(1)
    assert seen == []
    assert not later[0].connected
    assert signal.subscriber_count == 1
    later[0].disconnect()


def test_a_sink_may_leave_and_join_again_inside_itself(context: gk.Context) -> None:
    """streams L6, L8, L10."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    connections: list[gk.Connection] = []

    def sink(value: int) -> None:
        seen.append(value)
        connections.pop().disconnect()
        connections.append(signal.subscribe(sink))

    connections.append(signal.subscribe(sink))
    for value in (1, 2):
        signal.send(value)
    assert seen == [1, 2]
    assert signal.subscriber_count == 1


def test_an_endless_cascade_is_refused_and_the_stream_stays_usable(
    context: gk.Context, unraisable: list[Any]
) -> None:
    """streams L12."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    signal.set_option("cascade_limit", 10)
    seen: list[int] = []

    def again(value: int) -> None:
        seen.append(value)
        if value < 100:
            signal.send(value + 1)

    connection = signal.subscribe(again)
    signal.send(1)
    assert seen == list(range(1, 11))
    assert isinstance(connection.error, gk.LimitError)
    seen.clear()
    signal.send(100)
    assert seen == [100]


def test_an_exception_in_a_sink_is_kept_and_the_others_hear_the_value(
    context: gk.Context, unraisable: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """python-api rule 5."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    failing = signal.subscribe(lambda value: 1 // value)
    signal.subscribe(seen.append)
    signal.send(0)
    signal.send(1)
    assert seen == [0, 1]
    assert isinstance(failing.error, ZeroDivisionError)
    assert failing.connected
    assert [hook.exc_type for hook in unraisable] == [ZeroDivisionError]
    assert [record.name for record in caplog.records] == ["gatheredkit"]


def test_an_interrupt_in_a_sink_comes_out_of_the_send(context: gk.Context) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)

    def interrupt(_value: int) -> None:
        raise KeyboardInterrupt

    with signal.subscribe(interrupt), pytest.raises(KeyboardInterrupt):
        signal.send(1)


def test_dropping_a_stream_ends_its_connections_and_frees_sinks_that_hold_it(
    context: gk.Context, no_leaks: None
) -> None:
    """streams L15: let go once; a sink may hold its own stream."""
    entries = _callbacks.living_entries()

    class Sink:
        def __init__(self, signal: gk.Signal[int]) -> None:
            self.signal = signal

        def __call__(self, value: int) -> None:
            if value:
                self.signal.send(value - 1)

    def make() -> None:
        signal: gk.Signal[int] = gk.Signal(context=context)
        signal.subscribe(Sink(signal))
        signal.map(lambda value: value + signal.subscriber_count).subscribe(print)

    make()
    gc.collect()
    assert _callbacks.living_entries() == entries


def test_a_sink_that_failed_is_freed_with_its_stream(
    context: gk.Context, unraisable: list[Any]
) -> None:
    entries = _callbacks.living_entries()
    logging.disable()
    try:

        def make() -> None:
            signal: gk.Signal[int] = gk.Signal(context=context)

            def fail(value: int) -> None:
                raise ValueError(signal, value)

            signal.subscribe(fail)
            signal.map(fail).subscribe(print)
            signal.send(1)

        make()
        unraisable.clear()
        gc.collect()
    finally:
        logging.disable(logging.NOTSET)
    assert _callbacks.living_entries() == entries


def test_a_subscription_of_a_derived_stream_lives_as_long_as_the_first_stream(
    context: gk.Context, no_leaks: None
) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    signal.map(lambda value: value * 2).filter(lambda value: value > 2).subscribe(seen.append)
    gc.collect()
    for value in (1, 2):
        signal.send(value)
    assert seen == [4]
    del signal
    gc.collect()


def test_a_connector_ends_its_connections_and_forgets_those_that_ended(
    context: gk.Context, no_leaks: None
) -> None:
    """streams L16."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []
    bag = gk.Connector()
    first = signal.subscribe(seen.append).put_into(bag)
    second = signal.map(lambda value: -value).subscribe(seen.append).put_into(bag)
    assert len(bag) == 2
    first.disconnect()
    assert len(bag) == 1
    bag.add(first)
    assert len(bag) == 1
    signal.send(1)
    assert seen == [-1]
    bag.disconnect()
    assert (len(bag), second.connected, signal.subscriber_count) == (0, False, 0)
    signal.send(2)
    assert seen == [-1]
    signal.subscribe(seen.append).put_into(bag)
    signal.send(3)
    assert seen == [-1, 3]
    bag.close()
    assert signal.subscriber_count == 0


def test_a_connector_keeps_a_connection_whose_stream_has_no_reference(context: gk.Context) -> None:
    source: gk.Variable[int] = gk.Variable(1, context=context)
    seen: list[int] = []
    with gk.Connector() as bag:
        gk.Variable(5, context=context).subscribe(seen.append).put_into(bag)
        copy = source.map(lambda value: value)
        copy.subscribe(seen.append).put_into(bag)
        del copy
        gc.collect()
        source.value = 2
    assert seen == [5, 1, 2]


def test_a_publink_greets_and_has_one_subscriber_of_a_name(
    context: gk.Context, no_leaks: None
) -> None:
    """patches L1, L2, L3, L5, L6, L13."""
    publink: gk.Publink[Any] = gk.Publink(context=context)
    seen: list[Any] = []
    assert (publink.has_published, publink.last) == (False, None)
    publink.publish(None)
    assert (publink.has_published, publink.last) == (True, None)
    publink.subscribe(lambda value: seen.append(("a", value)), "me")
    publink.subscribe(lambda value: seen.append(("b", value)))
    assert publink.subscribe(lambda value: seen.append(("c", value)), name="me") is None
    assert seen == [("a", None), ("b", None), ("c", None)]
    seen.clear()
    publink.publish(1)
    assert seen == [("c", 1), ("b", 1)]
    publink.unsubscribe("me")
    publink.unsubscribe("unknown")
    publink.replays_last = False
    publink.publish(2)
    publink.subscribe(lambda value: seen.append(("d", value)))
    assert seen == [("c", 1), ("b", 1), ("b", 2)]
    assert publink.last == 2
    assert not publink.replays_last
    del publink
    gc.collect()


def test_what_a_stream_cannot_do_is_an_error(context: gk.Context) -> None:
    """streams 4."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    with pytest.raises(gk.NotSupportedError):
        signal.set_option("replays_last", True)
    with pytest.raises(gk.NotFoundError):
        signal.set_option("colour", 1)
    with pytest.raises(gk.NotFoundError, match="throttle"):
        signal.apply("throtle", duration=1)
    with pytest.raises(gk.NotSupportedError):
        signal.apply("changes")
    signal.close()
    with pytest.raises(gk.ClosedError):
        signal.send(1)
    assert "closed" in repr(signal)


def test_a_closed_context_answers_closed_and_destroys_every_sink(no_leaks: None) -> None:
    entries = _callbacks.living_entries()
    context = gk.Context("sim:empty", loop="manual")
    variable = gk.Variable(1, context=context)
    connection = variable.map(str).subscribe(lambda _: None)
    context.close()
    assert _callbacks.living_entries() == entries
    assert not connection.connected
    with pytest.raises(gk.ClosedError):
        variable.value = 2
    with pytest.raises(gk.ClosedError):
        variable.subscribe(print)
    with pytest.raises(gk.ClosedError):
        gk.Signal(context=context)
    assert "closed" in repr(variable)
