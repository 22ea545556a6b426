"""Futures: results that are there or will be."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _data_source_callbacks as callbacks
from ._async_waiting import awaited, blocking, forbid_blocking
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._errors import CancelledError, WrongThreadError
from ._future_chains import Chains
from ._handles import Handle
from ._library import native
from ._outcome import Box, Claim, Outcome, waited

if TYPE_CHECKING:
    from ._event_loop import EventLoop

T = TypeVar("T")


class Future(Handle, Chains[T], Generic[T]):
    """A result that is there or will be: a value, or one error.

    `await` it on any asyncio loop, or `wait`. Functions given to it are called once, in the order
    they were given, on the loop of its context; from outside callbacks there, before the call
    returns. Cancelling an `await` cancels the future if it has no other listener.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:empty") as context:
    ...     store = gk.DataSource("memory", context=context)
    ...     _ = store.put("k", 20)
    ...     store.get_async("k").map(lambda value: value + 1).wait(timeout=5)
    21
    """

    def __init__(
        self,
        context: EventLoop,
        address: int,
        box: Box[T] | None = None,
        claim: Claim | None = None,
        *,
        needs_tasks: bool = False,
    ) -> None:
        super().__init__(address)
        self.context = context
        self._box: Box[T] = Box() if box is None else box
        self._claim = claim
        # Those it comes from, and its seats among their listeners.
        self._origins: tuple[tuple[Future[Any], object], ...] = ()
        self._needs_tasks = needs_tasks

    @property
    def done(self) -> bool:
        """Whether there is a result."""
        return self._peek() is not None

    @property
    def state(self) -> str:
        """What it has met so far: "blank", "awaited" (a function, no result), "ready" (a result, no
        function), "delivered"."""
        heard = self._box.was_heard
        if self.done:
            return "delivered" if heard else "ready"
        return "awaited" if heard else "blank"

    def wait(self, timeout: float | None = None) -> T:
        """The value; blocks until there is a result, `timeout` seconds at most. On the loop's
        thread callbacks run meanwhile.

        Raises the error of the result, `TimedOutError` (it stays as it is), `WrongThreadError`
        (inside a callback, for what itself needs the loop).
        """
        outcome = self._box.outcome
        if outcome is None and (self._origins or self._needs_tasks):
            outcome = self._peek()
        if outcome is None:
            seat = object()
            self._box.listeners.add(seat)
            try:
                outcome = self._wait(timeout)
            finally:
                self._box.listeners.discard(seat)
        return outcome.get()

    result = wait

    def then(self, body: Callable[[T], object]) -> Future[T]:
        """Calls `body(value)` once there is one. What it raises is logged, and changes nothing."""
        require_callable("then", body)
        self._listen(lambda outcome: None if outcome.error else body(outcome.value))
        return self

    def fail(self, body: Callable[[BaseException], object]) -> Future[T]:
        """Calls `body(error)` once there is one."""
        require_callable("fail", body)
        self._listen(lambda outcome: body(outcome.error) if outcome.error else None)
        return self

    def on_completion(self, body: Callable[[T | None, BaseException | None], object]) -> Future[T]:
        """Calls `body(value, error)` once there is a result; the one that is not is None."""
        require_callable("on_completion", body)
        self._listen(lambda outcome: body(outcome.value, outcome.error))
        return self

    def cancel(self) -> None:
        """Resolves it as `CancelledError` and tells its producer; with a result it does nothing.
        What was written stays written. Cancelling one that comes from another cancels that too, if
        that has no other listener."""
        claim, origins = self._claim, self._origins
        if claim is None:
            native().gkit_future_cancel(self._require())
            raise_interrupt()
        elif claim.settle(self._require(), self._box, Outcome(None, CancelledError("cancelled"))):
            self._origins = ()
            for origin, seat in origins:
                origin._leave(seat)
            if claim.on_cancel is not None:
                claim.on_cancel()

    @staticmethod
    def batch(
        futures: Iterable[Future[Any]], *, context: EventLoop | None = None
    ) -> Future[list[Any]]:
        """All values in the order given, once they are there; the first failure as soon as there
        is one. Of none it is [].

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> gk.Future.batch(store.put_async(n, n * n) for n in range(4)).wait(timeout=5)
        [0, 1, 4, 9]
        """
        from ._promise import gathered

        return gathered(list(futures), context)

    def __await__(self) -> Generator[Any, None, T]:
        outcome = self._peek()
        if outcome is None:
            outcome = yield from awaited(self)
        return outcome.get()

    # Below.

    def _peek(self) -> Outcome[T] | None:
        return self._box.outcome or self._box.peek(self._require())

    def _wait(self, timeout: float | None) -> Outcome[T]:
        if self._origins and self.context.is_current:
            raise WrongThreadError("the result needs the loop, which runs this callback")
        if self._needs_tasks:
            forbid_blocking(self.context)
        self.context.ensure_loop()
        with blocking():
            return waited(self._require(), self._box, timeout)

    def _listen(self, hear: Callable[[Outcome[T]], object], seat: object = None) -> None:
        """Has a function called with the result; it holds a seat among the listeners."""
        self.context.ensure_loop()
        box = self._box
        box.was_heard = True
        box.listeners.add(object() if seat is None else seat)

        def read(address: int) -> None:
            hear(box.read(address))

        function, arguments = native().gkit_future_then, (self._require(),)
        self.check(register(function, arguments, callbacks.future, Entry(read)))
        raise_interrupt()

    def _leave(self, seat: object) -> None:
        """Gives up a seat; a future without listeners is cancelled."""
        listeners = self._box.listeners
        listeners.discard(seat)
        if not listeners and self.address is not None:
            self.cancel()

    def __repr__(self) -> str:
        if self.address is None:
            return "<Future closed>"
        outcome = self._peek()
        if outcome is None:
            return "<Future pending>"
        if outcome.error is not None:
            return f"<Future failed: {outcome.error!r}>"
        return f"<Future {outcome.value!r}>"
