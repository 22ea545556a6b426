"""Bluetooth through the kernel and BlueZ: two controllers, and a device nearby that advertises."""

from __future__ import annotations

import subprocess

import gatheredkit as gk

from virtual_devices import bluetooth, bluetooth_air
from virtual_devices.system import command

from . import other_user
from .proof import PATIENCE, arrives, eventually, expect, expect_equal, proves, reads, watching

ADAPTERS = ["bluetooth|hci0", "bluetooth|hci1"]
LOUDNESS = -47

context = gk.Context(allow=["mac", "hostname", "bluetooth_discovery"])


def _names(kind: str, among: gk.Context = context) -> list[str]:
    return [str(info.id) for info in among.sources(kind)]


def _reason(source: gk.Source) -> str:
    return source.info.reason.name


@proves("4.14: without a controller there is no hardware, and asking starts nothing")
def nothing() -> None:
    expect_equal(_names("bluetooth"), [])
    with context.open("bluetooth") as source:
        expect_equal(_reason(source), "NO_HARDWARE")
    expect("org.bluez" not in command("busctl", "--acquired", "list"), "BlueZ was started")


@proves("4.14: controllers that come are instances, virtual ones by the kernel's name")
def appear() -> None:
    bluetooth.start(2)

    def are_there() -> bool:
        context.rescan()
        return _names("bluetooth") == ADAPTERS

    eventually("two adapters", are_there)


@proves("4.14: every value of an adapter is what BlueZ says")
def values() -> None:
    words = ["--auto-start=no", "get-property", "org.bluez", "/org/bluez/hci0"]
    properties = {
        "powered": "Powered",
        "discovering": "Discovering",
        "discoverable": "Discoverable",
        "pairable": "Pairable",
        "address": "Address",
        "name": "Alias",
    }
    with context.open(ADAPTERS[0]) as source:
        source.update()
        for key, name in properties.items():
            told = command("busctl", *words, "org.bluez.Adapter1", name).split(None, 1)[1].strip()
            sample = source[key]
            truth = sample.boolean
            found = f'"{sample.text}"' if truth is None else str(truth).lower()
            expect_equal(found, told, key)
        expect_equal(source["connected_count"].value, 0)
        expect_equal(source["known_count"].value, 0)


@proves("P5: no scan for devices before a source updates, or without leave")
def unasked() -> None:
    bluetooth.bluetooth("rssi", str(LOUDNESS))
    bluetooth.bluetooth("advertise")
    with gk.Context(allow=["mac"]) as shut, shut.open(ADAPTERS[0]) as source:
        source.start(every=1)
        arrives(source, "powered", True)
        gk.sleep(2)
        expect(not bluetooth.discovering(), "looks without leave")
        expect_equal(_names("bluetooth_device", shut), [])
    with context.open(ADAPTERS[0]) as source:
        source.update()
        expect(not bluetooth.discovering(), "looks though no source updates")


@proves("4.15: what is nearby is found while a source updates, with every value that it says")
def nearby() -> None:
    with context.open(ADAPTERS[0]) as source, watching(context, "bluetooth_device") as watch:
        source.start(every=1)
        eventually("discovery", bluetooth.discovering)
        arrives(source, "discovering", True)
        name = watch.next(gk.EventType.ADDED).source_id
        expect(name.startswith("bluetooth_device|dev-"), name)
        expect(bluetooth.address().replace(":", "").lower() not in name.lower(), name)
        with context.open(name) as device:
            device.start(every=1)
            arrives(device, "rssi", float(LOUDNESS))
            wanted = {
                "connected": False,
                "paired": False,
                "trusted": False,
                "services_resolved": False,
                "tx_power": float(bluetooth_air.TX_POWER),
                "address": bluetooth.address(),
                "address_type": "public",
                "name": bluetooth_air.NAME,
                "service_uuids": f"{bluetooth_air.SERVICE:08x}-0000-1000-8000-00805f9b34fb",
                "manufacturer_data": bluetooth_air.COMPANY.to_bytes(2, "little")
                + bluetooth_air.COMPANY_DATA,
                "adapter": ADAPTERS[0],
            }
            for key, value in wanted.items():
                expect_equal(device[key].value, value, key)
            bluetooth.bluetooth("rssi", "-80")
            arrives(device, "rssi", -80.0)
            source.stop()
            eventually("the end of the discovery", lambda: not bluetooth.discovering())
            expect_equal(watch.next(gk.EventType.REMOVED).source_id, name)


