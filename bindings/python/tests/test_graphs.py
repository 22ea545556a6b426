"""Graphs: children, documents, problems, drawings."""

from __future__ import annotations

import gc
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

from .test_patch_lives import own_types
from .test_patches import heard

__all__ = ["own_types"]

DOCUMENT: dict[str, Any] = {
    "format": "gatheredkit.graph",
    "version": 1,
    "patches": [
        {"name": "size", "type": "norm"},
        {"name": "shake", "type": "threshold", "options": {"above": 15.0, "below": 11.0}},
    ],
    "values": [{"to": "shake.above", "value": 18.0}],
    "wires": [{"from": "size.value", "to": "shake.value"}],
    "inputs": [{"name": "limit", "to": "shake.above"}],
    "outputs": [{"name": "shaken", "from": "shake.state"}],
}


def test_a_graph_is_a_mapping_of_its_children(context: gk.Context, no_leaks: None) -> None:
    """patches L41, L42, L43."""
    with gk.Graph(context=context) as graph:
        assert (len(graph), bool(graph), repr(graph)) == (0, True, "<Graph empty>")
        norm, second = graph.add("norm"), graph.add("norm")
        tap = graph.add("threshold", "tap", above=12.0)
        assert list(graph) == ["norm", "norm2", "tap"]
        assert (graph["norm"] is norm, graph["norm2"] is second) == (True, True)
        assert "tap" in graph
        assert "unknown" not in graph
        assert graph.get("unknown") is None
        with pytest.raises(KeyError, match="norm2"):
            graph["unknown"]
        with pytest.raises(gk.ExistsError):
            graph.add("norm", "tap")
        with pytest.raises(gk.InvalidArgumentError):
            graph.add("norm", "9 lives")
        with pytest.raises(gk.InvalidArgumentError):
            graph.add(gk.Patch("norm", context=context), above=1)
        norm.out["value"] >> tap.inputs["value"]
        graph.remove("norm")
        assert list(graph) == ["norm2", "tap"]
        assert not tap.inputs["value"].wired
        assert norm.type == "norm"
        del graph["norm2"]
        with pytest.raises(gk.NotFoundError):
            graph.remove("norm2")
        del norm, second, tap
    assert graph.closed
    assert repr(graph) == "<Graph closed>"
    gc.collect()


def test_leaving_a_graph_ends_all_that_happened_in_it(context: gk.Context, no_leaks: None) -> None:
    battery = context.open("battery|BAT0")
    with gk.Graph(context=context) as graph:
        source = graph.add("source", id="battery|BAT0", interval=1.0)
        low = graph.add("threshold", above=0.45)
        source.out["level"] >> low.inputs["value"]
        state = heard(low.out["state"])
        context.seek(1)
        assert state == [True]
        context.seek(3)
        assert state == [True, False]
    context.seek(6)
    assert state == [True, False]
    assert not battery.is_updating
    battery.close()
    del graph, source, low
    gc.collect()


def test_offered_ports_are_ports_of_the_graph(context: gk.Context) -> None:
    """patches L41, L43."""
    graph = gk.Graph(context=context)
    tap = graph.add("threshold", "tap", above=1.0)
    graph.offer("value", tap.inputs["value"])
    graph.offer("state", output="tap.state")
    assert (list(graph.inputs), list(graph.out)) == (["value"], ["state"])
    state = heard(graph.out["state"])
    graph.inputs["value"].value = 2.0
    assert state == [True]
    with pytest.raises(gk.NotFoundError):
        graph.offer("more", input="tap.colour")
    with pytest.raises(gk.InvalidArgumentError):
        graph.offer("more")
    graph.remove("tap")
    assert (list(graph.inputs), list(graph.out)) == ([], [])


