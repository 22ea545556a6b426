"""Finding and checking the library."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _library, _native

from .patience import PATIENCE

FOLDER = Path(__file__).resolve().parents[1]


class _Function:
    """Stands for a function of a library."""

    def __init__(self, answer: int) -> None:
        self.answer = answer

    def __call__(self, *_arguments: object) -> int:
        return self.answer


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": str(FOLDER), **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_importing_never_needs_the_library_and_using_it_names_the_places() -> None:
    code = """
import gatheredkit as gk
assert gk.__version__ == "0.2.0"
try:
    gk.sources()
except gk.LibraryNotFoundError as error:
    assert "/nowhere/lib.so" in str(error) and error.remedy
else:
    raise SystemExit(1)
"""
    done = run(code, GATHEREDKIT_LIBRARY="/nowhere/lib.so")
    assert done.returncode == 0, done.stderr


def test_a_library_of_another_major_version_is_refused_with_both_numbers_and_the_path() -> None:
    library: Any = SimpleNamespace(gkit_version=_Function(3 << 16 | 2 << 8 | 1))
    own = re.escape(_library.VERSION)
    with pytest.raises(gk.LibraryVersionError, match=rf"{own}.*3\.2\.1.*/some/lib\.so"):
        _library._verify(library, "/some/lib.so")


@pytest.mark.parametrize(
    ("package", "library", "answer"),
    [
        ((0, 2, 0), (0, 1, 7), "older version 0\\.1\\.7"),
        ((1, 0, 0), (0, 9, 0), "older version 0\\.9\\.0"),
        ((0, 1, 0), (1, 0, 0), "newer version 1\\.0\\.0"),
        ((0, 1, 3), (0, 1, 2), ""),
        ((0, 1, 0), (0, 2, 0), ""),
    ],
)
def test_an_older_library_and_one_of_a_later_series_are_refused_with_both_numbers_and_paths(
    monkeypatch: pytest.MonkeyPatch,
    package: tuple[int, int, int],
    library: tuple[int, int, int],
    answer: str,
) -> None:
    monkeypatch.setattr(_library, "VERSION_PARTS", package)
    monkeypatch.setattr(_library, "VERSION", ".".join(map(str, package)))
    number = library[0] << 16 | library[1] << 8 | library[2]
    found: Any = SimpleNamespace(gkit_version=_Function(number))
    if not answer:
        _library._verify(found, "/some/lib.so")
        return
    own = re.escape(f"gatheredkit {_library.VERSION} at {Path(gk.__file__).parent} ")
    with pytest.raises(gk.LibraryVersionError, match=f"^{own}.*{answer} .* at /some/lib\\.so"):
        _library._verify(found, "/some/lib.so")


def test_a_package_uses_the_library_that_its_process_has_and_the_doctor_names_both(
    tmp_path: Path,
) -> None:
    first, second = tmp_path / "first.so", tmp_path / "gatheredkit" / "_lib" / _library.SONAME
    package = Path(gk.__file__).parent
    shutil.copytree(package, second.parents[1], ignore=shutil.ignore_patterns("_lib", "_bin"))
    second.parent.mkdir()
    for copy in (first, second):
        shutil.copy(_library.library_path(), copy)
    # What is in the present folder comes before all else.
    here = f"import os\nos.chdir({str(tmp_path)!r})\n"
    code = f"""
import ctypes
ctypes.CDLL({str(first)!r})
import gatheredkit as gk
assert gk.library_path() == {str(first)!r}, gk.library_path()
with gk.Context("sim:laptop") as context:
    told = str(context.doctor())
line = "libgatheredkit {second} is not used: this process has {first} -> remove one of them"
assert line in told, told
"""
    done = run(here + code, PYTHONPATH=str(tmp_path), GATHEREDKIT_LIBRARY="")
    assert done.returncode == 0, done.stderr
    code = """
import gatheredkit as gk
with gk.Context("sim:laptop") as context:
    assert "libgatheredkit" not in str(context.doctor())
"""
    done = run(here + code, PYTHONPATH=str(tmp_path), GATHEREDKIT_LIBRARY="")
    assert done.returncode == 0, done.stderr


def test_a_struct_of_another_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_native.SIZES, _native.gkit_sample, 88)
    major, minor, patch = _library.VERSION_PARTS
    number = major << 16 | minor << 8 | patch
    library: Any = SimpleNamespace(gkit_version=_Function(number))
    with pytest.raises(gk.LibraryVersionError, match=r"gkit_sample has 80 bytes here and 88"):
        _library._verify(library, "/some/lib.so")


def test_a_library_without_a_version_is_refused() -> None:
    library: Any = SimpleNamespace()
    with pytest.raises(gk.LibraryVersionError, match="no libgatheredkit"):
        _library._verify(library, "/some/lib.so")


def test_a_function_an_old_library_lacks_is_not_supported() -> None:
    library: Any = SimpleNamespace(gkit_version=_Function(1 << 8))
    bound = _library._bind(library)
    missing: Callable[..., object] = bound.gkit_context_seek
    with pytest.raises(gk.NotSupportedError, match="gkit_context_seek"):
        missing(None, 0)


def test_the_variable_alone_decides_when_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHEREDKIT_LIBRARY", "/a/b.so")
    assert _library.places() == ["/a/b.so"]
    monkeypatch.delenv("GATHEREDKIT_LIBRARY")
    places = _library.places()
    assert places[0].endswith("gatheredkit/_lib/libgatheredkit.so.0")
    assert places[1].endswith(".build/release/libgatheredkit.so")
    assert places[-1] == "libgatheredkit.so.0"


def test_contexts_that_are_open_at_exit_are_closed() -> None:
    done = run(
        """
import gatheredkit as gk
context = gk.Context("sim:laptop")
source = context.open("memory")
source.listen(lambda update: None)
source.start(every=0.01)
keep = context.watch()
"""
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_after_a_fork_the_childs_wrappers_are_dead_and_a_new_context_opens() -> None:
    done = run(
        """
import os, sys
import gatheredkit as gk
context = gk.Context("sim:laptop")
source = context.open("memory").update()
child = os.fork()
if child == 0:
    for call in (source.update, context.sources, lambda: source["total"]):
        try:
            call()
        except gk.ForkedError:
            continue
        os._exit(1)
    assert not source.is_updating
    source.close()
    context.close()
    with gk.Context("sim:laptop") as again:
        again.read("memory")
    os._exit(0)
sys.exit(os.waitpid(child, 0)[1] >> 8 or 0)
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
