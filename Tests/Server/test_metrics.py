"""Prometheus itself scrapes the server (serve section 7, proof 4)."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_families
from prometheus_client.parser import text_string_to_metric_families as plain_families

from .asking import Events, ask, until
from .conftest import Start
from .serving import PATIENCE, Server

OPEN = {"Accept": "application/openmetrics-text; version=1.0.0; charset=utf-8"}


@pytest.mark.parametrize("context", ["sim:phone", "sim:laptop"])
def test_parsers(start: Start, context: str) -> None:
    """Both parsers of Prometheus's own client accept the page."""
    server = start("--context", context)
    text = ask(server, "/metrics", fields=OPEN).body.decode()
    parse: Callable[[str], Iterable[Any]] = open_families
    families = list(parse(text))
    names = {family.name for family in families}
    assert {"gathered_memory_total_bytes", "gathered_source_available"} <= names
    plain = {family.name for family in plain_families(ask(server, "/metrics").body.decode())}
    assert "gathered_memory_total_bytes" in plain
    samples = [sample for family in families for sample in family.samples]
    assert len(samples) > 100
    assert all(sample.value == sample.value for sample in samples), "an absence is no NaN"
    assert not any("instance" in sample.labels for sample in samples)


def test_own_figures(start: Start) -> None:
    """The server tells how many clients and streams it has (W32)."""
    server = start("--context", "sim:phone")

    def figures() -> dict[str, float]:
        families = open_families(ask(server, "/metrics", fields=OPEN).body.decode())
        samples = [sample for family in families for sample in family.samples]
        start = "gathered_serve_"
        return {
            sample.name.removeprefix(start): sample.value
            for sample in samples
            if sample.name.startswith(start)
        }

    with Events(server, "source=memory") as events:
        events.next("hello")
        assert figures() == {"connections": 2, "streams": 1, "rows_lost_total": 0}
    assert until(lambda: figures() == {"connections": 1, "streams": 0, "rows_lost_total": 0})
    assert b"gathered_serve" not in ask(server, "/metrics/node").body


def test_promtool(start: Start) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not there")
    server = start("--context", "sim:laptop")
    done = subprocess.run(
        [promtool, "check", "metrics"],
        input=ask(server, "/metrics").body,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")


CONFIGURATION = """\
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: gathered
    authorization:
      credentials_file: {token}
    static_configs:
      - targets: ["{host}"]
"""


class Prometheus:
    """Debian's Prometheus on a free port, with a folder of its own."""

    def __init__(self, folder: Path, server: Server) -> None:
        with socket.socket() as plug:
            plug.bind(("127.0.0.1", 0))
            self.port = plug.getsockname()[1]
        file = folder / "prometheus.yml"
        file.write_text(CONFIGURATION.format(token=server.token_file, host=server.host))
        command = [
            "prometheus",
            f"--config.file={file}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{self.port}",
        ]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def query(self, text: str) -> list[Any]:
        """The series of a query; none while it does not answer."""
        target = f"http://127.0.0.1:{self.port}/api/v1/query?query={urllib.parse.quote(text)}"
        try:
            with urllib.request.urlopen(target, timeout=PATIENCE) as answer:
                return list(json.load(answer)["data"]["result"])
        except OSError:
            return []

    def end(self) -> None:
        """Ends it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


def test_prometheus(start: Start, tmp_path: Path) -> None:
    """It takes the token from its file, and every sample of the page."""
    if shutil.which("prometheus") is None:
        pytest.skip("prometheus is not there")
    server = start("--context", "sim:laptop")
    prometheus = Prometheus(tmp_path, server)
    try:
        count = 'sum_over_time(up{job="gathered"}[5m])'
        assert until(lambda: any(float(row["value"][1]) >= 3 for row in prometheus.query(count)))
        (total,) = prometheus.query("gathered_memory_total_bytes")
        assert float(total["value"][1]) == 16647688192
        assert total["metric"]["source"] == "machine"
        (samples,) = prometheus.query("scrape_samples_scraped")
        text = ask(server, "/metrics").body.decode()
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert abs(float(samples["value"][1]) - len(lines)) < 10
    finally:
        prometheus.end()
