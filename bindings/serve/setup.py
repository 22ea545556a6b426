"""Builds the wheel that adds the server to the one of the library and the command.

.ci/wheel lays it out: the licences beside this file, the server in the folder GATHEREDKIT_BUILT.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import setuptools
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

CHECKOUT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ["GATHEREDKIT_BUILT"], "gathered-serve")
MAKER = f"setuptools ({setuptools.__version__})"
# What an ELF file says of the processor it is for.
PROCESSORS = {62: "x86_64", 183: "aarch64"}


def version() -> str:
    return subprocess.check_output([CHECKOUT / ".ci" / "version"], text=True).strip()


class BuildServer(build_ext):
    """Puts the server beside the command, where `gathered serve` looks first."""

    def run(self) -> None:
        target = Path(self.build_lib, "gatheredkit", "_bin", "gathered-serve")
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "--strip-unneeded", "-o", target, BUILT], check=True)
        target.chmod(0o755)

    def get_outputs(self) -> list[str]:
        return []


class PlatformWheel(bdist_wheel):
    """One wheel a processor serves every Python, for it holds a program."""

    def get_tag(self) -> tuple[str, str, str]:
        with BUILT.open("rb") as program:
            processor = PROCESSORS[int.from_bytes(program.read(20)[18:], "little")]
        return "py3", "none", f"manylinux_2_34_{processor}"

    def write_wheelfile(self, wheelfile_base: str, generator: str = MAKER) -> None:
        """Adds the bill of materials to what is told about the wheel."""
        super().write_wheelfile(wheelfile_base, generator)
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir()
        sbom = [sys.executable, str(CHECKOUT / ".ci" / "sbom"), "gathered-serve"]
        with (folder / "gatheredkit-serve.spdx.json").open("w") as bill:
            subprocess.run(sbom, stdout=bill, check=True)


class WithProgram(Distribution):
    """A distribution that belongs into the platform's folder."""

    def has_ext_modules(self) -> bool:
        return True


setup(
    version=version(),
    install_requires=[f"gatheredkit=={version()}"],
    cmdclass={"build_ext": BuildServer, "bdist_wheel": PlatformWheel},
    distclass=WithProgram,
)
