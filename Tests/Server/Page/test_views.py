"""Every view of several contexts: no complaint, no foreign request, the right values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..conftest import MACHINES, Start
from ..serving import Server, gathered
from .page import GRAPHS, Page

MINUS = "\u2212"
VIEWS = ("overview", "motion", "graphs", "recordings", "doctor")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a simulated phone."""
    file = tmp_path_factory.mktemp("recordings") / "walk.gkr"
    sources = ("accelerometer", "device_attitude", "battery", "cpu", "memory")
    device = ("--context", "sim:phone&clock=manual")
    gathered("record", str(file), *sources, "--every", "50ms", "--for", "4s", *device)
    return file


@pytest.fixture(params=["sim:phone", "sim:laptop", "replay", "tree"])
def server(request: pytest.FixtureRequest, start: Start, walk: Path) -> Server:
    contexts = {"replay": f"replay:{walk}", "tree": f"local:root={MACHINES / 'power-laptop'}"}
    context = contexts.get(request.param, request.param)
    graph = str(GRAPHS / "light.json")
    more = ("--graph", graph) if request.param.startswith("sim:") else ()
    return start("--context", context, "--recordings", str(walk.parent), *more)


def assert_no_complaint(page: Page, server: Server) -> None:
    """Neither the console nor the policy nor another origin has heard of the page."""
    assert page.complaints() == []
    assert page.foreign_requests(server.origin) == []


def test_every_view_opens_without_a_complaint(page: Page, server: Server) -> None:
    page.open(server.address())
    page.wait_for_cards()
    ids = page.run("return [...document.querySelectorAll('[data-id]')].map((e) => e.dataset.id)")
    assert ids
    for view in VIEWS:
        page.go(f"#{view}")
        page.wait_for(f"page.route.view === '{view}' && document.querySelector('main h1')")
        page.wait_for("['live', 'still'].includes(page.link)")
    for source in ids:
        page.go(page.run("return routeText('source', arguments[0])", source))
        page.wait_for("document.querySelector('table.properties')", source)
        assert page.run("return page.view.id") == source
    assert_no_complaint(page, server)


def test_a_click_on_a_card_opens_its_source(page: Page, phone: Server) -> None:
    page.open(phone.address())
    page.wait_for_cards()
    page.one("[data-id='memory|machine'] a").click()
    page.wait_for("document.querySelector('table.properties')")
    assert page.text("h1") == "machine"
    page.run("history.back()")
    page.wait_for("document.querySelector('.cards')")


@pytest.mark.parametrize("context", ["sim:phone", f"local:root={MACHINES / 'power-laptop'}"])
def test_values_are_those_of_the_command_line(page: Page, start: Start, context: str) -> None:
    """Those that do not move: texts, and what is static."""
    server = start("--context", context)
    read = [json.loads(line) for line in gathered("read", "--json", "-c", context).splitlines()]
    page.open(server.address())
    page.wait_for_cards()
    compared = 0
    for source in read:
        page.go(page.run("return routeText('source', arguments[0])", source["id"]))
        page.wait_for("page.view.source?.readings > 0 && document.querySelector('.properties')")
        shown = page.run(
            "return Object.fromEntries(page.view.rows.map((row) =>"
            " [row.property.key, [row.text.textContent, row.property.mode]]))"
        )
        for key, told in source["values"].items():
            text, mode = shown[key]
            if told["status"] in ("unsupported", "permission"):
                assert told.get("reason", "") in text
            elif told["status"] == "ok" and (mode == "static" or isinstance(told["value"], str)):
                value, unit = told["value"], told["unit"]
                wanted = page.run(
                    "const { properties } = page.view.source;"
                    "return formatValue(arguments[0], properties.get(arguments[1]))",
                    value,
                    key,
                )
                assert text == wanted, (source["id"], key, unit)
                compared += 1
    assert compared > 10


