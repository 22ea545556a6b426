"""Wi-Fi without air: the kernel's mac80211_hwsim makes two radios, hostapd is the access point on
the one, in a network namespace of its own, and wpa_supplicant is the station on the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from . import system
from .system import RUN, DeviceError, command, read, state, wait, write

STATION = "wlan0"
ACCESS_POINT = "wlan1"
SSID = "Virtual Air"
CHANNEL, FREQUENCY = 6, 2437
PASSPHRASE = "virtual-hardware"
_SPACE = "air"
_KEY_MANAGEMENT = {"wpa": "WPA-PSK", "wpa2": "WPA-PSK", "wpa3": "SAE", "owe": "OWE", "open": "NONE"}


def inside(*words: str) -> str:
    """Runs a program where the access point lives."""
    return command("ip", "netns", "exec", _SPACE, *words)


def _network(security: str) -> str:
    lines = [
        f"interface={ACCESS_POINT}",
        "driver=nl80211",
        "ctrl_interface=/run/hostapd",
        f"ssid={SSID}",
        "hw_mode=g",
        f"channel={CHANNEL}",
        "ieee80211n=1",
    ]
    if security != "open":
        lines += [
            f"wpa={1 if security == 'wpa' else 2}",
            f"wpa_key_mgmt={_KEY_MANAGEMENT[security]}",
            "wpa_pairwise=CCMP",
            "rsn_pairwise=CCMP",
        ]
    if security in ("wpa", "wpa2", "wpa3"):
        lines.append(f"wpa_passphrase={PASSPHRASE}")
    if security in ("wpa3", "owe"):
        lines.append("ieee80211w=2")
    return "\n".join(lines) + "\n"


def _station(security: str) -> str:
    lines = [f'ssid="{SSID}"', f"scan_freq={FREQUENCY}", f"key_mgmt={_KEY_MANAGEMENT[security]}"]
    if security in ("wpa", "wpa2", "wpa3"):
        lines.append(f'psk="{PASSPHRASE}"')
    if security in ("wpa3", "owe"):
        lines.append("ieee80211w=2")
    return "network={\n" + "\n".join(lines) + "\n}\n"


def _radios() -> None:
    system.load("mac80211_hwsim radios=2")
    wait("two radios", Path("/sys/class/net", ACCESS_POINT).exists)
    if Path("/run/netns", _SPACE).exists():
        return
    command("ip", "netns", "add", _SPACE)
    radio = read(f"/sys/class/net/{ACCESS_POINT}/phy80211/name")
    command("iw", "phy", radio, "set", "netns", "name", _SPACE)
    inside("ip", "link", "set", "lo", "up")


def secure(security: str) -> None:
    """Lets the access point begin anew: open, owe, wpa, wpa2, wpa3."""
    if security not in _KEY_MANAGEMENT:
        raise DeviceError(f"there is no {security}; there are {', '.join(_KEY_MANAGEMENT)}")
    system.end("station")
    system.end("access-point")
    RUN.mkdir(parents=True, exist_ok=True)
    write(state("access-point", "conf"), _network(security))
    write(state("station", "conf"), _station(security))
    words = ["ip", "netns", "exec", _SPACE, "hostapd", str(state("access-point", "conf"))]
    system.spawn("access-point", words)
    log = state("access-point", "log")
    wait("the access point", lambda: "AP-ENABLED" in read(log))
    # Only a sender that says 0 dBm is heard as loud as `rssi` says.
    inside("iw", "dev", ACCESS_POINT, "set", "txpower", "fixed", "0")


def connect() -> None:
    """Joins the network."""
    if system.number_of("station") is not None:
        return
    words = ["wpa_supplicant", "-i", STATION, "-D", "nl80211", "-c", str(state("station", "conf"))]
    system.spawn("station", words)
    log = state("station", "log")
    wait("the association", lambda: "CTRL-EVENT-CONNECTED" in read(log), 60)


def loudness(decibels: int) -> None:
    """How loud the radios hear each other, in dBm from -100 to -1."""
    files = list(Path("/sys/kernel/debug/ieee80211").glob("*/hwsim/rx_rssi"))
    if not files:
        raise DeviceError("the radios cannot be made quieter: there is no rx_rssi")
    for file in files:
        write(file, decibels & 0xFFFFFFFFFFFFFFFF)


def truth() -> dict[str, str]:
    """What `iw` says of the station's link, by its words."""
    lines = (line.strip() for line in command("iw", "dev", STATION, "link").splitlines())
    found = {}
    for line in lines:
        key, _, value = line.partition(": ")
        found[key] = value.strip()
    for line in command("iw", "dev", STATION, "station", "dump").splitlines()[1:]:
        key, _, value = line.strip().partition(":")
        found[f"station {key}"] = value.strip()
    return found


def stop() -> None:
    """Takes the radios away."""
    system.end("station")
    system.end("access-point")
    if Path("/run/netns", _SPACE).exists():
        command("ip", "netns", "del", _SPACE)
    command("modprobe", "-r", "mac80211_hwsim")


def wifi(verb: str, word: str = "") -> None:
    """start | stop | connect | disconnect | rssi DBM | secure open|owe|wpa|wpa2|wpa3 | truth"""
    if verb == "start":
        _radios()
        secure(word or "wpa2")
        connect()
    elif verb == "secure":
        secure(word)
        connect()
    elif verb == "connect":
        connect()
    elif verb == "disconnect":
        system.end("station")
    elif verb == "rssi":
        loudness(int(word))
    elif verb == "truth":
        print(json.dumps(truth(), indent=2))
    elif verb == "stop":
        stop()
    else:
        raise DeviceError(f"Wi-Fi cannot {verb}")


PARTS: dict[str, Callable[..., None]] = {"wifi": wifi}
