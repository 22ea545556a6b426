"""Updates of listeners: lent while they are delivered, copied where they are kept."""

from __future__ import annotations

import threading
from pathlib import Path

import gatheredkit as gk

from .patience import PATIENCE


def test_what_a_listener_keeps_stays_as_it_was(context: gk.Context) -> None:
    battery = context.open("battery|BAT0")
    kept: list[gk.Update] = []
    battery.listen(kept.append)
    battery.update()
    before = {key: sample.value for key, sample in battery.samples().items()}
    battery.start(every=1)
    context.seek(3)
    assert {key: sample.value for key, sample in kept[0].items()} == before
    assert kept[-1]["level"].value != before["level"]
    assert isinstance(kept[0].readings[0]["level"], gk.Sample)


def test_readings_and_failures_keep_an_update_too(
    context: gk.Context, unraisable: list[object]
) -> None:
    memory = context.open("memory")
    readings: list[tuple[gk.Update, ...]] = []

    def fail(update: gk.Update) -> None:
        readings.append(update.readings)
        raise ValueError(update)

    connection = memory.listen(fail)
    memory.update()
    total = memory["total"].value
    memory.update()
    assert isinstance(connection.error, ValueError)
    assert [found["total"].value for [found] in readings] == [total, total]
    assert connection.error.args[0]["total"].value == total


def test_texts_of_an_update_can_be_read_later_and_elsewhere(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text('0 add battery|BAT0\n0 set battery|BAT0/model "Mü"\n', "utf-8")
    with gk.Context(f"sim:file={script}&clock=manual", loop="manual") as context:
        battery = context.open("battery|BAT0")
        kept: list[gk.Update] = []
        battery.listen(kept.append)
        for _ in range(3):
            battery.update()
        seen: list[object] = []
        thread = threading.Thread(target=lambda: seen.append(kept[0]["model"].value))
        thread.start()
        thread.join(PATIENCE)
        assert seen == ["Mü"]


def test_a_reading_is_seen_by_its_listeners_and_by_other_threads(context: gk.Context) -> None:
    memory = context.open("memory")
    seen: list[tuple[int, int]] = []
    memory.listen(lambda update: seen.append((update["total"].sequence, memory["total"].sequence)))
    for _ in range(3):
        memory.update()
    assert [own == asked for own, asked in seen] == [True] * 3
    elsewhere: list[gk.Sample] = []
    thread = threading.Thread(target=lambda: elsewhere.append(memory["total"]))
    thread.start()
    thread.join(PATIENCE)
    assert elsewhere[0].sequence == memory["total"].sequence == seen[-1][0]


def test_texts_stay_when_all_samples_are_asked_for(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(
        '0 add battery|BAT0\n0 set battery|BAT0/model "Mü"\n1 set battery|BAT0/model "longer"\n',
        "utf-8",
    )
    with gk.Context(f"sim:file={script}&clock=manual", loop="manual") as context:
        battery = context.open("battery|BAT0")
        battery.update()
        battery.update()
        assert battery.samples()["model"].value == battery["model"].value == "Mü"
        context.seek(1)
        battery.update()
        assert battery.samples()["model"].value == battery["model"].value == "longer"
