"""What pages say of the kinds of sources, from what the command tells of its tables."""

import json
import subprocess
from typing import Any

Row = dict[str, Any]

MODES = {"continuous": "continuous", "onChange": "on change", "oneShot": "one value"}
TRAITS = {
    "writable": "can be set on the device",
    "config": "can be set for a session",
    "counter": "counter",
    "derived": "computed",
}


def kinds(command: str) -> list[Row]:
    """All kinds, as the command has them."""
    done = subprocess.run([command, "kinds", "--json"], check=True, capture_output=True, text=True)
    rows: list[Row] = json.loads(done.stdout)
    return rows


def facts(kind: Row) -> dict[str, str]:
    """What there is to say about a kind besides its properties."""
    default, least = (
        f"{kind[name] / 1e9:g} s" for name in ("default_interval_ns", "min_interval_ns")
    )
    events = ", and when something changes" if kind["event_driven"] else ""
    found = {
        "From": kind["origin"],
        "Instances": kind["instances"],
        "Interval": f"{default}, {least} at the least{events}",
    }
    categories = [kind["category"]] if "category" in kind else []
    if categories + kind["permits"]:
        found["Personal"] = ", ".join(categories + kind["permits"])
    return found


def example(kind: Row) -> str | None:
    """A command line that reads one, whatever the machine has."""
    contexts = kind["simulated"]
    return f"gathered read {kind['kind']} --context {contexts[0]}" if contexts else None


def values(found: Row) -> str:
    """The values that a property may have, when they are news, and its traits."""
    parts = [what(found), bounds(found), MODES.get(found["mode"], found["mode"])]
    parts += [TRAITS[flag] for flag in found["flags"] if flag in TRAITS]
    parts += [f"personal: {found['category']}"] if "category" in found else []
    return "; ".join(filter(None, parts))


def what(found: Row) -> str:
    if found["type"] == "enum":
        return ", ".join(found["words"])
    words = {"string": "text", "vector": ", ".join(found.get("components", []))}
    word = words.get(found["type"], str(found["type"]))
    # A count or a ratio has the unit 1, which says nothing.
    return word if found.get("unit", "1") == "1" else f"{word} in {found['unit']}"


def bounds(found: Row) -> str:
    least, most = found.get("minimum"), found.get("maximum")
    if least is None:
        return "" if most is None else f"at most {most:g}"
    return f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
