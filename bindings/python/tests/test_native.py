"""The ctypes table is the header's."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import generate_native
import pytest
from header import HeaderError, read_declarator, read_header

from gatheredkit import _native

FOLDER = Path(__file__).resolve().parents[1]
CHECKOUT = FOLDER.parents[1]
HEADER = CHECKOUT / "include" / "gatheredkit.h"


def test_the_committed_table_is_what_the_generator_writes() -> None:
    header = read_header(HEADER.read_text("utf-8"))
    written = (FOLDER / "gatheredkit" / "_native.py").read_text("utf-8")
    assert generate_native.Renderer(header).render() == written
    assert generate_native.main(["--check"]) == 0


def test_every_exported_name_is_in_the_table_and_no_other() -> None:
    script = (CHECKOUT / "Sources" / "GatheredKitLibrary" / "gatheredkit.map").read_text("utf-8")
    assert set(re.findall(r"\b(gkit_\w+);", script)) == set(_native.PROTOTYPES)
    assert set(_native.Native.__annotations__) == set(_native.PROTOTYPES)


def test_every_constant_of_the_header_has_its_number() -> None:
    header = read_header(HEADER.read_text("utf-8"))
    assert len(header.groups) >= 12
    for group in header.groups:
        prefix = group[-1][0].split("_")[1]
        enum = vars(_native)[generate_native.GROUP_NAMES.get(prefix, prefix.capitalize())]
        for name, number in group:
            member = name.removeprefix("GKIT_").removeprefix(f"{prefix}_")
            assert int(enum[member]) == number, name


def test_frozen_structs_have_the_sizes_and_offsets_the_header_asserts() -> None:
    for struct, size in _native.SIZES.items():
        assert ctypes.sizeof(struct) == size
    assert len(_native.SIZES) == 4
    text = HEADER.read_text("utf-8")
    for name, field, offset in re.findall(
        r"_Static_assert\(offsetof\((\w+), (\w+)\) == (\d+)", text
    ):
        python = f"{field}_" if field == "as" else field
        assert getattr(vars(_native)[name], python).offset == int(offset)


def test_what_the_reader_does_not_know_is_an_error() -> None:
    version = "\n".join(f"#define GKIT_VERSION_{part} 0" for part in ("MAJOR", "MINOR", "PATCH"))
    with pytest.raises(HeaderError):
        read_header(version + "\nextern volatile int gkit_strange;")
    with pytest.raises(HeaderError):
        read_header(version + "\nvoid gkit_variadic(const char *format, ...);")


def test_declarators_keep_pointers_lengths_and_nullability() -> None:
    found = read_declarator("const char **GKIT_NULLABLE out_key")
    assert (found.type, found.pointers, found.name) == ("char", 2, "out_key")
    assert found.nullable
    assert found.constant
    assert read_declarator("double vector[4]").length == 4


def test_unknown_numbers_are_members_too() -> None:
    unknown = _native.SampleStatus(77)
    assert (unknown, unknown.name) == (77, "UNKNOWN_77")
    assert unknown is _native.SampleStatus(77)
    assert _native.SampleFlag(64 | 1) & _native.SampleFlag.IS_NEW
    with pytest.raises(ValueError, match="seven"):
        _native.SampleStatus("seven")
