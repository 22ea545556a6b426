"""What users of strict type checkers write: `.ci/lint` checks this file, which casts nothing."""

from __future__ import annotations

import asyncio
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


def test_a_reading_has_types() -> None:
    with gk.Context("sim:phone") as context:
        reading: gk.Reading = context.read("device_metadata")
        level: gk.Value = context.read("battery/level").value
    samples: list[gk.Sample] = list(reading.values())
    reasons: dict[str, str] = {key: sample.reason for key, sample in reading.items()}
    hidden: gk.Sample | None = reading.get("hostname")
    assert hidden is not None
    assert (hidden.remedy.split()[-1], hidden.reason) == ("allow=hostname", reasons["hostname"])
    assert len(samples) == len(reading)
    assert isinstance(level, float)


async def frames_have_types(context: gk.Context) -> list[int]:
    """Only looked at by type checkers."""
    async with context.open("memory") as memory, memory.stream(every=1.0) as reader:
        frames: gk.Frames = reader.frames(every=1.0)
        rows = [frame.rows async for frame in frames]
        rows += [frame.rows async for frame in reader]
        rows += [frame.rows for frame in reader]
    schema, batch = reader.frame().__arrow_c_array__()
    return [*rows, id(schema), id(batch), len(reader.frame().to_pandas())]


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


def test_a_calculation_with_numbers_is_a_number_and_a_comparison_is_a_truth() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        width, height = gk.Variable(2.0, context=context), gk.Variable(3.0, context=context)
        area: gk.Observable[float] = width * height
        wide: gk.Observable[bool] = width.gt(height)
        both: gk.Updatable[list[float]] = gk.combine(width, height)
        label = gk.Variable("m", context=context)
        mixed: gk.Observable[list[float | str]] = gk.combine(area, label)
        unfit: float | None = (label + 1).value
        both.value = [4.0, 5.0]
        assert (area.value, wide.value, mixed.value) == (20.0, False, [20.0, "m"])
        assert unfit is None


def test_operators_keep_or_make_types() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        numbers: gk.Signal[int] = gk.Signal(context=context)
        pairs: gk.Stream[list[int]] = numbers.batch(2)
        again: gk.Stream[int] = pairs.flatten()
        halves: gk.Stream[float] = again.compact_map(lambda n: n / 2 if n > 1 else None)
        even: gk.Stream[int] = numbers.filter(lambda n: n % 2 == 0).apply("distinct")
        mean: gk.Stream[float] = numbers.moving_average(2)
        seen: list[float] = []
        for stream in (halves, even, mean):
            stream.subscribe(seen.append)
        numbers.send(1)
        numbers.send(2)
        assert sorted(seen) == [1.0, 1.0, 1.5, 2]


def test_changes_have_the_type_of_what_changes() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        level = gk.Variable(1, context=context)
        steps: list[int] = []
        level.changes.subscribe(lambda change: steps.append(change.new - change.old))
        level.value = 3
        assert steps == [2]


def test_a_property_of_a_source_is_read_as_what_it_is(battery: gk.Source) -> None:
    level = battery.observable("level")
    low: gk.Observable[bool] = level.map(lambda value: value is not None and value < 0.6)
    numbers: gk.Stream[float] = level.samples.compact_map(lambda sample: sample.number)
    seen: list[float] = []
    numbers.subscribe(seen.append)
    assert (low.value, seen) == (True, [0.5])


def test_a_store_has_the_type_it_is_given() -> None:
    with gk.Context("sim:empty") as context:
        store = gk.DataSource[dict[str, float]]("memory", context=context)
        stored: dict[str, float] = store.put("k", {"t": 21.5})
        all_of_it: list[dict[str, float]] = store.get_all(gk.Query.all())
        length: gk.Future[int] = store.get_async("k").map(len)
        kelvin: gk.DataSource[float] = store.map(lambda k: {"t": k - 273.0}, lambda c: c["t"] + 273)
        warmest: float = kelvin.validate(lambda k: k > 0).retry(1).cache(60).get("k")
        assert (stored["t"], all_of_it, warmest) == (21.5, [{"t": 21.5}], 294.5)
        assert length.wait(PATIENCE) == 1


