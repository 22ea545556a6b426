"""Data sources that the patch `record` appends to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

Query = gk.Query

COLUMNS = [
    {"name": "id", "type": "int"},
    {"name": "source", "type": "string"},
    {"name": "time", "type": "time", "index": True},
    {"name": "value", "type": "double", "nullable": True},
]


def test_a_table_has_a_row_a_sample(context: gk.Context, tmp_path: Path) -> None:
    options: dict[str, Any] = {"path": tmp_path / "log.sqlite", "table": "t", "columns": COLUMNS}
    with gk.DataSource("sqlite", name="log", context=context, **options) as log:
        patch = gk.Patch("record", store="log", name="level", context=context)
        for value in (1, 2.5, None):
            patch.inputs["value"].value = value
        rows = log.get_all(Query.all())
        assert [(row["id"], row["source"], row["value"]) for row in rows] == [
            (1, "level", 1.0),
            (2, "level", 2.5),
            (3, "level", None),
        ]
        assert all(isinstance(row["time"], gk.Time) for row in rows)
        with pytest.raises(gk.ExistsError):
            gk.DataSource("memory", name="log", context=context)
    with pytest.raises(gk.InvalidArgumentError, match="store"):
        gk.Patch("record", store="log", context=context)
    gk.DataSource("memory", name="log", context=context).close()


def test_what_is_refused_is_an_error_of_the_patch(context: gk.Context, tmp_path: Path) -> None:
    """patches L30"""
    options: dict[str, Any] = {"path": tmp_path / "log.sqlite", "table": "t", "columns": COLUMNS}
    log = gk.DataSource("sqlite", name="log", context=context, **options)
    patch = gk.Patch("record", store="log", context=context)
    told: list[Any] = []
    patch.errors.subscribe(told.append)
    patch.inputs["value"].value = "text"
    assert log.get_all(Query.all()) == []
    while context.dispatch(0):
        pass
    assert len(told) == 1
    assert "does not fit the column value" in str(told[0])
    assert patch.error_count == 1


def test_functions_are_named_by_a_decorator(context: gk.Context) -> None:
    rows: list[Any] = []

    def put(query: gk.Query, row: Any) -> Any:
        rows.append(row)
        return row

    kept = gk.DataSource.custom(put=put, context=context).retry(0, name="mine")
    gk.Patch("record", store="mine", name="level", context=context).inputs["value"].value = 7
    while context.dispatch(0):
        pass
    assert [(row["source"], row["value"]) for row in rows] == [("level", 7)]
    kept.close()
