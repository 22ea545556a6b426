"""A `gathered serve` for tests: the program that GATHERED_SERVE names."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from types import TracebackType

TOKEN = "a-token-for-tests"


def program() -> str | None:
    """The path of the server; None where no test can be run."""
    return os.environ.get("GATHERED_SERVE")


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
        command = [program() or "", *self.arguments, "--listen", f"127.0.0.1:{port}"]
        command += ["--token-file", str(self.token_file)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), f"{command} printed {line!r}"
        self.origin, _, self.fragment = line.partition("/#")
        self.port = int(self.origin.rpartition(":")[2])

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
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()

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
