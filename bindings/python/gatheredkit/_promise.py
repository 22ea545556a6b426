"""Promises: the ends of futures that resolve them."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _data_source_callbacks as callbacks
from ._callbacks import Entry, register, require_callable
from ._errors import CancelledError
from ._futures import Future
from ._handles import Handle
from ._library import native
from ._outcome import Box, Claim, Outcome

if TYPE_CHECKING:
    from ._event_loop import EventLoop

T = TypeVar("T")


class Promise(Handle, Generic[T]):
    """A result that you give: the other end of its `future`.

    `on_cancel()` is called when the future is cancelled. `intercept(value, error)` sees the first
    resolution before anyone else, and answers or raises what takes its place. A promise that is
    dropped cancels its future.

    >>> import gatheredkit as gk
    >>> promise = gk.Promise()
    >>> promise.resolve(1), promise.resolve(2), promise.future.wait()
    (True, False, 1)
    """

    def __init__(
        self,
        *,
        context: EventLoop | None = None,
        on_cancel: Callable[[], object] | None = None,
        intercept: Callable[[T | None, BaseException | None], T] | None = None,
    ) -> None:
        for name, function in (("on_cancel", on_cancel), ("intercept", intercept)):
            if function is not None:
                require_callable(name, function)
        if context is None:
            from ._default import default_context

            context = default_context()
        out = ctypes.c_void_p()
        context.check(native().gkit_future_new(context._require(), ctypes.byref(out)))
        super().__init__(out.value)
        self._context = context
        self._box: Box[T] = Box()
        self._claim = Claim(on_cancel, intercept)
        self._held: list[weakref.ref[Future[T]]] = []
        self._finalizer.detach()
        finalizer: Any = weakref.finalize(self, _drop, self.address, self._held)
        finalizer.atexit = False
        self._finalizer = finalizer
        if on_cancel is not None:
            self._hear_the_end()

    @property
    def future(self) -> Future[T]:
        """The future that this resolves."""
        found = self._held[0]() if self._held else None
        if found is None:
            address = native().gkit_retain(self._require()) or 0
            found = Future(self._context, address, self._box, self._claim)
            self._held[:] = [weakref.ref(found)]
        return found

    def resolve(self, value: T) -> bool:
        """Gives the value; False, and nothing happens, where there is a result."""
        return self._settle(Outcome(value))

    def fail(self, error: BaseException) -> bool:
        """Gives an error; False, and nothing happens, where there is a result."""
        return self._settle(Outcome(None, error))

    @property
    def is_resolved(self) -> bool:
        """Whether there is a result, or one is just being given."""
        return self._claim.was_used

    def _settle(self, outcome: Outcome[T]) -> bool:
        is_first = self._claim.settle(self._require(), self._box, outcome)
        found = self._held[0]() if self._held else None
        if found is not None:
            found._origins = ()
        return is_first

    def _hear_the_end(self) -> None:
        """The end of the context cancels the future behind the back of Python."""
        claim, box = weakref.ref(self._claim), weakref.ref(self._box)

        def hear(_address: int) -> None:
            mine, result = claim(), box()
            if mine is not None and result is not None and result.made is None and mine.use():
                assert mine.on_cancel is not None
                mine.on_cancel()

        function, arguments = native().gkit_future_then, (self._require(),)
        self.check(register(function, arguments, callbacks.future, Entry(hear)))

    def __repr__(self) -> str:
        state = "closed" if self.closed else "resolved" if self.is_resolved else "pending"
        return f"<Promise {state}>"


def _drop(address: int | None, held: list[weakref.ref[Future[Any]]]) -> None:
    """A promise goes: its future is cancelled if it is still held."""
    future = held[0]() if held else None
    if future is not None and future._claim is not None:
        gone: Outcome[Any] = Outcome(None, CancelledError("the promise was dropped"))
        future._claim.settle(address, future._box, gone)
    native().gkit_release(address)


def gathered(futures: list[Future[Any]], context: EventLoop | None) -> Future[list[Any]]:
    """All results in order, or the first failure."""
    chosen = context or (futures[0].context if futures else None)
    promise: Promise[list[Any]] = Promise(context=chosen)
    whole = promise.future
    values: list[Any] = [None] * len(futures)
    # Taking one off is one step for every thread.
    pending = [None] * len(futures)
    whole._origins = tuple((future, object()) for future in futures)

    def hear(place: int, outcome: Outcome[Any]) -> None:
        if outcome.error is not None:
            promise.fail(outcome.error)
            return
        values[place] = outcome.value
        pending.pop()
        if not pending:
            promise.resolve(values)

    for place, (future, seat) in enumerate(whole._origins):
        future._listen(partial(hear, place), seat)
    if not futures:
        promise.resolve(values)
    return whole
