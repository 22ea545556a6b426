"""What the paths of the interface answer (serve section 5, W20 to W22, section 10)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .asking import ask, get, plain, quoted, request, send
from .conftest import MACHINES, Start
from .serving import Server, gathered


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
        reading = get(server, f"/sources/{quoted(id_)}/values?timeout=10")
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


def test_sources(controlled: Server) -> None:
    rows = get(controlled, "/sources")["sources"]
    members = {"id", "kind", "name", "label", "availability", "reason", "detail", "remedy"}
    assert all(set(row) >= members | {"updating"} for row in rows)
    cpus = get(controlled, "/sources?kind=cpu")["sources"]
    assert [row["id"] for row in cpus] == [row["id"] for row in rows if row["kind"] == "cpu"]
    for row in rows:
        source = get(controlled, f"/sources/{quoted(row['id'])}")
        assert source["id"] == row["id"]
        assert {property_["key"] for property_ in source["properties"]}


def test_only_some(start: Start) -> None:
    """Sources that were not named are not served."""
    server = start("--context", "sim:phone", "memory", "cpu|cpu0")
    assert [row["id"] for row in get(server, "/sources")["sources"]] == [
        "memory|machine",
        "cpu|cpu0",
    ]
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
def test_ids(controlled: Server, target: str, id_: str) -> None:
    assert get(controlled, f"/sources/{target}")["id"] == id_


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
        ("/sources/battery?kind=cpu", 400, ["kind", "raw"]),
        ("/sources/battery/values?timout=1", 400, ["timout", "timeout"]),
        ("/sources/battery/values?timeout=0", 400, ["timeout", "10"]),
        ("/sources/battery/values?timeout=11", 400, ["timeout", "10"]),
        ("/sources/battery?raw=2", 400, ["raw"]),
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
def test_wrong_requests(controlled: Server, target: str, status: int, words: list[str]) -> None:
    """Each is told what is wrong with it, and what would be right."""
    answer = ask(controlled, f"/api/v1{target}")
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
def test_wrong_bodies(
    controlled: Server, folder: Path, target: str, body: bytes, status: int
) -> None:
    before = {file.name for file in folder.iterdir()}
    answer = send(controlled, request(controlled, f"/api/v1{target}", "POST", {}, body))
    assert (answer.status, bool(answer.json["error"]["message"])) == (status, True)
    assert {file.name for file in folder.iterdir()} == before
