"""What drawings are made on: cells and lines as SVG, and what the colours mean."""

from __future__ import annotations

from html import escape
from math import ceil

from fastops._drawings._segments import Kind

CELL, MARGIN = 26, 12
#: The height of a line of text.
TEXT = 18

# Pale colours of different brightness: readers who see few colours can tell them apart.
COLOURS = {
    Kind.INSIDE: "#cfe3f5",
    Kind.FILL: "#e4e4e4",
    Kind.EDGE: "#fbdcaf",
    Kind.WRAPPED: "#d9cfee",
    Kind.MIRRORED: "#c9e8cd",
}
UNREAD = "#ffffff"


class Canvas:
    """What has been drawn so far, and how far it reaches."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.width = self.height = 0

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        """Write text, with its base line at y."""
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{style}>{escape(text)}</text>')
        anchor = 0.5 if "middle" in style else 1
        self._reach(x + len(text) * 7.2 * anchor, y + 4)

    def cell(self, x: float, y: float, text: str, colour: str, title: str) -> None:
        """Draw a cell with a text in it."""
        self.parts.append(
            f'<g><title>{escape(title)}</title><rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" '
            f'fill="{colour}" stroke="#666"/>'
        )
        size = "" if len(text) < 4 else ' font-size="8"'
        self.text(x + CELL / 2, y + CELL / 2 + 4, text, f' text-anchor="middle"{size}')
        self.parts.append("</g>")
        self._reach(x + CELL, y + CELL)

    def box(self, x: float, y: float, width: float, height: float, colour: str, title: str = "") -> None:
        """Draw a rectangle of a colour."""
        shown_title = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" stroke="#666">'
            f"{shown_title}</rect>"
        )
        self._reach(x + width, y + height)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: str = "#888") -> None:
        """Draw a line."""
        self.parts.append(f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}"/>')

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, ceil(x)), max(self.height, ceil(y))

    def document(self, title: str) -> str:
        """Return the SVG."""
        width, height = self.width + MARGIN, self.height + MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="white"/>{"".join(self.parts)}</svg>'
        )
