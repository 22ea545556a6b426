"""Data sources, threads, tasks, forks and memory: data sources 6 and 7."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks

from .patience import PATIENCE
from .test_library import run


def together(count: int, work: Any) -> list[Any]:
    """What threads answer that start at once."""
    start, answers = threading.Barrier(count), [None] * count

    def body(number: int) -> None:
        start.wait()
        answers[number] = work(number)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return answers


def test_every_thread_sees_its_own_writes(tmp_path: Path, no_leaks: None) -> None:
    """Section 6, L20"""
    with gk.Context("sim:empty") as context:
        stores = [
            gk.DataSource("memory", context=context),
            gk.DataSource("storage", path=tmp_path / "s", context=context),
            gk.DataSource("memory", context=context).map(int, str).retry(1),
        ]

        def work(number: int) -> bool:
            for store in stores:
                for index in range(25):
                    key = f"{number}.{index % 3}"
                    if str(store.put(key, index)) != str(index):
                        return False
                    if str(store.get(key)) != str(index):
                        return False
            return True

        assert together(4, work) == [True] * 4


def test_verbs_from_other_threads_wait_for_a_manual_loop() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        mapped = gk.DataSource("memory", context=context).map(int, str)
        answers: list[Any] = []
        thread = threading.Thread(
            target=lambda: answers.append(mapped.put("k", "7", timeout=PATIENCE))
        )
        thread.start()
        while thread.is_alive():
            context.dispatch(0.01)
        assert answers == ["7"]
        late = threading.Thread(target=lambda: answers.append(refused()))

        def refused() -> str:
            try:
                mapped.get("k", timeout=0.05)
            except gk.TimedOutError:
                return "timeout"
            return "no timeout"

        late.start()
        late.join(PATIENCE)
        assert answers == ["7", "timeout"]


def test_the_interpreter_runs_while_a_call_waits() -> None:
    """A verb gives the GIL away, also to the function it waits for."""
    with gk.Context("sim:empty") as context:
        promise: gk.Promise[int] = gk.Promise(context=context)
        slow = gk.DataSource.custom(get=lambda query: promise.future, context=context)
        counted = 0
        waiter = threading.Thread(target=lambda: slow.get("k", timeout=PATIENCE))
        waiter.start()
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            counted += 1
        promise.resolve(1)
        waiter.join(PATIENCE)
        assert not waiter.is_alive()
        assert counted > 1000


def test_futures_are_awaited_on_any_asyncio_loop(tmp_path: Path) -> None:
    async def work(context: gk.Context) -> None:
        stores = [
            gk.DataSource("memory", context=context),
            gk.DataSource("storage", path=tmp_path / context.loop, context=context),
            gk.DataSource("memory", context=context).map(int, str),
        ]
        for store in stores:
            futures = [store.put_async(str(n), n) for n in range(20)]
            assert [int(value) for value in await asyncio.gather(*futures)] == [*range(20)]
            with pytest.raises(gk.NotFoundError):
                await store.get_async("unknown")
        assert (await gk.Future.batch([stores[0].get_async("1")] * 2)) == [1, 1]

    with gk.Context("sim:empty") as threaded, gk.Context("sim:empty", loop="manual") as manual:
        asyncio.run(work(threaded))
        asyncio.run(work(manual))

    async def main() -> None:
        async with gk.Context("sim:empty") as context:
            await work(context)

    asyncio.run(main())


def test_awaiting_does_not_block_the_loop() -> None:
    async def main() -> int:
        with gk.Context("sim:empty") as context:
            promise: gk.Promise[int] = gk.Promise(context=context)
            ticks = 0

            async def tick() -> None:
                nonlocal ticks
                while not promise.is_resolved:
                    ticks += 1
                    if ticks == 20:
                        promise.resolve(5)
                    await asyncio.sleep(0)

            value, _ = await asyncio.gather(wait(promise.future), tick())
            assert value == 5
            return ticks

    async def wait(future: gk.Future[int]) -> int:
        return await future

    assert asyncio.run(main()) == 20


def test_cancelling_an_await_cancels_what_has_no_other_listener() -> None:
    async def main() -> None:
        with gk.Context("sim:empty") as context:
            told: list[str] = []
            first: gk.Promise[int] = gk.Promise(context=context, on_cancel=lambda: told.append("1"))
            other: gk.Promise[int] = gk.Promise(context=context, on_cancel=lambda: told.append("2"))
            other.future.then(lambda value: None)
            for promise in (first, other):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(waits(promise.future), 0.01)
            assert told == ["1"]
            assert (first.is_resolved, other.is_resolved) == (True, False)

    async def waits(future: gk.Future[int]) -> int:
        return await future

    asyncio.run(main())


def test_after_a_fork_data_sources_of_the_parent_are_dead(tmp_path: Path) -> None:
    code = f"""
