"""Brokers that speak wrongly harm neither who publishes nor who reads: fleet F25, F26, F38."""

from __future__ import annotations

import contextlib
import time

import psutil
import pytest

import gatheredkit as gk

from .hostile_broker import (
    BEHAVIOURS,
    Behaviour,
    garbage,
    hostile_broker,
    never_acknowledges,
)
from .mqtt import MOSQUITTO
from .patience import until

# libmosquitto1 is there where the broker is.
pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")

# What may be held for it, in bytes: a round of the connection, and all machines it makes up.
BOUND = 256 << 20


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.__name__)
def test_no_broker_harms_who_uses_it(behaviour: Behaviour) -> None:
    before = resident()
    heard: list[gk.Update] = []
    with (
        hostile_broker(behaviour) as uri,
        gk.Context("sim:phone") as phone,
        phone.open("accelerometer") as own,
    ):
        own.listen(heard.append)
        begin = time.monotonic()
        publishing = gk.publish(
            uri,
            ["accelerometer"],
            every=0.001,
            device="pi",
            # Where rows wait a close leaves them ten seconds.
            rows="always" if behaviour in (garbage, never_acknowledges) else "never",
            memory_limit=1 << 20,
            context=phone,
        )
        with gk.Context(uri) as fleet:
            own.start(every=0.001)
            assert until(lambda: len(heard) > 20)
            gk.sleep(1)
            fleet.sources()
            with contextlib.suppress(gk.GatheredKitError):
                fleet.read("accelerometer|mpu6050@pi", 0.5)
            info = publishing.info()
            assert info.state in ("connecting", "connected", "waiting")
            assert info.rows_taken > 0
        with contextlib.suppress(gk.TimedOutError, gk.UnavailableError):
            publishing.close()
        assert time.monotonic() - begin < 120
    assert resident() < before + BOUND
