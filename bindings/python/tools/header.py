"""Reads `include/gatheredkit.h`: its constants, structs, callbacks and functions.

It understands the C this header is written in and nothing more: whatever it does not recognise is
an error, so that a new construct cannot be dropped from the bindings in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Declarator:
    """A parameter, a member or a result: `const char *GKIT_NULLABLE unit`."""

    type: str
    pointers: int
    name: str
    nullable: bool = False
    length: int = 0
    constant: bool = False


@dataclass(frozen=True)
class Function:
    """A function or, without `GKIT_API`, the type of a callback."""

    name: str
    result: Declarator
    parameters: tuple[Declarator, ...]


@dataclass(frozen=True)
class Struct:
    """A struct and, for a frozen one, the size the header asserts."""

    name: str
    members: tuple[Declarator, ...]
    union: tuple[Declarator, ...] = ()
    union_name: str = ""


@dataclass
class Header:
    """What the header declares, in its order."""

    version: tuple[int, int, int] = (0, 0, 0)
    handles: list[str] = field(default_factory=list)
    constants: list[tuple[str, int]] = field(default_factory=list)
    groups: list[list[tuple[str, int]]] = field(default_factory=list)
    structs: list[Struct] = field(default_factory=list)
    callbacks: list[Function] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    sizes: dict[str, str] = field(default_factory=dict)


class HeaderError(ValueError):
    """The header contains something this reader does not know."""


_WORD = re.compile(r"[A-Za-z_]\w*")


def read_header(text: str) -> Header:
    """Takes the text of the header apart."""
    header = Header()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    _read_macros(text, header)
    header.sizes.update(re.findall(r"_Static_assert\(sizeof\((\w+)\) == ([^,]+),", text))
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\b(GKIT_API|GKIT_NODISCARD|GKIT_BEGIN_DECLS|GKIT_END_DECLS)\b", "", text)
    for statement in _statements(text):
        _read_statement(" ".join(statement.split()), header)
    return header


def _read_macros(text: str, header: Header) -> None:
    macros = dict(re.findall(r"^#define (GKIT_\w+) ((?:0x)?[0-9A-Fa-f]+)u?$", text, re.MULTILINE))
    parts = [int(macros.pop(f"GKIT_VERSION_{part}")) for part in ("MAJOR", "MINOR", "PATCH")]
    header.version = (parts[0], parts[1], parts[2])
    header.constants += [(name, int(number, 0)) for name, number in macros.items()]


def _statements(text: str) -> list[str]:
    """Splits at the top level: a statement ends with `;`, or is an inline function."""
    found: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        piece = text[start : position + 1]
        inline = character == "}" and depth == 0 and piece.split()[:2] == ["static", "inline"]
        if inline or (character == ";" and depth == 0):
            found.append(piece.strip().rstrip(";"))
            start = position + 1
    if text[start:].strip():
        raise HeaderError(f"left over: {text[start:].strip()[:60]}")
    return found


def _read_statement(text: str, header: Header) -> None:
    if text.startswith(("static inline ", "static_assert(", "_Static_assert(")):
        return
    # Those of the Arrow C interfaces, which are passed on as addresses.
    if text.startswith("struct Arrow"):
        return
    if match := re.fullmatch(r"typedef struct (\w+) (\w+)", text):
        header.handles.append(match[2])
    elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} (\w+)", text):
        header.structs.append(_read_struct(match[3], match[2]))
    elif match := re.fullmatch(r"enum \{(.*)\}", text):
        header.groups.append(_read_enumerators(match[1]))
    elif match := re.fullmatch(r"typedef (.+?)\(\*(\w+)\)\((.*)\)", text):
        header.callbacks.append(_read_function(match[1] + match[2], match[3]))
    elif match := re.fullmatch(r"(.+?)\((.*)\)", text):
        header.functions.append(_read_function(match[1], match[2]))
    elif text not in ("typedef int32_t gkit_status", ""):
        raise HeaderError(f"unknown statement: {text[:60]}")


def _read_enumerators(text: str) -> list[tuple[str, int]]:
    pairs: list[tuple[str, int]] = []
    for piece in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = piece.partition("=")
        value = int(number, 0) if number else (pairs[-1][1] + 1 if pairs else 0)
        pairs.append((name.strip(), value))
    return pairs


def _read_struct(name: str, body: str) -> Struct:
    union: tuple[Declarator, ...] = ()
    union_name = ""
    if match := re.search(r"union \{(.*)\} (\w+);", body):
        union, union_name = _read_members(match[1]), match[2]
        body = body.replace(match[0], "")
    return Struct(name, _read_members(body), union, union_name)


def _read_members(body: str) -> tuple[Declarator, ...]:
    members: list[Declarator] = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        first, *others = (part.strip() for part in line.split(","))
        declarator = read_declarator(first)
        members.append(declarator)
        members += [Declarator(declarator.type, 0, other) for other in others]
    return tuple(members)


def _read_function(head: str, parameters: str) -> Function:
    result = read_declarator(head)
    pieces = [] if parameters.strip() == "void" else parameters.split(",")
    return Function(result.name, result, tuple(read_declarator(piece) for piece in pieces))


def read_declarator(text: str) -> Declarator:
    """Reads `const gkit_sample *samples` or `double vector[4]`."""
    nullable = "GKIT_NULLABLE" in text
    length = re.search(r"\[(\d+)\]", text)
    words = _WORD.findall(text.replace("GKIT_NULLABLE", " "))
    words = [word for word in words if word not in ("const", "struct")]
    if len(words) != 2:
        raise HeaderError(f"unknown declaration: {text.strip()}")
    size = int(length[1]) if length else 0
    return Declarator(words[0], text.count("*"), words[1], nullable, size, "const" in text)
