"""Calls to data sources, and their errors: from Python to C and back.

To C a failure in Python is a status and a message. The data source whose function raised the
exception keeps it, with its traceback; status and message find it again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import ctypes
import itertools
import weakref
from collections import deque
from typing import TypedDict

from ._abi import encode_into, release_all
from ._errors import GatheredKitError, HostError, make_error
from ._handles import Handle
from ._library import native, text
from ._native import Status, ValueType, gkit_error, gkit_value
from ._query import dictionary

# The statuses that data sources answer with (section 5 of their rules).
CODES = frozenset(
    {
        Status.ERROR,
        Status.NOT_FOUND,
        Status.INVALID_ARGUMENT,
        Status.NOT_IMPLEMENTED,
        Status.VALIDATION,
        Status.IO,
        Status.NOT_SUPPORTED,
        Status.PARSE,
        Status.TIMEOUT,
        Status.CANCELLED,
    }
)

# What a verb written in Python may raise in place of an error of this package.
_BUILT_IN: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Status], ...] = (
    (NotImplementedError, Status.NOT_IMPLEMENTED),
    (LookupError, Status.NOT_FOUND),
    (TimeoutError, Status.TIMEOUT),
    (asyncio.TimeoutError, Status.TIMEOUT),
    ((asyncio.CancelledError, concurrent.futures.CancelledError), Status.CANCELLED),
    (OSError, Status.IO),
)

# Statuses of the host's own, one for each exception that has no status.
_FIRST_OWN = -1_000_000
_own_codes = itertools.count(_FIRST_OWN, -1)


class ErrorReport(TypedDict):
    """What `gkit_future_get_error` tells of an error."""

    code: int
    errno: int
    message: str
    missing: list[str]
    completed: list[str]
    causes: list[ErrorReport]


class Raised:
    """An exception that came out of a function of a data source."""

    __slots__ = ("__weakref__", "error")

    def __init__(self, error: BaseException) -> None:
        self.error = error


_by_code: weakref.WeakValueDictionary[int, Raised] = weakref.WeakValueDictionary()
_by_words: weakref.WeakValueDictionary[tuple[int, str], Raised] = weakref.WeakValueDictionary()


class Memory:
    """The last exceptions of the functions of a data source, which it keeps as long as it lives."""

    __slots__ = ("__weakref__", "_raised")

    def __init__(self) -> None:
        self._raised: deque[Raised] = deque(maxlen=8)

    def code(self, error: BaseException) -> int:
        """The status of what a mapper or a check raised: one of data sources, or its own."""
        if isinstance(error, GatheredKitError) and error.code in CODES:
            return self._keep_by_words(error, int(error.code), _wordless(error.code))
        return self._own_code(error)

    def answer(self, error: BaseException) -> tuple[int, str]:
        """The status and the sentence of what a verb raised."""
        if isinstance(error, HostError) and error.code < Status.USER:
            return int(error.code), str(error)
        words = str(error) or type(error).__name__
        if isinstance(error, GatheredKitError) and error.code not in (Status.USER, Status.OK):
            return self._keep_by_words(error, int(error.code), words), words
        for kind, status in _BUILT_IN:
            if isinstance(error, kind):
                words = f"{type(error).__name__}: {words}" if str(error) else words
                return self._keep_by_words(error, int(status), words), words
        return self._own_code(error), words

    def _own_code(self, error: BaseException) -> int:
        code, raised = next(_own_codes), Raised(error)
        self._raised.append(raised)
        _by_code[code] = raised
        return code

    def _keep_by_words(self, error: BaseException, code: int, words: str) -> int:
        raised = Raised(error)
        self._raised.append(raised)
        _by_words[code, words] = raised
        return code


def error_of(found: ErrorReport) -> GatheredKitError:
    """The error of a dictionary of `gkit_future_get_error`, with its causes."""
    code, words = found["code"], found["message"]
    # A check that returned false has no cause of its own.
    told = [cause for cause in found["causes"] if not _says_no(cause, code)]
    causes = [_cause(cause) for cause in told]
    raised = _by_code.pop(code, None) or _by_words.pop((code, words), None)
    error = _make(code, found["errno"], words, raised)
    error.missing, error.completed = found["missing"], found["completed"]
    if raised is not None:
        _add(error, raised.error, causes)
    error.causes = causes
    _chain(error, causes)
    return error


def lent_error(lent: gkit_error) -> GatheredKitError:
    """The error that C lends a function of a decorator."""
    code, words = int(lent.code), text(lent.message)
    raised = _by_code.get(code) or _by_words.get((code, words))
    error = _make(code, int(lent.sys_errno), words, raised)
    error.__cause__ = None if raised is None else raised.error
    return error


def _make(code: int, errno: int, words: str, raised: Raised | None) -> GatheredKitError:
    if raised is not None and words == _wordless(Status(code)):
        words = str(raised.error) or words
    return make_error(Status.USER if code <= _FIRST_OWN else code, errno, words)


def _wordless(code: Status) -> str:
    """The message C gives to a status that came without one."""
    return f"it answered GKIT_{code.name if code == Status.ERROR else 'ERROR_' + code.name}"


def _add(error: GatheredKitError, raised: BaseException, causes: list[BaseException]) -> None:
    """Adds what only the exception in Python says."""
    if isinstance(raised, GatheredKitError):
        error.missing = error.missing or raised.missing
        error.completed = error.completed or raised.completed
        error.remedy = raised.remedy
    elif isinstance(raised, OSError):
        error.errno = raised.errno or 0
    if raised not in causes:
        causes.insert(0, raised)


def _says_no(found: ErrorReport, code: int) -> bool:
    words = found["message"]
    return (
        code == found["code"] == Status.VALIDATION
        and words == _wordless(Status.VALIDATION)
        and (code, words) not in _by_words
    )


def _cause(found: ErrorReport) -> BaseException:
    """The exception in Python where there is one, else an error of the library."""
    raised = _by_code.pop(found["code"], None)
    return error_of(found) if raised is None else raised.error


def _chain(error: BaseException, causes: list[BaseException]) -> None:
    """Chains the causes: each is the `__cause__` of the last in the chain before."""
    last, seen = error, {id(error)}
    for cause in causes:
        if id(cause) in seen:
            continue
        last.__cause__ = cause
        while last.__cause__ is not None and id(last.__cause__) not in seen:
            last = last.__cause__
            seen.add(id(last))


# Calls.

_STRING, _INT = int(ValueType.STRING), int(ValueType.INT)
_byref = ctypes.byref


class Questions:
    """The queries of a data source as C takes them.

    Most are bare ids: the dictionary of such a query is used again, with another id.
    """

    def __init__(self) -> None:
        # Dictionaries that are not in use.
        self._spare: list[int] = []
        weakref.finalize(self, release_all, self._spare).atexit = False

    def perform(self, source: Handle, operation: int, query: object, value: object) -> int:
        """Makes a call; the future is the caller's."""
        if value is None:
            return self._put(source, operation, query, None)
        owned: list[int] = []
        kept: list[object] = []
        try:
            made = encode_into(value, owned, kept)
            return self._put(source, operation, query, _byref(made))
        finally:
            release_all(owned)

    def _put(self, source: Handle, operation: int, query: object, value: object) -> int:
        if type(query) is str:
            text = query.encode("utf-8", "surrogatepass")
            id_value = gkit_value(_STRING, len(text))
            id_value.as_.string = text
        elif type(query) is int and -(1 << 63) <= query < 1 << 63:
            id_value = gkit_value(_INT)
            id_value.as_.integer = query
        else:
            return self._put_any(source, operation, query, value)
        library, spare = native(), self._spare
        try:
            question = spare.pop()
        except IndexError:
            question = _new_question()
        status = library.gkit_dict_set(question, b"id", _byref(id_value))
        out = ctypes.c_void_p()
        if status >= 0:
            function = library.gkit_datasource_perform
            status = function(source.address, operation, question, value, _byref(out))
        try:
            if status < 0:
                source.check(status)
        finally:
            self._keep(source, question)
        return out.value or 0

    def _put_any(self, source: Handle, operation: int, query: object, value: object) -> int:
        owned: list[int] = []
        kept: list[object] = []
        out = ctypes.c_void_p()
        try:
            question = encode_into(dictionary(query), owned, kept).as_.dict
            function = native().gkit_datasource_perform
            source.check(function(source.address, operation, question, value, _byref(out)))
        finally:
            release_all(owned)
        return out.value or 0

    def _keep(self, source: Handle, question: int) -> None:
        if source.address is None or len(self._spare) >= 8:
            native().gkit_release(question)
        else:
            self._spare.append(question)

    def release(self) -> None:
        """Releases the dictionaries."""
        release_all(self._spare)


def _new_question() -> int:
    owned: list[int] = []
    encode_into({"type": "id"}, owned, [])
    return owned[0]
