"""Plans as text and drawings: the lines of ``str(plan)``, the tables of ``plan.explain()``, and ``plan.to_svg()``.

A table has a column for each output of an axis. An axis consists of *segments*: neighbouring outputs that read the
source in one way. For long segments, tables and drawings show the first and the last outputs. For each axis that is not
read as it is, a drawing has a row of source cells, a row of result cells below, and lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice, pairwise
from math import ceil
from typing import NamedTuple, TypeVar

from fastops._errors import counted, shown
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map
from fastops._geometry._geometry import NO_AXIS, Geometry, digits_of, is_ordered, is_view, size_of, windows_of
from fastops._geometry._map_composition import Kind, runs_of, segments_of

_T = TypeVar("_T")

# About the most outputs in a table and characters in a line, and the most segments.
_MOST_OUTPUTS = 24
_MOST_CHARACTERS = 96
_MOST_SEGMENTS = 7


def geometry_text(geometry: Geometry) -> str:
    """Return the shapes of a plan, a line for each axis, and the notes of `notes_of`."""
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"]
    lines += [f"  axis {k}: {axis}{window_text(geometry, k)}" for k, axis in enumerate(geometry.axes)]
    return "\n".join([*lines, *[f"  {line}" for line in notes_of(geometry)]])


def window_text(geometry: Geometry, k: int) -> str:
    """Return the window of a source axis that an axis reads, as text; an axis that reads all or none has no text."""
    source, offset, step = windows_of(geometry)[k]
    if source == NO_AXIS or (geometry.source_shape[source], offset, step) == (geometry.axes[k].extent, 0, 1):
        return ""
    return f", window of source axis {source}: offset {shown(offset)}, step {shown(step)}"


def notes_of(geometry: Geometry) -> list[str]:
    """Return lines about the order of axes, about axes that are merged, and about several fill values."""
    lines = [] if is_ordered(geometry) else [f"order: {', '.join(map(str, geometry.order))}"]
    for target, own in enumerate(digits_of(geometry) if size_of(geometry) else ()):
        if len(own) > 1:
            lines.append(f"merged: axes {', '.join(map(str, own))} are axis {target} of the result")
    if geometry.fills > 1:
        lines.append(f"fill values: {geometry.fills}, one for each stage that fills; later ones replace earlier ones")
    return lines


class Segment(NamedTuple):
    """A segment: how its outputs read the source, the name of its fill value, and the outputs to show.

    Each of ``cells`` is an output and the index that it reads, or None for the fill value. None in place of a cell
    stands for outputs that are left out.
    """

    kind: Kind
    fill: str
    cells: list[tuple[int, int | None] | None]


def _shown_segments(geometry: Geometry, axis: Map, most: int) -> tuple[list[Segment], str]:
    """Return the first segments of an axis, with about ``most`` outputs in all, and how many outputs follow."""
    found = list(islice(segments_of(axis), _MOST_SEGMENTS))
    n_shown = sum([run.count for _, run in found])
    n = max(most // (2 * len(found)) - 1, 1)
    segments = []
    first = 0
    for kind, run in found:
        if n_shown <= most or run.count <= 2 * n + 2:
            outputs: list[int | None] = [*range(run.count)]
        else:
            outputs = [*range(n + 1), None, *range(run.count - n, run.count)]
        fill = f"fill{run.stride}" if geometry.fills > 1 else "fill"
        segments.append(Segment(kind, fill, [None if y is None else (first + y, run.source(y)) for y in outputs]))
        first += run.count
    return segments, f"and {counted(axis.count - first, 'output')} more" if axis.count > first else ""


def explain_plan(geometry: Geometry) -> str:
    """Return a plan in words and tables: its shapes, then each axis.

    Examples
    --------
    >>> from fastops._geometry._geometry import geometry_of
    >>> print(explain_plan(geometry_of([AxisMap.create(3, 2, -1, 3)])))
    (3,) -> (3,): reads in bounds, so it can be a view
    axis 0: extent 3, start 2, stride -1, count 3, strict_bounds
      output   0 1 2
      reads    2 1 0
    """
    if not size_of(geometry):
        kind = "nothing is read"
    elif is_view(geometry):
        kind = "reads in bounds, so it can be a view"
    elif all([axis.is_strict for axis in geometry.axes]):
        kind = "reads in bounds, but merges axes, so it is a copy"
    else:
        kind = "reads out of bounds, so it is a copy"
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}: {kind}", *notes_of(geometry)]
    for k, axis in enumerate(geometry.axes):
        lines.append(f"axis {k}: {axis}{window_text(geometry, k)}")
        if size_of(geometry) and axis != AxisMap.whole(axis.extent):
            lines += [f"  {line}" for line in _table_of(geometry, axis)]
    return "\n".join(lines)


def _table_of(geometry: Geometry, axis: Map) -> list[str]:
    """Return the rows of an axis's table: outputs, the index that each output reads, and how it reads it."""
    digits = len(shown(max(axis.count, axis.extent)))
    segments, more = _shown_segments(geometry, axis, min(_MOST_OUTPUTS, _MOST_CHARACTERS // (digits + 1)))
    cells = []
    for _, fill, own in segments:
        cells.append([("..", "..") if cell is None else (shown(cell[0]), _name(cell[1], fill)) for cell in own])
    width = max([len(text) for own in cells for pair in own for text in pair])
    rows = [[" ".join([f"{pair[i]:>{width}}" for pair in own]) for own in cells] for i in (0, 1)]
    if [segment.kind for segment in segments] != [Kind.INSIDE]:
        rows.append([segment.kind.value for segment in segments])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, row in zip(("output", "reads", ""), rows, strict=False):
        texts = [f"{text:<{n}}" for text, n in zip(row, widths, strict=True)]
        lines.append(f"{name:<8} {' | '.join(texts)}".rstrip())
    return [*lines, more] if more else lines


def _name(index: int | None, fill: str) -> str:
    """Return an index as text, or the name of a fill value."""
    return fill if index is None else shown(index)


# Lengths in pixels: a cell's side, the margin, the width of dots, the height of the lines between rows, the height of a
# line of text.
_CELL, _MARGIN, _GAP, _LINES, _TEXT = 26, 12, 16, 40, 18

# The most cells of an axis, axes of a plan, and plans to draw.
_MOST_CELLS = 30
_MOST_AXES = 8
_MOST_PLANS = 16

# Pale colours of nearly equal brightness; titles name the kinds for readers who cannot tell them apart.
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

    def row(self, y: float, text: str, style: str = "") -> float:
        """Write a line of text at the margin, and return the height of the next one."""
        self.text(_MARGIN, y, text, style)
        return y + _TEXT

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
    y = canvas.row(y, title, ' font-weight="bold"')
    if not size_of(geometry):
        canvas.text(_MARGIN, y, "the result is empty: nothing is read")
        return y
    for line in notes_of(geometry):
        y = canvas.row(y, line)
    kinds = set()
    for k, axis in enumerate(geometry.axes[:_MOST_AXES]):
        if axis == AxisMap.whole(axis.extent):
            y = canvas.row(y, f"axis {k}: {shown(axis.extent)}, as it is{window_text(geometry, k)}")
            kinds.add(Kind.INSIDE)
        else:
            y = canvas.row(y, f"axis {k}: {axis}{window_text(geometry, k)}")
            segments, more = _shown_segments(geometry, axis, _MOST_CELLS)
            y = _draw_axis(canvas, axis, segments, more, y)
            kinds |= {segment.kind for segment in segments}
    if len(geometry.axes) > _MOST_AXES:
        y = canvas.row(y, f"and {counted(len(geometry.axes) - _MOST_AXES, 'axis')} more")
    x: float = _MARGIN
    for kind in [each for each in Kind if each in kinds and kinds != {Kind.INSIDE}]:
        canvas.cell(x, y - 10, "", _COLOURS[kind], kind.value, 12)
        canvas.text(x + 18, y, kind.value)
        x += 34 + 7 * len(kind.value)
    return y


def _draw_axis(canvas: _Canvas, axis: Map, segments: Sequence[Segment], more: str, top: float) -> float:
    """Draw the cells of an axis from height ``top`` on, and return the height where the next axis begins."""
    cells = [cell for segment in segments for cell in segment.cells]
    sources = _source_cells(axis, [cell[1] for cell in cells if cell is not None and cell[1] is not None])
    indent = 0
    if type(axis) is AxisMap and axis.stride == 1 and abs(axis.start) < _MOST_CELLS and None not in [*cells, *sources]:
        # Draw each output below the index that it reads.
        indent = -axis.start
    bottom, left = top + _CELL + _LINES, _MARGIN + 52
    canvas.text(_MARGIN, top + 17, "source")
    canvas.text(_MARGIN, bottom + 17, "result")
    read = [
        range(first, first + n * step, step) if step else (first,)
        for n, first, step in islice(runs_of(axis), MOST_RUNS)
        if first is not None
    ]
    places: dict[int, float] = {}
    for x, each in _places(canvas, sources, left + max(indent, 0) * _CELL, top):
        places[each] = x
        colour = _COLOURS[Kind.INSIDE] if any([each in own for own in read]) else _UNREAD
        canvas.cell(x, top, shown(each), colour, f"index {shown(each)}")
    x = left + max(-indent, 0) * _CELL
    for kind, fill, own in segments:
        for place, (output, index) in _places(canvas, own, x, bottom):
            text = _name(index, fill.removesuffix("fill"))
            if index is not None:
                canvas.line(places[index] + _CELL / 2, top + _CELL, place + _CELL / 2, bottom)
            canvas.cell(place, bottom, text, _COLOURS[kind], f"output {shown(output)} reads {text} ({kind.value})")
            x = place + _CELL
    if more:
        canvas.text(x + 6, bottom + 17, more)
    return bottom + _CELL + _TEXT + 8


def _source_cells(axis: Map, read: Sequence[int]) -> list[int | None]:
    """Return the source cells to draw: all cells of a short axis; the first, the last and those read of a long axis."""
    if axis.extent <= _MOST_CELLS:
        return list(range(axis.extent))
    cells: list[int | None] = [0]
    for last, index in pairwise(sorted({0, axis.extent - 1, *read})):
        cells += [index] if index == last + 1 else [None, index]
    return cells


def _places(canvas: _Canvas, cells: Sequence[_T | None], x: float, y: float) -> Iterator[tuple[float, _T]]:
    """Yield the position of each cell in a row, and the cell; write dots for cells that are left out."""
    for cell in cells:
        if cell is None:
            canvas.text(x, y + 17, "…")
            x += _GAP
        else:
            yield x, cell
            x += _CELL
