"""Writes `gatheredkit/_native.py` from `include/gatheredkit.h`.

python tools/generate_native.py          # writes the file
python tools/generate_native.py --check  # fails if the file is not up to date
"""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from header import Declarator, Function, Header, Struct, read_header

FOLDER = Path(__file__).resolve().parents[1]
HEADER = FOLDER.parents[1] / "include" / "gatheredkit.h"
OUTPUT = FOLDER / "gatheredkit" / "_native.py"

SCALARS = {
    "bool": "c_bool",
    "char": "c_char",
    "double": "c_double",
    "int": "c_int",
    "int32_t": "c_int32",
    "int64_t": "c_int64",
    "gkit_status": "c_int32",
    "size_t": "c_size_t",
    "uint32_t": "c_uint32",
    "uint64_t": "c_uint64",
}

# Enumerations whose Python name is not simply the word after GKIT_.
GROUP_NAMES = {
    "ERROR": "Status",
    "TYPE": "ValueType",
    "SAMPLE": "SampleStatus",
    "FLAG": "SampleFlag",
    "STATE": "SourceState",
    "EVENT": "EventType",
    "PROPERTY": "PropertyFlag",
    "LOG": "LogLevel",
    "FUTURE": "FutureFlag",
}
FLAGS = {"FLAG", "PROPERTY", "FUTURE"}

PREAMBLE = '''"""The C interface as ctypes sees it.

Generated from include/gatheredkit.h by tools/generate_native.py. Do not edit: change the header.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any


class OpenIntEnum(IntEnum):
    """An `IntEnum` for which a newer library's number is a member too, named `UNKNOWN_<number>`."""

    @classmethod
    def _missing_(cls, value: object) -> OpenIntEnum | None:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        found = cls._value2member_map_.setdefault(value, member)
        return found if isinstance(found, OpenIntEnum) else member

'''


