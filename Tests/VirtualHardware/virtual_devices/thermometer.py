"""A thermometer chip on a bus without wires: i2c-stub and the kernel's lm75 driver (hwmon)."""

from __future__ import annotations

import ctypes
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import read, wait, write

_ADDRESS = 0x48
# Registers of the chip: temperature, hysteresis, high limit; 0.5 degrees in the top nine bits.
_REGISTERS = {"temperature": 0, "high": 3}
_I2C_SLAVE_FORCE = 0x0706
_I2C_SMBUS = 0x0720
_WORD_DATA = 3


class _Transfer(ctypes.Structure):
    """`struct i2c_smbus_ioctl_data`; reading is 1, writing 0."""

    _fields_ = (
        ("reading", ctypes.c_uint8),
        ("register", ctypes.c_uint8),
        ("size", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
    )


def _bus() -> Path | None:
    for found in Path("/sys/class/i2c-adapter").glob("i2c-*"):
        if read(found / "name") == "SMBus stub driver":
            return found
    return None


def folder() -> Path | None:
    """The chip's hwmon folder while it is there."""
    for found in Path("/sys/class/hwmon").glob("hwmon*"):
        if read(found / "name") == "lm75":
            return found
    return None


def _write(register: str, celsius: float) -> None:
    bits = (round(celsius * 2) & 0x1FF) << 7
    # The bus sends the low byte first, the chip expects the high one.
    word = ctypes.c_uint16((bits & 0xFF) << 8 | bits >> 8)
    transfer = _Transfer(0, _REGISTERS[register], _WORD_DATA, ctypes.addressof(word))
    bus = _bus()
    assert bus is not None
    descriptor = os.open(f"/dev/{bus.name}", os.O_RDWR)
    try:
        fcntl.ioctl(descriptor, _I2C_SLAVE_FORCE, _ADDRESS)
        fcntl.ioctl(descriptor, _I2C_SMBUS, transfer)
    finally:
        os.close(descriptor)


def thermometer(verb: str, word: str = "") -> None:
    """start | set CELSIUS | high CELSIUS | unplug | plug: steps of half a degree"""
    if verb == "start":
        system.load(f"i2c-stub chip_addr={_ADDRESS:#x}", "i2c-dev", "lm75")
        wait("the bus", _bus)
        _write("temperature", 25)
        _write("high", 80)
    bus = wait("the bus", _bus, 1)
    if verb in ("start", "plug"):
        write(bus / "new_device", f"lm75 {_ADDRESS:#x}")
        wait("the thermometer", folder)
    elif verb == "unplug":
        write(bus / "delete_device", f"{_ADDRESS:#x}")
    else:
        _write("temperature" if verb == "set" else verb, float(word))


PARTS: dict[str, Callable[..., None]] = {"thermometer": thermometer}
