"""What no answer has, and what is not done without control (serve W10 to W15)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .asking import ask, get
from .conftest import Start
from .guards import is_guarded
from .serving import TOKEN, Server

# What every answer has


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/health", 200),
        ("GET", "/ready", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/v1", 200),
        ("GET", "/api/v1/openapi.json", 200),
        ("GET", "/api/v1/recordings/steps.gkr/file", 200),
        ("GET", "/api/v1/recordings/steps.gkr/file.csv?source=memory", 200),
        ("OPTIONS", "/api/v1", 204),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/%ff", 400),
        ("PUT", "/api/v1", 405),
        ("BREW", "/api/v1", 400),
    ],
)
def test_fields(recorded: Server, method: str, target: str, status: int) -> None:
    answer = ask(recorded, target, method)
    assert answer.status == status
    assert is_guarded(answer)
    assert answer.field("Set-Cookie") is None
    assert answer.field("Server") is None


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, walk: Path, steps: Path) -> Iterator[Server]:
    """A server of recordings, and of things that are none."""
    folder = tmp_path_factory.mktemp("folder")
    outside = tmp_path_factory.mktemp("outside")
    for file in [walk, steps]:
        shutil.copy(file, folder)
    shutil.copy(steps, outside / "outside.gkr")
    shutil.copy(steps, folder / ".hidden.gkr")
    shutil.copy(steps, folder / "noextension")
    shutil.copy(steps, folder / "with space-1.gkr")
    shutil.copy(steps, folder / "ümlaut.gkr")
    (folder / "inner").mkdir()
    shutil.copy(steps, folder / "inner" / "inner.gkr")
    (folder / "folder.gkr").mkdir()
    (folder / "link.gkr").symlink_to(outside / "outside.gkr")
    (folder / "own.gkr").symlink_to("steps.gkr")
    options = ["--recordings", str(folder), "--control"]
    with Server(tmp_path_factory.mktemp("server"), "--context", "sim:phone", *options) as server:
        yield server


# What needs no token


@pytest.mark.parametrize("public", ["", "metrics", "health", "metrics,health"])
def test_open_paths(start: Start, public: str) -> None:
    server = start("--context", "sim:phone", *(["--public", public] if public else []))
    expected = {
        "/": 200,
        "/health": 200,
        "/metrics": 200 if "metrics" in public else 401,
        "/ready": 401,
        "/api/v1": 401,
        "/api/v1/openapi.json": 401,
        "/api/v1/sources": 401,
        "/api/v1/stream?source=memory": 401,
        "/nothing": 401,
        "//health": 401,
        "/x/../health": 401,
        "/%2e": 401,
    }
    found = {
        target: ask(server, target, fields={"Authorization": None}).status for target in expected
    }
    assert found == expected


def test_open_answers_have_no_data(phone: Server) -> None:
    none: dict[str, str | None] = {"Authorization": None}
    assert ask(phone, "/health", fields=none).body == b"ok\n"
    page = ask(phone, "/", fields=none).body
    assert b"<html" in page
    assert TOKEN.encode() not in page
    assert b"Simulated" not in page


# Privacy


def test_withheld_values(start: Start, script: str) -> None:
    """They have their reason and their remedy; with --allow they are there."""
    for options, is_shown in [([], False), (["--allow", "serial"], True)]:
        server = start("--context", script, *options)
        reading = get(server, "/sources/battery%7CBAT0/values")
        status = reading["status"].get("serial")
        if is_shown:
            assert (reading["values"]["serial"], status) == ("S-4711", None)
        else:
            assert reading["values"]["serial"] is None
            assert status[0] == "permission"
            assert "allow=serial" in status[2]
        assert get(server, "")["allow"] == (["serial"] if is_shown else [])


@pytest.mark.parametrize(
    "rest", ["/file", "/file.csv?source=wifi", "/file.jsonl", "/file.jsonl?source=wifi"]
)
def test_recordings_with_personal_values(recorded: Server, rest: str) -> None:
    answer = ask(recorded, f"/api/v1/recordings/walk.gkr{rest}")
    assert (answer.status, answer.code) == (403, "PERMISSION")
    assert "--allow" in answer.json["error"]["remedy"]


def test_replayed_personal_values(start: Start, walk: Path) -> None:
    """What was recorded elsewhere is withheld here all the same."""
    for options, is_shown in [([], False), (["--allow", "all"], True)]:
        server = start("--context", f"replay:{walk}", *options)
        assert ask(server, "/api/v1/replay", "POST", body={"position": 5}).status == 200
        values = get(server, "/sources/wifi/values")["values"]
        assert (values["ssid"] is not None) is is_shown


# Files


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("steps.gkr", 200),
        ("with%20space-1.gkr", 200),
        ("%73teps.gkr", 200),
        ("link.gkr", 404),
        ("own.gkr", 404),
        (".hidden.gkr", 404),
        ("%2ehidden.gkr", 404),
        ("folder.gkr", 404),
        ("noextension", 404),
        ("steps.gkr%00.gkr", 400),
        ("steps.gkr%00", 400),
        ("%C3%BCmlaut.gkr", 404),
        ("inner/inner.gkr", 404),
        ("inner%2Finner.gkr", 404),
        ("..%2Foutside.gkr", 404),
        ("../outside.gkr", 404),
        ("..%2F..%2Fetc%2Fpasswd", 404),
        ("%252e%252e%252foutside.gkr", 404),
        ("..%5Coutside.gkr", 404),
        ("%2Fetc%2Fpasswd", 404),
        ("/etc/passwd", 404),
        ("steps.gkr%0d%0aX-Evil:%20yes", 404),
        ("steps.gkr%20", 404),
        (".gkr", 404),
        ("steps.GKR", 404),
        ("a" * 300 + ".gkr", 404),
    ],
)
@pytest.mark.parametrize("rest", ["", "/file", "/query", "/file.jsonl"])
def test_names_of_recordings(recorded: Server, name: str, rest: str, status: int) -> None:
    answer = ask(recorded, f"/api/v1/recordings/{name}{rest}")
    assert answer.status == status
    assert b"root:" not in answer.body
    assert answer.field("X-Evil") is None
    if status != 200:
        fields = {"Content-Type": "application/json"}
        assert ask(recorded, f"/api/v1/recordings/{name}{rest}", "DELETE", fields).status >= 400


def test_list_of_recordings(recorded: Server) -> None:
    names = {row["name"] for row in get(recorded, "/recordings")["recordings"]}
    assert names >= {"steps.gkr", "walk.gkr"}
    assert names <= {"steps.gkr", "walk.gkr", "with space-1.gkr"}


# Control


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", "/api/v1/recordings", {"name": "new.gkr", "sources": ["memory"]}),
        ("POST", "/api/v1/recordings/steps.gkr/stop", {}),
        ("DELETE", "/api/v1/recordings/steps.gkr", None),
        ("POST", "/api/v1/sources/accelerometer/settings", {"inverted": True}),
        ("POST", "/api/v1/rescan", {}),
    ],
)
def test_no_control(
    start: Start, tmp_path: Path, steps: Path, method: str, target: str, body: object
) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    shutil.copy(steps, folder / "steps.gkr")
    server = start("--context", "sim:phone", "--recordings", str(folder))
    answer = ask(server, target, method, {"Content-Type": "application/json"}, body)
    assert (answer.status, answer.code) == (403, "PERMISSION")
    assert "--control" in answer.json["error"]["remedy"]
    assert [file.name for file in folder.iterdir()] == ["steps.gkr"]
    paths = get(server, "")["paths"]
    assert {row["method"] for row in paths if "replay" not in row["path"]} == {"GET"}
