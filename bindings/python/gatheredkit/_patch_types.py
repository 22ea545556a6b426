"""Types of patches: those of the library, and what it makes those written in Python with."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from . import _trampolines as trampolines
from ._abi import decode_dict, encoded, take_container
from ._callbacks import Entry, raise_interrupt, register
from ._errors import ExistsError, GatheredKitError, InvalidArgumentError
from ._event_loop import EventLoop, chosen
from ._handles import address_of
from ._library import encode, native
from ._records import PatchType


class OwnType(NamedTuple):
    """A type written in Python: what constructs its patches, whether that takes options, and what
    tells the hints of their inputs."""

    name: str
    create: Callable[..., object]
    takes_options: bool
    input_hints: Callable[[], Mapping[str, str]]

    def start_values(self, given: dict[str, object]) -> dict[str, object]:
        """The options that are start values of inputs; others are for the constructor, if any."""
        hints = self.input_hints()
        if not self.takes_options:
            for name in given:
                if name not in hints:
                    raise InvalidArgumentError(f"{self.name} has no option {name!r}")
        return {name: value for name, value in given.items() if name in hints}


class Wanted(NamedTuple):
    """A patch whose constructor asks the library for its type, and takes what that makes."""

    type: str | None
    attach: Callable[[EventLoop, int], None]


_types: dict[str, OwnType] = {}
_known: weakref.WeakKeyDictionary[EventLoop, set[str]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


class _Making(threading.local):
    """The state of a call on this thread that makes patches."""

    def __init__(self) -> None:
        self.wanted: Wanted | None = None
        # The empty patch of the library that the next constructor takes.
        self.offered: tuple[EventLoop, int] | None = None
        # The patches made in Python meanwhile, and what kept one from being made.
        self.made: list[object] = []
        self.error: Exception | None = None


_making = _Making()


def add_type(own: OwnType) -> None:
    """Makes a type known. Raises `ExistsError` for a name that is taken."""
    with _lock:
        if own.name in _types:
            raise ExistsError(f"there is a patch type {own.name!r} already")
        _types[own.name] = own


def patch_types(context: EventLoop | None = None) -> list[PatchType]:
    """The types of patches there are, with their ports and options, in catalogue order.

    >>> import gatheredkit as gk
    >>> [kind.summary for kind in gk.patch_types() if kind.type == "norm"]
    ['The Euclidean length of a vector.']
    """
    context = chosen(context)
    introduce(context)
    out = ctypes.c_void_p()
    context.check(native().gkit_patch_list_types(context.address, ctypes.byref(out)))
    return [PatchType(entry) for entry in take_container(out.value)]


def introduce(context: EventLoop) -> None:
    """Tells a context of the types written in Python that it does not know yet."""
    with _lock:
        known = _known.setdefault(context, set())
        missing = {name: own for name, own in _types.items() if name not in known}
        known.update(missing)
    for name, own in missing.items():
        entry = Entry(_maker(weakref.ref(context), own))
        arguments = (address_of(context), encode(name))
        status = register(native().gkit_patch_register, arguments, trampolines.patch_make, entry)
        if status < 0:
            with _lock:
                _types.pop(name, None)
                known.discard(name)
            context.check(status)


def make(
    context: EventLoop, kind: str | None, options: dict[str, object], wanted: Wanted | None = None
) -> tuple[int, object | None]:
    """A new patch of the library, and the object behind it if its type is written in Python; where
    that type is the one of `wanted`, this is the object."""
    introduce(context)
    failure()
    out = ctypes.c_void_p()
    is_own = wanted is not None and kind is not None and kind == wanted.type
    before, _making.wanted = _making.wanted, wanted if is_own else None
    try:
        with collected() as made, encoded(options) as given:
            handle = given.as_.dict if options else None
            name = None if kind is None else encode(kind)
            function = native().gkit_patch_new
            context.check(function(address_of(context), name, handle, ctypes.byref(out)))
    except GatheredKitError as error:
        cause = failure()
        if isinstance(cause, GatheredKitError) and cause.code == error.code:
            raise cause from None
        raise error from cause
    finally:
        _making.wanted = before
    raise_interrupt()
    return out.value or 0, made[-1] if made else None


@contextmanager
def collected() -> Generator[list[object], None, None]:
    """The patches written in Python that the library asks for on this thread inside the block, in
    order. The caller keeps them."""
    made: list[object] = []
    before, _making.made = _making.made, made
    try:
        yield made
    finally:
        _making.made = before


def failure() -> Exception | None:
    """The exception that kept a patch written in Python from being made, since the last call."""
    error, _making.error = _making.error, None
    return error


def is_own(kind: str) -> bool:
    """Whether a type is written in Python."""
    return kind in _types


def claim() -> tuple[EventLoop, int] | None:
    """The patch of the library that a constructor takes, where one is offered."""
    offered, _making.offered = _making.offered, None
    return offered


def _maker(context: weakref.ref[EventLoop], own: OwnType) -> Callable[[int, int], None]:
    def make_one(address: int, options: int) -> None:
        owner = context()
        if owner is None:
            return
        try:
            make_for(owner, address, options)
        except Exception as error:
            _making.error = error
            raise

    def make_for(owner: EventLoop, address: int, options: int) -> None:
        given: dict[str, object] = (decode_dict(options) if options else None) or {}
        wanted, _making.wanted = _making.wanted, None
        start = own.start_values(given)
        if wanted is not None:
            wanted.attach(owner, address)
        else:
            _making.made.append(_construct(own, owner, address, given))
        for name, value in start.items():
            with encoded(value) as made:
                function = native().gkit_patch_set_value
                owner.check(function(address, encode(name), ctypes.byref(made)))

    return make_one


def _construct(own: OwnType, context: EventLoop, address: int, given: dict[str, object]) -> object:
    _making.offered = context, address
    try:
        return own.create(**(given if own.takes_options else {}))
    finally:
        _making.offered = None


def _after_fork() -> None:
    global _lock, _making
    _lock, _making = threading.Lock(), _Making()


os.register_at_fork(after_in_child=_after_fork)
