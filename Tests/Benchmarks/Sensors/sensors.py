"""Sensors from Python beside pylibiio, and attitude filters beside ours in C. To be run by
`with-sensors`; takes the nanoseconds of our attitude, 6D and 9D. Prints rows as measure.h does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import ahrs
import gatheredkit as gk
import iio
import imufusion
import numpy as np
import vqf

from measure import measure, row

SCANS = 16384
SCALE = 0.000598
AXES = ("accel_x", "accel_y", "accel_z")
RECORD = np.dtype([("axes", "<i2", 3), ("pad", "<i2"), ("stamp", "<i8")])


def attributes(device: iio.Device) -> None:
    channels = [device.find_channel(name) for name in AXES]

    def theirs() -> list[float]:
        return [int(channel.attrs["raw"].value) * SCALE for channel in channels]

    with gk.Context("local:") as context:
        source = context.open("accelerometer|bench_file")
        ours, peers = measure(lambda: source.update()["acceleration"].value, theirs)
    row("Python: an IIO attribute", ours / 3, "us", "pylibiio", peers / 3, "")


def batch(device: iio.Device) -> None:
    """A batch that is there as columns of float64: axes and times."""
    channels = [device.find_channel(name) for name in (*AXES, "timestamp")]
    for channel in channels:
        channel.enabled = True
    buffer = iio.Buffer(device, SCANS)
    buffer.refill()

    def with_numpy() -> object:
        records = np.frombuffer(buffer.read(), RECORD)
        return records["axes"] * SCALE, records["stamp"]

    def by_channel() -> object:
        *axes, stamps = (channel.read(buffer) for channel in channels)
        columns = [np.frombuffer(axis, "<i2") * SCALE for axis in axes]
        return np.stack(columns, axis=1), np.frombuffer(stamps, "<i8")

    peers = measure(with_numpy, by_channel)
    ours = handed_over() * 1e9
    row(
        "NumPy: columns, per scan",
        ours,
        "ns",
        "numpy.frombuffer",
        peers[0] * 1e3 / SCANS,
        "<= 40 ns",
    )
    row("", ours, "ns", "pylibiio's channels", peers[1] * 1e3 / SCANS, "")


def handed_over() -> float:
    """Seconds a scan from rows that are queued to arrays, and to their end."""
    feed = os.path.join(os.path.dirname(__file__), "feed.py")
    spent: list[float] = []
    for _ in range(3):
        with gk.Context("local:") as context:
            source = context.open("accelerometer|bench_fast")
            with source.stream(every=0.001, maxlen=1 << 21) as samples:
                subprocess.run([sys.executable, feed, "/dev/iio:device4"], check=True)
                time.sleep(0.1)
                start = time.perf_counter()
                frame = samples.frame(timeout=0)
                axes, times = frame["acceleration"], frame.boot_ns
                count = min(len(axes), len(times))
                del axes, times, frame
                spent.append((time.perf_counter() - start) / count)
    return min(spent)


def listened() -> None:
    """Updates of a thousand readings and more that waited for a listener in Python."""
    feed = os.path.join(os.path.dirname(__file__), "feed.py")
    spent: list[float] = []
    heard: list[int] = []
    with gk.Context("local:", loop="manual") as context:
        source = context.open("accelerometer|bench_fast")
        source.listen(lambda update: heard.append(update["acceleration"].sequence))
        # Granted is the kind's least, a millisecond; nothing is to be thinned out.
        source.start(interval_ns=10_000)
        context.dispatch()
        feeder = subprocess.Popen([sys.executable, feed, "/dev/iio:device4"])
        while feeder.poll() is None:
            before = heard[-1]
            end = time.perf_counter() + 0.012
            # Awake, as a thread is that works through what comes: waking is no cost of rows.
            while time.perf_counter() < end:
                pass
            start = time.perf_counter()
            context.dispatch()
            ended = time.perf_counter()
            if heard[-1] - before >= 1000:
                spent.append((ended - start) / (heard[-1] - before))
    row("Python: 1000 readings to a listener, one", min(spent) * 1e9, "ns", "", 0, "<= 20 ns")


def motion() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A second of a body that is turned about all axes."""
    phase = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    tilt, roll = 0.3 * np.sin(phase), 0.2 * np.cos(3 * phase)
    rates = (1.9 * np.cos(phase), -3.8 * np.sin(3 * phase), 0.5 * np.sin(2 * phase))
    accelerations = (-9.81 * np.sin(roll), 9.81 * np.sin(tilt), 9.81 * np.cos(tilt))
    fields = (48 * np.sin(roll), 20 * np.cos(tilt) - 48 * np.sin(tilt), -44 * np.cos(tilt))
    return tuple(np.stack(axes, axis=1).copy() for axes in (rates, accelerations, fields))


def filters() -> list[tuple[str, Callable[[], object], Callable[[], object]]]:
    """What a filter needs for one sample, without and with a magnetometer; each by its name."""
    rates, accelerations, fields = motion()
    rate, acceleration, field = rates[7], accelerations[7], fields[7]
    degrees, gravity = np.degrees(rate), acceleration / 9.81
    level, full = vqf.VQF(0.001), vqf.VQF(0.001)
    madgwick = ahrs.filters.Madgwick(frequency=1000)
    fused, start = imufusion.Ahrs(), np.array([1.0, 0.0, 0.0, 0.0])

    def vqf_6d() -> object:
        level.update(rate, acceleration)
        return level.getQuat6D()

    def vqf_9d() -> object:
        full.update(rate, acceleration, field)
        return full.getQuat9D()

    def imufusion_6d() -> object:
        fused.update_no_magnetometer(degrees, gravity)
        return fused.get_quaternion()

    def imufusion_9d() -> object:
        fused.update(degrees, gravity, field)
        return fused.get_quaternion()

    return [
        ("vqf, a call", vqf_6d, vqf_9d),
        ("imufusion, a call", imufusion_6d, imufusion_9d),
        (
            "ahrs Madgwick",
            lambda: madgwick.updateIMU(start, rate, acceleration),
            lambda: madgwick.updateMARG(start, rate, acceleration, field),
        ),
    ]


def attitude(level: float, full: float) -> None:
    rates, accelerations, fields = motion()
    whole = vqf.VQF(0.001)
    [all_at_once] = measure(lambda: whole.updateBatch(rates, accelerations, fields))
    row("attitude of one sample, 9D", full, "ns", "vqf, a batch", all_at_once, "")
    for peer, of_two, of_three in filters():
        six, nine = (each * 1e3 for each in measure(of_two, of_three))
        row("attitude of one sample, 6D", level, "ns", peer, six, "")
        row("attitude of one sample, 9D", full, "ns", peer, nine, "")


def main(level: float, full: float) -> None:
    device = iio.LocalContext().find_device("bench_file")
    attributes(device)
    batch(device)
    listened()
    attitude(level, full)


if __name__ == "__main__":
    main(*map(float, sys.argv[1].split()))
