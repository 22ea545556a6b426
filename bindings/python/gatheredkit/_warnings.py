"""Warnings of the package."""

from __future__ import annotations

import inspect
import warnings


class PermissionWarning(UserWarning):
    """A source was started and waits for a permission; the text names reason and remedy."""


def warn(text: str, category: type[Warning]) -> None:
    """Warns of the line outside of this package that led here."""
    package, level, frame = __name__.partition(".")[0], 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
