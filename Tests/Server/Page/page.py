"""The page in a headless Chromium, and what tests ask of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from ..serving import PATIENCE

T = TypeVar("T")
GRAPHS = Path(__file__).resolve().parents[3] / "bindings" / "graphs"
STILL_MISSING = "if (!(error instanceof TypeError)) throw error; return null"


def chromium(*more: str, is_noting: bool = True) -> webdriver.Chrome:
    """A browser that notes its console and its requests, which for hours is too much to keep."""
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    usual = ("headless=new", "no-sandbox", "disable-dev-shm-usage", "hide-scrollbars")
    for argument in (*usual, *more):
        options.add_argument(f"--{argument}")
    if is_noting:
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.set_script_timeout(PATIENCE)
    return browser


class Page:
    """The page of a server in a browser."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def open(self, address: str) -> Page:
        """Opens an address anew, also where only what is behind `#` differs."""
        self.browser.get("about:blank")
        self.drain()
        self.browser.get(address)
        return self

    def go(self, hash_: str) -> None:
        """Goes to another view of the open page."""
        self.run("location.hash = arguments[0]", hash_)

    def run(self, script: str, *arguments: object) -> Any:
        """The result of a script in the page."""
        return self.browser.execute_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        """What a selector finds."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """The first that a selector finds, once there is one."""
        return self.wait(lambda: next(iter(self.all(selector)), None), selector)

    def text(self, selector: str) -> str:
        """All text of what a selector finds, whether it is in view or not."""
        found = self.run("return document.querySelector(arguments[0])?.textContent", selector)
        return str(found or "")

    def wait(self, condition: Callable[[], T | None], what: str = "") -> T:
        """Waits until a condition holds, and returns what it found."""
        waiting = WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05)
        found = waiting.until(lambda _: condition(), f"never: {what}")
        assert found is not None
        return found

    def wait_for(self, expression: str, what: str = "") -> Any:
        """Waits until an expression of the page is true, and returns it. What it looks into may
        not be there yet."""
        script = f"try {{ return {expression} }} catch (error) {{ {STILL_MISSING} }}"
        return self.wait(lambda: self.run(script), what or expression)

    def wait_for_link(self, state: str) -> None:
        """Waits until the page says that it is live, paused, broken and so on."""
        self.wait_for(f"document.documentElement.dataset.link === '{state}'")

    def wait_for_cards(self) -> None:
        """Waits until every card of the overview has had a reading."""
        self.wait_for(
            "document.querySelectorAll('.card').length > 0 "
            "&& !document.querySelector('.card .fresh.none')"
        )

    def size(self, width: int, height: int) -> None:
        """Gives the page a width, which a window cannot have below 500 pixels."""
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def scheme(self, name: str) -> None:
        """Light or dark, as the system would say."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def drain(self) -> None:
        """Forgets what was noted so far."""
        self.log("browser")
        self.log("performance")

    def log(self, name: str) -> list[dict[str, Any]]:
        """What was noted under a name since it was last asked for."""
        if name not in self.browser.log_types:
            return []
        found: list[dict[str, Any]] = self.browser.get_log(name)  # type: ignore[no-untyped-call]
        return found

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, breaches of the policy among them."""
        entries = self.log("browser")
        return [each["message"] for each in entries if each["level"] in ("SEVERE", "WARNING")]

    def foreign_requests(self, origin: str) -> list[str]:
        """Addresses the page asked for that are not its own server's."""
        found = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            if urlsplit(url).scheme in ("http", "https", "ws") and not url.startswith(origin):
                found.append(url)
        return found