def test_documents_are_loaded_and_saved_again_byte_for_byte(
    context: gk.Context, tmp_path: Path, no_leaks: None
) -> None:
    """patches L44, L45, L48."""
    graph = gk.Graph.from_json(json.dumps(DOCUMENT), context=context)
    assert list(graph) == ["size", "shake"]
    shaken = heard(graph.out["shaken"])
    graph["size"].inputs["vector"].value = gk.Vector(16, 0, 0)
    graph["size"].inputs["vector"].value = gk.Vector(18, 0, 0)
    assert shaken == [False, True]
    file = tmp_path / "graph.json"
    graph.save(file)
    text = file.read_text("utf-8")
    assert json.loads(text)["wires"] == DOCUMENT["wires"]
    again = gk.Graph.load(file, context=context)
    assert again.to_json() == text
    graph.close()
    again.close()
    del graph, again
    gc.collect()


def test_all_problems_of_a_document_are_told(context: gk.Context) -> None:
    """patches L47, L48."""
    assert gk.graph_problems(json.dumps(DOCUMENT), context=context) == []
    wrong = json.loads(json.dumps(DOCUMENT))
    wrong["patches"][0]["type"] = "nrom"
    wrong["wires"][0]["to"] = "shake.valu"
    problems = gk.graph_problems(json.dumps(wrong), context=context)
    codes = {problem.code for problem in problems}
    assert {"unknownPatchType", "unknownPort"} <= codes
    first = next(problem for problem in problems if problem.code == "unknownPatchType")
    assert (first.nearest, first.pointer[:9], bool(first.message)) == ("norm", "/patches/", True)
    with pytest.raises(gk.GraphError) as caught:
        gk.Graph.from_json(json.dumps(wrong), context=context)
    assert caught.value.problems == problems
    assert caught.value.code is gk.Status.VALIDATION
    assert pickle.loads(pickle.dumps(caught.value)).problems == problems
    with pytest.raises(gk.ParseError) as malformed:
        gk.Graph.from_json("{", context=context)
    assert isinstance(malformed.value, gk.GraphError)
    assert malformed.value.code is gk.Status.PARSE
    assert malformed.value.problems[0].code == "malformed"


