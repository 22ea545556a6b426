"""A page that stays open keeps no more than it says."""

from __future__ import annotations

from typing import Any

from ..serving import Server
from .page import Page

# A vector at 500 Hz in frames of 25 rows, until all that can be kept is kept, and half as long.
FRAMES = """
const s = new Source({ id: 'a|b', kind: 'a' });
s.describe({ interval_ns: 2e6, properties: [{ key: 'v', type: 'vector', mode: 'continuous' }] });
const dt = Array.from({ length: 25 }, (_, n) => n * 2e6);
const column = dt.map((_, n) => n), most = BUCKETS * BUCKET / 25;
const fill = (from, to) => { for (let n = from; n < to; n += 1) {
  s.frame({ t0: `${n * 50 + 1}000000`, dt, columns: { v: [column, column, column] }, lost: n % 2 });
} };
const kept = () => { const all = [...s.histories.values()];
  return [all.length, s.spans.length, s.news.size,
    ...all.flatMap((h) => [h.raw.data.length, h.old.data.length, h.marks.length])]; };
fill(0, most);
const full = kept();
fill(most, 1.5 * most);
return [full, kept(), 3 * RAW, 3 * BUCKETS];
"""


def test_a_page_at_work_does_not_grow(page: Page, phone: Server) -> None:
    """Histories forget; the least they keep is what an hour needs."""
    page.open(phone.address())
    sizes = page.run(
        "const h = new History(); const size = () => [h.raw, h.old].map((rows) =>"
        " rows.data.length).reduce((a, b) => a + b);"
        "const fill = (from, to) => { for (let n = from; n < to; n += 1) h.push(n * 2, n % 7); };"
        "fill(0, 1800000); const hour = size(); const start = h.old.firstTime;"
        "fill(1800000, 9000000); return [hour, size(), start]"
    )
    assert sizes[2] == 0, "an hour at 500 Hz is still there"
    assert sizes[1] <= 3 * (32768 + 65536)


def test_frames_leave_what_the_histories_keep(page: Page, phone: Server) -> None:
    page.open(phone.address())
    full, later, raw, old = page.run(FRAMES)
    assert full == later
    assert full == [3, 20, 1, *3 * [raw, old, 0]]


def test_drawings_leave_nothing(page: Page, phone: Server) -> None:
    """Neither elements nor listeners come with a thousand drawings of four plots."""
    plots = "plot=roll,rotation_rate,gravity,at_rest"
    page.open(phone.address(f"source/device_attitude%7Cmpu6050?every=0.01&span=10&{plots}"))
    page.wait_for("page.view.plot?.panes.size === 4 && page.view.lines[0].history.raw.count > 50")
    before = counted(page)
    page.run("for (let n = 0; n < 1000; n += 1) { page.view.touch(); page.view.plot.draw(); }")
    assert counted(page) == before


def counted(page: Page) -> dict[str, Any]:
    """Elements and listeners of the page that are not garbage."""
    for name in ("HeapProfiler.collectGarbage", "Performance.enable"):
        page.browser.execute_cdp_cmd(name, {})
    told = page.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    found = {each["name"]: each["value"] for each in told}
    return {name: found[name] for name in ("JSEventListeners", "Documents")} | {
        "elements": page.run("return document.querySelectorAll('*').length")
    }
