"""Data sources written in Python: data sources 4 and 5."""

from __future__ import annotations

import asyncio
import concurrent.futures
import errno
import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE


@pytest.fixture
def loop() -> Iterator[gk.Context]:
    with gk.Context("sim:empty", loop="manual") as context:
        yield context


def failing(error: BaseException, context: gk.Context) -> gk.DataSource:
    def get(_query: gk.Query) -> Any:
        raise error

    return gk.DataSource.custom(get=get, context=context)


def test_verbs_are_given_the_query_without_its_route_and_the_value(loop: gk.Context) -> None:
    asked: list[Any] = []

    class Rows:
        def get_all(self, query: gk.Query) -> list[int]:
            asked.append(query)
            return [1, 2]

        def put(self, query: gk.Query, value: Any) -> Any:
            asked.append((query, value))
            return value

        def delete(self, query: gk.Query) -> str:
            asked.append(query)
            return "ignored"

    rows = gk.DataSource.custom(Rows(), context=loop)
    everything = gk.Query.page(1, 2, where=(">", "n", 1), order_by="-n")
    assert rows.get_all(everything.by("main")) == [1, 2]
    assert rows.put({"a": (1, "x")}, gk.Vector(1, 2)) == gk.Vector(1, 2)
    assert rows.put("k", None) is None
    assert rows.put(gk.Query.object([1])) is None
    assert rows.delete_all("k") is None
    assert asked == [
        everything,
        (gk.Query.id({"a": [1, "x"]}), gk.Vector(1, 2)),
        (gk.Query.id("k"), None),
        (gk.Query.object([1]), None),
        gk.Query.id("k"),
    ]
    with pytest.raises(gk.NotImplementedVerbError, match="no get"):
        rows.get("k")
    with pytest.raises(NotImplementedError):
        rows.put_all("k", [])
    assert repr(rows) == "<DataSource Rows>"


def test_a_data_source_has_verbs(loop: gk.Context) -> None:
    with pytest.raises(gk.InvalidArgumentError):
        gk.DataSource.custom(context=loop)
    with pytest.raises(gk.TypeMismatchError, match="put"):
        gk.DataSource.custom(put=3, context=loop)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (gk.NotFoundError("gone"), gk.NotFoundError),
        (KeyError("gone"), gk.NotFoundError),
        (gk.InvalidArgumentError("bad"), gk.InvalidArgumentError),
        (NotImplementedError(), gk.NotImplementedVerbError),
        (gk.ValidationError("old"), gk.ValidationError),
        (OSError(errno.ENOSPC, "full"), gk.FailedError),
        (gk.NotSupportedError("not this query"), gk.NotSupportedError),
        (gk.ParseError("damaged"), gk.ParseError),
        (TimeoutError("slow"), gk.TimedOutError),
        (asyncio.CancelledError(), gk.CancelledError),
        (RuntimeError("boom"), gk.HostError),
        (gk.HostError("mine", code=gk.Status(-105)), gk.HostError),
        (gk.GatheredKitError("some"), gk.GatheredKitError),
        (gk.BusyError("busy"), gk.BusyError),
    ],
)
def test_exceptions_become_the_documented_errors(
    loop: gk.Context, raised: BaseException, expected: type[gk.GatheredKitError]
) -> None:
    """Section 5; the exception itself is the cause."""
    source = failing(raised, loop)
    with pytest.raises(expected) as caught:
        source.get("k")
    assert type(caught.value) is expected
    assert str(raised) in str(caught.value)
    if not isinstance(raised, gk.HostError):
        assert caught.value.__cause__ is raised
        assert list(caught.value.causes) == [raised]
    else:
        assert caught.value.code == -105
    if isinstance(raised, OSError):
        assert caught.value.errno == (raised.errno or 0)


def test_what_an_error_says_further_arrives(loop: gk.Context) -> None:
    error = gk.NotFoundError("two are missing", remedy="look elsewhere")
    error.missing = ["a", "b"]
    with pytest.raises(gk.NotFoundError) as caught:
        failing(error, loop).retry(1).get(gk.Query.id("a"))
    assert list(caught.value.missing) == ["a", "b"]
    assert caught.value.remedy == "look elsewhere"


def test_an_answer_that_is_no_value_is_a_parse_error(loop: gk.Context) -> None:
    source = gk.DataSource.custom(get=lambda query: object(), get_all=lambda query: 1, context=loop)
    with pytest.raises(gk.ParseError) as caught:
        source.get("k")
    assert isinstance(caught.value.__cause__, gk.ParseError)
    with pytest.raises(gk.ParseError):
        source.get_all("k")


