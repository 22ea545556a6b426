"""What is closed at the end of a `with` block."""

from __future__ import annotations

from types import TracebackType
from typing import TypeVar

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
