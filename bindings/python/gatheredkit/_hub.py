"""The subscribers of a stream in Python, which share one subscription of C.

A subscriber begins with a subscription of its own, so that C decides its place in the order and
greets it. With the first new value the one before it has had the value too: the two are equal from
there on, and the subscription that came later ends. They stay apart where something else stands, or
may stand, between them, and where the stream keeps state by subscription.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
import weakref
from collections.abc import Callable
from functools import partial
from struct import Struct

from ._abi import Block
from ._callbacks import SAMPLE_SIZE, Entry, memory, reader, taker, words_at, words_of
from ._chain import Sink
from ._delivery import Read, payload
from ._event_loop import in_callback
from ._handles import Handle
from ._library import native
from ._native import SampleFlag, SampleStatus, ValueType, gkit_sample_fn

_flags = reader("=I")
_head = Struct("=IIII").pack
# How status, flags and type of a new number lie in a sample.
_NEW_INT, _NEW_DOUBLE = (
    memoryview(_head(SampleStatus.OK, SampleFlag.IS_NEW, kind, 0)).cast("q")
    for kind in (ValueType.INT, ValueType.DOUBLE)
)

# What all subscribers may be given the same of.
_CONSTANT = (int, float, str, bytes, tuple, type(None))


def _nothing(_value: object) -> None:
    """What is called in place of a sink that was let go."""


class Member(Entry):
    """One subscriber: its `call` is its sink. `cut` says that it takes no more values."""

    __slots__ = ("group", "waiting")

    def __init__(self, sink: Sink, group: Group) -> None:
        super().__init__(sink)
        self.group = group
        self.waiting: threading.Event | None = None


class Hub:
    """The subscriptions of a stream in the order of C."""

    __slots__ = ("begun", "disordered", "groups", "lock", "numbers", "opening", "running")

    def __init__(self) -> None:
        # Subscriptions being made, those ever begun, and whether the last ones were made at once.
        self.opening = self.begun = 0
        self.disordered = False
        self.groups: weakref.WeakValueDictionary[int, Group] = weakref.WeakValueDictionary()
        self.lock = threading.RLock()
        self.numbers = itertools.count()
        # Whose sink is being called: one at a time, whatever the subscription (streams L4).
        self.running: Member | None = None

    @property
    def surplus(self) -> int:
        """How many more subscribers there are than subscriptions of C."""
        with self.lock:
            return sum(group.count - 1 for group in self.groups.values())

    def before(self, number: int) -> Group | None:
        """The subscription before that of a number."""
        found = None
        for other, group in self.groups.items():
            if other >= number:
                break
            found = group
        return found


class Group(Handle):
    """A subscription of C, and the subscribers that share it. Their connections keep it."""

    def __init__(self, hub: Hub, read: Read[object]) -> None:
        self.hub = hub
        self.read = read
        self.number = next(hub.numbers)
        self.members = [Member(_nothing, self)]
        self.count = 1
        # Whether it may still join the one before it.
        self.joins = self.delivering = False
        # Whether a subscriber left since the last delivery.
        self.stale = False
        # Whether one new number goes to its members as it is, and to whom if it has one only.
        self.plain = False
        self.only: Member | None = None
        reference = weakref.ref(self)
        self.entry = Entry(reference)
        self.entry.done = _ender(reference)
        self.address = None

    def open(self, address: int, joins: bool) -> None:
        """Takes the connection that C made for it."""
        super().__init__(address)
        self.joins = joins
        self.settle()

    def join(self, data: Block) -> None:
        """Joins the subscription before it, if that one has just had the new value at hand."""
        if not _flags(data, 36)[0] & SampleFlag.IS_NEW:
            return
        hub = self.hub
        with hub.lock:
            self.joins = False
            self.settle()
            former = hub.before(self.number)
            if former is None or former.read != self.read or not former.count:
                return
            if former.entry.ended or not hub.groups.pop(self.number, None):
                return
            for member in self.members:
                if not member.cut:
                    former.members.append(member)
                    member.group = former
                    former.count += 1
            former.settle()
            self.count = 0
            self.stale = True
        self.detach()

    def leave(self, member: Member) -> None:
        """Ends a subscriber: on return its sink begins no more. Outside callbacks this waits for a
        call that is running."""
        hub = self.hub
        with hub.lock:
            group = member.group
            running = hub.running is member
            if not member.cut:
                member.cut = True
                group.count -= 1
                group.stale = True
            last = not group.count and hub.groups.get(group.number) is group
            # To end the subscription would wait for the sink of another.
            if last and group.delivering and not running and not in_callback():
                last = False
            if last:
                hub.groups.pop(group.number, None)
            if not running:
                member.call = _nothing
            elif not in_callback():
                member.waiting = waiting = member.waiting or threading.Event()
            else:
                running = False
        if last:
            group.detach()
        if running:
            waiting.wait()
        if not member.ended:
            member.ended = True
            if member.done is not None:
                member.done()

    def deliver(self, samples: int, count: int) -> None:
        """Reads values, and calls the sinks with each."""
        read, data = self.read, memory(samples, count)
        if self.joins:
            self.join(data)
        self.delivering = True
        try:
            for offset in range(0, count * SAMPLE_SIZE, SAMPLE_SIZE):
                value = read(data, offset)
                # What can be changed is read anew for each.
                shared = len(self.members) == 1 or isinstance(value, _CONSTANT)
                self.pass_on(value, None if shared else partial(read, data, offset))
        finally:
            self.delivering = False
        if self.stale:
            self.tidy()

    def pass_on(self, value: object, anew: Callable[[], object] | None = None) -> None:
        """Calls the sinks with a value, or with what a function reads for each."""
        hub = self.hub
        for member in self.members:
            hub.running = member
            try:
                call = member.call
                call(value if anew is None else anew())
            except BaseException as error:
                member.report(error)
            hub.running = None
            if member.cut:
                self.release(member)

    def settle(self) -> None:
        """Finds how numbers go to its members. Called under the lock."""
        self.plain = not self.joins and self.read is payload
        self.only = self.members[0] if len(self.members) == 1 else None

    def release(self, member: Member) -> None:
        """Lets go of a sink that was disconnected while it ran."""
        with self.hub.lock:
            member.call = _nothing
            waiting = member.waiting
        if waiting is not None:
            waiting.set()

    def tidy(self) -> None:
        """After a delivery: forgets who left, and ends the subscription if that were all."""
        with self.hub.lock:
            self.stale = False
            self.members = [
                member for member in self.members if member.group is self and not member.cut
            ]
            self.settle()
            last = not self.count and self.hub.groups.pop(self.number, None) is not None
        if last:
            self.detach()

    def detach(self) -> None:
        """Ends the subscription of C."""
        address = self.address
        if address is not None:
            native().gkit_connection_disconnect(address)
            self._let_go()

    def end(self) -> None:
        """Ends who is left, since C has ended the subscription."""
        with self.hub.lock:
            self.hub.groups.pop(self.number, None)
        for member in self.members:
            if member.group is self and not member.ended:
                member.call = _nothing
                member.ended = member.cut = True
                if member.done is not None:
                    member.done()


def _ender(group: weakref.ref[Group]) -> Callable[[], None]:
    def end() -> None:
        found = group()
        if found is not None:
            found.end()

    return end


def _on_values(samples: int, count: int, reference: weakref.ref[Group]) -> None:
    """What C calls with the values of a subscription. One new number is the common case: it needs
    neither a reader nor a copy for each."""
    group = reference()
    if group is None:
        return
    try:
        if count != 1 or not group.plain:
            group.deliver(samples, count)
            return
        try:
            head, integer, number = words_at[samples]
        except KeyError:
            head, integer, number = words_of(samples)
        if head == _NEW_INT:
            value: float = integer[0]
        elif head == _NEW_DOUBLE:
            value = number[0]
        else:
            group.deliver(samples, count)
            return
        group.delivering = True
        try:
            member = group.only
            if member is None:
                group.pass_on(value)
            else:
                # As `pass_on` calls it, which would cost the common case a tenth more.
                hub = group.hub
                hub.running = member
                try:
                    call = member.call
                    call(value)
                except BaseException as error:
                    member.report(error)
                hub.running = None
                if member.cut:
                    group.release(member)
        finally:
            group.delivering = False
        if group.stale:
            group.tidy()
    except BaseException as error:
        group.entry.report(error)


# Callbacks have to stay, as this one does by its name.
_taking = taker(_on_values)
values = ctypes.cast(_taking, gkit_sample_fn)
