"""Counters of energy: root's by the kernel, the group's by the rule of gatheredkit-udev."""

from __future__ import annotations

import json
import stat

from virtual_devices.energy import COUNTER, can_start, energy, group

from . import other_user
from .proof import Skipped, expect, expect_equal, proves

_READ = f"print(open({str(COUNTER)!r}).read())"
_POWER = """
import json
import gatheredkit as gk
with gk.Context() as context, context.open("power|package-0") as zone:
    with gk.energy(context) as used:
        context.sleep(2)
    zone.update()
    print(json.dumps({
        "joules": dict(used), "missing": used.missing, "seconds": used.duration,
        "status": zone["energy"].status.name, "remedy": zone["energy"].remedy,
        "detail": zone.info.detail, "availability": zone.info.availability.name,
    }))
"""
_REMEDY = "install gatheredkit-udev and add yourself to group gathered"


def _begin(verb: str) -> None:
    if not can_start():
        raise Skipped("there is no driver of a counter")
    energy(verb)


@proves("13.2: without the rule the counter is root's, and the remedy names the package")
def closed() -> None:
    _begin("close")
    expect_equal(stat.S_IMODE(COUNTER.stat().st_mode), 0o400, "mode")
    done = other_user.python(_POWER)
    expect_equal(done.returncode, 0, done.stderr)
    told = json.loads(done.stdout)
    expect_equal((told["status"], told["remedy"]), ("PERMISSION", _REMEDY))
    expect_equal((told["availability"], told["detail"]), ("AVAILABLE", "limits only"))
    expect_equal(told["joules"], {})


@proves("13.2: by the rule the group reads the counter, and no other user does")
def opened() -> None:
    _begin("open")
    found = COUNTER.stat()
    expect_equal((found.st_uid, found.st_gid), (0, group()), "owner")
    expect_equal(stat.S_IMODE(found.st_mode), 0o440, "mode")
    expect("Permission denied" in other_user.python(_READ).stderr, "others")
    done = other_user.python(_POWER, groups=[group()])
    expect_equal(done.returncode, 0, done.stderr)
    told = json.loads(done.stdout)
    watts = told["joules"]["power|package-0"] / told["seconds"]
    expect(abs(watts - 10) < 0.5, told)
