"""A Wi-Fi link through the kernel's own mac80211: every value against what `iw` and we know."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gatheredkit as gk

from virtual_devices import wireless
from virtual_devices.system import command, read, write

from . import other_user
from .proof import (
    Seen,
    arrives,
    eventually,
    expect,
    expect_equal,
    expect_near,
    proves,
    reads,
    watching,
)

# The radio has no place on a bus: its device is the first that the driver made.
ID = "wifi|hwsim0"
LOUDNESS = -61
LINK = ("ssid", "ssid_bytes", "bssid", "signal", "tx_bitrate", "frequency", "security", "rx_bytes")

context = gk.Context(allow=["ssid", "mac"])


def _sees(watch: Seen, wanted: gk.EventType) -> None:
    """The station's radio comes or goes; the access point's comes by as well."""
    while True:
        event = watch.next()
        if event.source_id == ID:
            expect_equal(event.type, wanted)
            return


@proves("4.2: without nl80211 the family is what is missing, and asking for it loads no driver")
def no_family() -> None:
    with gk.Context() as bare:
        (found,) = [kind for kind in bare.doctor().kinds if kind["kind"] == "wifi"]
    expect_equal(found["reason"], "unsupportedByKernel")
    expect(found["remedy"], found)
    expect(not Path("/sys/module/cfg80211").exists(), "asking has loaded cfg80211")


@proves("4.2: radios that come are instances that come, named by their place, without a scan")
def appears() -> None:
    with watching(context, "wifi") as watch:
        wireless.wifi("start")
        _sees(watch, gk.EventType.ADDED)
    wireless.loudness(LOUDNESS)
    with context.open("wifi|wlan0") as source:
        expect_equal(str(source.id), ID, "the kernel's name is an alias:")


def _access_point(told: dict[str, str]) -> str:
    (line,) = [key for key in told if key.startswith("Connected to ")]
    return line.split()[2].upper()


@proves("4.2: every value of a link is the truth")
def values() -> None:
    with context.open(ID) as source:
        reads(source, "signal", float(LOUDNESS))
        told = wireless.truth()
        wanted = {
            "connected": True,
            "ssid": wireless.SSID,
            "ssid_bytes": wireless.SSID.encode(),
            "bssid": _access_point(told),
            "frequency": wireless.FREQUENCY * 1e6,
            "channel_width": 20e6,
            "mode": "station",
            "security": "wpa2_personal",
            "power_save": command("iw", "dev", wireless.STATION, "get", "power_save").strip()
            == "Power save: on",
            "interface": wireless.STATION,
            "mac": read(f"/sys/class/net/{wireless.STATION}/address").upper(),
        }
        for key, value in wanted.items():
            expect_equal(source[key].value, value, key)
        expect_equal(source["signal_quality"].status, gk.SampleStatus.UNSUPPORTED)


@proves("4.2: rates are those of the last frames, each its own")
def rates() -> None:
    with context.open(ID) as source:
        for key, word in (("tx_bitrate", "tx bitrate"), ("rx_bitrate", "rx bitrate")):

            def agree(key: str = key, word: str = word) -> bool:
                # The next frame may go at another rate.
                before = wireless.truth()[word].split()[0]
                value = source.update()[key].value
                still = before == wireless.truth()[word].split()[0]
                return still and bool(value == float(before) * 1e6)

            eventually(key, agree)


@proves("4.2: times and counters are what the kernel counts, between two looks at it")
def counters() -> None:
    keys = {
        "rx_bytes": "rx bytes",
        "tx_bytes": "tx bytes",
        "tx_retries": "tx retries",
        "tx_failed": "tx failed",
        "connected_time": "connected time",
    }
    with context.open(ID) as source:
        before = wireless.truth()
        source.update()
        after = wireless.truth()
        for key, word in keys.items():
            low, high = (int(look[f"station {word}"].split()[0]) for look in (before, after))
            value = source[key].number
            holds = value is not None and low <= value <= high
            expect(holds, f"{key} {value}, between {low} and {high}")
        expect_near(source["inactive_time"].number, 15, 15, "inactive_time")


@proves("4.2: the signal follows what is heard, byte by byte of its sign")
def signals() -> None:
    with context.open(ID) as source:
        for loudness in (-100, -30, -1, LOUDNESS):
            wireless.loudness(loudness)
            reads(source, "signal", float(loudness))


@proves("4.2, L4: a link that is cut or made is an update at once")
def events() -> None:
    with context.open(ID) as source:
        source.start(every=600)
        arrives(source, "connected", True)
        wireless.wifi("disconnect")
        arrives(source, "connected", False)
        for key in LINK:
            expect_equal(source[key].status, gk.SampleStatus.NO_DATA, key)
            expect_equal(source.explain(key).reason, "not connected", key)
        expect_equal(source["mode"].value, "station")
        wireless.wifi("connect")
        arrives(source, "connected", True)
        arrives(source, "ssid", wireless.SSID)


@proves("4.2: the weakest key management a network accepts is told, for all that can be made")
def securities() -> None:
    wanted = {"wpa3": "wpa3_personal", "owe": "owe", "open": "open", "wpa": "wpa"}
    with context.open(ID) as source:
        for security, word in wanted.items():
            wireless.wifi("secure", security)
            reads(source, "security", word)
    wireless.wifi("secure", "wpa2")


@contextmanager
def _blocked() -> Iterator[None]:
    (soft,) = Path(f"/sys/class/net/{wireless.STATION}/phy80211").glob("rfkill*/soft")
    write(soft, 1)
    try:
        yield
    finally:
        write(soft, 0)


@proves("4.2, L10: a blocked radio is powered off with its remedy, and comes back by itself")
def blocked() -> None:
    with context.open(ID) as source:
        source.start(every=600)
        with _blocked():
            eventually("powered off", lambda: source.info.reason.name == "POWERED_OFF")
            expect("rfkill unblock" in source.info.remedy, source.info)
            arrives(source, "mode", None)
        eventually("available", lambda: source.info.reason.name == "AVAILABLE")
        command("ip", "link", "set", wireless.STATION, "up")
        arrives(source, "mode", "station")
        # The daemon lost its interface for a moment, and looks for the network on its own.
        arrives(source, "connected", True)


@proves("P1, P4: without allow names and addresses are withheld, and the rest flows")
def private() -> None:
    with gk.Context() as bare, bare.open(ID) as source:
        source.update()
        for key in ("ssid", "ssid_bytes", "bssid", "mac"):
            expect_equal(source[key].status, gk.SampleStatus.PERMISSION, key)
            expect("allow=" in source.explain(key).remedy, source.explain(key))
        expect_equal(source["security"].value, "wpa2_personal")
        expect_near(source["signal"].number, LOUDNESS, 0.5, "signal")


@proves("4.2: a user without rights is told the same: nothing is scanned")
def unprivileged() -> None:
    script = (
        "import gatheredkit as gk\n"
        f"with gk.Context() as context, context.open('{ID}') as source:\n"
        "    source.update()\n"
        "    print(*(source[key].value for key in ('connected', 'signal', 'security')))\n"
    )
    done = other_user.python(script)
    expect_equal(done.returncode, 0, done.stderr)
    expect_equal(done.stdout.strip(), f"True {float(LOUDNESS)} wpa2_personal")


@proves("4.2: an access point has a name and a channel, and no link of its own")
def access_point() -> None:
    script = (
        "import gatheredkit as gk\n"
        "with gk.Context(allow=['ssid']) as context, context.open('wifi|wlan1') as source:\n"
        "    source.update()\n"
        "    print(*(source[key].value for key in ('mode', 'connected', 'ssid', 'frequency')))\n"
    )
    # A namespace has its own interfaces and, mounted by `ip netns`, its own /sys.
    words = ["ip", "netns", "exec", "air", "python3", "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    expect_equal(done.returncode, 0, done.stderr)
    wanted = f"access_point False {wireless.SSID} {wireless.FREQUENCY * 1e6}"
    expect_equal(done.stdout.strip(), wanted)


@proves("H2, L10: a radio that goes is an instance that goes, and comes back as the same")
def goes() -> None:
    with context.open(ID) as source, watching(context, "wifi") as watch:
        source.start(every=1)
        wireless.stop()
        _sees(watch, gk.EventType.REMOVED)
        eventually("disconnected", lambda: source.info.reason.name == "DISCONNECTED")
        arrives(source, "mode", None)
        wireless.wifi("start")
        _sees(watch, gk.EventType.ADDED)
        arrives(source, "connected", True)
    wireless.stop()