def test_what_is_not_here_says_why_and_what_to_do(page: Page, phone: Server) -> None:
    page.open(phone.address())
    page.wait_for("document.querySelector('.absent tbody tr')")
    page.one(".absent summary").click()
    text = page.text(".absent")
    assert "GPS" in text
    assert "open the context with allow=location" in text
    copy = page.one(".absent button")
    copy.click()
    page.wait(lambda: copy.text == "Copied" or None)


def test_personal_values_are_withheld_with_their_remedy(page: Page, phone: Server) -> None:
    page.open(phone.address("source/wifi%7Cwlan0"))
    page.wait_for("document.querySelector('[data-key=ssid]').textContent.includes('withheld')")
    row = page.text("[data-key=ssid]")
    assert "open the context with allow=ssid" in row
    assert page.one("[data-key=ssid] .withheld")


def test_foreign_texts_stay_texts(page: Page, start: Start, tmp_path: Path) -> None:
    """W13: no text of a device becomes markup."""
    script = tmp_path / "evil.sim"
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    script.write_text(
        f'0 add wifi|wlan0\n0 set wifi|wlan0/connected true\n0 set wifi|wlan0/ssid "{evil}"\n'
        f'0 set wifi|wlan0/interface "{evil}"\n0 absent wifi|wlan0/signal noData {evil}\n',
        "utf-8",
    )
    server = start("--context", f"sim:file={script}", "--allow", "ssid")
    page.open(server.address())
    page.wait_for_cards()
    assert evil in page.text(".cards")
    page.one(".card").click()
    page.wait_for("document.querySelector('[data-key=ssid]')?.textContent.includes('alert(1)')")
    assert evil in page.text("[data-key=signal]")
    assert page.run("return document.querySelectorAll('script, main img').length") == 1
    assert_no_complaint(page, server)


def test_a_source_that_is_not_there_says_so(page: Page, phone: Server) -> None:
    page.open(phone.address("source/battery%7CBAT9"))
    page.wait_for("document.querySelector('.empty')")
    assert "battery|BAT9" in page.text(".empty")


def test_graphs_have_lamps_and_live_ports(page: Page, start: Start) -> None:
    server = start("--context", "sim:phone", "--graph", str(GRAPHS / "light.json"))
    page.open(server.address("graphs"))
    page.wait_for("document.querySelector('[data-name=bright] .lamp')")
    assert page.text("[data-name=bright] .lamp") in ("on", "off")
    page.wait_for("document.querySelector('.drawing').textContent.includes('illuminance: ')")
    assert "low_pass" in page.text(".drawing")
    page.wait_for("/state: (yes|no)/.test(document.querySelector('.drawing').textContent)")
    first = page.run("return store.outputs.get('light/smooth.value').time")
    page.wait_for(f"store.outputs.get('light/smooth.value').time !== '{first}'")


def test_no_text_of_a_drawing_is_on_another(page: Page, start: Start) -> None:
    server = start("--context", "sim:phone", "--graph", str(GRAPHS / "tap.json"))
    page.open(server.address("graphs"))
    page.wait_for("document.querySelector('.drawing').textContent.includes('value: (')")
    covered = page.run(
        "const boxes = [...document.querySelectorAll('.drawing text')].map((e) => e.getBBox());"
        "return boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) => a.width && b.width"
        " && a.x < b.x + b.width && b.x < a.x + a.width"
        " && a.y + 4 < b.y + b.height && b.y + 4 < a.y + a.height)).length"
    )
    assert covered == 0


