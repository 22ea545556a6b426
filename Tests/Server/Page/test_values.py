"""The page writes values as the library does: the same table through both."""

from __future__ import annotations

import base64
import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gatheredkit as gk
import pytest

from ..serving import Server
from .page import Page

UNITS = [
    *("By", "By/s", "bit", "bit/s", "m", "Pa", "J", "W", "V", "A", "Hz", "C", "F", "T", "N"),
    *("Ohm", "s", "%", "1", "", "Cel", "K", "[degF]", "deg", "rad", "rad/s", "m/s2", "m/s"),
    *("uT", "lx", "dB{mW}", "dB{FS}", "dB", "{px}", "{r}/min", "W.h", "mA.h", "V.A", "ug/m3"),
    *("[ppm]", "kg", "KiBy", "hPa", "mol/l", "/s", "1/s", "m.s-2", "{count}", "nonsense", "m//s"),
    *("m.", "Cel.m", "dB{x}.m", "GHz", "uOhm", "dam", "[g]", "m0", "s+2", "{a}{b}", "B{V}"),
]
EDGES = [
    *(0.0, 1.0, 0.5, 59.4, 59.5, 59.95, 60.0, 3599.4, 3599.6, 86399, 129600, 273600, 1e15, 1e16),
    *(1023, 1023.5, 1024, 1048575, 0.0995, 0.00995, 9.995, 99.95, 999.5, 9999.5, 1e-4, 9.9e-5),
    *(1e-5, 1.5e-7, 9.9996e-6, 2.0**53, 2.0**54, 1e21, 1e22, 1.7976931348623157e308, 5e-324),
    *(0.49999999999999994, 2.5, 0.125, 12345.678, 0.1, 1 / 3, 72.0001, 11.5754321, 179.9999999),
]
RESOLUTIONS = [0.0, 0.5, 0.01, 0.1, 1.0, 2.0, 1000.0, 1e-9, 3.0e-20, 25.0]


def numbers(seed: int, count: int) -> list[float]:
    chance = random.Random(seed)
    wide = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-30, 30) for _ in range(count)]
    usual = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-6, 12) for _ in range(count)]
    return wide + usual


def as_json(value: Any) -> Any:
    """A value as the server writes it."""
    if isinstance(value, gk.Vector):
        return {"vector": list(value)}
    if isinstance(value, gk.Time):
        return {"time_ns": str(int(value))}
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, int) and abs(value) > 2**53:
        return str(value)
    return value


def described(found: gk.Property) -> dict[str, Any]:
    """A property as the server describes it."""
    flags = [flag.name.lower() for flag in gk.PropertyFlag if flag in found.flags and flag.name]
    told: dict[str, Any] = {"key": found.key, "unit": found.unit, "flags": flags}
    told["type"] = found.type.name.lower()
    for name, number in (("minimum", found.minimum), ("maximum", found.maximum)):
        if math.isfinite(number):
            told[name] = number
    if found.resolution:
        told["resolution"] = found.resolution
    return told


@pytest.fixture(scope="module")
def level() -> Iterator[gk.Property]:
    """A property to make others of."""
    with gk.Context("sim:laptop", loop="manual") as context, context.open("battery") as battery:
        yield battery.properties["level"]


@pytest.fixture(scope="module")
def open_page(page: Page, phone: Server) -> Page:
    page.open(phone.address())
    page.wait_for("typeof formatValue === 'function'")
    return page


def assert_equal(page: Page, cases: list[tuple[gk.Property, Any]]) -> None:
    """Compares the texts of both, and shows the first that differ."""
    sent = [[as_json(value), described(found)] for found, value in cases]
    texts = page.run("return arguments[0].map(([value, p]) => formatValue(value, p))", sent)
    wanted = [found.format(value) for found, value in cases]
    pairs = zip(texts, wanted, cases, strict=True)
    wrong = [(got, want, case[1], case[0].unit) for got, want, case in pairs if got != want]
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong[:12]}"


def test_numbers_of_every_unit(open_page: Page, level: gk.Property) -> None:
    cases: list[tuple[gk.Property, Any]] = []
    for seed, unit in enumerate(UNITS):
        found = replace(level, unit=unit, maximum=math.inf, minimum=-math.inf, resolution=0.0)
        signed = [sign * number for number in EDGES for sign in (1, -1)]
        cases += [(found, number) for number in (*signed, *numbers(seed, 40))]
    assert_equal(open_page, cases)


def test_numbers_with_a_resolution(open_page: Page, level: gk.Property) -> None:
    cases: list[tuple[gk.Property, Any]] = []
    for seed, (unit, step) in enumerate(itertools.product(UNITS[:34], RESOLUTIONS)):
        found = replace(level, unit=unit, resolution=step)
        cases += [(found, number) for number in (*EDGES[:24], *numbers(seed, 6))]
    assert_equal(open_page, cases)


def test_whole_numbers_shares_counts_and_places(open_page: Page, level: gk.Property) -> None:
    whole = [0, 1, -1, 999, 1000, 1024, 123456789, 2**53, 2**53 + 1, -(2**63), 2**63 - 1]
    cases: list[tuple[gk.Property, Any]] = []
    for unit in UNITS:
        for flag in (gk.PropertyFlag(0), gk.PropertyFlag.COUNTER, gk.PropertyFlag.DERIVED):
            for kind in (gk.ValueType.INT, gk.ValueType.DOUBLE):
                found = replace(level, unit=unit, flags=flag, type=kind)
                values = whole if kind is gk.ValueType.INT else numbers(len(cases), 8)
                cases += [(found, value) for value in values]
    for key in ("latitude", "longitude", "course"):
        found = replace(level, key=key, unit="deg", maximum=180.0)
        cases += [(found, number) for number in (11.5754321, -0.0000004, 48.0, 1e-7)]
    assert_equal(open_page, cases)


def test_vectors(open_page: Page, level: gk.Property) -> None:
    chance = random.Random(1)
    cases: list[tuple[gk.Property, Any]] = []
    for unit, step in itertools.product(("m/s2", "rad/s", "uT", "1", "deg"), RESOLUTIONS):
        found = replace(level, unit=unit, resolution=step, type=gk.ValueType.VECTOR)
        for count in (2, 3, 4):
            size = 10.0 ** chance.randint(-5, 8)
            parts = [chance.uniform(-1, 1) * size for _ in range(count)]
            cases += [(found, gk.Vector(*parts)), (found, gk.Vector(*[0.0] * count))]
    assert_equal(open_page, cases)


def test_what_is_no_number(open_page: Page, level: gk.Property) -> None:
    found = replace(level, unit=None, maximum=math.inf, type=gk.ValueType.STRING)
    values: list[Any] = [
        None,
        True,
        False,
        "",
        "a\nb\x7f\x85",
        "<script>",
        "é" * 99,
        b"",
        b"\0\xff",
    ]
    values += [bytes(range(16)), bytes(range(17)), bytes(2048)]
    values += [gk.Time(0), gk.Time(1_700_000_000_500_000_000), gk.Time(-1), gk.Time(2**63 - 1)]
    assert_equal(open_page, [(found, value) for value in values])


def test_all_that_simulated_devices_say(open_page: Page) -> None:
    cases: list[tuple[gk.Property, Any]] = []
    for uri in ("sim:phone", "sim:laptop"):
        with gk.Context(uri, allow="all", loop="manual") as context:
            for info in context.sources():
                with context.open(info.id) as source:
                    for sample in source.update().samples().values():
                        cases.append((sample.property, sample.value))
    assert len(cases) > 500
    assert_equal(open_page, cases)
