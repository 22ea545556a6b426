"""What the paths of the interface answer (serve section 5, W20 to W22, section 10)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from .asking import ask, get, request, send, until
from .conftest import MACHINES, Start
from .serving import Server, gathered


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, steps: Path) -> Path:
    """A folder of recordings, one of them damaged."""
    folder = tmp_path_factory.mktemp("recordings")
    shutil.copy(steps, folder / "steps.gkr")
    data = steps.read_bytes()
    middle = len(data) // 2
    damaged = data[:middle] + bytes(64) + data[middle + 64 :]
    (folder / "damaged.gkr").write_bytes(damaged)
    (folder / "cut.gkr").write_bytes(data[: len(data) * 2 // 3])
    (folder / "empty.gkr").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Server]:
    """A simulated phone that may be controlled."""
    options = ["--context", "sim:phone", "--control", "--recordings", str(folder)]
    with Server(tmp_path_factory.mktemp("server"), *options) as server:
        yield server


@pytest.fixture(scope="module")
def document(server: Server) -> Any:
    """The document of the interface."""
    return get(server, "/openapi.json")


def quoted(id_: str) -> str:
    """An id, encoded once."""
    return id_.replace("%", "%25").replace("|", "%7C").replace(":", "%3A")


def plain(value: Any) -> Any:
    """A value of the command line as the interface writes it (W21)."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 1 << 53 else str(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        times = {"time_ns", "time"}
        return {
            key: str(item) if key in times and isinstance(item, int) else plain(item)
            for key, item in value.items()
        }
    return value


def printed(context: str, *ids: str) -> dict[str, dict[str, Any]]:
    """What `gathered read --json` prints of sources, by their ids."""
    text = gathered("read", "--json", "--context", context, *ids)
    rows = [json.loads(line) for line in text.splitlines()]
    return {row["id"]: row["values"] for row in rows}


CONTEXTS = ["sim:phone&clock=manual", "sim:laptop&clock=manual"]
CONTEXTS += [f"local:root={MACHINES / name}" for name in ["laptop", "board", "server"]]


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda text: text.rpartition("/")[2])
def test_values(start: Start, context: str) -> None:
    """Every source of every machine has the values that the command line reads."""
    server = start("--context", context)
    rows = get(server, "/sources")["sources"]
    listed = json.loads(gathered("list", "--json", "--context", context))
    assert {row["id"] for row in rows} == {row["id"] for row in listed}
    there = [row["id"] for row in rows if row["availability"] == "available"]
    assert there
    expected = printed(context, *there)
    compared = 0
    for id_ in there:
        reading = get(server, f"/sources/{quoted(id_)}/values?timeout=60")
        assert reading["id"] == id_
        assert set(reading["values"]) == set(expected[id_])
        for property_ in get(server, f"/sources/{quoted(id_)}")["properties"]:
            key = property_["key"]
            other = expected[id_][key]
            assert other["unit"] == property_["unit"]
            if is_steady(property_):
                expected_value = plain(other["value"]) if other["status"] in KNOWN else None
                assert reading["values"][key] == expected_value, (id_, key)
                status = reading["status"].get(key, ["ok", "", ""])
                assert status[0] == other["status"], (id_, key)
                # That a rate needs two readings is said in two ways.
                reasons = {status[1], other.get("reason", "")}
                assert len(reasons) == 1 or all("two readings" in text for text in reasons)
                compared += 1
    assert compared > 20


KNOWN = ["ok", "stale", "unreliable"]


def is_steady(property_: Any) -> bool:
    """Whether a value does not depend on how often, and when, it is read."""
    rates = ["/s", "%"]
    return (
        "counter" not in property_["flags"]
        and not any(word in (property_["unit"] or "") for word in rates)
        and not any(word in property_["key"] for word in ["uptime", "busy", "usage", "time"])
    )


def test_sources(server: Server) -> None:
    rows = get(server, "/sources")["sources"]
    members = {"id", "kind", "name", "label", "availability", "reason", "detail", "remedy"}
    assert all(set(row) >= members | {"updating"} for row in rows)
    cpus = get(server, "/sources?kind=cpu")["sources"]
    assert [row["id"] for row in cpus] == [row["id"] for row in rows if row["kind"] == "cpu"]
    for row in rows:
        source = get(server, f"/sources/{quoted(row['id'])}")
        assert source["id"] == row["id"]
        assert {property_["key"] for property_ in source["properties"]}


def test_only_some(start: Start) -> None:
    """Sources that were not named are not served."""
    server = start("--context", "sim:phone", "memory", "cpu|cpu0")
    assert [row["id"] for row in get(server, "/sources")["sources"]] == ["memory|machine", "cpu|cpu0"]
    answer = ask(server, "/api/v1/sources/battery/values")
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    assert ask(server, "/api/v1/stream?source=cpu%7Ccpu1").status == 404