def test_raw_values_are_asked_for_while_they_are_shown(page: Page, start: Start) -> None:
    """As the backend gave them, once a second however fast the source is."""
    page.open(start("--context", "sim:phone").address("source/accelerometer%7Cmpu6050?every=0.02"))
    page.wait_for("page.view.source?.readings > 5 && document.querySelector('.properties')")
    assert "script line" not in page.text(".properties")
    page.run(
        "globalThis.asked = 0; const usual = fetch;"
        "globalThis.fetch = (...all) => { asked += /raw=1/.test(all[0]); return usual(...all); };"
        "globalThis.raw = [...document.querySelectorAll('button')]"
        ".find((each) => each.textContent === TEXT.source.raw); raw.click()"
    )
    row = "[data-key=acceleration] .code"
    page.wait_for(f"document.querySelector('{row}').textContent.includes('script line')")
    first, then = page.text(row), page.run("return [asked, performance.now()]")
    page.wait_for(f"asked > {then[0]} + 2 && document.querySelector('{row}').textContent")
    more, seconds = page.run("return [asked - arguments[0], performance.now() / 1000]", then[0])
    assert more <= (seconds - then[1] / 1000) / 0.9 + 1
    assert page.text(row) != first
    page.run("raw.click()")
    page.wait_for(f"document.querySelector('{row}').textContent === ''")


def test_negative_numbers_have_a_minus(page: Page, phone: Server) -> None:
    page.open(phone.address())
    texts = ["-1.5 dBm", "(-0.1, 2, -3) m/s²", "-1e-05 V", "2 - 7"]
    shown = page.run("return arguments[0].map(minus)", texts)
    wanted = ["~1.5 dBm", "(~0.1, 2, ~3) m/s²", "~1e-05 V", "2 - 7"]
    assert shown == [each.replace("~", MINUS) for each in wanted]
    page.go("#source/wifi%7Cwlan0")
    page.wait_for(
        f"document.querySelector('[data-key=signal] .value').textContent.startsWith('{MINUS}')"
    )


def test_motion_draws_the_attitude_and_names_its_frame(page: Page, phone: Server) -> None:
    page.open(phone.address("motion"))
    page.wait_for("page.view.shown && page.view.ball.width > 0")
    page.wait_for("document.querySelector('main').textContent.includes('x right, y up')")
    label = page.one("figure canvas").get_attribute("aria-label")
    assert label
    assert "roll" in label
    up = page.run("const { up } = worldOf([Math.SQRT1_2, Math.SQRT1_2, 0, 0]); return up")
    assert [round(each, 9) for each in up] == [0, 1, 0]


def test_a_recording_is_drawn_and_played(page: Page, start: Start, walk: Path) -> None:
    server = start("--context", "sim:phone", "--recordings", str(walk.parent))
    page.open(server.address("recordings"))
    page.one("table a").click()
    page.wait_for("page.view.timeline?.plot.lines?.length === 3")
    assert page.run("return page.view.timeline.plot.lines[0].history.count") > 60
    page.run("page.view.timeline.pick(page.view.timeline.from + 1000)")
    page.run("page.view.timeline.play.click()")
    page.wait_for("page.view.timeline.place > page.view.timeline.from + 1050")
    assert_no_complaint(page, server)


def test_a_replay_has_a_bar(page: Page, start: Start, walk: Path) -> None:
    server = start("--context", f"replay:{walk}")
    page.open(server.address())
    page.wait_for("document.querySelector('#replay .play') && store.replay.position > 0")
    assert page.text("#tag") == "replayed"
    page.one("#replay .play").click()
    page.wait_for("store.replay.playing === false")
    page.run("replayBar.seek(1.5)")
    page.wait_for("Math.abs(store.replay.position - 1.5) < 0.2")


def test_recordings_are_started_and_stopped(page: Page, start: Start, tmp_path: Path) -> None:
    server = start("--context", "sim:phone", "--recordings", str(tmp_path), "--control")
    page.open(server.address("recordings"))
    name = page.one("input[name=name]")
    name.clear()
    name.send_keys("try.gkr")
    page.one("input[value='memory|machine']").click()
    page.one("button.main").click()
    page.wait_for("document.querySelector('main').textContent.includes('being written')")
    page.one("[aria-label='Stop: try.gkr']").click()
    page.wait_for("document.querySelector('[aria-label=\"Delete: try.gkr\"]')")
    assert (tmp_path / "try.gkr").exists()
