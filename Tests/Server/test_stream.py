"""The stream of events (serve section 6, W18, W25)."""

from __future__ import annotations

import json
import re
import struct
import time
from pathlib import Path

import pytest

from .asking import Events, ask, get, until
from .conftest import SHAKE, Start
from .serving import Server


def updating(server: Server, id_: str) -> bool:
    """Whether a source updates."""
    return bool(get(server, f"/sources/{id_}")["updating"])


def test_hello(phone: Server) -> None:
    """The first event says what there will be, then come last values at once."""
    with Events(phone, "source=memory;every=0.1&source=accelerometer;every=0.02") as events:
        assert events.response.getheader("Content-Type") == "text/event-stream"
        assert events.response.getheader("Cache-Control") == "no-store"
        hello = events.next("hello")
        assert events.retry == "2000"
        assert hello.data["session"]
        assert set(hello.data["clock"]) == {"time_ns", "boot_ns"}
        memory, accelerometer = hello.data["sources"]
        assert memory["id"] == "memory|machine"
        assert memory["interval_ns"] == 100_000_000
        assert accelerometer["interval_ns"] == 20_000_000
        assert {row["key"] for row in memory["properties"]} >= {"total", "free"}
        update = events.next("update", lambda data: data["id"] == "memory|machine").data
        assert update["values"]["total"] > 0
        assert abs(int(update["time"]) - time.time_ns()) < 600e9
        assert update["age_ns"] >= 0
        assert all(len(note) == 3 for note in update["status"].values())
        frame = events.next("frame").data
        assert frame["id"] == accelerometer["id"]
        assert frame["lost"] == 0


def test_counter(phone: Server) -> None:
    """Ids count from one, without a gap."""
    with Events(phone, "source=memory;every=0.05") as events:
        ids = []
        for event in events:
            if event.id is not None:
                ids.append(int(event.id))
            if len(ids) == 5:
                break
        assert ids == [1, 2, 3, 4, 5]


def shortest(text: str) -> bool:
    """Whether a number has the fewest digits that read back as a float."""
    number = float(text)
    if number == round(number):
        return True
    single = struct.unpack("f", struct.pack("f", number))[0]
    if struct.unpack("f", struct.pack("f", float(text)))[0] != single:
        return False
    digits = len(re.sub(r"e.*|[-.]", "", text).strip("0"))
    return digits <= 9


def columns(server: Server, parameters: str) -> list[str]:
    """The numbers of a frame of the accelerometer, as they are written."""
    numbers: list[str] = []
    with Events(server, f"source=accelerometer;every=0.01{parameters}") as events:
        while line := events.response.readline().decode():
            if line.startswith("data: ") and '"columns"' in line:
                frame = json.loads(line[6:])
                rows = len(frame["dt"])
                assert rows >= 1
                assert frame["dt"][0] == 0
                assert frame["dt"] == sorted(frame["dt"])
                assert re.fullmatch(r"[0-9]{19}", frame["t0"])
                x, y, z = frame["columns"]["acceleration"]
                assert len(x) == len(y) == len(z) == rows
                found = re.search(r'"acceleration":\[\[(.*?)\]\]', line)
                assert found is not None
                numbers += re.findall(r"-?[0-9.]+(?:e[-+0-9]+)?", found[1])
                if len(numbers) > 60:
                    return numbers
    raise AssertionError("no frame came")


def test_digits(phone: Server) -> None:
    """Numbers have the digits of a float, or with exact=1 those of a double."""
    assert all(shortest(number) for number in columns(phone, ""))
    assert not all(shortest(number) for number in columns(phone, "&exact=1"))


def test_without_frames(phone: Server) -> None:
    """With frames=0 each reading is an event of its own."""
    with Events(phone, "source=accelerometer;every=0.01&frames=0") as events:
        assert events.next("hello").data["sources"][0]["interval_ns"] == 10_000_000
        seen = [event.name for event, _ in zip(events, range(20), strict=False)]
        assert set(seen) == {"sources", "update"}


def test_thinned(start: Start) -> None:
    """What together is more than 2 000 rows a second is asked for less often (W18)."""
    server = start("--context", "sim:phone")
    ids = ["accelerometer", "gyroscope", "magnetometer", "device_attitude", "compass"]
    wanted = "&".join(f"source={id_};every=0.002" for id_ in ids)
    with Events(server, wanted) as events:
        rows = events.next("hello").data["sources"]
        rates = sum(1e9 / row["interval_ns"] for row in rows)
        assert rates <= 2000 * 1.001
        assert all(row["interval_ns"] > 2_000_000 for row in rows)


def test_outputs(start: Start, tmp_path: Path) -> None:
    """Outputs of graphs come as they are, the last value at once."""
    graph = tmp_path / "shake.json"
    graph.write_text(json.dumps(SHAKE), "utf-8")
    server = start("--context", "sim:phone", "--graph", str(graph))
    document = get(server, "/graphs/shake")
    assert document["document"] == SHAKE
    for _ in range(2):
        with Events(server, "output=shake/size") as events:
            assert events.next("hello").data["outputs"] == ["shake/size"]
            output = events.next("output").data
            assert output["name"] == "shake/size"
            assert output["status"] == "ok"
            assert isinstance(output["value"], int | float)
            assert int(output["time"]) > 0
    answer = ask(server, "/api/v1/stream?output=shake/siz")
    assert (answer.status, "shake/size" in answer.json["error"]["message"]) == (404, True)


