"""The texts of values, for people and exact: sources V15, C API R24."""

from __future__ import annotations

import math
import random

import pytest

import gatheredkit as gk
from gatheredkit._values import GivenValue

from .conftest import Open

# What a unit is called by people, who never see its code.
CODES = ("By", "Cel", "uT", "{", "Ohm", "s2")


@pytest.fixture(scope="module")
def every() -> list[gk.Property]:
    """The properties of every kind."""
    found: dict[str, gk.Property] = {}
    with gk.Context("sim:laptop", allow="all", loop="manual") as context:
        for info in context.sources():
            with context.open(info.id) as source:
                for key, each in source.properties.items():
                    found.setdefault(f"{info.kind}.{key}", each)
    assert len(found) > 200
    return list(found.values())


def numbers(seed: int) -> list[float]:
    chance = random.Random(seed)
    sizes = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-300, 300) for _ in range(20)]
    usual = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-6, 12) for _ in range(20)]
    return [*sizes, *usual, 0.0, -0.0, 1.0, -1.0, math.nan, math.inf, -math.inf]


def test_every_number_has_a_text_and_an_exact_one_that_reads_back(
    every: list[gk.Property],
) -> None:
    for seed, found in enumerate(every):
        for number in numbers(seed):
            people = found.format(number)
            assert people
            assert not any(code in people for code in CODES if code in (found.unit or ""))
            exact = found.format(number, gk.Style.MACHINE)
            assert exact == gk.format_value(number, found.unit)
            again = float(exact.split()[0])
            assert again == number or math.isnan(number)


def test_a_text_for_people_is_close_to_the_number(every: list[gk.Property]) -> None:
    plain = [found for found in every if found.unit in ("m/s2", "uT", "lx", "dB{mW}", "rad/s")]
    assert plain
    for seed, found in enumerate(plain):
        for number in numbers(seed):
            if not math.isfinite(number) or abs(number) < 1e-3:
                continue
            step = max(found.resolution, abs(number) * 1e-3)
            assert abs(float(found.format(number).split()[0]) - number) <= step


def test_every_whole_number_has_a_text(every: list[gk.Property]) -> None:
    for found in every:
        for number in (-(1 << 63), -1, 0, 1, (1 << 63) - 1):
            assert found.format(number)
            assert found.format(number, gk.Style.MACHINE).split()[0] == str(number)


@pytest.mark.parametrize(
    ("value", "unit", "people"),
    [
        (23_730_000_000, "By", "22.1 GiB"),
        (129_600.0, "J", "36 Wh"),
        (-64, "dB{mW}", "-64 dBm"),
        (720, "{px}", "720 px"),
        (31.5, "Cel", "31.5 °C"),
        (273_600, "s", "3 d 4 h"),
        (72.0001, "%", "72 %"),
        (True, None, "yes"),
        (None, "By", "\N{EN DASH}"),
        ("a\0b", None, "a\ufffdb"),
        (b"\x00" * 2048, None, "00" * 16 + "… (2 KiB)"),
        (gk.Vector(1, -2.5), "uT", "( 1.000, -2.500) µT"),
        (gk.Time(1_700_000_000_500_000_000), None, "2023-11-14 22:13:20 UTC"),
        ([1, {"a": None}], None, '[1,{"a":null}]'),
        ("long " * 100, None, "long " * 100),
        ("é" * 64, None, "é" * 64),
        (2.5, "nonsense", "2.5 nonsense"),
    ],
    ids=str,
)
def test_a_unit_alone_tells_much(value: GivenValue, unit: str | None, people: str) -> None:
    assert gk.format_value(value, unit, gk.Style.PEOPLE) == people


def test_no_view_mixes_shares_with_percentages() -> None:
    with gk.Context("sim:laptop", loop="manual") as context, context.open("cpu") as cpu:
        for key in ("usage", "user", "system", "iowait", "interrupt", "steal"):
            assert cpu.properties[key].format(0.8302) == "83 %"
        assert cpu.properties["load_1"].format(0.8302) == "0.8302"


def test_a_sample_shows_its_value_for_people() -> None:
    with gk.Context("sim:laptop", loop="manual") as context, context.open("battery") as battery:
        update = battery.update()
        level = update["level"]
        assert level.format() == "72 %"
        assert repr(level) == "<Sample level 72 %>"
        assert float(level.format(gk.Style.MACHINE)) == level.value
        assert "<td>72 %</td>" in update._repr_html_()
        assert "Wh</td>" in battery._repr_html_()


def test_a_sample_without_a_value_has_a_dash(open_script: Open) -> None:
    script = """
0 add battery|B
0 set battery|B/level 0.5
0 absent battery|B/energy noData none
1 absent battery|B/level stale old
"""
    context = open_script(script)
    with context.open("battery|B") as battery:
        battery.update()
        context.seek(2)
        update = battery.update()
        assert update["energy"].format() == "\N{EN DASH}"
        assert update["energy"].format(gk.Style.MACHINE) == "\N{EN DASH}"
        assert repr(update["energy"]) == "<Sample energy NO_DATA: none>"
        assert (update["level"].value, update["level"].format()) == (None, "50 %")
        assert repr(update["level"]) == "<Sample level STALE 50 %: old>"


def test_a_style_is_one_that_there_is() -> None:
    with pytest.raises(gk.InvalidArgumentError, match="no style"):
        gk.format_value(1, None, gk.Style(7))
    with pytest.raises(gk.TypeMismatchError):
        gk.format_value(object())  # type: ignore[arg-type]