@pytest.mark.parametrize(
    ("target", "id_"),
    [
        ("storage", "storage|aggregate"),
        ("storage%7Caggregate", "storage|aggregate"),
        ("storage|aggregate", "storage|aggregate"),
        ("storage%7C%252F", "storage|%2F"),
        ("%73torage", "storage|aggregate"),
    ],
)
def test_ids(server: Server, target: str, id_: str) -> None:
    assert get(server, f"/sources/{target}")["id"] == id_


def test_numbers(start: Start, script: str) -> None:
    """What JavaScript would round is a text."""
    server = start("--context", script)
    values = get(server, "/sources/memory/values")["values"]
    assert values["total"] == "9007199254740993"
    assert values["free"] == 9007199254740992
    assert get(server, "/sources/battery/values")["values"]["level"] == 0.5
    clock = get(server, "")["clock"]
    assert all(isinstance(moment, str) and moment.isdigit() for moment in clock.values())


@pytest.mark.parametrize(
    ("target", "status", "words"),
    [
        ("/sources/batery", 404, ["battery"]),
        ("/sources/nothing", 404, ["nothing"]),
        ("/sources/nothing%20at%20all", 400, ["nothing at all"]),
        ("/sources?kind=batery", 404, ["battery"]),
        ("/sources?kinds=battery", 400, ["kinds", "kind"]),
        ("/sources?kind=cpu&kind=memory", 400, ["kind"]),
        ("/sources/battery?kind=cpu", 400, ["parameters"]),
        ("/sources/battery/values?timout=1", 400, ["timout", "timeout"]),
        ("/sources/battery/values?timeout=0", 400, ["timeout", "60"]),
        ("/sources/battery/values?timeout=nan", 400, ["timeout"]),
        ("/sources/battery/values?timeout=1e999", 400, ["timeout"]),
        ("/sources/battery/level", 404, []),
        ("/sources/", 404, []),
        ("/source", 404, ["/api/v1"]),
        ("/graphs/nothing", 404, ["nothing"]),
        ("/recordings/step.gkr", 404, ["steps.gkr"]),
        ("/recordings/steps.gkr/query?every=0", 400, ["every"]),
        ("/recordings/steps.gkr/query?every=-1", 400, ["every"]),
        ("/recordings/steps.gkr/query?every=1e999", 400, ["every"]),
        ("/recordings/steps.gkr/query?from=2&to=1", 400, ["from", "to"]),
        ("/recordings/steps.gkr/query?from=x", 400, ["from"]),
        ("/recordings/steps.gkr/query?from=-1", 400, ["from"]),
        ("/recordings/steps.gkr/query?limit=1e9", 400, ["limit", "10000"]),
        ("/recordings/steps.gkr/query?limit=1000000000", 400, ["limit", "10000"]),
        ("/recordings/steps.gkr/query?limit=0", 400, ["limit"]),
        ("/recordings/steps.gkr/query?select=memory", 400, ["select"]),
        ("/recordings/steps.gkr/query?select=memory/fre", 404, ["memory/fre"]),
        ("/recordings/steps.gkr/query?select=battery/level", 404, ["battery"]),
        ("/recordings/steps.gkr/query?selct=memory/free", 400, ["selct", "select"]),
        ("/recordings/steps.gkr/file.csv?source=batery", 404, ["batery"]),
        ("/%zz", 400, []),
        ("/%c3", 400, []),
    ],
)
def test_wrong_requests(server: Server, target: str, status: int, words: list[str]) -> None:
    """Each is told what is wrong with it, and what would be right."""
    answer = ask(server, f"/api/v1{target}")
    assert answer.status == status
    assert answer.code in (["NOT_FOUND"] if status == 404 else ["INVALID_ARGUMENT", "PARSE"])
    text = answer.json["error"]["message"] + answer.json["error"]["remedy"]
    assert all(word in text for word in words), text


