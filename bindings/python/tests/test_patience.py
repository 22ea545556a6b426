"""No test gives up because a machine is slow."""

from __future__ import annotations

import re
from pathlib import Path

from .patience import PATIENCE

HERE = Path(__file__).parent
WAITS = re.compile(
    r"(?:timeout=|\.(?:wait|flush|join)\(|\bwait_for\((?:[^()]|\([^()]*\))*, |\bmonotonic\(\) \+ )"
    r"(\d[\d.]*)"
)


def test_every_wait_is_meant_to_end_or_has_all_the_patience_there_is() -> None:
    """What is meant to end is a tenth of a second at most; other waits are long, or endless."""
    files = sorted(HERE.glob("*.py"))
    waits = [
        f"{file.name}:{number}: {found}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        for found in WAITS.findall(line)
        if 0.1 < float(found) < PATIENCE
    ]
    assert waits == []
    assert len(files) > 20
