"""The ports of patches: publinks of their own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._abi import encoded
from ._callbacks import raise_interrupt
from ._delivery import sample_reader
from ._errors import NotFoundError, UnknownKeyError
from ._library import encode, native
from ._stream import Roots, Stream
from ._variables import Publink

if TYPE_CHECKING:
    from ._patch import Patch


class Port(Publink[Any]):
    """An input or an output of a patch, with its last value; it keeps its patch alive."""

    _is_output = False

    def __init__(self, patch: Patch, name: str, address: int) -> None:
        roots = Roots(patch.context, patch._connections, (patch,))
        super(Publink, self).__init__(address, roots)
        self.patch = patch
        self.name = name
        self._replays = (self._is_output, name) not in patch._silent

    @property
    def hint(self) -> str:
        """What it takes: any, bool, int, double, vector, string, bytes, time or dict."""
        return str(self._info().get("hint") or "any")

    @property
    def samples(self) -> Stream[Any]:
        """The same port with whole samples in place of values: with status and times."""
        return self._viewed(Stream[Any], sample_reader(self.name))

    @property
    def replays_last(self) -> bool:
        """Whether new wires and subscribers are given the last value."""
        return self._replays

    @replays_last.setter
    def replays_last(self, replays: bool) -> None:
        self.set_option("replays_last", replays)
        self._replays = replays
        update = self.patch._silent.discard if replays else self.patch._silent.add
        update((self._is_output, self.name))

    def _info(self) -> dict[str, Any]:
        for found in self.patch.info["outputs" if self._is_output else "inputs"]:
            if found["name"] == self.name:
                return dict(found)
        raise NotFoundError(f"the patch has no port {self.name!r} any more")

    def __repr__(self) -> str:
        if self.closed or self.context.closed:
            return f"<{type(self).__name__} {self.name} closed>"
        last = f" {self.last!r}" if self.has_published else ""
        return f"<{type(self).__name__} {self.name}{last}>"


class Input(Port):
    """An input of a patch: `patch.inputs["above"].value = 12.0` calls its handler."""

    @property
    def value(self) -> Any:
        """The last value it was given. Setting one reaches this input alone: neither what it is
        wired to nor others. Raises `TypeMismatchError` for what does not fit its hint."""
        return self.last

    @value.setter
    def value(self, value: Any) -> None:
        self.publish(value)

    def publish(self, value: Any) -> None:
        """Calls the handler with a value, as `value = ...` does."""
        patch, function = self.patch, native().gkit_patch_set_value
        with encoded(value) as made:
            patch.check(function(patch.address, encode(self.name), ctypes.byref(made)))
        raise_interrupt()

    def connect(self, stream: Stream[Any]) -> None:
        """Wires it to a stream, or moves its wire; the value the stream holds follows. The same as
        `stream >> input`. Raises `TypeMismatchError` if the hints have no value in common."""
        patch = self.patch
        function = native().gkit_patch_set_input
        patch.check(function(patch.address, encode(self.name), stream._upstream()))
        keeps = () if self.feedback else stream._roots.keeps
        patch._wires[self.name] = keeps
        raise_interrupt()

    def disconnect(self) -> None:
        """Cuts the wire; the last value stays. Without one it does nothing."""
        patch = self.patch
        patch.check(native().gkit_patch_set_input(patch.address, encode(self.name), None))
        patch._wires.pop(self.name, None)

    @property
    def wired(self) -> bool:
        """Whether something is wired to it."""
        return bool(self._info().get("wired"))

    @property
    def feedback(self) -> bool:
        """Whether its wire closes a circle, and so does not keep what feeds it."""
        return bool(self._info().get("feedback"))

    @property
    def error_count(self) -> int:
        """How many values it refused or its handler failed with."""
        return int(self._info().get("errors") or 0)


class Output(Port):
    """An output of a patch: `patch.out["value"] >> other.inputs["value"]` wires it."""

    _is_output = True

    @property
    def value(self) -> Any:
        """The last value it published; None too where there is none. Setting it publishes."""
        return self.last

    @value.setter
    def value(self, value: Any) -> None:
        self.publish(value)

    def publish(self, value: Any) -> None:
        """Publishes a value, as `Patch.publish` does."""
        self.patch.publish(self.name, value)


AnyPort = TypeVar("AnyPort", Input, Output)


class Ports(Mapping[str, AnyPort]):
    """The inputs or the outputs of a patch by name, in the order in which they were added."""

    def __init__(self, patch: Patch, kind: Callable[[Patch, str, int], AnyPort]) -> None:
        self._patch = patch
        self._kind: Callable[[Patch, str, int], AnyPort] = kind
        self._is_output = kind is Output

    def __getitem__(self, name: str) -> AnyPort:
        patch, out = self._patch, ctypes.c_void_p()
        function = native().gkit_patch_port
        try:
            arguments = (patch.address, encode(name), self._is_output)
            patch.check(function(*arguments, ctypes.byref(out)))
        except NotFoundError:
            word = "output" if self._is_output else "input"
            known = ", ".join(self) or "none"
            raise UnknownKeyError(f"no {word} {name!r}; there are {known}") from None
        return self._kind(patch, name, out.value or 0)

    def __iter__(self) -> Iterator[str]:
        found = self._patch.info["outputs" if self._is_output else "inputs"]
        return iter([entry["name"] for entry in found])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<{'Outputs' if self._is_output else 'Inputs'} {', '.join(self)}>"
