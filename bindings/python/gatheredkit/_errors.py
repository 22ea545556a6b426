"""Errors: one class for each failure of the C interface, each also what a Python user catches.

>>> import gatheredkit as gk
>>> with gk.Context("sim:empty") as context:
...     try:
...         context.open("no_such_kind")
...     except LookupError as error:
...         print(type(error).__name__, error.code.name)
NotFoundError NOT_FOUND
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from ._native import Status
from ._records import Problem


class GatheredKitError(Exception):
    """A call failed. Every other error of this package is a kind of it.

    `code` is the status of the C interface, `errno` the system's error number or 0, `remedy` one
    line that says what to do about it, or ""; the text of the error ends with it. Those of data
    sources also have the ids that are `missing`, the stores that had `completed` their part of a
    write, and the `causes`, which `__cause__` chains.
    """

    code: Status
    errno: int | None
    remedy: str
    default_code = Status.ERROR
    missing: Sequence[str] = ()
    completed: Sequence[str] = ()
    causes: Sequence[BaseException] = ()

    def __init__(
        self, message: str, *, code: Status | None = None, errno: int = 0, remedy: str = ""
    ) -> None:
        super().__init__(with_remedy(message, remedy))
        self.code = self.default_code if code is None else code
        self.errno = errno
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        given = type(self), str(self), self.code, self.errno, self.remedy
        return _again, given, self._further()

    def _further(self) -> dict[str, object] | None:
        """Attributes that few errors have, for pickling."""
        names = ("missing", "completed", "causes")
        return {name: found for name in names if (found := getattr(self, name))} or None


class InvalidArgumentError(GatheredKitError, ValueError):
    """The caller's mistake; nothing changed."""

    default_code = Status.INVALID_ARGUMENT


class NotFoundError(GatheredKitError, LookupError):
    """No such kind, instance, property, key, file."""

    default_code = Status.NOT_FOUND


class UnknownKeyError(NotFoundError, KeyError):
    """There is no property, port, patch or component of that name. `nearest` are the names that
    are most like it, which the text names too."""

    nearest: Sequence[str] = ()
    __str__ = Exception.__str__

    def _further(self) -> dict[str, object] | None:
        return {**(super()._further() or {}), "nearest": self.nearest}


class ExistsError(GatheredKitError):
    """It is there already."""

    default_code = Status.EXISTS


class NotSupportedError(GatheredKitError):
    """This object, or this version of the library, cannot do that."""

    default_code = Status.NOT_SUPPORTED


class UnavailableError(GatheredKitError):
    """The instance cannot be used now; the text names reason and remedy."""

    default_code = Status.UNAVAILABLE


class PermissionDeniedError(GatheredKitError, PermissionError):
    """Permission was not given, or was refused."""

    default_code = Status.PERMISSION


class BusyError(GatheredKitError):
    """Used exclusively elsewhere."""

    default_code = Status.BUSY


class TimedOutError(GatheredKitError, TimeoutError):
    """The time is up."""

    default_code = Status.TIMEOUT


class CancelledError(GatheredKitError):
    """Given up on request."""

    default_code = Status.CANCELLED


class ClosedError(GatheredKitError):
    """The object, or its context, was closed."""

    default_code = Status.CLOSED


class NoDataError(GatheredKitError):
    """Nothing to say at the moment."""

    default_code = Status.NO_DATA


class FailedError(GatheredKitError, OSError):
    """The machine, a file or a service answered with an error; `errno` has its number."""

    default_code = Status.IO


# What sources and recorders call it.
InputOutputError = FailedError


class ParseError(GatheredKitError, ValueError):
    """Text that is not well-formed; the message begins with "byte N: " or "line N: "."""

    default_code = Status.PARSE


class ValidationError(GatheredKitError):
    """Well-formed, and refused by a check."""

    default_code = Status.VALIDATION


