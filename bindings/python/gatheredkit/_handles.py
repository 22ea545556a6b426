"""Handles: each is released once, at the latest at exit, and dead in the child of a fork.

Connections are handles of registrations.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import NoReturn, Protocol, TypeVar

from ._callbacks import Entry, register
from ._errors import ClosedError, ForkedError
from ._library import last_error, native
from ._native import Status


class Handle:
    """What holds one reference of the library: the base of every wrapper.

    `address` is None once it is closed; the library answers every call with it by a failure, which
    `check` then names.
    """

    address: int | None
    place: object
    """The address as the functions of `bound` take it."""

    def __init__(self, address: int | None) -> None:
        self._move(address)
        self._forked = False
        self._finalizer: weakref.finalize[..., Handle] = weakref.finalize(self, _release, address)
        self._finalizer.atexit = False
        _living.add(self)

    @property
    def closed(self) -> bool:
        """Whether this object was closed, or belongs to the parent of a fork."""
        return self.address is None

    def _take(self, address: int) -> None:
        """Takes over a reference, where there was none."""
        self._move(address)
        self._finalizer.detach()
        self._finalizer = weakref.finalize(self, _release, address)
        self._finalizer.atexit = False

    def _let_go(self) -> None:
        """Releases the reference, once."""
        self._move(None)
        self._finalizer()

    def _move(self, address: int | None) -> None:
        self.address = address
        self.place = ctypes.c_void_p.from_param(address)

    def _fail(self, status: int, remedy: str = "") -> NoReturn:
        """Raises the error of a call that failed with this handle."""
        if self._forked:
            text = f"this {type(self).__name__} was made before a fork"
            raise ForkedError(text, remedy="open a new context in the child")
        if self.address is None:
            raise ClosedError(f"this {type(self).__name__} is closed")
        raise last_error(status, remedy)

    def orphan(self) -> None:
        """Lets go without a release: in the child of a fork the library has done that."""
        self._forked = True
        self._move(None)
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


AsyncEntered = TypeVar("AsyncEntered", bound="AsyncClosing")


class AsyncClosing(Closing):
    """Gives it `async with` too: closing waits for no event loop."""

    async def __aenter__(self: AsyncEntered) -> AsyncEntered:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Home(Protocol):
    """What keeps connections until they end: a set of them."""

    def add(self, connection: Connection, /) -> None: ...

    def discard(self, connection: Connection, /) -> None: ...


class Bag(Protocol):
    """What connections are put into: a `Connector`."""

    def add(self, connection: Connection) -> None: ...


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

    def __init__(self, address: int | None, entry: Entry, siblings: Home, *keeps: object) -> None:
        super().__init__(address)
        self._entry = entry
        self._keeps = keeps
        self._homes: list[weakref.ref[Home]] = []
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

    def enter(self, home: Home) -> None:
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

    def put_into(self, connector: Bag) -> Connection:
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


def connect(
    function: Callable[..., int],
    owner: Handle,
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    siblings: Home,
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
