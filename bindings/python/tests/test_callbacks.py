"""Callbacks that fail never cross C."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import gatheredkit as gk


class Unlucky(Exception):
    """What the callbacks of these tests raise."""


def fail(_update: object = None) -> None:
    raise Unlucky("no luck")


def test_an_exception_is_kept_logged_and_handed_to_the_hook(
    context: gk.Context, unraisable: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[object] = []
    with context.open("memory") as memory:
        connection = memory.listen(fail)
        memory.listen(seen.append)
        memory.update()
        memory.update()
        assert isinstance(connection.error, Unlucky)
        assert connection.connected
        assert "failed" in repr(connection)
    assert len(seen) == 2
    assert [hook.exc_type for hook in unraisable] == [Unlucky, Unlucky]
    assert [record.name for record in caplog.records] == ["gatheredkit", "gatheredkit"]
    assert caplog.records[0].levelno == logging.ERROR


def test_an_interrupt_comes_out_of_the_dispatching_call(context: gk.Context) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    context.invoke(interrupt)
    with pytest.raises(KeyboardInterrupt):
        context.dispatch()
    assert context.dispatch() == 0


def test_an_interrupt_comes_out_of_the_update_that_caused_it(context: gk.Context) -> None:
    def interrupt(_update: gk.Update) -> None:
        raise SystemExit(3)

    with context.open("memory") as memory:
        with memory.listen(interrupt), pytest.raises(SystemExit):
            memory.update()
        memory.update()


def test_a_failing_work_does_not_stop_the_thread(unraisable: list[Any]) -> None:
    ran: list[int] = []
    with gk.Context("sim:laptop") as context:
        context.invoke(fail)
        context.invoke(lambda: ran.append(1))
        context.flush(5.0)
    assert ran == [1]
    assert len(unraisable) == 1


def test_log_lines_reach_the_loggers_and_the_handler_can_be_taken_away() -> None:
    gk.enable_logging(gk.LogLevel.TRACE)
    gk.enable_logging(gk.LogLevel.ERROR)
    with gk.Context("sim:laptop") as context:
        context.read("memory")
    gk.disable_logging()
    gk.disable_logging()
