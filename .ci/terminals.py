"""Terminals of tmux, which draws what a command writes, as a person would see it."""

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

BUILT = (Path(__file__).resolve().parent.parent / ".build/release").resolve()
PATIENCE = 600.0
ROWS = 50


class Terminal:
    """A shell on a terminal of some columns and rows."""

    def __init__(self, columns: int, rows: int = ROWS, **variables: str) -> None:
        # The shell may still write its last file.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.socket = f"{self.folder.name}/tmux"
        self.variables = {
            "PATH": f"{BUILT}:/usr/bin:/bin",
            "HOME": self.folder.name,
            "LC_ALL": "C.UTF-8",
            "PS1": "$ ",
            **variables,
        }
        words = [f"{name}={value}" for name, value in self.variables.items()]
        shell = ["env", "-u", "NO_COLOR", *words, "bash", "--norc", "--noprofile", "-i"]
        size = ["-x", str(columns), "-y", str(rows)]
        self.tmux("-u", "-f", "/dev/null", "new-session", "-d", *size, *shell)
        # The shell is there when it counts.
        self.run("echo $((6 * 7))")
        self.await_text("\n42")

    def tmux(self, *words: str) -> str:
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": self.folder.name}
        command = ["tmux", "-S", self.socket, *words]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment
        ).stdout

    def run(self, line: str) -> None:
        self.type(line)
        self.press("Enter")

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", "--", text)

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def resize(self, columns: int, rows: int = ROWS) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def text(self, *options: str) -> str:
        return self.tmux("capture-pane", "-p", *options)

    def fact(self, name: str) -> str:
        return self.tmux("display-message", "-p", f"#{{{name}}}").strip()

    def reaches(self, is_there: Callable[[str], bool]) -> bool:
        """Whether the screen becomes so."""
        end = time.monotonic() + PATIENCE / 10
        while not is_there(self.text()):
            if time.monotonic() > end:
                print(f"        the screen is:\n{self.text()}")
                return False
            time.sleep(0.05)
        return True

    def await_text(self, text: str) -> bool:
        return self.reaches(lambda screen: text in screen)

    def is_as_found(self) -> bool:
        """The first screen with a cursor, and a line that is edited and echoed."""
        self.run("stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo);?$' | tr '\\n' ' '; echo end")
        return (
            self.reaches(lambda text: "icanon echo end" in text)
            and self.fact("alternate_on") == "0"
            and self.fact("cursor_flag") == "1"
        )

    def close(self) -> None:
        self.tmux("kill-server")
        self.folder.cleanup()
