"""Patches: ports, wires, handlers, types of one's own."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks


class Doubler(gk.Patch):
    """Publishes twice what it receives."""

    input_hints = {"value": "double"}
    output_hints = {"value": "double"}

    def receive(self, input: str, sample: gk.Sample) -> None:
        self.publish("value", sample.value * 2)


def heard(stream: gk.Stream[Any]) -> list[Any]:
    seen: list[Any] = []
    stream.subscribe(seen.append)
    return seen


def test_patches_of_the_library_have_options_inputs_and_outputs(
    context: gk.Context, no_leaks: None
) -> None:
    """patches L51."""
    tap = gk.Patch("threshold", above=12.0, context=context)
    assert (tap.type, tap.name) == ("threshold", None)
    assert list(tap.out) == ["state", "crossed"]
    assert set(tap.inputs) == {"value", "above", "below"}
    assert (tap.inputs["value"].hint, len(tap.out)) == ("double", 2)
    state = heard(tap.out["state"])
    for value in (1.0, 13.0, 14, 2.0):
        tap.inputs["value"].value = value
    tap.inputs["above"].value = 1.0
    tap.inputs["value"].value = 2.0
    assert state == [False, True, False, True]
    assert tap.inputs["value"].value == 2.0
    assert tap.out["state"].value is True
    with pytest.raises(gk.NotFoundError):
        gk.Patch("treshold", context=context)
    with pytest.raises(gk.InvalidArgumentError, match="abve"):
        gk.Patch("threshold", abve=1.0, context=context)
    with pytest.raises(gk.UnknownKeyError, match="state"):
        tap.out["colour"]
    assert "threshold" in repr(tap)
    assert "state" in repr(tap.out["state"])
    del tap
    gc.collect()


def test_wires_carry_values_and_are_moved_and_cut(context: gk.Context, no_leaks: None) -> None:
    """patches L21, L22, L23, L25."""
    first, second, target = (gk.Patch(context=context) for _ in range(3))
    out = first.add_output("x")
    second.add_output("x")
    seen: list[Any] = []
    y = target.add_input("y", lambda sample: seen.append(sample.value))
    first.publish("x", 1)
    assert (out >> y) is y
    assert seen == [1]
    out >> y
    first.publish("x", 2)
    second.out["x"] >> y
    first.publish("x", 3)
    second.out["x"].value = 4
    assert y.wired
    assert seen[-2:] == [2, 4]
    assert 3 not in seen
    y.disconnect()
    y.disconnect()
    second.publish("x", 5)
    assert (seen[-1], y.value, y.wired) == (4, 4, False)
    with pytest.raises(TypeError):
        out >> out  # type: ignore[operator]
    del first, second, target, out, y
    gc.collect()


def test_a_subclass_receives_and_publishes(context: gk.Context, no_leaks: None) -> None:
    doubler = Doubler(context=context)
    seen = heard(doubler.out["value"])
    doubler.inputs["value"].value = 4
    assert seen == [8]
    assert repr(doubler) == "<Doubler: value -> value>"
    del doubler
    gc.collect()


def test_a_handler_is_given_whole_samples_and_its_patch_is_freed_with_it(
    context: gk.Context, no_leaks: None
) -> None:
    """patches L35, L40."""
    entries = _callbacks.living_entries()

    def run() -> None:
        patch = gk.Patch(context=context)
        seen: list[gk.Sample] = []

        def handle(sample: gk.Sample) -> None:
            seen.append(sample)
            patch.publish("out", sample.value)

        patch.add_input("in", handle)
        patch.add_output("out")
        times = heard(patch.out["out"].samples.map(lambda sample: sample.boot_ns))
        context.seek(1)
        patch.inputs["in"].value = "x"
        assert (seen[0].key, seen[0].value, seen[0].boot_ns) == ("in", "x", 1_000_000_000)
        assert times == [seen[0].boot_ns]

    run()
    gc.collect()
    assert _callbacks.living_entries() == entries


def test_replacing_and_removing_ports(context: gk.Context) -> None:
    """patches L16, L17, L18, L19."""
    patch = gk.Patch(context=context)
    seen: list[Any] = []
    patch.add_input("x", lambda sample: seen.append(("old", sample.value)))
    patch.inputs["x"].value = 1
    patch.add_input("x", lambda sample: seen.append(("new", sample.value)))
    assert not patch.inputs["x"].has_published
    patch.inputs["x"].value = 2
    assert seen == [("old", 1), ("new", 2)]
    patch.add_output("x").publish(3)
    assert patch.out["x"].last == 3
    patch.add_output("x")
    assert not patch.out["x"].has_published
    patch.remove_input("x")
    patch.remove_output("x")
    assert (len(patch.inputs), len(patch.out)) == (0, 0)
    with pytest.raises(gk.NotFoundError):
        patch.remove_input("x")
    with pytest.raises(gk.NotFoundError):
        patch.publish("x", 1)
    with pytest.raises(gk.InvalidArgumentError):
        patch.add_input("")
    with pytest.raises(gk.InvalidArgumentError):
        patch.add_output("x", hint="colour")


def test_what_does_not_fit_is_refused_and_counted(context: gk.Context) -> None:
    """patches L27, L28, L29."""
    patch = gk.Patch(context=context)
    seen: list[Any] = []
    number = patch.add_input("n", lambda sample: seen.append(sample.value), hint="double")
    text = patch.add_output("t", hint="string")
    errors = heard(patch.errors)
    with pytest.raises(gk.TypeMismatchError):
        number.value = "north"
    assert (number.error_count, patch.error_count, number.has_published) == (1, 1, False)
    assert (errors[0].port, errors[0].code, errors[0].status) == ("n", "typeMismatch", -16)
    assert errors[0].message
    with pytest.raises(gk.TypeMismatchError):
        text.publish(1)
    with pytest.raises(gk.TypeMismatchError):
        text >> number
    number.value = None
    number.value = 3
    assert seen == [None, 3]


def test_a_handler_that_raises_is_counted_and_disturbs_nothing_else(
    context: gk.Context, unraisable: list[Any]
) -> None:
    """patches L30."""
    source, target = gk.Patch(context=context), gk.Patch(context=context)
    out = source.add_output("x")
    seen: list[Any] = []
    out >> target.add_input("bad", lambda sample: 1 // sample.value)
    out >> target.add_input("good", lambda sample: seen.append(sample.value))
    errors = heard(target.errors)
    for value in (0, 1):
        source.publish("x", value)
    assert seen == [0, 1]
    assert [(error.port, error.code, error.status) for error in errors] == [
        ("bad", "handlerFailed", -100)
    ]
    assert (target.inputs["bad"].error_count, target.inputs["good"].error_count) == (1, 0)
    assert [hook.exc_type for hook in unraisable] == [ZeroDivisionError]
