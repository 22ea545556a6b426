"""The library's log lines in Python's `logging`."""

from __future__ import annotations

import logging

from . import _callbacks
from ._library import native
from ._native import LogLevel

_LEVELS = {
    LogLevel.TRACE: 5,
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.INFO: logging.INFO,
    LogLevel.NOTICE: 25,
    LogLevel.WARNING: logging.WARNING,
    LogLevel.ERROR: logging.ERROR,
}


def enable_logging(level: LogLevel = LogLevel.WARNING) -> None:
    """Sends the library's log lines of at least `level` to the loggers `gatheredkit.SUBSYSTEM`.
    Without it, which is how a process starts, nothing is logged.

    >>> import gatheredkit as gk
    >>> gk.enable_logging(gk.LogLevel.ERROR)
    >>> gk.disable_logging()
    """

    def write(number: int, subsystem: str, message: str) -> None:
        name = f"gatheredkit.{subsystem}" if subsystem else "gatheredkit"
        logging.getLogger(name).log(_LEVELS.get(LogLevel(number), logging.ERROR), "%s", message)

    def register(*arguments: object) -> int:
        native().gkit_set_log_handler(level, *arguments)  # type: ignore[arg-type]
        return 0

    _callbacks.register(register, (), _callbacks.log, _callbacks.Entry(write))


def disable_logging() -> None:
    """Stops it.

    >>> import gatheredkit as gk
    >>> gk.disable_logging()
    """
    native().gkit_set_log_handler(0, _callbacks.no_log, None, _callbacks.no_destroy)
