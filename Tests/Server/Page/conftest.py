"""One browser for all tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from .page import Page, chromium


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """The browser; tests open what they need."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {' '.join(missing)}")
    browser = chromium()
    yield Page(browser)
    browser.quit()
