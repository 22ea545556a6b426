"""Prints how much memory is available and how full the battery is."""

import gatheredkit as gk

for kind, key in (("memory", "available"), ("battery", "level")):
    sample = gk.read(kind)[key]
    print(kind, gk.format_value(sample.value, sample.unit), sample.status.name)