class GraphError(ValidationError, ParseError):
    """A graph document with problems, all of which are in `problems`; `code` is PARSE if it is not
    even a document, and VALIDATION otherwise."""

    default_code = Status.VALIDATION

    def __init__(
        self,
        message: str,
        *,
        code: Status | None = None,
        errno: int = 0,
        remedy: str = "",
        problems: Sequence[Problem] = (),
    ) -> None:
        super().__init__(message, code=code, errno=errno, remedy=remedy)
        self.problems = list(problems)

    def _further(self) -> dict[str, object] | None:
        return {**(super()._further() or {}), "problems": self.problems}


class TypeMismatchError(GatheredKitError, TypeError):
    """A value of the wrong type."""

    default_code = Status.TYPE


class OutOfMemoryError(GatheredKitError, MemoryError):
    """The library could not allocate."""

    default_code = Status.NO_MEMORY


class WrongThreadError(GatheredKitError, RuntimeError):
    """Not allowed on this thread: usually inside a callback."""

    default_code = Status.WRONG_THREAD


class ForkedError(GatheredKitError):
    """The object was made before a fork; open a new context in the child."""

    default_code = Status.FORKED


class LimitError(GatheredKitError):
    """More than the library is willing to do in one call."""

    default_code = Status.LIMIT


class NotImplementedVerbError(NotSupportedError, NotImplementedError):
    """A data source has no such verb, whatever the query; or a later release of the library will
    have what was asked for."""

    default_code = Status.NOT_IMPLEMENTED


class HostError(GatheredKitError):
    """A failure that a callback of this process answered with."""

    default_code = Status.USER


class LibraryNotFoundError(GatheredKitError, ImportError):
    """`libgatheredkit.so.0` is nowhere; the message lists the places looked at."""

    default_code = Status.NOT_FOUND


class PackageNotFoundError(NotSupportedError, ImportError):
    """An optional Python package is not installed; the message names it."""


class LibraryVersionError(GatheredKitError, ImportError):
    """The library found is not one this package can use; the message names both and the path."""

    default_code = Status.NOT_SUPPORTED


ERRORS: dict[Status, type[GatheredKitError]] = {
    cls.default_code: cls
    for cls in (
        GatheredKitError,
        InvalidArgumentError,
        NotFoundError,
        ExistsError,
        NotSupportedError,
        UnavailableError,
        PermissionDeniedError,
        BusyError,
        TimedOutError,
        CancelledError,
        ClosedError,
        NoDataError,
        FailedError,
        ParseError,
        ValidationError,
        TypeMismatchError,
        OutOfMemoryError,
        WrongThreadError,
        ForkedError,
        LimitError,
        NotImplementedVerbError,
        HostError,
    )
}


def make_error(code: int, errno: int, message: str, remedy: str = "") -> GatheredKitError:
    """The error for a status; hosts own -100 and below, other unknown ones are the plain error."""
    status = Status(code)
    fallback = HostError if code <= Status.USER else GatheredKitError
    cls = ERRORS.get(status, fallback)
    return cls(message, code=status, errno=errno, remedy=remedy)


def with_remedy(sentence: str, remedy: str) -> str:
    """A sentence that ends with what to do about it."""
    if not remedy or sentence.endswith(remedy):
        return sentence
    return f"{sentence}; {remedy}" if sentence else remedy


def unknown_key(what: str, key: object, known: Iterable[str]) -> UnknownKeyError:
    """The error for a name that is not there: it names the nearest ones, or else all."""
    names = list(known)
    nearest = difflib.get_close_matches(key, names) if isinstance(key, str) else []
    if nearest:
        error = UnknownKeyError(f"no {what} {key!r}", remedy=f"did you mean {_either(nearest)}?")
    else:
        error = UnknownKeyError(f"no {what} {key!r}; there are {', '.join(names) or 'none'}")
    error.nearest = nearest
    return error


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _again(
    cls: type[GatheredKitError], message: str, code: Status, errno: int, remedy: str
) -> GatheredKitError:
    return cls(message, code=code, errno=errno, remedy=remedy)
