"""Plans as SVG drawings: for each axis, a row of source cells, a row of result cells below, and lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice, pairwise
from math import ceil

from fastops._errors import counted, shown
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._map_composition import runs_of
from fastops.plan._text import MOST_SEGMENTS, Kind, columns_of, left_out, notes_of, segments_of, window_text

# Lengths in pixels: a cell's side, the margin, the width of dots, the height of the lines, a line of text's height.
_CELL, _MARGIN, _GAP, _LINES, _TEXT = 26, 12, 16, 40, 18

# The most cells of an axis, axes of a plan, and plans to draw.
_MOST_CELLS = 30
_MOST_AXES = 8
_MOST_PLANS = 16

# Pale colours of different brightness, so colour-blind readers can tell them apart.
_COLOURS = {
    Kind.INSIDE: "#cfe3f5",
    Kind.FILL: "#e4e4e4",
    Kind.EDGE: "#fbdcaf",
    Kind.WRAPPED: "#d9cfee",
    Kind.MIRRORED: "#c9e8cd",
}
_UNREAD = "#ffffff"


class _Canvas:
    """SVG elements, and the width and height that they need."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._width = self._height = 0

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        """Write text with its baseline at y."""
        self._parts.append(f'<text x="{x:g}" y="{y:g}"{style}>{escape(text)}</text>')
        self._reach(x + len(text) * 7.2 * (0.5 if "middle" in style else 1), y + 4)

    def cell(self, x: float, y: float, text: str, colour: str, title: str, side: int = _CELL) -> None:
        """Draw a cell with text in it, and a title that viewers show under the pointer."""
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
        """Return the SVG document."""
        width, height = self._width + _MARGIN, self._height + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="white"/>{"".join(self._parts)}</svg>'
        )


def draw_plans(geometries: Sequence[Geometry]) -> str:
    """Return an SVG document of one plan, or of several plans, one below the other."""
    canvas, y = _Canvas(), _MARGIN + 12.0
    titles = [f"{shown(geometry.source_shape)} → {shown(geometry.shape)}" for geometry in geometries[:_MOST_PLANS]]
    for i, (geometry, title) in enumerate(zip(geometries, titles, strict=False)):
        y = _draw_geometry(canvas, geometry, title if len(geometries) == 1 else f"part {i}: {title}", y) + 2 * _TEXT
    if len(geometries) > _MOST_PLANS:
        canvas.text(_MARGIN, y, f"and {counted(len(geometries) - _MOST_PLANS, 'plan')} more")
    return canvas.document(titles[0] if len(geometries) == 1 else counted(len(geometries), "plan"))


def _draw_geometry(canvas: _Canvas, geometry: Geometry, title: str, y: float) -> float:
    """Draw a plan that begins at height y, and return the height of its last line."""
    canvas.text(_MARGIN, y, title, ' font-weight="bold"')
    y += _TEXT
    if not size_of(geometry):
        canvas.text(_MARGIN, y, "the result is empty: nothing is read")
        return y
    for line in notes_of(geometry):
        canvas.text(_MARGIN, y, line)
        y += _TEXT
    for k, axis in enumerate(geometry.axes[:_MOST_AXES]):
        y = _draw_axis(canvas, axis, f"axis {k}: ", window_text(geometry, k), y, has_slots=geometry.fills > 1)
    if len(geometry.axes) > _MOST_AXES:
        canvas.text(_MARGIN, y, f"and {counted(len(geometry.axes) - _MOST_AXES, 'axis')} more")
        y += _TEXT
    kinds = {segment.kind for axis in geometry.axes for segment in segments_of(axis, MOST_SEGMENTS)}
    x: float = _MARGIN
    for kind in [each for each in Kind if each in kinds and kinds != {Kind.INSIDE}]:
        canvas.cell(x, y - 10, "", _COLOURS[kind], kind.value, 12)
        canvas.text(x + 18, y, kind.value)
        x += 34 + 7 * len(kind.value)
    return y


def _draw_axis(canvas: _Canvas, axis: Map, name: str, window: str, y: float, *, has_slots: bool) -> float:
    """Draw an axis that begins at height y, and return the height where the next axis begins."""
    if axis == AxisMap.whole(axis.extent):
        canvas.text(_MARGIN, y, f"{name}{shown(axis.extent)}, as it is{window}")
        return y + _TEXT
    canvas.text(_MARGIN, y, f"{name}{axis}{window}")
    segments = segments_of(axis, MOST_SEGMENTS)
    columns = columns_of(segments, _MOST_CELLS)
    outputs = [each for own in columns for each in own]
    read_by_shown = [axis.source(each) for each in outputs if each is not None]
    sources = _source_cells(axis, [index for index in read_by_shown if index is not None])
    indent = 0
    if type(axis) is AxisMap and axis.stride == 1 and abs(axis.start) < _MOST_CELLS and None not in outputs + sources:
        # Draw each output below the index that it reads.
        indent = -axis.start
    top, bottom, left = y + _TEXT, y + _TEXT + _CELL + _LINES, _MARGIN + 52
    canvas.text(_MARGIN, top + 17, "source")
    canvas.text(_MARGIN, bottom + 17, "result")
    read = [
        range(first, first + n * step, step) if step else (first,)
        for n, first, step in islice(runs_of(axis), MOST_RUNS)
        if first is not None
    ]
    places: dict[int, float] = {}
    for x, index in _places(canvas, sources, left + max(indent, 0) * _CELL, top):
        places[index] = x
        colour = _COLOURS[Kind.INSIDE] if any([index in own for own in read]) else _UNREAD
        canvas.cell(x, top, shown(index), colour, f"index {shown(index)}")
    x = left
    ways = [segment for segment, own in zip(segments, columns, strict=True) for each in own if each is not None]
    for segment, (x, each) in zip(ways, _places(canvas, outputs, left + max(-indent, 0) * _CELL, bottom), strict=True):
        source = axis.source(each)
        text = (f"fill{segment.slot}" if has_slots else "") if source is None else shown(source)
        if source is not None:
            canvas.line(places[source] + _CELL / 2, top + _CELL, x + _CELL / 2, bottom)
        title = f"output {shown(each)} reads {text} ({segment.kind.value})"
        canvas.cell(x, bottom, text, _COLOURS[segment.kind], title)
    if more := left_out(axis, segments):
        canvas.text(x + _CELL + 6, bottom + 17, more)
    return bottom + _CELL + _TEXT + 8


def _source_cells(axis: Map, read: Sequence[int]) -> list[int | None]:
    """Return the source cells to draw: all cells of a short axis; the first, the last and those read of a long axis."""
    if axis.extent <= _MOST_CELLS:
        return list(range(axis.extent))
    cells: list[int | None] = [0]
    for last, index in pairwise(sorted({0, axis.extent - 1, *read})):
        cells += [index] if index == last + 1 else [None, index]
    return cells


def _places(canvas: _Canvas, cells: Sequence[int | None], x: float, y: float) -> Iterator[tuple[float, int]]:
    """Yield the position of each cell in a row, and the cell; write dots for cells that are left out."""
    for cell in cells:
        if cell is None:
            canvas.text(x, y + 17, "…")
            x += _GAP
        else:
            yield x, cell
            x += _CELL
