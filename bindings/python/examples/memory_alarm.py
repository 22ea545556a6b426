"""Warns when memory is short, by streams: `python memory_alarm.py 3 8e9`."""

import sys

import gatheredkit as gk


def main(seconds: str = "3", limit: str = "1e9") -> None:
    """Watches the available memory for some seconds."""
    memory = gk.open("memory").update()
    available = memory.observable("available")
    threshold = gk.Variable(float(limit))
    short = available.lt(threshold).distinct()
    short.subscribe(lambda is_short: print("memory is short" if is_short else "enough memory"))
    available.throttle(1.0).subscribe(lambda value: print(gk.format_value(value, "By")))
    memory.start(every=0.5)
    gk.sleep(float(seconds) / 2)
    threshold.value *= 1e6
    gk.sleep(float(seconds) / 2)
    memory.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
