"""Futures: results that are there or will be; and promises, the ends that resolve them.

Longer than 300 lines: a future has each step it can go through as a method, and what these make is
the future of a promise.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Generic, NoReturn, TypeAlias, TypeVar, cast, overload

from . import _trampolines as trampolines
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._delivery import Subscription
from ._errors import (
    CancelledError,
    InvalidArgumentError,
    TypeMismatchError,
    ValidationError,
    WrongThreadError,
)
from ._event_loop import EventLoop, chosen
from ._handles import Handle, address_of
from ._library import native
from ._outcome import Box, Claim, Outcome, awaited, blocking, forbid_blocking, waited
from ._variables import Timer
from ._waiting import timeout_ns

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

# Futures that another is derived from, each with its listener token.
Origins: TypeAlias = "tuple[tuple[Future[object], object], ...]"


class Future(Handle, Generic[T_co]):
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
        box: Box[T_co] | None = None,
        claim: Claim[T_co] | None = None,
        *,
        needs_tasks: bool = False,
    ) -> None:
        super().__init__(address)
        self.context = context
        self._box: Box[T_co] = Box() if box is None else box
        self._claim = claim
        # The futures it is derived from, each with its listener token.
        self.origins: Origins = ()
        self._needs_tasks = needs_tasks

    @property
    def done(self) -> bool:
        """Whether there is a result."""
        return self._peek() is not None

    @property
    def state(self) -> str:
        """Its progress: "blank", "awaited" (a function, no result), "ready" (a result, no
        function), "delivered"."""
        heard = self._box.was_heard
        if self.done:
            return "delivered" if heard else "ready"
        return "awaited" if heard else "blank"

    def wait(self, timeout: float | None = None) -> T_co:
        """The value; blocks until there is a result, `timeout` seconds at most. On the loop's
        thread callbacks run meanwhile.

        Raises the error of the result, `TimedOutError` (it stays as it is), `WrongThreadError`
        (inside a callback, for what itself needs the loop).
        """
        outcome = self._box.outcome
        if outcome is None and (self.origins or self._needs_tasks):
            outcome = self._peek()
        if outcome is None:
            token = object()
            self._box.listeners.add(token)
            try:
                outcome = self._wait(timeout)
            finally:
                self._box.listeners.discard(token)
        return outcome.get()

    result = wait

    def then(self, body: Callable[[T_co], object]) -> Future[T_co]:
        """Calls `body(value)` once there is one. What it raises is logged, and changes nothing."""
        require_callable("then", body)
        self.listen(lambda outcome: None if outcome.error else body(outcome.value))
        return self

    def fail(self, body: Callable[[BaseException], object]) -> Future[T_co]:
        """Calls `body(error)` once there is one."""
        require_callable("fail", body)
        self.listen(lambda outcome: body(outcome.error) if outcome.error else None)
        return self

    def on_completion(
        self, body: Callable[[T_co | None, BaseException | None], object]
    ) -> Future[T_co]:
        """Calls `body(value, error)` once there is a result; the one that is not is None."""
        require_callable("on_completion", body)
        self.listen(lambda outcome: body(outcome.value, outcome.error))
        return self

    def cancel(self) -> None:
        """Resolves it as `CancelledError` and tells its producer; with a result it does nothing.
        What was written stays written. Cancelling one that comes from another cancels that too, if
        that has no other listener."""
        claim, origins = self._claim, self.origins
        if claim is None:
            native().gkit_future_cancel(address_of(self))
            raise_interrupt()
        elif claim.settle(address_of(self), self._box, Outcome(None, CancelledError("cancelled"))):
            self.origins = ()
            for origin, token in origins:
                origin.leave(token)
            if claim.on_cancel is not None:
                claim.on_cancel()

    @staticmethod
    def batch(futures: Iterable[Future[U]], *, context: EventLoop | None = None) -> Future[list[U]]:
        """All values in the order given, once they are there; the first failure as soon as there
        is one. Of none it is [].

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> gk.Future.batch(store.put_async(n, n * n) for n in range(4)).wait(timeout=5)
        [0, 1, 4, 9]
        """
        return gathered(list(futures), context)

    def __await__(self) -> Generator[object, None, T_co]:
        outcome = self._peek()
        if outcome is None:
            outcome = yield from awaited(self)
        return outcome.get()

    # Steps. What a step does not apply to passes it; what its function raises is the result, and
    # skips the steps that want a value.

    def map(self, f: Callable[[T_co], U]) -> Future[U]:
        """What `f` makes of the value.

        >>> import gatheredkit as gk
        >>> promise = gk.Promise()
        >>> _ = promise.resolve("seven")
        >>> promise.future.map(len).wait(timeout=5)
        5
        """
        require_callable("map", f)

        def step(outcome: Outcome[T_co], promise: Promise[U]) -> None:
            promise.settle(Outcome.of(lambda: f(outcome.get())))

        return self._derived(step)

    def flat_map(self, f: Callable[[T_co], Future[U]]) -> Future[U]:
        """The result of the future that `f` makes of the value."""
        require_callable("flat_map", f)

        def step(outcome: Outcome[T_co], promise: Promise[U]) -> None:
            found = Outcome.of(lambda: _future(f(outcome.get())))
            if found.error is not None:
                promise.settle(Outcome(None, found.error))
                return
            following = found.value
            token = object()
            promise.future.origins = ((following, token),)
            following.listen(promise.settle, token)

        return self._derived(step)

    def filter(self, is_wanted: Callable[[T_co], object]) -> Future[T_co]:
        """The value if it is wanted, else `ValidationError`."""
        require_callable("filter", is_wanted)
        return self.map(partial(_wanted, is_wanted))

    def map_error(self, f: Callable[[BaseException], BaseException]) -> Future[T_co]:
        """The error that `f` makes of the error."""
        require_callable("map_error", f)

        def rescue(error: BaseException) -> NoReturn:
            raise _exception(f(error))

        return self.recover(rescue)

    def recover(
        self,
        rescue: Callable[[BaseException], U],
        code: int | type[BaseException] | None = None,
    ) -> Future[T_co | U]:
        """What `rescue` makes of the error; with a code, or a class, of such errors only.

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> found = store.get_async("k").recover(lambda error: 0, code=gk.Status.NOT_FOUND)
        >>> found.wait(timeout=5)
        0
        """
        require_callable("recover", rescue)

        def step(outcome: Outcome[T_co], promise: Promise[T_co | U]) -> None:
            error = outcome.error
            if error is None or not _is_of(error, code):
                promise.settle(outcome)
                return
            promise.settle(Outcome.of(lambda: rescue(error)))

        return self._derived(step)

    def delayed(self, by: float) -> Future[T_co]:
        """The same result, not earlier than `by` seconds after it was there, by the clock of the
        context; 0 is at once. Raises `InvalidArgumentError` for a negative or endless delay.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty&clock=manual", loop="manual") as context:
        ...     promise = gk.Promise(context=context)
        ...     _ = promise.future.delayed(2.0).then(print)
        ...     _ = promise.resolve("two seconds later")
        ...     context.seek(2.0)
        two seconds later
        """
        if not 0 <= by <= 9e9:
            raise InvalidArgumentError(f"a delay is a number of seconds from 0 on: {by}")
        delay = timeout_ns(by)

        def step(outcome: Outcome[T_co], promise: Promise[T_co]) -> None:
            if delay == 0:
                promise.settle(outcome)
            else:
                _settle_later(outcome, promise, self.context, delay)

        return self._derived(step)

    @overload
    def zip(self, a: Future[A], /) -> Future[tuple[T_co, A]]: ...
    @overload
    def zip(self, a: Future[A], b: Future[B], /) -> Future[tuple[T_co, A, B]]: ...
    @overload
    def zip(self, a: Future[A], b: Future[B], c: Future[C], /) -> Future[tuple[T_co, A, B, C]]: ...
    @overload
    def zip(self, *others: Future[object]) -> Future[tuple[object, ...]]: ...
    def zip(self, *others: Future[object]) -> Future[tuple[object, ...]]:
        """A tuple of this result and those of one to three others, once all are there; the first
        failure as soon as there is one.

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> store.put_async("a", 1).zip(store.put_async("b", 2)).wait(timeout=5)
        (1, 2)
        """
        if not 1 <= len(others) <= 3:
            raise InvalidArgumentError("two to four futures are joined")
        return gathered([self, *others], self.context).map(tuple)

    def _derived(self, step: Callable[[Outcome[T_co], Promise[U]], None]) -> Future[U]:
        """A future that `step` resolves once there is a result here."""
        promise: Promise[U] = Promise(context=self.context)
        future, token = promise.future, object()
        future.origins = ((self, token),)

        def hear(outcome: Outcome[T_co]) -> None:
            # A future that was cancelled meanwhile is resolved.
            if not promise.is_resolved:
                step(outcome, promise)

        self.listen(hear, token)
        return future

    # Machinery.

    def _peek(self) -> Outcome[T_co] | None:
        return self._box.outcome or self._box.peek(address_of(self))

    def _wait(self, timeout: float | None) -> Outcome[T_co]:
        if self.origins and self.context.is_current:
            raise WrongThreadError("the result needs the loop, which runs this callback")
        if self._needs_tasks:
            forbid_blocking(self.context)
        self.context.ensure_loop()
        with blocking():
            return waited(address_of(self), self._box, timeout)

    def listen(self, hear: Callable[[Outcome[T_co]], object], token: object = None) -> None:
        """Calls `hear(outcome)` with the result; `token` is the listener it counts as."""
        require_callable("listen", hear)
        self.context.ensure_loop()
        box = self._box
        box.was_heard = True
        box.listeners.add(object() if token is None else token)

        def read(address: int) -> None:
            hear(box.read(address))

        function, arguments = native().gkit_future_then, (address_of(self),)
        self.check(register(function, arguments, trampolines.future, Entry(read)))
        raise_interrupt()

    def leave(self, token: object) -> None:
        """Removes the listener of a token; a future without listeners is cancelled."""
        listeners = self._box.listeners
        listeners.discard(token)
        if not listeners and self.address is not None:
            self.cancel()

    def abandon(self, address: int | None) -> None:
        """Cancels it, since its promise, whose handle is given, is freed."""
        if self._claim is not None:
            gone: Outcome[T_co] = Outcome(None, CancelledError("the promise was dropped"))
            self._claim.settle(address, self._box, gone)

    def __repr__(self) -> str:
        if self.address is None:
            return "<Future closed>"
        outcome = self._peek()
        if outcome is None:
            return "<Future pending>"
        if outcome.error is not None:
            return f"<Future failed: {outcome.error!r}>"
        return f"<Future {outcome.value!r}>"


class Promise(Handle, Generic[T]):
    """A result that you give: the other end of its `future`.

    `on_cancel()` is called when the future is cancelled. `intercept(value, error)` sees the first
    resolution before all others, and answers or raises what takes its place. A promise that is
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
        context, out = chosen(context), ctypes.c_void_p()
        context.check(native().gkit_future_new(address_of(context), ctypes.byref(out)))
        super().__init__(out.value)
        self._context = context
        self._box: Box[T] = Box()
        self._claim = Claim(on_cancel, intercept)
        self._held: list[weakref.ref[Future[T]]] = []
        self._finalizer.detach()
        finalizer: weakref.finalize[..., Handle] = weakref.finalize(
            self, _drop, self.address, self._held
        )
        finalizer.atexit = False
        self._finalizer = finalizer
        if on_cancel is not None:
            self._hear_the_end()

    @property
    def future(self) -> Future[T]:
        """The future that this resolves."""
        found = self._held[0]() if self._held else None
        if found is None:
            address = native().gkit_retain(address_of(self)) or 0
            found = Future(self._context, address, self._box, self._claim)
            self._held[:] = [weakref.ref(found)]
        return found

    def resolve(self, value: T) -> bool:
        """Gives the value; False, and nothing happens, where there is a result."""
        return self.settle(Outcome(value))

    def fail(self, error: BaseException) -> bool:
        """Gives an error; False, and nothing happens, where there is a result."""
        return self.settle(Outcome(None, error))

    @property
    def is_resolved(self) -> bool:
        """Whether there is a result, or one is just being given."""
        return self._claim.was_used

    def settle(self, outcome: Outcome[T]) -> bool:
        """Gives a value or an error; False where there is a result."""
        is_first = self._claim.settle(address_of(self), self._box, outcome)
        found = self._held[0]() if self._held else None
        if found is not None:
            found.origins = ()
        return is_first

    def _hear_the_end(self) -> None:
        """Calls `on_cancel` also when closing the context cancels the future."""
        claim, box = weakref.ref(self._claim), weakref.ref(self._box)

        def hear(_address: int) -> None:
            mine, result = claim(), box()
            if mine is not None and result is not None and result.made is None and mine.use():
                assert mine.on_cancel is not None
                mine.on_cancel()

        function, arguments = native().gkit_future_then, (address_of(self),)
        self.check(register(function, arguments, trampolines.future, Entry(hear)))

    def __repr__(self) -> str:
        state = "closed" if self.closed else "resolved" if self.is_resolved else "pending"
        return f"<Promise {state}>"


