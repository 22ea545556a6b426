"""Calls to data sources: from Python's values to a future of C, and to its result."""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, cast

from ._abi import decode, encode_into
from ._async_waiting import blocking, forbid_blocking
from ._callbacks import raise_interrupt
from ._data_source_calls import Memory
from ._durations import timeout_ns
from ._futures import Future
from ._handles import Handle
from ._library import native
from ._native import ValueType, gkit_value
from ._outcome import Box, waited
from ._query import dictionary

if TYPE_CHECKING:
    from ._data_source import DataSource
    from ._event_loop import EventLoop

_STRING, _INT = int(ValueType.STRING), int(ValueType.INT)
_byref = ctypes.byref


class Calls(Handle):
    """What a data source does with its handle.

    Most queries are bare ids: the dictionary of such a query is used again, with another id.
    """

    context: EventLoop
    _word: str
    _needs_tasks: bool

    def _attach(
        self,
        context: EventLoop,
        address: int,
        word: str,
        *parts: DataSource,
        memory: Memory | None = None,
        needs_tasks: bool = False,
    ) -> None:
        Handle.__init__(self, address)
        self.context = context
        self._word = word
        self._parts = parts
        self._memory = Memory() if memory is None else memory
        self._needs_tasks = needs_tasks or any(part._needs_tasks for part in parts)
        # Dictionaries of queries that no call uses at the moment.
        self._questions: list[int] = []
        weakref.finalize(self, _release_all, self._questions).atexit = False

    def _ask(self, operation: int, query: Any, value: Any, timeout: float | None) -> Any:
        """Makes a call, and waits for its result."""
        context = self.context
        if context.loop == "asyncio":
            if self._needs_tasks:
                forbid_blocking(context)
            with blocking():
                return self._ask_now(operation, query, value, timeout)
        if context._thread is None:
            context.ensure_loop()
        return self._ask_now(operation, query, value, timeout)

    def _ask_now(self, operation: int, query: Any, value: Any, timeout: float | None) -> Any:
        library = native()
        if value is None:
            future = self._put_question(operation, query, None)
        else:
            future = self._perform(operation, query, value)
        try:
            found = gkit_value()
            # A second at most, so that Ctrl-C is heard.
            limit = 1_000_000_000 if timeout is None else min(timeout_ns(timeout), 1_000_000_000)
            status = library.gkit_future_wait(future, limit, _byref(found))
            if status >= 0:
                raise_interrupt()
                return decode(found.type, found.count, found, 8)
            left = None if timeout is None else max(0.0, timeout - limit / 1e9)
            return waited(future, Box[Any](), left).get()
        finally:
            library.gkit_release(future)

    def _call(self, operation: int, query: Any, value: Any = None) -> Future[Any]:
        """Makes a call, of which the future tells."""
        context = self.context
        context.ensure_loop()
        future = self._perform(operation, query, value)
        made: Future[Any] = Future(context, future, needs_tasks=self._needs_tasks)
        raise_interrupt()
        return made

    def _perform(self, operation: int, query: Any, value: Any) -> int:
        """Makes a call; the future is the caller's."""
        if value is None:
            return self._put_question(operation, query, None)
        owned: list[int] = []
        kept: list[object] = []
        try:
            made = encode_into(value, owned, kept)
            return self._put_question(operation, query, _byref(made))
        finally:
            _release_all(owned)

    def _put_question(self, operation: int, query: Any, value: Any) -> int:
        kind: type[object] = type(cast(object, query))
        if kind is str:
            text = query.encode("utf-8", "surrogatepass")
            id_value = gkit_value(_STRING, len(text))
            id_value.as_.string = text
        elif kind is int and -(1 << 63) <= query < 1 << 63:
            id_value = gkit_value(_INT)
            id_value.as_.integer = query
        else:
            return self._put_any_question(operation, query, value)
        library, spare = native(), self._questions
        try:
            question = spare.pop()
        except IndexError:
            question = _new_question()
        status = library.gkit_dict_set(question, b"id", _byref(id_value))
        out = ctypes.c_void_p()
        if status >= 0:
            function = library.gkit_datasource_perform
            status = function(self.address, operation, question, value, _byref(out))
        try:
            if status < 0:
                self._failed(status)
        finally:
            self._keep(question)
        return out.value or 0

    def _put_any_question(self, operation: int, query: Any, value: Any) -> int:
        owned: list[int] = []
        kept: list[object] = []
        out = ctypes.c_void_p()
        try:
            question = encode_into(dictionary(query), owned, kept).as_.dict
            function = native().gkit_datasource_perform
            self.check(function(self.address, operation, question, value, _byref(out)))
        finally:
            _release_all(owned)
        return out.value or 0

    def _keep(self, question: int) -> None:
        if self.address is None or len(self._questions) >= 8:
            native().gkit_release(question)
        else:
            self._questions.append(question)

    def _release_questions(self) -> None:
        _release_all(self._questions)


def _new_question() -> int:
    owned: list[int] = []
    encode_into({"type": "id"}, owned, [])
    return owned[0]


def _release_all(handles: list[int]) -> None:
    while handles:
        native().gkit_release(handles.pop())
