"""A `gathered serve` for tests: the program that GATHERED_SERVE names."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
from pathlib import Path
from types import TracebackType

TOKEN = "a-token-for-tests"
PATIENCE = float(os.environ.get("GATHERED_PATIENCE", "600"))
"""How many seconds an answer may take; only a test that fails anyway waits so long."""

_clients = itertools.count(1)


def program() -> str:
    """The path of the server; empty where no test can be run."""
    return os.environ.get("GATHERED_SERVE", "")


def command_line() -> str:
    """The path of `gathered`, beside the server."""
    return str(Path(program()).with_name("gathered"))


def gathered(*arguments: str) -> str:
    """What the command line prints."""
    done = subprocess.run(
        [command_line(), *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return done.stdout


def another_client() -> str:
    """An address of this machine that has not asked yet, so that limits count it anew."""
    number = next(_clients)
    return f"127.77.{number // 250 % 250}.{number % 250 + 1}"


class Server:
    """A running server. Its address is known once it has printed its line."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0) -> None:
        self.folder, self.arguments = folder, arguments
        self.token_file = folder / "token"
        if not self.token_file.exists():
            self.token_file.touch(0o600)
            self.token_file.write_text(TOKEN + "\n", "utf-8")
        self.start(port)

    def start(self, port: int) -> None:
        """Starts it, on a port of its own choice or a given one."""
        command = [program(), *self.arguments]
        if not {"--listen", "--unix"} & set(self.arguments):
            command += ["--listen", f"127.0.0.1:{port}"]
        if not {"--token-file", "--no-token", "--unix"} & set(self.arguments):
            command += ["--token-file", str(self.token_file)]
        self.errors = self.folder / "errors"
        with self.errors.open("ab") as errors:
            # Its loop ends the process where work comes after its end.
            environment = {**os.environ, "SWIFTNIO_STRICT": "yes"}
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
            )
        assert self.process.stdout is not None
        line = self.line = self.process.stdout.readline().strip()
        assert line.startswith("http"), f"{command} printed {line!r}: {self.said()}"
        self.origin, _, self.fragment = line.partition("/#")
        self.path = line.removeprefix("http+unix:") if line.startswith("http+unix:") else ""
        self.port = 0 if self.path else int(self.origin.rstrip("/").rpartition(":")[2])

    @property
    def host(self) -> str:
        """What requests call it."""
        return "localhost" if self.path else self.origin.rstrip("/").removeprefix("http://")

    def connect(self, client: str | None = None) -> socket.socket:
        """A connection from an address of this machine; a new one unless it is named."""
        if self.path:
            plug = socket.socket(socket.AF_UNIX)
            plug.settimeout(PATIENCE)
            plug.connect(self.path)
            return plug
        return socket.create_connection(
            ("127.0.0.1", self.port), PATIENCE, (client or another_client(), 0)
        )

    def said(self) -> str:
        """What it has printed on standard error."""
        return self.errors.read_text("utf-8")

    def address(self, hash_: str = "") -> str:
        """The page at a view, with the token."""
        return f"{self.origin}/#token={TOKEN}" + (f"&{hash_}" if hash_ else "")

    def signal(self, number: signal.Signals) -> None:
        """Stops it (SIGSTOP), lets it go on (SIGCONT), or ends it (SIGTERM)."""
        self.process.send_signal(number)

    def end(self) -> None:
        """Ends it, whatever state it is in, and waits for that."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        assert code in (0, -signal.SIGKILL), self.said()

    def restart(self) -> None:
        """Ends it, and starts it on the same port."""
        self.end()
        self.start(self.port)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()
