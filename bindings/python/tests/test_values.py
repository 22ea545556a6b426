"""Python values to C and back."""

from __future__ import annotations

import datetime
import math
import pickle
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit._abi import decode_value, encoded

VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -(1 << 63),
    (1 << 63) - 1,
    0.1,
    -1e300,
    "",
    "Grüße \U0001f600",
    "with\0nul",
    b"",
    b"\x00\xff",
    gk.Vector(1, 2),
    gk.Vector(1, 2, 3, 4),
    gk.Time(1_700_000_000_123_456_789),
    [],
    {},
    [1, "two", [3.0, {"four": None}]],
    {"a": {"b": [gk.Vector(1, 2, 3), b"c"]}, "d": gk.Time(5)},
    [{"\N{BLACK STAR}": "nul\0inside", "empty": ["", {}, []]}, *range(100)],
    {f"key {number}": -number for number in range(1100)},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:60])
def test_values_come_back_as_they_went(value: Any, no_leaks: None) -> None:
    with encoded(value) as made:
        back = decode_value(made)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:60])
def test_json_reads_back_what_it_wrote(value: Any) -> None:
    back = gk.from_json(gk.to_json(value))
    assert back == value
    assert type(back) is type(value)


def test_what_has_no_place_in_a_value_is_a_type_mismatch(no_leaks: None) -> None:
    for value in (object(), 1 << 63, (1, 2, 3, 4, 5), ("a", "b"), {1: 2}, [1j]):
        with pytest.raises(TypeError), encoded(value):
            pass
    with pytest.raises(gk.TypeMismatchError):
        gk.to_json(math.nan)


def test_an_aware_datetime_is_a_moment_and_a_naive_one_is_refused() -> None:
    moment = datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc)
    with encoded(moment) as made:
        back = decode_value(made)
    assert isinstance(back, gk.Time)
    assert back.datetime == moment
    with pytest.raises(ValueError, match="time zone"), encoded(moment.replace(tzinfo=None)):
        pass


def test_vectors_are_named_tuples() -> None:
    vector = gk.Vector(3, 4, 12)
    assert vector == (3.0, 4.0, 12.0)
    assert (vector.x, vector.y, vector.z, vector.norm) == (3.0, 4.0, 12.0, 13.0)
    assert vector._asdict() == {"x": 3.0, "y": 4.0, "z": 12.0}
    assert vector._replace(y=0) == (3.0, 0.0, 12.0)
    assert pickle.loads(pickle.dumps(vector)) == vector
    with pytest.raises(AttributeError, match="'w'"):
        _ = vector.w
    with pytest.raises(ValueError, match="2 to 4"):
        gk.Vector(1)


def test_units_convert_and_incommensurable_ones_are_refused() -> None:
    assert gk.convert(25, "Cel", "K") == pytest.approx(298.15)
    with pytest.raises(gk.InvalidArgumentError):
        gk.convert(1, "m", "s")
    with pytest.raises(gk.InvalidArgumentError):
        gk.convert(math.inf, "Cel", "K")


def test_bad_json_and_bad_ids_say_at_which_byte() -> None:
    with pytest.raises(gk.ParseError, match=r"^byte \d+: "):
        gk.from_json('{"a": }')
    for text in ("", "battery|", "battery@x", "battery|%zz", "Bat tery"):
        with pytest.raises(gk.ParseError, match=r"^byte \d+: "):
            gk.parse_id(text)
    with pytest.raises(gk.LimitError):
        gk.from_json("[" * 200 + "]" * 200)


def test_ids_are_built_as_they_parse() -> None:
    text = gk.build_id("storage", "/srv/a b|c", "pi.local", "space", "free")
    found = gk.parse_id(text)
    assert (found.kind, found.instance, found.device) == ("storage", "/srv/a b|c", "pi.local")
    assert found.components == ("space", "free")
    assert str(found) == text
    assert gk.parse_id("battery").parent is None


def test_values_are_formatted_for_people() -> None:
    assert gk.format_value(0.1, "m/s2") == "0.1 m/s2"
    assert gk.format_value(12, "1") == "12"
    assert gk.format_value(gk.Vector(1, 2.5, 3), "uT") == "(1, 2.5, 3) uT"
    assert gk.format_value(None) == "\N{EN DASH}"
    assert gk.format_value("x" * 300) == "x" * 300
