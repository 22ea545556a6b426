"""The text of a value, in the library's words."""

from __future__ import annotations

import ctypes

from ._abi import encoded
from ._errors import InvalidArgumentError
from ._library import native, text
from ._native import Style, gkit_property_info
from ._values import GivenValue


def formatted(value: GivenValue, info: gkit_property_info, style: Style) -> str:
    """A value of a property as the library writes it."""
    if style not in (Style.PEOPLE, Style.MACHINE):
        raise InvalidArgumentError(f"there is no style {style!r}")
    write = native().gkit_property_format
    described = ctypes.byref(info)
    with encoded(value) as made:
        pointer = ctypes.byref(made)
        buffer = ctypes.create_string_buffer(_USUAL)
        length = write(described, pointer, style, buffer, _USUAL)
        if length >= _USUAL:
            buffer = ctypes.create_string_buffer(length + 1)
            write(described, pointer, style, buffer, length + 1)
    return text(buffer.value)


def property_info(**known: object) -> gkit_property_info:
    """A property for `formatted`, of what is known of it."""
    return gkit_property_info(struct_size=ctypes.sizeof(gkit_property_info), **known)


_USUAL = 128
