"""`python -m gatheredkit`: how programs in C are built against the library of this package."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ._native import VERSION

PACKAGE = Path(__file__).resolve().parent


def main(arguments: list[str] | None = None) -> None:
    """Prints what was asked for, on one line."""
    parser = argparse.ArgumentParser(
        prog="python -m gatheredkit",
        description="What builders of C programs need: cc program.c $(python -m gatheredkit "
        "--cflags --libs)",
    )
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--cflags", action="store_true", help="options for the compiler")
    parser.add_argument("--libs", action="store_true", help="options for the linker")
    parser.add_argument("--pkg-config", action="store_true", help="the folder for PKG_CONFIG_PATH")
    parser.add_argument("--cmake", action="store_true", help="the folder for CMAKE_PREFIX_PATH")
    wanted = parser.parse_args(arguments)
    sdk, library = PACKAGE / "sdk", PACKAGE / "_lib"
    words: list[str] = []
    if wanted.cflags:
        words.append(f"-I{sdk / 'include'}")
    if wanted.libs:
        # Programs find the library where they found it when they were built.
        words += [f"-L{library}", f"-Wl,-rpath,{library}", "-lgatheredkit"]
    if wanted.pkg_config:
        words.append(str(sdk / "lib" / "pkgconfig"))
    if wanted.cmake:
        words.append(str(sdk))
    if not words:
        parser.error("nothing was asked for")
    if not sdk.is_dir():
        parser.exit(
            1, "gatheredkit: only the wheel has the files for C; use `pkg-config gatheredkit`\n"
        )
    print(shlex.join(words))


if __name__ == "__main__":
    main()
