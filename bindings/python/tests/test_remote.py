"""`ip:`: the IIO devices of another machine, against a real iiod on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gatheredkit as gk

from . import patience
from .iiod import IS_INSTALLED, SCALE, Iiod, free_port

needs_iiod = pytest.mark.skipif(not IS_INSTALLED, reason="iiod or umockdev is not installed")


@pytest.fixture
def iiod(tmp_path: Path) -> Iterator[Iiod]:
    """A server with a motion sensor and a barometer."""
    server = Iiod(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def remote(iiod: Iiod) -> Iterator[gk.Context]:
    """The machine behind the server."""
    with gk.Context(f"ip:{iiod.host}", loop="manual") as context:
        yield context


def wait(context: gk.Context, until: Callable[[], bool]) -> bool:
    """Dispatches until something holds."""
    return patience.until(until, lambda: context.sleep(0.05))


def test_the_feature_is_there_and_a_host_that_refuses_has_nothing() -> None:
    assert gk.has_feature("ip")
    with gk.Context(f"ip:127.0.0.1:{free_port()}", loop="manual") as context:
        assert context.sources() == []
        with context.open("accelerometer") as accelerometer:
            assert accelerometer.info.reason is gk.Reason.SERVICE_NOT_RUNNING
            assert accelerometer.info.remedy
            with pytest.raises(gk.UnavailableError):
                accelerometer.start()
        with context.open("memory") as memory:
            assert memory.info.reason is gk.Reason.NO_HARDWARE


@needs_iiod
def test_ids_name_the_host_and_resolve_without_it(iiod: Iiod, remote: gk.Context) -> None:
    ids = [source.id for source in remote.sources()]
    assert all(found.endswith("@" + iiod.host) for found in ids)
    assert {found.split("@")[0] for found in ids} == {
        "altimeter|bmp280",
        "accelerometer|bmi160",
        "device_attitude|bmi160",
        "temperature|bmp280.temp",
        "iio|bmi160",
        "iio|bmp280",
    }
    full = f"accelerometer|bmi160@{iiod.host}"
    for text in (full, "accelerometer", "accelerometer|bmi160", "accelerometer|iio:device0"):
        with remote.open(text) as accelerometer:
            assert accelerometer.id == full
    with pytest.raises(gk.NotFoundError):
        remote.open("accelerometer|bmi160@elsewhere")
    with gk.Context("sim:phone") as local, pytest.raises(gk.NotFoundError):
        local.open(full)


@needs_iiod
def test_only_what_iio_measures_is_served(remote: gk.Context) -> None:
    for kind in remote.doctor().kinds:
        if kind["kind"] in ("battery", "cpu", "device_metadata", "memory", "screen", "storage"):
            assert (kind["instances"], kind["reason"]) == ([], "noHardware")
    assert remote.read("altimeter")["pressure"].value == pytest.approx(100_000)
    assert remote.read("temperature")["temperature"].value == pytest.approx(21.5)


@needs_iiod
def test_a_stream_survives_its_server(iiod: Iiod, remote: gk.Context) -> None:
    events: list[gk.Event] = []
    came_and_went: list[gk.Event] = []
    remote.listen_events(came_and_went.append, "accelerometer")
    with remote.open("accelerometer") as accelerometer:
        accelerometer.listen_events(events.append)
        with accelerometer.stream(every=0.01) as samples:
            assert wait(remote, lambda: samples.stats.queued > 20 * len(accelerometer))
            frame = samples.frame(timeout=0)
            x, y, z = frame["acceleration"].tolist()[-1]
            assert (x, z) == (-y, 20 * SCALE)
            assert accelerometer["acquisition"].value == "stream"

            iiod.stop()
            assert wait(remote, lambda: accelerometer.info.availability != 0)
            assert accelerometer.info.detail
            assert accelerometer.info.remedy
            assert accelerometer.is_updating
            assert wait(remote, lambda: accelerometer["acceleration"].value is None)
            assert accelerometer["acceleration"].status is gk.SampleStatus.NO_DATA

            iiod.start()
            assert wait(remote, lambda: accelerometer.info.availability == 0)
            assert wait(remote, lambda: accelerometer["acceleration"].value is not None)
            assert accelerometer["acceleration"].value.z == 20 * SCALE
            assert {event.type for event in events[1:]} == {gk.EventType.AVAILABILITY_CHANGED}
            assert wait(remote, lambda: len(came_and_went) == 2)
            kinds = [event.type.name for event in came_and_went]
            assert kinds == ["REMOVED", "ADDED"]
