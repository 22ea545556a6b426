"""Small values put and got from Python: data sources beside sqlite3, LMDB and diskcache.

Prints rows as measure.h does. Durable means that each answered write is on the disk, on every side.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import diskcache
import gatheredkit as gk
import lmdb

from measure import measure, row

AT_ONCE = 1000
TIMES = 5


class Table:
    """A table of sqlite3, as a program uses it that has no other library."""

    def __init__(self, path: str) -> None:
        self._base = sqlite3.connect(path, isolation_level=None)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("CREATE TABLE entries(key TEXT PRIMARY KEY, value) WITHOUT ROWID")

    def get(self, key: str) -> int:
        found: int = self._base.execute(
            "SELECT value FROM entries WHERE key = ?", (key,)
        ).fetchone()[0]
        return found

    def put(self, key: str, value: int) -> None:
        self._base.execute("INSERT OR REPLACE INTO entries VALUES (?, ?)", (key, value))

    def put_many(self, rows: list[tuple[str, int]]) -> None:
        self._base.execute("BEGIN")
        self._base.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", rows)
        self._base.execute("COMMIT")


class Map:
    """A database of LMDB, which synchronises each transaction by default."""

    def __init__(self, folder: str) -> None:
        self._base = lmdb.open(folder, map_size=1 << 28)

    def get(self, key: str) -> int:
        with self._base.begin() as transaction:
            return int(transaction.get(key.encode()))

    def put(self, key: str, value: int) -> None:
        with self._base.begin(write=True) as transaction:
            transaction.put(key.encode(), str(value).encode())

    def put_many(self, rows: list[tuple[str, int]]) -> None:
        with self._base.begin(write=True) as transaction:
            for key, value in rows:
                transaction.put(key.encode(), str(value).encode())


def compare(name: str, ours: Callable[[], object], **peers: Callable[[], object]) -> None:
    """Microseconds of one run."""
    mine, *theirs = measure(ours, *peers.values())
    for peer, spent in zip(peers, theirs, strict=True):
        row(f"Python: {name}", mine, "us", peer, spent, "")


def rate(work: Callable[[list[tuple[str, int]]], object]) -> float:
    """Values a second, of the fastest time."""
    best = 0.0
    for turn in range(TIMES):
        rows = [(f"key {number}", turn + number) for number in range(AT_ONCE)]
        start = time.perf_counter()
        work(rows)
        best = max(best, AT_ONCE / (time.perf_counter() - start))
    return best


def in_memory() -> None:
    store, table = gk.DataSource("memory"), Table(":memory:")
    compare("put into memory", lambda: store.put("k", 7), sqlite3=lambda: table.put("k", 7))
    compare("get from memory", lambda: store.get("k"), sqlite3=lambda: table.get("k"))


def on_disk(folder: Path) -> None:
    store = gk.DataSource("storage", path=folder / "ours")
    cached = store.cache()
    table, entries = Table(str(folder / "table")), Map(str(folder / "map"))
    # Level 2 is FULL; by default it is less.
    cache = diskcache.Cache(str(folder / "cache"), sqlite_synchronous=2)
    compare(
        "durable put (WAL, FULL)",
        lambda: store.put("k", 7),
        sqlite3=lambda: table.put("k", 7),
        LMDB=lambda: entries.put("k", 7),
        diskcache=lambda: cache.set("k", 7),
    )
    peers: dict[str, Callable[[], object]] = {
        "sqlite3": lambda: table.get("k"),
        "LMDB": lambda: entries.get("k"),
        "diskcache": lambda: cache.get("k"),
    }
    compare("get from device storage", lambda: store.get("k"), **peers)
    compare("get, cached", lambda: cached.get("k"), **peers)
    many(store, table, entries, cache)


def many(store: gk.DataSource, table: Table, entries: Map, cache: diskcache.Cache) -> None:
    """Ours are as many calls, each answered when it is on the disk; theirs one transaction."""

    def put_all(rows: list[tuple[str, int]]) -> None:
        gk.Future.batch([store.put_async(key, value) for key, value in rows]).wait()

    def set_all(rows: list[tuple[str, int]]) -> None:
        with cache.transact():
            for key, value in rows:
                cache.set(key, value)

    mine = rate(put_all)
    name = f"Python: durable puts, {AT_ONCE} at once"
    for peer, work in (
        ("sqlite3, 1 commit", table.put_many),
        ("LMDB, 1 commit", entries.put_many),
        ("diskcache, 1 commit", set_all),
    ):
        row(name, mine, "puts/s", peer, rate(work), "")


def main() -> None:
    in_memory()
    with tempfile.TemporaryDirectory() as folder:
        on_disk(Path(folder))


if __name__ == "__main__":
    main()
