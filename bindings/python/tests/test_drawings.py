"""Drawings of graphs, read by those they are for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gatheredkit as gk

from .patience import PATIENCE

# One with sources of other machines needs these.
GRAPHS = [
    path
    for path in sorted((Path(__file__).parents[2] / "graphs").glob("*.json"))
    if "@" not in path.read_text("utf-8")
]

NASTY = [
    'say "hi"',
    "back\\slash\\",
    "\\n \\N \\G \\L",
    "a --> b",
    "-.->|x|",
    "&amp; &eacute; &#34;",
    "<b>bold</b>",
    "#quot; #35;",
    "%% comment",
    "{[(;)]}",
    "`code`",
    "**strong** _weak_",
    "1. list",
    "- item",
    "  space  ",
    "end",
    "ж 温度 🌡️ \u202eabc",
    "e\u0301",
    "]]></text>",
    "x" * 500,
]


def nasty_graph(context: gk.Context) -> gk.Graph:
    """A wire from and to each of the names, one of them back."""
    graph = gk.Graph(context=context)
    one, two = gk.Patch(context=context), gk.Patch(context=context)
    graph.add(one, "one-1")
    graph.add(two, "subgraph")
    for name in NASTY:
        one.add_output(name) >> two.add_input(name)
    two.add_output("back") >> one.add_input("back")
    return graph


def labels_of(source: str) -> list[str]:
    """What Graphviz writes into its picture; fails if it finds anything to say."""
    found = shutil.which("dot")
    if found is None:
        pytest.skip("Graphviz is not installed (Debian: graphviz)")
    run = subprocess.run(
        [found, "-Tsvg"], input=source.encode(), capture_output=True, timeout=PATIENCE, check=False
    )
    assert (run.returncode, run.stderr.decode()) == (0, "")
    root = ElementTree.fromstring(run.stdout)
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    # Where a text begins and ends SVG needs no-break spaces to keep them.
    return [(text.text or "").replace("\xa0", " ") for text in texts]


def mermaid_labels(source: str) -> tuple[list[str], list[str]]:
    """The labels of nodes and of edges, by Mermaid's grammar of flow charts: ids of letters and
    digits, labels in quotation marks with entity codes for all that could mean something."""
    text = r'"((?:[^\W_]|[ _→]|#[0-9]+;|<br/>)*)"'
    head, *lines = source.splitlines()
    assert head == "flowchart LR"
    nodes, edges = [], []
    for line in lines:
        node = re.fullmatch(rf"  n[0-9]+\[{text}\]", line)
        edge = re.fullmatch(rf"  n[0-9]+ (?:-->|-\.->)\|{text}\| n[0-9]+", line)
        assert node or edge, line
        label = (node or edge)[1]  # type: ignore[index]
        # Markdown takes an underline beside a space for emphasis.
        assert not re.search(r"(?:^|[ _])_|_(?:[ _]|$)", label), line
        decoded = re.sub("#([0-9]+);", lambda code: chr(int(code[1])), label)
        (nodes if node else edges).append(decoded)
    return nodes, edges


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_graphviz_and_mermaid_take_the_examples(path: Path) -> None:
    """patches L49."""
    with gk.Context("sim:phone&clock=manual", loop="manual") as context:
        graph = gk.Graph.load(path, context=context)
        nodes, edges = mermaid_labels(graph.to_mermaid())
        assert [node.split("<br/>")[0] for node in nodes] == list(graph)
        expected = [line for node in nodes for line in node.split("<br/>")]
        assert sorted(labels_of(graph.to_dot())) == sorted(expected + edges)


def test_graphviz_shows_any_name_as_it_is(context: gk.Context) -> None:
    """patches L49: every name escaped, accepted by the tool."""
    labels = labels_of(nasty_graph(context).to_dot())
    # Runs of spaces are kept as no-break spaces.
    assert [name for name in NASTY if f"{name} → {name}" not in labels] == []
    assert "back → back" in labels
    assert {"one-1", "subgraph"} <= set(labels)


def test_labels_for_mermaid_mean_nothing_to_it(context: gk.Context) -> None:
    """patches L49."""
    nodes, edges = mermaid_labels(nasty_graph(context).to_mermaid())
    assert nodes == ["one-1<br/>", "subgraph<br/>"]
    assert edges == [f"{name} → {name}" for name in [*NASTY, "back"]]


def test_drawings_are_the_same_each_time(context: gk.Context) -> None:
    """patches L49."""
    first, second = nasty_graph(context), nasty_graph(context)
    assert first.to_dot() == second.to_dot()
    assert first.to_mermaid() == second.to_mermaid()


# In notebooks.

SVG = "{http://www.w3.org/2000/svg}"


def rectangles(drawn: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    return [
        (x, y, x + float(each.attrib["width"]), y + float(each.attrib["height"]))
        for each in drawn.iter(f"{SVG}rect")
        for x, y in [(float(each.attrib["x"]), float(each.attrib["y"]))]
    ]


def crossings(
    drawn: ElementTree.Element, boxes: list[tuple[float, float, float, float]]
) -> list[tuple[bool, str]]:
    """Whether each wire that leads ahead runs through the inside of a box, by its corners."""
    found = []
    for each in drawn.iter(f"{SVG}path"):
        if "stroke-dasharray" in each.attrib:
            continue
        path = each.attrib["d"]
        ends = re.findall(r"([\d.]+) ([\d.]+)(?:C|H|$)", path)
        level = [
            (float(x), float(y), float(end))
            for x, y, end in re.findall(r" ([\d.]+) ([\d.]+)H([\d.]+)", path)
        ]
        through = any(
            left < end and x < right and top < y < bottom
            for x, y, end in level
            for left, top, right, bottom in boxes
        )
        inside = any(
            left < float(x) < right and top < float(y) < bottom
            for x, y in ends
            for left, top, right, bottom in boxes
        )
        found.append((through or inside, path))
    return found


def all_text(drawn: ElementTree.Element) -> list[str]:
    """What each text says, whole."""
    texts = []
    for each in drawn.iter(f"{SVG}text"):
        title = each.find(f"{SVG}title")
        texts.append((each.text if title is None else title.text) or "")
    return texts


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_a_notebook_shows_boxes_that_do_not_overlap_and_all_wires(path: Path) -> None:
    with gk.Context("sim:phone", loop="manual") as context:
        graph = gk.Graph.load(path, context=context)
        html = graph._repr_html_()
        document = json.loads(graph.to_json())
    drawn = ElementTree.fromstring(html)
    boxes = rectangles(drawn)
    assert len(boxes) == len(document["patches"])
    assert len(list(drawn.iter(f"{SVG}path"))) == len(document["wires"])
    width, height = map(float, drawn.attrib["viewBox"].split()[2:])
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        for other in boxes[:index]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    for passed, wire in crossings(drawn, boxes):
        assert not passed, wire
    texts = all_text(drawn)
    for patch in document["patches"]:
        assert {patch["name"], patch["type"]} <= set(texts)
    assert "script" not in html
    assert html.count("http") == 1


def test_a_wire_past_a_box_runs_beside_it() -> None:
    with gk.Context("sim:empty", loop="manual") as context, gk.Graph(context=context) as graph:
        ends = []
        for name in ("first", "middle", "last"):
            patch = graph.add(gk.Patch(context=context), name)
            ends.append((patch.add_input("a"), patch.add_input("b"), patch.add_output("out")))
        ends[0][2] >> ends[1][0]
        ends[1][2] >> ends[2][0]
        ends[0][2] >> ends[2][1]
        drawn = ElementTree.fromstring(graph._repr_html_())
    found = crossings(drawn, rectangles(drawn))
    assert [passed for passed, _ in found] == [False] * 3
    assert sum("H" in path for _, path in found) == 1


def test_a_wire_leads_to_the_right_or_back_below() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        drawn = ElementTree.fromstring(nasty_graph(context)._repr_html_())
    one, two = sorted(rectangles(drawn))
    assert one[2] < two[0]
    texts = all_text(drawn)
    assert {f"{name} \N{RIGHTWARDS ARROW} {name}" for name in NASTY} <= set(texts)
    assert {"one-1", "subgraph"} <= set(texts)
    dashed = [each for each in drawn.iter(f"{SVG}path") if "stroke-dasharray" in each.attrib]
    assert len(dashed) == 1


def test_an_empty_graph_and_a_closed_one_are_shown_too() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        graph = gk.Graph(context=context)
        assert rectangles(ElementTree.fromstring(graph._repr_html_())) == []
        graph.close()
        assert graph._repr_html_() == "<p>a closed graph</p>"
