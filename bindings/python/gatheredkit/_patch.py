"""Patches: small boxes with named inputs and outputs."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from . import _patch_types
from ._abi import encoded, take_dict
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._closing import Closing
from ._connections import Connection
from ._delivery import memory, patch_error, sample_reader
from ._handles import Handle
from ._library import encode, native
from ._ports import Input, Output, Ports
from ._records import PatchError
from ._sample import Sample
from ._stream import Roots, Stream
from ._trampolines import no_input, patch_input

if TYPE_CHECKING:
    from ._event_loop import EventLoop

Entered = TypeVar("Entered", bound="Patch")


class Patch(Closing, Handle):
    """A box with named inputs and outputs, wired to others by `a.out["x"] >> b.inputs["y"]`.

    `type` is one of `patch_types`, with its options (durations in seconds); None is an empty patch
    for ports of your own. A subclass defines `receive(self, input, sample)`, and names its ports in
    `input_hints` and `output_hints`, or adds them in `__init__`. Handlers run on the context's
    loop, one at a time; what they publish carries the times of the sample that caused it.
    Raises `NotFoundError` (no such type), `InvalidArgumentError` (a bad or unknown option).

    >>> import gatheredkit as gk
    >>> class Doubler(gk.Patch):
    ...     input_hints = {"value": "double"}
    ...     output_hints = {"value": "double"}
    ...     def receive(self, input, sample):
    ...         self.publish("value", sample.value * 2)
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     doubler = Doubler(context=context)
    ...     _ = doubler.out["value"].subscribe(print)
    ...     doubler.inputs["value"].value = 4
    8
    """

    input_hints: ClassVar[Mapping[str, str]] = {}
    output_hints: ClassVar[Mapping[str, str]] = {}
    error: BaseException | None = None
    """The last exception of a handler; None so far."""
    registered_type: ClassVar[str | None] = None
    context: EventLoop
    _behind: Patch | None

    def __init__(
        self, type: str | None = None, /, *, context: EventLoop | None = None, **options: Any
    ) -> None:
        self._prepare()
        offered = _patch_types.claim()
        if offered is not None:
            self._attach(*offered)
            return
        self.context = _patch_types.chosen(context)
        self.context.ensure_loop()
        kind = type or self.registered_type
        # A type written in Python has an object of its own, unless this is one.
        address, self._behind = _patch_types.make(self.context, kind, options, self)
        if "address" in self.__dict__:
            # The library asked for its ports on the way, and it has a reference since then.
            native().gkit_release(address)
            return
        super().__init__(address)
        if kind is None:
            self._add_ports()

    def _prepare(self) -> None:
        """Python's side of it: what lives as long as it, what feeds it, what handles values."""
        self._connections: set[Connection] = set()
        self._wires: dict[str, tuple[object, ...]] = {}
        self._handlers: dict[str, Callable[[Sample], object]] = {}
        self._silent: set[tuple[bool, str]] = set()
        self._behind = None

    def _attach(self, context: EventLoop, address: int) -> None:
        """Takes an empty patch the library has made, and adds the ports."""
        self.context = context
        Handle.__init__(self, native().gkit_retain(address))
        self._add_ports()

    @classmethod
    def _wrapped(cls: type[Entered], context: EventLoop, address: int) -> Entered:
        """A wrapper for a patch the library made; it owns the reference."""
        made = cls.__new__(cls)
        made._prepare()
        made.context = context
        Handle.__init__(made, address)
        return made

    # What it is.

    @property
    def info(self) -> dict[str, Any]:
        """Its type, name, inputs, outputs and children, as the library tells them."""
        out = ctypes.c_void_p()
        self.check(native().gkit_patch_get_info(self.address, ctypes.byref(out)))
        return take_dict(out.value)

    @property
    def type(self) -> str | None:
        """Its type; None for an empty patch."""
        return self.info.get("type") or None

    @property
    def name(self) -> str | None:
        """Its name in a graph; None outside."""
        return self.info.get("name") or None

    @property
    def inputs(self) -> Ports[Input]:
        """The inputs by name. An unknown one raises `UnknownKeyError`."""
        return Ports(self, Input)

    @property
    def out(self) -> Ports[Output]:
        """The outputs by name. An unknown one raises `UnknownKeyError`."""
        return Ports(self, Output)

    @property
    def errors(self) -> Stream[PatchError]:
        """What fails in it: values that do not fit, handlers that raise."""
        out = ctypes.c_void_p()
        self.check(native().gkit_patch_errors(self.address, ctypes.byref(out)))
        roots = Roots(self.context, self._connections, (self,))
        return Stream(out.value or 0, roots, patch_error)

    @property
    def error_count(self) -> int:
        """How many values failed, of all inputs together."""
        return sum(int(found.get("errors") or 0) for found in self.info["inputs"])

    # Ports.

    def receive(self, input: str, sample: Sample) -> object:
        """Takes a value that reached an input without a handler of its own; for subclasses. What
        it raises is counted, told by `errors`, logged, and disturbs nothing else."""

    def add_input(
        self,
        name: str,
        handler: Callable[[Sample], object] | None = None,
        *,
        hint: str = "any",
    ) -> Input:
        """Adds an input, or replaces the one of that name with its wire and last value.

        `handler(sample)` takes its values; without one `receive` does.
        Raises `InvalidArgumentError` for a bad name or hint.
        """
        if handler is not None:
            require_callable("handler", handler)
        function = native().gkit_patch_add_input
        heard = handler is not None or self.__class__.receive is not Patch.receive
        trampoline = patch_input if heard else no_input
        entry = Entry(_receiver(weakref.ref(self), name), self)
        arguments = (self._require(), encode(name), encode(hint))
        self.check(register(function, arguments, trampoline, entry))
        self._wires.pop(name, None)
        self._silent.discard((False, name))
        self._handlers.pop(name, None)
        if handler is not None:
            self._handlers[name] = handler
        return self.inputs[name]

    def add_output(self, name: str, *, hint: str = "any") -> Output:
        """Adds an output, or replaces the one of that name with its wires, subscribers and last
        value. Raises `InvalidArgumentError` for a bad name or hint."""
        function = native().gkit_patch_add_output
        self.check(function(self.address, encode(name), encode(hint)))
        self._silent.discard((True, name))
        return self.out[name]

    def remove_input(self, name: str) -> None:
        """Removes an input and its wire. Raises `NotFoundError`."""
        self.check(native().gkit_patch_remove_port(self.address, encode(name), False))
        self._wires.pop(name, None)
        self._handlers.pop(name, None)

    def remove_output(self, name: str) -> None:
        """Removes an output with its wires and subscribers. Raises `NotFoundError`."""
        self.check(native().gkit_patch_remove_port(self.address, encode(name), True))

    def publish(self, output: str, value: object = None) -> None:
        """Publishes a value on an output. On the loop, while nothing is queued, it has been
        delivered when this returns; elsewhere see `Context.flush`.

        Raises `NotFoundError`, `TypeMismatchError`, `LimitError` (a cascade without end).
        """
        function = native().gkit_patch_publish
        with encoded(value) as made:
            self.check(function(self.address, encode(output), ctypes.byref(made)))
        raise_interrupt()

    # The end.

    def close(self) -> None:
        """Ends its subscriptions and lets go of it; others it is wired to go on. Idempotent."""
        for connection in list(self._connections):
            connection.disconnect()
        self._wires.clear()
        self._handlers.clear()
        self._let_go()

    # Machinery.

    def _add_ports(self) -> None:
        for name, hint in self.input_hints.items():
            self.add_input(name, hint=hint)
        for name, hint in self.output_hints.items():
            self.add_output(name, hint=hint)

    def _handle(self, name: str, sample: Sample) -> None:
        handler = self._handlers.get(name)
        if handler is not None:
            handler(sample)
        else:
            self.receive(name, sample)

    def __repr__(self) -> str:
        if self.address is None or self.context.closed:
            return f"<{type(self).__name__} closed>"
        info = self.info
        words = [word for word in (info.get("type"), info.get("name")) if word]
        ports = f"{_few(self.inputs)} -> {_few(self.out)}"
        return f"<{' '.join([type(self).__name__, *words])}: {ports}>"


def _few(names: Iterable[str]) -> str:
    """The first names of many."""
    listed = list(names)
    return ", ".join(listed if len(listed) <= 5 else [*listed[:4], f"{len(listed) - 4} more"])


def _receiver(patch: weakref.ref[Patch], name: str) -> Callable[[int], None]:
    read = sample_reader(name)

    def receive(sample: int) -> None:
        found = patch()
        if found is not None:
            found._handle(name, read(memory(sample, 1), 0))

    return receive
