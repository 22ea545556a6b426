"""Publishers and fleets, by a real broker: fleet F16, F24, F42."""

from __future__ import annotations

from pathlib import Path

import pytest

import gatheredkit as gk

from .mqtt import MOSQUITTO, private_broker
from .patience import PATIENCE, until

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")


def test_what_one_machine_publishes_another_reads(broker: str) -> None:
    with (
        gk.Context("sim:phone") as phone,
        gk.publish(
            broker, ["battery", "accelerometer"], every=0.01, device="pi", context=phone
        ) as publishing,
    ):
        publishing.recorder.flush(timeout=PATIENCE)
        # Rows are sent once the interval is known.
        assert until(lambda: (publishing.info().rows_acknowledged or 0) > 0)
        info = publishing.info()
        assert (info.state, info.format, info.reason) == ("connected", "mqtt", "")
        assert info.rows_taken >= info.rows_acknowledged > 0
        assert info.connected_since is not None
        with gk.Context(broker) as fleet:
            found = [source.id for source in fleet.sources()]
            assert found == ["accelerometer|mpu6050@pi", "battery|aggregate@pi"]
            level = fleet.read("battery|aggregate@pi", PATIENCE)["level"]
            assert level.value == pytest.approx(phone.read("battery")["level"].value, abs=0.01)
            heard: list[gk.Update] = []
            with fleet.open("accelerometer") as accelerometer:
                accelerometer.listen(heard.append)
                accelerometer.start()
                assert until(lambda: len(heard) > 2)
    assert publishing.recorder.closed


def test_what_comes_later_is_published_and_nothing_personal(broker: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(
        "0 add battery|BAT0\n0 add gps|receiver\n0 set battery|BAT0/level 0.5\n"
        "1 add battery|BAT1\n1 set battery|BAT1/level 0.7\n",
        "utf-8",
    )
    late = "battery|BAT1@pi"
    with (
        gk.Context(f"sim:file={script}", allow="all") as machine,
        gk.publish(broker, device="pi", context=machine),
        gk.Context(broker) as fleet,
    ):
        assert until(lambda: late in [source.id for source in fleet.sources()])
        assert fleet.read(late, PATIENCE)["level"].value == pytest.approx(0.7)
        assert not fleet.sources("gps")


def test_without_a_broker_the_reason_is_told() -> None:
    with (
        gk.Context("sim:phone") as phone,
        gk.publish("mqtt:127.0.0.1:1", ["battery"], context=phone) as publishing,
    ):
        assert until(lambda: publishing.info().state == "waiting")
        assert "connection refused" in publishing.info().reason
        assert publishing.info().remedy
        with pytest.raises(gk.TimedOutError):
            publishing.recorder.flush(timeout=0.001)


@pytest.mark.parametrize("uri", ["mqtt:", "mqtt:h:0", "mqtt:h&colour=red", "mqtt:u:p@h"])
def test_what_is_no_broker_is_refused(uri: str) -> None:
    with gk.Context("sim:empty") as context, pytest.raises(gk.InvalidArgumentError):
        gk.publish(uri, [], context=context)
    with pytest.raises(gk.InvalidArgumentError):
        gk.Context(uri)


def test_a_spool_keeps_rows_until_the_broker_has_them(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    nowhere = "mqtt:127.0.0.1:1"
    with gk.Context("sim:phone") as phone:
        with gk.publish(
            nowhere, ["accelerometer"], every=0.01, device="pi", spool=spool, context=phone
        ) as publishing:
            assert until(lambda: (publishing.info().spooled_rows or 0) > 50)
            with pytest.raises(gk.BusyError, match="another publisher keeps its rows in"):
                gk.publish(nowhere, [], device="other", spool=spool, context=phone)
            publishing.recorder.flush(timeout=PATIENCE)
            assert (publishing.info().spooled_bytes or 0) > 50
        assert [file.name for file in spool.glob("*.gkr")] == ["pi.gkr"]
        assert spool.stat().st_mode & 0o777 == 0o700
        with (
            private_broker(tmp_path) as uri,
            gk.publish(uri, ["memory"], device="pi", spool=spool, context=phone) as publishing,
        ):
            assert until(lambda: publishing.info().spooled_rows == 0)
            assert publishing.info().rows_acknowledged > 50
    assert not list(spool.glob("*.gkr"))


def test_a_file_tells_how_it_stands(tmp_path: Path) -> None:
    with gk.Context("sim:phone&clock=manual", loop="manual") as phone:
        recorder = gk.Recorder(phone, tmp_path / "walk.gkr")
        with phone.open("battery") as battery:
            recorder.add(battery)
            battery.start(every=1)
            phone.seek(10)
            recorder.flush(timeout=PATIENCE)
        info = recorder.info()
        assert (info.state, info.rows_lost, info.messages_sent) == ("open", 0, None)
        assert info.rows_taken == info.rows_acknowledged == info.rows_sent > 9
        recorder.close()


def test_options_out_of_range_are_refused(broker: str) -> None:
    with gk.Context("sim:empty") as context:
        wrong = [{"rows": "some"}, {"qos": 2}, {"device": "x" * 65}, {"discovery": "a//b"}]
        spools = [{"spool": ""}, {"spool_bytes": 1000}, {"drain_rate": -1}]
        for options in [{"heartbeat": 1.0}, *wrong, *spools]:
            with pytest.raises(gk.InvalidArgumentError):
                gk.publish(broker, [], context=context, **options)  # type: ignore[arg-type]
