"""A counter of energy, which only root may read, and the rule that opens it to a group."""

from __future__ import annotations

import grp
import shutil
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import HARDWARE, command, wait

COUNTER = Path("/sys/class/powercap/intel-rapl:0/energy_uj")
RULE = HARDWARE.parent.parent / ".ci/91-gatheredkit-energy.rules"
_PLACE = Path("/run/udev/rules.d") / RULE.name


def can_start() -> bool:
    """Whether the driver was built."""
    return system.can_load("energy-counter")


def group() -> int:
    """The number of the group that the package makes."""
    try:
        return grp.getgrnam("gathered").gr_gid
    except KeyError:
        command("groupadd", "--system", "gathered")
        return grp.getgrnam("gathered").gr_gid


def energy(verb: str) -> None:
    """start | open | close: the counter; its rule, and the counter's return"""
    if verb == "open":
        group()
        _PLACE.parent.mkdir(exist_ok=True)
        shutil.copy(RULE, _PLACE)
    elif verb == "close":
        _PLACE.unlink(missing_ok=True)
    command("udevadm", "control", "--reload")
    command("modprobe", "-r", "energy-counter")
    command("modprobe", "energy-counter")
    wait("the counter", COUNTER.exists)
    command("udevadm", "settle")


PARTS: dict[str, Callable[..., None]] = {"energy": energy}
