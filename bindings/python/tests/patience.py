"""Waits for what comes in its own time.

A wait begins with the work it belongs to and is long, so on a machine that is overloaded, too, only
a test that fails anyway comes to its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 600.0
"""How many seconds a wait may last, from its own beginning."""


def until(holds: Callable[[], bool], meanwhile: Callable[[], object] = lambda: None) -> bool:
    """Does something again and again until something holds; whether it does."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        meanwhile()
        time.sleep(0.005)
    return holds()
