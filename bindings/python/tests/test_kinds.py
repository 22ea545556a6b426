"""The catalogue as `kinds` has it: C API R26."""

from __future__ import annotations

import pytest

import gatheredkit as gk

KINDS = {found.kind: found for found in gk.kinds()}


def test_every_kind_of_the_doctor_is_listed_in_its_order() -> None:
    with gk.Context("sim:empty") as context:
        assert list(KINDS) == [found["kind"] for found in context.doctor().kinds]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda found: found.kind)
def test_a_kind_and_its_properties_say_what_they_mean(kind: gk.Kind) -> None:
    assert all((kind.meaning, kind.origin, kind.instances))
    assert kind.min_interval <= kind.default_interval == gk.default_interval(kind.kind)
    assert all(found.meaning and found.origin for found in kind.properties)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda found: found.kind)
def test_a_source_has_the_properties_of_its_kind(kind: gk.Kind) -> None:
    with gk.Context("sim:empty") as context, context.open(kind.kind) as source:
        told = source.properties.values()
        listed = [(found.key, found.name, found.unit) for found in kind.properties]
        assert listed == [(found.key, found.name, found.unit) for found in told]


def test_a_row_has_members_and_attributes() -> None:
    battery = KINDS["battery"]
    assert repr(battery) == "<Kind battery>"
    assert battery["meaning"] == battery.meaning == "charge, power and health of batteries"
    assert (battery.name, battery.has_aggregate, battery.event_driven) == ("Battery", True, True)
    assert (battery.category, battery.permits) == (None, [])
    assert (KINDS["gps"].category, KINDS["bluetooth"].permits) == (
        "location",
        ["bluetooth_discovery"],
    )
    level, word, *_ = battery.properties
    assert repr(level) == "<KindProperty level>"
    assert (level.unit, level.minimum, level.maximum, level.resolution) == ("1", 0, 1, None)
    assert (level.type, level.mode, level.flags, level.category) == ("double", "onChange", [], None)
    assert (word.type, word.words[0], word.unit, word.components) == ("enum", "critical", None, [])
    serial = next(found for found in battery.properties if found.key == "serial")
    assert (serial.flags, serial.category) == (["personal"], "serial")
    assert KINDS["accelerometer"].properties[0].components == ["x", "y", "z"]


def test_one_kind_is_asked_for_by_its_name() -> None:
    assert gk.kinds("fan") == [KINDS["fan"]]
    with pytest.raises(gk.NotFoundError, match="did you mean battery"):
        gk.kinds("batery")


def test_a_kind_can_be_tried_where_it_says() -> None:
    for uri in KINDS["battery"].simulated:
        with gk.Context(uri) as context:
            assert context.sources("battery")


def test_a_notebook_shows_a_table() -> None:
    html = KINDS["memory"]._repr_html_()
    assert "<td>MemAvailable</td>" in html
    assert html.count("<tr>") == 1 + len(KINDS["memory"].properties)


def test_a_list_belongs_to_its_caller() -> None:
    rows = gk.kinds()
    rows[0].clear()
    rows.clear()
    assert [found.kind for found in gk.kinds()] == list(KINDS)
