"""What the package says of itself on a command line; `.ci/try-wheel` tries the rest in a wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gatheredkit as gk
from gatheredkit import __main__ as main
from gatheredkit import _command

from .patience import PATIENCE

FOLDER = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_version() -> None:
    assert run("-m", "gatheredkit", "--version").stdout == f"{gk.__version__}\n"


def test_without_the_files_for_c_one_line_names_another_way() -> None:
    told = run("-m", "gatheredkit", "--cflags")
    assert told.returncode == 1
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1
    assert "pkg-config gatheredkit" in told.stderr


def test_nothing_asked_for_is_a_mistake() -> None:
    assert run("-m", "gatheredkit").returncode == 2


def test_paths_with_spaces_are_one_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "of mine"
    (package / "sdk").mkdir(parents=True)
    monkeypatch.setattr(main, "PACKAGE", package)
    main.main(["--cflags", "--libs"])
    assert capsys.readouterr().out == (
        f"'-I{package}/sdk/include' '-L{package}/_lib' '-Wl,-rpath,{package}/_lib' -lgatheredkit\n"
    )


def test_without_the_command_its_places_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_command, "places", lambda program: [tmp_path / program])
    with pytest.raises(SystemExit, match=f"no command at {tmp_path}/gathered"):
        _command.main()
