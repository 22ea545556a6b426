"""Contexts: opening, loops, clocks, closing."""

from __future__ import annotations

import asyncio
import threading

import pytest

import gatheredkit as gk

from .conftest import Open
from .patience import PATIENCE


def test_what_cannot_be_opened_says_why() -> None:
    with pytest.raises(gk.InvalidArgumentError):
        gk.Context("warp:9")
    with pytest.raises(gk.NotFoundError):
        gk.Context("sim:nowhere")
    with pytest.raises(gk.InvalidArgumentError):
        gk.Context("sim:empty", allow="bogus")
    with pytest.raises(gk.InvalidArgumentError):
        gk.Context("sim:empty", loop="sideways")  # type: ignore[arg-type]


def test_closing_is_idempotent_and_later_calls_answer_closed(no_leaks: None) -> None:
    context = gk.Context("sim:laptop")
    source = context.open("memory")
    source.start()
    context.close()
    context.close()
    assert context.closed
    with pytest.raises(gk.ClosedError):
        context.sources()
    with pytest.raises(gk.ClosedError):
        source.update()
    assert not source.is_updating
    source.close()
    with pytest.raises(gk.ClosedError):
        source.update()
    assert "closed" in repr(context) + repr(source)


def test_the_manual_loop_runs_callbacks_only_in_dispatch(context: gk.Context) -> None:
    ran: list[int] = []
    context.invoke(lambda: ran.append(threading.get_ident()))
    context.invoke(lambda: ran.append(int(context.is_current)))
    assert ran == []
    assert context.dispatch() == 2
    assert ran == [threading.get_ident(), 1]
    assert context.dispatch(0.01) == 0


def test_the_default_loop_runs_callbacks_on_one_python_thread() -> None:
    names: list[str] = []
    with gk.Context("sim:laptop") as context:
        for _ in range(3):
            context.invoke(lambda: names.append(threading.current_thread().name))
        context.flush(PATIENCE)
    assert names == ["gatheredkit"] * 3


def test_closing_inside_a_callback_is_refused() -> None:
    errors: list[BaseException] = []

    def close(context: gk.Context) -> None:
        try:
            context.close()
        except gk.WrongThreadError as error:
            errors.append(error)

    with gk.Context("sim:laptop", loop="manual") as context:
        context.invoke(lambda: close(context))
        context.dispatch()
    assert len(errors) == 1


def test_the_manual_clock_moves_forwards_only(context: gk.Context) -> None:
    context.seek(1.5)
    assert (context.position, context.position_ns) == (1.5, 1_500_000_000)
    assert context.now() == (1_700_000_001_500_000_000, 1_500_000_000)
    assert context.duration is None
    context.seek(position_ns=1_500_000_001)
    with pytest.raises(gk.InvalidArgumentError):
        context.seek(1)
    with pytest.raises(gk.InvalidArgumentError):
        context.seek()


def test_asyncio_drives_a_context_and_its_events(open_script: Open) -> None:
    context = open_script()

    async def watch() -> list[gk.Event]:
        found: list[gk.Event] = []
        async with context:
            with context.watch("battery") as events:
                context.seek(3.5)
                context.seek(5.5)
                async for event in events:
                    if event.type in (gk.EventType.ADDED, gk.EventType.REMOVED):
                        found.append(event)
                    if len(found) == 2:
                        break
        return found

    found = asyncio.run(asyncio.wait_for(watch(), PATIENCE))
    assert [(event.type.name, event.source_id) for event in found] == [
        ("ADDED", "battery|BAT1"),
        ("REMOVED", "battery|BAT1"),
    ]
    assert context.closed


def test_a_watch_of_an_unknown_kind_is_not_found(context: gk.Context, no_leaks: None) -> None:
    with pytest.raises(gk.NotFoundError):
        context.watch("no_such_kind")


def test_sources_are_listed_with_their_availability(context: gk.Context) -> None:
    found = {source.id: source for source in context.sources()}
    assert {"battery|BAT0", "memory|machine"} <= set(found)
    assert found["battery|BAT0"].availability is gk.Availability.AVAILABLE
    assert found["battery|BAT0"].reason is gk.Reason.AVAILABLE
    with pytest.raises(gk.NotFoundError):
        context.sources("no_such_kind")


def test_the_doctor_tells_of_every_kind(context: gk.Context) -> None:
    report = context.doctor()
    kinds = {kind["kind"]: kind for kind in report.kinds}
    assert kinds["screen"]["reason"] == "noHardware"
    assert [entry["id"] for entry in kinds["memory"]["instances"]] == ["memory|machine"]
    assert "battery|BAT0" in str(report)
    assert "<table>" in report._repr_html_()
    assert report.to_dict()["kinds"] == report.kinds


def test_allow_opens_and_withholds_at_once() -> None:
    with gk.Context("sim:phone", loop="manual") as context:
        assert context.read("device_metadata")["hostname"].status is gk.SampleStatus.PERMISSION
        context.allow("hostname")
        with context.open("device_metadata") as metadata:
            assert metadata.update()["hostname"].status is gk.SampleStatus.OK
            context.allow()
            assert metadata.update()["hostname"].status is gk.SampleStatus.PERMISSION
        with pytest.raises(gk.InvalidArgumentError):
            context.allow("bogus")
