"""What other runtimes read is the header's, and true of the library: C API R21 and R23."""

from __future__ import annotations

import ctypes
import json
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import declarations
import generate_interface
import pytest
from header import read_header

from gatheredkit import _library, _native

CHECKOUT = Path(__file__).resolve().parents[3]
INCLUDE = CHECKOUT / "include"
STANDARD = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """The description as a runtime reads it."""
    read: dict[str, Any] = json.loads(generate_interface.DESCRIPTION.read_text("utf-8"))
    return read


def compile_c(source: str, *options: str, compiler: str = "gcc") -> None:
    """Compiles C as strictly as the tests of C are."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-xc", "-"]
    command += [f"-I{INCLUDE}", *options]
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


def places(struct: dict[str, Any], architecture: str) -> list[tuple[str, int]]:
    """What C calls each number of a layout."""
    name, layout = struct["name"], struct["layout"][architecture]
    found = [(f"sizeof({name})", layout["size"])]
    found.append((f"_Alignof({name})", layout["alignment"]))
    found += [(f"offsetof({name}, {key})", at) for key, at in layout["offsets"].items()]
    return found


def test_the_committed_files_are_what_the_generator_writes() -> None:
    for path, text in generate_interface.files().items():
        assert path.read_text("utf-8") == text, path.name
    assert generate_interface.main(["--check"]) == 0


def test_every_function_is_exported_and_no_other_is_described(described: dict[str, Any]) -> None:
    library = ctypes.CDLL(_library.library_path())
    names = [function["name"] for function in described["functions"]]
    assert set(names) == set(_native.PROTOTYPES)
    assert [name for name in names if not hasattr(library, name)] == []


def test_a_compiled_program_finds_every_offset(described: dict[str, Any], tmp_path: Path) -> None:
    architecture = platform.machine()
    if architecture not in described["structs"][0]["layout"]:
        pytest.skip(f"no layout of {architecture} is described")
    found = [place for struct in described["structs"] for place in places(struct, architecture)]
    prints = "\n".join(f'  printf("%zu\\n", {what});' for what, _ in found)
    source = f"#include <gatheredkit.h>\n#include <stdio.h>\nint main(void) {{\n{prints}\n}}\n"
    program = tmp_path / "offsets"
    compile_c(source, "-o", str(program))
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert [int(line) for line in printed.split()] == [number for _, number in found]
    assert len(found) > 90


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64"])
def test_a_compiler_of_each_architecture_agrees(
    described: dict[str, Any], architecture: str
) -> None:
    asserts = [
        f'_Static_assert({what} == {number}, "{struct["name"]}");'
        for struct in described["structs"]
        for what, number in places(struct, architecture)
    ]
    target = (f"--target={architecture}-linux-gnu", "-ffreestanding", "-fsyntax-only")
    compile_c("#include <gatheredkit.h>\n" + "\n".join(asserts), *target, compiler="clang")


def test_declarations_need_no_preprocessor() -> None:
    text = generate_interface.DECLARATIONS.read_text("utf-8")
    directives = [line.split()[0] for line in text.splitlines() if line.startswith("#")]
    assert directives == ["#ifndef", "#define", "#endif"]
    words = set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))
    assert not words & {"inline", "static", "extern", "__attribute__", "GKIT_API", "GKIT_NULLABLE"}
    compile_c(STANDARD + text, "-fsyntax-only")


def test_declarations_say_what_the_header_says() -> None:
    header = read_header((INCLUDE / "gatheredkit.h").read_text("utf-8"))
    text = declarations.Declarations(header).render()
    functions = re.findall(r"^[^\n#}]*\bgkit_\w+\([^;]*\);", text, re.MULTILINE)
    functions += re.findall(r"^typedef [^;{]*\(\*gkit_\w+\)\([^;]*\);", text, re.MULTILINE)
    assert len(functions) == len(header.functions) + len(header.callbacks)
    # C refuses to declare a function, or the same name for a type, in two ways.
    compile_c("#include <gatheredkit.h>\n" + "\n".join(functions), "-fsyntax-only")


def test_declarations_have_the_layout_of_the_header(described: dict[str, Any]) -> None:
    architecture = platform.machine()
    text = STANDARD + generate_interface.DECLARATIONS.read_text("utf-8")
    for struct in described["structs"]:
        for what, number in places(struct, "x86_64" if architecture == "x86_64" else "aarch64"):
            text += f'_Static_assert({what} == {number}, "{struct["name"]}");\n'
    for group in described["enums"]:
        for value in group["values"]:
            text += f'_Static_assert({value["name"]} == {value["value"]}, "{value["name"]}");\n'
    compile_c(text, "-fsyntax-only")


def test_every_number_has_the_name_of_its_constant(described: dict[str, Any]) -> None:
    library = ctypes.CDLL(_library.library_path())
    assert len(described["enums"]) == 16
    for group in described["enums"]:
        function = library[group["name_function"]]
        function.restype = ctypes.c_char_p
        for value in group["values"]:
            assert function(value["value"]).decode() == value["name"]
        numbers = {value["value"] for value in group["values"]}
        for number in {-1000, -1, 0, 12, 3, 64, 77, 2**31 - 1} - numbers:
            assert b"without a name" in function(number), (group["name"], number)


def test_lists_know_the_type_their_fields_have(described: dict[str, Any]) -> None:
    members = {
        (struct["name"], member["name"]): member
        for struct in described["structs"]
        for member in struct["members"]
    }
    for group in described["enums"]:
        pattern = group["values"][-1]["name"].split("_")[1]
        typed = [m for m in members.values() if m.get("doc", "").startswith(f"GKIT_{pattern}_")]
        for member in typed:
            assert member["type"] == group["type"], (group["name"], member["name"])


def test_ownership_is_told_of_every_pointer(described: dict[str, Any]) -> None:
    words = set(described["ownership"])
    pointers = 0
    for function in [*described["functions"], *described["callbacks"]]:
        for item in [function["result"], *function["parameters"]]:
            is_pointer = "pointers" in item or item["type"].endswith("_fn")
            assert ("ownership" in item) == is_pointer, function["name"]
            assert ("nullable" in item) == is_pointer, function["name"]
            pointers += is_pointer
            if is_pointer:
                assert item["ownership"] in words
                assert ("free" in item) == (item["ownership"] == "owned"), function["name"]
    assert pointers > 300


def test_ownership_is_that_of_the_manual(described: dict[str, Any]) -> None:
    functions = {function["name"]: function for function in described["functions"]}

    def told(name: str, parameter: str = "") -> tuple[str, str]:
        function = functions[name]
        all_of = {one["name"]: one for one in function["parameters"]}
        item = all_of[parameter] if parameter else function["result"]
        return item["ownership"], item.get("free", "")

    texts = {
        name
        for name, function in functions.items()
        for item in [function["result"], *function["parameters"]]
        if item.get("free") == "gkit_free"
    }
    # The list of the manual's section OWNERSHIP.
    assert texts == {
        "gkit_describe", "gkit_value_to_json", "gkit_id_build", "gkit_patch_export"
    }  # fmt: skip
    assert told("gkit_context_open", "out") == ("owned", "gkit_release")
    assert told("gkit_dict_new") == ("owned", "gkit_release")
    assert told("gkit_value_copy", "out") == ("owned", "gkit_value_clear")
    assert told("gkit_dict_get", "out") == ("filled", "")
    assert told("gkit_dict_at", "out_key") == ("borrowed", "")
    assert told("gkit_last_error") == ("borrowed", "")
    assert told("gkit_release", "handle") == ("given", "")
    assert told("gkit_value_set_string", "text") == ("used", "")
    assert told("gkit_stream_combine", "streams") == ("lent", "")
    assert told("gkit_source_listen", "destroy") == ("kept", "")
