"""The thread on which the callbacks of a context run."""

from __future__ import annotations

import threading
import time

from ._library import native
from ._native import Status


class LoopThread:
    """A daemon thread that dispatches until its context is closed. It holds the handle only, so
    that a context nobody holds any more can go."""

    def __init__(self, address: int) -> None:
        self._address = address
        self._thread = threading.Thread(target=self._run, name="gatheredkit", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        dispatch = native().gkit_context_dispatch
        while True:
            status = dispatch(self._address, -1)
            if status == Status.BUSY:
                time.sleep(0.01)
            elif status < 0:
                return

    def join(self) -> None:
        """Waits for its end, unless called on it."""
        if threading.current_thread() is not self._thread:
            self._thread.join()
