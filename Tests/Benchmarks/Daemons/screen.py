"""What a screen costs whose backlight the kernel tells of: an idle subscription and an update. The
backlight is pretended by umockdev, to a process of its own, beside which nothing is measured. Rows
as measure.h prints them."""

from __future__ import annotations

import subprocess
import sys
import time

from costs import cost
from measure import row

IDLE_SECONDS = 5
UPDATES = 10
# Above the kind's shortest interval of a second, or each change would be no update.
SPACING = 1.1
LIGHT = "bench_backlight"


def subscribed() -> None:
    """Prints the costs of a subscription: seconds, wake-ups and updates while nothing happens, then
    while a line on standard input is answered and changes are made."""
    import gatheredkit as gk

    heard: list[object] = []
    with gk.Context("local:") as context:
        source = context.open(f"screen|{LIGHT}")
        connection = source.listen(heard.append)
        source.start(every=3600)
        time.sleep(1)
        for seconds in (IDLE_SECONDS, UPDATES * SPACING):
            before = len(heard)
            print("ready", flush=True)
            sys.stdin.readline()
            print(*cost(seconds, time.sleep), len(heard) - before, flush=True)
        connection.disconnect()


def pretend() -> None:
    """Pretends the backlight, changes it when it is time, and prints rows."""
    import gi

    gi.require_version("UMockdev", "1.0")
    from gi.repository import UMockdev

    testbed = UMockdev.Testbed.new()
    facts = ["type", "raw", "max_brightness", "1000", "bl_power", "0"]
    levels = ["brightness", "500", "actual_brightness", "500"]
    light = testbed.add_device("backlight", LIGHT, None, facts + levels, [])
    pipe = subprocess.PIPE
    words = (sys.executable, __file__, "subscribed")
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def begin() -> None:
            if process.stdout.readline() != "ready\n":
                raise SystemExit("no screen can be subscribed to")
            process.stdin.write("go\n")
            process.stdin.flush()

        def spent() -> list[float]:
            return [float(word) for word in process.stdout.readline().split()]

        begin()
        idle, woken, _ = spent()
        begin()
        for turn in range(UPDATES):
            time.sleep(SPACING / 2 if turn == 0 else SPACING)
            testbed.set_attribute(light, "actual_brightness", str(501 + turn))
            testbed.uevent(light, "change")
        changing, wakes, updates = spent()
    if updates < UPDATES / 2:
        raise SystemExit(f"screen: {updates:g} updates came")
    row("screen by the kernel, idle", idle / IDLE_SECONDS * 1e6, "us/s", "", 0, "")
    row("  wake-ups", woken, f"in {IDLE_SECONDS} s", "", 0, "0")
    row("  one update", changing / updates * 1e6, "us", "", 0, "")
    row("  wake-ups for one", wakes / updates, "", "", 0, "")


def measure() -> None:
    """All rows; the devices of umockdev are there for a process that is started by it."""
    subprocess.run(("umockdev-wrapper", sys.executable, __file__, "pretend"), check=True)


if __name__ == "__main__":
    {"subscribed": subscribed, "pretend": pretend}[sys.argv[1]]()
