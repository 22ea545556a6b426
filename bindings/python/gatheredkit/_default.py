"""Functions of the package: the default context, what concerns the library as a whole, its log."""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from typing import Literal

from ._callbacks import Entry, no_destroy, register
from ._context import Context, Source
from ._event_loop import provide_default
from ._info import Report, SourceInfo
from ._iterators import Events
from ._library import check, encode, native
from ._native import LogLevel
from ._reading import Reading
from ._trampolines import log, no_log
from ._waiting import interval

_LEVELS = {
    LogLevel.TRACE: 5,
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.INFO: logging.INFO,
    LogLevel.NOTICE: 25,
    LogLevel.WARNING: logging.WARNING,
    LogLevel.ERROR: logging.ERROR,
}

_lock = threading.Lock()
_default: Context | None = None


def default_context() -> Context:
    """The context of this computer that the functions of the package use; opened when it is first
    wanted, closed at exit."""
    global _default
    with _lock:
        if _default is None or _default.closed:
            _default = Context()
        return _default


def sources(kind: str | None = None) -> list[SourceInfo]:
    """The instances this computer has. See `Context.sources`."""
    return default_context().sources(kind)


def open(id_or_kind: str) -> Source:
    """A new session on a source of this computer. See `Context.open`."""
    return default_context().open(id_or_kind)


def read(
    id_or_kind: str, timeout: float | None = 1.0, *, missing: Literal["raise", "ok"] = "raise"
) -> Reading:
    """One reading of a source of this computer, or of one property. See `Context.read`.

    >>> import gatheredkit as gk
    >>> gk.read("memory/total").value > 0
    True
    """
    return default_context().read(id_or_kind, timeout, missing=missing)


def watch(kind: str | None = None) -> Events:
    """Instances of this computer that come, go or change. See `Context.watch`."""
    return default_context().watch(kind)


def doctor() -> Report:
    """What this computer has and lacks, with reasons and remedies. See `Context.doctor`."""
    return default_context().doctor()


def sleep(seconds: float) -> None:
    """Lets time pass, and the callbacks of the default context run. See `Context.sleep`."""
    default_context().sleep(seconds)


def default_interval(kind: str) -> float:
    """What a start without an interval asks for, in seconds. Raises `NotFoundError`.

    >>> import gatheredkit as gk
    >>> gk.default_interval("memory")
    1.0
    """
    found = ctypes.c_int64()
    check(native().gkit_kind_get_default_interval(encode(kind), ctypes.byref(found)))
    return found.value / 1e9


def set_default_interval(kind: str, every: float | None) -> None:
    """Sets the interval of later starts in this process; None restores the factory value.

    Raises `NotFoundError`, `InvalidArgumentError`.

    >>> import gatheredkit as gk
    >>> gk.set_default_interval("memory", 2.5)
    >>> gk.default_interval("memory")
    2.5
    >>> gk.set_default_interval("memory", None)
    """
    check(native().gkit_kind_set_default_interval(encode(kind), interval(every, None)))


def has_feature(name: str) -> bool:
    """Whether the library knows a mechanism: iio, udev, dbus, netlink, alsa, sim, replay ...

    >>> import gatheredkit as gk
    >>> gk.has_feature("sim"), gk.has_feature("teleport")
    (True, False)
    """
    return native().gkit_has_feature(encode(name))


def live_count(handle_type: str | None = None) -> int:
    """How many handles the library keeps, of one type or of all: for leak tests.

    Raises `InvalidArgumentError` for an unknown type.

    >>> import gatheredkit as gk
    >>> before = gk.live_count("context")
    >>> with gk.Context("sim:empty"):
    ...     gk.live_count("context") - before
    1
    """
    return check(native().gkit_live_count(None if handle_type is None else encode(handle_type)))


def library_version() -> str:
    """The version of the library that was loaded.

    >>> import gatheredkit as gk
    >>> gk.library_version().split(".")[0]
    '0'
    """
    return (native().gkit_version_string() or b"").decode()


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

    def set_handler(*arguments: object) -> int:
        native().gkit_set_log_handler(level, *arguments)  # type: ignore[arg-type]
        return 0

    register(set_handler, (), log, Entry(write))


def disable_logging() -> None:
    """Stops sending log lines.

    >>> import gatheredkit as gk
    >>> gk.disable_logging()
    """
    native().gkit_set_log_handler(0, no_log, None, no_destroy)


def _after_fork() -> None:
    global _default, _lock
    _default, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
provide_default(default_context)
