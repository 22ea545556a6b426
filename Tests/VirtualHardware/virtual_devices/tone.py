"""Plays a sine to the loopback card until it is ended:  tone.py HZ DBFS

What plays on its device 0 is what its device 1 records: 48 kHz, one channel, 16 bits.
"""

from __future__ import annotations

import array
import math
import subprocess
import sys

RATE = 48_000
PLAYER = ["aplay", "-q", "-D", "hw:0,0,0", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r"]


def samples(hertz: int, level: float) -> bytes:
    """One second of a sine of a peak level in dBFS."""
    size = 32768 * 10 ** (level / 20)
    step = 2 * math.pi * hertz / RATE
    rounded = (min(32767, round(size * math.sin(step * place))) for place in range(RATE))
    return array.array("h", rounded).tobytes()


def main(hertz: str, level: str) -> None:
    """Plays until the player or we are ended."""
    second = samples(int(hertz), float(level))
    with subprocess.Popen([*PLAYER, str(RATE), "-"], stdin=subprocess.PIPE) as player:
        try:
            while player.stdin:
                player.stdin.write(second)
        except (BrokenPipeError, KeyboardInterrupt):
            player.terminate()


if __name__ == "__main__":
    main(*sys.argv[1:])
