"""The servers that tests ask."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .serving import Server, gathered, program

MACHINES = Path(__file__).parents[1] / "Fixtures" / "machines"
SCRIPT = """\
0 add battery|BAT0
0 set battery|BAT0/level 0.5
0 set battery|BAT0/serial "S-4711"
0 set battery|BAT0/cycle_count 9007199254740993
0 absent battery|BAT0/temperature permission file mode
0 add memory|machine
0 set memory|machine/total 9007199254740993
0 set memory|machine/free 9007199254740992
"""

SHAKE = {
    "format": "gatheredkit.graph",
    "version": 1,
    "patches": [
        {
            "name": "motion",
            "type": "source",
            "options": {"kind": "accelerometer", "interval": 0.05},
        },
        {"name": "size", "type": "norm"},
    ],
    "wires": [{"from": "motion.acceleration", "to": "size.vector"}],
    "outputs": [{"name": "size", "from": "size.value"}],
}

Start = Callable[..., Server]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a server there is nothing to test."""
    if not os.access(program() or "/", os.X_OK) or not program():
        for item in items:
            item.add_marker(pytest.mark.skip(reason="GATHERED_SERVE names no program"))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers that end with the test."""
    servers: list[Server] = []

    def start_it(*arguments: str) -> Server:
        folder = tmp_path / f"server{len(servers)}"
        folder.mkdir()
        servers.append(Server(folder, *arguments))
        return servers[-1]

    yield start_it
    for server in servers:
        server.end()


@pytest.fixture(scope="session")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A simulated phone, read only."""
    with Server(tmp_path_factory.mktemp("phone"), "--context", "sim:phone") as server:
        yield server


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a simulated phone, 20 s in 100 ms each, with a battery's serial number."""
    file = tmp_path_factory.mktemp("recorded") / "walk.gkr"
    ids = ["battery|axp20x-battery", "memory", "accelerometer", "wifi"]
    times = ["--every", "100ms", "--for", "20s", "--context", "sim:phone&clock=manual"]
    gathered("record", str(file), *ids, *times, "--allow", "all")
    return file


@pytest.fixture(scope="session")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a simulated phone without personal values."""
    file = tmp_path_factory.mktemp("recorded") / "steps.gkr"
    times = ["--every", "100ms", "--for", "20s", "--context", "sim:phone&clock=manual"]
    gathered("record", str(file), "memory", "accelerometer", *times)
    return file


@pytest.fixture
def script(tmp_path: Path) -> str:
    """The context of a device that a script makes."""
    file = tmp_path / "device.sim"
    file.write_text(SCRIPT, "utf-8")
    return f"sim:file={file}"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, steps: Path) -> Path:
    """A folder of recordings, one of them damaged."""
    folder = tmp_path_factory.mktemp("recordings")
    shutil.copy(steps, folder / "steps.gkr")
    data = steps.read_bytes()
    middle = len(data) // 2
    damaged = data[:middle] + bytes(64) + data[middle + 64 :]
    (folder / "damaged.gkr").write_bytes(damaged)
    (folder / "cut.gkr").write_bytes(data[: len(data) * 2 // 3])
    (folder / "empty.gkr").write_bytes(b"")
    return folder


@pytest.fixture(scope="session")
def controlled(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Server]:
    """A simulated phone that may be controlled."""
    options = ["--context", "sim:phone", "--control", "--recordings", str(folder)]
    with Server(tmp_path_factory.mktemp("server"), *options) as server:
        yield server
