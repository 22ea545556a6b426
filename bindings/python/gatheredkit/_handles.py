"""Handles: each is released once, at the latest at exit, and dead in the child of a fork.

Connections are handles of registrations, and connectors bags of them.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import NoReturn, TypeVar

from ._callbacks import Entry, register
from ._errors import ClosedError, ForkedError, OutOfMemoryError
from ._library import last_error, native
from ._native import Status


class Handle:
    """What holds one reference of the library: the base of every wrapper.

    `address` is None once it is closed; the library answers every call with it by a failure, which
    `check` then names.
    """

    address: int | None

    def __init__(self, address: int | None) -> None:
        self.address = address
        self._forked = False
        self._finalizer: weakref.finalize[..., Handle] = weakref.finalize(self, _release, address)
        self._finalizer.atexit = False
        _living.add(self)

    @property
    def closed(self) -> bool:
        """Whether this object was closed, or belongs to the parent of a fork."""
        return self.address is None

    def _let_go(self) -> None:
        """Releases the reference, once."""
        self.address = None
        self._finalizer()

    def _fail(self, status: int, remedy: str = "") -> NoReturn:
        """Raises the error of a call that failed with this handle."""
        if self._forked:
            raise ForkedError(f"this {type(self).__name__} was made before a fork")
        if self.address is None:
            raise ClosedError(f"this {type(self).__name__} is closed")
        raise last_error(status, remedy)

    def orphan(self) -> None:
        """Lets go without a release: in the child of a fork the library has done that."""
        self._forked = True
        self.address = None
        self._finalizer.detach()

    def check(self, status: int) -> int:
        """Passes a count or OK on, and raises the error of a call that failed with this handle."""
        if status < 0:
            self._fail(status)
        return status


def address_of(handle: Handle) -> int:
    """The address, or the error that says why there is none any more."""
    address = handle.address
    if address is None:
        handle.check(Status.CLOSED)
        raise ClosedError("it is closed")
    return address


_living: weakref.WeakSet[Handle] = weakref.WeakSet()


def _release(address: int | None) -> None:
    native().gkit_release(address)


def _after_fork() -> None:
    """In the child: forgets all handles, which the library has released."""
    for handle in list(_living):
        handle.orphan()
    _living.clear()


os.register_at_fork(after_in_child=_after_fork)


Entered = TypeVar("Entered", bound="Closing")


class Closing:
    """Gives a class with `close` the `with` statement."""

    def close(self) -> None:
        """Ends it. Idempotent."""
        raise NotImplementedError

    def __enter__(self: Entered) -> Entered:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Connection(Handle):
    """One registration of a callback; lives until `disconnect`, the end of a `with` block, or the
    end of the source, stream, patch or context it listens to. Dropping the object does not end it.

    >>> import gatheredkit as gk
    >>> seen = []
    >>> with gk.Context("sim:laptop", loop="manual") as context:
    ...     memory = context.open("memory")
    ...     with memory.listen(seen.append) as connection:
    ...         _ = memory.update()
    ...     _ = memory.update()
    >>> len(seen), connection.connected
    (1, False)
    """

    def __init__(
        self, address: int, entry: Entry, siblings: set[Connection], *keeps: object
    ) -> None:
        super().__init__(address)
        self._entry = entry
        self._keeps = keeps
        self._homes: list[weakref.ref[set[Connection]]] = []
        entry.done = _leaver(weakref.ref(self))
        self.enter(siblings)

    @property
    def error(self) -> BaseException | None:
        """The last exception that came out of the callback; None so far."""
        return self._entry.error

    @property
    def connected(self) -> bool:
        """Whether the callback can still be called."""
        entry = self._entry
        return self.address is not None and not (entry.ended or entry.cut)

    def disconnect(self) -> None:
        """Ends the registration: once it has returned no further call begins. Outside callbacks it
        waits for one that is running, so hold no lock the callback takes. Idempotent."""
        address = self.address
        if address is not None:
            self.cut()
            native().gkit_connection_disconnect(address)
            self._let_go()
        self.leave()

    def cut(self) -> None:
        """Ends a batch that is running; a farewell may still come, and finds all it needs."""
        self._entry.cut = True
        self._entry.keeps = self._keeps

    def enter(self, home: set[Connection]) -> None:
        """Adds it to an owner (a source, a stream, a bag) until it ends."""
        self._homes.append(weakref.ref(home))
        home.add(self)
        if self._entry.ended:
            self.leave()

    def leave(self) -> None:
        """Removes it from its owners, and drops what it keeps."""
        if self._entry.ended:
            self._keeps = ()
        while self._homes:
            home = self._homes.pop()()
            if home is not None:
                home.discard(self)

    def put_into(self, connector: Connector) -> Connection:
        """Puts it into a bag, and returns it."""
        connector.add(self)
        return self

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.disconnect()

    def __repr__(self) -> str:
        state = "connected" if self.connected else "disconnected"
        return f"<Connection {state}{', failed' if self.error else ''}>"


class Connector(Closing, Handle):
    """A bag of connections that are ended together: by `disconnect`, or with the `with` block.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, gk.Connector() as bag:
    ...     battery = context.open("battery")
    ...     connection = battery.listen(print).put_into(bag)
    ...     bag.disconnect()
    ...     connection.connected
    False
    """

    def __init__(self) -> None:
        address = native().gkit_connector_new()
        if not address:
            raise OutOfMemoryError("no memory for a connector")
        super().__init__(address)
        self._connections: set[Connection] = set()

    def add(self, connection: Connection) -> None:
        """Puts a connection in; the bag holds it until it ends. Ended ones are left out."""
        address_of(self)
        if connection.connected:
            self.check(native().gkit_connector_add(self.address, connection.address))
            connection.enter(self._connections)

    def __len__(self) -> int:
        return len(self._connections)

    def __bool__(self) -> bool:
        return True

    def disconnect(self) -> None:
        """Disconnects all that is in the bag and empties it; it can be filled again."""
        held = list(self._connections)
        for connection in held:
            connection.cut()
        native().gkit_connector_disconnect(self.address)
        for connection in held:
            connection.disconnect()

    def close(self) -> None:
        """Disconnects all, for good."""
        if self.address is not None:
            self.disconnect()
            self._let_go()

    def __repr__(self) -> str:
        return f"<Connector {'closed' if self.closed else len(self)}>"


def connect(
    function: Callable[..., int],
    owner: Handle,
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    siblings: set[Connection],
    *keeps: object,
) -> Connection:
    """Registers a callback of an owner, and keeps the connection with its siblings; the connection
    keeps what the callback needs."""
    out = ctypes.c_void_p()
    all_arguments = (address_of(owner), *arguments)
    owner.check(register(function, all_arguments, trampoline, entry, ctypes.byref(out)))
    return Connection(out.value or 0, entry, siblings, *keeps)


def _leaver(connection: weakref.ref[Connection]) -> Callable[[], None]:
    """Makes what removes an ended connection from its owners."""

    def leave() -> None:
        found = connection()
        if found is not None:
            found.leave()

    return leave
