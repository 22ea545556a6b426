"""Prints how a device is turned, where it points and what its motion sensors measure:
`python attitude.py sim:phone 5`, or without a context this computer."""

import sys
from contextlib import ExitStack

import gatheredkit as gk

SHOWN = {
    "device_attitude": ("roll", "pitch", "yaw"),
    "compass": ("magnetic_heading",),
    "accelerometer": ("acceleration",),
    "gyroscope": ("rotation_rate",),
    "magnetometer": ("magnetic_field",),
}


def line(sample: gk.Sample) -> str:
    """A value rounded, with its unit: one number, or the three of a vector."""
    numbers = sample.vector or (() if sample.number is None else (sample.number,))
    if not numbers:
        return f"{sample.property.name:18} no value yet"
    return f"{sample.property.name:18}{''.join(f' {x:8.3f}' for x in numbers)} {sample.unit}"


def main(uri: str = "local:", seconds: str = "5") -> None:
    """Shows the motion of a machine for some seconds, four times a second."""
    with gk.Context(uri) as context, ExitStack() as opened:
        sources = [opened.enter_context(context.open(kind)) for kind in SHOWN]
        for source in sources:
            try:
                source.start(every=0.05)
            except gk.GatheredKitError as error:
                print(f"{source.id}: {error}")
        for _ in range(int(float(seconds) * 4)):
            context.sleep(0.25)
            for source in sources:
                if source.is_updating:
                    print(*(line(source[key]) for key in SHOWN[source.info.kind]), sep="\n")
            print()


if __name__ == "__main__":
    main(*sys.argv[1:3])
