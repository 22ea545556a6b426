"""A captured chip of accelerometer, gyroscope and magnetometer, its buffer of the test's making."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

Vector = Sequence[float]

#: What one count of the raw numbers is, in m/s², rad/s and gauss.
SCALES = {"accel": 1e-6, "anglvel": 1e-7, "magn": 1e-7}
#: How many of the library's unit the channel's unit is.
UNITS = {"accel": 1.0, "anglvel": 1.0, "magn": 100.0}


def capture(root: Path, frequency: float, first: dict[str, Vector] | None = None) -> Path:
    """A tree whose chip says it takes so many samples a second; the path of its buffer."""
    chip = root / "sys" / "bus" / "iio" / "devices" / "iio:device0"
    elements = chip / "scan_elements"
    elements.mkdir(parents=True)
    (chip / "name").write_text("chip\n", "ascii")
    (chip / "sampling_frequency").write_text(f"{frequency:g}\n", "ascii")
    index = 0
    for kind, scale in SCALES.items():
        (chip / f"in_{kind}_scale").write_text(f"{scale:.10f}\n", "ascii")
        for axis, number in zip("xyz", (first or {}).get(kind, (0, 0, 0)), strict=True):
            raw = round(number / UNITS[kind] / scale)
            (chip / f"in_{kind}_{axis}_raw").write_text(f"{raw}\n", "ascii")
            _element(elements, f"in_{kind}_{axis}", index, "le:s32/32>>0")
            index += 1
    _element(elements, "in_timestamp", index, "le:s64/64>>0")
    device = root / "dev" / "iio:device0"
    device.parent.mkdir()
    return device


def _element(folder: Path, name: str, index: int, form: str) -> None:
    for key, text in {"en": "1", "index": str(index), "type": form}.items():
        (folder / f"{name}_{key}").write_text(f"{text}\n", "ascii")


def records(rows: Iterable[tuple[int, Vector, Vector, Vector]]) -> bytes:
    """The buffer of samples: time in nanoseconds, acceleration, rate of turn, field in µT."""
    parts: list[bytes] = []
    for time, *vectors in rows:
        raws = [
            round(number / UNITS[kind] / SCALES[kind])
            for kind, vector in zip(SCALES, vectors, strict=True)
            for number in vector
        ]
        parts.append(struct.pack("<9i4xq", *raws, time))
    return b"".join(parts)
