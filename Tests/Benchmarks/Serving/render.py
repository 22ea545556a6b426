"""Pages for Prometheus beside prometheus_client, which keeps a gauge for each name:

    render.py PROGRAM FOLDER

The program prints its rows beside C, and leaves the pages in the folder. Prints rows as measure.h
does.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

from measure import measure, row
from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families


def filled(text: str) -> CollectorRegistry:
    """A registry with the gauges of a page."""
    registry = CollectorRegistry()
    for family in text_string_to_metric_families(text):  # type: ignore[no-untyped-call]
        if family.type != "gauge":
            continue
        names = list(family.samples[0].labels)
        gauge = Gauge(family.name, family.documentation, names, registry=registry)
        for sample in family.samples:
            child = gauge.labels(**sample.labels) if names else gauge
            child.set(sample.value)
    return registry


def main() -> None:
    program, folder = sys.argv[1:]
    done = subprocess.run([program, folder], capture_output=True, text=True, check=True)
    print(done.stdout, end="", flush=True)
    for line in done.stdout.splitlines():
        name, ours, unit, _, _, aim = line.split("\t")
        if not aim:
            continue
        text = (Path(folder) / name.split()[-2]).read_text()
        (theirs,) = measure(functools.partial(generate_latest, filled(text)))
        row(name, float(ours), unit, "prometheus_client", theirs, aim)


if __name__ == "__main__":
    main()
