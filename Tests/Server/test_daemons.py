"""A daemon that does not answer holds up only who asks for it (serve W17)."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .asking import Events, ask
from .conftest import MACHINES, Start

CLIENTS = 12
"""More than a pool has threads."""


def test_stuck_bus(start: Start, tmp_path: Path) -> None:
    """While clients wait for a bus that takes connections and says nothing, others do not."""
    path = tmp_path / "bus"
    with socket.socket(socket.AF_UNIX) as bus, ThreadPoolExecutor(CLIENTS) as clients:
        bus.bind(str(path))
        bus.listen(128)
        server = start("--context", f"local:root={MACHINES / 'laptop'}&bus=unix:path={path}")
        waiting = [clients.submit(ask, server, "/api/v1/sources") for _ in range(CLIENTS)]
        assert ask(server, "/api/v1").status == 200
        # A list waits two seconds for the bus; one thread for all would take them one by one first.
        assert not all(client.done() for client in waiting)
        for target in ["/graphs", "/openapi.json", "/sources/memory/values"]:
            assert ask(server, f"/api/v1{target}").status == 200
        with Events(server, "source=memory") as events:
            assert events.next("update").data["values"]["total"] > 0
        assert all(client.result().status == 200 for client in waiting)
