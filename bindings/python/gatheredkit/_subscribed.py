"""Subscribing to a stream whose subscribers share one subscription of C."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from ._callbacks import register_object
from ._chain import Sink
from ._delivery import Read
from ._handles import Connection, Handle, Home, address_of
from ._hub import Group, Hub, Member, values
from ._library import native


class Subscribed(Connection):
    """The connection of one subscriber of a hub."""

    def __init__(self, member: Member, home: Home, *keeps: object) -> None:
        super().__init__(None, member, home, *keeps)
        self._member = member

    @property
    def closed(self) -> bool:
        """Whether it has ended, or belongs to the parent of a fork."""
        return not self.connected

    @property
    def connected(self) -> bool:
        """Whether the callback can still be called."""
        member = self._member
        return not (member.ended or member.cut or member.group.closed)

    def disconnect(self) -> None:
        """Ends the subscription: once it has returned no further call begins. Outside callbacks it
        waits for one that is running, so hold no lock the callback takes. Idempotent."""
        if not self._forked:
            self._member.group.leave(self._member)
        self.leave()


def subscribe(
    hub: Hub,
    owner: Handle,
    flags: int,
    sink: Callable[[Member], Sink],
    read: Read[object],
    home: Home,
    *keeps: object,
) -> Connection:
    """Subscribes to a stream of C; `sink` makes what is called."""
    address, out, library = address_of(owner), ctypes.c_void_p(), native()
    with hub.lock:
        group = Group(hub, read)
        hub.opening += 1
        hub.begun += 1
        begun, alone = hub.begun, hub.opening == 1
    member = group.members[0]
    member.call = sink(member)
    arguments, place = (address, None, flags), ctypes.byref(out)
    try:
        function = library.gkit_stream_subscribe
        owner.check(register_object(function, arguments, values, group.entry, place))
    finally:
        with hub.lock:
            hub.opening -= 1
            alone = alone and hub.begun == begun
            after = hub.disordered
            # Of subscriptions made at one time only C knows the order.
            hub.disordered = not alone
    connected = 0 if group.entry.ended else library.gkit_stream_subscriber_count(address)
    with hub.lock:
        if not group.entry.ended:
            hub.groups[group.number] = group
        joins = alone and not after and connected == len(hub.groups)
        group.open(out.value or 0, joins)
    return Subscribed(member, home, *keeps)
