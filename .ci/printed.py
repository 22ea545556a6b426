"""What the command prints on terminals of some width, beside what it draws on them."""

import re
import sys
from pathlib import Path

from terminals import Terminal


def reads_all(columns: int) -> bool:
    """Without ids everything that is there is read, and its lines are not broken."""
    text = printed(columns, "gathered read --context sim:phone")
    return "memory|machine" in text and "°C" in text and "run gathered doctor" in text


def keeps_width(columns: int) -> bool:
    """The doctor's tables and the list break within their columns, and lose nothing."""
    for line in ["gathered doctor --context sim:laptop", "gathered list --context sim:laptop"]:
        rows = printed(columns, line).splitlines()
        if not rows or any(len(row) > columns for row in rows):
            return False
        words = " ".join(" ".join(rows).split())
        if "open the context with allow=location" not in words:
            return False
    return True


def printed(columns: int, line: str) -> str:
    """What a command prints on a terminal of a width: rows as they are, not as tmux breaks them."""
    terminal = Terminal(columns)
    try:
        file = f"{terminal.folder.name}/typed"
        terminal.run(f"script -qc {quoted(line)} {file} >/dev/null; echo wri''tten")
        terminal.await_text("written")
        text = Path(file).read_text().replace("\r", "")
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).splitlines()
        return "\n".join(row for row in lines if not row.startswith("Script "))
    finally:
        terminal.close()


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def helps(columns: int) -> bool:
    """An example is never broken within itself, and everything else fits."""
    for command in ["", "watch", "read", "query"]:
        text = printed(columns, f"gathered {command} --help")
        examples = text.partition("EXAMPLES\n")[2].partition("\n\n")[0].splitlines()
        if not examples:
            return False
        for row in examples:
            is_example = row.startswith(("  gathered ", "  tar "))
            if not is_example and not row.startswith("      "):
                return False
        rest = [row for row in text.splitlines() if not row.startswith("  gathered ")]
        if any(len(row) > columns for row in rest):
            return False
    return True


def plots(columns: int) -> bool:
    """A plot has a line, round numbers, and round times."""
    text = printed(
        columns,
        "gathered record ~/walk.gkr memory --for 1m --every 2s"
        " --context 'sim:laptop&clock=manual' 2>/dev/null"
        " && gathered query ~/walk.gkr memory/available --plot",
    )
    rows = text.splitlines()
    if "--show" in sys.argv:
        print(f"{columns} columns, plot\n{text}")
    curve = [row.partition("┤")[2] or row.partition("│")[2] for row in rows[1:9]]
    inked = [
        any(len(row) > place and row[place] > "\u2800" for row in curve)
        for place in range(columns - 16)
    ]
    return (
        rows[0] == "memory|machine/available  GiB"
        and all(len(row) <= columns for row in rows)
        # Readings every two seconds are joined: every column has a part of the line.
        and all(inked)
        and any(re.match(r" +\d\.\d+ ┤", row) for row in rows)
        and rows[9].strip().startswith("└")
        and "┬" in rows[9]
        and re.search(r"2023-11-14 .*22:13:[0-5]0 ", rows[10] + " ") is not None
    )