class Renderer:
    """Turns what the header declares into Python text."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.structs = {struct.name for struct in header.structs}
        self.callbacks = {callback.name for callback in header.callbacks}

    def render(self) -> str:
        """The whole file."""
        version = self.header.version
        lines = [PREAMBLE, f'VERSION = "{".".join(map(str, version))}"']
        lines.append(f"VERSION_PARTS = {version}")
        lines += [f"{name.removeprefix('GKIT_')} = 0x{n:X}" for name, n in self.header.constants]
        for group in self.header.groups:
            lines += ["", "", *self.enumeration(group)]
        for struct in self.header.structs:
            lines += ["", "", *self.struct(struct)]
        lines += ["", "", *self.sizes(), ""]
        for callback in self.header.callbacks:
            lines += self.callback(callback)
        lines += ["", *self.prototypes(), "", "", *self.interface()]
        return "\n".join(lines) + "\n"

    def enumeration(self, group: list[tuple[str, int]]) -> list[str]:
        """One IntEnum or IntFlag; the statuses keep GKIT_OK as OK and GKIT_ERROR as ERROR."""
        prefix = group[-1][0].split("_")[1]
        name = GROUP_NAMES.get(prefix, prefix.capitalize())
        base = "IntFlag" if prefix in FLAGS else "OpenIntEnum"
        lines = [f"class {name}({base}):", f'    """GKIT_{prefix}_* of the C interface."""', ""]
        for constant, number in group:
            member = constant.removeprefix("GKIT_").removeprefix(f"{prefix}_")
            lines.append(f"    {member} = {number}")
        return lines

    def struct(self, struct: Struct) -> list[str]:
        """One ctypes.Structure, its union before it."""
        lines: list[str] = []
        fields = [(m.name, self.field(m)) for m in struct.members]
        if struct.union:
            union = f"{struct.name}_{struct.union_name}"
            members = [(member.name, self.field(member)) for member in struct.union]
            lines += [*_layout(union, "Union", members), "", ""]
            fields.append((struct.union_name, union))
        return lines + _layout(struct.name, "Structure", fields)

    def field(self, member: Declarator) -> str:
        """The type of a member: handles and bytes are addresses, texts are `c_char_p`."""
        if member.pointers:
            return "ctypes.c_char_p" if member.type == "char" else "ctypes.c_void_p"
        name = self.scalar(member.type)
        return f"{name} * {member.length}" if member.length else name

    def scalar(self, name: str) -> str:
        """A type without a star."""
        return name if name in self.structs else f"ctypes.{SCALARS[name]}"

    def parameter(self, parameter: Declarator) -> str:
        """The type of a parameter."""
        name, stars = parameter.type, parameter.pointers
        if name in self.callbacks:
            return name
        if stars == 0:
            return self.scalar(name)
        if name == "char":
            return "ctypes.c_char_p" if stars == 1 else "ctypes.POINTER(ctypes.c_void_p)"
        if stars == 1 and (name in self.structs or name in SCALARS):
            return f"ctypes.POINTER({self.scalar(name)})"
        return "ctypes.c_void_p" if stars == 1 else "ctypes.POINTER(ctypes.c_void_p)"

    def python(self, parameter: Declarator) -> str:
        """The Python type of a parameter; a buffer to write to is no `bytes`."""
        is_buffer = parameter.type == "char" and parameter.pointers and not parameter.constant
        return "Any" if is_buffer else _python(self.parameter(parameter))

    def result(self, function: Function) -> str:
        """The type of a result; text that must be freed stays an address."""
        if function.result.type == "void" and not function.result.pointers:
            return "None"
        owned = {"gkit_describe", "gkit_value_to_json"}
        return "ctypes.c_void_p" if function.name in owned else self.parameter(function.result)

    def callback(self, callback: Function) -> list[str]:
        """A callback type: pointers to samples stay addresses, for a callback pays for each."""
        items = [self.result(callback)]
        for parameter in callback.parameters:
            samples = parameter.type == "gkit_sample" and parameter.pointers
            items.append("ctypes.c_void_p" if samples else self.parameter(parameter))
        return _call(f"{callback.name} = ctypes.CFUNCTYPE(", items, ")")

    def prototypes(self) -> list[str]:
        """The table from which the loaded library is bound."""
        lines = ["# Name -> (result, *parameters)", "PROTOTYPES: dict[str, tuple[Any, ...]] = {"]
        for function in self.header.functions:
            types = [self.result(function), *map(self.parameter, function.parameters)]
            tail = ",)," if len(types) == 1 else "),"
            body = _call(f'"{function.name}": (', types, tail)
            lines += ["    " + line for line in body]
        return [*lines, "}"]

    def sizes(self) -> list[str]:
        """The sizes the header asserts, with the machine's own word."""
        lines = ["# Struct -> the size the header asserts"]
        lines.append("SIZES: dict[type[ctypes.Structure], int] = {")
        for name, size in self.header.sizes.items():
            size = size.replace("sizeof(void *)", "ctypes.sizeof(ctypes.c_void_p)")
            lines.append(f"    {name}: {size.strip()},")
        return [*lines, "}"]

    def interface(self) -> list[str]:
        """A class with one typed attribute a function."""
        lines = ["class Native:", '    """The functions of a loaded library."""', ""]
        for function in self.header.functions:
            types = [self.python(parameter) for parameter in function.parameters]
            items = [f"[{', '.join(types)}]", _python(self.result(function))]
            lines += ["    " + line for line in _call(f"{function.name}: Callable[", items, "]")]
        return lines


def _layout(name: str, base: str, fields: list[tuple[str, str]]) -> list[str]:
    title = name.removesuffix("_as")
    lines = [f"class {name}(ctypes.{base}):", f'    """`{title}` of the C interface."""', ""]
    lines += ["    _fields_ = ("]
    lines += [f'        ("{_safe(field)}", {kind}),' for field, kind in fields]
    return [*lines, "    )"]


def _safe(field: str) -> str:
    """`as` is a word of Python."""
    return f"{field}_" if keyword.iskeyword(field) else field


def _call(head: str, items: list[str], tail: str) -> list[str]:
    """`head item, item tail` on one line, or one item a line where that is too long."""
    line = head + ", ".join(items) + tail
    if len(line) <= 96:
        return [line]
    return [head, *(f"    {item}," for item in items), tail]


def _python(kind: str) -> str:
    """The Python type of a ctypes type."""
    if kind == "None" or kind.startswith("ctypes.c_bool"):
        return "None" if kind == "None" else "bool"
    if kind == "ctypes.c_void_p":
        return "int | None"
    if kind == "ctypes.c_char_p":
        return "bytes | None"
    if kind == "ctypes.c_double":
        return "float"
    if kind.startswith("ctypes.c_") and "*" not in kind:
        return "int"
    return "Any"


def main(arguments: list[str]) -> int:
    """Writes or, with --check, compares."""
    text = Renderer(read_header(HEADER.read_text("utf-8"))).render()
    if arguments == ["--check"]:
        return 0 if OUTPUT.read_text("utf-8") == text else 1
    OUTPUT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
