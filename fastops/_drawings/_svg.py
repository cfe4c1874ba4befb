"""Plans as SVG: for each axis the source's cells above, the result's below, and lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil

from fastops._drawings._text import Kind, fill_name, reads, segments_of, shown_outputs
from fastops._errors import counted, shown
from fastops._geometry._axis_map import AxisMap, Map
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._text import fills_text, moves_text, window_text

# The sides of a cell, of the margin, of what is left out, and between rows; the height of a line of text.
_CELL, _MARGIN, _GAP, _LINES, _TEXT = 26, 12, 12, 40, 18

# Cells that are drawn of an axis, and axes and plans that are drawn.
_MOST_OUTPUTS = 30
_MOST_SEGMENTS = 7
_MOST_AXES = 8
_MOST_PLANS = 16

# Pale colours of different brightness: readers who see few colours can tell them apart.
_COLOURS = {
    Kind.INSIDE: "#cfe3f5",
    Kind.FILL: "#e4e4e4",
    Kind.EDGE: "#fbdcaf",
    Kind.WRAPPED: "#d9cfee",
    Kind.MIRRORED: "#c9e8cd",
}
_UNREAD = "#ffffff"


class _Canvas:
    """What has been drawn so far, and how far it reaches."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._width = self._height = 0

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        """Write text, with its base line at y."""
        self._parts.append(f'<text x="{x:g}" y="{y:g}"{style}>{escape(text)}</text>')
        self._reach(x + len(text) * 7.2 * (0.5 if "middle" in style else 1), y + 4)

    def cell(self, x: float, y: float, text: str, colour: str, title: str, side: int = _CELL) -> None:
        """Draw a cell with a text in it."""
        self._parts.append(
            f'<g><title>{escape(title)}</title><rect x="{x:g}" y="{y:g}" width="{side}" height="{side}" '
            f'fill="{colour}" stroke="#666"/>'
        )
        size = "" if len(text) < 4 else ' font-size="8"'
        self.text(x + side / 2, y + side / 2 + 4, text, f' text-anchor="middle"{size}')
        self._parts.append("</g>")
        self._reach(x + side, y + side)

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a line."""
        self._parts.append(f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="#888"/>')

    def _reach(self, x: float, y: float) -> None:
        self._width, self._height = max(self._width, ceil(x)), max(self._height, ceil(y))

    def document(self, title: str) -> str:
        """Return the SVG."""
        width, height = self._width + _MARGIN, self._height + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="white"/>{"".join(self._parts)}</svg>'
        )


def draw_plan(geometry: Geometry) -> str:
    """Return a plan as an SVG document."""
    canvas = _Canvas()
    title = f"{shown(geometry.source_shape)} → {shown(geometry.shape)}"
    _draw_geometry(canvas, geometry, title, _MARGIN + 12)
    return canvas.document(title)


def draw_plans(geometries: Sequence[Geometry]) -> str:
    """Return several plans, as those of a split are, as one SVG document: one below the other."""
    canvas, y = _Canvas(), _MARGIN + 12.0
    for i, geometry in enumerate(geometries[:_MOST_PLANS]):
        title = f"part {i}: {shown(geometry.source_shape)} → {shown(geometry.shape)}"
        y = _draw_geometry(canvas, geometry, title, y) + 2 * _TEXT
    if len(geometries) > _MOST_PLANS:
        canvas.text(_MARGIN, y, f"and {counted(len(geometries) - _MOST_PLANS, 'geometry')} more")
    return canvas.document(counted(len(geometries), "geometry"))


def _draw_geometry(canvas: _Canvas, geometry: Geometry, title: str, y: float) -> float:
    """Draw a plan from y on, and return where its last line is."""
    canvas.text(_MARGIN, y, title, ' font-weight="bold"')
    y += _TEXT
    if not size_of(geometry):
        canvas.text(_MARGIN, y, "the result is empty: nothing is read")
        return y
    for line in (*moves_text(geometry), *fills_text(geometry)):
        canvas.text(_MARGIN, y, line)
        y += _TEXT
    for k, axis in enumerate(geometry.axes[:_MOST_AXES]):
        y = _draw_axis(canvas, f"axis {k}", axis, y, window_text(geometry, k), has_slots=geometry.fills > 1)
    if len(geometry.axes) > _MOST_AXES:
        canvas.text(_MARGIN, y, f"and {counted(len(geometry.axes) - _MOST_AXES, 'axis')} more")
        y += _TEXT
    kinds = {segment.kind for axis in geometry.axes for segment in segments_of(axis, _MOST_SEGMENTS)}
    x: float = _MARGIN
    for kind in [each for each in Kind if each in kinds and kinds != {Kind.INSIDE}]:
        canvas.cell(x, y - 10, "", _COLOURS[kind], kind.value, 12)
        canvas.text(x + 18, y, kind.value)
        x += 34 + 7 * len(kind.value)
    return y


def _draw_axis(canvas: _Canvas, name: str, axis: Map, y: float, window: str, *, has_slots: bool) -> float:
    """Draw an axis from y on, and return where the next one begins."""
    if axis == AxisMap.whole(axis.extent):
        canvas.text(_MARGIN, y, f"{name}: {shown(axis.extent)}, as it is{window}")
        return y + _TEXT
    canvas.text(_MARGIN, y, f"{name}: {axis}{window}")
    segments = segments_of(axis, _MOST_SEGMENTS)
    outputs = shown_outputs(segments, _MOST_OUTPUTS)
    read = {axis.source(each) for each in outputs if each is not None} - {None}
    sources = _shown_sources(axis, sorted(index for index in read if index is not None))
    top, bottom = y + _TEXT, y + _TEXT + _CELL + _LINES
    left = _MARGIN + 52
    canvas.text(_MARGIN, top + 17, "source")
    canvas.text(_MARGIN, bottom + 17, "result")
    indent = _indent(axis, outputs, sources)
    places: dict[int, float] = {}
    for x, index in _places(sources, left + max(indent, 0) * _CELL):
        if index is None:
            canvas.text(x, top + 17, "…")
            continue
        places[index] = x
        colour = _COLOURS[Kind.INSIDE] if index in read or reads(axis, index) else _UNREAD
        canvas.cell(x, top, shown(index), colour, f"index {shown(index)}")
    starts = {segment.first: segment for segment in segments}
    segment = segments[0]
    for x, each in _places(outputs, left + max(-indent, 0) * _CELL):
        if each is None:
            canvas.text(x, bottom + 17, "…")
            continue
        segment = starts.get(each, segment)
        kind, index = segment.kind, axis.source(each)
        if index is not None:
            canvas.line(places[index] + _CELL / 2, top + _CELL, x + _CELL / 2, bottom)
        text = fill_name(segment, has_slots=has_slots) if index is None else shown(index)
        canvas.cell(x, bottom, text, _COLOURS[kind], f"output {shown(each)} reads {text} ({kind.value})")
    left_out = axis.count - sum([each.length for each in segments])
    if left_out:
        canvas.text(x + _CELL + 6, bottom + 17, f"and {counted(left_out, 'output')} more")
    return bottom + _CELL + _TEXT + 8


def _shown_sources(axis: Map, read: Sequence[int]) -> list[int | None]:
    """Return the source cells to draw: all of a short axis, else those that are read, and the ends."""
    if axis.extent <= _MOST_OUTPUTS:
        return list(range(axis.extent))
    cells: list[int | None] = [0]
    for last, index in pairwise(sorted({0, axis.extent - 1, *read})):
        cells += [index] if index == last + 1 else [None, index]
    return cells


def _indent(axis: Map, outputs: Sequence[int | None], sources: Sequence[int | None]) -> int:
    """Return by how many cells the source begins further right than the result, where they would lie in line."""
    if type(axis) is not AxisMap or axis.stride != 1 or None in outputs or None in sources:
        return 0
    return -axis.start if axis.is_strict or axis.start <= 0 else 0


def _places(cells: Sequence[int | None], left: float) -> Iterator[tuple[float, int | None]]:
    """Yield where each cell is drawn, and the cell; a gap takes less room."""
    for cell in cells:
        yield left, cell
        left += _CELL if cell is not None else _GAP + 4
