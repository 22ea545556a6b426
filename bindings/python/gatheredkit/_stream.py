"""Streams: values that arrive over time."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._abi import encode_into, encoded
from ._arithmetic import Arithmetic
from ._async_values import AsyncValues
from ._callbacks import Entry, raise_interrupt, require_callable
from ._connections import Connection, connect
from ._delivery import Read, payload, sample_reader
from ._functions import Functions
from ._handles import Handle
from ._library import encode, native
from ._operators import Operators
from ._sample import Sample
from ._subscription import Subscription
from ._trampolines import sample as sample_callback

if TYPE_CHECKING:
    from ._event_loop import EventLoop
    from ._ports import Input

T = TypeVar("T")
StreamT = TypeVar("StreamT", bound="Stream[Any]")


class Roots:
    """What Python knows of the origins of a stream: their context, the connections that live as
    long as they do, and the Python objects without which they would fall silent."""

    __slots__ = ("connections", "context", "keeps")

    def __init__(
        self,
        context: EventLoop,
        connections: set[Connection] | None = None,
        keeps: tuple[object, ...] = (),
    ) -> None:
        self.context = context
        self.connections: set[Connection] = set() if connections is None else connections
        self.keeps = keeps

    def and_others(self, streams: tuple[Stream[Any], ...]) -> Roots:
        """These, and what other streams are made of."""
        keeps = tuple(keep for stream in streams for keep in stream._roots.keeps)
        return Roots(self.context, self.connections, self.keeps + keeps)

    def keeping(self, *others: object) -> Roots:
        """These and more to keep."""
        return Roots(self.context, self.connections, self.keeps + others)


class Stream(Arithmetic[T], Operators[T], Functions[T], Handle):
    """Values that arrive over time; made by `Signal`, `Variable`, `Publink`, `Timer`, by
    `Source.observable`, by the ports of patches, and by the operators of other streams.

    Every operator is a method that makes another stream, which works only while it has
    subscribers. Durations are seconds.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty", loop="manual") as context:
    ...     numbers = gk.Signal(context=context)
    ...     _ = numbers.filter(lambda n: n % 2).map(str).subscribe(print)
    ...     for n in range(4):
    ...         numbers.send(n)
    1
    3
    """

    def __init__(
        self, address: int, roots: Roots, read: Read[Any] = payload, origin: Entry | None = None
    ) -> None:
        super().__init__(address)
        self._roots = roots
        self._read = read
        self._origin = origin

    @property
    def context(self) -> EventLoop:
        """The context it belongs to."""
        return self._roots.context

    @property
    def subscriber_count(self) -> int:
        """How many subscriptions it has: yours, wires and derived streams alike."""
        return self.check(native().gkit_stream_subscriber_count(self.address))

    @property
    def error(self) -> BaseException | None:
        """The last exception of the function it was made with; None so far, or without one."""
        return None if self._origin is None else self._origin.error

    # Subscribing.

    def subscribe(self, sink: Callable[[T], object]) -> Connection:
        """Calls `sink(value)` with every value from now on; what holds a value gives it first.

        Lives until the connection is disconnected or the stream it stems from is dropped. An
        exception of the sink is logged and kept as the connection's `error`.
        """
        require_callable("subscribe", sink)
        return self._subscribe(sink, self._roots.connections)

    def _subscribe(
        self, sink: Callable[[T], object], home: set[Connection], *keeps: object
    ) -> Connection:
        self.context.ensure_loop()
        subscription = Subscription(sink, self._read)
        arguments = (None, self._flags)
        connection = connect(
            native().gkit_stream_subscribe,
            self,
            arguments,
            sample_callback,
            subscription.entry,
            home,
            subscription,
            *self._roots.keeps,
            *keeps,
        )
        raise_interrupt()
        return connection

    _flags = 0

    def async_values(self, maxlen: int | None = 1024) -> AsyncValues[T]:
        """The values for `async for`, as the stream itself gives them: holds the newest `maxlen`,
        or all for None, and counts the others as `dropped`."""
        return AsyncValues(self, maxlen)

    def __aiter__(self) -> AsyncValues[T]:
        return self.async_values()

    @property
    def samples(self) -> Stream[Sample]:
        """The same stream with whole samples in place of values: with status and times."""
        read = sample_reader("value") if self._read is payload else self._read
        return self._viewed(Stream[Sample], read)

    def __rshift__(self, target: Input) -> Input:
        """Wires it to the input of a patch: `stream >> patch.inputs["name"]`."""
        connect = getattr(target, "connect", None)
        if connect is None:
            return NotImplemented
        connect(self)
        return target

    def set_option(self, name: str, value: Any) -> None:
        """Changes an option at once: "cascade_limit" of any stream, "replays_last" of publinks,
        "start_ns" and "interval_ns" of timers.

        Raises `NotFoundError`, `NotSupportedError`, `TypeMismatchError`, `InvalidArgumentError`.
        """
        with encoded(value) as made:
            function = native().gkit_stream_set_option
            self.check(function(self.address, encode(name), ctypes.byref(made)))

    def close(self) -> None:
        """Lets go of it; what is made of it, and connections, go on. Idempotent."""
        self._let_go()

    # Machinery.

    def _upstream(self) -> int:
        """The stream that others are made of."""
        return self._require()

    def _derived(
        self,
        kind: type[StreamT],
        function: Callable[..., int],
        arguments: tuple[object, ...],
        roots: Roots | None = None,
        read: Read[Any] = payload,
    ) -> StreamT:
        """A stream that a function of C makes of this one."""
        out = ctypes.c_void_p()
        self.check(function(self._upstream(), *arguments, ctypes.byref(out)))
        return kind(out.value or 0, roots or self._roots, read)

    def _viewed(self, kind: type[StreamT], read: Read[Any]) -> StreamT:
        """The same stream, read in another way."""
        address = native().gkit_retain(self._require())
        return kind(address or 0, self._roots, read, self._origin)

    def _send(self, value: object) -> None:
        owned: list[int] = []
        kept: list[object] = []
        try:
            made = encode_into(value, owned, kept)
            status = native().gkit_stream_send(self.address, ctypes.byref(made))
        finally:
            for handle in owned:
                native().gkit_release(handle)
        if status < 0:
            self._failed(status)
        raise_interrupt()

    def __repr__(self) -> str:
        if self.address is None:
            return f"<{type(self).__name__} closed>"
        return f"<{type(self).__name__} {self.subscriber_count} subscribers>"
