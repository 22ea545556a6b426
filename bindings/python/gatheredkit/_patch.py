"""Patches: small boxes with named inputs and outputs; and the types of them written in Python.

Longer than 300 lines: a patch makes its ports, and a port is a stream that knows its patch.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

from . import _trampolines as trampolines
from ._abi import encoded, take_dict
from ._callbacks import Entry, memory, raise_interrupt, register, require_callable
from ._delivery import Roots, patch_error, sample_reader
from ._errors import NotFoundError, unknown_key
from ._event_loop import EventLoop, chosen
from ._handles import Closing, Connection, Handle, address_of
from ._library import encode, native
from ._patch_types import OwnType, Wanted, add_type, claim, make
from ._records import PatchError, PatchInfo, PortInfo
from ._sample import Sample
from ._stream import Stream
from ._values import GivenValue
from ._variables import Publink

PatchT = TypeVar("PatchT", bound="Patch")

PatchFunction: TypeAlias = Callable[["Patch", str, Sample], object]


class Wiring:
    """What Python knows of the ports of a patch: the connections that live as long as it, what
    feeds its inputs, and the ports that greet no subscriber (outputs as True)."""

    __slots__ = ("connections", "silent", "wires")

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.wires: dict[str, tuple[object, ...]] = {}
        self.silent: set[tuple[bool, str]] = set()


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
    _behind: object | None

    def __init__(
        self, type: str | None = None, /, *, context: EventLoop | None = None, **options: object
    ) -> None:
        self._prepare()
        offered = claim()
        if offered is not None:
            self._attach(*offered)
            return
        self.context = chosen(context)
        self.context.ensure_loop()
        kind = type or self.registered_type
        # A type written in Python has an object of its own, unless this is one.
        address, self._behind = make(
            self.context, kind, options, Wanted(self.registered_type, self._attach)
        )
        if "address" in self.__dict__:
            # The library asked for its ports meanwhile; `_attach` took a reference then.
            native().gkit_release(address)
            return
        super().__init__(address)
        if kind is None:
            self._add_ports()

    def _prepare(self) -> None:
        """Sets up its connections, wires and handlers."""
        self._wiring = Wiring()
        self._handlers: dict[str, Callable[[Sample], object]] = {}
        self._behind = None

    def _attach(self, context: EventLoop, address: int) -> None:
        """Takes an empty patch the library has made, and adds the ports."""
        self.context = context
        Handle.__init__(self, native().gkit_retain(address))
        self._add_ports()

    @classmethod
    def wrapping(cls: type[PatchT], context: EventLoop, address: int) -> PatchT:
        """A wrapper for a patch the library made; it owns the reference."""
        made = cls.__new__(cls)
        cls._prepare(made)
        made.context = context
        Handle.__init__(made, address)
        return made

    # What it is.

    @property
    def info(self) -> PatchInfo:
        """Its type, name, inputs, outputs and children, as the library tells them."""
        out = ctypes.c_void_p()
        self.check(native().gkit_patch_get_info(self.address, ctypes.byref(out)))
        found: PatchInfo = take_dict(out.value)
        return found

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
        return Ports(self, self._wiring, Input)

    @property
    def out(self) -> Ports[Output]:
        """The outputs by name. An unknown one raises `UnknownKeyError`."""
        return Ports(self, self._wiring, Output)

    @property
    def errors(self) -> Stream[PatchError]:
        """What fails in it: values that do not fit, handlers that raise."""
        out = ctypes.c_void_p()
        self.check(native().gkit_patch_errors(self.address, ctypes.byref(out)))
        roots = Roots(self.context, self._wiring.connections, (self,))
        return Stream(out.value or 0, roots, patch_error)

    @property
    def error_count(self) -> int:
        """How many values failed, of all inputs together."""
        return sum(found.get("errors", 0) for found in self.info["inputs"])

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
        trampoline = trampolines.patch_input if heard else trampolines.no_input
        entry = Entry(_receiver(weakref.WeakMethod(self._handle), name), self)
        arguments = (address_of(self), encode(name), encode(hint))
        self.check(register(function, arguments, trampoline, entry))
        self._wiring.wires.pop(name, None)
        self._wiring.silent.discard((False, name))
        self._handlers.pop(name, None)
        if handler is not None:
            self._handlers[name] = handler
        return self.inputs[name]

    def add_output(self, name: str, *, hint: str = "any") -> Output:
        """Adds an output, or replaces the one of that name with its wires, subscribers and last
        value. Raises `InvalidArgumentError` for a bad name or hint."""
        function = native().gkit_patch_add_output
        self.check(function(self.address, encode(name), encode(hint)))
        self._wiring.silent.discard((True, name))
        return self.out[name]

    def remove_input(self, name: str) -> None:
        """Removes an input and its wire. Raises `NotFoundError`."""
        self.check(native().gkit_patch_remove_port(self.address, encode(name), False))
        self._wiring.wires.pop(name, None)
        self._handlers.pop(name, None)

    def remove_output(self, name: str) -> None:
        """Removes an output with its wires and subscribers. Raises `NotFoundError`."""
        self.check(native().gkit_patch_remove_port(self.address, encode(name), True))

    def publish(self, output: str, value: GivenValue = None) -> None:
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
        for connection in list(self._wiring.connections):
            connection.disconnect()
        self._wiring.wires.clear()
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


def _receiver(
    handle: weakref.WeakMethod[Callable[[str, Sample], None]], name: str
) -> Callable[[int], None]:
    read = sample_reader(name)

    def receive(sample: int) -> None:
        found = handle()
        if found is not None:
            found(name, read(memory(sample, 1), 0))

    return receive


# Any: the type of the values of a port is known at run time only.
class Port(Publink[Any]):
    """An input or an output of a patch, with its last value; it keeps its patch alive."""

    is_output = False
    """Whether it is an output."""

    # Each look at a port makes another stream of it, and all of them count the same subscribers.
    shares = False

    def __init__(self, patch: Patch, wiring: Wiring, name: str, address: int) -> None:
        roots = Roots(patch.context, wiring.connections, (patch,))
        super(Publink, self).__init__(address, roots)
        self.patch = patch
        self.name = name
        self._wiring = wiring
        self._replays = (self.is_output, name) not in wiring.silent

    @property
    def hint(self) -> str:
        """What it takes: any, bool, int, double, vector, string, bytes, time or dict."""
        return self._info().get("hint") or "any"

    @property
    def samples(self) -> Stream[Sample]:
        """The same port with whole samples in place of values: with status and times."""
        return self._viewed(Stream[Sample], sample_reader(self.name))

    @property
    def replays_last(self) -> bool:
        """Whether new wires and subscribers are given the last value."""
        return self._replays

    @replays_last.setter
    def replays_last(self, replays: bool) -> None:
        self.set_option("replays_last", replays)
        self._replays = replays
        update = self._wiring.silent.discard if replays else self._wiring.silent.add
        update((self.is_output, self.name))

    def _info(self) -> PortInfo:
        for found in self.patch.info["outputs" if self.is_output else "inputs"]:
            if found["name"] == self.name:
                return found
        raise NotFoundError(f"the patch has no port {self.name!r} any more")

    def __repr__(self) -> str:
        if self.closed or self.context.closed:
            return f"<{type(self).__name__} {self.name} closed>"
        last = f" {self.last!r}" if self.has_published else ""
        return f"<{type(self).__name__} {self.name}{last}>"


class Input(Port):
    """An input of a patch: `patch.inputs["above"].value = 12.0` calls its handler."""

    # Any: see `Port`.
    @property
    def value(self) -> Any:
        """The last value it was given. Setting one reaches this input alone: neither what it is
        wired to nor others. Raises `TypeMismatchError` for what does not fit its hint."""
        return self.last

    @value.setter
    def value(self, value: GivenValue) -> None:
        self.publish(value)

    def publish(self, value: GivenValue) -> None:
        """Calls the handler with a value, as `value = ...` does."""
        patch, function = self.patch, native().gkit_patch_set_value
        with encoded(value) as made:
            patch.check(function(patch.address, encode(self.name), ctypes.byref(made)))
        raise_interrupt()

    def connect(self, stream: Stream[object]) -> None:
        """Wires it to a stream, or moves its wire; the value the stream holds follows. The same as
        `stream >> input`. Raises `TypeMismatchError` if the hints have no value in common."""
        patch = self.patch
        function = native().gkit_patch_set_input
        patch.check(function(patch.address, encode(self.name), stream.upstream()))
        keeps = () if self.feedback else stream.roots.keeps
        self._wiring.wires[self.name] = keeps
        raise_interrupt()

    def disconnect(self) -> None:
        """Cuts the wire; the last value stays. Without one it does nothing."""
        patch = self.patch
        patch.check(native().gkit_patch_set_input(patch.address, encode(self.name), None))
        self._wiring.wires.pop(self.name, None)

    @property
    def wired(self) -> bool:
        """Whether something is wired to it."""
        return self._info().get("wired", False)

    @property
    def feedback(self) -> bool:
        """Whether its wire closes a circle, and so does not keep what feeds it."""
        return self._info().get("feedback", False)

    @property
    def error_count(self) -> int:
        """How many values it refused or its handler failed with."""
        return self._info().get("errors", 0)


class Output(Port):
    """An output of a patch: `patch.out["value"] >> other.inputs["value"]` wires it."""

    is_output = True

    # Any: see `Port`.
    @property
    def value(self) -> Any:
        """The last value it published; None too where there is none. Setting it publishes."""
        return self.last

    @value.setter
    def value(self, value: GivenValue) -> None:
        self.publish(value)

    def publish(self, value: GivenValue) -> None:
        """Publishes a value, as `Patch.publish` does."""
        self.patch.publish(self.name, value)


AnyPort = TypeVar("AnyPort", Input, Output)


class Ports(Mapping[str, AnyPort]):
    """The inputs or the outputs of a patch by name, in the order in which they were added."""

    def __init__(self, patch: Patch, wiring: Wiring, kind: type[AnyPort]) -> None:
        self._patch = patch
        self._wiring = wiring
        self._kind: type[AnyPort] = kind

    def __getitem__(self, name: str) -> AnyPort:
        patch, out = self._patch, ctypes.c_void_p()
        function = native().gkit_patch_port
        try:
            arguments = (patch.address, encode(name), self._kind.is_output)
            patch.check(function(*arguments, ctypes.byref(out)))
        except NotFoundError:
            word = "output" if self._kind.is_output else "input"
            raise unknown_key(word, name, self) from None
        return self._kind(patch, self._wiring, name, out.value or 0)

    def __iter__(self) -> Iterator[str]:
        found = self._patch.info["outputs" if self._kind.is_output else "inputs"]
        return iter([entry["name"] for entry in found])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<{'Outputs' if self._kind.is_output else 'Inputs'} {', '.join(self)}>"


def patch_type(
    name: str, *, inputs: Mapping[str, str] | None = None, outputs: Mapping[str, str] | None = None
) -> Callable[[type[Patch] | PatchFunction], type[Patch]]:
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

    def decorate(made: type[Patch] | PatchFunction) -> type[Patch]:
        if isinstance(made, type) and issubclass(made, Patch):
            cls: type[Patch] = made
        else:
            require_callable("patch_type", cast("object", made))
            cls = type(name, (Patch,), {"receive": made, "__doc__": made.__doc__})
            cls.__module__ = made.__module__
        if inputs is not None:
            cls.input_hints = dict(inputs)
        if outputs is not None:
            cls.output_hints = dict(outputs)
        takes_options = cls.__init__ is not Patch.__init__
        add_type(OwnType(name, cls, takes_options, lambda: cls.input_hints))
        cls.registered_type = name
        return cls

    return decorate
