"""Kinds that daemons on the message bus tell of, and mocks of these daemons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import dbus

MOCK = "org.freedesktop.DBus.Mock"
_PROXY = "net.hadess.SensorProxy"
_NETWORKS = "org.freedesktop.NetworkManager"
_MODEMS = "org.freedesktop.ModemManager1"


@dataclass
class Subject:
    """A kind, the mock of its daemon, and the object and property that are changed."""

    kind: str
    # Its template, or the words of dbusmock that make it; how it is called in the table.
    mock: tuple[str, ...]
    name: str
    service: str
    path: str
    interface: str
    property: str
    values: tuple[object, object]
    prepare: Callable[[dbus.Bus], object]
    # What a client calls first to be told anything: an interface and a method.
    claim: tuple[str, str] | None = None
    # Seconds between changes: above the kind's shortest interval, or each would be no update.
    spacing: float = 0.12
    # Seconds between readings: hardly any where changes make updates by themselves.
    every: float = 3600

    def change(self, bus: dbus.Bus, turn: int) -> None:
        """Changes the property, in turns."""
        mock = dbus.Interface(bus.get_object(self.service, self.path), MOCK)
        value = self.values[turn % 2]
        if self.claim:
            mock.SetInternalProperty(self.interface, self.property, value)
        else:
            mock.UpdateProperties(self.interface, {self.property: value})


def _mock(bus: dbus.Bus, service: str, path: str) -> dbus.Interface:
    return dbus.Interface(bus.get_object(service, path), MOCK)


def _add_battery(bus: dbus.Bus) -> None:
    mock = _mock(bus, "org.freedesktop.UPower", "/org/freedesktop/UPower")
    mock.AddDischargingBattery("bench", "Bench", 50.0, dbus.Int64(3600))


def _add_adapter(bus: dbus.Bus) -> None:
    dbus.Interface(bus.get_object("org.bluez", "/"), "org.bluez.Mock").AddAdapter("hci0", "bench")


def _add_device(bus: dbus.Bus) -> None:
    _add_adapter(bus)
    bluez = dbus.Interface(bus.get_object("org.bluez", "/"), "org.bluez.Mock")
    path = bluez.AddDevice("hci0", "02:00:00:00:00:02", "Bench")
    _mock(bus, "org.bluez", path).UpdateProperties(
        "org.bluez.Device1", {"Paired": dbus.Boolean(True)}
    )


def _add_lid(bus: dbus.Bus) -> None:
    mock = _mock(bus, "org.freedesktop.login1", "/org/freedesktop/login1")
    mock.AddProperty("org.freedesktop.login1.Manager", "LidClosed", dbus.Boolean(False))


def _add_network(bus: dbus.Bus) -> None:
    manager = _mock(bus, _NETWORKS, "/org/freedesktop/NetworkManager")
    device = manager.AddWiFiDevice("bench", "wlan0", 100)
    point = manager.AddAccessPoint(
        device, "bench", "Bench", "02:00:00:00:00:01", dbus.UInt32(2), dbus.UInt32(2437),
        dbus.UInt32(54000), dbus.Byte(40), dbus.UInt32(0x100),
    )  # fmt: skip
    _mock(bus, _NETWORKS, device).AddProperty(
        f"{_NETWORKS}.Device.Wireless", "ActiveAccessPoint", dbus.ObjectPath(point)
    )


def _add_modem(bus: dbus.Bus) -> None:
    properties = {
        "State": dbus.Int32(8),
        "AccessTechnologies": dbus.UInt32(1 << 14),
        "SignalQuality": dbus.Struct((dbus.UInt32(40), dbus.Boolean(True)), signature="ub"),
        "Manufacturer": "Bench",
        "Model": "Modem",
        "DeviceIdentifier": "bench",
    }
    mock = _mock(bus, _MODEMS, "/org/freedesktop/ModemManager1")
    path = "/org/freedesktop/ModemManager1/Modem/0"
    mock.AddObject(path, f"{_MODEMS}.Modem", properties, dbus.Array([], signature="(ssss)"))


def _add_sensor(name: str, **more: object) -> Callable[[dbus.Bus], None]:
    def add(bus: dbus.Bus) -> None:
        mock = _mock(bus, _PROXY, "/net/hadess/SensorProxy")
        mock.SetInternalProperty(_PROXY, f"Has{name}", dbus.Boolean(True))
        for key, value in more.items():
            mock.SetInternalProperty(_PROXY, key, value)

    return add


def _sensor(
    kind: str, name: str, key: str, values: tuple[object, object], claim: str, **more: object
) -> Subject:
    """A kind that iio-sensor-proxy tells of."""
    return Subject(
        kind,
        ("--template", "iio-sensors-proxy"),
        "sensor-proxy",
        _PROXY,
        "/net/hadess/SensorProxy",
        _PROXY,
        key,
        values,
        _add_sensor(name, **more),
        (_PROXY, claim),
    )


SUBJECTS = [
    Subject(
        "battery",
        ("--template", "upower"),
        "upower",
        "org.freedesktop.UPower",
        "/org/freedesktop/UPower/devices/bench",
        "org.freedesktop.UPower.Device",
        "Percentage",
        (dbus.Double(40), dbus.Double(41)),
        _add_battery,
    ),
    Subject(
        "bluetooth",
        ("--template", "bluez5"),
        "bluez5",
        "org.bluez",
        "/org/bluez/hci0",
        "org.bluez.Adapter1",
        "Discoverable",
        (dbus.Boolean(True), dbus.Boolean(False)),
        _add_adapter,
    ),
    Subject(
        "bluetooth_device",
        ("--template", "bluez5"),
        "bluez5",
        "org.bluez",
        "/org/bluez/hci0/dev_02_00_00_00_00_02",
        "org.bluez.Device1",
        "RSSI",
        (dbus.Int16(-50), dbus.Int16(-60)),
        _add_device,
        spacing=0.52,
    ),
    Subject(
        "switches",
        ("--template", "logind"),
        "logind",
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
        "LidClosed",
        (dbus.Boolean(True), dbus.Boolean(False)),
        _add_lid,
    ),
    Subject(
        "wifi",
        ("--template", "networkmanager"),
        "networkmanager",
        _NETWORKS,
        "/org/freedesktop/NetworkManager/Devices/bench",
        f"{_NETWORKS}.Device.Wireless",
        "Bitrate",
        (dbus.UInt32(54000), dbus.UInt32(5400)),
        _add_network,
    ),
    Subject(
        "cell_radio",
        ("--is-object-manager", _MODEMS, "/org/freedesktop/ModemManager1", _MODEMS),
        "modemmanager",
        _MODEMS,
        "/org/freedesktop/ModemManager1/Modem/0",
        f"{_MODEMS}.Modem",
        "AccessTechnologies",
        (dbus.UInt32(1 << 15), dbus.UInt32(1 << 14)),
        _add_modem,
    ),
    _sensor(
        "ambient_light",
        "AmbientLight",
        "LightLevel",
        (dbus.Double(41), dbus.Double(40)),
        "ClaimLight",
        LightLevelUnit="lux",
    ),
    _sensor(
        "proximity",
        "Proximity",
        "ProximityNear",
        (dbus.Boolean(True), dbus.Boolean(False)),
        "ClaimProximity",
    ),
    # A kind that is read at its interval, even where a daemon reports its changes.
    replace(
        _sensor(
            "accelerometer",
            "Accelerometer",
            "AccelerometerOrientation",
            (dbus.String("normal"), dbus.String("left-up")),
            "ClaimAccelerometer",
        ),
        every=0.1,
    ),
]
