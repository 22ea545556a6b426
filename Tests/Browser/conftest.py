"""One browser for all tests, and servers as they ask for them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .page import Page, chromium
from .serving import Server, program

Serve = Callable[..., Server]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a server or a browser there is nothing to test."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    reason = f"not installed: {' '.join(missing)}" if missing else ""
    if program() is None:
        reason = "GATHERED_SERVE does not name the server"
    for item in items if reason else []:
        item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """The browser; tests open what they need."""
    browser = chromium()
    yield Page(browser)
    browser.quit()


@pytest.fixture(scope="session")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A simulated phone, for tests that change nothing of it."""
    with Server(tmp_path_factory.mktemp("phone"), "--context", "sim:phone") as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers, and ends them after the test."""
    started: list[Server] = []

    def start(*arguments: str) -> Server:
        folder = tmp_path / f"server{len(started)}"
        folder.mkdir()
        started.append(Server(folder, *arguments))
        return started[-1]

    yield start
    for server in started:
        server.end()
