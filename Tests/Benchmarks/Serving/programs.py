"""Servers that are measured: on loopback, on ports of their own, and what each costs."""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

TOKEN = "a-token-for-measurements"
PATIENCE = 30.0
MEBIBYTE = 1024.0
# An address of a client may ask so often a second.
RATE = 20

# The collectors of node_exporter for what gathered tells of any machine, too.
COMPARABLE = [
    *("cpu", "cpufreq", "diskstats", "filesystem", "hwmon", "loadavg", "meminfo", "netclass"),
    *("netdev", "os", "powersupplyclass", "pressure", "rapl", "stat", "thermal_zone", "timex"),
    "uname",
]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Program:
    """A process that listens on a port."""

    def __init__(self, words: list[str], port: int = 0) -> None:
        self.port = port
        self.fields = {"Accept-Encoding": "identity"}
        pipe = subprocess.PIPE if port == 0 else subprocess.DEVNULL
        self.process = subprocess.Popen(
            words, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )

    def connect(self, client: int = 1) -> http.client.HTTPConnection:
        """A connection from one of many addresses of this machine."""
        source = (f"127.79.{client // 250}.{client % 250 + 1}", 0)
        return http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE, source)

    def ask(self, connection: http.client.HTTPConnection, path: str) -> bytes:
        """An answer, which has to be one."""
        connection.request("GET", path, headers=self.fields)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise OSError(f"{path}: {answer.status}")
        return body

    def wait(self, path: str) -> None:
        """Until it answers."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.ask(self.connect(), path)
                return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.002)

    def processor_time(self) -> float:
        """What all its threads have used of the processors, in seconds: user and system."""
        # What clock_getcpuclockid(3) tells for a process.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def fact(self, word: str) -> float:
        """A number of its status, in the kernel's unit."""
        return sum(number(f"/proc/{self.process.pid}/status", word))

    @property
    def memory(self) -> float:
        """What is resident, in MiB."""
        return self.fact("VmRSS") / MEBIBYTE

    @property
    def switches(self) -> float:
        """How often its threads were given a processor."""
        return sum(
            sum(number(str(task / "status"), "voluntary_ctxt_switches"))
            + sum(number(str(task / "status"), "nonvoluntary_ctxt_switches"))
            for task in Path(f"/proc/{self.process.pid}/task").iterdir()
        )

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()


def number(path: str, word: str) -> list[float]:
    """The number behind a word of a file of lines, if it is there."""
    return [
        float(line.split()[1])
        for line in Path(path).read_text().splitlines()
        if line.startswith(f"{word}:")
    ]


@contextlib.contextmanager
def running(program: Program) -> Iterator[Program]:
    try:
        yield program
    finally:
        program.end()


def speaking(words: list[str]) -> Program:
    """A program that says itself where it listens."""
    program = Program(words)
    assert program.process.stdout is not None
    link = program.process.stdout.readline()
    if not link.startswith("http://"):
        program.end()
        sys.exit(f"{words[0]}: no link in {link!r}")
    program.port = int(link.split("/")[2].rpartition(":")[2])
    return program


def gathered(server: str, folder: Path, context: str) -> Program:
    """Ours."""
    file = folder / "token"
    if not file.exists():
        file.touch(0o600)
        file.write_text(TOKEN + "\n")
    program = speaking(
        [server, "--context", context, "--listen", "127.0.0.1:0", "--token-file", str(file)]
    )
    program.fields["Authorization"] = f"Bearer {TOKEN}"
    return program


def exporter(collectors: list[str]) -> Program:
    """Debian's node_exporter, with its own choice of collectors unless some are named."""
    port = free_port()
    words = ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{port}"]
    if collectors:
        words += ["--collector.disable-defaults", *(f"--collector.{name}" for name in collectors)]
    return Program(words, port)


def nginx(folder: Path, page: bytes) -> Program:
    """nginx with one worker and nothing to do but to send a page."""
    port = free_port()
    (folder / "pages").mkdir()
    (folder / "pages/index.html").write_bytes(page)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    (folder / "nginx.conf").write_text(
        "daemon off; master_process off; worker_processes 1;\n"
        f"pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events { worker_connections 256; }\n"
        "http { sendfile on; tcp_nopush on; access_log off; default_type text/html;\n"
        f"{paths}server {{ listen 127.0.0.1:{port}; root {folder}/pages; }} }}\n"
    )
    words = ["nginx", "-p", str(folder), "-c", f"{folder}/nginx.conf", "-e", f"{folder}/nginx.log"]
    return Program(words, port)


@contextlib.contextmanager
def work_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gathered-") as folder:
        # nginx that root starts reads files of other users' folders, too.
        os.chmod(folder, 0o755)
        yield Path(folder)
