"""The C interface as a tree: functions, lists of numbers, structs and their layouts, comments."""

from __future__ import annotations

import json
import re
from typing import Any

from generate_native import FLAGS, GROUP_NAMES
from header import Declarator, Function, Header, Struct

# Bytes of each type, which are its alignment too; those of a pointer by architecture.
SIZES = {"bool": 1, "int32_t": 4, "uint32_t": 4, "gkit_status": 4}
SIZES |= {"int64_t": 8, "uint64_t": 8, "double": 8}
ARCHITECTURES = {"x86_64": 8, "aarch64": 8}

WORDS = {
    "lent": "the host's; it must live until the call returns",
    "used": "the host's; it must live as long as the value that is made of it is used",
    "kept": "the host's; the library keeps it until `destroy` has run",
    "filled": "memory of the host that the function writes",
    "owned": "the host's from now on: it is freed by the function that `free` names",
    "given": "the host's reference or memory, which the call takes from it",
    "borrowed": "the library's; see OWNERSHIP in gatheredkit.h for how long it is valid",
}


def enum_name(prefix: str) -> str:
    """The name of a list as its name function has it: `GKIT_TYPE_*` is `value_type`."""
    name = GROUP_NAMES.get(prefix, prefix.capitalize())
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def read_comment(text: str) -> dict[str, Any]:
    """Takes a comment apart: what it says, of each parameter, of the result, and since when."""
    parts = re.split(r"@(param(?:\[[a-z,]+\])? \w+|return|since)\s+", text)
    found: dict[str, Any] = {"doc": parts[0].strip(), "parameters": {}, "directions": {}}
    for tag, words in zip(parts[1::2], parts[2::2], strict=True):
        if match := re.match(r"param(?:\[([a-z,]+)\])? (\w+)", tag):
            found["parameters"][match[2]] = " ".join(words.split())
            if match[1]:
                found["directions"][match[2]] = match[1].replace(",", "")
        else:
            found[tag] = " ".join(words.split())
    return found


