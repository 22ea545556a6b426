"""Recordings, and what is controlled (serve section 5)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .asking import Events, ask, get, plain, until
from .conftest import SHAKE, Start
from .serving import PATIENCE, Server, command_line, gathered

# Recordings


def test_recordings(controlled: Server, folder: Path) -> None:
    rows = {row["name"]: row for row in get(controlled, "/recordings")["recordings"]}
    steps = rows["steps.gkr"]
    assert steps["size"] == (folder / "steps.gkr").stat().st_size
    assert steps["recording"] is False
    assert steps["sources"] == ["memory|machine", "accelerometer|mpu6050"]
    assert int(steps["to"]) - int(steps["from"]) > 19e9
    facts = get(controlled, "/recordings/steps.gkr")
    assert facts["problems"] == []
    assert sum(series["rows"] for series in facts["series"]) == steps["rows"] == facts["rows"]
    assert (facts["size"], facts["lost"], steps["lost"]) == (steps["size"], 0, 0)


@pytest.mark.parametrize("name", ["steps.gkr", "damaged.gkr", "cut.gkr"])
def test_info(controlled: Server, folder: Path, name: str) -> None:
    """A recording is told as `gathered info --json` tells it."""
    command = [command_line(), "info", "--json", str(folder / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == (0 if name == "steps.gkr" else 1)
    assert get(controlled, f"/recordings/{name}") == json.loads(done.stdout)


@pytest.mark.parametrize("name", ["damaged.gkr", "cut.gkr"])
def test_damaged_recordings(controlled: Server, folder: Path, name: str) -> None:
    """What is whole is served, and what is not is told."""
    facts = get(controlled, f"/recordings/{name}")
    assert facts["problems"]
    assert get(controlled, f"/recordings/{name}/query?select=memory/free")["columns"]
    assert ask(controlled, f"/api/v1/recordings/{name}/file").body == (folder / name).read_bytes()
    assert ask(controlled, f"/api/v1/recordings/{name}/file.jsonl").status == 200


def test_empty_recording(controlled: Server) -> None:
    answer = ask(controlled, "/api/v1/recordings/empty.gkr")
    assert answer.status in [200, 400]
    assert "empty.gkr" in [row["name"] for row in get(controlled, "/recordings")["recordings"]]


@pytest.mark.parametrize(
    ("field", "status", "first", "last"),
    [
        (None, 200, 0, None),
        ("bytes=0-", 206, 0, None),
        ("bytes=0-0", 206, 0, 1),
        ("bytes=10-19", 206, 10, 20),
        ("bytes=-5", 206, -5, None),
        ("bytes=100-", 206, 100, None),
        ("bytes=5-99999999999", 206, 5, None),
        ("bytes=-99999999999", 206, 0, None),
        ("bytes=0-1,3-4", 200, 0, None),
        ("bytes=5-4", 200, 0, None),
        ("bytes=a-b", 200, 0, None),
        ("bytes=99999999999999999999-", 200, 0, None),
        ("lines=0-1", 200, 0, None),
        ("bytes=99999999999-", 416, 0, 0),
        ("bytes=99999999998-99999999999", 416, 0, 0),
        ("bytes=-0", 416, 0, 0),
    ],
)
def test_ranges(
    controlled: Server, folder: Path, field: str | None, status: int, first: int, last: int | None
) -> None:
    whole = (folder / "steps.gkr").read_bytes()
    answer = ask(controlled, "/api/v1/recordings/steps.gkr/file", fields={"Range": field})
    assert answer.status == status
    if status == 416:
        assert answer.field("Content-Range") == f"bytes */{len(whole)}"
        return
    assert answer.body == whole[first:last]
    assert answer.field("Accept-Ranges") == "bytes"
    assert answer.field("Content-Disposition") == 'attachment; filename="steps.gkr"'
    if status == 206:
        start = first % len(whole)
        end = start + len(answer.body) - 1
        assert answer.field("Content-Range") == f"bytes {start}-{end}/{len(whole)}"


@pytest.mark.parametrize(
    ("rest", "name", "ids"),
    [
        ("file.csv?source=memory", "a.csv", ["memory"]),
        ("file.csv?source=accelerometer%7Cmpu6050", "b.csv", ["accelerometer|mpu6050"]),
        ("file.jsonl", "c.jsonl", []),
        ("file.jsonl?source=memory", "d.jsonl", ["memory"]),
    ],
)
def test_downloads(
    controlled: Server, folder: Path, tmp_path: Path, rest: str, name: str, ids: list[str]
) -> None:
    """They are what `gathered export` writes."""
    gathered("export", str(folder / "steps.gkr"), str(tmp_path / name), *ids)
    answer = ask(controlled, f"/api/v1/recordings/steps.gkr/{rest}")
    assert answer.status == 200
    assert answer.body == (tmp_path / name).read_bytes()


def test_query(controlled: Server, folder: Path) -> None:
    """Its columns are what `gathered query --every` prints."""
    text = gathered("query", str(folder / "steps.gkr"), "memory", "--every", "2", "--json")
    rows = [json.loads(line) for line in text.splitlines()]
    found = get(controlled, "/recordings/steps.gkr/query?select=memory/free&every=2")
    assert (found["every_ns"], found["widened"]) == (2_000_000_000, False)
    begin = int(found["time"]["t0"])
    assert [begin + delta for delta in found["time"]["dt"]] == [row["time_ns"] for row in rows]
    (column,) = found["columns"]
    assert (column["id"], column["key"], column["unit"]) == ("memory|machine", "free", "By")
    for name in ["min", "mean", "max"]:
        expected = [plain(row["values"][f"free.{name}"]["value"]) for row in rows]
        assert column[name] == expected
    assert column["count"] == [row["values"]["rows"]["value"] for row in rows]


def test_query_of_vectors(controlled: Server) -> None:
    parts = get(
        controlled, "/recordings/steps.gkr/query?select=accelerometer/acceleration&limit=10"
    )
    assert [column["component"] for column in parts["columns"]] == ["x", "y", "z"]
    one = get(
        controlled, "/recordings/steps.gkr/query?select=accelerometer/acceleration/y&limit=10"
    )
    assert one["columns"] == [parts["columns"][1]]
    assert len(one["time"]["dt"]) <= 11


def test_query_is_widened(controlled: Server) -> None:
    """Of more intervals than the limit longer ones are made, and that is told."""
    found = get(controlled, "/recordings/steps.gkr/query?select=memory/free&every=0.001&limit=5")
    assert found["widened"] is True
    assert found["every_ns"] > 3e9
    assert len(found["time"]["dt"]) <= 6


# Control


def test_recording(controlled: Server, folder: Path) -> None:
    """Begins, goes on, cannot be removed meanwhile, ends, is removed."""
    name = "made.gkr"
    body = {"name": name, "sources": ["memory", "accelerometer"], "every": 0.02}
    answer = ask(controlled, "/api/v1/recordings", "POST", body=body)
    assert (answer.status, answer.json) == (201, {"name": name})
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert get(controlled, "/sources/memory")["updating"] is True
    rows = get(controlled, "/recordings")["recordings"]
    assert next(row for row in rows if row["name"] == name)["recording"] is True
    fields = {"Content-Type": "application/json"}
    answer = ask(controlled, f"/api/v1/recordings/{name}", "DELETE", fields)
    assert (answer.status, answer.code) == (409, "BUSY")
    answer = ask(controlled, "/api/v1/recordings", "POST", body=body)
    assert (answer.status, answer.code) == (409, "EXISTS")
    path = f"/recordings/{name}"
    assert until(lambda: any(row["rows"] for row in get(controlled, path)["series"]))
    assert ask(controlled, f"/api/v1{path}/stop", "POST", body={}).status == 200
    assert get(controlled, "/sources/memory")["updating"] is False
    assert get(controlled, path)["problems"] == []
    assert ask(controlled, f"/api/v1{path}", "DELETE", fields).status == 204
    assert not (folder / name).exists()
    assert ask(controlled, f"/api/v1{path}").status == 404


def test_recording_ends_by_itself(controlled: Server) -> None:
    """After its duration; a stream is told, and nothing goes on."""
    name = "short.gkr"
    body = {"name": name, "sources": ["memory"], "every": 0.05, "duration": 0.5}
    with Events(controlled, "source=battery") as events:
        events.next("hello")
        assert ask(controlled, "/api/v1/recordings", "POST", body=body).status == 201
        assert get(controlled, "/sources/memory")["updating"] is True
        end = events.next(
            "recording", lambda data: data["name"] == name and not data["recording"]
        ).data
    rows = get(controlled, "/recordings")["recordings"]
    row = next(row for row in rows if row["name"] == name)
    assert (row["recording"], row["rows"], row["lost"]) == (False, end["rows"], 0)
    assert row["rows"] > 1
    assert get(controlled, "/sources/memory")["updating"] is False
    answer = ask(controlled, f"/api/v1/recordings/{name}/stop", "POST", body={})
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    fields = {"Content-Type": "application/json"}
    assert ask(controlled, f"/api/v1/recordings/{name}", "DELETE", fields).status == 204


def test_recording_of_graphs(start: Start, tmp_path: Path) -> None:
    """Every output of a graph becomes a stream under its name."""
    graph = tmp_path / "shake.json"
    graph.write_text(json.dumps(SHAKE), "utf-8")
    options = ["--context", "sim:phone", "--control", "--recordings", str(tmp_path)]
    server = start(*options, "--graph", str(graph))
    wishes: list[tuple[dict[str, object], int]] = [
        ({"graphs": ["shale"]}, 404),
        ({"graphs": "shake"}, 400),
        ({"graphs": [1]}, 400),
        ({"graphs": []}, 400),
        ({"graphs": ["shake"], "duration": 0}, 400),
        ({"graphs": ["shake"], "duration": "1"}, 400),
        ({"graphs": ["shake"]}, 201),
    ]
    for wish, status in wishes:
        body = {"name": "made.gkr", **wish}
        assert ask(server, "/api/v1/recordings", "POST", body=body).status == status, wish
    assert until(lambda: get(server, "/recordings/made.gkr")["rows"] > 3)
    target = "/api/v1/recordings/made.gkr/stop"
    assert ask(server, target, "POST", body={}).status == 200
    facts = get(server, "/recordings/made.gkr")
    assert [series["name"] for series in facts["series"]] == ["shake/size"]
    lines = ask(server, "/api/v1/recordings/made.gkr/file.jsonl").body.splitlines()
    assert len(lines) == facts["rows"]


def test_settings(controlled: Server) -> None:
    before = get(controlled, "/sources/accelerometer/values")["values"]["inverted"]
    target = "/api/v1/sources/accelerometer/settings"
    answer = ask(controlled, target, "POST", body={"inverted": not before})
    assert (answer.status, answer.json) == (200, {"values": {"inverted": not before}})
    assert get(controlled, "/sources/accelerometer/values")["values"]["inverted"] is not before
    assert ask(controlled, target, "POST", body={"inverted": before}).status == 200


def test_rescan(controlled: Server) -> None:
    answer = ask(controlled, "/api/v1/rescan", "POST", body={})
    assert (answer.status, len(answer.json["sources"]) > 30) == (200, True)


def test_replay(start: Start, walk: Path) -> None:
    """A replay is controlled without --control, and shows what was recorded."""
    server = start("--context", f"replay:{walk}")

    def move(**members: object) -> Any:
        return ask(server, "/api/v1/replay", "POST", body=members)

    facts = move(playing=False, position=5).json
    assert (facts["playing"], facts["position"]) == (False, 5)
    assert move(rate=2.5).json["rate"] == 2.5
    assert move(playing=False).json["rate"] == 0
    assert move(playing=True).json == {**move().json, "playing": True, "rate": 2.5}
    wrongs: list[dict[str, object]] = [
        {"rate": -1},
        {"rate": 101},
        {"rate": "1"},
        {"position": -1},
        {"position": "x"},
    ]
    for wrong in wrongs:
        assert move(**wrong).status == 400
    assert move(playing=1).status == 400
    assert move(speed=1).status == 400
