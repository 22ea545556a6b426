"""Source sessions: life cycle, values, listeners."""

from __future__ import annotations

import dataclasses
import gc
import math
import threading

import pytest

import gatheredkit as gk
from gatheredkit._callbacks import living_entries


def test_a_session_tells_what_it_is(context: gk.Context) -> None:
    with context.open("battery|BAT0") as battery:
        info = battery.info
        assert (info.id, info.kind, info.state) == ("battery|BAT0", "battery", 0)
        assert info.property_count == len(battery) == len(battery.properties)
        assert repr(battery) == f"<Source battery|BAT0 available, {len(battery)} properties>"
        assert "<table>" in battery._repr_html_()
        assert list(battery) == list(battery.properties)
        level = battery.properties["level"]
        assert (level.unit, level.type) == ("1", gk.ValueType.DOUBLE)
        assert (level.minimum, level.maximum) == (0, 1)
        assert "charging" in battery.properties["state"].words
        assert isinstance(battery.metadata, dict)
    with pytest.raises(gk.ParseError):
        context.open("battery|")
    with pytest.raises(gk.NotFoundError):
        context.open("no_such_kind")


def test_a_reading_has_every_value_with_its_own_status(context: gk.Context) -> None:
    battery = context.open("battery|BAT0").update()
    level, temperature = battery["level"], battery["temperature"]
    assert (level.value, level.status, level.unit) == (0.5, gk.SampleStatus.OK, "1")
    assert (temperature.value, temperature.status) == (None, gk.SampleStatus.PERMISSION)
    assert battery["state"].value == "discharging"
    assert level.time_ns == 1_700_000_000_000_000_000
    assert level.time.datetime.year == 2023
    assert battery.explain("temperature").status is gk.SampleStatus.PERMISSION
    assert battery.explain("temperature").reason == "file mode"
    with pytest.raises(KeyError):
        battery["no_such_key"]
    with pytest.raises(gk.NotFoundError):
        battery.explain("no_such_key")
    assert "level" in battery
    assert "no_such_key" not in battery


def test_samples_are_frozen_and_outlive_their_source(context: gk.Context) -> None:
    with context.open("battery|BAT0") as battery:
        samples = battery.update().samples()
    context.close()
    gc.collect()
    assert samples["state"].value == "discharging"
    assert next(iter(samples)) == "level"
    with pytest.raises(dataclasses.FrozenInstanceError):
        samples["level"].value = 1  # type: ignore[misc]
    assert dataclasses.replace(samples["level"], value=1).value == 1
    assert dataclasses.asdict(samples["level"])["value"] == 0.5


def test_samples_taken_at_once_are_of_one_reading() -> None:
    """Readings come from another thread, at any moment."""
    with gk.Context("sim:phone") as phone, phone.open("accelerometer") as source:
        source.start(interval_ns=source.info.min_interval_ns)
        seen: set[int] = set()
        while len(seen) < 100:
            samples = source.samples()
            measured = ("acceleration", "linear_acceleration", "gravity")
            (number,) = {samples[key].sequence for key in measured}
            seen.add(number)


def test_values_are_those_of_the_latest_reading(context: gk.Context) -> None:
    battery = context.open("battery|BAT0")
    assert battery["level"].status is gk.SampleStatus.NO_DATA
    first = battery.update()["level"]
    context.seek(2)
    assert battery["level"].value == 0.5
    second = battery.update()["level"]
    assert (first.value, second.value) == (0.5, 0.4)
    assert second.sequence == first.sequence + 1


def test_each_thread_reads_the_same_values(context: gk.Context) -> None:
    battery = context.open("battery|BAT0").update()
    assert battery["state"].value == "discharging"
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(battery["state"].value))
    thread.start()
    thread.join()
    assert found == ["discharging"]


