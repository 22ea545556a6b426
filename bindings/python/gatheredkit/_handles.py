"""Handles: each is released once, at the latest at exit, and dead in the child of a fork."""

from __future__ import annotations

import os
import weakref
from typing import NoReturn

from ._errors import ClosedError, ForkedError
from ._library import fail, native
from ._native import Status


class Handle:
    """What holds one reference of the library: the base of every wrapper.

    `address` is None once it is closed; the library answers every call with it by a failure, which
    `failed` then names.
    """

    address: int | None

    def __init__(self, address: int | None) -> None:
        self.address = address
        self._forked = False
        self._finalizer = weakref.finalize(self, _release, address)
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

    def _require(self) -> int:
        """The address, or the error that says why there is none any more."""
        if self.address is None:
            self._failed(Status.CLOSED)
        return self.address

    def _failed(self, status: int, remedy: str = "") -> NoReturn:
        """Raises the error of a call that failed with this handle."""
        if self._forked:
            raise ForkedError(f"this {type(self).__name__} was made before a fork")
        if self.address is None:
            raise ClosedError(f"this {type(self).__name__} is closed")
        fail(status, remedy)

    def check(self, status: int) -> int:
        if status < 0:
            self._failed(status)
        return status


_living: weakref.WeakSet[Handle] = weakref.WeakSet()


def _release(address: int | None) -> None:
    native().gkit_release(address)


def _after_fork() -> None:
    """In the child: the library has let all handles go, and so do the wrappers."""
    for handle in list(_living):
        handle._forked = True
        handle.address = None
        handle._finalizer.detach()
    _living.clear()


os.register_at_fork(after_in_child=_after_fork)
