"""Registrations of functions that C calls, and the memory it lends them.

The user data is a number that finds the entry; the destroy function forgets it. What a Python
callback raises never crosses C: it is logged or printed, handed to the program's own
`sys.unraisablehook` and kept as the error of its connection. KeyboardInterrupt and SystemExit are
raised again by the call in which the callback ran; on a context's own thread they are logged.
"""

from __future__ import annotations

import ctypes
import itertools
import logging
import os
import sys
import threading
import types
import weakref
from collections.abc import Callable
from struct import Struct
from typing import Any, Protocol, TypeAlias, cast

from ._errors import TypeMismatchError
from ._native import gkit_destroy_fn

logger = logging.getLogger("gatheredkit")

# Python does not name the type of what its hook takes: see `sys.unraisablehook`.
_TUPLES = cast("list[type[Any]]", tuple.__subclasses__())
_HOOK_TYPES = [found for found in _TUPLES if found.__name__ == "UnraisableHookArgs"]


def require_callable(what: str, *functions: object) -> None:
    """Raises `TypeMismatchError` at once for what is not callable."""
    for function in functions:
        if not callable(function):
            raise TypeMismatchError(f"{what} takes a function, not {function!r}")


class Fallible(Protocol):
    """What keeps the last exception of a callback."""

    error: BaseException | None


class Entry:
    """One registration: what to call, and the last exception that came out of it.

    An exception keeps its frames alive, and all that the callback used. The `owner` keeps it
    where there is one; the entry refers to the owner weakly.
    """

    __slots__ = ("__weakref__", "_error", "_owner", "call", "cut", "done", "ended", "keeps")

    def __init__(self, call: Callable[..., Any], owner: Fallible | None = None) -> None:
        self.call = call
        self._error: BaseException | None = None
        self._owner = None if owner is None else weakref.ref(owner)
        self.ended = False
        self.cut = False
        self.keeps: tuple[object, ...] = ()
        self.done: Callable[[], None] | None = None

    @property
    def error(self) -> BaseException | None:
        """The last exception that came out of it; None so far."""
        owner = None if self._owner is None else self._owner()
        return self._error if owner is None else owner.error

    @error.setter
    def error(self, error: BaseException) -> None:
        owner = None if self._owner is None else self._owner()
        if owner is not None:
            owner.error = error
        elif self._owner is None:
            self._error = error

    def report(self, error: BaseException) -> None:
        """Keeps an exception and tells of it; never raises."""
        self.error = error
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            interrupts[threading.get_ident()] = error
            return
        _tell(error, self.call)


def _tell(error: BaseException, function: object) -> None:
    """Logs an exception, or prints it where no log is kept. A `sys.unraisablehook` of the program
    is called in both cases; the exception is reported once in each place."""
    is_logged = logger.isEnabledFor(logging.ERROR) and logger.hasHandlers()
    if is_logged:
        logger.error("a callback failed", exc_info=error)
        if sys.unraisablehook is sys.__unraisablehook__:
            return
    what = (type(error), error, error.__traceback__, "Exception ignored in callback", function)
    try:
        sys.unraisablehook(_hook_arguments(what))
    except Exception:
        logger.exception("sys.unraisablehook failed")


SAMPLE_SIZE = 80
_ONE = ctypes.c_char * SAMPLE_SIZE

# Status, flags and type of a sample as two ints, which are compared at once, and its payload as an
# int and as a float: to look at these costs half of what unpacking them does.
Words: TypeAlias = "tuple[memoryview[int], memoryview[int], memoryview[float]]"

# KeyboardInterrupt and SystemExit that came out of a callback, by thread: empty nearly always, so
# that frequent calls look at it before they call `raise_interrupt`.
interrupts: dict[int, BaseException] = {}
_entries: dict[int, Entry] = {}
# Odd: where C hands back the object that an entry calls, the key is its address, which is even.
_keys = itertools.count(1, 2)

# The registration a callback was called for; None once it was forgotten.
entry_of = _entries.get


