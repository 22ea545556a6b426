"""Finds, checks and loads `libgatheredkit.so`, at its first use."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from ._errors import (
    GatheredKitError,
    LibraryNotFoundError,
    LibraryVersionError,
    NotSupportedError,
    make_error,
)
from ._native import PROTOTYPES, SIZES, VERSION, VERSION_PARTS, Native, Status
from ._records import MechanismReport

SONAME = "libgatheredkit.so.0"
VARIABLE = "GATHEREDKIT_LIBRARY"

_lock = threading.Lock()
_loaded: Native | None = None
_bound: dict[str, Callable[..., int]] = {}
_cdll: ctypes.CDLL | None = None
_path = ""


def native() -> Native:
    """The library's functions; loads it at the first call.

    Raises `LibraryNotFoundError` or `LibraryVersionError`.
    """
    if _loaded is not None:
        return _loaded
    return _load()


def bound(name: str, result: type[ctypes.c_int32 | ctypes.c_int64]) -> Callable[..., int]:
    """A function of the library without types of parameters, which ctypes calls faster. It takes
    what is converted already, by the `from_param` of its type, and bytes for a pointer."""
    native()
    found = _bound.get(name)
    if found is None:
        found = _bound[name] = _made(name, result)
    return found


def library_path() -> str:
    """Where the library was loaded from; loads it if need be.

    Raises `LibraryNotFoundError` or `LibraryVersionError`.
    """
    native()
    return _path


def places() -> list[str]:
    """Where the library may be, in the order in which it is looked for."""
    if given := os.environ.get(VARIABLE):
        return [given]
    package = Path(__file__).resolve().parent
    found = [str(package / "_lib" / SONAME)]
    if checkout := checkout_of(package):
        found.append(str(checkout / ".build" / "release" / "libgatheredkit.so"))
    return [*found, SONAME]


def other_libraries() -> list[MechanismReport]:
    """What the doctor says of copies of the library beside the one in use: in this process, and in
    this package."""
    used = library_path()
    mapped = Path("/proc/self/maps").read_text("utf-8", "surrogateescape").splitlines()
    copies = [name for name in (line.split(maxsplit=5)[-1] for line in mapped) if _is_copy(name)]
    if not os.environ.get(VARIABLE):
        copies.append(places()[0])
    found = [name for name in dict.fromkeys(copies) if os.path.exists(name)]
    return [
        {
            "name": "libgatheredkit",
            "version": "",
            "reason": f"{name} is not used: this process has {used}",
            "remedy": f"remove one of them, or set {VARIABLE} to the one that is meant",
        }
        for name in found
        if not os.path.samefile(name, used)
    ]


def _is_copy(name: str) -> bool:
    return os.path.basename(name).startswith("libgatheredkit.so")


def checkout_of(package: Path) -> Path | None:
    """The checkout a package lies in; None where it was installed."""
    if len(package.parents) > 2 and (package.parents[2] / "Package.swift").is_file():
        return package.parents[2]
    return None


def check(status: int) -> int:
    """Passes a count or OK on, and raises the calling thread's last error for what is negative."""
    if status < 0:
        fail(status)
    return status


def fail(status: int, remedy: str = "") -> NoReturn:
    """Raises what the library says of the call that just failed on this thread."""
    raise last_error(status, remedy)


def last_error(status: int, remedy: str = "") -> GatheredKitError:
    """The error of the call that just failed on this thread."""
    library = native()
    found = library.gkit_last_error().contents
    if found.code == status and found.message:
        return make_error(status, found.sys_errno, text(found.message), remedy)
    return make_error(status, 0, text(library.gkit_status_name(status)), remedy)


def text(given: bytes | None) -> str:
    """Text of the library; NULL is ""."""
    return given.decode("utf-8", "replace") if given else ""


def encode(given: str) -> bytes:
    """Text for the library, which ends at a NUL; raises `ValueError` if there is one inside."""
    encoded = given.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise make_error(Status.INVALID_ARGUMENT, 0, "the text contains a NUL")
    return encoded


