"""Publishing: sources to an MQTT broker, which a context of it finds on other machines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

from ._context import Context
from ._default import default_context
from ._recording import Recorder, Recording, begin

Rows = Literal["auto", "always", "never"]


def publish(
    broker: str,
    sources: Iterable[str] | None = None,
    *,
    every: float | None = None,
    duration: float | None = None,
    device: str | None = None,
    allow: str = "",
    rows: Rows = "auto",
    state_interval: float | None = None,
    heartbeat: float | None = None,
    batch_interval: float | None = None,
    discovery: str = "",
    spool: str | os.PathLike[str] | None = None,
    context: Context | None = None,
    **options: object,
) -> Recording:
    """Publishes sources, by id or kind, to a broker: `with publish("mqtt:HOST", ...)`, for
    `duration` seconds or as long as the block lasts. Without `sources` everything is published that
    is not personal, and is available or comes later. On any machine, `Context("mqtt:HOST")` has the
    same sources, with `@` and `device` behind each id.

    The broker is looked for as long as it takes: `info()` of what this gives tells how that goes.
    With a folder `spool` rows are kept there until the broker has acknowledged them, also while
    there is none and when the program ends; `info()` tells how many. `every` is the interval in
    seconds, `allow` the personal categories that leave the machine; `discovery` the prefix, usually
    "homeassistant", below which Home Assistant is told of everything; the intervals and further
    options are those of the format `mqtt` of `gkit_sink_open`.

    Raises as `Recorder`, `Context.open` and `Source.start`, `UnavailableError` without
    libmosquitto, and `BusyError` where another publisher has the spool.
    """
    context = context or default_context()
    settings: dict[str, object] = {"allow": allow, "rows": rows, **options}
    for name, seconds in [
        ("state_interval_ns", state_interval),
        ("heartbeat_ns", heartbeat),
        ("batch_interval_ns", batch_interval),
    ]:
        if seconds is not None:
            settings[name] = round(seconds * 1e9)
    if device is not None:
        settings["device"] = device
    if discovery:
        settings["discovery"] = discovery
    if spool is not None:
        settings["spool"] = os.fspath(spool)
    recorder = Recorder(context, broker, format="mqtt", existing="refuse", **settings)
    return begin(recorder, sources, every, duration)
