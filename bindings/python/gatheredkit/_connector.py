"""Connectors: bags of connections."""

from __future__ import annotations

from collections.abc import Iterator

from ._errors import OutOfMemoryError
from ._handles import Closing, Connection, Handle, address_of
from ._library import native


class _Held:
    """The connections of a bag, in the order in which they were put in."""

    __slots__ = ("__weakref__", "_held")

    def __init__(self) -> None:
        self._held: dict[Connection, None] = {}

    def add(self, connection: Connection, /) -> None:
        self._held[connection] = None

    def discard(self, connection: Connection, /) -> None:
        self._held.pop(connection, None)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


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
        self._connections = _Held()

    def add(self, connection: Connection) -> None:
        """Puts a connection in; the bag holds it until it ends. Ended ones are left out."""
        address_of(self)
        if connection.connected:
            connection.enter(self._connections)

    def __len__(self) -> int:
        return len(self._connections)

    def __bool__(self) -> bool:
        return True

    def disconnect(self) -> None:
        """Disconnects all that is in the bag and empties it; it can be filled again."""
        for connection in list(self._connections):
            connection.disconnect()

    def close(self) -> None:
        """Disconnects all, for good."""
        if self.address is not None:
            self.disconnect()
            self._let_go()

    def __repr__(self) -> str:
        return f"<Connector {'closed' if self.closed else len(self)}>"
