"""Speaks as a modem on ports of its own, until it is ended:  at_modem.py CONTROL POSITIONS AT...

CONTROL is a file that holds what is true of it, as JSON: see `modem.Truth`. POSITIONS is the port
on which its receiver of satellite signals speaks, once it is turned on; the others take AT commands
(3GPP 27.007).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import sys
import time
import tty
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from virtual_devices import modem, nmea

# Answered with OK and nothing else.
_ACCEPTED = re.compile(
    r"|E0|V1|Z|X4|&C1|&D[12]|S0=0|H"
    r"|\+(CMEE|CSCS|CMER|CNMI|CMGF|CGEREP|CTZR|CTZU|CPMS|IFC|CGACT|CREG|CGREG|CEREG)=[^?].*"
    r"|\+COPS=0.*|\+QGPSCFG=.*|\+QGPSXTRA=1|\+QGPS=\?|\+CESQ=\?"
)
_FIXED = {
    "I": [modem.MAKER, modem.MODEL, "Revision: VIRTUAL1"],
    "+GCAP": ["+GCAP: +CGSM"],
    "+CGMI": [modem.MAKER],
    "+CGMM": [modem.MODEL],
    "+CGMR": ["VIRTUAL1"],
    "+CGSN": [modem.IMEI],
    "+CIMI": ["262019876543210"],
    # The number of its SIM, digits of a byte the other way round.
    "+CRSM=176,12258,0,0,10": ['+CRSM: 144,0,"98942010806010325476"'],
    "+CLCK=?": ['+CLCK: ("SC")'],
    '+CLCK="SC",2': ["+CLCK: 1"],
    "+CSCS=?": ['+CSCS: ("IRA","GSM","UCS2")'],
    "+CSCS?": ['+CSCS: "IRA"'],
    "+WS46=?": ["+WS46: (12,22,28,31)"],
    "+WS46?": ["+WS46: 31"],
    "+CGDCONT=?": ['+CGDCONT: (1-11),"IP",,,(0-2),(0-3)'],
    "+CIND=?": ['+CIND: ("signal",(0-5)),("service",(0,1))'],
    "+CREG=?": ["+CREG: (0-2)"],
    "+CGREG=?": ["+CGREG: (0-2)"],
    "+CEREG=?": ["+CEREG: (0-2)"],
    "+CMER=?": ["+CMER: (0-3),0,0,(0-1),0"],
}
_REGISTRATIONS = ("+CREG", "+CGREG", "+CEREG")
# Of GSM, UMTS and LTE as registrations count them.
_PACKET, _LTE = "+CGREG", "+CEREG"


@dataclass
class Speaker:
    """The modem: what is true of it, and what it was told."""

    control: Path
    truth: modem.Truth = field(default_factory=modem.Truth)
    is_unlocked: bool = False
    is_receiving: bool = False
    names_by_number: bool = True
    function: str = "1"

    def look(self) -> list[str]:
        """Takes over what is true by now; what the modem says of it unasked."""
        before = self.truth
        self.truth = modem.Truth(**json.loads(self.control.read_text()))
        if self.truth == before or self._is_locked:
            return []
        told = [self._registration(name, "") for name in _REGISTRATIONS]
        return [*told, f"+CIEV: 1,{self.truth.bars}"]

    @property
    def _is_locked(self) -> bool:
        return bool(self.truth.pin) and not self.is_unlocked

    def _registration(self, name: str, mode: str) -> str:
        now = self.truth
        if name == _LTE and now.technology != modem.LTE:
            return f"{name}: {mode}0"
        text = f"{name}: {mode}{now.registration}"
        if now.registration not in (modem.HOME, modem.ROAMING):
            return text
        area = now.tracking_area if name == _LTE else now.location_area
        return f'{text},"{area}","{now.cell}",{now.technology}'

    def _operator(self) -> str:
        now = self.truth
        if now.registration not in (modem.HOME, modem.ROAMING):
            return "+COPS: 0"
        form, name = (2, now.code) if self.names_by_number else (0, now.operator)
        return f'+COPS: 0,{form},"{name}",{now.technology}'

    def _state(self, text: str) -> list[str] | None:
        now = self.truth
        if text == "+CPIN?":
            return ["+CPIN: SIM PIN" if self._is_locked else "+CPIN: READY"]
        if text == "+CFUN?":
            return [f"+CFUN: {self.function}"]
        if text == "+COPS?":
            return [self._operator()]
        if text == "+CSQ":
            return [f"+CSQ: {now.bars * 31 // 5},99"]
        if text == "+CIND?":
            return [f"+CIND: {now.bars},1"]
        if text == "+CESQ":
            return ["+CESQ: " + ",".join(map(str, now.measures))]
        if text.removesuffix("?") in _REGISTRATIONS and text.endswith("?"):
            return [self._registration(text[:-1], "2,")]
        return None

    def _change(self, text: str) -> bool:
        if found := re.fullmatch(r"\+COPS=3,([02])", text):
            self.names_by_number = found[1] == "2"
        elif found := re.fullmatch(r"\+CFUN=([014])(,\d)?", text):
            self.function = found[1]
        elif text == "+QGPS=1":
            self.is_receiving = True
        elif text == "+QGPSEND":
            self.is_receiving = False
        elif found := re.fullmatch(r'\+CPIN="(\d+)"', text):
            self.is_unlocked = found[1] == self.truth.pin
            return self.is_unlocked
        else:
            return bool(_ACCEPTED.fullmatch(text))
        return True

    def answer(self, line: str) -> str:
        """What comes back for one line."""
        if not line.upper().startswith("AT"):
            return ""
        lines: list[str] = []
        for text in line[2:].split(";"):
            told = _FIXED.get(text.strip()) or self._state(text.strip())
            if told is None and not self._change(text.strip()):
                return "\r\nERROR\r\n"
            lines += told or []
        return "".join(f"\r\n{text}\r\n" for text in [*lines, "OK"])


class Port:
    """One port of the gadget's, which hangs up whenever the modem is pulled out."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._begun = b""
        self.number = self._open()

    def _open(self) -> int:
        number = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(number)
        return number

    def say(self, text: str) -> None:
        """Says it; there may be no reader to take it."""
        with contextlib.suppress(OSError):
            os.write(self.number, text.encode())

    def lines(self) -> list[str]:
        """The lines that have come."""
        try:
            found = os.read(self.number, 4096)
        except BlockingIOError:
            return []
        except OSError:
            found = b""
        if not found:
            os.close(self.number)
            time.sleep(0.1)
            self._begun, self.number = b"", self._open()
        *lines, self._begun = (self._begun + found).split(b"\r")
        return [line.strip().decode(errors="replace") for line in lines]


def main(control: str, positions: str, *commands: str) -> None:
    """Speaks on all ports."""
    speaker = Speaker(Path(control))
    receiver = Port(positions)
    ports = [Port(path) for path in commands]
    second = int(time.time())
    while True:
        for text in speaker.look():
            ports[0].say(f"\r\n{text}\r\n")
        if speaker.is_receiving and int(time.time()) != second:
            second = int(time.time())
            receiver.say(nmea.epoch(second, speaker.truth.fix))
        ready = select.select([port.number for port in (receiver, *ports)], [], [], 0.1)[0]
        for port in (receiver, *ports):
            for line in port.lines() if port.number in ready else []:
                answer = speaker.answer(line)
                print(f"{line!r} {answer!r}", flush=True)
                if port is not receiver:
                    port.say(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
