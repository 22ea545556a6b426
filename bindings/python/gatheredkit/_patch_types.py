"""Types of patches: those of the library, and those written in Python."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from ._abi import decode_dict, encoded, take_container
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._errors import ExistsError, GatheredKitError, InvalidArgumentError
from ._library import encode, native
from ._records import PatchType
from ._sample import Sample
from ._trampolines import patch_make

if TYPE_CHECKING:
    from ._event_loop import EventLoop
    from ._patch import Patch

PatchFunction: TypeAlias = Callable[["Patch", str, Sample], object]

_types: dict[str, type[Patch]] = {}
_known: weakref.WeakKeyDictionary[EventLoop, set[str]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


class _Making(threading.local):
    """What a call of this thread that makes patches is about."""

    def __init__(self) -> None:
        # The patch whose constructor asked the library for its type.
        self.wanted: Patch | None = None
        # The empty patch of the library that the next constructor takes.
        self.offered: tuple[EventLoop, int] | None = None
        # The patches made in Python meanwhile, and what kept one from being made.
        self.made: list[Patch] = []
        self.error: Exception | None = None


_making = _Making()


def patch_type(
    name: str, *, inputs: Mapping[str, str] | None = None, outputs: Mapping[str, str] | None = None
) -> Callable[[Any], type[Patch]]:
    """Makes a type of patch of a function `f(patch, input, sample)`, or of a subclass of `Patch`:
    known by its name in `Graph.add`, in documents and in drawings, in every context.

    `inputs` and `outputs` are hints by name. An option of the name of an input is its start value.
    Raises `ExistsError` for a name that is taken; by a type of the library, when it is first used.

    >>> import gatheredkit as gk
    >>> @gk.patch_type("half", inputs={"value": "double"}, outputs={"value": "double"})
    ... def half(patch, input, sample):
    ...     patch.publish("value", sample.value / 2)
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     graph = gk.Graph(context=context)
    ...     child = graph.add("half")
    ...     _ = child.out["value"].subscribe(print)
    ...     child.inputs["value"].value = 3
    1.5
    """

    def decorate(made: Any) -> type[Patch]:
        from ._patch import Patch

        if isinstance(made, type) and issubclass(made, Patch):
            cls: type[Patch] = made
        else:
            require_callable("patch_type", made)
            cls = type(name, (Patch,), {"receive": made, "__doc__": made.__doc__})
            cls.__module__ = made.__module__
        if inputs is not None:
            cls.input_hints = dict(inputs)
        if outputs is not None:
            cls.output_hints = dict(outputs)
        with _lock:
            if name in _types:
                raise ExistsError(f"there is a patch type {name!r} already")
            _types[name] = cls
        cls.registered_type = name
        return cls

    return decorate


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


def chosen(context: EventLoop | None) -> EventLoop:
    """The context given, or the default one."""
    if context is not None:
        return context
    from ._default import default_context

    return default_context()


def introduce(context: EventLoop) -> None:
    """Tells a context of the types written in Python that it does not know yet."""
    with _lock:
        known = _known.setdefault(context, set())
        missing = {name: cls for name, cls in _types.items() if name not in known}
        known.update(missing)
    for name, cls in missing.items():
        entry = Entry(_maker(weakref.ref(context), cls))
        arguments = (context._require(), encode(name))
        status = register(native().gkit_patch_register, arguments, patch_make, entry)
        if status < 0:
            with _lock:
                _types.pop(name, None)
                known.discard(name)
            context.check(status)


def make(
    context: EventLoop, kind: str | None, options: dict[str, Any], wanted: Patch | None = None
) -> tuple[int, Patch | None]:
    """A new patch of the library, and the object behind it if its type is written in Python; where
    that type is the one of `wanted`, this is the object."""
    introduce(context)
    failure()
    out = ctypes.c_void_p()
    is_own = wanted is not None and kind is not None and kind == wanted.registered_type
    before, _making.wanted = _making.wanted, wanted if is_own else None
    try:
        with collected() as made, encoded(options) as given:
            handle = given.as_.dict if options else None
            name = None if kind is None else encode(kind)
            function = native().gkit_patch_new
            context.check(function(context._require(), name, handle, ctypes.byref(out)))
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
def collected() -> Generator[list[Patch], None, None]:
    """The patches written in Python that the library asks for on this thread inside the block, in
    order. The caller keeps them."""
    made: list[Patch] = []
    before, _making.made = _making.made, made
    try:
        yield made
    finally:
        _making.made = before


def failure() -> Exception | None:
    """What kept a patch written in Python from being made, since this was called last."""
    error, _making.error = _making.error, None
    return error


def is_own(kind: str) -> bool:
    """Whether a type is written in Python."""
    return kind in _types


def claim() -> tuple[EventLoop, int] | None:
    """The patch of the library that a constructor takes, where one is offered."""
    offered, _making.offered = _making.offered, None
    return offered


def _maker(context: weakref.ref[EventLoop], cls: type[Patch]) -> Callable[[int, int], None]:
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
        given: dict[str, Any] = (decode_dict(options) if options else None) or {}
        wanted, _making.wanted = _making.wanted, None
        start = _start_values(cls, given)
        if wanted is not None:
            wanted._attach(owner, address)
        else:
            _making.made.append(_construct(cls, owner, address, given))
        for name, value in start.items():
            with encoded(value) as made:
                function = native().gkit_patch_set_value
                owner.check(function(address, encode(name), ctypes.byref(made)))

    return make_one


def _start_values(cls: type[Patch], given: dict[str, Any]) -> dict[str, Any]:
    """The options that are start values of inputs; others are for the constructor, if any."""
    if not _has_constructor(cls):
        for name in given:
            if name not in cls.input_hints:
                raise InvalidArgumentError(f"{cls.registered_type} has no option {name!r}")
    return {name: value for name, value in given.items() if name in cls.input_hints}


def _construct(cls: type[Patch], context: EventLoop, address: int, given: dict[str, Any]) -> Patch:
    _making.offered = context, address
    try:
        return cls(**(given if _has_constructor(cls) else {}))
    finally:
        _making.offered = None


def _has_constructor(cls: type[Patch]) -> bool:
    from ._patch import Patch

    return cls.__init__ is not Patch.__init__


def _after_fork() -> None:
    global _lock, _making
    _lock, _making = threading.Lock(), _Making()


os.register_at_fork(after_in_child=_after_fork)
