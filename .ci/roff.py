"""Manual pages as roff has them."""

import os
import re
import subprocess
import textwrap
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/gatheredkit.h"
SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
HEADING = re.compile(r"[A-Z][A-Z, ]+")
# What the help keeps as it is stands behind this.
MARGIN = "  "
# As other pages have them.
TITLES = {"EXIT CODES": "EXIT STATUS"}
COLUMNS = re.compile(r"(\S.*?) {2,}(\S.*)")


def output(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def date() -> str:
    """The day of the commit, which an exported tree has from its files: two builds of one commit
    give one page."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds and (ROOT / ".git").exists():
        seconds = output("git", "log", "-1", "--format=%ct")
    moment = float(seconds or HEADER.stat().st_mtime)
    return datetime.fromtimestamp(moment, timezone.utc).date().isoformat()


def escaped(text: str) -> str:
    """Text as roff has it, whatever characters it consists of."""
    signs = (SPECIAL.get(sign, sign) for sign in text)
    return "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in signs)


def line(text: str) -> str:
    """A line of text: one that begins with a full stop or a quote would be a request."""
    return ("\\&" if text.startswith(".") else "") + escaped(text)


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fR"


def italic(text: str) -> str:
    return f"\\fI{escaped(text)}\\fR"


def paragraph(text: str) -> list[str]:
    return [line(part) for part in textwrap.wrap(text, 70, break_on_hyphens=False)]


class Page:
    """One page, written from top to bottom."""

    def __init__(self, name: str, section: int, summary: str) -> None:
        self.file = f"man{section}/{name}.{section}"
        version = output(".ci/version").strip()
        title = f'.TH {escaped(name.upper())} {section} {date()} "GatheredKit {version}"'
        self.lines = [f'{title} "GatheredKit"', ".SH NAME", f"{escaped(name)} \\- {line(summary)}"]
        self.is_fresh = True

    def section(self, title: str) -> None:
        self.lines.append(f".SH {escaped(title)}")
        self.is_fresh = True

    def subsection(self, title: str) -> None:
        self.lines.append(f".SS {escaped(title)}")
        self.is_fresh = True

    def text(self, *lines: str) -> None:
        """A paragraph; the first behind a title has its place by that."""
        if not self.is_fresh:
            self.lines.append(".PP")
        self.is_fresh = False
        self.lines += lines

    def term(self, term: str, *lines: str) -> None:
        self.is_fresh = False
        self.lines += [".TP", term, *lines]

    def verbatim(self, lines: list[str]) -> None:
        self.text(".EX", *(line(part) for part in lines), ".EE")

    def body(self, text: str, margin: str) -> None:
        """Text as the command's help and the header have it: titles in capitals, paragraphs, items
        behind a dash, words with their meaning in a second column. Those, and other lines that are
        kept as they are, stand behind a margin."""
        for block in re.split(r"\n{2,}", text):
            lines = block.split("\n")
            if HEADING.fullmatch(lines[0]):
                title = lines.pop(0)
                self.section(TITLES.get(title, title))
            while lines:
                self.part(lines, margin)

    def part(self, lines: list[str], margin: str) -> None:
        """Takes what belongs together off the lines."""
        first = lines.pop(0)
        is_set_in = first.startswith(margin)
        columns = COLUMNS.fullmatch(first.strip()) if is_set_in else None
        if first.startswith("- "):
            while lines and lines[0].startswith("  "):
                first += " " + lines.pop(0).strip()
            self.is_fresh = False
            self.lines += [".IP \\(bu 2", *paragraph(first[2:])]
        elif columns:
            self.term(bold(columns[1]), *paragraph(columns[2]))
        elif is_set_in and margin:
            kept = [first.removeprefix(margin)]
            while lines and lines[0].startswith(margin) and not COLUMNS.search(lines[0].strip()):
                kept.append(lines.pop(0).removeprefix(margin))
            self.verbatim(kept)
        else:
            while lines and not lines[0].startswith((margin or "- ", "- ")):
                first += " " + lines.pop(0)
            self.text(*paragraph(first))

    def write(self, folder: Path) -> None:
        file = folder / self.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(self.lines) + "\n", encoding="ascii")