@pytest.mark.parametrize(
    ("target", "body", "status"),
    [
        ("/recordings", b"", 400),
        ("/recordings", b"{", 400),
        ("/recordings", b"[]", 400),
        ("/recordings", b"\xff", 400),
        ("/recordings", b"[" * 60000, 400),
        ("/recordings", b'{"name": "a.gkr"}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": []}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": "memory"}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": [1]}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": ["memry"]}', 404),
        ("/recordings", b'{"name": "a.gkr", "sources": ["memory"], "every": 0}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": ["memory"], "every": "1"}', 400),
        ("/recordings", b'{"name": "a.gkr", "sources": ["memory"], "evry": 1}', 400),
        ("/recordings", b'{"name": "../a.gkr", "sources": ["memory"]}', 400),
        ("/recordings", b'{"name": ".a.gkr", "sources": ["memory"]}', 400),
        ("/recordings", b'{"name": "a", "sources": ["memory"]}', 400),
        ("/recordings", b'{"name": 1, "sources": ["memory"]}', 400),
        ("/recordings", b'{"name": "steps.gkr", "sources": ["memory"]}', 409),
        ("/recordings/steps.gkr/stop", b"{}", 404),
        ("/sources/accelerometer/settings", b'{"inverted": 7}', 400),
        ("/sources/accelerometer/settings", b'{"invertd": true}', 400),
        ("/sources/accelerometer/settings", b'{"acceleration": 1}', 400),
        ("/replay", b'{"rate": 1}', 409),
    ],
)
def test_wrong_bodies(server: Server, folder: Path, target: str, body: bytes, status: int) -> None:
    before = {file.name for file in folder.iterdir()}
    answer = send(server, request(server, f"/api/v1{target}", "POST", {}, body))
    assert (answer.status, bool(answer.json["error"]["message"])) == (status, True)
    assert {file.name for file in folder.iterdir()} == before


# Recordings


def test_recordings(server: Server, folder: Path) -> None:
    rows = {row["name"]: row for row in get(server, "/recordings")["recordings"]}
    steps = rows["steps.gkr"]
    assert steps["size"] == (folder / "steps.gkr").stat().st_size
    assert steps["recording"] is False
    assert steps["sources"] == ["memory|machine", "accelerometer|mpu6050"]
    assert int(steps["to"]) - int(steps["from"]) > 19e9
    facts = get(server, "/recordings/steps.gkr")
    assert facts["problems"] == []
    assert sum(series["rows"] for series in facts["series"]) == steps["rows"]


@pytest.mark.parametrize("name", ["damaged.gkr", "cut.gkr"])
def test_damaged_recordings(server: Server, folder: Path, name: str) -> None:
    """What is whole is served, and what is not is told."""
    facts = get(server, f"/recordings/{name}")
    assert facts["problems"]
    assert get(server, f"/recordings/{name}/query?select=memory/free")["columns"]
    assert ask(server, f"/api/v1/recordings/{name}/file").body == (folder / name).read_bytes()
    assert ask(server, f"/api/v1/recordings/{name}/file.jsonl").status == 200


def test_empty_recording(server: Server) -> None:
    answer = ask(server, "/api/v1/recordings/empty.gkr")
    assert answer.status in [200, 400]
    assert "empty.gkr" in [row["name"] for row in get(server, "/recordings")["recordings"]]


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
        ("bytes=-0", 416, 0, 0),
    ],
)
def test_ranges(
    server: Server, folder: Path, field: str | None, status: int, first: int, last: int | None
) -> None:
    whole = (folder / "steps.gkr").read_bytes()
    answer = ask(server, "/api/v1/recordings/steps.gkr/file", fields={"Range": field})
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
    server: Server, folder: Path, tmp_path: Path, rest: str, name: str, ids: list[str]
) -> None:
    """They are what `gathered export` writes."""
    gathered("export", str(folder / "steps.gkr"), str(tmp_path / name), *ids)
    answer = ask(server, f"/api/v1/recordings/steps.gkr/{rest}")
    assert answer.status == 200
    assert answer.body == (tmp_path / name).read_bytes()


def test_query(server: Server, folder: Path) -> None:
    """Its columns are what `gathered query --every` prints."""
    text = gathered("query", str(folder / "steps.gkr"), "memory", "--every", "2", "--json")
    rows = [json.loads(line) for line in text.splitlines()]
    found = get(server, "/recordings/steps.gkr/query?select=memory/free&every=2")
    assert (found["every_ns"], found["widened"]) == (2_000_000_000, False)
    begin = int(found["time"]["t0"])
    assert [begin + delta for delta in found["time"]["dt"]] == [row["time_ns"] for row in rows]
    (column,) = found["columns"]
    assert (column["id"], column["key"], column["unit"]) == ("memory|machine", "free", "By")
    for name in ["min", "mean", "max"]:
        expected = [plain(row["values"][f"free.{name}"]["value"]) for row in rows]
        assert column[name] == expected
    assert column["count"] == [row["values"]["rows"]["value"] for row in rows]


def test_query_of_vectors(server: Server) -> None:
    parts = get(server, "/recordings/steps.gkr/query?select=accelerometer/acceleration&limit=10")
    assert [column["component"] for column in parts["columns"]] == ["x", "y", "z"]
    one = get(server, "/recordings/steps.gkr/query?select=accelerometer/acceleration/y&limit=10")
    assert one["columns"] == [parts["columns"][1]]
    assert len(one["time"]["dt"]) <= 11


