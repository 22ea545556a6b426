"""What the tests stand on: simulated devices with a script and a clock that only tests move."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

from .mqtt import private_broker

SCRIPT = """\
0 add battery|BAT0
0 set battery|BAT0/level 0.5
0 set battery|BAT0/state "discharging"
0 absent battery|BAT0/temperature permission file mode
0 add memory|machine
0 set memory|machine/total 1000000
2 set battery|BAT0/level 0.4
3 add battery|BAT1
5 remove battery|BAT1
"""

PRESSURE = """\
0 add memory|machine
0 set memory|machine/pressure_some_avg10 1.5
"""

Open = Callable[..., gk.Context]


@pytest.fixture
def open_script(tmp_path: Path) -> Iterator[Open]:
    """Opens a context on a script, with a manual clock and a manual loop."""
    opened: list[gk.Context] = []

    def open_it(script: str = SCRIPT, **options: object) -> gk.Context:
        file = tmp_path / f"device{len(opened)}.sim"
        file.write_text(script, "utf-8")
        options.setdefault("loop", "manual")
        context = gk.Context(f"sim:file={file}&clock=manual", **options)  # type: ignore[arg-type]
        opened.append(context)
        return context

    yield open_it
    for context in opened:
        context.close()


@pytest.fixture
def context(open_script: Open) -> gk.Context:
    """The scripted device."""
    return open_script()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """The URI of an MQTT broker."""
    with private_broker(tmp_path) as uri:
        yield uri


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """Fails if a test leaves handles of the library behind."""
    gc.collect()
    before = gk.live_count()
    yield
    gc.collect()
    assert gk.live_count() <= before


@pytest.fixture
def pressure(open_script: Open) -> gk.Context:
    """A scripted memory with one number."""
    return open_script(PRESSURE)


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What came out of callbacks, instead of a failing test."""
    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    return seen
