"""Connections: one registration each, and bags of them."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from types import TracebackType

from ._callbacks import Entry, register
from ._closing import Closing
from ._errors import OutOfMemoryError
from ._handles import Handle
from ._library import native


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
        self._enter(siblings)

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
            self._cut()
            native().gkit_connection_disconnect(address)
            self._let_go()
        self._leave()

    def _cut(self) -> None:
        """Ends a batch that is running; a farewell may still come, and finds all it needs."""
        self._entry.cut = True
        self._entry.keeps = self._keeps

    def _enter(self, home: set[Connection]) -> None:
        """Is kept by a source, a stream or a bag, until it ends."""
        self._homes.append(weakref.ref(home))
        home.add(self)
        if self._entry.ended:
            self._leave()

    def _leave(self) -> None:
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
        self._require()
        if connection.connected:
            self.check(native().gkit_connector_add(self.address, connection.address))
            connection._enter(self._connections)

    def __len__(self) -> int:
        return len(self._connections)

    def __bool__(self) -> bool:
        return True

    def disconnect(self) -> None:
        """Disconnects all that is in the bag and empties it; it can be filled again."""
        held = list(self._connections)
        for connection in held:
            connection._cut()
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
    all_arguments = (owner._require(), *arguments)
    owner.check(register(function, all_arguments, trampoline, entry, ctypes.byref(out)))
    return Connection(out.value or 0, entry, siblings, *keeps)


def _leaver(connection: weakref.ref[Connection]) -> Callable[[], None]:
    """Takes a connection that has ended out of where it was kept."""

    def leave() -> None:
        found = connection()
        if found is not None:
            found._leave()
            found._keeps = ()

    return leave
