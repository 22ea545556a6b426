"""Who cannot use a mouse, see all colours, or has a small screen uses the page all the same."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from ..conftest import Start
from ..serving import Server
from .page import GRAPHS, Page

VIEWS = (
    "overview",
    "source/accelerometer%7Cmpu6050?every=0.02&span=10",
    "source/wifi%7Cwlan0",
    "motion",
    "graphs",
    "recordings",
    "doctor",
)
FULL = ("--context", "sim:phone", "--control", "--graph", str(GRAPHS / "light.json"))

# Everything that can be used, and what the keyboard reaches, with what it looks like then.
WATCH = """
const usable = 'a[href], button, input, select, summary, [tabindex="0"]';
const isShown = (e) => e.id === 'skip' || e.checkVisibility();
globalThis.reached = new Map();
document.addEventListener('focusin', ({ target }) => {
  reached.set(target, getComputedStyle(target).outlineStyle);
});
document.activeElement.blur();
globalThis.wanted = [...document.querySelectorAll(usable)].filter((e) => isShown(e) && !e.disabled);
return wanted.length;
"""
TELL = """
const name = (e) => `${e.tagName} ${e.id || e.ariaLabel || e.textContent}`.slice(0, 80);
return [wanted.filter((e) => e.isConnected && !reached.has(e)).map(name),
  [...reached].filter(([e, outline]) => outline === 'none').map(([e]) => name(e))];
"""

# All texts as they are drawn, each with the contrast to what is behind it.
CONTRAST = """
const numbers = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
  return [r, g, b, a]; };
const over = (top, below) => top.slice(0, 3)
  .map((c, n) => c * top[3] + below[n] * (1 - top[3])).concat(1);
const fillOf = (e) => numbers(getComputedStyle(e).fill);
const ground = (e) => {
  if (!e) return [255, 255, 255, 1];
  const box = e.ownerSVGElement && e.parentNode.querySelector('rect');
  if (box) return fillOf(box);
  const own = numbers(getComputedStyle(e).backgroundColor);
  return own[3] === 1 ? own : over(own, ground(e.parentElement));
};
const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = (ink) => { const [r, g, b] = ink.map(channel);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const told = (e, ink, text) => { const below = ground(e), [a, b] = [over(ink, below), below];
  const [dark, bright] = [light(a), light(b)].sort((p, q) => p - q);
  return [text.trim().slice(0, 40), (bright + 0.05) / (dark + 0.05)]; };
const found = [];
for (const e of document.body.querySelectorAll('*')) {
  if (!e.checkVisibility() || e.disabled || /^(SCRIPT|NOSCRIPT|OPTION)$/.test(e.tagName)) continue;
  const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join('');
  const style = getComputedStyle(e);
  const ink = e.ownerSVGElement ? style.fill : style.color;
  if (text.trim()) found.push(told(e, numbers(ink), text));
  if (e.placeholder) {
    found.push(told(e, numbers(getComputedStyle(e, '::placeholder').color), e.placeholder));
  }
}
return found;
"""


@pytest.fixture
def full(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A phone with a graph, recordings, and control of them."""
    folder = tmp_path_factory.mktemp("recordings")
    return start(*FULL, "--recordings", str(folder))


def open_view(page: Page, server: Server, view: str) -> None:
    """Opens a view, and waits until it is full."""
    page.open(server.address(view))
    page.wait_for("document.querySelector('main h1')")
    page.wait_for("['live', 'still'].includes(page.link)")
    if view == "overview":
        page.wait_for_cards()
    if view == "recordings":
        page.wait_for("document.querySelector('.choices input')")
    if view == "graphs":
        page.wait_for("document.querySelector('.drawing text')")


def test_the_keyboard_reaches_everything(page: Page, full: Server) -> None:
    page.size(1280, 900)
    for view in VIEWS:
        open_view(page, full, view)
        count = page.run(WATCH)
        assert count >= 6, view
        ActionChains(page.browser).send_keys(Keys.TAB * (count + 4)).perform()
        missed, unseen = page.run(TELL)
        assert not missed, f"{view}: the keyboard does not reach {missed}"
        assert not unseen, f"{view}: nothing shows the focus of {unseen}"


def test_the_keyboard_opens_a_source(page: Page, phone: Server) -> None:
    open_view(page, phone, "overview")
    ActionChains(page.browser).send_keys(Keys.TAB).perform()
    assert page.run("return document.activeElement.id") == "skip"
    page.one("body").send_keys("/")
    page.wait_for("document.activeElement.type === 'search'")
    page.run("document.querySelector('[data-id=\"memory|machine\"] a').focus()")
    ActionChains(page.browser).send_keys(Keys.ENTER).perform()
    page.wait_for("page.route.view === 'source'")


@pytest.mark.parametrize("width", [360, 800, 1920])
def test_no_view_is_wider_than_the_screen(page: Page, full: Server, width: int) -> None:
    """Nor is a part of one, unless it can be moved."""
    page.size(width, 900)
    for view in VIEWS:
        open_view(page, full, view)
        assert page.run("return document.documentElement.scrollWidth") <= width, view
        right = page.run(
            "return Math.max(...[...document.querySelectorAll('main > * > *, .head > *')]"
            ".map((e) => e.getBoundingClientRect().right))"
        )
        assert right <= width - 16, view
    page.size(1280, 900)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(page: Page, full: Server, scheme: str) -> None:
    """Of every text of every view."""
    page.scheme(scheme)
    for view in VIEWS:
        open_view(page, full, view)
        page.run("for (const each of document.querySelectorAll('details')) each.open = true")
        found = page.run(CONTRAST)
        assert len(found) > 10, view
        low = [each for each in found if each[1] < 4.5]
        assert not low, f"{view}: {low}"
    page.scheme("light")


INKS = """
const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const rgb = (name) => { const e = document.createElement('i');
  e.style.setProperty('color', `var(--${name})`); document.body.append(e);
  const found = getComputedStyle(e).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  e.remove(); return found; };
const light = (name) => { const [r, g, b] = rgb(name).map(channel);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
return arguments[0].map(([ink, ground]) => { const [a, b] = [light(ink), light(ground)];
  return [ink, ground, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; });
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_what_is_drawn(page: Page, phone: Server, scheme: str) -> None:
    page.scheme(scheme)
    page.open(phone.address())
    inks = ["ink", "soft", "accent", "good", "warn", "bad", "x", "y", "z"]
    pairs = [[ink, ground] for ink in inks for ground in ("ground", "surface")]
    pairs += [[f"s{n}", "surface"] for n in range(1, 9)]
    pairs += [["soft", "sunken"], ["ink", "sunken"], ["warn", "warn-soft"], ["bad", "bad-soft"]]
    pairs += [["ink", "accent-soft"], ["surface", "accent"], ["surface", "ink"]]
    low = [each for each in page.run(INKS, pairs) if each[2] < 4.5]
    page.scheme("light")
    assert low == []
