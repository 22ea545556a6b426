"""Closed sets of the C interface as enumerations that accept numbers they do not know."""

from __future__ import annotations

from enum import IntEnum


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