def test_a_store_without_a_type_takes_and_gives_any_value() -> None:
    plain: dict[str, list[int]] = {"n": [1, 2]}
    with gk.Context("sim:empty") as context, gk.DataSource("memory", context=context) as store:
        found: gk.Value = store.put("k", plain)
        assert isinstance(found, dict)
        numbers = found["n"]
        assert isinstance(numbers, list)
        store.put("bytes", bytearray(b"x"))
        store.put_async("vector", (1.0, 2)).wait(PATIENCE)
        assert (numbers, store.get("bytes")) == ([1, 2], b"x")


def test_verbs_and_repositories_have_types() -> None:
    known = {"a": 1.5}

    def get(query: gk.Query) -> float:
        return known[str(query.id)]

    def put(query: gk.Query, value: float) -> float:
        known[str(query.id)] = value
        return value

    with gk.Context("sim:empty") as context:
        main = gk.DataSource.custom(get=get, put=put, context=context)
        cache = gk.DataSource[float]("memory", context=context)
        both = gk.Repository(main, cache, valid=lambda number: number < 10.0)
        read_only: gk.DataSource[float] = gk.assemble(get=both)
        found: float = both.get("a", operation="cache_sync")
        stored: gk.Future[float] = both.put_async("b", 2.5)
        assert (found, stored.wait(PATIENCE), read_only.get("b")) == (1.5, 2.5, 2.5)


def test_verbs_that_answer_later_have_types() -> None:
    async def get(query: gk.Query) -> int:
        return len(str(query.id))

    async def length() -> int:
        async with gk.Context("sim:empty") as context:
            lengths: gk.DataSource[int] = gk.DataSource.custom(get=get, context=context)
            return await lengths.get_async("seven")

    assert asyncio.run(length()) == 5


def test_futures_keep_the_types_of_their_results() -> None:
    with gk.Context("sim:empty") as context:
        promise: gk.Promise[int] = gk.Promise(context=context)
        word: gk.Future[str] = promise.future.map(str).filter(lambda text: text != "")
        pair: gk.Future[tuple[int, str]] = promise.future.zip(word)
        three: gk.Future[tuple[int, str, int]] = promise.future.zip(word, promise.future)
        rescued: gk.Future[str | None] = word.recover(lambda error: None)
        chained: gk.Future[int] = word.flat_map(lambda text: promise.future)
        all_of_them: gk.Future[list[int]] = gk.Future.batch([promise.future, chained])
        promise.resolve(7)
        assert (pair.wait(PATIENCE), three.wait(PATIENCE)) == ((7, "7"), (7, "7", 7))
        assert (rescued.wait(PATIENCE), all_of_them.wait(PATIENCE)) == ("7", [7, 7])


def test_graphs_describe_their_patches() -> None:
    with gk.Context("sim:empty", loop="manual") as context, gk.Graph(context=context) as graph:
        norm, tap = graph.add("norm"), graph.add("threshold", above=12.0)
        tap.inputs["value"].connect(norm.out["value"])
        states: list[bool] = []
        tap.out["state"].subscribe(states.append)
        tap.out["crossed"].subscribe(lambda way: states.append(way > 0))
        for length in (3, 12):
            norm.inputs["vector"].value = gk.Vector(9, length)
        hints: dict[str, str] = {port["name"]: port["hint"] for port in tap.info["inputs"]}
        fixed: list[str] = [
            option["name"]
            for kind in gk.patch_types(context)
            for option in kind.options
            if option.get("fixed", False)
        ]
        assert sorted(states) == [False, True, True]
        assert hints["above"] == "double"
        assert "kind" in fixed


def test_the_list_of_operators_has_types() -> None:
    durations: list[str] = [
        option["name"]
        for operator in gk.operators()
        for option in operator.options
        if option["required"] and option.get("unit") == "ns"
    ]
    numbers: dict[str, tuple[int, int | None]] = {
        operator.name: (operator.least_inputs, operator.most_inputs) for operator in gk.operators()
    }
    assert set(durations) == {"duration_ns"}
    assert numbers["-"] == (1, 2)


def test_the_doctor_s_findings_have_types() -> None:
    with gk.Context("sim:laptop", loop="manual") as context:
        report = context.doctor()
    ids: list[str] = [found["id"] for kind in report.kinds for found in kind["instances"]]
    versions: dict[str, str] = {found["name"]: found["version"] for found in report.mechanisms}
    assert "memory|machine" in ids
    assert versions["sim"]


def test_this_file_overrules_no_checker() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [word for word in ("ca" + "st(", "type:" + " ignore", "An" + "y") if word in text] == []
