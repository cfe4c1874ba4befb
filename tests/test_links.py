"""Relative links of Markdown files lead to files that exist, and to headings that they have.

Sphinx checks the links of the site when it builds the site. These tests also check pages that only the repository has.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
# The text of a link may contain code and brackets. Code contains no links.
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


def leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    return target.exists() and (not anchor or anchor in anchors_of(target))


def test_links_lead_somewhere() -> None:
    links = [(page, link) for page in PAGES for link in links_of(page)]
    assert sum("#" in link for _, link in links) > 50
    assert [(str(page), link) for page, link in links if not leads_somewhere(page, link)] == []
