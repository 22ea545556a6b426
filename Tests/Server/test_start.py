"""How a server starts, what it says, and how it ends (serve W1 to W6, section 10)."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import time
from pathlib import Path

import pytest

from .asking import Events, ask, get, read_answer, request, until
from .conftest import Start
from .serving import PATIENCE, TOKEN, Server, another_client, gathered, program
from .starting import SIM, run


class Own:
    """A server as users start it, with a home of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(home)}
        self.process = subprocess.Popen(
            [program(), *arguments], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Ends it; its exit code, and what it printed besides."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return code, rest


def is_free(port: int) -> bool:
    """Whether nothing listens on a port of this machine."""
    with socket.socket() as plug:
        return plug.connect_ex(("127.0.0.1", port)) != 0


# The network


def test_defaults(tmp_path: Path) -> None:
    """Both addresses of loopback, a token of its own that stays, one line."""
    if not is_free(8917):
        pytest.skip("port 8917 is in use")
    links = []
    for _ in range(2):
        own = Own(tmp_path, *SIM)
        links.append(own.line)
        for family, address in [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]:
            with socket.socket(family) as plug:
                plug.connect((address, 8917))
                host = f"[{address}]" if ":" in address else address
                text = f"GET /health HTTP/1.1\r\nHost: {host}:8917\r\n\r\n"
                plug.sendall(text.encode())
                assert read_answer(plug).body == b"ok\n"
        assert not any(
            socket.socket().connect_ex((address, 8917)) == 0 for address in other_addresses()
        )
        assert own.end() == (0, "")
    assert re.fullmatch(r"http://127\.0\.0\.1:8917/#token=[A-Za-z0-9_-]{43}\n", links[0])
    assert links[0] == links[1]
    file = tmp_path / "gathered" / "token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert file.read_text().strip() == links[0].partition("#token=")[2].strip()


def other_addresses() -> list[str]:
    """Addresses of this machine besides loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        try:
            plug.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(plug.getsockname()[0])]


def test_taken_port(phone: Server) -> None:
    done = run(*SIM, "--no-token", "--listen", f"127.0.0.1:{phone.port}")
    assert done.returncode == 1
    assert str(phone.port) in done.stderr
    assert "--listen 127.0.0.1:0" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("address", ["[::1]:0", "127.0.0.5:0"])
def test_other_loopback(tmp_path: Path, address: str) -> None:
    own = Own(tmp_path, *SIM, "--listen", address)
    assert own.line.startswith(f"http://{address.rpartition(':')[0]}:")
    assert own.end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["--listen", "0.0.0.0:0"], 2, "--token-file"),
        (["--listen", "0.0.0.0:0", "--no-token"], 2, "--no-token"),
        (["--listen", "[::]:0"], 2, "--token-file"),
        (["--listen", "8917"], 2, "ADDRESS:PORT"),
        (["--listen", "127.0.0.1"], 2, "ADDRESS:PORT"),
        (["--listen", "127.0.0.1:65536"], 2, "ADDRESS:PORT"),
        (["--listen", "127.0.0.1:-1"], 2, "ADDRESS:PORT"),
        (["--listen", "localhost:0"], 2, "ADDRESS:PORT"),
        (["--listen", "192.0.2.1:0", "--token-file", "FILE"], 1, "192.0.2.1"),
        (["--listen", "127.0.0.1:0", "--unix", "/tmp/x"], 2, "--unix"),
        (["--no-token", "--control"], 2, "--control"),
        (["--token-file", "/nonexistent/token"], 1, "No such file"),
        (["--token-file", "EMPTY"], 1, "a token is one line"),
        (["--token-file", "SPACES"], 1, "without spaces"),
        (["--token-file", "LONG"], 1, "a token is one line"),
        (["--token-file", "FOLDER"], 1, "FOLDER"),
        (["--origin", "*", "--no-token"], 2, "--origin"),
        (["--origin", "null", "--no-token"], 2, "--origin"),
        (["--public", "everything", "--no-token"], 2, "--public"),
        (["--every", "0", "--no-token"], 2, "--every"),
        (["--every", "nan", "--no-token"], 2, "--every"),
        (["--every", "1e999", "--no-token"], 2, "--every"),
        (["--allow", "serials", "--no-token"], 2, "serial"),
        (["--recordings", "/nonexistent", "--no-token"], 1, "/nonexistent"),
        (["--recordings", "FILE", "--no-token"], 1, "FILE"),
        (["--graph", "/nonexistent.json", "--no-token"], 1, "/nonexistent.json"),
        (["--graph", "FILE", "--no-token"], 1, "FILE"),
        (["--graph", "GRAPH", "--no-token"], 1, "gathered graph check"),
        (["--no-token", "batery"], 1, "battery"),
        (["--no-token", "memory/free"], 2, "memory/free"),
        (["--context", "sim:nothing", "--no-token"], 1, "nothing"),
        (["--context", "replay:/nonexistent.gkr", "--no-token"], 1, "/nonexistent.gkr"),
        (["--nothing"], 2, "--nothing"),
    ],
)
def test_wrong_starts(tmp_path: Path, arguments: list[str], code: int, text: str) -> None:
    """They end at once, with the reason, and print nothing on standard output."""
    texts = {"FILE": TOKEN, "EMPTY": "", "SPACES": "a b", "LONG": "x" * 5000}
    texts["GRAPH"] = '{"graph": 1, "nodes": [{"id": "a", "type": "nothing"}]}'
    files = {name: tmp_path / name for name in [*texts, "FOLDER"]}
    for name, content in texts.items():
        files[name].touch(0o600)
        files[name].write_text(content)
    files["FOLDER"].mkdir()
    arguments = [str(files.get(word, word)) for word in arguments]
    if "--listen" not in arguments and "--unix" not in arguments:
        arguments = ["--listen", "127.0.0.1:0", *arguments]
    context = [] if "--context" in arguments else SIM
    done = run(*context, *arguments, XDG_STATE_HOME=str(tmp_path))
    assert done.returncode in ([code] if code == 1 else [2, 64]), done.stderr
    assert text in done.stderr
    assert done.stdout == ""


def test_open_token_file(start: Start, tmp_path: Path) -> None:
    """It is used, with a warning."""
    file = tmp_path / "open"
    file.write_text("word\nsecond line\n")
    file.chmod(0o644)
    server = start(*SIM, "--token-file", str(file))
    assert f"warning: other users may read {file}" in server.said()
    assert server.fragment == "token=word"
    assert get(server, "", fields={"Authorization": "Bearer word"})["version"]


def test_unreadable_token_file(tmp_path: Path) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root reads everything, and setpriv is not there")
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0)
    command = [program(), *SIM, "--listen", "127.0.0.1:0", "--token-file", str(file)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert "Permission denied" in done.stderr
    assert "--token-file" in done.stderr


# The end, and the signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_end(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    """Streams are told, recordings closed, connections cut, the exit code is 0."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    server = start(*SIM, "--control", "--recordings", str(folder))
    body = {"name": "a.gkr", "sources": ["memory"], "every": 0.01}
    assert ask(server, "/api/v1/recordings", "POST", body=body).status == 201
    idle = server.connect()
    stopped = server.connect(another_client())
    stopped.sendall(request(server, "/api/v1/stream?source=accelerometer;every=0.002&frames=0"))
    with Events(server, "source=memory") as events:
        events.next("update")
        began = time.monotonic()
        server.signal(number)
        assert events.next("end").data == {"reason": "the server ends"}
        assert list(events) == []
    assert server.process.wait(PATIENCE) == 0
    took = time.monotonic() - began
    assert idle.recv(1) == b""
    idle.close()
    stopped.close()
    with Server(server.folder, *SIM, "--recordings", str(folder)) as later:
        facts = get(later, "/recordings/a.gkr")
        assert facts["problems"] == []
        assert facts["series"][0]["rows"] > 0
    # A machine that is overloaded takes longer to do what is little work.
    assert took < 2 * max(1.0, os.getloadavg()[0])


def test_end_in_the_middle_of_answers(start: Start, tmp_path: Path) -> None:
    """What still makes an answer hands nothing to a loop that has ended. Where it would, not each
    try shows it."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    times = ["--every", "10ms", "--for", "20s", "--context", "sim:phone&clock=manual"]
    gathered("record", str(folder / "long.gkr"), "memory", "accelerometer", *times)
    for _ in range(6):
        server = start(*SIM, "--recordings", str(folder))
        plugs = [server.connect(another_client()) for _ in range(8)]
        for plug in plugs:
            plug.sendall(request(server, "/api/v1/recordings/long.gkr/file.jsonl"))
        assert plugs[0].recv(1)
        server.signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0, server.said()
        assert server.said() == ""
        for plug in plugs:
            plug.close()


def test_new_token(start: Start) -> None:
    """SIGHUP reads the file again; a bad one changes nothing."""
    server = start(*SIM)
    server.token_file.write_text("second\n")
    server.signal(signal.SIGHUP)
    assert until(lambda: "the token was read again" in server.said())
    assert ask(server, "/api/v1").status == 401
    assert ask(server, "/api/v1", fields={"Authorization": "Bearer second"}).status == 200
    server.token_file.write_text("")
    server.signal(signal.SIGHUP)
    assert until(lambda: "the token of before stays" in server.said())
    assert ask(server, "/api/v1", fields={"Authorization": "Bearer second"}).status == 200


# Contexts


def test_titles(start: Start, walk: Path) -> None:
    """A simulation says so; a replay has its bar."""
    facts = get(start(*SIM), "")
    assert (facts["simulated"], facts["replay"], facts["title"]) == (True, None, "sim:phone")
    facts = get(start("--context", f"replay:{walk}"), "")
    assert facts["simulated"] is False
    assert set(facts["replay"]) == {"playing", "rate", "position", "duration"}


def test_help_and_version() -> None:
    assert run("--version").stdout.strip() == run("--version").stdout.strip() != ""
    assert "USAGE" in run("--help").stdout
