"""A page of another server whose name comes to mean this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from ..serving import TOKEN, Server
from .page import Page, chromium

NAME = "rebound.example"
PATHS = ["/", "/api/v1", "/api/v1/sources", "/api/v1/stream?source=memory", "/health", "/metrics"]
ASK = """
const [paths, token, done] = arguments;
const asked = [{}, { Authorization: `Bearer ${token}` }].flatMap((headers) =>
  paths.map(async (path) => {
    const answer = await fetch(path, { headers });
    return [path, answer.status, await answer.text()];
  }));
Promise.all(asked).then(done, (error) => done(String(error)));
"""


class Foreign(BaseHTTPRequestHandler):
    """A server of somewhere else."""

    def do_GET(self) -> None:
        body = b"<!doctype html><title>foreign</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture
def victim(page: Page) -> Iterator[Page]:
    """A browser for which the name is an address of this machine."""
    assert page
    browser = chromium(f"host-resolver-rules=MAP {NAME} 127.0.0.1")
    yield Page(browser)
    browser.quit()


def test_a_rebound_name_gets_421_and_no_data(victim: Page, tmp_path: Path) -> None:
    """The page stays, and the name's address is the server's from then on."""
    with HTTPServer(("127.0.0.1", 0), Foreign) as foreign:
        port = foreign.server_port
        serving = threading.Thread(target=foreign.serve_forever)
        serving.start()
        victim.browser.get(f"http://{NAME}:{port}/")
        assert victim.browser.title == "foreign"
        foreign.shutdown()
        serving.join()
    with Server(tmp_path, "--context", "sim:phone", port=port):
        answers = victim.browser.execute_async_script(ASK, PATHS, TOKEN)
        assert [path for path, _, _ in answers] == 2 * PATHS
        assert {status for _, status, _ in answers} == {421}
        (body,) = {body for _, _, body in answers}  # whatever is asked for
        assert set(json.loads(body)) == {"error"}
        assert set(json.loads(body)["error"]) == {"code", "errno", "message", "remedy"}
        assert json.loads(body)["error"]["code"] == "GKIT_ERROR_PERMISSION"
    # The name does lead to the server: once it is the server's own, the same page is answered.
    with Server(tmp_path, "--context", "sim:phone", "--host-name", NAME, port=port):
        answers = victim.browser.execute_async_script(ASK, PATHS[:3], TOKEN)
        assert [status for _, status, _ in answers] == [200, 401, 401, 200, 200, 200]