import os, gatheredkit as gk
memory = gk.DataSource("memory")
memory.put("k", 1)
promise = gk.Promise()
future, mapped = promise.future, memory.map(int, str)
child = os.fork()
if child == 0:
    for call in (lambda: memory.get("k"), lambda: memory.get_async("k"), lambda: mapped.get("k"),
                 lambda: promise.resolve(1), lambda: future.wait(), lambda: future.then(print)):
        try:
            call()
        except gk.ForkedError:
            continue
        os._exit(1)
    memory.close()
    fresh = gk.DataSource("storage", path={str(tmp_path / "s")!r})
    fresh.put("k", 2)
    answer = fresh.get_async("k").map(str).wait()
    os._exit(0 if answer == "2" and gk.DataSource("memory").put("a", 1) == 1 else 2)
assert os.waitpid(child, 0)[1] == 0
assert memory.get("k") == 1 and mapped.get("k") == "1"
promise.resolve(3)
assert future.wait() == 3
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    gc.collect()
    before, entries = gk.live_count(), _callbacks.living_entries()
    with gk.Context("sim:empty") as context:
        store = gk.DataSource("storage", path=tmp_path / "s", context=context)
        custom = gk.DataSource.custom(get=store.get, put=store.put_async, context=context)
        repository = gk.Repository(custom.retry(1, retry_if=lambda error, attempt: False), store)
        mapped = repository.map(int, str).validate(lambda value: True).cache().log()
        for index in range(20):
            mapped.put(str(index), str(index))
            mapped.get_async(str(index)).map(len).then(lambda value: None)
            with pytest.raises(gk.NotFoundError):
                mapped.get(f"no {index}")
        mapped.get_all_async(gk.Query.ids(["1", "2"])).zip(mapped.get_async("3")).wait(PATIENCE)
        context.flush(PATIENCE)
    del store, custom, repository, mapped, context
    gc.collect()
    assert gk.live_count() <= before
    assert _callbacks.living_entries() <= entries


def test_a_closed_context_closes_its_data_sources() -> None:
    context = gk.Context("sim:empty")
    store = gk.DataSource("memory", context=context)
    store.put("k", 1)
    done = store.get_async("k")
    assert done.wait(PATIENCE) == 1
    context.close()
    for call in (
        lambda: store.get("k"),
        lambda: store.get_async("k"),
        lambda: store.retry(),
        lambda: gk.DataSource("memory", context=context),
    ):
        with pytest.raises(gk.ClosedError):
            call()
    assert done.wait(0) == 1
    store.close()
    store.close()
    assert repr(store) == "<DataSource memory closed>"


def test_ctrl_c_ends_a_wait() -> None:
    code = """
import os, signal, threading, gatheredkit as gk
# What is started in the background may find it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
promise = gk.Promise()
slow = gk.DataSource.custom(get=lambda query: promise.future)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    slow.get("k", timeout=600)
except KeyboardInterrupt:
    print("heard")
"""
    done = run(code)
    assert (done.returncode, done.stdout.strip()) == (0, "heard"), done.stderr
