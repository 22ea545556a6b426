"""Drawings of graphs, read by those they are for."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gatheredkit as gk

from .patience import PATIENCE

GRAPHS = sorted((Path(__file__).parents[2] / "graphs").glob("*.json"))

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
