"""What `.ci/order` and `.ci/order-server` ask of files that were linked."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = ROOT / "Sources" / "GatheredKitLibrary" / "gatheredkit.order"
FIXTURE = ROOT / "Tests" / "Fixtures" / "machines" / "laptop"
# A section with so many functions is one piece to the linker: naming one of them moves all.
PIECE = 1000


def said_by(*words: str | Path) -> str:
    """What a program prints."""
    done = subprocess.run(words, check=True, capture_output=True, text=True, errors="replace")
    return done.stdout


def symbols_of(file: Path, kinds: str) -> list[tuple[int, int, str]]:
    """Symbols of a file: address, size and name, by address."""
    lines = map(str.split, said_by("nm", "--defined-only", "--print-size", file).splitlines())
    found = ((line[0], line[1], line[3]) for line in lines if len(line) == 4 and line[2] in kinds)
    return sorted((int(address, 16), int(size, 16), name) for address, size, name in found)


def in_one_piece(libraries: str = "libswiftCore.a", most: int = PIECE) -> set[str]:
    """The functions and data of Swift's own libraries that are, with as many others, one piece to
    the linker."""
    told = said_by("swiftc", "-static-stdlib", "-print-target-info")
    folder = re.search(r'"runtimeResourcePath": "(.*)"', told)
    if folder is None:
        sys.exit("swiftc tells no folder of its library")
    symbols: list[tuple[tuple[int, str], str]] = []
    member = 0
    files = sorted((Path(folder[1]) / "linux").glob(libraries))
    for line in said_by("readelf", "--symbols", "--wide", *files).splitlines():
        words = line.split()
        member += line.startswith("File:")
        if len(words) == 8 and words[3] in ("FUNC", "OBJECT"):
            symbols.append(((member, words[6]), words[7]))
    counts = Counter(section for section, _ in symbols)
    return {name for section, name in symbols if counts[section] >= most}
