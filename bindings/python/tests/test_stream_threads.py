"""Streams: timers, sources, tasks and threads."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE
from .test_library import run


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
        assert await asyncio.wait_for(ended, PATIENCE) == "ended"
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
        context.flush(PATIENCE)
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
        assert ticked.wait(PATIENCE)
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