def test_query_is_widened(server: Server) -> None:
    """Of more intervals than the limit longer ones are made, and that is told."""
    found = get(server, "/recordings/steps.gkr/query?select=memory/free&every=0.001&limit=5")
    assert found["widened"] is True
    assert found["every_ns"] > 3e9
    assert len(found["time"]["dt"]) <= 6


# Control


def test_recording(server: Server, folder: Path) -> None:
    """Begins, goes on, cannot be removed meanwhile, ends, is removed."""
    name = "made.gkr"
    body = {"name": name, "sources": ["memory", "accelerometer"], "every": 0.02}
    answer = ask(server, "/api/v1/recordings", "POST", body=body)
    assert (answer.status, answer.json) == (201, {"name": name})
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert get(server, "/sources/memory")["updating"] is True
    rows = get(server, "/recordings")["recordings"]
    assert next(row for row in rows if row["name"] == name)["recording"] is True
    fields = {"Content-Type": "application/json"}
    answer = ask(server, f"/api/v1/recordings/{name}", "DELETE", fields)
    assert (answer.status, answer.code) == (409, "BUSY")
    answer = ask(server, "/api/v1/recordings", "POST", body=body)
    assert (answer.status, answer.code) == (409, "EXISTS")
    path = f"/recordings/{name}"
    assert until(lambda: any(row["rows"] for row in get(server, path)["series"]))
    assert ask(server, f"/api/v1{path}/stop", "POST", body={}).status == 200
    assert get(server, "/sources/memory")["updating"] is False
    assert get(server, path)["problems"] == []
    assert ask(server, f"/api/v1{path}", "DELETE", fields).status == 204
    assert not (folder / name).exists()
    assert ask(server, f"/api/v1{path}").status == 404


def test_settings(server: Server) -> None:
    before = get(server, "/sources/accelerometer/values")["values"]["inverted"]
    target = "/api/v1/sources/accelerometer/settings"
    answer = ask(server, target, "POST", body={"inverted": not before})
    assert (answer.status, answer.json) == (200, {"values": {"inverted": not before}})
    assert get(server, "/sources/accelerometer/values")["values"]["inverted"] is not before
    assert ask(server, target, "POST", body={"inverted": before}).status == 200


def test_rescan(server: Server) -> None:
    answer = ask(server, "/api/v1/rescan", "POST", body={})
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
    for wrong in [{"rate": -1}, {"rate": 101}, {"rate": "1"}, {"position": -1}, {"position": "x"}]:
        assert move(**wrong).status == 400
    assert move(playing=1).status == 400
    assert move(speed=1).status == 400


# The document


def test_document_is_valid(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_interface_describes_itself(server: Server, document: Any) -> None:
    """The overview and the document name the same paths."""
    rows = get(server, "")["paths"]
    listed = {(row["method"].lower(), row["path"]) for row in rows}
    paths = document["paths"]
    described = {(method, path) for path, methods in paths.items() for method in methods}
    assert described - {("get", "/api/v1")} == listed - {("get", "/api/v1")}


def test_answers_fit_the_document(server: Server, document: Any) -> None:
    """Every path that only reads answers in the shape that the document gives it."""
    names = {"{id}": "battery", "{name}": "steps.gkr"}
    seen = 0
    for path, methods in document["paths"].items():
        if "get" not in methods or "graphs/{name}" in path or path.endswith("/stream"):
            continue
        target = path
        for name, value in names.items():
            target = target.replace(name, value)
        if target.endswith(".csv"):
            target += "?source=memory"
        answer = ask(server, target)
        assert answer.status == 200, target
        content = methods["get"]["responses"]["200"]["content"]
        (type_,) = content
        if type_ != "application/json":
            continue
        schema = {**content[type_]["schema"], "components": document["components"]}
        assert list(OAS31Validator(schema).iter_errors(answer.json)) == [], target
        seen += 1
    assert seen >= 8
    error = {"$ref": "#/components/schemas/Error", "components": document["components"]}
    assert list(OAS31Validator(error).iter_errors(ask(server, "/nothing").json)) == []


def test_report(server: Server) -> None:
    """The doctor's report is the command line's."""
    text = gathered("doctor", "--json", "--context", "sim:phone")
    assert set(get(server, "/doctor")) == set(json.loads(text))


def test_metrics(server: Server) -> None:
    """The page is Prometheus's own text, or OpenMetrics where that is asked for."""
    text = ask(server, "/metrics")
    assert (text.field("Content-Type") or "").startswith("text/plain; version=0.0.4")
    fields = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = ask(server, "/metrics", fields=fields)
    assert (answer.field("Content-Type") or "").startswith("application/openmetrics-text")
    assert answer.body.endswith(b"# EOF\n")
    assert b"# EOF" not in text.body
