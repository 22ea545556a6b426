"""A graph as a picture: boxes in columns, wires from left to right, in SVG without any script."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from html import escape

# What the library writes for Graphviz: a box, or a wire.
_LINE = r'^  n(\d+)(?: -> n(\d+))? \[label="((?:[^"\\]|\\.)*)"(, style=dashed)?\];$'
_HIGH, _GAP_X, _GAP_Y, _LETTER, _LONGEST = 44, 150, 22, 7.5, 22


@dataclass(eq=False)
class _Box:
    """A patch, or room for a wire that passes others by."""

    name: str = ""
    type: str = ""
    high: float = 12.0
    column: int = 0
    x: float = 0.0
    y: float = 0.0
    wide: float = 0.0


@dataclass(eq=False)
class _Wire:
    origin: _Box
    end: _Box
    label: str
    is_feedback: bool
    via: list[_Box] = field(default_factory=list)


def picture(dot: str) -> str:
    """The picture of a graph, of what the library writes of it for Graphviz."""
    boxes, wires = _read(dot)
    rooms = _arrange(boxes, wires)
    width = max((box.x + box.wide for box in boxes), default=0) + 8
    # Wires that lead back run below all boxes.
    back = sum(wire.is_feedback for wire in wires)
    floor = max((box.y + box.high for box in rooms), default=0) + 8
    height = floor + back * 18
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%" fill="currentColor" '
        f'font-family="sans-serif" font-size="12">'
    ]
    parts += _lines(wires, floor)
    parts += [_drawn(box) for box in boxes]
    return "".join([*parts, "</svg>"])


def _read(dot: str) -> tuple[list[_Box], list[_Wire]]:
    boxes: list[_Box] = []
    wires: list[_Wire] = []
    for origin, end, label, dashed in re.findall(_LINE, dot, re.M | re.S):
        if end:
            [words] = _words(label)
            wires.append(_Wire(boxes[int(origin)], boxes[int(end)], words, bool(dashed)))
        else:
            name, kind = _words(label)
            boxes.append(_Box(name, kind, _HIGH))
    return boxes, wires


def _words(label: str) -> list[str]:
    """The lines of a label, without what Graphviz needs to be escaped."""
    lines = [""]
    for escaped, plain in re.findall(r"\\(.)|([^\\]+)", label, re.S):
        if escaped == "n":
            lines.append("")
        else:
            lines[-1] += escaped or plain
    return [line.replace("&amp;", "&") for line in lines]


def _arrange(boxes: list[_Box], wires: list[_Wire]) -> list[_Box]:
    """Puts each box right of all that lead to it, near the middle of them, and makes room for wires
    in the columns between; all that takes room."""
    ahead = [wire for wire in wires if not wire.is_feedback]
    # The longest way has as many boxes as there are, at most.
    for _ in boxes:
        for wire in ahead:
            wire.end.column = max(wire.end.column, wire.origin.column + 1)
    columns: dict[int, list[_Box]] = defaultdict(list)
    before: dict[_Box, list[_Box]] = defaultdict(list)
    for box in boxes:
        columns[box.column].append(box)
    for wire in ahead:
        last = wire.origin
        for column in range(wire.origin.column + 1, wire.end.column):
            passing = _Box(column=column)
            columns[column].append(passing)
            before[passing].append(last)
            wire.via.append(passing)
            last = passing
        before[wire.end].append(last)
    x = 8.0
    for column in sorted(columns):
        y, wide = 8.0, max(map(_width, columns[column]))
        middles = {box: _middle(before[box]) for box in columns[column]}
        for box in sorted(columns[column], key=middles.__getitem__):
            box.x, box.y, box.wide = x, max(y, middles[box] - box.high / 2), wide
            y = box.y + box.high + _GAP_Y
        x += wide + _GAP_X
    return [box for column in columns.values() for box in column]


def _middle(boxes: list[_Box]) -> float:
    return sum(box.y + box.high / 2 for box in boxes) / len(boxes) if boxes else 0.0


def _width(box: _Box) -> float:
    return 16 + _LETTER * max(len(_cut(box.name)), len(_cut(box.type)), 6)


def _lines(wires: list[_Wire], floor: float) -> list[str]:
    """The wires, those of one box below each other."""
    leaving: dict[_Box, list[_Wire]] = defaultdict(list)
    coming: dict[_Box, list[_Wire]] = defaultdict(list)
    for wire in wires:
        leaving[wire.origin].append(wire)
        coming[wire.end].append(wire)
    parts: list[str] = []
    below = floor
    for wire in wires:
        x, y = wire.origin.x + wire.origin.wide, _place(wire.origin, leaving[wire.origin], wire)
        x2, y2 = wire.end.x, _place(wire.end, coming[wire.end], wire)
        path = f"M{x:g} {y:g}"
        if wire.is_feedback:
            path += f"C{x + 40:g} {below:g} {x:g} {below:g} {x - 20:g} {below:g}H{x2 + 20:g}"
            path += f"C{x2:g} {below:g} {x2 - 40:g} {below:g} {x2:g} {y2:g}"
            label, below = ((x + x2) / 2, below - 3), below + 18
        else:
            stops = [(each.x, each.y + each.high / 2, each.wide) for each in wire.via]
            stops.append((x2, y2, 0.0))
            label = (x + stops[0][0]) / 2, (y + stops[0][1]) / 2 - 3
            for left, level, wide in stops:
                bend = (left - x) / 2
                path += f"C{x + bend:g} {y:g} {left - bend:g} {level:g} {left:g} {level:g}"
                path += f"H{left + wide:g}" if wide else ""
                x, y = left + wide, level
        dashes = ' stroke-dasharray="5 4"' if wire.is_feedback else ""
        parts.append(f'<path d="{path}" fill="none" stroke="currentColor"{dashes}/>')
        parts.append(f'<circle cx="{x2:g}" cy="{y2:g}" r="3"/>')
        parts.append(_text(*label, wire.label, ' font-size="10" text-anchor="middle"'))
    return parts


def _place(box: _Box, wires: list[_Wire], wire: _Wire) -> float:
    return box.y + box.high * (wires.index(wire) + 1) / (len(wires) + 1)


def _drawn(box: _Box) -> str:
    outline = f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.wide:g}" height="{_HIGH}" rx="6" '
    outline += 'fill="none" stroke="currentColor"/>'
    middle = box.x + box.wide / 2
    head = _text(middle, box.y + 18, box.name, ' font-weight="bold" text-anchor="middle"')
    return outline + head + _text(middle, box.y + 34, box.type, ' text-anchor="middle"')


def _text(x: float, y: float, words: str, style: str) -> str:
    """Text that is cut where it is too long, and whole in its title."""
    title = f"<title>{_clean(words)}</title>" if _cut(words) != words else ""
    return f'<text x="{x:g}" y="{y:g}"{style}>{title}{_clean(_cut(words))}</text>'


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _clean(words: str) -> str:
    """Escaped, and without characters that no document may have."""
    kept = (each if each >= " " and each not in "\x7f\ufffe\uffff" else "\ufffd" for each in words)
    return escape("".join(kept))
