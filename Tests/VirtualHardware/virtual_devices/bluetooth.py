"""Bluetooth without air: btvirt is the radio of controllers of the kernel's, which BlueZ serves,
and of a device nearby that advertises.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from . import system
from .bluetooth_air import SERVER
from .system import HARDWARE, RUN, DeviceError, command, read, state, wait, write

_DAEMON = "/usr/libexec/bluetooth/bluetoothd"
_CLASS = Path("/sys/class/bluetooth")


def adapters() -> list[str]:
    """The adapters BlueZ knows, by their paths."""
    words = ["busctl", "--no-pager", "--list", "--auto-start=no", "tree", "org.bluez"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    lines = (line.strip() for line in done.stdout.splitlines())
    return [line for line in lines if line.startswith("/org/bluez/hci") and line.count("/") == 3]


def _controllers() -> list[Path]:
    return [path for path in _CLASS.glob("hci*") if ":" not in path.name]


def _air(name: str, what: str) -> None:
    words = [sys.executable, "-m", "virtual_devices.bluetooth_air", what]
    system.spawn(name, ["env", f"PYTHONPATH={HARDWARE}", *words])


def daemon() -> None:
    """Starts BlueZ, and powers on what adapters there are."""
    system.spawn("bluetoothd", [_DAEMON, "-n"])
    wait("BlueZ", _is_there)
    _power_on(len(_controllers()))


def _is_there() -> bool:
    return "org.bluez " in command("busctl", "--no-pager", "--acquired", "list")


def _power_on(count: int) -> None:
    wait("the adapters on the bus", lambda: len(adapters()) == count, 60)
    for path in adapters():
        power(path, True)


def power(path: str, on: bool) -> None:
    """Powers an adapter on or off, through BlueZ."""
    words = ["org.bluez", path, "org.bluez.Adapter1", "Powered", "b", str(on).lower()]

    def is_done() -> bool:
        done = subprocess.run(["busctl", "set-property", *words], check=False, capture_output=True)
        return done.returncode == 0

    # Busy for a moment after it has come.
    wait(f"power of {path}", is_done)


def _radio() -> None:
    RUN.mkdir(parents=True, exist_ok=True)
    system.load("bluetooth", "hci_vhci", "algif_hash", "algif_skcipher", "cmac", "ecb")
    system.spawn("btvirt", ["btvirt", "-s"])
    wait("btvirt", Path(SERVER).exists)


def start(count: int) -> None:
    """Makes so many controllers, and starts BlueZ."""
    _radio()
    # First of all: it misses a controller that sets itself up while it starts.
    daemon()
    for number in range(count):
        _air(f"controller-{number}", "controller")
        _power_on(number + 1)


def controller() -> None:
    """Makes one controller, and leaves BlueZ to others."""
    _radio()
    _air("controller-0", "controller")
    wait("the controller", _controllers)


def kill() -> None:
    """Ends BlueZ without a farewell."""
    number = system.number_of("bluetoothd")
    if number is None:
        raise DeviceError("BlueZ does not run")
    os.kill(number, signal.SIGKILL)
    wait("the end of BlueZ", lambda: not adapters())
    state("bluetoothd", "pid").unlink(missing_ok=True)


def unplug(number: int) -> None:
    """Takes a controller away."""
    before = len(_controllers())
    system.end(f"controller-{number}")
    wait("one controller less", lambda: len(_controllers()) == before - 1)


def says(name: str, path: str = "/org/bluez/hci0") -> bool:
    """Whether BlueZ says that a property of an adapter is so."""
    words = ["--auto-start=no", "get-property", "org.bluez", path, "org.bluez.Adapter1"]
    return command("busctl", *words, name).strip() == "b true"


def discovering() -> bool:
    """Whether BlueZ says that the first adapter looks for devices."""
    return says("Discovering")


def address() -> str:
    """The address of the device nearby."""
    return wait("its address", lambda: read(state("bluetooth", "address")))


def stop() -> None:
    """Ends all of it."""
    system.end("bluetoothd")
    system.end("advertiser")
    for path in sorted(RUN.glob("controller-*.pid")):
        system.end(path.stem)
    system.end("btvirt")


def bluetooth(verb: str, word: str = "") -> None:
    """start [N] | advertise | silence | rssi DBM | kill | daemon | unplug [N] | stop"""
    if verb == "start":
        start(int(word or 2))
    elif verb == "advertise":
        _air("advertiser", "advertiser")
        print(address())
    elif verb == "silence":
        system.end("advertiser")
    elif verb == "rssi":
        write(state("bluetooth", "rssi"), int(word))
    elif verb == "kill":
        kill()
    elif verb == "daemon":
        daemon()
    elif verb == "unplug":
        unplug(int(word or 0))
    elif verb == "stop":
        stop()
    else:
        raise DeviceError(f"Bluetooth cannot {verb}")


PARTS: dict[str, Callable[..., None]] = {"bluetooth": bluetooth}
