"""Home Assistant itself: by this machine's Python, or in a root of Debian 13, with its package."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".build/homeassistant"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "base-files,libc-bin,libstdc++6,ca-certificates,coreutils,dash,python3,python3-venv"
# What some of its packages are built with, which have no wheels.
TOOLS = "python3-dev,gcc,g++,libc6-dev"
# What pip and the network need to know of this machine.
SETTINGS = ["etc/resolv.conf", "etc/hosts", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"]


class Missing(Exception):
    """Something is not to be had here."""


class Inside:
    """Where Home Assistant runs: on this machine, or in a root of its own."""

    def __init__(self, python: str, root: Path | None) -> None:
        self.root = root
        self.python = python

    def path(self, path: Path) -> str:
        """A path as it is inside."""
        return str(path if self.root is None else Path("/") / path.relative_to(self.root))

    def command(self, *words: str) -> list[str]:
        if self.root is None:
            return list(words)
        enter = ["unshare", "--mount", "--pid", "--fork"]
        if os.getuid() != 0:
            enter.append("--map-root-user")
        mounts = 'mount --rbind /dev "$0/dev" && mount -t proc none "$0/proc"'
        return [*enter, "sh", "-c", f'{mounts} && exec chroot "$0" "$@"', str(self.root), *words]

    def run(self, *words: str, seconds: float) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in os.environ if name.startswith("PIP_")}
        environment = {**kept, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        folder = "/tmp" if self.root else str(KEPT)
        environment |= {"HOME": folder, "TMPDIR": folder}
        return subprocess.run(
            self.command(*words),
            env=environment,
            timeout=seconds,
            capture_output=True,
            text=True,
            check=False,
        )


def own_python() -> str | None:
    """A Python of this machine that is new enough."""
    for name in ("python3.13", "python3.14", "python3"):
        found = shutil.which(name)
        new = "import sys; sys.exit(sys.version_info < (3, 13, 2))"
        if found and subprocess.run([found, "-c", new], capture_output=True).returncode == 0:
            return found
    return None


def made_root() -> Path:
    """A root of Debian 13."""
    root = KEPT / "root"
    if root.exists():
        return root
    if not shutil.which("mmdebstrap"):
        raise Missing("there is no Python 3.13 here, and no mmdebstrap")
    fresh = KEPT / "root.new"
    shutil.rmtree(fresh, ignore_errors=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    options = ['--aptopt=Acquire::Retries "2"', '--aptopt=Acquire::Check-Valid-Until "false"']
    words = ["mmdebstrap", "--quiet", "--variant=extract"]
    made = subprocess.run(
        [*words, f"--include={PACKAGES},{TOOLS}", *options, "trixie", str(fresh), MIRROR],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise Missing(f"Debian 13 cannot be had: {made.stderr.strip().splitlines()[-1:]}")
    for folder in ("proc", "dev", "tmp", "etc/ssl/certs"):
        (fresh / folder).mkdir(parents=True, exist_ok=True)
    for name in SETTINGS:
        if (Path("/") / name).exists():
            shutil.copy(Path("/") / name, fresh / name)
    fresh.rename(root)
    return root


def home_assistant() -> Inside:
    """Home Assistant, installed if need be."""
    own = own_python()
    root = None if own else made_root()
    kept = KEPT if root is None else root / "opt"
    venv = kept / "venv"
    inside = Inside("", root)
    inside.python = inside.path(venv / "bin/python")
    if (venv / "complete").exists():
        return inside
    shutil.rmtree(venv, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    steps = [
        [own or "/usr/bin/python3", "-m", "venv", inside.path(venv)],
        [inside.python, "-m", "pip", "install", "--disable-pip-version-check", "homeassistant"],
        [inside.python, "-m", "pip", "install", "--disable-pip-version-check", "paho-mqtt==2.1.0"],
    ]
    for step in steps:
        done = inside.run("/usr/bin/env", "CC=gcc", "CXX=g++", *step, seconds=1800)
        if done.returncode != 0:
            raise Missing(f"homeassistant cannot be had: {(done.stderr or done.stdout)[-300:]}")
    (venv / "complete").touch()
    return inside
