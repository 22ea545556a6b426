"""The command `gathered`, which the wheel brings along."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from ._library import checkout_of


def places() -> list[Path]:
    """Where the command may be, in the order in which it is looked for."""
    package = Path(__file__).resolve().parent
    found = [package / "_bin" / "gathered"]
    if checkout := checkout_of(package):
        found.append(checkout / ".build" / "release" / "gathered")
    return found


def main() -> NoReturn:
    """Becomes the command, with the arguments of this process."""
    for place in places():
        if place.is_file():
            os.execv(place, ["gathered", *sys.argv[1:]])
    raise SystemExit(f"gathered: there is no command at {' or '.join(map(str, places()))}")
