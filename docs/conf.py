"""How the documentation becomes pages: ``sphinx-build -W docs site``, without a network."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "TreeForge"
author = "The TreeForge developers"
project_copyright = "The TreeForge developers, BSD-3-Clause"
release = version = installed("treeforge")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "mathml",
    "registry_cards",
    "public_names",
]
exclude_patterns = ["_extensions"]
highlight_language = "text"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

napoleon_google_docstring = False
napoleon_use_param = False  # one list; a type such as "array, [n]" is no name to link
napoleon_use_ivar = True  # an attribute that is told of may be a property, too
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say types, shapes and units

html_theme = "furo"
html_title = "TreeForge"
html_static_path = ["_static"]
html_css_files = ["treeforge.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
