"""Stores through Python: data sources L15 to L35."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

from .patience import PATIENCE
from .test_library import FOLDER, run

Query = gk.Query

EVERYTHING = {
    "a": True,
    "b": 7,
    "c": 0.5,
    "d": "x\u00e9",
    "e": [gk.Vector(1, 2, 3), b"\x00\x01", gk.Time(5)],
    "f": None,
    "g": {"h": []},
}
COLUMNS = [
    {"name": "n", "type": "int"},
    {"name": "level", "type": "double", "index": True},
    {"name": "word", "type": "string", "nullable": True},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keep" / "s.sqlite"


def rows_of(path: Path) -> gk.DataSource:
    return gk.DataSource("sqlite", path=path, table="t", key="n", columns=COLUMNS)


def test_every_type_outlives_the_store(path: Path) -> None:
    """L24, L26"""
    with gk.DataSource("storage", path=path) as store:
        assert store.put("k", EVERYTHING) == EVERYTHING
    with gk.DataSource("storage", path=str(path)) as again:
        found = again.get("k")
    assert found == EVERYTHING
    assert [type(item) for item in found["e"]][1:] == [bytes, gk.Time]
    assert isinstance(found["e"][0], gk.Vector)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_types_are_strict(path: Path) -> None:
    """L24"""
    anything = gk.DataSource("storage", path=path)
    numbers = gk.DataSource("storage", path=path, type="int")
    anything.put("k", "text")
    with pytest.raises(gk.NotFoundError):
        numbers.get("k")
    assert anything.get("k") == "text"
    with pytest.raises(gk.ParseError):
        numbers.put("k", "x")
    assert numbers.put("k", 5) == anything.get("k") == 5


def test_layouts_are_apart(path: Path) -> None:
    """L22, L23, L25"""
    regular = gk.DataSource("storage", path=path)
    prefixed = gk.DataSource("storage", path=path, layout="prefix", prefix="Double")
    dotted = gk.DataSource("storage", path=path, layout="prefix", prefix="Double.pi")
    root = gk.DataSource("storage", path=path, layout="root", root="Double")
    regular.put("Double.pi", 3.0)
    assert prefixed.get("pi") == 3.0
    with pytest.raises(gk.NotFoundError):
        root.get_all(Query.all())
    root.put("pi", 4.0)
    dotted.put("x", 5.0)
    assert [each.get_all(Query.all()) for each in (prefixed, root, dotted)] == [[3.0], [4.0], [5.0]]
    prefixed.delete(Query.all())
    assert (root.get("pi"), dotted.get("x")) == (4.0, 5.0)
    with pytest.raises(gk.NotSupportedError):
        regular.get_all(Query.all())


def test_a_store_is_named(tmp_path: Path) -> None:
    """L21"""
    code = """
import gatheredkit as gk
gk.DataSource("storage", name="notes").put("k", 1)
assert gk.DataSource("storage", name="notes").get("k") == 1
try:
    gk.DataSource("storage", name="other").get("k")
except gk.NotFoundError:
    print("apart")
"""
    done = run(code, XDG_DATA_HOME=str(tmp_path))
    assert (done.returncode, done.stdout.strip()) == (0, "apart"), done.stderr
    folder = tmp_path / "gatheredkit"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert any("notes" in each.name for each in folder.iterdir())


def test_rows_are_found_by_their_columns(path: Path) -> None:
    """L18, L27 to L30"""
    rows = rows_of(path)
    assert rows.put(10, {"level": 0.5, "word": "x"}) == {"n": 10, "level": 0.5, "word": "x"}
    stored = rows.put_all(
        Query.all(), [{"n": 9, "level": 0.1}, {"n": 11, "level": 0.9, "word": "y"}]
    )
    assert [row["word"] for row in stored] == [None, "y"]

    def found(where: Any = None, order_by: Any = None) -> list[int]:
        return [row["n"] for row in rows.get_all(Query.all(where=where, order_by=order_by))]

    assert found() == [9, 10, 11]
    assert found((">", "level", 0.2), "-level") == [11, 10]
    assert found(("and", (">", "level", 0.2), ("not", ("=", "word", "y")))) == [10]
    assert found(["or", ["is_null", "word"], ["in", "n", [11, 12]]], ["-n"]) == [11, 9]
    assert found(("in", "word", ("x", "y")), ["word"]) == [10, 11]
    page = rows.get_all(Query.page(1, 1, order_by="-n"))
    assert [row["n"] for row in page] == [10]
    new = rows.put(Query.object({"level": 1.0}))
    assert rows.get(new["n"]) == new
    for bad in ([], ["odd", "n", 1], ["=", "n"], ["=", 5, 1], "n = 1"):
        with pytest.raises(gk.InvalidArgumentError):
            rows.get_all(Query.all(where=bad))
    for error, key, row in (
        (gk.ParseError, 1, {"odd": 1}),
        (gk.ParseError, 1, {"level": "x"}),
        (gk.InvalidArgumentError, 1, {"n": 2, "level": 0.0}),
    ):
        with pytest.raises(error):
            rows.put(key, row)
    with pytest.raises(gk.NotSupportedError):
        rows.put_all(1, [])
    hostile = "x'; DROP TABLE t; --"
    rows.put(12, {"level": 0.0, "word": hostile})
    assert found(("=", "word", hostile)) == [12]


def test_files_hold_bytes_under_names_that_cannot_lead_away(tmp_path: Path) -> None:
    """L31 to L34"""
    folder = tmp_path / "f"
    hashed = gk.DataSource("files", folder=folder)
    plain = gk.DataSource("files", folder=folder, naming="plain")
    assert hashed.get_all(Query.all()) == []
    hashed.delete("none")
    assert not folder.exists()
    assert hashed.put("../up", b"\x00\x01") == b"\x00\x01"
    name = hashlib.sha256(b"../up").hexdigest()
    assert [each.name for each in folder.iterdir()] == [name]
    assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    for bad in ("", ".", "..", ".hidden", "a/b", "a\0b", "x" * 256):
        with pytest.raises(gk.InvalidArgumentError):
            plain.put(bad, b"")
    (folder / "foreign").write_bytes(b"not ours")
    with pytest.raises(gk.NotFoundError):
        plain.get("foreign")
    plain.delete(Query.all())
    assert (folder / "foreign").read_bytes() == b"not ours"
    with pytest.raises(gk.ParseError):
        hashed.put("k", "no bytes")


def test_many_processes_write_one_file(path: Path) -> None:
    """L26"""
    code = f"""
