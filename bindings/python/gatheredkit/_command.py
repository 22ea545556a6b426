"""The command `gathered`, which the wheel brings along, and the server, which another one adds."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from ._library import checkout_of


def places(program: str) -> list[Path]:
    """Where a program may be, in the order in which it is looked for."""
    package = Path(__file__).resolve().parent
    found = [package / "_bin" / program]
    if checkout := checkout_of(package):
        found.append(checkout / ".build" / "release" / program)
    return found


def main() -> NoReturn:
    """Becomes the command, with the arguments of this process."""
    become("gathered")


def serve() -> NoReturn:
    """Becomes the server, which the wheel gatheredkit-serve puts beside the command."""
    become("gathered-serve")


def become(program: str) -> NoReturn:
    for place in places(program):
        if place.is_file():
            os.execv(place, [program, *sys.argv[1:]])
    raise SystemExit(f"{program}: there is no command at {' or '.join(map(str, places(program)))}")
