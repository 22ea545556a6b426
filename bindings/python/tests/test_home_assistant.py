"""What Home Assistant is told: its templates, by Jinja, of messages of a real broker: fleet F51 to
F57."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

import gatheredkit as gk

from .mqtt import MOSQUITTO
from .patience import PATIENCE

READER = shutil.which("mosquitto_sub")

pytestmark = pytest.mark.skipif(
    MOSQUITTO is None or READER is None, reason="mosquitto or mosquitto-clients is not installed"
)

Messages = dict[str, str]
FACTORS = {("1", "%"): 100.0, ("Pa", "hPa"): 0.01, ("rad", "°"): 180 / math.pi}
INVERTED = {"lid_closed", "locked"}


def retained(broker: str) -> Messages:
    """Every message that a broker keeps."""
    port = broker.rpartition(":")[2]
    command = [str(READER), "-h", "127.0.0.1", "-p", port, "-t", "#", "--retained-only", "-v"]
    done = subprocess.run([*command, "-W", "2"], capture_output=True, text=True, check=False)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def home_assistant() -> ImmutableSandboxedEnvironment:
    """Jinja as Home Assistant has it, with the one filter of its own that is used."""
    jinja = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    jinja.filters["timestamp_utc"] = lambda seconds: datetime.fromtimestamp(
        seconds, timezone.utc
    ).isoformat()
    return jinja


JINJA = home_assistant()


def rendered(template: str, payload: str) -> str:
    """What a template makes of a message: without JSON there is no `value_json`."""
    values: dict[str, Any] = {"value": payload}
    if payload:
        values["value_json"] = json.loads(payload)
    return JINJA.from_string(template).render(values).strip()


def expected(component: dict[str, Any], found: gk.Property, value: object) -> object:
    """What Home Assistant is to show of a value."""
    if value is None:
        return "None"
    if component["p"] == "binary_sensor":
        return "ON" if bool(value) != (found.key in INVERTED) else "OFF"
    if component.get("dev_cla") == "enum":
        return value if value in found.words else "unknown"
    if isinstance(value, gk.Time):
        return pytest.approx(value.datetime.timestamp(), abs=2e-6)
    if isinstance(value, str):
        return value[:255].strip()
    factor = FACTORS.get((str(found.unit), component.get("unit_of_meas", "")), 1.0)
    assert isinstance(value, (int, float))
    return pytest.approx(value * factor, rel=1e-12)


def shown(component: dict[str, Any], text: str) -> object:
    """A rendered state as a value."""
    if text == "None":
        return text
    if component.get("dev_cla") == "timestamp":
        return datetime.fromisoformat(text).timestamp()
    return float(text) if "stat_cla" in component else text


class Told:
    """A simulated device that is published whole, and what the broker keeps of it."""

    def __init__(self, broker: str, device: str) -> None:
        self.context = gk.Context(f"sim:{device}&clock=manual", loop="manual", allow="all")
        ids = [source.id for source in self.context.sources()]
        publishing = gk.publish(
            broker, ids, device="pi", allow="all", discovery="homeassistant", context=self.context
        )
        self.context.seek(3)
        publishing.recorder.flush(timeout=PATIENCE)
        self.messages = retained(broker)
        with gk.Context(broker, allow="all") as fleet:
            self.readings = {each: fleet.read(f"{each}@pi", PATIENCE) for each in ids}
        self.properties = {}
        for each in ids:
            with self.context.open(each) as source:
                self.properties[each] = source.properties
        publishing.close()

    def components(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for topic, payload in self.messages.items():
            if topic.startswith("homeassistant/device/"):
                yield from json.loads(payload)["cmps"].items()

    def id(self, topic: str) -> str:
        """The id of the source that a topic is of."""
        kind, instance = topic.split("/")[3:5]
        return f"{kind}|{instance}"


@pytest.fixture(params=["phone", "laptop"])
def told(broker: str, request: pytest.FixtureRequest) -> Iterator[Told]:
    made = Told(broker, request.param)
    yield made
    made.context.close()


def test_every_entity_shows_what_is_read(told: Told) -> None:
    count = 0
    for name, component in told.components():
        if "val_tpl" not in component:
            continue
        topic = component["stat_t"]
        source = told.id(topic)
        key = next(
            each
            for each in sorted(told.properties[source], key=len, reverse=True)
            if name.endswith("_" + each)
        )
        text = rendered(component["val_tpl"], told.messages[topic])
        value = told.readings[source][key].value
        want = expected(component, told.properties[source][key], value)
        assert shown(component, text) == want, name
        assert component.get("dev_cla") != "enum" or text in [*component["ops"], "None"]
        count += text != "None"
    assert count > 100


def test_nothing_is_made_of_what_is_not_there(told: Told) -> None:
    for name, component in told.components():
        for payload in ["", '{"values": {}}']:
            if "val_tpl" in component:
                assert rendered(component["val_tpl"], payload) == "None", name
            if "json_attr_tpl" in component:
                assert isinstance(json.loads(rendered(component["json_attr_tpl"], payload)), dict)
        assert [rendered(each["val_tpl"], "") for each in component["avty"]] == ["", "offline"]


def test_entities_are_there_while_their_source_is(told: Told) -> None:
    for name, component in told.components():
        online, about = component["avty"]
        assert component["avty_mode"] == "all"
        assert rendered(online["val_tpl"], told.messages[online["t"]]) == "online"
        state = rendered(about["val_tpl"], told.messages[about["t"]])
        found = json.loads(told.messages[about["t"]])["availability"]["state"]
        assert state == ("online" if found in ("available", "searching") else "offline"), name


def test_what_is_no_entity_is_an_attribute(told: Told) -> None:
    attributes: dict[str, Any] = {}
    for _, component in told.components():
        if "json_attr_tpl" in component and component["p"] != "device_tracker":
            state = told.messages[component["json_attr_t"]]
            found = json.loads(rendered(component["json_attr_tpl"], state))
            attributes[told.id(component["json_attr_t"])] = found
    for source, found in attributes.items():
        for key, value in found.items():
            read = told.readings[source][key].value
            if isinstance(read, gk.Vector):
                assert value == pytest.approx(list(read))
            elif isinstance(read, str):
                assert value == read
    assert len(attributes) > 8


def test_a_position_is_told_while_there_is_one(broker: str) -> None:
    told = Told(broker, "phone")
    topic = "homeassistant/device/gathered_pi_gps/config"
    components = json.loads(told.messages[topic])["cmps"]
    trackers = [each for each in components.values() if each["p"] == "device_tracker"]
    assert len(trackers) == sum(each.startswith("gps|") for each in told.readings)
    tracker = next(each for each in trackers if "/aggregate/" in each["json_attr_t"])
    state = told.messages[tracker["json_attr_t"]]
    found = json.loads(rendered(tracker["json_attr_tpl"], state))
    reading = told.readings[told.id(tracker["json_attr_t"])]
    assert found["latitude"] == reading["latitude"].value is not None
    assert found["longitude"] == reading["longitude"].value
    assert found["gps_accuracy"] == (reading["horizontal_accuracy"].value or 0)
    lost = json.loads(state)
    lost["values"]["latitude"]["value"] = None
    assert rendered(tracker["json_attr_tpl"], json.dumps(lost)) == "{}"
    told.context.close()
