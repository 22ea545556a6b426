"""How the page behaves: links, keys, hidden tabs, broken streams, plots, narrow screens."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from ..conftest import Start
from ..serving import TOKEN, Server
from .page import Page

VIEWS = ("overview", "source/accelerometer%7Cmpu6050?every=0.02&span=10", "motion", "doctor")


def test_the_token_leaves_the_address(page: Page, phone: Server) -> None:
    page.open(phone.address("doctor"))
    page.wait_for("document.querySelector('main h1')")
    assert TOKEN not in page.browser.current_url
    assert page.browser.current_url.endswith("#doctor")
    page.browser.refresh()
    page.wait_for("document.querySelector('main h1')?.textContent === 'Doctor'")


def test_without_its_token_the_page_asks_for_it(page: Page, phone: Server) -> None:
    page.browser.get(phone.origin)
    page.run("sessionStorage.clear()")
    page.browser.get("about:blank")
    page.browser.get(phone.origin)
    page.wait_for_link("locked")
    page.one("main input").send_keys("wrong", Keys.ENTER)
    page.wait_for("document.querySelector('main .failed')")
    page.one("main input").send_keys(phone.address(), Keys.ENTER)
    page.wait_for_cards()
    page.drain()


def test_a_link_opens_what_it_shows(page: Page, phone: Server) -> None:
    state = "source/cpu%7Caggregate?plot=usage%2Cload_1&span=300&every=0.1"
    page.open(phone.address(state))
    page.wait_for("page.view.lines?.length === 2")
    shown = page.run("return [page.view.plot.span, page.view.every, page.view.chosen]")
    assert shown == [300_000, "0.1", ["usage", "load_1"]]
    page.wait_for("page.view.source.interval === 100")
    page.one("[data-key=user] input").click()
    page.wait_for("location.hash.includes('usage%2Cload_1%2Cuser')")


def test_the_filter_is_in_the_address(page: Page, phone: Server) -> None:
    page.open(phone.address("overview?q=battery%7C"))
    page.wait_for("document.querySelectorAll('.cards > li:not([hidden])').length === 2")
    page.one("input[type=search]").clear()
    page.one("input[type=search]").send_keys("no such thing")
    page.wait_for("document.querySelector('.empty')?.textContent.includes('no such thing')")
    assert "q=no+such+thing" in page.browser.current_url


def test_a_broken_stream_greys_the_page_which_mends_itself(page: Page, start: Start) -> None:
    server = start("--context", "sim:phone")
    page.open(server.address())
    page.wait_for_cards()
    page.wait_for_link("live")
    server.signal(signal.SIGSTOP)  # the connection stays, and nothing comes
    page.wait_for_link("broken")
    assert page.one("#banner").is_displayed()
    assert "grayscale" in page.run("return getComputedStyle(byId('main')).filter")
    server.signal(signal.SIGCONT)
    page.wait_for_link("live")
    assert not page.one("#banner").is_displayed()
    page.drain()


def test_a_server_that_comes_back_is_found(page: Page, start: Start) -> None:
    server = start("--context", "sim:phone")
    page.open(server.address())
    page.wait_for_link("live")
    server.end()
    page.wait_for("['broken', 'ended'].includes(page.link)")
    server.start(server.port)
    page.wait_for_link("live")
    page.wait_for("!document.querySelector('.card .fresh.old, .card .fresh.none')")
    page.drain()


def test_a_hidden_tab_asks_for_nothing(page: Page, phone: Server) -> None:
    page.open(phone.address())
    page.wait_for_link("live")
    window = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    other = page.browser.current_window_handle
    page.browser.switch_to.window(window)
    page.browser.execute_cdp_cmd("Page.bringToFront", {})
    page.run(
        "Object.defineProperty(document, 'hidden', { configurable: true, value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.wait_for_link("paused")
    assert page.run("return stream.abort") is None
    page.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_link("live")
    page.browser.switch_to.window(other)
    page.browser.close()
    page.browser.switch_to.window(window)


def test_fast_sources_come_in_frames(page: Page, phone: Server) -> None:
    page.open(phone.address("source/accelerometer%7Cmpu6050?every=0.005&span=10"))
    page.wait_for("page.view.lines?.[0]?.history.raw.count > 300")
    assert len(page.run("return page.view.lines.map((line) => line.name)")) == 3
    measured = page.run("return page.view.source.measured")
    assert 0 < measured < 50  # faster than what comes reading by reading


def test_a_plot_freezes_zooms_and_is_read_off(page: Page, phone: Server) -> None:
    page.size(1280, 900)
    page.open(phone.address("source/accelerometer%7Cmpu6050?every=0.02&span=10"))
    page.wait_for("page.view.lines?.[0]?.history.raw.count > 150")
    canvas = page.one(".plot-pane canvas")
    drag = ActionChains(page.browser).move_to_element_with_offset(canvas, 300, 0)
    drag.click_and_hold().move_by_offset(100, 0).release().perform()
    page.wait_for("page.view.plot.zoom && page.view.plot.frozen !== null")
    zoomed = page.run("const { from, to } = page.view.plot.window; return to - from")
    assert 300 < zoomed < 4000
    before = page.run("return page.view.lines[0].history.raw.count")
    page.wait_for(f"page.view.lines[0].history.raw.count > {before} + 20")
    assert page.run("const { from, to } = page.view.plot.window; return to - from") == zoomed
    canvas.send_keys(Keys.ARROW_LEFT)
    page.wait_for("!page.view.plot.moment.hidden")
    csv = page.run("return page.view.plot.csv()").splitlines()
    assert csv[0].startswith("time,seconds_since_1970,")
    assert len(csv) > 5
    assert page.run("return page.view.plot.png().then((blob) => blob.size)") > 2000
    canvas.send_keys(" ")
    page.wait_for("page.view.plot.frozen === null && page.view.plot.zoom === null")


def test_no_spike_is_lost(page: Page, phone: Server) -> None:
    """100 000 rows on a few hundred pixels: the one that stands out is in the pixels' extremes."""
    page.open(phone.address())
    found = page.run(
        "const h = new History();"
        "for (let n = 0; n < 100000; n += 1) h.push(n, n === 77777 ? 9 : Math.sin(n));"
        "const raw = rangeOf([h], 70000, 99999), old = rangeOf([h], 0, 99999);"
        "return [raw.greatest, old.greatest, h.raw.count <= RAW, h.old.count]"
    )
    assert found[:3] == [9, 9, True]
    assert found[3] == 100_000 // 64


