"""Writes what other runtimes read of `include/gatheredkit.h`: JSON and declarations without macros.

python tools/generate_interface.py          # writes the files
python tools/generate_interface.py --check  # fails if they are not up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from declarations import Declarations
from description import Description
from header import read_header

CHECKOUT = Path(__file__).resolve().parents[3]
HEADER = CHECKOUT / "include" / "gatheredkit.h"
DECLARATIONS = CHECKOUT / "include" / "gatheredkit-ffi.h"
DESCRIPTION = CHECKOUT / "bindings" / "other" / "gatheredkit-api.json"


def files() -> dict[Path, str]:
    """What each file is to say."""
    header = read_header(HEADER.read_text("utf-8"))
    return {
        DECLARATIONS: Declarations(header).render(),
        DESCRIPTION: Description(header).render(),
    }


def main(arguments: list[str]) -> int:
    """Writes or, with --check, compares."""
    if arguments == ["--check"]:
        return int(any(path.read_text("utf-8") != text for path, text in files().items()))
    for path, text in files().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
