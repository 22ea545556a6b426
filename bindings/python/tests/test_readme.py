"""The examples of the README run, one after the other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from .patience import PATIENCE

FOLDER = Path(__file__).resolve().parents[1]

RUNNER = """
import ast, asyncio, inspect, pathlib, pyarrow, sys
blocks = pathlib.Path(sys.argv[1]).read_text("utf-8").split("\\0")
names = {"pyarrow": pyarrow, "__name__": "readme"}

async def run(code):
    if inspect.isawaitable(found := eval(code, names)):
        await found

for number, block in enumerate(blocks):
    code = compile(block, f"block {number}", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    # Without await it waits as a program does.
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(run(code))
    else:
        exec(code, names)
"""


def test_every_block_of_the_readme_runs(tmp_path: Path) -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert len(blocks) == readme.count("```python") > 6
    file = tmp_path / "blocks"
    file.write_text("\0".join(blocks), "utf-8")
    path = os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, str(file)],
        env={**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    made = {path.name for path in tmp_path.iterdir()}
    assert {"walk.csv", "walk.jsonl", "walk.parquet", "walk.mcap", "tap.json"} <= made


def test_what_is_to_be_installed_stands_before_the_line_that_needs_it() -> None:
    """What the package cannot do by itself, and the command that installs it (Python API P12)."""
    needs = {
        "to_pandas": "pandas",
        ".parquet": "parquet",
        ".mcap": "mcap",
        "pyarrow.table": "pandas|arrow",
    }
    for path in (FOLDER / "README.md", FOLDER.parents[1] / "README.md"):
        text = path.read_text("utf-8")
        for line, extra in needs.items():
            place = text.find(line)
            if place < 0:
                continue
            told = re.search(rf"pip install 'gatheredkit\[[^]]*({extra})[^]]*\]'", text)
            assert told is not None, (path, line)
            assert told.start() < place, (path, line)
