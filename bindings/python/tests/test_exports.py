"""Recordings as Parquet and MCAP, live values as text."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import mcap.reader
import pyarrow
import pyarrow.parquet
import pytest

import gatheredkit as gk

from .patience import PATIENCE


def recorded(path: Path, *, seconds: int = 20, format: Any = "recording", **options: Any) -> None:
    """Records two sources of a simulated telephone, ten times a second."""
    with (
        gk.Context("sim:phone&clock=manual", loop="manual") as phone,
        gk.Recorder(phone, path, format=format, **options) as recorder,
    ):
        for kind in ("accelerometer", "battery|axp20x-battery"):
            source = phone.open(kind)
            recorder.add(source)
            source.start(every=0.1)
        phone.seek(seconds)
        recorder.flush(timeout=PATIENCE)


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.gkr"
    recorded(path)
    return path


def table(walk: Path, source: str) -> Any:
    with gk.Context(f"replay:{walk}", loop="manual") as replay:
        return pyarrow.table(replay[source])


def test_parquet_has_the_rows_and_what_fields_say(walk: Path, tmp_path: Path) -> None:
    target, told = tmp_path / "walk.parquet", []
    made = gk.export(walk, target, sources=["accelerometer"], progress=told.append)
    assert made == [str(target)]
    assert told == sorted(told)
    assert told[-1] == 1.0
    read, expected = pyarrow.parquet.read_table(target), table(walk, "accelerometer")
    assert read.equals(expected)
    assert read.schema.field("acceleration").metadata[b"unit"] == b"m/s2"
    assert read.schema.metadata[b"source"] == expected.schema.metadata[b"source"]


def test_parquet_of_several_sources_is_a_folder(walk: Path, tmp_path: Path) -> None:
    made = gk.export(walk, tmp_path / "tables", format="parquet")
    assert sorted(os.listdir(tmp_path / "tables")) == [
        "accelerometer|mpu6050.parquet",
        "battery|axp20x-battery.parquet",
    ]
    assert pyarrow.parquet.read_table(made[1]).equals(table(walk, "battery"))


def test_exports_are_for_their_owner_only(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.parquet"
    (tmp_path / "walk.parquet.part").write_bytes(b"left behind")
    gk.export(walk, target, sources=["accelerometer"])
    gk.export(walk, tmp_path / "walk.mcap")
    gk.export(walk, tmp_path / "walk.jsonl")
    for path in (walk, target, tmp_path / "walk.mcap", tmp_path / "walk.jsonl"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_mcap_has_a_channel_a_source_in_order_of_time(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.mcap"
    gk.export(walk, target)
    with target.open("rb") as file:
        messages = list(mcap.reader.make_reader(file).iter_messages())
    topics = {channel.topic: (schema, channel) for schema, channel, _ in messages}
    assert set(topics) == {"accelerometer|mpu6050", "battery|axp20x-battery"}
    schema, channel = topics["accelerometer|mpu6050"]
    assert (schema.name, schema.encoding) == ("accelerometer", "jsonschema")
    assert (channel.message_encoding, channel.metadata["unit.acceleration"]) == ("json", "m/s2")
    assert json.loads(schema.data)["properties"]["acceleration"]["properties"].keys() == {
        "x",
        "y",
        "z",
    }
    times = [message.log_time for _, _, message in messages]
    assert times == sorted(times)
    motion = [m for _, channel, m in messages if channel.topic.startswith("accelerometer")]
    expected = table(walk, "accelerometer")
    assert [m.log_time for m in motion] == expected["time"].cast("int64").to_pylist()
    bodies = [json.loads(m.data) for m in motion]
    vectors = [list(body["acceleration"].values()) for body in bodies]
    assert vectors == expected["acceleration"].to_pylist()
    assert [body["label"] for body in bodies] == expected["label"].to_pylist()
    assert [body["boot_ns"] for body in bodies] == expected["boot"].to_pylist()


class _GivenUp(BaseException):
    pass


@pytest.mark.parametrize("format", ["parquet", "mcap", "csv", "jsonl"])
def test_an_export_that_is_broken_off_leaves_nothing(
    walk: Path, tmp_path: Path, format: Any
) -> None:
    def give_up(_part: float) -> None:
        raise _GivenUp

    target = tmp_path / "out"
    with pytest.raises(_GivenUp):
        gk.export(walk, target, format=format, sources=["battery"], progress=give_up)
    assert os.listdir(tmp_path) == ["walk.gkr"]


def test_what_is_there_is_replaced_only_if_asked_for(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.mcap"
    target.write_bytes(b"mine")
    with pytest.raises(gk.ExistsError):
        gk.export(walk, target)
    assert target.read_bytes() == b"mine"
    gk.export(walk, target, existing="overwrite")
    assert target.stat().st_size > 1000
    with pytest.raises(gk.InvalidArgumentError):
        gk.export(walk, tmp_path / "walk.xyz")
    with pytest.raises(gk.InvalidArgumentError, match="table"):
        gk.export(walk, tmp_path / "walk", format="table")  # type: ignore[arg-type]
    with pytest.raises(gk.NotFoundError):
        gk.export(walk, tmp_path / "none.mcap", sources=["thermal"])
    with pytest.raises(gk.GatheredKitError):
        gk.export(tmp_path / "none.gkr", tmp_path / "none.mcap")
    assert sorted(os.listdir(tmp_path)) == ["walk.gkr", "walk.mcap"]


def test_a_csv_of_one_source_has_a_column_a_property(walk: Path, tmp_path: Path) -> None:
    target, told = tmp_path / "walk.csv", []
    assert gk.export(walk, target, sources=["accelerometer"], progress=told.append) == [str(target)]
    assert (told, told[-1]) == (sorted(told), 1.0)
    with target.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = table(walk, "accelerometer")
    assert [row["label"] or None for row in rows] == expected["label"].to_pylist()
    vectors = [[float(row[f"acceleration.{axis}"]) for axis in "xyz"] for row in rows]
    assert vectors == expected["acceleration"].to_pylist()
    assert rows[0]["time"] == "2023-11-14T22:13:20Z"


def test_a_csv_of_several_sources_has_a_line_a_value(walk: Path, tmp_path: Path) -> None:
    [path] = gk.export(walk, tmp_path / "walk.csv")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["source"] for row in rows} == {"accelerometer|mpu6050", "battery|axp20x-battery"}
    levels = [float(row["value"]) for row in rows if row["property"] == "level"]
    assert levels == table(walk, "battery")["level"].to_pylist()
    with pytest.raises(gk.InvalidArgumentError, match="long"):
        gk.export(walk, path, layout="wide", existing="overwrite")
    gk.export(walk, path, sources=["battery"], layout="long", existing="overwrite")
    with open(path, newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["time", "source", "property", "value", "status"]
    with pytest.raises(gk.InvalidArgumentError, match="layout"):
        gk.export(walk, tmp_path / "walk.jsonl", layout="long")


def test_lines_of_json_are_readings_and_events_in_order_of_time(walk: Path, tmp_path: Path) -> None:
    [path] = gk.export(walk, tmp_path / "walk.jsonl")
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    times = [line["time_ns"] for line in lines]
    assert times == sorted(times)
    assert {line["event"] for line in lines if "event" in line} >= {"started"}
    motion = [line for line in lines if line["id"].startswith("accel") and "values" in line]
    expected = table(walk, "accelerometer")["acceleration"].to_pylist()
    read = [line["values"]["acceleration"]["value"]["vector"] for line in motion]
    assert read == expected
    # A reading as a line is what a reading says of itself.
    with gk.Context(f"replay:{walk}", loop="manual") as replay:
        replay.seek(replay.duration)
        made = json.loads(replay.read("accelerometer").to_json())
    last = {**motion[-1]["values"]["acceleration"], "value": None}
    assert {**made["values"]["acceleration"], "value": None} == last
    assert made["id"] == motion[-1]["id"]


def test_text_needs_no_other_package(walk: Path, tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('pyarrow', 'numpy', 'mcap', 'pandas')))\n"
        "import gatheredkit as gk\n"
        "print(gk.export(sys.argv[1], sys.argv[2]), gk.export(sys.argv[1], sys.argv[3]))\n"
    )
    targets = [str(tmp_path / "walk.csv"), str(tmp_path / "walk.jsonl")]
    told = subprocess.run(
        [sys.executable, "-c", program, str(walk), *targets],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=Path(gk.__file__).parents[1],
    )
    assert told.stdout == f"{[targets[0]]} {[targets[1]]}\n"


def test_text_is_refused_with_the_same_errors(walk: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.csv"
    target.write_text("mine")
    with pytest.raises(gk.ExistsError, match="overwrite it"):
        gk.export(walk, target)
    assert target.read_text() == "mine"
    with pytest.raises(gk.NotFoundError, match="thermal"):
        gk.export(walk, tmp_path / "none.jsonl", sources=["thermal"])
    with pytest.raises(gk.FailedError):
        gk.export(walk, tmp_path / "no" / "such" / "walk.csv")
    with pytest.raises(gk.InvalidArgumentError, match="existing"):
        gk.export(walk, target, existing="append")  # type: ignore[arg-type]
    with pytest.raises(gk.InvalidArgumentError, match="give `format`: parquet, mcap, csv, jsonl"):
        gk.export(walk, tmp_path / "walk.txt")
    assert sorted(os.listdir(tmp_path)) == ["walk.csv", "walk.gkr"]


def test_ctrl_c_ends_an_export_of_text(walk: Path, tmp_path: Path) -> None:
    def interrupt(_part: float) -> None:
        signal.raise_signal(signal.SIGINT)

    recorded(tmp_path / "long.gkr", seconds=900)
    # What a shell starts in the background ignores the signal, and Python leaves it so.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            gk.export(tmp_path / "long.gkr", tmp_path / "long.jsonl", progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, former)
    assert not list(tmp_path.glob("long.jsonl*"))
    # The next call is not the one that is interrupted.
    gk.export(walk, tmp_path / "walk.jsonl")


def test_live_values_as_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    recorded(path, seconds=5, format="jsonl")
    with path.open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert {line["event"] for line in lines if "event" in line} == {"started"}
    rows = [line for line in lines if line["id"] == "accelerometer|mpu6050" and "values" in line]
    assert len(rows) == 51
    assert len(rows[0]["values"]["acceleration"]["value"]["vector"]) == 3
    assert rows[0]["values"]["acceleration"]["unit"] == "m/s2"


def test_live_values_as_a_table_of_values(tmp_path: Path) -> None:
    path = tmp_path / "live.csv"
    recorded(path, seconds=5, format="csv", layout="long")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    levels = [row for row in rows if row["property"] == "level"]
    assert len(levels) == 51
    assert {row["status"] for row in levels} == {"ok"}
    assert all(0 <= float(row["value"]) <= 1 for row in levels)
    with pytest.raises(gk.InvalidArgumentError, match="layout"):
        recorded(tmp_path / "wide.csv", format="csv")
