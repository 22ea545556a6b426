"""Brokers that speak wrongly harm neither who publishes nor who reads: fleet F25, F26, F38."""

from __future__ import annotations

import contextlib
import ssl
import subprocess
import time
from pathlib import Path

import psutil
import pytest

import gatheredkit as gk

from .hostile_broker import (
    BEHAVIOURS,
    Behaviour,
    Visitor,
    hostile_broker,
    made_up_packets,
    never_acknowledges,
    unknown_property,
    unknown_property_later,
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
            rows="always" if behaviour is never_acknowledges else "never",
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


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of localhost that vouches for itself; its key lies beside it."""
    folder = tmp_path_factory.mktemp("tls")
    words = "openssl req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
    words += " -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    files = ["-out", str(folder / "own.pem"), "-keyout", str(folder / "own.key")]
    subprocess.run([*words.split(), *files], check=True, capture_output=True)
    return folder / "own.pem"


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize(
    "behaviour",
    [unknown_property, unknown_property_later, made_up_packets],
    ids=lambda each: each.__name__,
)
def test_what_follows_is_as_good_as_any(behaviour: Behaviour, tls: bool, certificate: Path) -> None:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, certificate.with_suffix(".key"))
    count = 0

    def first_hostile(visitor: Visitor) -> None:
        nonlocal count
        count += 1
        if count == 1:
            return behaviour(visitor)
        visitor.accept()
        while True:
            visitor.answer()

    with (
        hostile_broker(first_hostile, server if tls else None) as uri,
        gk.Context("sim:phone") as phone,
        phone.open("accelerometer") as own,
    ):
        uri += f"&version=5&ca={certificate}" if tls else "&version=5"
        own.start(every=0.01)
        publishing = gk.publish(uri, ["accelerometer"], device="pi", context=phone)
        reasons: set[str] = set()
        assert until(lambda: count >= 2, lambda: reasons.add(publishing.info().reason))
        assert until(lambda: publishing.info().state == "connected")
        # Why it was left was told; what is made up may also be a farewell.
        place = uri.split(":", 1)[1].split("&")[0]
        told = f"what answers at {place} breaks the rules of MQTT"
        assert told in reasons or (behaviour is made_up_packets and any(reasons))
        publishing.close()
