"""What a read gives, and what it says of what is not there (Python API P10 to P20)."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import gatheredkit as gk

from .conftest import Open
from .patience import PATIENCE

MACHINES = Path(__file__).resolve().parents[3] / "Tests" / "Fixtures" / "machines"
NO_BATTERY = "no device of this kind in /sys/class/power_supply"


def machine(name: str) -> gk.Context:
    return gk.Context(f"local:root={MACHINES / name}", loop="manual")


# Sources that are not there.


def test_a_read_of_what_is_not_there_raises_with_reason_and_remedy() -> None:
    with machine("container") as container, pytest.raises(gk.UnavailableError) as caught:
        container.read("battery")
    assert str(caught.value) == f"battery: {NO_BATTERY}"
    assert caught.value.code is gk.Status.UNAVAILABLE
    with gk.Context("sim:empty") as empty, pytest.raises(gk.UnavailableError, match="has no gyro"):
        empty.read("gyroscope/rotation_rate/x")


def test_a_remedy_is_the_end_of_what_is_raised(open_script: Open) -> None:
    script = "0 add bluetooth|hci0\n0 availability bluetooth|hci0 serviceNotRunning no bluez\n"
    context = open_script(script)
    with context.open("bluetooth|hci0") as bluetooth:
        remedy = bluetooth.info.remedy
    assert remedy
    with pytest.raises(gk.UnavailableError) as caught:
        context.read("bluetooth|hci0")
    assert caught.value.remedy == remedy
    assert str(caught.value).endswith(f"; {remedy}")


def test_a_read_may_give_the_empty_reading_instead() -> None:
    with machine("container") as container:
        reading = container.read("battery", missing="ok")
        with container.open("battery") as battery:
            assert list(reading) == list(battery.properties)
    assert reading.is_missing
    assert (reading.id, reading.reason) == ("battery", NO_BATTERY)
    assert {sample.value for sample in reading.values()} == {None}
    assert {sample.reason for sample in reading.values()} == {NO_BATTERY}
    with pytest.raises(gk.InvalidArgumentError), gk.Context("sim:empty") as empty:
        empty.read("battery", missing="never")  # type: ignore[arg-type]


def test_this_computer_names_a_simulated_one_to_try() -> None:
    program = """
import gatheredkit as gk
print(gk.read("battery", missing="ok").remedy)
try:
    gk.read("battery")
except gk.UnavailableError as error:
    print(error)
try:
    gk.open("battery").start()
except gk.UnavailableError as error:
    print(error)
