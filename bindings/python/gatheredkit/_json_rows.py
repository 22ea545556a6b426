"""Rows of a recording as JSON, for messages of MCAP."""

# pyright: basic, reportMissingTypeStubs=false
# The optional packages come without types.

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ._arrow import Recorded, metadata, package

if TYPE_CHECKING:
    import pyarrow

# Converts a value of a column, whose type its field states, for JSON.
_Made = Callable[..., object]


class JSONRows:
    """The rows of a source or stream as JSON, one object each: `boot_ns`, then a member a property.
    A missing value is null, and so is a number that is not finite; a vector is an object of its
    components, a moment its nanoseconds since 1970, bytes are Base64."""

    def __init__(self, rows: Recorded) -> None:
        self._reader = rows.batches()
        schema = self._reader.schema
        told = metadata(schema)
        self.title = told.get("kind", rows.name)
        self.metadata: dict[str, str] = {}
        for key in ("source", "stream", "label"):
            if key in told:
                self.metadata[key] = told[key]
        self._columns: list[tuple[str, _Made]] = [("boot_ns", _plain)]
        properties: dict[str, object] = {"boot_ns": {"type": "integer"}}
        for field in list(schema)[2:]:
            name = metadata(field)["key"]
            description, made = _description(field)
            self._columns.append((name, made))
            properties[name] = description
            if unit := metadata(field).get("unit"):
                self.metadata[f"unit.{name}"] = unit
        self.schema: dict[str, object] = {
            "title": self.title,
            "type": "object",
            "properties": properties,
        }

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        arrow = package("pyarrow", "arrow")
        for batch in self._reader:
            # Moments as integers: `datetime` has no nanoseconds.
            columns = [
                column.cast(arrow.int64()) if arrow.types.is_timestamp(column.type) else column
                for column in batch.columns
            ]
            times, *values = (column.to_pylist() for column in columns)
            for time, *row in zip(times, *values, strict=True):
                members = {
                    name: None if value is None else made(value)
                    for (name, made), value in zip(self._columns, row, strict=True)
                }
                yield time, json.dumps(members, separators=(",", ":"), allow_nan=False).encode()


def _description(field: pyarrow.Field) -> tuple[dict[str, object], _Made]:
    """The JSON schema of a column, and what makes its members."""
    types, told = package("pyarrow", "arrow").types, metadata(field)
    facts: dict[str, object] = {"title": told.get("name", told["key"])}
    if unit := told.get("unit"):
        facts["description"] = f"in {unit}"
    if types.is_fixed_size_list(field.type):
        names = told["components"].split(",")
        numbers = {name: {"type": ["number", "null"]} for name in names}
        return {**facts, "type": ["object", "null"], "properties": numbers}, lambda value: {
            name: _number(number) for name, number in zip(names, value, strict=True)
        }
    if types.is_boolean(field.type):
        return {**facts, "type": ["boolean", "null"]}, _plain
    if types.is_floating(field.type):
        return {**facts, "type": ["number", "null"]}, _number
    if types.is_binary(field.type):
        content = {"type": ["string", "null"], "contentEncoding": "base64"}
        return {**facts, **content}, lambda value: base64.b64encode(value).decode()
    if types.is_string(field.type):
        if told.get("encoding") == "json":
            return facts, json.loads
        return {**facts, "type": ["string", "null"]}, _plain
    if types.is_timestamp(field.type):
        facts["description"] = "nanoseconds since 1970-01-01T00:00:00Z"
    return {**facts, "type": ["integer", "null"]}, _plain


def _plain(value: object) -> object:
    return value


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
