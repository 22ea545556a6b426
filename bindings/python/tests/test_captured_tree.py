"""A folder is a machine."""

from __future__ import annotations

from pathlib import Path

import gatheredkit as gk

MEMORY = """\
MemTotal:       16384000 kB
MemFree:         1024000 kB
MemAvailable:    8192000 kB
Buffers:            1000 kB
Cached:          2000000 kB
"""


def capture(root: Path) -> str:
    (root / "proc").mkdir()
    (root / "proc" / "meminfo").write_text(MEMORY, "ascii")
    battery = root / "sys" / "class" / "power_supply" / "BAT0"
    battery.mkdir(parents=True)
    for name, text in {
        "type": "Battery",
        "present": "1",
        "capacity": "85",
        "status": "Charging",
    }.items():
        (battery / name).write_text(text + "\n", "ascii")
    return f"local:root={root}"


def test_memory_of_a_captured_tree(tmp_path: Path) -> None:
    with gk.Context(capture(tmp_path)) as context:
        samples = context.read("memory")
        assert samples["total"].value == 16_384_000 * 1024
        assert samples["used"].value == 8_192_000 * 1024
        assert samples["swap_total"].status is gk.SampleStatus.UNSUPPORTED


def test_battery_of_a_captured_tree_comes_and_goes(tmp_path: Path) -> None:
    uri = capture(tmp_path)
    with gk.Context(uri) as context:
        battery = context.open("battery|BAT0").update()
        assert battery["level"].value == 0.85
        assert battery["state"].value == "charging"
        assert battery["voltage"].status is gk.SampleStatus.UNSUPPORTED
        assert battery.explain("level").place.endswith("capacity")
        with context.watch("battery") as events:
            folder = tmp_path / "sys" / "class" / "power_supply" / "BAT0"
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
            context.rescan()
            seen = [next(events) for _ in range(1)]
            while seen[-1].type is not gk.EventType.REMOVED:
                seen.append(next(events))
            assert seen[-1].source_id in ("battery|BAT0", "battery|aggregate")
