"""Speaks NMEA 0183 on a pseudo-terminal, once a second, until it is ended:  nmea.py LINK

LINK becomes a link to the port. Beside it, LINK with the ending `.ctl` holds the fix to tell of: 0,
2 or 3.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import tty
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from virtual_devices import positions, system

_METRES_IN_KNOT = 1852 / 3600


def _sentence(body: str) -> str:
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n"


def _angle(value: float, digits: int, halves: str) -> str:
    degrees, rest = divmod(abs(value), 1)
    return f"{int(degrees):0{digits}d}{rest * 60:09.6f},{halves[value < 0]}"


def epoch(moment: int, fix: int) -> str:
    """What the receiver says of a whole second."""
    time_of_day = time.strftime("%H%M%S.00", time.gmtime(moment))
    date = time.strftime("%d%m%y", time.gmtime(moment))
    if fix == 0:
        bodies = [
            f"GPRMC,{time_of_day},V,,,,,,,{date},,,N",
            f"GPGGA,{time_of_day},,,,,0,00,99.99,,,,,,",
            "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
        ]
        return "".join(map(_sentence, bodies))
    at = positions.truth(moment)
    place = f"{_angle(at.latitude, 2, 'NS')},{_angle(at.longitude, 3, 'EW')}"
    height = f"{positions.ALTITUDE},M,{positions.SEPARATION},M" if fix == 3 else ",M,,M"
    used = f"{positions.SATELLITES:02d},{positions.HDOP}"
    knots = at.speed / _METRES_IN_KNOT
    bodies = [
        f"GPRMC,{time_of_day},A,{place},{knots:.4f},{at.course:.3f},{date},,,A",
        f"GPGGA,{time_of_day},{place},1,{used},{height},,",
        f"GPGSA,A,{fix},02,05,07,09,13,15,20,28,,,,,1.7,{positions.HDOP},1.4",
        "GPGSV,2,1,08,02,45,080,44,05,20,310,39,07,61,121,47,09,12,200,35",
        "GPGSV,2,2,08,13,30,030,41,15,50,250,46,20,15,160,36,28,70,350,48",
    ]
    return "".join(map(_sentence, bodies))


def _fix(path: Path) -> int:
    return int(system.read(path, "3") or "3")


def main(link: str) -> None:
    """Speaks, on time, with or without a reader."""
    ours, theirs = os.openpty()
    for end in (ours, theirs):
        tty.setraw(end)
    os.set_blocking(ours, False)
    # gpsd gives up its privileges before it opens the port.
    os.chmod(os.ttyname(theirs), 0o666)
    path = Path(link)
    path.unlink(missing_ok=True)
    path.symlink_to(os.ttyname(theirs))
    moment = int(time.time()) + 1
    while True:
        time.sleep(max(0.0, moment - time.time()))
        with contextlib.suppress(BlockingIOError):
            os.write(ours, epoch(moment, _fix(path.with_suffix(".ctl"))).encode())
        moment = max(moment + 1, int(time.time()))


if __name__ == "__main__":
    main(*sys.argv[1:])
