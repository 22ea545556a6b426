"""The list of sources, as the stream of events tells of it (serve section 6)."""

from __future__ import annotations

from pathlib import Path

from .asking import Events, get
from .conftest import Start


def digest(ids: list[str]) -> int:
    """FNV-1a of ids, as a stream has it."""
    result = 2166136261
    for byte in "".join(f"{id_}\n" for id_ in ids).encode():
        result = (result ^ byte) * 16777619 % 2**32
    return result


def idle(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rows of a list, apart from what updates."""
    return [{**row, "updating": False} for row in rows]


def test_list_is_followed(start: Start, tmp_path: Path) -> None:
    """A client whose list has the digest follows it by the events alone (streams L101)."""
    file = tmp_path / "device.sim"
    file.write_text(
        "0 add memory|machine\n0 add storage|home\n0 add battery|BAT0\n"
        "3 add battery|BAT1\n3 availability storage|home busy in use\n"
        "4 remove battery|BAT0\n4 remove battery|BAT1\n4 add humidity|room\n"
    )
    server = start("--context", f"sim:file={file}")
    rows = get(server, "/sources")["sources"]
    with Events(server, "source=memory;every=0.1") as events:
        told = events.next("sources").data
        assert (told["count"], told["digest"]) == (len(rows), digest([row["id"] for row in rows]))
        last: list[dict[str, object]] = []
        while not any(row["id"] == "humidity|room" for row in last) or idle(rows) != last:
            data = events.next("source").data
            place = {row["id"]: place for place, row in enumerate(rows)}.get(data["id"])
            if data["event"] == "added":
                rows.insert(data["at"], data["row"])
            elif place is not None and data["event"] == "removed":
                del rows[place]
            elif place is not None and "row" in data:
                rows[place] = data["row"]
            last = idle(get(server, "/sources")["sources"])
    assert {row["id"]: row["availability"] for row in rows}["storage|home"] != "available"
    assert not any(row["kind"] == "battery" for row in rows)