def test_an_answer_may_come_later_from_any_thread(no_leaks: None) -> None:
    """Section 4"""
    with gk.Context("sim:empty") as context:
        promise: gk.Promise[int] = gk.Promise(context=context)
        source = gk.DataSource.custom(get=lambda query: promise.future, context=context)
        threading.Timer(0.02, promise.resolve, (7,)).start()
        assert source.get("k", timeout=PATIENCE) == 7
        refused: gk.Promise[int] = gk.Promise(context=context)
        source = gk.DataSource.custom(get=lambda query: refused.future, context=context)
        threading.Timer(0.02, refused.fail, (KeyError("k"),)).start()
        with pytest.raises(gk.NotFoundError):
            source.get("k", timeout=PATIENCE)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pooled = gk.DataSource.custom(
                get=lambda query: pool.submit(len, query.id), context=context
            )
            assert pooled.get("seven", timeout=PATIENCE) == 5


def test_a_promise_that_is_dropped_cancels_the_call() -> None:
    """Section 4, L60"""
    with gk.Context("sim:empty", loop="manual") as loop:
        promises: list[gk.Promise[int]] = [gk.Promise(context=loop)]
        source = gk.DataSource.custom(get=lambda query: promises[0].future, context=loop)
        future = source.get_async("k")
        promises.clear()
        gc.collect()
        with pytest.raises(gk.CancelledError):
            future.wait(PATIENCE)


def test_cancelling_a_call_tells_who_works_for_it(loop: gk.Context) -> None:
    """L59"""
    told: list[str] = []
    promise: gk.Promise[int] = gk.Promise(context=loop, on_cancel=lambda: told.append("told"))
    source = gk.DataSource.custom(get=lambda query: promise.future, context=loop)
    derived = source.get_async("k").map(str)
    derived.cancel()
    assert told == ["told"]
    assert not promise.resolve(1)


class Slow:
    """Verbs that take their time."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def get(self, query: gk.Query) -> Any:
        try:
            await asyncio.sleep(30 if query.id == "slow" else 0.001)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        if query.id == "bad":
            raise KeyError("bad")
        return query.id

    def put(self, query: gk.Query, value: Any) -> Any:
        return asyncio.sleep(0.001, value)


def test_coroutines_run_on_the_asyncio_loop_of_the_context(no_leaks: None) -> None:
    """Section 4"""

    async def main() -> None:
        async with gk.Context("sim:empty") as context:
            slow = Slow()
            source = gk.DataSource.custom(slow, context=context).retry(0)
            found = await asyncio.gather(*(source.get_async(str(n)) for n in range(5)))
            assert found == ["0", "1", "2", "3", "4"]
            assert await source.put_async("k", {"a": 1}) == {"a": 1}
            with pytest.raises(gk.NotFoundError):
                await source.get_async("bad")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(source.get_async("slow"), 0.02)
            while not slow.ended:
                await asyncio.sleep(0.001)
            assert slow.ended == ["cancelled"]
            pending = source.get_async("slow")
        with pytest.raises(gk.CancelledError):
            await pending

    asyncio.run(main())


def test_waiting_where_coroutines_run_would_be_for_ever() -> None:
    async def main() -> None:
        async with gk.Context("sim:empty") as context:
            source = gk.DataSource.custom(Slow(), context=context)
            # What would wait for ever says so.
            with pytest.raises(gk.WrongThreadError):
                source.get("k")
            with pytest.raises(gk.WrongThreadError):
                source.get_async("k").wait()
            with pytest.raises(gk.WrongThreadError):
                source.put("k", 1)

    asyncio.run(main())


def test_coroutines_need_asyncio(loop: gk.Context) -> None:
    async def get(query: gk.Query) -> int:
        return 1

    with pytest.raises(gk.NotSupportedError, match="async with"):
        gk.DataSource.custom(get=get, context=loop).get("k")


def test_a_verb_may_use_stores_but_not_what_needs_the_loop(loop: gk.Context) -> None:
    """L58"""
    memory = gk.DataSource("memory", context=loop)
    memory.put("k", 1)
    mapped = memory.map(int, str)
    outer = gk.DataSource.custom(get=memory.get, put=mapped.put, context=loop)
    assert outer.get("k") == 1
    with pytest.raises(gk.WrongThreadError):
        outer.put("k", 2)


def test_the_last_exceptions_are_no_leak() -> None:
    with gk.Context("sim:empty", loop="manual") as loop:
        gc.collect()
        before = gk.live_count("datasource")

        def use() -> None:
            store = gk.DataSource("memory", context=loop)
            store.put("k", 1)

            def refuse(_value: Any) -> Any:
                raise ValueError(repr(store))

            mapped = store.map(refuse, refuse)
            for _ in range(20):
                with pytest.raises(gk.ParseError):
                    mapped.get("k")
                mapped.get_async("k")

        use()
        gc.collect()
        assert gk.live_count("datasource") >= before
    gc.collect()
