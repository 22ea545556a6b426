"""The example programs run as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .patience import PATIENCE

FOLDER = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "command",
    [
        "attitude.py",
        "attitude.py sim:phone 0.5",
        "battery_and_memory.py",
        "listen.py memory 1.5",
        "memory_alarm.py 1",
        "notes.py",
        "tap.py sim:phone 1 9",
        "watch.py battery 0.5",
    ],
)
def test_examples_run(command: str) -> None:
    name, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(FOLDER / "examples" / name), *arguments],
        env={**os.environ, "PYTHONPATH": str(FOLDER)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
