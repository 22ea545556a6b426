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
    text: str = ""


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
    docs: dict[str, str] = field(default_factory=dict)
    """Comments by name: `gkit_free`, `gkit_value.type`, `GKIT_OK`, `GKIT_TYPE_*` of a list."""


class HeaderError(ValueError):
    """The header contains something this reader does not know."""


_WORD = re.compile(r"[A-Za-z_]\w*")
_MARK = re.compile(r"@(\d+)@")


def read_header(text: str) -> Header:
    """Takes the text of the header apart."""
    header = Header()
    comments: list[str] = []
    text = re.sub(r"/\*.*?\*/", lambda found: _mark(found[0], comments), text, flags=re.DOTALL)
    _read_macros(text, header)
    header.sizes.update(re.findall(r"_Static_assert\(sizeof\((\w+)\) == ([^,]+),", text))
    documented = re.findall(r"@(\d+)@\s*^#define (GKIT_\w+)", text, re.MULTILINE)
    header.docs.update((name, comments[int(number)]) for number, name in documented)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\b(GKIT_API|GKIT_NODISCARD|GKIT_BEGIN_DECLS|GKIT_END_DECLS)\b", "", text)
    for statement in _statements(text):
        _read_statement(" ".join(statement.split()), header, comments)
    return header


def _mark(comment: str, comments: list[str]) -> str:
    """What stands in place of a comment: one that documents leaves its number."""
    if not comment.startswith("/**"):
        return " "
    lines = comment.removeprefix("/**").removesuffix("*/").strip().splitlines()
    comments.append("\n".join([lines[0], *(line.removeprefix("    ") for line in lines[1:])]))
    return f" @{len(comments) - 1}@ "


def _documented(text: str, comments: list[str]) -> tuple[str, str]:
    """Splits the comment in front of a declaration off: the last one, where several stand there."""
    number = None
    while match := _MARK.match(text.strip()):
        number = int(match[1])
        text = text.strip()[match.end() :]
    return ("" if number is None else comments[number]), text.strip()


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
        words = _MARK.sub("", piece).split(maxsplit=2) if character == "}" and depth == 0 else []
        inline = words[:2] == ["static", "inline"]
        if inline or (character == ";" and depth == 0):
            found.append(piece.strip().rstrip(";"))
            start = position + 1
    if text[start:].strip():
        raise HeaderError(f"left over: {text[start:].strip()[:60]}")
    return found


def _read_statement(text: str, header: Header, comments: list[str]) -> None:
    doc, text = _documented(text, comments)
    if text.startswith(("static inline ", "static_assert(", "_Static_assert(")):
        return
    # Those of the Arrow C interfaces, which are passed on as addresses.
    if text.startswith("struct Arrow"):
        return
    name = ""
    if match := re.fullmatch(r"typedef struct (\w+) (\w+)", text):
        name = match[2]
        header.handles.append(name)
    elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} (\w+)", text):
        name = match[3]
        header.structs.append(_read_struct(name, match[2], header.docs, comments))
    elif match := re.fullmatch(r"enum \{(.*)\}", text):
        group = _read_enumerators(match[1], header.docs, comments)
        header.groups.append(group)
        name = f"GKIT_{group[-1][0].split('_')[1]}_*"
    elif match := re.fullmatch(r"typedef (.+?)\(\*(\w+)\)\((.*)\)", text):
        name = match[2]
        header.callbacks.append(_read_function(match[1] + name, match[3]))
    elif match := re.fullmatch(r"(.+?)\((.*)\)", text):
        header.functions.append(_read_function(match[1], match[2]))
        name = header.functions[-1].name
    elif text == "typedef int32_t gkit_status":
        name = "gkit_status"
    elif text:
        raise HeaderError(f"unknown statement: {text[:60]}")
    if name and doc:
        header.docs[name] = doc


def _read_enumerators(
    text: str, docs: dict[str, str], comments: list[str]
) -> list[tuple[str, int]]:
    pairs: list[tuple[str, int]] = []
    for piece in filter(None, (part.strip() for part in text.split(","))):
        doc, constant = _documented(piece, comments)
        name, _, number = (part.strip() for part in constant.partition("="))
        value = int(number, 0) if number else (pairs[-1][1] + 1 if pairs else 0)
        pairs.append((name, value))
        if doc:
            docs[name] = doc
    return pairs


def _read_struct(name: str, body: str, docs: dict[str, str], comments: list[str]) -> Struct:
    union: tuple[Declarator, ...] = ()
    union_name = ""
    if match := re.search(r"union \{(.*)\} (\w+);", body):
        union_name = match[2]
        union = _read_members(f"{name}.{union_name}", match[1], docs, comments)
        body = body.replace(match[0], "")
    return Struct(name, _read_members(name, body, docs, comments), union, union_name)


def _read_members(
    owner: str, body: str, docs: dict[str, str], comments: list[str]
) -> tuple[Declarator, ...]:
    members: list[Declarator] = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        doc, declaration = _documented(line, comments)
        first, *others = (part.strip() for part in declaration.split(","))
        declarator = read_declarator(first)
        found = [declarator]
        for other in others:
            text = f"{declarator.type} {other}"
            found.append(Declarator(declarator.type, 0, other, text=text))
        members += found
        if doc:
            docs.update((f"{owner}.{member.name}", doc) for member in found)
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
    plain = re.sub(r"(\*) (?=\w)", r"\1", " ".join(text.replace("GKIT_NULLABLE", " ").split()))
    return Declarator(words[0], text.count("*"), words[1], nullable, size, "const" in text, plain)
