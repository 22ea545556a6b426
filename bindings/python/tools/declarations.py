"""The C interface as declarations for parsers that know no preprocessor."""

from __future__ import annotations

from header import Function, Header, Struct

PREAMBLE = """\
/* gatheredkit.h for the parsers of other runtimes: no macros but the guard, no inline functions, no
 * attributes. It needs bool, size_t and the integers of stdint.h to be known. A parser that knows
 * no preprocessor leaves out the three lines that begin with a hash. The values of
 * GKIT_COLUMN_TIME and GKIT_COLUMN_BOOT, which fit no enum, are in gatheredkit-api.json, and so are
 * all comments.
 *
 * Generated from gatheredkit.h by bindings/python/tools/generate_interface.py. Do not edit.
 */
/* clang-format off */
#ifndef GKIT_FFI_H
#define GKIT_FFI_H
"""


class Declarations:
    """Turns what the header declares into C without a preprocessor."""

    def __init__(self, header: Header) -> None:
        self.header = header

    def render(self) -> str:
        """The whole file."""
        lines = [PREAMBLE + "", "typedef int32_t gkit_status;", ""]
        lines += [f"struct Arrow{name};" for name in ("Schema", "Array", "ArrayStream")]
        lines += [f"typedef struct {name} {name};" for name in self.header.handles]
        for group in self.header.groups:
            lines += ["", "enum {", *(f"  {name} = {number}," for name, number in group)]
            lines[-1] = lines[-1].rstrip(",")
            lines.append("};")
        for struct in self.header.structs:
            lines += ["", *_struct(struct)]
        lines.append("")
        for callback in self.header.callbacks:
            head = callback.result.text.rpartition(callback.name)[0]
            lines += _call(f"typedef {head}(*{callback.name})(", callback)
        lines.append("")
        for function in self.header.functions:
            lines += _call(f"{function.result.text}(", function)
        return "\n".join([*lines, "", "#endif"]) + "\n"


def _struct(struct: Struct) -> list[str]:
    lines = [f"typedef struct {struct.name} {{"]
    lines += [f"  {member.text};" for member in struct.members]
    if struct.union:
        members = [f"    {member.text};" for member in struct.union]
        lines += ["  union {", *members, f"  }} {struct.union_name};"]
    return [*lines, f"}} {struct.name};"]


def _call(head: str, function: Function) -> list[str]:
    """`head parameters);`, broken behind a comma where the line is full."""
    lines = [head]
    items = [parameter.text for parameter in function.parameters] or ["void"]
    for number, item in enumerate(items):
        piece = item + (", " if number + 1 < len(items) else ");")
        if len(lines[-1]) + len(piece.rstrip()) > 100:
            lines[-1] = lines[-1].rstrip()
            lines.append("    ")
        lines[-1] += piece
    return lines
