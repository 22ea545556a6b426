"""Connections: one registration each, and bags of them."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from types import TracebackType

from ._callbacks import Entry, register
from ._errors import OutOfMemoryError
from ._handles import Handle
from ._library import native


class Connection(Handle):
    """One registration of a callback; lives until `disconnect`, the end of a `with` block, or the
    end of the source or context it listens to. Dropping the object does not end it.

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

    def __init__(self, address: int, entry: Entry, siblings: set[Connection]) -> None:
        super().__init__(address)
        self._entry = entry
        self._siblings = weakref.ref(siblings)
        siblings.add(self)

    @property
    def error(self) -> BaseException | None:
        """The last exception that came out of the callback; None so far."""
        return self._entry.error

    @property
    def connected(self) -> bool:
        """Whether the callback can still be called."""
        return self.address is not None and not self._entry.ended

    def disconnect(self) -> None:
        """Ends the registration: once it has returned no further call begins. Outside callbacks it
        waits for one that is running, so hold no lock the callback takes. Idempotent."""
        if self.address is not None:
            native().gkit_connection_disconnect(self.address)
            self._let_go()
        siblings = self._siblings()
        if siblings is not None:
            siblings.discard(self)

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


class Connector(Handle):
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

    def add(self, connection: Connection) -> None:
        """Puts a connection in; the bag holds it. Raises `ClosedError` for an ended one."""
        self.check(native().gkit_connector_add(self._require(), connection._require()))

    def disconnect(self) -> None:
        """Disconnects all that is in the bag and empties it; it can be filled again."""
        native().gkit_connector_disconnect(self.address)

    def close(self) -> None:
        """Disconnects all, for good."""
        if self.address is not None:
            self.disconnect()
            self._let_go()

    def __enter__(self) -> Connector:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Connector{' closed' if self.closed else ''}>"


def connect(
    function: Callable[..., int],
    owner: Handle,
    arguments: tuple[object, ...],
    trampoline: object,
    entry: Entry,
    siblings: set[Connection],
) -> Connection:
    """Registers a callback of an owner, and keeps the connection with its siblings."""
    out = ctypes.c_void_p()
    all_arguments = (owner._require(), *arguments)
    owner.check(register(function, all_arguments, trampoline, entry, ctypes.byref(out)))
    return Connection(out.value or 0, entry, siblings)
