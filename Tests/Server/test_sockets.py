"""Unix sockets, and those of systemd (serve W3, W4)."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .asking import Events, ask, get, read_answer, until
from .conftest import Start
from .serving import PATIENCE, TOKEN, Server, program
from .starting import SIM, run

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
