"""What users of strict type checkers write: `.ci/lint` checks this file, which casts nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gatheredkit as gk

from .patience import PATIENCE

SCRIPT = """\
0 add battery|BAT0
0 set battery|BAT0/level 0.5
0 set battery|BAT0/state "charging"
0 set battery|BAT0/external_power true
0 absent battery|BAT0/temperature permission file mode
"""


@pytest.fixture
def battery(tmp_path: Path) -> Iterator[gk.Source]:
    script = tmp_path / "device.sim"
    script.write_text(SCRIPT, "utf-8")
    with gk.Context(f"sim:file={script}&clock=manual", loop="manual") as context:
        yield context.open("battery|BAT0").update()


def percent(sample: gk.Sample) -> str:
    number = sample.number
    return "unknown" if number is None else f"{number * 100:.0f} %"


def test_a_sample_says_what_its_value_is(battery: gk.Source) -> None:
    level, state, plugged = battery["level"], battery["state"], battery["external_power"]
    assert percent(level) == "50 %"
    assert percent(state) == percent(plugged) == percent(battery["temperature"]) == "unknown"
    word: str | None = state.text
    truth: bool | None = plugged.boolean
    assert (word, truth) == ("charging", True)
    assert [level.text, level.boolean, level.vector, level.data, level.moment] == [None] * 5
    if isinstance(level.value, float):
        assert level.value + 0.5 == 1.0


def test_a_vector_and_a_moment_are_values_of_their_own() -> None:
    with gk.Context("sim:phone&clock=manual", loop="manual") as context:
        turned = context.read("gyroscope")["rotation_rate"]
        booted = context.read("device_metadata")["boot_time"]
    vector: gk.Vector | None = turned.vector
    moment: gk.Time | None = booted.moment
    assert vector is not None
    assert moment is not None
    assert vector.norm == sum(x * x for x in vector) ** 0.5
    assert moment.datetime.year >= 1970
    assert turned.number is booted.number is None


def test_columns_are_numbers_or_texts(battery: gk.Source) -> None:
    with battery.stream(every=1.0) as reader:
        battery.context.seek(3.0)
        frame = reader.frame(timeout=0)
    levels: gk.Numbers = frame.numbers("level")
    words: list[str | None] = frame.texts("state")
    mean = sum(levels) / len(levels)
    assert (mean, levels[0], levels.shape) == (0.5, 0.5, (frame.rows,))
    assert list(levels[1:]) == levels.tolist()[1:]
    assert words == ["charging"] * frame.rows
    assert frame.boot_ns[0] < frame.boot_ns[frame.rows - 1]
    with pytest.raises(gk.TypeMismatchError):
        frame.numbers("state")
    with pytest.raises(gk.TypeMismatchError):
        frame.texts("level")
    with pytest.raises(gk.UnknownKeyError):
        frame.numbers("volume")


def test_streams_keep_the_types_of_their_values() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        celsius = gk.Variable(20.0, context=context)
        kelvin: gk.Observable[float] = celsius.map(lambda c: c + 273.15)
        words: gk.Stream[str] = kelvin.values.map(lambda k: f"{k:.0f} K")
        count: gk.Observable[int] = words.counted()
        seen: list[str] = []
        words.subscribe(seen.append)
        celsius.value += 5.0
        both = gk.combine(celsius, kelvin)
        total: float = (celsius + kelvin).value
        assert seen == ["293 K", "298 K"]
        assert (len(both.value), count.value, round(total, 2)) == (2, 2, 323.15)


def test_results_are_what_they_are_assigned_to() -> None:
    with gk.Context("sim:empty") as context, gk.DataSource("memory", context=context) as store:
        stored: dict[str, float] = store.put("k", {"t": 21.5})
        length: gk.Future[int] = store.get_async("k").map(len)
        assert (stored["t"], length.wait(PATIENCE)) == (21.5, 1)


def test_this_file_overrules_no_checker() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [word for word in ("ca" + "st(", "type:" + " ignore", "An" + "y") if word in text] == []