def raise_interrupt() -> None:
    """Raises a KeyboardInterrupt or SystemExit that came out of a callback on this thread."""
    pending = interrupts.pop(threading.get_ident(), None) if interrupts else None
    if pending is not None:
        raise pending


def log_interrupt() -> None:
    """Logs such an exception, on a thread without a caller."""
    try:
        raise_interrupt()
    except BaseException as error:
        logger.error("a callback asked for the end of a thread that is not its own", exc_info=error)


def register(
    function: Callable[..., int],
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    *after: object,
) -> int:
    """Calls a registering function; its destroy forgets the entry, also when it fails."""
    return _register(next(_keys), function, arguments, trampoline, entry, *after)


def register_object(
    function: Callable[..., int],
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    *after: object,
) -> int:
    """As `register`, once for an entry, for a trampoline that takes what the entry calls."""
    return _register(id(entry.call), function, arguments, trampoline, entry, *after)


def taker(function: Callable[[int, int, Any], None]) -> Any:
    """What C calls with samples of what `register_object` registered: the function gets what the
    entry calls as it is, without a search."""
    if sys.implementation.name != "pypy":
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.py_object)(function)

    # PyPy has no way from an address to an object.
    def found(samples: int, count: int, key: int) -> None:
        entry = _entries.get(key)
        if entry is not None:
            function(samples, count, entry.call)

    return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(found)


def _register(
    key: int,
    function: Callable[..., int],
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    *after: object,
) -> int:
    _entries[key] = entry
    try:
        return function(*arguments, trampoline, key, destroy, *after)
    except Exception:
        _entries.pop(key, None)
        raise


class Reader(Protocol):
    """What unpacks a layout from an offset of some memory."""

    def __call__(self, data: Any, offset: int = 0, /) -> tuple[Any, ...]: ...


def reader(layout: str) -> Reader:
    """The reader of a layout of `struct`: its `unpack_from` itself, but on PyPy 8."""
    unpack = Struct(layout).unpack_from
    if not _needs_view:
        return unpack
    return lambda data, offset=0: unpack(memoryview(data), offset)


def _reads_arrays() -> bool:
    """Whether `struct` reads what ctypes has as it is; PyPy 8 needs a view of its memory."""
    try:
        Struct("=B").unpack_from(ctypes.create_string_buffer(1))
    except TypeError:
        return False
    return True


_needs_view = not _reads_arrays()


def memory(samples: int, count: int) -> ctypes.Array[ctypes.c_char]:
    """The samples of a callback, to read from until it returns."""
    kind = _ONE if count == 1 else ctypes.c_char * (count * SAMPLE_SIZE)
    return kind.from_address(samples)


# What C lends lies at few places, mostly of a stack; memory is looked at inside the callback only.
words_at: dict[int, Words] = {}


def words_of(address: int) -> Words:
    """The one sample of a callback, to look at until it returns."""
    if len(words_at) >= 256:
        words_at.clear()
    octets = memoryview(_ONE.from_address(address)).cast("B")
    payload = octets[48:56]
    found = words_at[address] = (octets[32:48].cast("q"), payload.cast("q"), payload.cast("d"))
    return found


def living_entries() -> int:
    """The number of registrations, for leak tests."""
    return len(_entries)


def _hook_arguments(what: tuple[object, ...]) -> Any:
    if _HOOK_TYPES:
        return _HOOK_TYPES[0](what)
    names = ("exc_type", "exc_value", "exc_traceback", "err_msg", "object")
    return types.SimpleNamespace(**dict(zip(names, what, strict=True)))


def _on_destroy(key: int) -> None:
    entry = _entries.pop(key, None)
    if entry is not None:
        entry.ended = True
        entry.keeps = ()
        if entry.done is not None:
            entry.done()


def _after_fork() -> None:
    _entries.clear()
    interrupts.clear()


destroy = gkit_destroy_fn(_on_destroy)
no_destroy = gkit_destroy_fn()

os.register_at_fork(after_in_child=_after_fork)