def _drop(address: int | None, held: list[weakref.ref[Future[T]]]) -> None:
    """Releases a promise; its future is cancelled if it is still referenced."""
    future = held[0]() if held else None
    if future is not None:
        future.abandon(address)
    native().gkit_release(address)


def gathered(futures: list[Future[U]], context: EventLoop | None) -> Future[list[U]]:
    """All results in order, or the first failure."""
    chosen = context or (futures[0].context if futures else None)
    promise: Promise[list[U]] = Promise(context=chosen)
    whole = promise.future
    found: list[U | None] = [None] * len(futures)
    # `list.pop` is atomic.
    pending = [None] * len(futures)
    tokens = [object() for _ in futures]
    whole.origins = tuple(zip(futures, tokens, strict=True))

    def hear(place: int, outcome: Outcome[U]) -> None:
        if outcome.error is not None:
            promise.fail(outcome.error)
            return
        found[place] = outcome.value
        pending.pop()
        if not pending:
            promise.resolve(cast("list[U]", found))

    for place, (future, token) in enumerate(zip(futures, tokens, strict=True)):
        future.listen(partial(hear, place), token)
    if not futures:
        promise.resolve([])
    return whole


def _exception(made: object) -> BaseException:
    if isinstance(made, BaseException):
        return made
    raise TypeMismatchError("map_error makes an exception")


def _wanted(is_wanted: Callable[[T], object], value: T) -> T:
    if is_wanted(value):
        return value
    raise ValidationError("the value was filtered out")


def _future(made: Future[T]) -> Future[T]:
    if not isinstance(cast("object", made), Future):
        raise TypeMismatchError(f"flat_map makes a Future, not a {type(made).__name__}")
    return made


def _is_of(error: BaseException, code: int | type[BaseException] | None) -> bool:
    if code is None:
        return True
    return isinstance(error, code) if isinstance(code, type) else getattr(error, "code", 0) == code


def _settle_later(outcome: Outcome[T], promise: Promise[T], context: EventLoop, delay: int) -> None:
    """Resolves after a delay by the context's clock, then closes the timer."""
    timer = Timer(interval_ns=delay, context=context)

    def tick(_index: int) -> None:
        timer.close()
        promise.settle(outcome)

    # The library keeps the function, which keeps the timer, until it ticks or the context closes.
    entry = Subscription(tick, timer.decoder).floating()
    function, arguments = native().gkit_stream_subscribe, (address_of(timer), None, 0)
    timer.check(register(function, arguments, trampolines.sample, entry, None))
