"""Home Assistant with nothing but MQTT:  listen.py FOLDER PORT SECONDS

Runs by a Python that has the package `homeassistant`. It connects to a broker on the loopback,
enables every entity that it is told of, and writes to FOLDER/entities.json what they are when
they have had SECONDS to settle, and every warning that was logged.
"""

import asyncio
import json
import logging
import socket
import sys
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, config_entries, core, loader
from homeassistant.helpers import device_registry, entity_registry

QUIET = ("aiohttp_fast_zlib", "homeassistant.components.http", "homeassistant.bootstrap", "asyncio")


class Warnings(logging.Handler):
    """Keeps what is logged at and above warnings."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(QUIET):
            self.lines.append(self.format(record))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def write_entry(folder: Path, port: int) -> None:
    """The entry that a person makes by adding the integration MQTT."""
    entry = {
        "created_at": "2026-01-01T00:00:00+00:00",
        "modified_at": "2026-01-01T00:00:00+00:00",
        "data": {"broker": "127.0.0.1", "port": port, "discovery": True},
        "disabled_by": None,
        "discovery_keys": {},
        "domain": "mqtt",
        "entry_id": "0" * 26,
        "version": 2,
        "minor_version": 1,
        "options": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "source": "user",
        "subentries": [],
        "title": "mqtt",
        "unique_id": None,
    }
    store = {
        "version": 1,
        "minor_version": 5,
        "key": "core.config_entries",
        "data": {"entries": [entry]},
    }
    (folder / ".storage").mkdir(exist_ok=True)
    (folder / "configuration.yaml").touch()
    (folder / ".storage/core.config_entries").write_text(json.dumps(store), "utf-8")


async def start(folder: Path) -> core.HomeAssistant:
    bootstrap.DEFAULT_INTEGRATIONS = set()
    bootstrap.DEFAULT_INTEGRATIONS_NON_RECOVERY_MODE = set()
    hass = core.HomeAssistant(str(folder))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    config: dict[str, Any] = {
        "homeassistant": {"unit_system": "metric", "time_zone": "UTC"},
        "http": {"server_host": ["127.0.0.1"], "server_port": free_port()},
    }
    if await bootstrap.async_from_config_dict(config, hass) is None:
        raise SystemExit("Home Assistant does not start")
    await hass.async_start()
    return hass


async def enable_all(hass: core.HomeAssistant) -> dict[str, str]:
    """Enables what is there and hidden; what each entity was before."""
    registry = entity_registry.async_get(hass)
    before = {}
    for entry in list(registry.entities.values()):
        before[entry.unique_id] = entry.disabled_by or ""
        if entry.disabled_by:
            registry.async_update_entity(entry.entity_id, disabled_by=None)
    return before


async def run(folder: Path, port: int, patience: float, warnings: Warnings) -> None:
    write_entry(folder, port)
    hass = await start(folder)
    entry = hass.config_entries.async_entries("mqtt")[0]
    if entry.state is not config_entries.ConfigEntryState.LOADED:
        raise SystemExit(f"mqtt does not load: {entry.state} {entry.reason}: {warnings.lines}")
    await asyncio.sleep(patience)
    disabled = await enable_all(hass)
    await hass.config_entries.async_reload(entry.entry_id)
    await asyncio.sleep(patience)
    found = {
        "entities": {
            known.unique_id: {
                "id": known.entity_id,
                "category": known.entity_category,
                "class": known.original_device_class,
                "unit": known.unit_of_measurement,
                "disabled": disabled.get(known.unique_id),
                "state": state.state if (state := hass.states.get(known.entity_id)) else None,
                "attributes": dict(state.attributes) if state else {},
            }
            for known in entity_registry.async_get(hass).entities.values()
        },
        "devices": [
            [known.name, sorted(map(list, known.identifiers))]
            for known in device_registry.async_get(hass).devices.values()
        ],
        "warnings": warnings.lines,
    }
    (folder / "entities.json").write_text(json.dumps(found, default=str), "utf-8")
    await hass.async_stop(force=True)


def main() -> None:
    folder, port, patience = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    warnings = Warnings()
    logging.getLogger().addHandler(warnings)
    asyncio.run(run(folder, port, patience, warnings))


main()