class Description:
    """Turns what the header declares into the tree that is written as JSON."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.structs = {struct.name: struct for struct in header.structs}
        self.callbacks = {callback.name for callback in header.callbacks}

    def render(self) -> str:
        """The whole file."""
        version = ".".join(map(str, self.header.version))
        tree = {
            "format": 1,
            "library": f"libgatheredkit.so.{self.header.version[0]}",
            "version": version,
            "ownership": WORDS,
            "types": [{"name": "gkit_status", "type": "int32_t", **self.comment("gkit_status")}],
            "handles": [{"name": name, **self.comment(name)} for name in self.header.handles],
            "constants": [
                {"name": name, "value": number, **self.comment(name)}
                for name, number in self.header.constants
            ],
            "enums": [self.enumeration(group) for group in self.header.groups],
            "structs": [self.struct(struct) for struct in self.header.structs],
            "callbacks": [self.function(callback) for callback in self.header.callbacks],
            "functions": [self.function(function) for function in self.header.functions],
        }
        return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"

    def comment(self, name: str) -> dict[str, str]:
        """What the header says of a name; what it does not say is left out."""
        found = read_comment(self.header.docs.get(name, ""))
        return {key: found[key] for key in ("doc", "since") if found.get(key)}

    def enumeration(self, group: list[tuple[str, int]]) -> dict[str, Any]:
        """A list of numbers, with the function that names them."""
        prefix = group[-1][0].split("_")[1]
        name = enum_name(prefix)
        function = next(f for f in self.header.functions if f.name == f"gkit_{name}_name")
        return {
            "name": name,
            **self.comment(f"GKIT_{prefix}_*"),
            "type": function.parameters[0].type,
            "flags": prefix in FLAGS,
            "name_function": function.name,
            "values": [
                {"name": constant, "value": number, **self.comment(constant)}
                for constant, number in group
            ],
        }

    def struct(self, struct: Struct) -> dict[str, Any]:
        """A struct with its layout on each architecture."""
        members = [self.member(struct.name, member) for member in struct.members]
        if struct.union:
            owner = f"{struct.name}.{struct.union_name}"
            union = [self.member(owner, member) for member in struct.union]
            members.append({"name": struct.union_name, "union": union})
        return {
            "name": struct.name,
            **self.comment(struct.name),
            "frozen": struct.name in self.header.sizes,
            "members": members,
            "layout": {name: self.layout(struct, size) for name, size in ARCHITECTURES.items()},
        }

    def member(self, owner: str, member: Declarator) -> dict[str, Any]:
        """A member of a struct or of its union."""
        found = {"name": member.name, **self.type(member)}
        return {**found, **self.comment(f"{owner}.{member.name}")}

    def type(self, declarator: Declarator) -> dict[str, Any]:
        """What a declaration says of its type."""
        spelling = declarator.text.rpartition(declarator.name)[0].strip()
        found: dict[str, Any] = {"c": spelling, "type": declarator.type}
        if declarator.length:
            found["length"] = declarator.length
        if declarator.pointers:
            found["pointers"] = declarator.pointers
            found["const"] = declarator.constant
        if declarator.pointers or declarator.type in self.callbacks:
            found["nullable"] = declarator.nullable or declarator.name == "user_data"
        return found

    def layout(self, struct: Struct, pointer: int) -> dict[str, Any]:
        """Size, alignment and offsets, as the C of every Linux lays a struct out."""
        offsets: dict[str, int] = {}
        end, alignment = 0, 1
        for member in struct.members:
            size, align = self.extent(member, pointer)
            end = -(-end // align) * align
            offsets[member.name] = end
            end, alignment = end + size, max(alignment, align)
        if struct.union:
            extents = [self.extent(member, pointer) for member in struct.union]
            align = max(one for _, one in extents)
            end = -(-end // align) * align
            offsets[struct.union_name] = end
            offsets |= {f"{struct.union_name}.{member.name}": end for member in struct.union}
            end, alignment = end + max(size for size, _ in extents), max(alignment, align)
        end = -(-end // alignment) * alignment
        return {"size": end, "alignment": alignment, "offsets": offsets}

    def extent(self, member: Declarator, pointer: int) -> tuple[int, int]:
        """The size and the alignment of a member."""
        if member.pointers or member.type == "size_t":
            return pointer, pointer
        if struct := self.structs.get(member.type):
            layout = self.layout(struct, pointer)
            return layout["size"], layout["alignment"]
        return SIZES[member.type] * max(member.length, 1), SIZES[member.type]

    def function(self, function: Function) -> dict[str, Any]:
        """A function, or the type of a callback."""
        comment = read_comment(self.header.docs.get(function.name, ""))
        is_callback = function.name in self.callbacks
        parameters = []
        for parameter in function.parameters:
            one = {"name": parameter.name, **self.type(parameter)}
            one |= self.transfer(function, parameter, comment, is_callback)
            if words := comment["parameters"].get(parameter.name):
                one["doc"] = words
            parameters.append(one)
        result = self.type(function.result)
        if "pointers" in result:
            result["nullable"] = bool(re.search(r"\bNULL\b", comment.get("return", "")))
            result |= _result_transfer(function)
        if words := comment.get("return"):
            result["doc"] = words
        return {
            "name": function.name,
            **self.comment(function.name),
            "result": result,
            "parameters": parameters,
        }

    def transfer(
        self, function: Function, parameter: Declarator, comment: dict[str, Any], is_callback: bool
    ) -> dict[str, str]:
        """Which way a parameter goes, and whose it is."""
        name, pointers = parameter.name, parameter.pointers
        if parameter.type in self.callbacks or (name == "user_data" and not is_callback):
            return {"direction": "in", "ownership": "kept"}
        if not pointers:
            return {"direction": "in"}
        if function.name in ("gkit_release", "gkit_free"):
            return {"direction": "in", "ownership": "given"}
        if pointers == 2 and "*const" not in parameter.text:
            if parameter.constant:
                return {"direction": "out", "ownership": "borrowed"}
            free = "gkit_free" if parameter.type == "char" else "gkit_release"
            return {"direction": "out", "ownership": "owned", "free": free}
        is_memory = parameter.type not in self.header.handles and parameter.type != "void"
        if is_memory and not parameter.constant:
            is_out = name == "buffer" or name.startswith("out")
            direction = comment["directions"].get(name, "out" if is_out else "inout")
            found = {"direction": direction, "ownership": "filled"}
            if function.name in ("gkit_value_copy", "gkit_value_from_json"):
                found |= {"ownership": "owned", "free": "gkit_value_clear"}
            return found
        is_used = function.name.startswith("gkit_value_set_") and name != "components"
        words = "borrowed" if is_callback else "used" if is_used else "lent"
        if name == "user_data":
            words = "kept"
        return {"direction": "in", "ownership": words}


def _result_transfer(function: Function) -> dict[str, str]:
    """Whose the pointer is that a function returns."""
    if function.result.constant:
        return {"ownership": "borrowed"}
    free = "gkit_free" if function.result.type == "char" else "gkit_release"
    return {"ownership": "owned", "free": free}
