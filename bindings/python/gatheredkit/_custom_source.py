"""Functions of data sources written in Python: verbs, and what decorators call."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import weakref
from collections.abc import Awaitable, Callable
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from . import _trampolines as trampolines
from ._abi import Answer, ValuePointer, decode_dict, decode_value, encode_into, release_all
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._data_source_calls import Memory, lent_error
from ._errors import (
    GatheredKitError,
    InvalidArgumentError,
    NotImplementedVerbError,
    NotSupportedError,
    ParseError,
    WrongThreadError,
)
from ._event_loop import EventLoop
from ._futures import Future
from ._handles import Handle, address_of
from ._library import last_error, native
from ._native import Operation, Status, gkit_error, gkit_value
from ._outcome import Outcome, is_blocked
from ._query import made_of

T = TypeVar("T")
U = TypeVar("U")

RetryFunction: TypeAlias = Callable[[GatheredKitError, int], object]


class Functions(Generic[T, U]):
    """The functions of one decorator, which C calls one at a time."""

    __slots__ = ("_answer", "_fallback", "_memory", "_retry", "_to_inner", "_to_outer", "_valid")

    def __init__(
        self,
        memory: Memory,
        *,
        to_outer: Callable[[T], object] | None = None,
        to_inner: Callable[[U], object] | None = None,
        valid: Callable[[T], object] | None = None,
        retry: RetryFunction | None = None,
        fallback: Callable[[Exception, Exception | None], object] | None = None,
    ) -> None:
        # Weak: an exception keeps its frames alive, and all that the functions used.
        self._memory = weakref.ref(memory)
        self._to_outer, self._to_inner = to_outer, to_inner
        self._valid, self._retry, self._fallback = valid, retry, fallback
        self._answer = Answer()

    @property
    def memory(self) -> Memory:
        """The exceptions of the data source; an empty memory once it is freed."""
        return self._memory() or Memory()

    def map(self, given: gkit_value, out: object, inwards: bool) -> None:
        """Makes one value of another."""
        value = decode_value(given)
        if inwards:
            assert self._to_inner is not None
            self._answer.write(out, self._to_inner(value))
        else:
            assert self._to_outer is not None
            self._answer.write(out, self._to_outer(value))

    def check(self, given: gkit_value) -> bool:
        """Whether a value is valid."""
        return self._valid is None or bool(self._valid(decode_value(given)))

    def retry(self, error: gkit_error, attempt: int) -> object:
        """Whether a failed call is made again."""
        assert self._retry is not None
        return self._retry(lent_error(error), attempt)

    def fallback(self, main: gkit_error, cache: gkit_error) -> object:
        """Whether a stale value is better than a failure."""
        assert self._fallback is not None
        return self._fallback(lent_error(main), lent_error(cache))


_VERBS = {
    "get": Operation.GET,
    "get_all": Operation.GET_ALL,
    "put": Operation.PUT,
    "put_all": Operation.PUT_ALL,
    "delete": Operation.DELETE,
}
_WRITING = frozenset({int(Operation.PUT), int(Operation.PUT_ALL)})


class Custom(NamedTuple):
    """A data source that the library has made of verbs."""

    address: int
    word: str
    memory: Memory
    needs_tasks: bool


def custom(
    verbs: object, given: dict[str, Callable[..., object] | None], context: EventLoop
) -> Custom:
    """Makes a data source of the methods of an object; functions take precedence."""
    found = {
        name: getattr(verbs, name, None) if function is None else function
        for name, function in given.items()
    }
    known = {_VERBS[name]: function for name, function in found.items() if function is not None}
    if not known:
        raise InvalidArgumentError("a data source has one verb at least")
    for name, function in found.items():
        if function is not None:
            require_callable(name, function)
    context.ensure_loop()
    memory, out = Memory(), ctypes.c_void_p()
    functions = {int(verb): each for verb, each in known.items()}
    entry = trampolines.entry_for(Verbs(functions, context, memory))
    create, arguments = native().gkit_datasource_new_custom, (address_of(context),)
    context.check(register(create, arguments, trampolines.perform, entry, ctypes.byref(out)))
    word = "custom" if verbs is None else type(verbs).__name__
    needs_tasks = any(inspect.iscoroutinefunction(each) for each in known.values())
    return Custom(out.value or 0, word, memory, needs_tasks)


class Verbs:
    """The verbs of a data source, which C calls one at a time."""

    __slots__ = ("_context", "_known", "_memory")

    def __init__(
        self, known: dict[int, Callable[..., object]], context: EventLoop, memory: Memory
    ) -> None:
        self._known = known
        self._context = weakref.ref(context)
        self._memory = weakref.ref(memory)

    @property
    def memory(self) -> Memory:
        """The exceptions of the data source; an empty memory once it is freed."""
        return self._memory() or Memory()

    def perform(self, operation: int, query: int, value: ValuePointer | None, reply: int) -> None:
        """Calls a verb, which answers now or later."""
        try:
            function = self._known.get(operation)
            if function is None:
                word = Operation(operation).name.lower()
                raise NotImplementedVerbError(f"this data source has no {word}")
            given: list[object] = [made_of(decode_dict(query) or {})]
            if operation in _WRITING:
                given.append(decode_value(value.contents) if value else None)
            answer = function(*given)
            if not isinstance(answer, Future) and not _comes_later(answer):
                resolve(reply, None if operation == Operation.DELETE else answer)
                return
            is_void = operation == Operation.DELETE
            later = Reply(reply, self.memory, is_void=is_void)
            self._answer_later(later, answer)  # pyright: ignore[reportUnknownArgumentType]
        except (Exception, asyncio.CancelledError) as error:
            refuse(reply, self.memory, error)

    def _answer_later(self, reply: Reply, answer: object) -> None:
        if isinstance(answer, Future):
            future = cast("Future[object]", answer)
            token = object()
            future.listen(reply.take, token)
            reply.when_over(lambda: future.leave(token))
            return
        later = cast("Pending", self._task(answer) if inspect.isawaitable(answer) else answer)
        later.add_done_callback(reply.take_done)
        reply.when_over(later.cancel)

    def _task(self, answer: Awaitable[object]) -> asyncio.Future[object]:
        """The task that runs a coroutine on the asyncio loop of the context."""
        context = self._context()
        loop = None if context is None else context.asyncio_loop
        if loop is None or is_blocked():
            if inspect.iscoroutine(answer):
                answer.close()
            if loop is None:
                raise NotSupportedError(
                    "an `async def` verb needs a context that runs on asyncio: `async with`"
                )
            raise WrongThreadError("the answer needs the asyncio loop of this thread: await it")
        return asyncio.ensure_future(answer, loop=loop)


class Finished(Protocol):
    """A future of asyncio or concurrent.futures that has a result."""

    def result(self) -> object: ...


class Pending(Protocol):
    """A future of asyncio or concurrent.futures that will have a result."""

    def add_done_callback(self, done: Callable[[Finished], None], /) -> object: ...

    def cancel(self) -> object: ...


class Reply(Handle):
    """The pending answer of a call."""

    def __init__(self, address: int, memory: Memory, *, is_void: bool) -> None:
        super().__init__(native().gkit_retain(address))
        self._memory = weakref.ref(memory)
        self._is_void = is_void

    def take(self, outcome: Outcome[object]) -> None:
        """Answers with a result."""
        address = self.address
        if address is None:
            return
        memory = self._memory() or Memory()
        if outcome.error is not None:
            refuse(address, memory, outcome.error)
        else:
            try:
                resolve(address, None if self._is_void else outcome.value)
            except GatheredKitError as error:
                refuse(address, memory, error)
        self._let_go()

    def take_done(self, done: Finished) -> None:
        """Answers with the result of a future of Python."""
        try:
            outcome: Outcome[object] = Outcome(done.result())
        except BaseException as error:
            outcome = Outcome(None, error)
        self.take(outcome)

    def when_over(self, stop: Callable[[], object]) -> None:
        """Calls a function once it is resolved, also when the caller cancels."""
        if self.address is not None:

            def hear(_address: int) -> None:
                stop()

            function, arguments = native().gkit_future_then, (self.address,)
            self.check(register(function, arguments, trampolines.future, Entry(hear)))


def resolve(address: int, value: object) -> None:
    """Answers with a value. Raises `ParseError` for anything else."""
    owned: list[int] = []
    kept: list[object] = []
    try:
        made = encode_into(value, owned, kept)
        function = native().gkit_future_resolve
        status = function(address, 0, ctypes.byref(made), None)
        if status < 0 and status != Status.EXISTS:
            raise last_error(status)
    except GatheredKitError as error:
        raise ParseError(f"the answer is no value: {error}") from error
    finally:
        release_all(owned)
    raise_interrupt()


def refuse(address: int, memory: Memory, error: BaseException) -> None:
    """Answers with an error."""
    code, words = memory.answer(error)
    message = words.replace("\0", " ").encode("utf-8", "replace")
    native().gkit_future_resolve(address, code, None, message)
    raise_interrupt()


def _comes_later(answer: object) -> bool:
    return inspect.isawaitable(answer) or hasattr(answer, "add_done_callback")
