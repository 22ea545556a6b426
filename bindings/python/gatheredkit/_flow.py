"""What every stream is, whatever is made of it: subscribed to, read, sent into and closed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from struct import error
from typing import Generic, TypeVar

from . import _trampolines as trampolines
from ._abi import encode_into, encoded, pack_integer, pack_number, packed, release_all
from ._callbacks import Entry, interrupts, raise_interrupt, require_callable
from ._chain import Sink, Stage, chained
from ._delivery import Read, Roots, Subscription, payload
from ._errors import TypeMismatchError
from ._event_loop import EventLoop
from ._handles import Connection, Handle, Home, address_of, connect
from ._hub import Hub
from ._iterators import AsyncValues
from ._library import bound, encode, native
from ._native import ValueType, gkit_sample
from ._subscribed import subscribe
from ._values import GivenValue

T_co = TypeVar("T_co", covariant=True)
FlowT = TypeVar("FlowT", bound="Flow[object]")

_INT, _DOUBLE = int(ValueType.INT), int(ValueType.DOUBLE)


class Lazy:
    """A stream of C that is made when it is needed; several may need the same one."""

    __slots__ = ("_handle", "_make")

    def __init__(self, make: Callable[[], int]) -> None:
        self._make = make
        self._handle: Handle | None = None

    @property
    def exists(self) -> bool:
        """Whether it was needed so far."""
        return self._handle is not None

    def address(self) -> int:
        """The stream of C."""
        if self._handle is None:
            self._handle = Handle(self._make())
        return address_of(self._handle)


class Flow(Handle, Generic[T_co]):
    """A stream without its operators.

    Subscribers of what keeps no state for each of them share one subscription of C. A stream made
    by a function of Python is a stage behind another one, and one of C when C needs it.
    """

    shares = False
    """Whether its subscribers in Python share a subscription of C."""

    def __init__(
        self,
        address: int | None,
        roots: Roots,
        decoder: Read[T_co] = payload,
        origin: Entry | None = None,
    ) -> None:
        super().__init__(address)
        self.roots = roots
        self.decoder = decoder
        self.hub = Hub()
        self._origin = origin
        self._stages: tuple[Stage, ...] = ()
        self._base: Flow[object] | None = None
        self._lazy: Lazy | None = None
        self.send_packed = bound("gkit_stream_send", ctypes.c_int32)
        self._get_packed = bound("gkit_stream_get", ctypes.c_int32)

    def stand_behind(self, base: Flow[object], stages: tuple[Stage, ...], lazy: Lazy) -> None:
        """Makes it what the stages make of another stream."""
        self._base, self._stages, self._lazy = base, stages, lazy

    @property
    def context(self) -> EventLoop:
        """The context it belongs to."""
        return self.roots.context

    @property
    def closed(self) -> bool:
        """Whether this object was closed, or belongs to the parent of a fork."""
        return self.address is None and (self._lazy is None or self._forked)

    @property
    def subscriber_count(self) -> int:
        """How many subscriptions it has: yours, wires and derived streams alike."""
        count, base = native().gkit_stream_subscriber_count, self._base
        if self._lazy is None or base is None:
            return self.check(count(self.address)) + self.hub.surplus
        # What has ended says so here.
        base.check(count(base.address))
        made = self.check(count(self._lazy.address())) if self._lazy.exists else 0
        return made + self._stages[-1].count

    @property
    def error(self) -> BaseException | None:
        """The last exception of the function it was made with; None so far, or without one."""
        return None if self._origin is None else self._origin.error

    # Subscribing.

    def subscribe(self, sink: Callable[[T_co], object]) -> Connection:
        """Calls `sink(value)` with every value from now on; what holds a value gives it first.

        Lives until the connection is disconnected or the stream it stems from is dropped. An
        exception of the sink is logged and kept as the connection's `error`.
        """
        return self.subscribe_into(self.roots.connections, sink)

    def subscribe_into(
        self, home: Home, sink: Callable[[T_co], object], *keeps: object
    ) -> Connection:
        """As `subscribe`, for an object of this package that keeps its connections itself."""
        require_callable("subscribe", sink)
        self.context.ensure_loop()
        kept = (*self.roots.keeps, *keeps)
        if self._lazy is None or self._base is None:
            connection = self.attach(home, sink, (), *kept)
        else:
            connection = self._base.attach(home, sink, self._stages, *kept)
        raise_interrupt()
        return connection

    def attach(
        self, home: Home, sink: Sink, stages: tuple[Stage, ...], *keeps: object
    ) -> Connection:
        """Subscribes a sink behind stages to the stream of C."""
        if self.shares and home is self.roots.connections:
            connection = subscribe(
                self.hub,
                self,
                self._flags,
                lambda member: chained(stages, sink, member),
                self.decoder,
                home,
                *keeps,
            )
        else:
            subscription = Subscription(sink, self.decoder)
            subscription.sink = chained(stages, sink, subscription.entry)
            arguments = (None, self._flags)
            registered = (self, arguments, trampolines.sample, subscription.entry, home)
            function = native().gkit_stream_subscribe
            connection = connect(function, *registered, subscription, *keeps)
        for stage in stages:
            stage.connections.add(connection)
        return connection

    _flags = 0

    def async_values(self, maxlen: int | None = 1024) -> AsyncValues[T_co]:
        """The values for `async for`, as the stream itself gives them: holds the newest `maxlen`,
        or all for None, and counts the others as `dropped`."""
        return AsyncValues(self, maxlen)

    def __aiter__(self) -> AsyncValues[T_co]:
        return self.async_values()

    def set_option(self, name: str, value: GivenValue) -> None:
        """Changes an option at once: "cascade_limit" of any stream, "replays_last" of publinks,
        "start_ns" and "interval_ns" of timers.

        Raises `NotFoundError`, `NotSupportedError`, `TypeMismatchError`, `InvalidArgumentError`.
        """
        address = self.native_address()
        with encoded(value) as made:
            function = native().gkit_stream_set_option
            self._checked(function(address, encode(name), ctypes.byref(made)))
        if self._lazy is not None:
            # The option holds for what C delivers: from now on C does.
            self._take(native().gkit_retain(address) or 0)
            self._lazy = self._base = None

    def close(self) -> None:
        """Lets go of it; what is made of it, and connections, go on. Idempotent."""
        self._lazy = self._base = None
        self._let_go()

    # For streams that are made of it.

    def native_address(self) -> int:
        """The stream of C."""
        return address_of(self) if self._lazy is None else self._lazy.address()

    def upstream(self) -> int:
        """The stream of C that others are made of."""
        return self.native_address()

    def _checked(self, status: int) -> int:
        if status < 0 and self._base is not None:
            self._base.check(status)
        return self.check(status)

    def _latest(self) -> T_co:
        found = gkit_sample()
        status = self._get_packed(self.place, ctypes.byref(found))
        if status < 0:
            self._fail(status)
        return self.decoder(found, 0)

    def _derived(
        self,
        kind: type[FlowT],
        function: Callable[..., int],
        arguments: tuple[object, ...],
        roots: Roots | None = None,
        read: Read[object] = payload,
        origin: Entry | None = None,
    ) -> FlowT:
        """A stream that a function of C makes of this one."""
        out = ctypes.c_void_p()
        self._checked(function(self.upstream(), *arguments, ctypes.byref(out)))
        return kind(out.value or 0, roots or self.roots, read, origin)

    def _viewed(self, kind: type[FlowT], read: Read[object]) -> FlowT:
        """The same stream, read in another way."""
        address = native().gkit_retain(self.native_address())
        made = kind(address or 0, self.roots, read, self._origin)
        if self._lazy is None:
            made.hub, made.shares = self.hub, self.shares
        return made

    def __repr__(self) -> str:
        if self.closed:
            return f"<{type(self).__name__} closed>"
        return f"<{type(self).__name__} {self.subscriber_count} subscribers>"


def send_value(flow: Flow[object], value: object) -> None:
    """Delivers a value before it returns, or queues it where the stream is just delivering. A
    publink makes it its last value first.

    Raises `LimitError` in a cascade without end, `TypeMismatchError` for what is no value.
    """
    # Types that send take it as their method: a call in between would be a twentieth of it.
    kind, send = type(value), flow.send_packed
    try:
        if kind is int:
            status = send(flow.place, pack_integer(_INT, value))
        elif kind is float:
            status = send(flow.place, pack_number(_DOUBLE, value))
        else:
            status = _send_encoded(flow, value)
    except error:
        raise TypeMismatchError("an int has 64 bits at most") from None
    if status < 0:
        flow.check(status)
    if interrupts:
        raise_interrupt()


def _send_encoded(flow: Flow[object], value: object) -> int:
    plain = packed(value)
    if plain is not None:
        return flow.send_packed(flow.place, plain)
    owned: list[int] = []
    kept: list[object] = []
    try:
        made = encode_into(value, owned, kept)
        return flow.send_packed(flow.place, ctypes.byref(made))
    finally:
        release_all(owned)