HEAD = '{"format":"gatheredkit.graph","version":1,'


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("", gk.Status.PARSE, "malformed"),
        ('{"format": tru}', gk.Status.PARSE, "malformed"),
        (HEAD + '"patches":{}}', gk.Status.PARSE, "malformed"),
        (HEAD + '"patches":[],"patches":[]}', gk.Status.PARSE, "malformed"),
        (HEAD + '"values":[{"to":"a.b","value":1e999}]}', gk.Status.PARSE, "malformed"),
        (b"\xff\xfe", gk.Status.PARSE, "malformed"),
        (b"{}\0", gk.Status.PARSE, "malformed"),
        ("{}", gk.Status.VALIDATION, "unsupportedVersion"),
        (HEAD.replace("1", "9" * 30) + '"wires":[]}', gk.Status.VALIDATION, "unsupportedVersion"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_hostile_documents_are_refused(
    context: gk.Context, no_leaks: None, text: str | bytes, status: gk.Status, code: str
) -> None:
    """patches L47, C API R8, R11."""
    with pytest.raises(gk.GraphError) as caught:
        gk.Graph.from_json(text, context=context)
    assert caught.value.code is status
    problems = caught.value.problems
    assert problems == gk.graph_problems(text, context=context)
    assert problems[0].code == code
    assert problems[0].message.startswith("line ") == (code == "malformed")


def test_documents_nested_too_deep_are_refused(context: gk.Context, no_leaks: None) -> None:
    """C API R11."""
    for text in ("[" * 200_000, '{"a":' * 100_000):
        with pytest.raises(gk.LimitError, match=r"byte \d+: "):
            gk.Graph.from_json(text, context=context)


def test_drawings_name_children_and_wires(context: gk.Context) -> None:
    """patches L49."""
    graph = gk.Graph.from_json(json.dumps(DOCUMENT), context=context)
    assert graph.to_dot().startswith("digraph")
    assert "shake" in graph.to_dot()
    assert "shake" in graph.to_mermaid()
    assert graph.to_dot() == graph.to_dot()


def test_what_has_no_type_cannot_be_saved(context: gk.Context) -> None:
    """patches L46."""
    graph = gk.Graph(context=context)
    graph.add(gk.Patch(context=context), "mine")
    with pytest.raises(gk.InvalidArgumentError, match="mine"):
        graph.to_json()


def test_nested_graphs_are_graphs(context: gk.Context, no_leaks: None) -> None:
    outer = gk.Graph(context=context)
    inner = outer.add("graph", "inner")
    assert isinstance(inner, gk.Graph)
    inner.add("norm")
    again = gk.Graph.from_json(outer.to_json(), context=context)
    nested = again["inner"]
    assert isinstance(nested, gk.Graph)
    assert list(nested) == ["norm"]
    assert again["inner"] is nested
    del outer, inner, again, nested
    gc.collect()


def test_types_of_ones_own_stand_in_documents(
    context: gk.Context, own_types: None, no_leaks: None
) -> None:
    """patches L54."""

    @gk.patch_type("gain", inputs={"value": "double"}, outputs={"value": "double"})
    class Gain(gk.Patch):
        def __init__(self, factor: float = 1.0, context: gk.Context | None = None) -> None:
            super().__init__(context=context, factor=factor)
            self.factor = factor

        def receive(self, input: str, sample: gk.Sample) -> None:
            self.publish("value", sample.value * self.factor)

    graph = gk.Graph(context=context)
    first = graph.add("gain", "first", factor=3.0)
    second = graph.add(Gain(2.0, context=context), "second")
    assert isinstance(first, Gain)
    first.out["value"] >> second.inputs["value"]
    again = gk.Graph.from_json(graph.to_json(), context=context)
    assert again.to_json() == graph.to_json()
    for loaded in (graph, again):
        last = loaded["second"]
        assert isinstance(last, Gain)
        assert last.factor == 2.0
        seen = heard(last.out["value"])
        loaded["first"].inputs["value"].value = 5.0
        assert seen == [30.0]
    del graph, again, first, second, last, loaded
    gc.collect()


def test_a_type_may_make_patches_of_other_types_inside(
    context: gk.Context, own_types: None, no_leaks: None
) -> None:
    @gk.patch_type("inner", inputs={"x": "any"}, outputs={"x": "any"})
    def inner(patch: gk.Patch, input: str, sample: gk.Sample) -> None:
        patch.publish("x", ["inner", sample.value])

    @gk.patch_type("outer", inputs={"x": "any"}, outputs={"x": "any"})
    class Outer(gk.Patch):
        def __init__(self, context: gk.Context) -> None:
            super().__init__(context=context)
            self.inside = gk.Patch("inner", context=context)
            self.inside.out["x"].subscribe(lambda value: self.publish("x", value))

        def receive(self, input: str, sample: gk.Sample) -> None:
            self.inside.inputs["x"].value = sample.value

    assert inner.registered_type == "inner"
    graph = gk.Graph(context=context)
    for _ in range(2):
        graph.add(Outer(context))
        graph.add("inner")
    assert list(graph) == ["outer", "inner", "outer2", "inner2"]
    seen = heard(graph["outer2"].out["x"])
    graph["outer2"].inputs["x"].value = 1
    assert seen == [["inner", 1]]
    del graph
    gc.collect()


def test_a_constructor_that_fails_fails_the_document(
    context: gk.Context, own_types: None, unraisable: list[Any]
) -> None:
    @gk.patch_type("moody")
    class Moody(gk.Patch):
        def __init__(self, mood: str = "good", context: gk.Context | None = None) -> None:
            super().__init__(context=context, mood=mood)
            if mood == "bad":
                raise gk.InvalidArgumentError("in a bad mood")

    graph = gk.Graph(context=context)
    with pytest.raises(gk.InvalidArgumentError):
        graph.add("moody", mood="bad")
    graph.add("moody")
    text = graph.to_json()
    assert list(gk.Graph.from_json(text, context=context)) == ["moody"]
    with pytest.raises(gk.GatheredKitError):
        gk.Graph.from_json(
            text.replace('"good"', '"bad"') if '"good"' in text else "{", context=context
        )
    assert issubclass(Moody, gk.Patch)