def test_axes_grow_at_once_and_shrink_late(page: Page, phone: Server) -> None:
    page.open(phone.address())
    ranges = page.run(
        "const calm = new CalmRange();"
        "const at = (least, greatest, t) => ({ ...calm.follow({ least, greatest }, t) });"
        "return [at(0, 1, 1), at(0, 10, 2), at(0, 1, 3), at(0, 1, 4000), at(0, 1, 6000)]"
    )
    assert ranges[1]["greatest"] > 10
    assert ranges[2] == ranges[3] == ranges[1]
    assert ranges[4]["greatest"] < 2


@pytest.mark.parametrize("ending", ["\\n", "\\r\\n", "\\r"])
def test_events_are_parsed_however_they_are_cut(page: Page, phone: Server, ending: str) -> None:
    page.open(phone.address())
    text = ": note|event: a|data: 1|data: 2||id: 3|data:x||retry: 5||data: end||"
    found = page.run(
        f"const text = arguments[0].replaceAll('|', '{ending}'), all = [];"
        "for (let size = 1; size < 12; size += 1) { const got = [];"
        " const p = new EventParser((name, data) => got.push(`${name}:${data}`));"
        " for (let n = 0; n < text.length; n += size) p.feed(text.slice(n, n + size));"
        " p.feed('data'); all.push(got.join()); } return [...new Set(all)]",
        text,
    )
    assert found == ["a:1\n2,message:x,message:end"]


def test_gaps_are_gaps(page: Page, phone: Server) -> None:
    page.open(phone.address())
    rows = page.run(
        "const s = new Source({ id: 'a|b', kind: 'a' });"
        "s.describe({ interval_ns: 1e8, properties: [{ key: 'v', type: 'double' }] });"
        "const at = (ms, more) => s.update({ time: `${ms}000000`, values: { v: 1 }, ...more });"
        "at(100000); at(100100); at(105000); at(105100, { values: { v: null },"
        " status: { v: ['noData', 'why', ''] } }); at(105200);"
        "const found = []; s.history('v').each(0, 1e9, (t, low) => found.push(low));"
        "return [found.map((x) => Number.isNaN(x) ? 'gap' : x), s.history('v').marks.length]"
    )
    assert rows == [[1, 1, "gap", 1, "gap", 1], 1]


def test_screenshots(page: Page, phone: Server) -> None:
    """For people to look at, in the folder that GATHERED_SCREENSHOTS names."""
    folder = os.environ.get("GATHERED_SCREENSHOTS")
    if not folder:
        pytest.skip("GATHERED_SCREENSHOTS names no folder")
    for view in (*VIEWS, "graphs", "recordings"):
        page.size(1280, 900)
        page.open(phone.address(view))
        page.wait_for("document.querySelector('main h1')")
        page.wait_for("['live', 'still'].includes(page.link)")
        for width in (360, 800, 1920):
            for scheme in ("light", "dark"):
                page.scheme(scheme)
                page.size(width, 900)
                height = page.run("return document.documentElement.scrollHeight")
                page.size(width, min(4000, max(900, height)))
                name = f"{view.partition('?')[0].replace('%7C', '-').replace('/', '-')}"
                page.browser.save_screenshot(str(Path(folder) / f"{name}-{width}-{scheme}.png"))
    page.scheme("light")
    page.size(1280, 900)
