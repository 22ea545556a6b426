"""How the package is built: modules in layers, with no way back and no grip into each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import gatheredkit as gk

PACKAGE = Path(gk.__file__).parent
NAMES = sorted(path.stem for path in PACKAGE.glob("*.py"))

# Where values of C are, which have no type of Python.
UNTYPED = {"_abi", "_callbacks", "_native", "_trampolines"}

# How often `Any` stands elsewhere, where a precise type would force casts in ordinary programs: a
# comment at each place says why.
ANY = {"_delivery": 1, "_patch": 3, "_variables": 1}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))


def imported(node: ast.AST) -> set[str]:
    """The modules of the package that a statement imports."""
    if not isinstance(node, ast.ImportFrom) or node.level != 1:
        return set()
    return {node.module} if node.module else {alias.name for alias in node.names}


def imports_of(name: str) -> set[str]:
    """The modules that a module imports anywhere, for type checkers alone included."""
    return {found for node in ast.walk(tree(name)) for found in imported(node)}


GRAPH = {name: imports_of(name) for name in NAMES}


def level(name: str, above: tuple[str, ...] = ()) -> int:
    """The length of the longest chain of imports from a module; fails for a circle."""
    assert name not in above, " -> ".join((*above, name))
    return 1 + max((level(found, (*above, name)) for found in sorted(GRAPH[name])), default=0)


def inner_imports(name: str) -> Iterator[str]:
    for function in ast.walk(tree(name)):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for node in ast.walk(function):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    yield f"{name}.py:{node.lineno}"


def foreign_privates(name: str) -> Iterator[str]:
    """Uses of `other._x`; a name with an underscore at both ends is a protocol of another tool."""
    for node in ast.walk(tree(name)):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
            continue
        if node.attr.endswith("_") or is_own(node.value):
            continue
        yield f"{name}.py:{node.lineno}: {ast.unparse(node)}"


def is_own(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "super"
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def uses_of_any(name: str) -> Iterator[str]:
    """Where `Any` stands."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Name) and node.id == "Any":
            yield f"{name}.py:{node.lineno}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value == "Any":
            yield f"{name}.py:{node.lineno}"


@pytest.mark.parametrize("name", NAMES)
def test_no_module_imports_what_imports_it(name: str) -> None:
    assert level(name) <= len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_imports_stand_at_the_top(name: str) -> None:
    assert list(inner_imports(name)) == []


@pytest.mark.parametrize("name", sorted({*NAMES} - {"_native"}))
def test_what_is_private_to_an_object_stays_there(name: str) -> None:
    assert list(foreign_privates(name)) == []


@pytest.mark.parametrize("name", sorted({*NAMES} - UNTYPED))
def test_values_have_types(name: str) -> None:
    places = list(uses_of_any(name))
    assert len(places) == ANY.get(name, 0), places


if __name__ == "__main__":
    own = [name for name in NAMES if name != "__init__"]
    print(f"modules {len(own)}")
    for what, found in (
        ("imports in functions", inner_imports),
        ("foreign privates", foreign_privates),
        ("Any", uses_of_any),
    ):
        places = [place for name in own for place in found(name)]
        outside = [place for place in places if place.split(".py")[0] not in UNTYPED]
        print(f"{what} {len(places)}, outside of {', '.join(sorted(UNTYPED))}: {len(outside)}")
    print(f"levels {max(level(name) for name in NAMES)}")
