"""What a user without rights is told: what works, what does not, why, and how to mend it."""

from __future__ import annotations

import errno
import json
from typing import Any

from virtual_devices import sensors
from virtual_devices.firmware import battery, lid

from . import other_user
from .proof import expect, expect_equal, needs_kinds, proves

battery("start")
lid("open")

_STREAM = """
import json
import gatheredkit as gk
with gk.Context() as context, context.open("accelerometer") as source:
    source.start(every=0.02)
    sample = source.update()["acceleration"]
    info, now = source.info, source.rates
    print(json.dumps({
        "value": sample.value, "status": sample.status.name, "reason": info.reason.name,
        "detail": info.detail, "errno": info.errno, "remedy": info.remedy,
        "acquisition": source["acquisition"].value, "granted": now.granted, "why": now.reason,
    }))
"""


def doctor() -> dict[str, dict[str, Any]]:
    """The report of `gathered doctor`, by kind and instance."""
    done = other_user.command_line("doctor", "--json")
    expect_equal(done.returncode, 0, done.stderr)
    found: dict[str, dict[str, Any]] = {}
    for kind in json.loads(done.stdout)["kinds"]:
        found[kind["kind"]] = kind
        found |= {instance["id"]: instance for instance in kind.get("instances") or []}
    return found


@proves("A6: doctor runs without rights, and tells the same as text")
def text() -> None:
    done = other_user.command_line("doctor")
    expect_equal(done.returncode, 0, done.stderr)
    for word in ("battery|BAT0", "switches", "MECHANISM"):
        expect(word in done.stdout, done.stdout)


@proves("A1: what is open to all is available without rights")
def available() -> None:
    found = doctor()
    for name in ("battery|BAT0", "memory|machine", "device_metadata|machine", "network|lo"):
        expect_equal(found[name]["reason"], "available", name)


@proves("5.7, A1: closed input devices are refused with the errno, and the group to join")
def switches() -> None:
    lids = [one for name, one in doctor().items() if name.startswith("switches|Lid")]
    expect_equal(len(lids), 1, "lids")
    expect_equal(lids[0]["reason"], "permissionDenied")
    expect("group input" in lids[0]["remedy"], lids[0])
    expect(lids[0].get("errno") in (None, errno.EACCES), lids[0])


@proves("A6: whatever is not available has a remedy, or there is no hardware")
def remedies() -> None:
    bare = [
        name
        for name, one in doctor().items()
        if one["reason"] not in ("available", "noHardware") and not one.get("remedy")
    ]
    expect(not bare, bare)


@proves("3.2: without rights to the buffer sensors are polled, and the rule to install is named")
def polling_only() -> None:
    needs_kinds("accelerometer")
    sensors.start(["accel"], sensors.Settings(motion="set", set=(0.5, -1.5, 9.5)))
    try:
        done = other_user.python(_STREAM)
        expect_equal(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout.splitlines()[-1])
        expect_equal(found["value"], [0.5, -1.5, 9.5])
        expect_equal(found["reason"], "AVAILABLE")
        expect("polling only" in found["detail"], found)
        expect_equal(found["errno"], errno.EACCES, f"errno of {found}")
        expect("udev" in found["remedy"], found)
        expect_equal(found["acquisition"], "poll")
        # A hub polled by attribute is woken by each read.
        expect_equal(found["granted"], 0.25)
        expect(found["why"], "no reason for the interval granted")
    finally:
        sensors.stop(["accel"])