def test_ports(start: Start, tmp_path: Path) -> None:
    """While a client asks for them the values of all nodes come, the newest of each."""
    graph = tmp_path / "shake.json"
    graph.write_text(json.dumps(SHAKE), "utf-8")
    server = start("--context", "sim:phone", "--graph", str(graph))
    assert "ports" not in get(server, "/graphs/shake")
    seen: dict[str, dict[str, object]] = {}
    with Events(server, "ports=shake") as events:
        while not {"motion.acceleration", "size.value"} <= set(seen):
            data = events.next("ports").data
            assert data["name"] == "shake"
            seen |= data["ports"]
        first = events.next("ports", lambda data: "size.value" in data["ports"]).data["ports"]
        later = events.next("ports", lambda data: "size.value" in data["ports"]).data["ports"]
        assert int(later["size.value"]["time"]) > int(first["size.value"]["time"])
        assert set(first["size.value"]) == {"time", "value", "status"}
    last = get(server, "/graphs/shake?ports=1")["ports"]
    assert last["size.value"]["status"] == "ok"
    assert {"motion.acceleration", "size.value"} <= set(last)
    answer = ask(server, "/api/v1/stream?ports=shale")
    assert (answer.status, "shake" in answer.json["error"]["message"]) == (404, True)
    assert ask(server, "/api/v1/graphs/shake?ports=2").status == 400


def test_sources_come_and_go(start: Start, tmp_path: Path) -> None:
    """A source that comes is told of, and how it is."""
    file = tmp_path / "device.sim"
    file.write_text(
        "0 add memory|machine\n0 set memory|machine/free 1\n"
        "1 add battery|BAT1\n2 remove battery|BAT1\n3 add battery|BAT1\n4 remove battery|BAT1\n"
        "5 add battery|BAT1\n6 remove battery|BAT1\n7 add battery|BAT1\n8 remove battery|BAT1\n"
    )
    server = start("--context", f"sim:file={file}")
    with Events(server, "source=memory") as events:
        events.next("source", lambda data: data["id"] == "battery|BAT1")
        events.next("source", lambda data: data["id"] == "battery|BAT1")


def test_absent_source(start: Start) -> None:
    """A source that is absent is an answer: its availability."""
    server = start("--context", "sim:phone")
    with Events(server, "source=gps") as events:
        source = events.next("hello").data["sources"][0]
        assert source["availability"] == "requiresPermissionsPrompt"
        assert source["remedy"]


def test_recordings(start: Start, tmp_path: Path) -> None:
    """A recording that is written tells how far it has come."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    server = start("--context", "sim:phone", "--control", "--recordings", str(folder))
    with Events(server, "source=memory;every=1") as events:
        events.next("hello")
        body = {"name": "a.gkr", "sources": ["accelerometer"], "every": 0.01}
        assert ask(server, "/api/v1/recordings", "POST", body=body).status == 201
        first = events.next("recording").data
        later = events.next("recording", lambda data: data["rows"] > first["rows"]).data
        assert first["name"] == later["name"] == "a.gkr"
        assert later["recording"] is True
        assert later["lost"] == 0
        assert later["bytes"] >= first["bytes"]


def test_replay(start: Start, walk: Path) -> None:
    """A stream is told where its replay is."""
    server = start("--context", f"replay:{walk}")
    with Events(server, "source=memory") as events:
        assert events.next("hello").data["replay"]["duration"] > 19
        body = {"playing": False, "position": 10}
        assert ask(server, "/api/v1/replay", "POST", body=body).status == 200
        replay = events.next("replay").data
        assert (replay["playing"], replay["position"]) == (False, 10)


def test_sessions_end_with_the_client(start: Start) -> None:
    """Closing the page stops what it has started (W19, W25)."""
    server = start("--context", "sim:phone")
    assert not updating(server, "memory")
    first, second = Events(server, "source=memory"), Events(server, "source=memory&source=cpu")
    second.next("update")
    assert updating(server, "memory")
    second.close()
    assert until(lambda: not updating(server, "cpu"))
    assert updating(server, "memory")
    first.close()
    assert until(lambda: not updating(server, "memory"))


def test_comments(phone: Server) -> None:
    """Every 15 s a stream that is silent says something."""
    with Events(phone, "source=battery") as events:
        began = time.monotonic()
        assert next(event for event in events if event.name == "comment")
        assert time.monotonic() - began >= 14


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ("source=memory;every=0", 400),
        ("source=memory;every=-1", 400),
        ("source=memory;every=1e999", 400),
        ("source=memory;every=nan", 400),
        ("source=memory;every=0.0019", 400),
        ("source=memory;every=", 400),
        ("source=memory;often=1", 400),
        ("source=memory;", 400),
        ("source=", 400),
        ("source=batery", 404),
        ("source=memory/free", 400),
        ("frames=2", 400),
        ("frames=0&frames=1", 400),
        ("exact=yes", 400),
        ("sources=memory", 400),
        ("output=a/b", 404),
    ],
)
def test_wrong_streams(phone: Server, parameters: str, status: int) -> None:
    answer = ask(phone, f"/api/v1/stream?{parameters}")
    assert (answer.status, bool(answer.json["error"]["message"])) == (status, True)
    if parameters.startswith("source=memory;every="):
        assert "0.002" in answer.json["error"]["message"]


def test_head(phone: Server) -> None:
    assert ask(phone, "/api/v1/stream?source=memory", "HEAD").status == 200
