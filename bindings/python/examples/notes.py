"""Keeps notes that outlive the program, by a data source: `python notes.py FILE [TEXT]`."""

import sys
import tempfile

import gatheredkit as gk


def written(note: str) -> dict[str, str]:
    """A note as it is stored."""
    return {"text": note}


def read(stored: dict[str, str]) -> str:
    """A note as it was written."""
    return stored["text"]


def main(path: str | None = None, text: str = "buy milk") -> None:
    """Writes a note, and prints all there are."""
    path = path or tempfile.mktemp(suffix=".sqlite")
    store = gk.DataSource[dict[str, str]]("storage", path=path, layout="prefix", prefix="notes")
    notes = store.map(written, read).validate(lambda note: len(note) > 0, validate_put=True)
    count = notes.get_all_async(gk.Query.all()).map(len).wait(timeout=10)
    notes.put(count + 1, text)
    for note in notes.get_all(gk.Query.all()):
        print("-", note)
    try:
        notes.get("unknown")
    except gk.NotFoundError as error:
        print(f"{error}: {', '.join(error.missing)}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
