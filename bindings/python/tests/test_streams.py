"""Streams: delivery, connections, lifetime, timers, tasks and threads."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks

from .test_library import run


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


def test_a_connector_keeps_a_connection_whose_stream_nobody_holds(context: gk.Context) -> None:
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
    publink.unsubscribe("nobody")
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


def test_a_timer_keeps_its_grid_and_is_armed_only_while_observed(context: gk.Context) -> None:
    """streams L44, L46."""
    timer = gk.Timer(0.5, context=context)
    seen: list[int] = []
    with timer.subscribe(seen.append):
        context.seek(1.2)
    assert seen == [0, 1]
    context.seek(2.2)
    with timer.samples.subscribe(lambda sample: seen.append(sample.boot_ns)):
        context.seek(2.5)
    assert seen == [0, 1, 2_500_000_000]
    with pytest.raises(gk.InvalidArgumentError):
        gk.Timer(0, context=context)
    with pytest.raises(gk.InvalidArgumentError):
        gk.Timer(context=context)
    with pytest.raises(gk.InvalidArgumentError):
        gk.Timer(1, interval_ns=1, context=context)


def test_a_timer_can_start_at_a_moment_and_be_rescheduled(context: gk.Context) -> None:
    timer = gk.Timer(interval_ns=250_000_000, start=1.0, context=context)
    seen: list[float] = []
    timer.samples.subscribe(lambda sample: seen.append(sample.boot_ns / 1e9))
    context.seek(1.5)
    assert seen == [1.0, 1.25, 1.5]
    seen.clear()
    timer.reschedule(1.0)
    context.seek(3.5)
    assert seen == [2.0, 3.0]


def test_a_source_is_observed_as_payloads_and_as_samples(context: gk.Context) -> None:
    battery = context.open("battery|BAT0")
    level = battery.observable("level")
    seen: list[Any] = []
    level.map(lambda value: value is not None and value < 0.45).distinct().subscribe(seen.append)
    battery.start(every=1)
    context.seek(0)
    assert level.value == 0.5
    sample = level.samples.value
    assert (sample.key, sample.unit, sample.value) == ("level", "1", 0.5)
    context.seek(3)
    assert (level.value, seen[-1]) == (0.4, True)
    with pytest.raises(gk.UnknownKeyError):
        battery.observable("colour")
    with pytest.raises(gk.NotSupportedError):
        level.apply("distinct").set_option("start_ns", 1)
    battery.close()
    assert level.value == 0.4


def test_async_for_takes_values_and_ends_with_its_loop(no_leaks: None) -> None:
    """streams L43."""

    async def main() -> list[int]:
        async with gk.Context("sim:empty") as context:
            variable = gk.Variable(0, context=context)
            seen: list[int] = []
            async for value in variable:
                assert variable.subscriber_count == 1
                seen.append(value)
                if value == 3:
                    break
                asyncio.get_running_loop().call_soon(variable.send, value + 1)
            gc.collect()
            assert variable.subscriber_count == 0
            return seen

    assert asyncio.run(main()) == [0, 1, 2, 3]


def test_cancelling_disconnects_and_closing_the_context_ends_the_values() -> None:
    async def take(stream: gk.Stream[int], seen: list[int]) -> str:
        async for value in stream:
            seen.append(value)
        return "ended"

    async def main() -> None:
        async with gk.Context("sim:empty") as context:
            signal: gk.Signal[int] = gk.Signal(context=context)
            seen: list[int] = []
            cancelled = asyncio.create_task(take(signal, seen))
            ended = asyncio.create_task(take(signal, seen))
            await asyncio.sleep(0)
            assert signal.subscriber_count == 2
            signal.send(1)
            await asyncio.sleep(0.01)
            cancelled.cancel()
            await asyncio.gather(cancelled, return_exceptions=True)
            assert signal.subscriber_count == 1
        assert await asyncio.wait_for(ended, 5) == "ended"
        assert seen == [1, 1]

    asyncio.run(main())


def test_async_values_hold_the_newest_and_count_the_dropped() -> None:
    async def main() -> None:
        async with gk.Context("sim:empty") as context:
            publink: gk.Publink[int] = gk.Publink(context=context)
            publink.publish(0)
            values = publink.async_values(maxlen=2)
            assert await values.__anext__() == 0
            for value in range(1, 5):
                publink.publish(value)
            assert values.dropped == 2
            assert [await values.__anext__() for _ in range(2)] == [3, 4]
            values.close()
            assert publink.subscriber_count == 0
            with pytest.raises(StopAsyncIteration):
                await values.__anext__()

    asyncio.run(main())


def test_values_sent_by_other_threads_arrive_once_each_in_their_order() -> None:
    """streams L2, patches L12."""
    with gk.Context("sim:empty") as context:
        signal: gk.Signal[list[int]] = gk.Signal(context=context)
        seen: list[list[int]] = []
        signal.subscribe(seen.append)

        def send(number: int) -> None:
            for index in range(200):
                signal.send([number, index])

        threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        context.flush(5)
    assert len(seen) == 800
    for number in range(4):
        assert [index for sender, index in seen if sender == number] == list(range(200))


def test_timers_tick_on_the_loop_of_a_context_with_a_thread() -> None:
    ticked = threading.Event()
    names: list[str] = []

    def tick(_index: int) -> None:
        names.append(threading.current_thread().name)
        ticked.set()

    with gk.Context("sim:empty") as context:
        gk_timer = gk.Timer(0.01, context=context)
        gk_timer.subscribe(tick)
        assert ticked.wait(5)
    assert names[0] == "gatheredkit"


def test_after_a_fork_streams_and_patches_of_the_parent_are_dead() -> None:
    code = """
import os, gatheredkit as gk
context = gk.Context("sim:empty", loop="manual")
signal, patch = gk.Signal(context=context), gk.Patch("norm", context=context)
seen = []
connection = signal.map(str).subscribe(seen.append)
child = os.fork()
if child == 0:
    for call in (lambda: signal.send(1), lambda: signal.subscribe(print), lambda: patch.info):
        try:
            call()
        except gk.ForkedError:
            continue
        os._exit(1)
    connection.disconnect()
    with gk.Context("sim:empty", loop="manual") as fresh:
        gk.Variable(5, context=fresh).subscribe(seen.append)
    os._exit(0 if seen == [5] else 2)
assert os.waitpid(child, 0)[1] == 0
signal.send(1)
assert seen == ["1"]
"""
    done = run(code)
    assert done.returncode == 0, done.stderr
