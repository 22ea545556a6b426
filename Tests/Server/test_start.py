"""How a server starts, what it says, and how it ends (serve W1 to W6, section 10).

Longer than 300 lines: each way of starting has its own server.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .asking import Events, ask, get, read_answer, request, until
from .conftest import Start
from .serving import PATIENCE, TOKEN, Server, another_client, program

SIM = ["--context", "sim:phone"]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a server that ends by itself."""
    return subprocess.run(
        [program(), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE / 5,
        env={**os.environ, **variables},
        check=False,
    )


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


# Unix sockets


def test_unix_socket(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "serve.sock"
    server = start(*SIM, "--unix", str(path))
    assert server.line == f"http+unix:{path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    assert get(server, "", fields={"Authorization": None})["context"] == "sim:phone"
    # A page's request needs the right origin here, too.
    fields = {"Origin": "https://evil.example"}
    assert ask(server, "/api/v1", fields=fields).status == 403
    server.end()
    assert not path.exists()


def test_unix_socket_controls(start: Start, tmp_path: Path) -> None:
    server = start(*SIM, "--unix", str(tmp_path / "serve.sock"), "--control")
    assert ask(server, "/api/v1/rescan", "POST", {"Authorization": None}, {}).status == 200


def test_busy_unix_socket(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "serve.sock"
    server = start(*SIM, "--unix", str(path))
    done = run(*SIM, "--unix", str(path))
    assert (done.returncode, "in use" in done.stderr) == (1, True)
    assert get(server, "")["context"] == "sim:phone"


def test_left_unix_socket(start: Start, tmp_path: Path) -> None:
    """One that a killed server left is replaced; a file that is no socket is not."""
    path = tmp_path / "serve.sock"
    server = start(*SIM, "--unix", str(path))
    server.process.kill()
    server.process.wait(PATIENCE)
    assert path.exists()
    assert get(start(*SIM, "--unix", str(path)), "")["context"] == "sim:phone"
    file = tmp_path / "precious"
    file.write_text("text")
    assert run(*SIM, "--unix", str(file)).returncode == 1
    assert file.read_text() == "text"
    done = run(*SIM, "--unix", str(tmp_path / ("x" * 200)))
    assert (done.returncode, done.stdout) == (1, "")


FOREIGN = """
import socket, sys
plug = socket.socket(socket.AF_UNIX)
plug.connect(sys.argv[1])
plug.sendall(b"GET /api/v1 HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
data = b""
while part := plug.recv(65536):
    data += part
print(data.split()[1].decode())
"""


def foreign_status(path: Path, *options: str) -> str:
    """The status that a user of no rights gets, or what went wrong."""
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or shutil.which("setpriv") is None or not Path(python).exists():
        pytest.skip("only root can become another user, by setpriv")
    user = pwd.getpwnam("nobody")
    command = ["setpriv", f"--reuid={user.pw_uid}", *options, python, "-c", FOREIGN, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.stdout.strip() or done.stderr.splitlines()[-1]


def test_foreign_users(start: Start) -> None:
    """The file's mode keeps them out; where it does not, the server does."""
    folder = Path(f"/tmp/gathered-test-{os.getpid()}")
    folder.mkdir()
    path = folder / "serve.sock"
    group = pwd.getpwnam("nobody").pw_gid
    try:
        server = start(*SIM, "--unix", str(path))
        outside = [f"--regid={group + 1000 if group < 60000 else 1000}", "--clear-groups"]
        assert "PermissionError" in foreign_status(path, *outside)
        path.chmod(0o666)
        assert foreign_status(path, *outside) == "403"
        # The group of the file is that of the user: he is in.
        os.chown(path, 0, group)
        path.chmod(0o660)
        assert foreign_status(path, f"--regid={group}", "--clear-groups") == "200"
        server.end()
    finally:
        shutil.rmtree(folder)


# Sockets of systemd

ACTIVATED = """
import os, socket, sys
kind, place, program, *arguments = sys.argv[1:]
plug = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET)
plug.bind(place if kind == "unix" else ("127.0.0.1", 0))
plug.listen()
print(plug.getsockname()[1] if kind == "inet" else 0, flush=True)
os.dup2(plug.fileno(), 3)
os.set_inheritable(3, True)
os.environ["LISTEN_PID"] = str(os.getpid())
os.environ["LISTEN_FDS"] = "1"
os.execv(program, [program, *arguments])
"""


class Activated(Server):
    """A server that is given its socket, as systemd gives it."""

    def __init__(self, folder: Path, kind: str, *arguments: str) -> None:
        self.folder = folder
        place = folder / "given.sock"
        self.path = str(place) if kind == "unix" else ""
        token = folder / "token"
        token.touch(0o600)
        token.write_text(TOKEN)
        if kind == "inet":
            arguments = (*arguments, "--token-file", str(token))
        command = [sys.executable, "-c", ACTIVATED, kind, str(place), program(), *arguments]
        self.errors = folder / "errors"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.origin = f"http://127.0.0.1:{self.port}"


@pytest.mark.parametrize("kind", ["unix", "inet"])
def test_activated(tmp_path: Path, kind: str) -> None:
    with Activated(tmp_path, kind, *SIM) as server:
        assert get(server, "")["context"] == "sim:phone"
        assert ask(server, "/api/v1", fields={"Authorization": None}).status == (
            200 if kind == "unix" else 401
        )


def test_idle_exit(tmp_path: Path) -> None:
    """It stays while a client is there, and ends by itself when none has been there."""
    with Activated(tmp_path, "unix", *SIM, "--idle-exit", "1") as server:
        with Events(server, "source=memory") as events:
            began = time.monotonic()
            while time.monotonic() < began + 2.5:
                events.next("update")
            assert server.process.poll() is None
        assert server.process.wait(PATIENCE) == 0


def test_systemd_socket_activate(tmp_path: Path) -> None:
    """The program of systemd itself starts it with the first client."""
    activate = shutil.which("systemd-socket-activate")
    if activate is None:
        pytest.skip("systemd-socket-activate is not there")
    path = tmp_path / "given.sock"
    command = [activate, "-l", str(path), program(), *SIM, "--idle-exit", "1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    assert until(path.exists)
    with socket.socket(socket.AF_UNIX) as plug:
        plug.connect(str(path))
        plug.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert read_answer(plug).body == b"ok\n"
    assert process.wait(PATIENCE) == 0


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
