"""Sphinx builds the pages of this folder, and what `.ci/docs` puts beside them."""

import subprocess
import sys
from pathlib import Path

checkout = next(
    folder for folder in Path(__file__).resolve().parents if (folder / ".ci/docs").exists()
)
sys.path.insert(0, str(checkout / "bindings/python"))

project = "GatheredKit"
author = "the GatheredKit authors"
version = release = subprocess.check_output([checkout / ".ci/version"], text=True).strip()

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["ros"]
# Words in backticks, in comments of Python, are names.
default_role = "py:obj"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
myst_heading_anchors = 3
# Pygments knows neither texts of several lines in Swift nor what a law leaves out with `…`.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"

html_theme = "furo"
html_title = f"GatheredKit {release}"
html_copy_source = False
html_show_sourcelink = False
