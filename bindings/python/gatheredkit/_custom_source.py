"""Data sources written in Python."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from . import _data_source_callbacks as callbacks
from ._abi import decode_dict, decode_value, encode_into
from ._async_waiting import asyncio_loop, is_blocked
from ._callbacks import Entry, raise_interrupt, register, require_callable
from ._data_source_calls import Memory
from ._errors import (
    GatheredKitError,
    InvalidArgumentError,
    NotImplementedVerbError,
    NotSupportedError,
    ParseError,
    WrongThreadError,
)
from ._futures import Future
from ._handles import Handle
from ._library import last_error, native
from ._native import Operation, Status
from ._outcome import Outcome
from ._query import made_of

if TYPE_CHECKING:
    from ._data_source import DataSource
    from ._event_loop import EventLoop

_VERBS = {
    "get": Operation.GET,
    "get_all": Operation.GET_ALL,
    "put": Operation.PUT,
    "put_all": Operation.PUT_ALL,
    "delete": Operation.DELETE,
}
_WRITING = frozenset({int(Operation.PUT), int(Operation.PUT_ALL)})


def custom(
    verbs: object, given: dict[str, Callable[..., Any] | None], context: EventLoop | None
) -> DataSource:
    """A data source of the methods of an object, or of functions, which go first."""
    from ._data_source import DataSource
    from ._default import default_context

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
    context, memory = context or default_context(), Memory()
    context.ensure_loop()
    entry = callbacks.entry_for(
        Verbs({int(verb): each for verb, each in known.items()}, context, memory)
    )
    out = ctypes.c_void_p()
    function, arguments = native().gkit_datasource_new_custom, (context._require(),)
    status = register(function, arguments, callbacks.perform, entry, ctypes.byref(out))
    context.check(status)
    made = DataSource.__new__(DataSource)
    word = "custom" if verbs is None else type(verbs).__name__
    needs_tasks = any(inspect.iscoroutinefunction(each) for each in known.values())
    made._attach(context, out.value or 0, word, memory=memory, needs_tasks=needs_tasks)
    return made


class Verbs:
    """The verbs of a data source, which C asks for one at a time."""

    __slots__ = ("_context", "_known", "_memory")

    def __init__(
        self, known: dict[int, Callable[..., Any]], context: EventLoop, memory: Memory
    ) -> None:
        self._known = known
        self._context = weakref.ref(context)
        self._memory = weakref.ref(memory)

    @property
    def memory(self) -> Memory:
        """Where exceptions are kept; nowhere once the data source has gone."""
        return self._memory() or Memory()

    def perform(self, operation: int, query: int, value: Any, reply: int) -> None:
        """Does a verb, and answers now or later."""
        try:
            function = self._known.get(operation)
            if function is None:
                word = Operation(operation).name.lower()
                raise NotImplementedVerbError(f"this data source has no {word}")
            given: list[Any] = [made_of(decode_dict(query) or {})]
            if operation in _WRITING:
                given.append(decode_value(value.contents) if value else None)
            answer = function(*given)
            if not isinstance(answer, Future) and not _comes_later(answer):
                resolve(reply, None if operation == Operation.DELETE else answer)
                return
            is_void = operation == Operation.DELETE
            self._answer_later(Reply(reply, self.memory, is_void=is_void), answer)
        except (Exception, asyncio.CancelledError) as error:
            refuse(reply, self.memory, error)

    def _answer_later(self, reply: Reply, answer: Any) -> None:
        if isinstance(answer, Future):
            future: Future[Any] = cast(Any, answer)
            seat = object()
            future._listen(reply.take, seat)
            reply.when_over(lambda: future._leave(seat))
            return
        if inspect.isawaitable(answer):
            answer = self._task(answer)
        answer.add_done_callback(reply.take_done)
        reply.when_over(answer.cancel)

    def _task(self, answer: Any) -> asyncio.Future[Any]:
        """What runs a coroutine on the asyncio loop of the context."""
        context = self._context()
        loop = None if context is None else asyncio_loop(context)
        if loop is None or is_blocked():
            if inspect.iscoroutine(answer):
                answer.close()
            if loop is None:
                raise NotSupportedError(
                    "an `async def` verb needs a context that runs on asyncio: `async with`"
                )
            raise WrongThreadError("the answer needs the asyncio loop of this thread: await it")
        task: asyncio.Future[Any] = asyncio.ensure_future(answer, loop=loop)
        return task


class Reply(Handle):
    """What a call waits for, kept until it is answered."""

    def __init__(self, address: int, memory: Memory, *, is_void: bool) -> None:
        super().__init__(native().gkit_retain(address))
        self._memory = weakref.ref(memory)
        self._is_void = is_void

    def take(self, outcome: Outcome[Any]) -> None:
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

    def take_done(self, done: Any) -> None:
        """Answers with the result of a future of Python."""
        try:
            outcome: Outcome[Any] = Outcome(done.result())
        except BaseException as error:
            outcome = Outcome(None, error)
        self.take(outcome)

    def when_over(self, stop: Callable[[], object]) -> None:
        """Calls a function once it is resolved, also when the caller cancels."""
        if self.address is not None:

            def hear(_address: int) -> None:
                stop()

            function, arguments = native().gkit_future_then, (self.address,)
            self.check(register(function, arguments, callbacks.future, Entry(hear)))


def resolve(address: int, value: Any) -> None:
    """Answers with a value. Raises `ParseError` for what is none."""
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
        while owned:
            native().gkit_release(owned.pop())
    raise_interrupt()


def refuse(address: int, memory: Memory, error: BaseException) -> None:
    """Answers with an error."""
    code, words = memory.answer(error)
    message = words.replace("\0", " ").encode("utf-8", "replace")
    native().gkit_future_resolve(address, code, None, message)
    raise_interrupt()


def _comes_later(answer: Any) -> bool:
    return inspect.isawaitable(answer) or hasattr(answer, "add_done_callback")
