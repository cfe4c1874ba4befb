"""Plans as text and drawings: the lines of ``str(plan)``, the tables of ``plan.explain()``, and ``plan.to_svg()``.

A table has a column for each output of an axis. An axis consists of *segments*: neighbouring outputs that read the
source in one way. For long segments, tables and drawings show the first and the last outputs. A drawing has, for each
axis, a row of source cells, a row of result cells below, and lines between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from html import escape
from itertools import islice, pairwise
from math import ceil
from typing import NamedTuple

from fastops._errors import counted, shown
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map, RunMap
from fastops._geometry._geometry import NO_AXIS, Geometry, find_factors, is_ordered, is_view, size_of, windows_of
from fastops._geometry._map_composition import runs_of
from fastops._geometry._sample_mode import SampleMode

# The most outputs in a table, characters in a line, and segments.
_MOST_OUTPUTS = 24
_MOST_CHARACTERS = 96
MOST_SEGMENTS = 7


def geometry_text(geometry: Geometry) -> str:
    """Return the shapes of a plan, a line for each axis, and the notes of `notes_of`."""
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"]
    lines += [f"  axis {k}: {axis}{window_text(geometry, k)}" for k, axis in enumerate(geometry.axes)]
    return "\n".join([*lines, *[f"  {line}" for line in notes_of(geometry)]])


def window_text(geometry: Geometry, k: int) -> str:
    """Return the part of the source that an axis reads, or nothing if it reads the whole of a source axis."""
    source, offset, step = windows_of(geometry)[k]
    if source == NO_AXIS or (geometry.source_shape[source], offset, step) == (geometry.axes[k].extent, 0, 1):
        return ""
    return f", window of source axis {source}: offset {shown(offset)}, step {shown(step)}"


def notes_of(geometry: Geometry) -> list[str]:
    """Return a line for each change of the axes between source and result, and a line about several fill values."""
    lines = _changes_of(geometry) if size_of(geometry) else []
    if geometry.fills > 1:
        lines.append(f"fill values: {geometry.fills}, one for each stage that fills; fill1 replaces fill0, and so on")
    return lines


def _changes_of(geometry: Geometry) -> list[str]:
    """Return which axes are reordered, merged, new and dropped; if several answers are right, keep the first axes."""
    factors = find_factors([geometry.axes[k].count for k in geometry.order], geometry.shape)
    assert factors is not None
    lines = [] if is_ordered(geometry) else [f"order: {', '.join(map(str, geometry.order))}"]
    new: list[int] = []
    dropped: list[int] = []
    merged: dict[int, list[int]] = {}
    target = 0
    for k, (axis, _) in zip(geometry.order, factors, strict=True):
        if axis != NO_AXIS:
            merged.setdefault(axis, []).append(k)
            new += range(target, axis)
            target = max(target, axis + 1)
        elif target < len(geometry.shape) and geometry.shape[target] == 1:
            target += 1
        else:
            dropped.append(k)
    new += range(target, len(geometry.shape))
    for axis, own in merged.items():
        if len(own) > 1:
            lines.append(f"merged: axes {', '.join(map(str, own))} are axis {axis} of the result")
    lines += [f"new: axis {k} of the result, of length 1" for k in new]
    return lines + [f"dropped: axis {k}, of one output" for k in sorted(dropped)]


class Kind(Enum):
    """How the outputs of a segment read the source."""

    INSIDE = "inside"
    FILL = "fill"
    EDGE = "edge"
    WRAPPED = "wrapped"
    MIRRORED = "mirrored"


class Segment(NamedTuple):
    """Outputs ``first`` to ``first + length - 1``, which read in one way; ``slot`` numbers their fill value."""

    first: int
    length: int
    kind: Kind
    slot: int = 0


def segments_of(axis: Map, most: int) -> list[Segment]:
    """Return the segments of an axis, at most ``most`` of them.

    Examples
    --------
    >>> axis = AxisMap.create(5, -2, 1, 9, SampleMode.REFLECT)
    >>> [(segment.first, segment.length, segment.kind.value) for segment in segments_of(axis, 9)]
    [(0, 2, 'mirrored'), (2, 5, 'inside'), (7, 2, 'mirrored')]
    """
    segments: list[Segment] = []
    y = 0
    while y < axis.count and len(segments) < most:
        if type(axis) is RunMap:
            n, first, stride = axis.runs[len(segments)]
            kind = Kind.INSIDE if stride > 0 else Kind.MIRRORED if stride < 0 else Kind.EDGE
            segment = Segment(y, n, Kind.FILL, stride) if first is None else Segment(y, n, kind)
        else:
            assert type(axis) is AxisMap
            x, n = axis.start + y * axis.stride, axis.count - y
            kind, low, high = _stretch(axis, x)
            if axis.stride:
                n = min(n, ((high if axis.stride > 0 else low) - x) // axis.stride + 1)
            segment = Segment(y, n, kind)
        segments.append(segment)
        y += segment.length
    return segments


def _stretch(axis: AxisMap, x: int) -> tuple[Kind, int, int]:
    """Return how a coordinate is read, and the lowest and highest coordinates around it read in this way."""
    extent, mode = axis.extent, axis.mode
    if axis.is_strict or 0 <= x < extent:
        return Kind.INSIDE, 0, extent - 1
    if mode is SampleMode.FILL or mode is SampleMode.CLAMP:
        ends = axis.start, axis.start + axis.count * axis.stride
        kind = Kind.FILL if mode is SampleMode.FILL else Kind.EDGE
        return (kind, min(ends), -1) if x < 0 else (kind, extent, max(ends))
    # In mode reflect, edges are read once per period: as part of the ascending half.
    period = {SampleMode.WRAP: extent, SampleMode.SYMMETRIC: 2 * extent}.get(mode, 2 * extent - 2)
    begin = x // period * period
    if x - begin < extent:
        return Kind.WRAPPED, begin, begin + extent - 1
    return Kind.MIRRORED, begin + extent, begin + period - 1


def columns_of(segments: Sequence[Segment], most: int) -> list[list[int | None]]:
    """Return the outputs of each segment to show, about ``most`` in all; None stands for outputs that are left out.

    Examples
    --------
    >>> columns_of([Segment(0, 2, Kind.FILL), Segment(2, 100, Kind.INSIDE), Segment(102, 1, Kind.FILL)], 9)
    [[0, 1], [2, 3, None, 101], [102]]
    """
    n = max(most // (2 * len(segments)) - 1, 1) if segments else 0
    is_short = sum([segment.length for segment in segments]) <= most
    columns: list[list[int | None]] = []
    for first, length, _, _ in segments:
        if is_short or length <= 2 * n + 2:
            columns.append([*range(first, first + length)])
        else:
            columns.append([*range(first, first + n + 1), None, *range(first + length - n, first + length)])
    return columns


def left_out(axis: Map, segments: Sequence[Segment]) -> str:
    """Return the number of outputs after the segments that are shown, as text; nothing for 0."""
    n = axis.count - sum([segment.length for segment in segments])
    return f"and {counted(n, 'output')} more" if n else ""


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
            lines += [f"  {line}" for line in _table_of(axis, has_slots=geometry.fills > 1)]
    return "\n".join(lines)


def _table_of(axis: Map, *, has_slots: bool) -> list[str]:
    """Return the rows of an axis's table: outputs, the index that each output reads, and how it reads it."""
    segments = segments_of(axis, MOST_SEGMENTS)
    digits = len(shown(max(axis.count, axis.extent)))
    columns = columns_of(segments, min(_MOST_OUTPUTS, _MOST_CHARACTERS // (digits + 1)))
    cells: list[list[tuple[str, str]]] = []
    for segment, ys in zip(segments, columns, strict=True):
        fill = f"fill{segment.slot}" if has_slots else "fill"
        sources = [None if y is None else axis.source(y) for y in ys]
        reads = [fill if source is None else shown(source) for source in sources]
        cells.append([("..", "..") if y is None else (shown(y), read) for y, read in zip(ys, reads, strict=True)])
    width = max([len(text) for own in cells for pair in own for text in pair])
    rows = [[" ".join([f"{pair[i]:>{width}}" for pair in own]) for own in cells] for i in (0, 1)]
    if len(segments) > 1 or segments[0].kind is not Kind.INSIDE:
        rows.append([segment.kind.value for segment in segments])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, row in zip(("output", "reads", ""), rows, strict=False):
        texts = [f"{text:<{n}}" for text, n in zip(row, widths, strict=True)]
        lines.append(f"{name:<8} {' | '.join(texts)}".rstrip())
    return [*lines, *filter(None, [left_out(axis, segments)])]


# Lengths in pixels: a cell's side, the margin, the width of dots, the height of the lines between rows, the height of a
# line of text.
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
