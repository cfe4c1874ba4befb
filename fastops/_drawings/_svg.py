"""Plans as SVG: for each axis the source's cells above, the result's below, and lines between them.

Two axes are drawn side by side besides, which shows a pad of an image at a glance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from fastops._drawings._canvas import CELL, COLOURS, MARGIN, TEXT, UNREAD, Canvas
from fastops._drawings._grid import MOST_REGIONS, draw_grid
from fastops._drawings._segments import Kind, fill_name, reads, segments_of, shown_outputs
from fastops._drawings._text import shown_values, value_of
from fastops._errors import counted, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._range_geometry import RangeGeometry
from fastops._geometry._run_map import Map
from fastops._geometry._text import fills_text, moves_text, window_text

_GAP = 12
_LINES = 40

# Cells that are drawn of an axis, and axes and plans that are drawn.
_MOST_OUTPUTS = 30
_MOST_SEGMENTS = 7
_MOST_AXES = 8
_MOST_PLANS = 16


def draw_plan(geometry: Geometry, name: str = "") -> str:
    """Return a plan as an SVG document, with a name before its title."""
    canvas = Canvas()
    title = f"{name}{shown(geometry.source_shape)} → {shown(geometry.shape)}"
    canvas.text(MARGIN, MARGIN + 12, title, ' font-weight="bold"')
    y: float = MARGIN + 12 + TEXT
    if not size_of(geometry):
        canvas.text(MARGIN, y, "the result is empty: nothing is read")
        return canvas.document(title)
    for line in (*moves_text(geometry), *fills_text(geometry)):
        canvas.text(MARGIN, y, line)
        y += TEXT
    for k, axis in enumerate(geometry.axes[:_MOST_AXES]):
        y = _draw_axis(canvas, f"axis {k}", axis, y, window_text(geometry, k), has_slots=geometry.fills > 1)
    if len(geometry.axes) > _MOST_AXES:
        canvas.text(MARGIN, y, f"and {counted(len(geometry.axes) - _MOST_AXES, 'axis')} more")
        y += TEXT
    y = draw_grid(canvas, geometry, y)
    _draw_legend(canvas, geometry.axes, y)
    return canvas.document(title)


def draw_plans(geometries: Sequence[Geometry]) -> str:
    """Return several plans, as those of a split are, as one SVG document: one below the other."""
    drawings = [draw_plan(geometry, f"part {i}: ") for i, geometry in enumerate(geometries[:_MOST_PLANS])]
    sizes = [[int(number) for number in _SIZE.findall(drawing)[0]] for drawing in drawings]
    tops = list(accumulate([height for _, height in sizes], initial=0))
    parts = [f'<svg y="{top}"{drawing[4:]}' for top, drawing in zip(tops, drawings, strict=False)]
    height = tops[-1]
    if len(geometries) > _MOST_PLANS:
        more = f"and {counted(len(geometries) - _MOST_PLANS, 'geometry')} more"
        parts.append(f'<text x="{MARGIN}" y="{height + 12}" font-family="sans-serif" font-size="12">{more}</text>')
        height += TEXT
    width = max([width for width, _ in sizes], default=MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{counted(len(geometries), "geometry")}</title>{"".join(parts)}</svg>'
    )


_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def draw_range(geometry: RangeGeometry) -> str:
    """Return a range plan as an SVG document: outputs above, values below."""
    canvas = Canvas()
    title = f"start {shown(geometry.start)}, step {shown(geometry.step)}, count {shown(geometry.count)}"
    canvas.text(MARGIN, MARGIN + 12, title, ' font-weight="bold"')
    if not geometry.count:
        canvas.text(MARGIN, MARGIN + 12 + TEXT, "the result is empty")
        return canvas.document(title)
    top = MARGIN + 12 + TEXT
    canvas.text(MARGIN, top, "output")
    canvas.text(MARGIN, top + 23, "value")
    for x, y in _places(shown_values(geometry, _MOST_OUTPUTS * 3), MARGIN + 52):
        if y is None:
            canvas.text(x, top + 23, "…")
            continue
        value = value_of(geometry, y)
        text = value if len(value) < 7 else "..."
        canvas.text(x + CELL / 2, top, shown(y), ' text-anchor="middle"')
        canvas.cell(x, top + 6, text, COLOURS[Kind.INSIDE], f"output {shown(y)}: {value}")
    return canvas.document(title)


def _draw_legend(canvas: Canvas, axes: Sequence[Map], y: float) -> None:
    """Say what the colours mean, where there are several."""
    kinds = {segment.kind for axis in axes for segment in segments_of(axis, max(_MOST_SEGMENTS, MOST_REGIONS))}
    if kinds == {Kind.INSIDE}:
        return
    x: float = MARGIN
    for kind in [each for each in Kind if each in kinds]:
        canvas.box(x, y - 10, 12, 12, COLOURS[kind])
        canvas.text(x + 18, y, kind.value)
        x += 34 + 7 * len(kind.value)


def _draw_axis(canvas: Canvas, name: str, axis: Map, y: float, window: str, *, has_slots: bool) -> float:
    """Draw an axis from y on, and return where the next one begins."""
    if axis == AxisMap.whole(axis.extent):
        canvas.text(MARGIN, y, f"{name}: {shown(axis.extent)}, as it is{window}")
        return y + TEXT
    canvas.text(MARGIN, y, f"{name}: {axis}{window}")
    segments = segments_of(axis, _MOST_SEGMENTS)
    outputs = shown_outputs(segments, _MOST_OUTPUTS)
    read = {axis.source(each) for each in outputs if each is not None} - {None}
    sources = _shown_sources(axis, sorted(index for index in read if index is not None))
    top, bottom = y + TEXT, y + TEXT + CELL + _LINES
    left = MARGIN + 52
    canvas.text(MARGIN, top + 17, "source")
    canvas.text(MARGIN, bottom + 17, "result")
    indent = _indent(axis, outputs, sources)
    places: dict[int, float] = {}
    for x, index in _places(sources, left + max(indent, 0) * CELL):
        if index is None:
            canvas.text(x, top + 17, "…")
            continue
        places[index] = x
        colour = COLOURS[Kind.INSIDE] if index in read or reads(axis, index) else UNREAD
        canvas.cell(x, top, shown(index), colour, f"index {shown(index)}")
    starts = {segment.first: segment for segment in segments}
    segment = segments[0]
    for x, each in _places(outputs, left + max(-indent, 0) * CELL):
        if each is None:
            canvas.text(x, bottom + 17, "…")
            continue
        segment = starts.get(each, segment)
        kind, index = segment.kind, axis.source(each)
        if index is not None:
            canvas.line(places[index] + CELL / 2, top + CELL, x + CELL / 2, bottom)
        text = fill_name(segment, has_slots=has_slots) if index is None else shown(index)
        canvas.cell(x, bottom, text, COLOURS[kind], f"output {shown(each)} reads {text} ({kind.value})")
    left_out = axis.count - sum([each.length for each in segments])
    if left_out:
        canvas.text(x + CELL + 6, bottom + 17, f"and {counted(left_out, 'output')} more")
    return bottom + CELL + TEXT + 8


def _shown_sources(axis: Map, read: Sequence[int]) -> list[int | None]:
    """Return the source cells to draw: all of a short axis, else those that are read, and the ends."""
    if axis.extent <= _MOST_OUTPUTS:
        return list(range(axis.extent))
    kept = sorted({0, axis.extent - 1, *read})
    cells: list[int | None] = []
    for index in kept:
        if cells and cells[-1] is not None and index > cells[-1] + 1:
            cells.append(None)
        cells.append(index)
    return cells


def _indent(axis: Map, outputs: Sequence[int | None], sources: Sequence[int | None]) -> int:
    """Return by how many cells the source begins further right than the result, where they would lie in line."""
    if type(axis) is not AxisMap:
        return 0
    is_in_line = axis.is_strict or axis.start <= 0
    if axis.stride != 1 or None in outputs or None in sources or not is_in_line:
        return 0
    return -axis.start


def _places(cells: Sequence[int | None], left: float) -> Iterator[tuple[float, int | None]]:
    """Yield where each cell is drawn, and the cell; a gap takes less room."""
    for cell in cells:
        yield left, cell
        left += CELL if cell is not None else _GAP + 4
