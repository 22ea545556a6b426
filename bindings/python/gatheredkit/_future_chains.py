"""Futures made of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, cast

from ._callbacks import register, require_callable
from ._durations import timeout_ns
from ._errors import InvalidArgumentError, TypeMismatchError, ValidationError
from ._library import native
from ._outcome import Outcome
from ._subscription import Subscription
from ._trampolines import sample

if TYPE_CHECKING:
    from ._event_loop import EventLoop
    from ._futures import Future
    from ._promise import Promise

T = TypeVar("T")
U = TypeVar("U")


class Chains(Generic[T]):
    """The steps a future can go through. What a step does not apply to passes it; what its
    function raises is the result, and skips the steps that want a value."""

    if TYPE_CHECKING:
        context: EventLoop

        def _listen(self, hear: Callable[[Outcome[T]], object], seat: object = None) -> None: ...

    def map(self, f: Callable[[T], U]) -> Future[U]:
        """What `f` makes of the value.

        >>> import gatheredkit as gk
        >>> promise = gk.Promise()
        >>> _ = promise.resolve("seven")
        >>> promise.future.map(len).wait(timeout=5)
        5
        """
        require_callable("map", f)

        def step(outcome: Outcome[T], promise: Promise[U]) -> None:
            promise._settle(Outcome.of(lambda: f(outcome.get())))

        return self._derived(step)

    def flat_map(self, f: Callable[[T], Future[U]]) -> Future[U]:
        """The result of the future that `f` makes of the value."""
        require_callable("flat_map", f)

        def step(outcome: Outcome[T], promise: Promise[U]) -> None:
            found = Outcome.of(lambda: _future(f(outcome.get())))
            if found.error is not None:
                promise._settle(found)
                return
            following: Future[U] = found.value
            seat = object()
            promise.future._origins = ((following, seat),)
            following._listen(promise._settle, seat)

        return self._derived(step)

    def filter(self, is_wanted: Callable[[T], object]) -> Future[T]:
        """The value if it is wanted, else `ValidationError`."""
        require_callable("filter", is_wanted)

        def wanted(value: T) -> T:
            if is_wanted(value):
                return value
            raise ValidationError("the value was filtered out")

        return self.map(wanted)

    def map_error(self, f: Callable[[BaseException], BaseException]) -> Future[T]:
        """The error that `f` makes of the error."""
        require_callable("map_error", f)

        def rescue(error: BaseException) -> NoReturn:
            made: Any = f(error)
            if isinstance(made, BaseException):
                raise made
            raise TypeMismatchError("map_error makes an exception")

        return self.recover(rescue)

    def recover(
        self,
        rescue: Callable[[BaseException], U],
        code: int | type[BaseException] | None = None,
    ) -> Future[T | U]:
        """What `rescue` makes of the error; with a code, or a class, of such errors only.

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> found = store.get_async("k").recover(lambda error: 0, code=gk.Status.NOT_FOUND)
        >>> found.wait(timeout=5)
        0
        """
        require_callable("recover", rescue)

        def step(outcome: Outcome[T], promise: Promise[T | U]) -> None:
            error = outcome.error
            if error is None or not _is_of(error, code):
                promise._settle(cast("Outcome[T | U]", outcome))
                return
            promise._settle(Outcome.of(lambda: rescue(error)))

        return self._derived(step)

    def delayed(self, by: float) -> Future[T]:
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

        def step(outcome: Outcome[T], promise: Promise[T]) -> None:
            if delay == 0:
                promise._settle(outcome)
            else:
                _settle_later(outcome, promise, delay)

        return self._derived(step)

    def zip(self, *others: Future[Any]) -> Future[tuple[Any, ...]]:
        """A tuple of this result and those of one to three others, once all are there; the first
        failure as soon as there is one.

        >>> import gatheredkit as gk
        >>> store = gk.DataSource("memory")
        >>> store.put_async("a", 1).zip(store.put_async("b", 2)).wait(timeout=5)
        (1, 2)
        """
        if not 1 <= len(others) <= 3:
            raise InvalidArgumentError("two to four futures are joined")
        from ._promise import gathered

        return gathered([cast("Future[T]", self), *others], self.context).map(tuple)

    def _derived(self, step: Callable[[Outcome[T], Promise[U]], None]) -> Future[U]:
        """A future that a step resolves when there is a result here."""
        from ._promise import Promise

        promise: Promise[U] = Promise(context=self.context)
        future, seat = promise.future, object()
        future._origins = ((cast("Future[T]", self), seat),)

        def hear(outcome: Outcome[T]) -> None:
            # One that was cancelled meanwhile has left.
            if not promise.is_resolved:
                step(outcome, promise)

        self._listen(hear, seat)
        return future


def _future(made: Any) -> Future[Any]:
    from ._futures import Future

    if isinstance(made, Future):
        return cast(Any, made)  # type: ignore[no-any-return]
    raise TypeMismatchError(f"flat_map makes a Future, not a {type(made).__name__}")


def _is_of(error: BaseException, code: int | type[BaseException] | None) -> bool:
    if code is None:
        return True
    return isinstance(error, code) if isinstance(code, type) else getattr(error, "code", 0) == code


def _settle_later(outcome: Outcome[T], promise: Promise[T], delay: int) -> None:
    """Resolves by the context's clock, and lets go of the timer then."""
    from ._variables import Timer

    timer = Timer(interval_ns=delay, context=promise._context)

    def tick(_index: int) -> None:
        timer._let_go()
        promise._settle(outcome)

    # The library keeps the function, that the timer, until it ticks or the context is closed.
    entry = Subscription(tick, timer._read).floating()
    function, arguments = native().gkit_stream_subscribe, (timer._require(), None, 0)
    timer.check(register(function, arguments, sample, entry, None))
