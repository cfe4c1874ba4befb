"""What Sphinx leaves to do on pages: links from functions to the pages about them, and line breaks within names."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx


@cache
def _pages_about(source: Path) -> dict[str, list[str]]:
    """Return the pages of operators, by name, and the functions that each mentions by full name."""
    names = re.compile(r"\{py:func\}`(fastops[\w.]+)`")
    return {path.stem: names.findall(path.read_text(encoding="utf-8")) for path in (source / "operators").glob("*.md")}


def _add_pages(app: Sphinx, what: str, name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Add links to the pages about an operator to the docstring of the operator, or of its plan."""
    if what == "function":
        operator = name.replace("fastops.plan.", "fastops.")
        pages = [page for page, names in _pages_about(Path(app.srcdir)).items() if operator in names]
        if pages:
            lines += ["", f".. seealso:: {', '.join(f':doc:`/operators/{page}`' for page in sorted(pages))}"]


def _break_names(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Let lines break within names, after dots and underscores: on a phone, some names are wider than the page."""
    if "body" in context:
        context["body"] = re.sub(r'(?<=<h1>)[\w.]+|(?<=<span class="pre">)[^<]+', _breaking, context["body"])


def _breaking(name: re.Match[str]) -> str:
    return re.sub(r"(?<=\w)[._](?=\w)", r"\g<0><wbr>", name[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect both functions; numpydoc reads the docstrings before `_add_pages`."""
    app.connect("autodoc-process-docstring", _add_pages, priority=900)
    app.connect("html-page-context", _break_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