def test_start_refreshes_then_ticks_and_events_tell_of_it(context: gk.Context) -> None:
    events: list[str] = []
    levels: list[float] = []
    with context.open("battery|BAT0") as battery:
        battery.listen_events(lambda event: events.append(event.type.name))
        battery.listen(lambda update: levels.append(update["level"].value))
        battery.start(every=1)
        assert (battery.is_updating, battery.interval) == (True, 1.0)
        assert events == ["STARTED"]
        context.seek(3)
        battery.stop()
        battery.stop()
        assert events == ["STARTED", "STOPPED"]
        assert (battery.is_updating, battery.interval) == (False, None)
        context.seek(6)
    assert levels[0] == 0.5
    assert levels[-1] == 0.4
    assert len(levels) >= 4


def test_intervals_that_are_no_intervals_change_nothing(context: gk.Context) -> None:
    with context.open("battery|BAT0") as battery:
        for every in (0, -1, math.nan, math.inf):
            with pytest.raises(gk.InvalidArgumentError):
                battery.start(every=every)
        with pytest.raises(gk.InvalidArgumentError):
            battery.start(1, interval_ns=1)
        assert not battery.is_updating
        battery.start(interval_ns=2_000_000_000)
        assert (battery.rates.asked_ns, battery.rates.granted) == (2_000_000_000, 2.0)


def test_updates_keep_their_text_after_the_callback(context: gk.Context) -> None:
    kept: list[gk.Update] = []
    with context.open("battery|BAT0") as battery:
        battery.listen(kept.append)
        battery.update()
        context.seek(2)
        battery.update()
    assert [update["state"].value for update in kept] == ["discharging"] * 2
    assert [update["level"].value for update in kept] == [0.5, 0.4]
    assert [len(update.readings) for update in kept] == [1, 1]
    assert len(kept[0]) == len(list(kept[0]))
    assert kept[0].get("no_such_key") is None
    assert "<table>" in kept[0]._repr_html_()


def test_a_dropped_connection_lives_on_and_a_disconnected_one_does_not(
    context: gk.Context, no_leaks: None
) -> None:
    seen: list[str] = []
    with context.open("battery|BAT0") as battery:
        battery.listen(lambda _: seen.append("floating"))
        gc.collect()
        with battery.listen(lambda _: seen.append("scoped")) as connection:
            battery.update()
        connection.disconnect()
        assert not connection.connected
        battery.update()
    assert seen == ["floating", "scoped", "floating"]


def test_a_connector_ends_all_it_holds(context: gk.Context, no_leaks: None) -> None:
    seen: list[int] = []
    with context.open("battery|BAT0") as battery, gk.Connector() as bag:
        for number in range(3):
            battery.listen(lambda _, number=number: seen.append(number)).put_into(bag)
        battery.update()
        bag.disconnect()
        battery.update()
    assert seen == [0, 1, 2]
    with pytest.raises(gk.ClosedError):
        bag.add(bag)  # type: ignore[arg-type]


def test_callbacks_are_forgotten_with_their_source(context: gk.Context) -> None:
    before = living_entries()
    with context.open("battery|BAT0") as battery:
        battery.listen(print)
        battery.listen_events(print)
        assert living_entries() == before + 2
    gc.collect()
    assert living_entries() == before


def test_setting_what_cannot_be_set_is_refused(context: gk.Context) -> None:
    with context.open("battery|BAT0") as battery:
        with pytest.raises(gk.NotSupportedError):
            battery.set("level", 0.3)
        with pytest.raises(gk.UnknownKeyError):
            battery.set("no_such_key", 0.3)


def test_a_refused_start_raises_with_its_remedy(context: gk.Context) -> None:
    with context.open("screen") as screen:
        failed: list[gk.Event] = []
        screen.listen_events(failed.append)
        with pytest.raises(gk.UnavailableError) as caught:
            screen.start()
        assert caught.value.remedy == screen.info.remedy
        assert [event.type for event in failed] == [gk.EventType.FAILED]
        assert isinstance(failed[0].error, gk.UnavailableError)


def test_reading_in_one_line(context: gk.Context, no_leaks: None) -> None:
    samples = context.read("memory")
    assert samples["total"].value == 1_000_000
    assert samples["total"].unit == "By"
