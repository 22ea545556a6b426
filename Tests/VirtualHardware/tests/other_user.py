"""Runs Python as a user without rights, on copies of what lies where only root may look."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import gatheredkit as gk

_PLACE = Path("/run/virtual/open")
UNPRIVILEGED = 65534


def _copies() -> tuple[Path, Path]:
    package, library = _PLACE / "gatheredkit", _PLACE / "libgatheredkit.so"
    if not package.exists():
        _PLACE.mkdir(mode=0o755)
        shutil.copytree(Path(gk.__file__).parent, package, ignore=shutil.ignore_patterns("__py*"))
        shutil.copy(gk.library_path(), library)
    return package, library


def run(words: list[str], groups: Iterable[int] = ()) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end as a user of no group, or of some."""
    package, library = _copies()
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/"}
    environment |= {"GATHEREDKIT_LIBRARY": str(library), "PYTHONPATH": str(package.parent)}
    return subprocess.run(
        words,
        cwd="/",
        env=environment,
        user=UNPRIVILEGED,
        group=UNPRIVILEGED,
        extra_groups=list(groups),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def python(program: str, groups: Iterable[int] = ()) -> subprocess.CompletedProcess[str]:
    """Runs a program of Python; see `run`."""
    return run([sys.executable, "-c", program], groups)


def command_line(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs `gathered`, built beside the library; see `run`."""
    _copies()
    copy = _PLACE / "gathered"
    if not copy.exists():
        shutil.copy(Path(gk.library_path()).parent / "gathered", copy)
    return run([str(copy), *words])
