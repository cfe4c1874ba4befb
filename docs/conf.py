"""Settings of the documentation site, which `tox -e docs` builds."""

from __future__ import annotations

import sys
from pathlib import Path

from numpydoc.xref import DEFAULT_LINKS

import fastops

_DOCS = Path(__file__).parent

sys.path.insert(0, str(_DOCS / "_ext"))

project = "fastops"
author = "the fastops developers"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx's name.
version = release = fastops.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    # Those of docs/_ext.
    "mathml",
    "page_sessions",
    "pages",
]
exclude_patterns = ["_*"]
myst_enable_extensions = ["colon_fence"]
# Headings get the anchors that they also have in the repository, so that links lead to them in both places.
myst_heading_anchors = 3
nitpicky = True
smartquotes = False
python_maximum_signature_line_length = 100
add_function_parentheses = False
# Blocks that name no language are commands and what they print.
highlight_language = "none"

# Names in docstrings are those of this library.
default_role = "py:obj"
autodoc_member_order = "bysource"
# Types stand in the descriptions of parameters.
autodoc_typehints = "none"
autosummary_generate = True
autosummary_imported_members = True
autosummary_ignore_module_all = False
templates_path = ["_templates"]
# A private type in an annotation has no page.
nitpick_ignore_regex = [("py:class", r"fastops\._.*")]
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
# Of the types in docstrings, only those of this library are links: those of Python and NumPy are on other sites.
DEFAULT_LINKS.clear()
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {
    name: f"{module.__name__}.{name}"
    for module in (fastops, fastops.plan)
    for name in module.__all__
    if isinstance(getattr(module, name), type)
}

# The button copies only what one types: no prompts, and no output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_remove_prompts = True

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "fastops"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"index": [], "tutorial": [], "conformance": []}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "header_links_before_dropdown": 9,
    "logo": {"text": "fastops"},
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_nav_level": 1,
    "footer_start": ["copyright"],
    "footer_end": [],
}
