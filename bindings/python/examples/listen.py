"""Prints a source's new values as they come: `python listen.py memory 5`."""

import sys

import gatheredkit as gk


def show(update: gk.Update) -> None:
    """Prints the values that were measured anew."""
    for sample in update.values():
        if sample.is_new and sample.value is not None:
            print(f"{sample.property.name:30} {sample.format()}")


def main(kind: str = "memory", seconds: str = "3") -> None:
    """Listens to a kind for some seconds."""
    with gk.open(kind) as source, source.listen(show):
        source.start(every=1)
        gk.sleep(float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:3])
