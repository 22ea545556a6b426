"""Builds the wheel: the package with the shared library, the command, and what C programs need.

Library and command are built by Swift, in the checkout around this folder or, where this was
unpacked from an sdist, in the one it brings. GATHEREDKIT_BUILT is a folder that has both already.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import setuptools
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOLDER = Path(__file__).resolve().parent
BROUGHT = FOLDER / "checkout"
CHECKOUT = BROUGHT if BROUGHT.is_dir() else FOLDER.parents[1]
LIBRARY = Path("gatheredkit", "_lib", "libgatheredkit.so.0")
COMMAND = Path("gatheredkit", "_bin", "gathered")
# With it the linker's -lgatheredkit finds the library, of which a wheel cannot hold a link.
LINKER_SCRIPT = Path("gatheredkit", "_lib", "libgatheredkit.so")
MAKER = f"setuptools ({setuptools.__version__})"
# What an ELF file says of the processor it is for.
PROCESSORS = {62: "x86_64", 183: "aarch64"}
SUPPORTED = "Linux on x86-64 with glibc 2.34 or newer, or the wheel for 64-bit ARM"


def check_system() -> None:
    """Ends with one line where nothing can be built."""
    is_linux = sys.platform == "linux" and platform.libc_ver()[0] == "glibc"
    if not is_linux or platform.machine() != "x86_64":
        raise SystemExit(f"gatheredkit: this system is not supported; it needs {SUPPORTED}")
    if swift_version() < (6, 3):
        raise SystemExit(
            "gatheredkit: no Swift 6.3 here; install the wheel (pip >= 22), or swiftly install 6.3"
        )


def swift_version() -> tuple[int, ...]:
    """The version of the Swift that is found; () without one."""
    if shutil.which("swift") is None:
        return ()
    told = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"Swift version (\d+)\.(\d+)", told.stdout)
    return (int(found[1]), int(found[2])) if found else ()


def built() -> Path:
    """The folder with library and command: the one given, or that of the checkout, where what is
    not up to date is built first."""
    if given := os.environ.get("GATHEREDKIT_BUILT"):
        return Path(given)
    environment = dict(os.environ, GATHEREDKIT_COMMAND="yes")
    if not (CHECKOUT / "Tests").is_dir():
        environment["GATHEREDKIT_TEST_TARGETS"] = ""
    for product in ("gatheredkit", "gathered"):
        build = ["swift", "build", "-c", "release", "--disable-local-rpath", "--product", product]
        subprocess.run(build, cwd=CHECKOUT, env=environment, check=True)
    subprocess.run([sys.executable, CHECKOUT / ".ci" / "portable"], check=True)
    return CHECKOUT / ".build" / "portable"


class BuildWithLibrary(build_py):
    """Adds what is built; an editable install uses the checkout's instead."""

    def run(self) -> None:
        if not os.environ.get("GATHEREDKIT_BUILT"):
            check_system()
        super().run()
        folder = built()
        if self.editable_mode:
            return
        target = Path(self.build_lib)
        strip_into(target / LIBRARY, folder / "libgatheredkit.so")
        strip_into(target / COMMAND, folder / "gathered")
        (target / LINKER_SCRIPT).write_text(f"INPUT({LIBRARY.name})\n")
        package = target / "gatheredkit"
        for source, place in (("include", "sdk/include"), ("bindings/graphs", "graphs")):
            (package / place).mkdir(parents=True, exist_ok=True)
            for file in sorted((CHECKOUT / source).glob("*.*")):
                if file.suffix in (".h", ".json"):
                    shutil.copyfile(file, package / place / file.name)
        library = f"/{LIBRARY.relative_to('gatheredkit')}"
        places = ["/sdk", "/sdk/lib", "/sdk/include", library, str(package.resolve())]
        subprocess.run([str(CHECKOUT / ".ci" / "sdk"), *places], check=True)


def processor() -> str:
    """The processor that is built for: this one, or the one of the library that was given."""
    if not (given := os.environ.get("GATHEREDKIT_BUILT")):
        return platform.machine()
    with Path(given, "libgatheredkit.so").open("rb") as library:
        return PROCESSORS[int.from_bytes(library.read(20)[18:], "little")]


def strip_into(target: Path, source: Path) -> None:
    """Copies a file without what only debuggers need."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "--strip-unneeded", "-o", target, source], check=True)
    target.chmod(0o755)


class PlatformWheel(bdist_wheel):
    """One wheel a platform serves every Python, for nothing in it is compiled against one."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", f"manylinux_2_34_{processor()}"

    def write_wheelfile(self, wheelfile_base: str, generator: str = MAKER) -> None:
        """Adds the bill of materials to what is told about the wheel."""
        super().write_wheelfile(wheelfile_base, generator)
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir()
        with (folder / "gatheredkit.spdx.json").open("w") as bill:
            subprocess.run([sys.executable, CHECKOUT / ".ci" / "sbom"], stdout=bill, check=True)


class WithLibrary(Distribution):
    """A distribution that belongs into the platform's folder."""

    def has_ext_modules(self) -> bool:
        return True


setup(
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
    distclass=WithLibrary,
)
