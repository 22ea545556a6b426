"""Servers that end by themselves."""

from __future__ import annotations

import os
import subprocess

from .serving import PATIENCE, program

SIM = ["--context", "sim:phone"]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a server that ends by itself."""
    return subprocess.run(
        [program(), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE / 5,
        env={**os.environ, **variables},
        check=False,
    )
