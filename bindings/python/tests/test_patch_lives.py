"""Patches: feedback, who keeps whom, types of one's own, threads."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _patch_types

from .patience import PATIENCE


class Doubler(gk.Patch):
    """Publishes twice what it receives."""

    input_hints = {"value": "double"}
    output_hints = {"value": "double"}

    def receive(self, input: str, sample: gk.Sample) -> None:
        self.publish("value", sample.value * 2)


@pytest.fixture
def own_types() -> Iterator[None]:
    """Forgets the types a test makes."""
    before = dict(_patch_types._types)
    yield
    _patch_types._types.clear()
    _patch_types._types.update(before)


def heard(stream: gk.Stream[Any]) -> list[Any]:
    seen: list[Any] = []
    stream.subscribe(seen.append)
    return seen


class Countdown(gk.Patch):
    """Publishes what it receives less one, down to 0."""

    input_hints = {"in": "int"}
    output_hints = {"out": "int"}

    def __init__(self, context: gk.Context) -> None:
        super().__init__(context=context)
        self.seen: list[int] = []

    def receive(self, input: str, sample: gk.Sample) -> None:
        self.seen.append(sample.value)
        if sample.value:
            self.publish("out", sample.value - 1)
            self.seen.append(-sample.value)


def test_feedback_runs_through_the_queue_and_is_bounded(
    context: gk.Context, unraisable: list[Any]
) -> None:
    """patches L31, L33, L34."""
    patch = Countdown(context)
    out, loop = patch.out["out"], patch.inputs["in"]
    out >> loop
    assert loop.feedback
    loop.value = 2
    assert patch.seen == [2, -2, 1, -1, 0]
    out.set_option("cascade_limit", 5)
    patch.seen.clear()
    errors = heard(patch.errors)
    loop.value = 1000
    assert 1 <= len([value for value in patch.seen if value > 0]) <= 5
    assert [(error.port, error.code) for error in errors] == [("out", "cascadeLimit")]
    unraisable.clear()
    loop.value = 0
    assert patch.seen[-1] == 0
    assert isinstance(patch.error, gk.LimitError)


def test_a_cycle_of_patches_without_references_is_freed(
    context: gk.Context, no_leaks: None
) -> None:
    """patches L37, L38."""
    patch, other = Countdown(context), Countdown(context)
    patch.out["out"] >> other.inputs["in"]
    other.out["out"] >> patch.inputs["in"]
    assert not other.inputs["in"].feedback
    assert patch.inputs["in"].feedback
    patch.inputs["in"].value = 3
    assert (patch.seen, other.seen) == ([3, -3, 1, -1], [2, -2, 0])
    del other
    gc.collect()
    patch.publish("out", 5)
    assert patch.seen[4:] == []
    del patch
    gc.collect()


def test_living_patches_are_counted_wherever_they_are(context: gk.Context) -> None:
    """C API R16."""
    before = gk.live_count("patch")
    graph = gk.Graph(context=context)
    norm, scale = graph.add("norm"), graph.add("scale")
    norm.out["value"] >> scale.inputs["value"]
    assert gk.live_count("patch") == before + 3
    assert graph["norm"] is norm
    assert gk.live_count("patch") == before + 3
    del norm, scale
    gc.collect()
    assert gk.live_count("patch") == before + 3
    graph.close()
    del graph
    gc.collect()
    assert gk.live_count("patch") == before


def test_a_chain_lives_by_its_last_patch(context: gk.Context, no_leaks: None) -> None:
    """patches L36."""
    knob = gk.Variable(1.0, context=context)
    first, last = Doubler(context=context), Doubler(context=context)
    knob >> first.inputs["value"]
    first.out["value"].map(lambda value: value + 1) >> last.inputs["value"]
    seen = heard(last.out["value"])
    del first
    gc.collect()
    knob.value = 2.0
    assert seen == [6.0, 10.0]
    del last
    gc.collect()
    assert knob.subscriber_count == 0
    del knob


def test_a_stream_of_a_port_keeps_its_patch(context: gk.Context, no_leaks: None) -> None:
    """patches L39."""
    out = Doubler(context=context).out["value"]
    seen: list[Any] = []
    connection = out.map(str).subscribe(seen.append)
    given = out.patch.inputs["value"]
    del out
    gc.collect()
    given.value = 2
    assert seen == ["4"]
    connection.disconnect()
    del connection, given
    gc.collect()


def test_ports_are_publinks(context: gk.Context) -> None:
    """patches L15."""
    patch = gk.Patch(context=context)
    out = patch.add_output("x")
    out.publish(1)
    out.replays_last = False
    assert not patch.out["x"].replays_last
    assert heard(patch.out["x"]) == []
    out.replays_last = True
    assert heard(patch.out["x"]) == [1]
    named: list[Any] = []
    out.subscribe(named.append, "me")
    out.unsubscribe("me")
    out.publish(2)
    assert named == [1]


def test_types_of_ones_own_from_a_function(
    context: gk.Context, own_types: None, no_leaks: None
) -> None:
    """patches L54."""

    @gk.patch_type(
        "offset_by", inputs={"value": "double", "by": "double"}, outputs={"sum": "double"}
    )
    def offset_by(patch: gk.Patch, input: str, sample: gk.Sample) -> None:
        """Adds what it was told."""
        if input == "value":
            patch.publish("sum", sample.value + (patch.inputs["by"].value or 0))

    assert offset_by.__doc__ == "Adds what it was told."
    made = offset_by(by=10.0, context=context)
    seen = heard(made.out["sum"])
    made.inputs["value"].value = 1.0
    assert (seen, made.type) == ([11.0], "offset_by")
    again = gk.Patch("offset_by", context=context)
    assert list(again.inputs) == ["value", "by"]
    kinds = {kind.type: kind for kind in gk.patch_types(context)}
    assert "offset_by" in kinds
    assert "norm" in kinds
    with pytest.raises(gk.InvalidArgumentError, match="colour"):
        offset_by(colour=1, context=context)
    with pytest.raises(gk.ExistsError):
        gk.patch_type("offset_by")(offset_by)
    del made, again
    gc.collect()


def test_a_name_of_the_library_is_taken(context: gk.Context, own_types: None) -> None:
    gk.patch_type("norm")(Doubler)
    with pytest.raises(gk.ExistsError):
        gk.Patch("norm", context=context)
    assert gk.Patch("norm", context=context).type == "norm"


def test_values_from_other_threads_are_handed_to_the_loop() -> None:
    """patches 6."""
    with gk.Context("sim:empty") as context:
        patch = gk.Patch(context=context)
        names: set[str] = set()
        seen: list[int] = []

        def handle(sample: gk.Sample) -> None:
            names.add(threading.current_thread().name)
            seen.append(sample.value)

        x = patch.add_input("x", handle)
        for value in range(50):
            x.value = value
        context.flush(PATIENCE)
    assert (seen, names) == (list(range(50)), {"gatheredkit"})
    with pytest.raises(gk.ClosedError):
        x.value = 1
    assert "closed" in repr(patch)
