"""Relative links of Markdown files lead to files that exist, and to headings that they have.

Sphinx checks those of the site as it builds it; these are also about pages that are read in the repository.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
# The text of a link may have code and brackets in it; what is in code is no link.
_LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose_of(path: Path) -> str:
    """Return the text of a page without its code."""
    return _CODE.sub("", _FENCED.sub("", path.read_text(encoding="utf-8")))


def links_of(path: Path) -> list[str]:
    """Return the targets of relative links, of pictures too."""
    return [link for link in _LINK.findall(prose_of(path)) if not re.match(r"[a-z]+:|/", link)]


@cache
def anchors_of(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in links_of(page):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                broken.append((str(page.relative_to(ROOT)), link))
    assert not broken


def test_links_and_anchors_are_found() -> None:
    links = links_of(ROOT / "docs" / "performance.md")
    assert "peers.md" in links
    assert "command_line.md#fastops-warmup" in links
    assert {"threads-and-processes", "what-all-functions-share"} <= anchors_of(ROOT / "docs" / "guarantees.md")
