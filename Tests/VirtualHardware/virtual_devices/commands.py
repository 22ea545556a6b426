"""devices: creates and drives the virtual machine's devices. Runs inside it, as root.

  devices list                          what runs, and the kernel's devices
  devices stop all

sensors (IIO, through the kernel's hid-sensor-* drivers)
  SENSOR = accel gyro magn incl rotation gravity als press prox temp humidity relrotation
           georotation, or a group: imu, env, sensors (both)
  devices SENSOR start [--rate HZ] [--motion still|sine|swing|spin|count] [--freq HZ]
                 [--amp X] [--set V,...] [--clock realtime|monotonic|boottime|none] [--hub]
  devices SENSOR stop | unplug | plug   unplugging keeps the settings of the start
  devices SENSOR motion NAME | set V... | rate HZ | freq HZ | amp X
  devices SENSOR pause | resume | drop N
  devices SENSOR status | path | truth SECONDS...

power (ACPI, through the kernel's battery, ac, button, thermal, video drivers)
  devices battery start | plug | unplug | set PERCENT | rate MILLIWATT | volts MILLIVOLT
          | state charging|discharging|full|not-charging|critical | cycles N | health PERCENT
  devices ac on | off                   devices lid open | closed
  devices thermal CELSIUS               devices light LUX | off
  devices backlight start | set PERCENT
  devices mouse start [PERCENT] | set PERCENT | unplug

others
  devices screen start | unplug | plug  devices storage start | stop
  devices thermometer start | set CELSIUS | high CELSIUS | unplug | plug   (hwmon)
  devices microphone start [HZ [DBFS]] | unplug | plug | stop   (ALSA's loopback card)
  devices gps start | fix [2|3] | nofix | kill | restart | unplug | stop   (gpsd on a pty)
  devices energy start | open | close   (powercap: a counter, and its rule)
  devices dummy start | steps N | unplug   (IIO: a pedometer and voltages)
  devices wifi start [SECURITY] | connect | disconnect | rssi DBM | secure SECURITY | truth | stop
          SECURITY = open owe wpa wpa2 wpa3
  devices geoclue start | fix 0|2|3 | kill | daemon | stop   (GeoClue without its agent)
  devices modem start [PIN] | daemon | NAME=VALUE... | kill | unplug | plug | stop   (USB)
  devices systemd start | run COMMAND... | stop   (with the packages' units, none of them running)
  devices bluetooth start [N] | advertise | silence | rssi DBM | kill | daemon | unplug N | stop
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import (
    bluetooth,
    dummy,
    energy,
    firmware,
    geoclue,
    microphone,
    modem,
    peripherals,
    positions,
    sensors,
    system,
    systemd,
    thermometer,
    wireless,
)
from .system import RUN, DeviceError, read

_SHOWN = (
    "bus/iio/devices/iio:device*",
    "class/power_supply/*",
    "class/backlight/*",
    "class/drm/card*-*",
    "class/thermal/thermal_zone*",
    "class/sound/pcm*c",
)


def _sensor_settings(words: list[str]) -> tuple[sensors.Settings, bool]:
    parser = argparse.ArgumentParser(prog="devices SENSOR start")
    default = sensors.Settings()
    for name in ("rate", "freq", "amp"):
        parser.add_argument(f"--{name}", type=float, default=getattr(default, name))
    parser.add_argument("--motion", default=default.motion)
    parser.add_argument("--clock", default=default.clock)
    parser.add_argument("--set", type=lambda text: [float(one) for one in text.split(",")])
    parser.add_argument("--hub", action="store_true")
    found = vars(parser.parse_args(words))
    hub = bool(found.pop("hub"))
    found["set"] = found["set"] or ()
    return sensors.Settings(**found), hub


def _sensor(kinds: tuple[str, ...], verb: str, words: list[str]) -> None:
    if verb == "start":
        settings, hub = _sensor_settings(words)
        for kind, name in sensors.start(kinds, settings, hub=hub).items():
            print(f"{kind:12} {name}")
    elif verb in ("stop", "unplug", "plug"):
        {"stop": sensors.stop, "unplug": sensors.unplug, "plug": sensors.plug}[verb](kinds)
    elif verb in sensors.CHANGES:
        sensors.change(kinds, verb, *words)
    elif verb == "status":
        for kind in filter(sensors.holder, kinds):
            print(json.dumps(sensors.status(kind)))
    elif verb == "path":
        print("\n".join(str(sensors.folder(kind)) for kind in kinds if sensors.folder(kind)))
    elif verb == "truth":
        moments = [float(word) for word in words]
        for moment, row in zip(moments, sensors.truth(kinds[0], moments), strict=True):
            print(moment, *row)
    else:
        raise DeviceError(f"a sensor cannot {verb}")


def _list() -> None:
    for path in sorted(RUN.glob("*.pid")):
        print(f"{path.stem:12} process {system.number_of(path.stem) or 'gone'}")
    for pattern in _SHOWN:
        for folder in sorted(Path("/sys").glob(pattern)):
            known = (read(folder / name) for name in ("name", "type", "status"))
            print(f"{str(folder)[5:]:40} {next(filter(None, known), '')}")


def _stop_all() -> None:
    sensors_running = [kind for kind in sensors.KINDS if sensors.holder(kind)]
    if sensors_running:
        sensors.stop(sensors_running)
    for path in sorted(RUN.glob("*.pid")):
        system.end(path.stem)


def main(words: list[str]) -> None:
    """Does what one command line says. Raises `DeviceError`, `OSError`."""
    if not words or words[0] in ("-h", "--help", "help"):
        print(__doc__)
        return
    if not Path("/run/virtual/control").exists():
        raise DeviceError("this runs inside the virtual machine: see `run`")
    device, verb, rest = words[0], "".join(words[1:2]), words[2:]
    parts = firmware.PARTS | peripherals.PARTS | thermometer.PARTS | dummy.PARTS
    parts |= energy.PARTS
    parts |= wireless.PARTS | microphone.PARTS | positions.PARTS | bluetooth.PARTS
    parts |= modem.PARTS | geoclue.PARTS | systemd.PARTS
    if device == "list":
        _list()
    elif device == "stop":
        _stop_all()
    elif device in sensors.GROUPS or device in sensors.KINDS:
        _sensor(sensors.GROUPS.get(device, (device,)), verb, rest)
    elif device in parts:
        parts[device](verb, *rest)
    else:
        raise DeviceError(f"there is no {device} (devices --help)")


def run() -> None:
    """The command `devices`."""
    try:
        main(sys.argv[1:])
    except (DeviceError, OSError, KeyError, ValueError, TypeError) as error:
        sys.exit(f"devices: {error}")
