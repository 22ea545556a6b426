"""Writes the golden vectors of the VQF tests: python3 generate.py, with numpy and vqf installed.

Each NAME.bin holds three doubles, the sampling intervals of gyroscope, accelerometer and
magnetometer, then one record a step: a byte that tells which sensors have a sample (1, 2, 4), nine
floats (their samples), eight doubles (attitude9D w x y z, heading, bias x y z) and a byte of flags
(1 at rest, 2 magnetically disturbed), all little-endian.
"""

import struct
from pathlib import Path

import numpy as np
from vqf import VQF

HERE = Path(__file__).parent
FIELD = np.array([0.0, 20.0, -44.0])
GRAVITY = np.array([0.0, 0.0, 9.81])


def turn(rates, step):
    """Body-to-earth matrices of a body that turns at given rates from an inclined beginning."""
    matrix = np.array([[0.8, -0.6, 0.0], [0.48, 0.64, -0.6], [0.36, 0.48, 0.8]])
    for rate in rates:
        angle = np.linalg.norm(rate) * step
        x, y, z = rate / max(np.linalg.norm(rate), 1e-12)
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        matrix = matrix @ (
            np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        )
        yield matrix


def write(name, seconds, intervals, rate, *, field=None, missing=None, seed=1):
    """One scenario: rate, field and missing are functions of the time."""
    random = np.random.default_rng(seed)
    step = min(intervals)
    times = np.arange(0, seconds, step)
    bias = np.array([0.011, -0.007, 0.009])
    rates = [np.array(rate(t), float) for t in times]
    due = [0.0, 0.0, 0.0]
    vqf = VQF(*intervals)
    with open(HERE / f"{name}.bin", "wb") as file:
        file.write(struct.pack("<3d", *intervals))
        for t, omega, matrix in zip(times, rates, turn(rates, step)):
            mask = 0
            for sensor in range(3):
                if t + 1e-9 >= due[sensor]:
                    due[sensor] += intervals[sensor]
                    mask |= 1 << sensor
            if missing:
                mask &= ~missing(t)
            shake = 0.2 * omega + random.normal(0, 0.02, 3)
            samples = np.concatenate([
                omega + bias + random.normal(0, 0.002, 3),
                matrix.T @ GRAVITY + shake,
                matrix.T @ (field(t) if field else FIELD) + random.normal(0, 0.3, 3),
            ]).astype(np.float32)
            exact = samples.astype(float)
            if mask & 1:
                vqf.updateGyr(exact[0:3].copy())
            if mask & 2:
                vqf.updateAcc(exact[3:6].copy())
            if mask & 4:
                vqf.updateMag(exact[6:9].copy())
            flags = vqf.getRestDetected() | vqf.getMagDistDetected() << 1
            file.write(struct.pack("<B9f", mask, *samples))
            estimate = vqf.getBiasEstimate()
            estimate = estimate[0] if isinstance(estimate, tuple) else estimate
            file.write(struct.pack("<8dB", *vqf.getQuat9D(), vqf.getDelta(), *estimate, flags))


def slow(t):
    return 0.3 * np.sin(0.9 * t), 0.5 * np.cos(0.5 * t), 0.6


def fast(t):
    return 9 * np.sin(5 * t), 14 * np.cos(3 * t), 7 * np.sin(2 * t + 1)


def disturbed(t):
    """Strength, dip and direction go wrong in turn; then a new place; then never the same."""
    if 10 < t < 14:
        return FIELD * 1.4
    if 18 < t < 22:
        return np.array([0.0, 40.0, -20.0])
    if 26 < t < 30:
        return FIELD + np.array([25.0, 5.0, 0.0])
    if 34 < t < 64:
        return np.array([8.0, 25.0, -60.0])
    if t >= 68:
        return FIELD * (1.6 + 0.9 * np.sin(1.3 * t)) + np.array([30 * np.sin(0.7 * t), 0, 0])
    return FIELD


write("rest", 6, (0.02, 0.02, 0.02), lambda t: (0, 0, 0))
write("slow", 8, (0.02, 0.02, 0.04), slow, seed=2)
write("fast", 4, (0.01, 0.02, 0.05), fast, seed=3)
write("disturbed", 145, (0.1, 0.1, 0.1), slow, field=disturbed, seed=4)
write("gaps", 12, (0.025, 0.025, 0.025), slow, seed=5,
      missing=lambda t: 6 if 2 < t < 3 else 1 if 5 < t < 6 else 7 if 8 < t < 9.5 else 0)
write("rates", 5, (0.01, 0.03, 0.08), slow, seed=6)
write("pauses", 24, (0.04, 0.04, 0.04), seed=7,
      rate=lambda t: (0, 0, 0) if t % 8 < 5 else slow(3 * t))
write("odd", 6, (1 / 84, 1 / 84, 1 / 84), slow, seed=8)