import sys, gatheredkit as gk
store = gk.DataSource("storage", path={str(path)!r}, layout="prefix", prefix="p")
gk.Future.batch([store.put_async(f"{{sys.argv[1]}}-{{n}}", n) for n in range(100)]).wait()
"""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(number)], env=environment)
        for number in range(3)
    ]
    assert [worker.wait(PATIENCE) for worker in workers] == [0, 0, 0]
    store = gk.DataSource("storage", path=path, layout="prefix", prefix="p")
    assert sorted(store.get_all(Query.all())) == sorted([*range(100)] * 3)


def test_options_are_checked() -> None:
    with pytest.raises(gk.NotFoundError, match="memori"):
        gk.DataSource("memori")
    for kind, options in (
        ("memory", {"colour": 1}),
        ("storage", {"layout": "odd"}),
        ("storage", {"busy_timeout": -1.0}),
        ("storage", {"busy_timeout": 1.0, "busy_timeout_ns": 1}),
        ("sqlite", {}),
        ("files", {}),
        ("keychain", {}),
    ):
        with pytest.raises(gk.InvalidArgumentError):
            gk.DataSource(kind, **options)  # type: ignore[arg-type]


def test_secrets_are_refused_where_there_is_no_keeper_of_them() -> None:
    """L35: what answers at all answers as a store; no error shows the value."""
    told: list[str] = []
    with gk.DataSource("keychain", service="org.example.gatheredkit-test") as secrets:
        stored = secrets.put_async("k", "xyzzy").on_completion(
            lambda value, error: told.append(repr(error) if error else value)
        )
        assert stored.recover(lambda error: "xyzzy", gk.FailedError).wait(PATIENCE) == "xyzzy"
        secrets.context.flush(PATIENCE)
        assert told == ["xyzzy"] or "xyzzy" not in told[0]
        secrets.delete_async("k").recover(lambda error: None, gk.FailedError).wait(PATIENCE)
        with pytest.raises(gk.NotSupportedError):
            secrets.get_all(Query.all())


def test_ids_of_any_size_and_shape() -> None:
    """L9"""
    store = gk.DataSource("memory")
    for id_, text in (
        (2**70, str(2**70)),
        (-5, "-5"),
        (1.5, "1.5"),
        (True, "true"),
        ({"b": [1.5, None], "a": True}, '{"a":true,"b":[1.5,null]}'),
        ((1, 2), "[1,2]"),
        (["a", {"b": "\u00e9"}], '["a",{"b":"\u00e9"}]'),
        ("a\0b", "a\0b"),
        ("\u20ac", "\u20ac"),
    ):
        store.put(id_, text)
        assert store.get(Query.key(text)) == store.get(Query.id(id_)) == text
        assert store.get_all(Query.ids([id_])) == [text]
    for bad in ("\ud800", None, float("nan")):
        with pytest.raises(gk.InvalidArgumentError):
            store.get(bad)  # type: ignore[arg-type]
    with pytest.raises(gk.TypeMismatchError):
        store.get(object())  # type: ignore[arg-type]
    with pytest.raises(gk.TypeMismatchError):
        store.put("k", object())
