"""Callbacks that fail never cross C."""

from __future__ import annotations

import logging
import sys
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE
from .test_library import run


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
        context.flush(PATIENCE)
    assert ran == [1]
    assert len(unraisable) == 1


def test_log_lines_reach_the_loggers_and_the_handler_can_be_taken_away() -> None:
    gk.enable_logging(gk.LogLevel.TRACE)
    gk.enable_logging(gk.LogLevel.ERROR)
    with gk.Context("sim:laptop") as context:
        context.read("memory")
    gk.disable_logging()
    gk.disable_logging()


FAILING = """
import gatheredkit as gk
{setting}
def unlucky(update):
    raise ZeroDivisionError("no luck")
with gk.Context("sim:laptop&clock=manual", loop="manual") as context:
    with context.open("memory") as memory:
        memory.listen(unlucky)
        memory.update()
"""


@pytest.mark.parametrize(
    "setting",
    [
        "",
        "import logging; logging.basicConfig()",
        "import logging; logging.getLogger('gatheredkit').addHandler(logging.NullHandler())\n"
        "import sys; given = sys.unraisablehook; sys.unraisablehook = lambda args: given(args)",
        "import logging; logging.disable()",
    ],
    ids=["as it is", "with a log", "with a hook that asks Python's own", "with logging disabled"],
)
def test_a_failing_callback_is_reported_once_and_in_full(setting: str) -> None:
    done = run(FAILING.format(setting=setting))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("ZeroDivisionError: no luck") == 1
    assert done.stderr.count("Traceback") == 1
    assert "in unlucky" in done.stderr
    assert "TypeError" not in done.stderr


def test_the_hook_is_given_what_python_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    with gk.Context("sim:laptop", loop="manual") as context:
        context.invoke(fail)
        context.dispatch()
    [told] = seen
    assert type(told).__name__ == "UnraisableHookArgs"
    assert (told.exc_type, told.object) == (Unlucky, fail)
    assert told.exc_traceback is not None