@proves("H4, L10: BlueZ is killed and started again while sources update")
def killed() -> None:
    with context.open(ADAPTERS[0]) as source:
        source.start(every=1)
        arrives(source, "powered", True)
        eventually("discovery", bluetooth.discovering)
        bluetooth.kill()
        eventually("no service", lambda: _reason(source) == "SERVICE_NOT_RUNNING")
        expect(source.info.remedy.startswith("systemctl start bluetooth.service"), source.info)
        arrives(source, "powered", None)
        expect(source.is_updating, "stopped updating")
        bluetooth.daemon()
        eventually("available", lambda: _reason(source) == "AVAILABLE")
        arrives(source, "powered", True)
        eventually("discovery, begun again", bluetooth.discovering)
    eventually("the end of the discovery", lambda: not bluetooth.discovering())


@proves("4.14, A1: an adapter that is off says so, and the remedy, followed, powers it on")
def powered_off() -> None:
    with context.open(ADAPTERS[0]) as source:
        source.start(every=1)
        arrives(source, "powered", True)
        bluetooth.power("/org/bluez/hci0", False)
        eventually("powered off", lambda: _reason(source) == "POWERED_OFF")
        _follow(source.info.remedy)
        eventually("available", lambda: _reason(source) == "AVAILABLE")
        arrives(source, "powered", True)


@proves("4.14, A1: an adapter that is blocked says so, and the remedy, followed, frees it")
def blocked() -> None:
    # No source looks for devices meanwhile.
    with gk.Context() as bare, bare.open(ADAPTERS[0]) as source:
        source.start(every=1)
        arrives(source, "powered", True)
        subprocess.run(["rfkill", "block", "bluetooth"], check=True)
        try:
            eventually("blocked", lambda: source.info.remedy.startswith("rfkill unblock"))
            expect_equal(_reason(source), "POWERED_OFF")
            # What was on before BlueZ powers on again by itself, once it has seen it off.
            eventually("BlueZ to hear of it", lambda: not bluetooth.says("Powered"))
            _follow(source.info.remedy)
        finally:
            # The proofs after this one need their radio, whatever came out.
            subprocess.run(["rfkill", "unblock", "bluetooth"], check=True)
        eventually("available", lambda: _reason(source) == "AVAILABLE")
        arrives(source, "powered", True)


def _follow(remedy: str) -> None:
    """Does what a remedy says, as it is written."""
    subprocess.run(["sh", "-c", remedy], check=True, capture_output=True, timeout=PATIENCE)


@proves("4.14: a user without rights is told the same")
def unprivileged() -> None:
    script = (
        "import gatheredkit as gk\n"
        f"with gk.Context() as context, context.open('{ADAPTERS[0]}') as source:\n"
        "    source.update()\n"
        "    print(source['powered'].value, source['address'].status.name)\n"
    )
    done = other_user.python(script)
    expect_equal(done.returncode, 0, done.stderr)
    expect_equal(done.stdout.strip(), "True PERMISSION")


@proves("H2, L10: a controller that goes is an instance that goes")
def goes() -> None:
    with context.open(ADAPTERS[1]) as source, watching(context, "bluetooth") as watch:
        reads(source, "powered", True)
        source.start(every=1)
        bluetooth.unplug(1)
        expect_equal(watch.next(gk.EventType.REMOVED).source_id, ADAPTERS[1])
        eventually("disconnected", lambda: _reason(source) == "DISCONNECTED")
        arrives(source, "powered", None)
        expect(source.is_updating, "stopped updating")
    bluetooth.stop()
