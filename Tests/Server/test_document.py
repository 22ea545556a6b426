"""The document of the interface, and answers in its shape (serve W22)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from .asking import ask, get
from .serving import Server, gathered


@pytest.fixture(scope="module")
def document(controlled: Server) -> Any:
    """The document of the interface."""
    return get(controlled, "/openapi.json")


# The document


def test_document_is_valid(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_interface_describes_itself(controlled: Server, document: Any) -> None:
    """The overview and the document name the same paths."""
    rows = get(controlled, "")["paths"]
    listed = {(row["method"].lower(), row["path"]) for row in rows}
    paths = document["paths"]
    described = {(method, path) for path, methods in paths.items() for method in methods}
    assert described - {("get", "/api/v1")} == listed - {("get", "/api/v1")}


def test_answers_fit_the_document(controlled: Server, document: Any) -> None:
    """Every path that only reads answers in the shape that the document gives it."""
    names = {"{id}": "battery", "{name}": "steps.gkr"}
    seen = 0
    for path, methods in document["paths"].items():
        if "get" not in methods or "graphs/{name}" in path or path.endswith("/stream"):
            continue
        target = path
        for name, value in names.items():
            target = target.replace(name, value)
        if target.endswith(".csv"):
            target += "?source=memory"
        answer = ask(controlled, target)
        assert answer.status == 200, target
        content = methods["get"]["responses"]["200"]["content"]
        (type_,) = content
        if type_ != "application/json":
            continue
        schema = {**content[type_]["schema"], "components": document["components"]}
        assert list(OAS31Validator(schema).iter_errors(answer.json)) == [], target
        seen += 1
    assert seen >= 8
    error = {"$ref": "#/components/schemas/Error", "components": document["components"]}
    assert list(OAS31Validator(error).iter_errors(ask(controlled, "/nothing").json)) == []


def test_report(controlled: Server) -> None:
    """The doctor's report is the command line's."""
    text = gathered("doctor", "--json", "--context", "sim:phone")
    assert set(get(controlled, "/doctor")) == set(json.loads(text))


def test_metrics(controlled: Server) -> None:
    """The page is Prometheus's own text, or OpenMetrics where that is asked for."""
    text = ask(controlled, "/metrics")
    assert (text.field("Content-Type") or "").startswith("text/plain; version=0.0.4")
    fields = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = ask(controlled, "/metrics", fields=fields)
    assert (answer.field("Content-Type") or "").startswith("application/openmetrics-text")
    assert answer.body.endswith(b"# EOF\n")
    assert b"# EOF" not in text.body
