"""Builds the wheel: the package and the shared library, which Swift builds from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel  # type: ignore[no-redef]

FOLDER = Path(__file__).resolve().parent
CHECKOUT = FOLDER.parents[1]
BUILT = CHECKOUT / ".build" / "release" / "libgatheredkit.so"
BUNDLED = Path("gatheredkit", "_lib", "libgatheredkit.so.0")


def find_library() -> Path:
    """The shared library: the one given, or that of the checkout, built first if it is older than
    what it is made of."""
    if given := os.environ.get("GATHEREDKIT_LIBRARY"):
        return Path(given)
    if not (CHECKOUT / "Package.swift").is_file():
        raise SystemExit(
            "gatheredkit: there is no checkout around this package to build the library from; "
            "set GATHEREDKIT_LIBRARY to the path of libgatheredkit.so"
        )
    if not is_current(BUILT):
        if shutil.which("swift") is None:
            raise SystemExit("gatheredkit: building the library needs Swift 6.3 (swift.org)")
        command = ["swift", "build", "-c", "release", "--product", "gatheredkit"]
        subprocess.run(command, cwd=CHECKOUT, check=True)
    return BUILT


def is_current(library: Path) -> bool:
    """Whether the library is newer than every source it is built from."""
    if not library.is_file():
        return False
    sources = [CHECKOUT / "Package.swift"]
    for folder in ("Sources", "include"):
        sources += [path for path in (CHECKOUT / folder).rglob("*") if path.is_file()]
    return library.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


class BuildWithLibrary(build_py):
    """Adds the library; an editable install uses the checkout's instead."""

    def run(self) -> None:
        super().run()
        library = find_library()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / BUNDLED
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library, target)
        if strip := shutil.which("strip"):
            subprocess.run([strip, "--strip-unneeded", str(target)], check=True)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs = list(super().get_outputs(include_bytecode))
        return outputs if self.editable_mode else [*outputs, str(Path(self.build_lib) / BUNDLED)]


class PlatformWheel(bdist_wheel):
    """One wheel a platform serves every Python, for nothing in it is compiled against one."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    """A distribution that belongs into the platform's folder."""

    def has_ext_modules(self) -> bool:
        return True


setup(
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
    distclass=WithLibrary,
)