def taken(address: int | None) -> str:
    """Text the library gave away: copied, then freed."""
    if not address:
        error = native().gkit_last_error().contents
        raise make_error(error.code or -1, error.sys_errno, text(error.message))
    try:
        return text(ctypes.string_at(address))
    finally:
        native().gkit_free(address)


def _load() -> Native:
    global _cdll, _loaded, _path
    with _lock:
        if _loaded is None:
            library, path = _resident() or _open(places())
            _verify(library, path)
            _cdll, _loaded, _path = library, _bind(library), path
        return _loaded


def _resident() -> tuple[ctypes.CDLL, str] | None:
    """The library that this process has already: a second one would know nothing of its objects."""
    if os.environ.get(VARIABLE):
        return None
    try:
        library = ctypes.CDLL(SONAME, mode=os.RTLD_NOLOAD)
    except OSError:
        return None
    return library, _file_of(library, SONAME)


class _Symbol(ctypes.Structure):
    """What `dladdr` tells of an address."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def _file_of(library: ctypes.CDLL, name: str) -> str:
    """The file that a library was loaded from by its name."""
    symbol = _Symbol()
    function = getattr(library, "gkit_version", None)
    if function is None or not ctypes.CDLL(None).dladdr(
        ctypes.cast(function, ctypes.c_void_p), ctypes.byref(symbol)
    ):
        return name
    return os.fsdecode(symbol.file)


def _open(candidates: list[str]) -> tuple[ctypes.CDLL, str]:
    problems: list[str] = []
    for place in candidates:
        if place != SONAME and not os.path.exists(place):
            problems.append(f"{place}: no such file")
            continue
        try:
            library = ctypes.CDLL(place)
            return library, _file_of(library, place) if place == SONAME else place
        except OSError as error:
            problems.append(f"{place}: {error}")
    raise LibraryNotFoundError(
        "libgatheredkit was not found: " + "; ".join(problems),
        remedy=f"build it with `swift build -c release`, or set {VARIABLE} to its path",
    )


def _verify(library: ctypes.CDLL, path: str) -> None:
    """The library is of the package's series and has all it had when the package was made, and the
    frozen structs have their sizes."""
    wanted = VERSION_PARTS
    try:
        function = library.gkit_version
    except AttributeError:
        raise LibraryVersionError(f"{path} is no libgatheredkit: it has no version") from None
    function.restype, function.argtypes = ctypes.c_uint32, ()
    number = int(function())
    found = (number >> 16, number >> 8 & 255, number & 255)
    if found[0] != wanted[0] or found[:2] < wanted[:2]:
        raise LibraryVersionError(
            f"gatheredkit {VERSION} at {Path(__file__).parent} cannot use the "
            f"{'older' if found < wanted else 'newer'} version {'.'.join(map(str, found))} "
            f"of the library at {path}",
            remedy="install the package and the library of one release",
        )
    for struct, size in SIZES.items():
        if ctypes.sizeof(struct) != size:
            raise LibraryVersionError(
                f"{struct.__name__} has {ctypes.sizeof(struct)} bytes here and {size} "
                f"in the library at {path}"
            )


def _bind(library: ctypes.CDLL) -> Native:
    bound = Native()
    for name, (result, *parameters) in PROTOTYPES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            setattr(bound, name, _missing(name))
            continue
        function.restype, function.argtypes = result, parameters
        setattr(bound, name, function)
    return bound


def _made(name: str, result: type[ctypes.c_int32 | ctypes.c_int64]) -> Callable[..., int]:
    assert _cdll is not None
    try:
        function = _cdll[name]
    except AttributeError:
        return _missing(name)
    function.restype = result
    made: Callable[..., int] = function
    return made


def _missing(name: str) -> Callable[..., NoReturn]:
    """A stand-in for a function that an older library does not have."""

    def stub(*_arguments: object) -> NoReturn:
        raise NotSupportedError(
            f"the library at {_path} has no {name}", remedy="install a newer libgatheredkit"
        )

    return stub
