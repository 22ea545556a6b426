"""Prints how much memory is available and how full the battery is, or why that is not known."""

import gatheredkit as gk

for name in ("memory/available", "battery/level"):
    reading = gk.read(name, missing="ok")
    sample = reading.sample
    if sample.value is None:
        print(name, sample.reason, sample.remedy or reading.remedy)
    else:
        print(name, gk.format_value(sample.value, sample.unit))