"""
    with gk.Context() as context:
        if context.sources("battery"):
            pytest.skip("this computer has a battery")
    told = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=Path(gk.__file__).parents[1],
    ).stdout.splitlines()
    remedy = 'to try a simulated one: gk.Context("sim:laptop")'
    assert told[0] == remedy
    assert all(line.endswith(f"; {remedy}") for line in told[1:])
    assert len(told) == 3


def test_a_source_that_is_there_is_read_whatever_its_values_are(context: gk.Context) -> None:
    reading = context.read("battery|BAT0")
    assert not reading.is_missing
    assert reading.reason == ""
    temperature = reading["temperature"]
    assert temperature.status is gk.SampleStatus.PERMISSION
    assert temperature.reason == "file mode"
    with gk.Context("sim:phone") as phone:
        gps = phone.read("gps")
    assert gps.info.availability is gk.Availability.REQUIRES_PERMISSION
    assert gps["latitude"].remedy == gps.remedy == "open the context with allow=location"


# Reasons of samples.


def test_samples_say_why_they_have_no_value_and_what_to_do() -> None:
    with gk.Context("sim:phone", loop="manual") as phone, phone.open("device_metadata") as told:
        told.update()
        hidden, uptime, variant = told["hostname"], told["uptime"], told["os_variant"]
        assert (hidden.reason, hidden.remedy) == (
            "withheld",
            "open the context with allow=hostname",
        )
        assert (variant.reason, variant.remedy) == ("os-release names no variant", "")
        assert (uptime.reason, uptime.remedy) == ("", "")
        assert repr(hidden) == "<Sample hostname PERMISSION: withheld>"


def test_a_captured_machine_says_why_a_value_is_missing() -> None:
    with machine("container") as container:
        limit = container.read("device_metadata")["board_name"]
        with container.open("device_metadata").update() as told:
            assert limit.reason == told.explain("board_name").reason != ""


def test_reasons_outlive_source_and_context(context: gk.Context) -> None:
    with context.open("battery|BAT0") as battery:
        battery.update()
        of_source = battery["temperature"]
    assert of_source.reason == "file mode"
    battery = context.open("battery|BAT0")
    seen: list[gk.Sample] = []
    battery.listen(lambda update: seen.append(update["temperature"]))
    battery.start(every=1)
    context.dispatch()
    context.close()
    assert seen[0].reason == "file mode"
    for again in (pickle.loads(pickle.dumps(of_source)), copy.deepcopy(of_source)):
        assert (again, again.reason) == (of_source, "file mode")


def test_a_reason_is_that_of_the_samples_own_status(context: gk.Context) -> None:
    battery = context.open("battery|BAT0").update()
    missing = battery["temperature"]
    made = gk.Sample(
        property=battery.properties["level"],
        value=None,
        stale_value=None,
        status=gk.SampleStatus.FAILED,
        flags=gk.SampleFlag(0),
        time_ns=0,
        boot_ns=0,
        sequence=1,
        source=1,
    )
    # Its source says that the value is OK now.
    assert made.reason == "it could not be read"
    assert made.remedy == ""
    assert missing.reason == "file mode"


def test_samples_of_readers_say_why(context: gk.Context) -> None:
    with context.open("battery|BAT0").stream(every=1) as samples:
        found = {sample.key: sample for sample in samples.read()}
    assert found["temperature"].reason == "file mode"
    assert found["level"].reason == ""


# Properties and components by id.


def test_one_property_and_one_component_are_read_by_their_ids() -> None:
    with gk.Context("sim:phone&clock=manual", loop="manual") as phone:
        total = phone.read("memory/total")
        assert (list(total), total.value) == (["total"], phone.read("memory")["total"].value)
        vector = phone.read("accelerometer|mpu6050/acceleration").value
        assert isinstance(vector, gk.Vector)
        x = phone.read("accelerometer/acceleration/x")
        assert list(x) == ["acceleration/x"]
        assert (x.value, x.sample.unit) == (vector.x, "m/s2")
        assert x.sample.property.type is gk.ValueType.DOUBLE
        assert phone.read("device_metadata/hostname").sample.reason == "withheld"


def test_an_id_of_nothing_names_the_nearest() -> None:
    with gk.Context("sim:phone") as phone:
        with pytest.raises(KeyError, match="'availble'; did you mean available"):
            phone.read("memory/availble")
        with pytest.raises(
            gk.UnknownKeyError, match="no component of acceleration 'w'; there are x"
        ):
            phone.read("accelerometer/acceleration/w")
        with pytest.raises(gk.UnknownKeyError, match="no component"):
            phone.read("memory/total/x")
        with pytest.raises(gk.NotFoundError, match="did you mean memory"):
            phone.read("memroy/total")
        with pytest.raises(gk.ParseError):
            phone.read("storage|/")
        reading = phone.read("memory")
        with pytest.raises(KeyError, match="did you mean total"):
            reading["totl"]
        with pytest.raises(gk.InvalidArgumentError, match="SOURCE/KEY"):
            _ = reading.value


# How a reading looks.


def test_a_reading_prints_aligned_lines(context: gk.Context) -> None:
    lines = repr(context.read("battery|BAT0")).splitlines()
    assert lines[0] == "battery|BAT0"
    starts = {
        line.index(text)
        for line in lines
        for text in ("0.5", "discharging", "permission:")
        if text in line
    }
    assert len(starts) == 1
    assert any(
        line.endswith("permission: file mode; let the script set the value") for line in lines
    )
    empty = repr(gk.Context("sim:empty").read("battery", missing="ok")).splitlines()
    assert empty[0] == "battery: the simulated device has no battery"
    assert {line.split()[-1] for line in empty[1:]} == {"\N{EN DASH}"}
    assert len(empty) > 10


def test_a_reading_can_be_kept_and_sent(context: gk.Context) -> None:
    reading = context.read("battery|BAT0")
    again = pickle.loads(pickle.dumps(reading))
    assert (again, repr(again)) == (reading, repr(reading))
    assert again.to_json() == reading.to_json()
    assert dict(reading)["temperature"].reason == again["temperature"].reason == "file mode"


def test_a_reading_is_a_table_of_html(open_script: Open) -> None:
    script = "0 add memory|machine\n0 set memory|machine/total 5\n"
    html = open_script(script).read("memory")._repr_html_()
    assert "<td>total</td><td>Total</td><td>5 B</td>" in html
    assert html.count("<table>") == 1


def test_a_reading_is_json_as_the_command_writes_it(context: gk.Context) -> None:
    reading = context.read("battery|BAT0")
    found = json.loads(reading.to_json())
    assert found["id"] == "battery|BAT0"
    assert found["time_ns"] == 1_700_000_000_000_000_000
    assert found["values"]["level"] == {"value": 0.5, "unit": "1", "status": "ok"}
    assert found["values"]["temperature"] == {
        "value": None,
        "unit": "Cel",
        "status": "permission",
        "reason": "file mode",
        "remedy": "let the script set the value",
    }
    with gk.Context("sim:phone") as phone:
        x = json.loads(phone.read("accelerometer/acceleration").to_json())
    assert len(x["values"]["acceleration"]["value"]["vector"]) == 3


def test_numbers_that_json_has_no_words_for_are_null(context: gk.Context) -> None:
    reading = context.read("battery|BAT0/level")
    for value, written in (
        (math.nan, None),
        (gk.Vector(1, math.inf), {"vector": [1, None]}),
        (gk.Vector(1, 2), {"vector": [1, 2]}),
    ):
        sample = dataclasses.replace(reading.sample, value=value)
        found = json.loads(gk.Reading(reading.info, {"level": sample}).to_json())
        assert found["values"]["level"]["value"] == written


# A start that waits.


def test_a_start_that_waits_for_a_permission_warns() -> None:
    with gk.Context("sim:phone") as phone, phone.open("gps") as gps:
        with pytest.warns(gk.PermissionWarning) as caught:
            gps.start(every=1)
        assert str(caught[0].message) == (
            "gps|aggregate waits for a permission: the kind is personal; "
            "open the context with allow=location"
        )
        assert caught[0].filename == __file__
        assert gps.info.state is gk.SourceState.WAITING
        with pytest.warns(gk.PermissionWarning) as caught, gps.stream(every=1):
            pass
        assert caught[0].filename == __file__
        phone.allow("location")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gps.start(every=1)
        assert gps.info.state is gk.SourceState.UPDATING
