"""Plans as SVG: for each axis the source's cells above, the result's below, and lines between them.

Two short axes are drawn as a grid besides, which shows a pad of an image at a glance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate

from fastops._drawings._segments import Kind, Segment, reads, segments_of, shown_outputs
from fastops._drawings._text import shown_values, value_of
from fastops._errors import counted, shown
from fastops._plans._axis_map import AxisMap
from fastops._plans._range_plan import RangePlan
from fastops._plans._run_map import Map
from fastops._plans._slice_plan import SlicePlan
from fastops._plans._words import fills_in_words, moves_in_words, window_in_words

_CELL, _GAP, _MARGIN = 26, 12, 12
_LINES = 40
_TEXT = 18

# Cells that are drawn of an axis, axes and plans that are drawn, and cells that a grid has along each side.
_MOST_OUTPUTS = 30
_MOST_SEGMENTS = 7
_MOST_AXES = 8
_MOST_PLANS = 16
_MOST_GRID = 16

# Told apart without colours by their words, and with colours by most of those who see few.
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
            f'<g><title>{escape(title)}</title><rect x="{x:g}" y="{y:g}" width="{_CELL}" height="{_CELL}" '
            f'fill="{colour}" stroke="#666"/>'
        )
        size = "" if len(text) < 4 else ' font-size="8"'
        self.text(x + _CELL / 2, y + _CELL / 2 + 4, text, f' text-anchor="middle"{size}')
        self.parts.append("</g>")
        self._reach(x + _CELL, y + _CELL)

    def swatch(self, x: float, y: float, colour: str) -> None:
        """Draw a small cell of a colour."""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="12" height="12" fill="{colour}" stroke="#666"/>')
        self._reach(x + 12, y + 12)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: str = "#888") -> None:
        """Draw a line."""
        self.parts.append(f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}"/>')

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, int(x)), max(self.height, int(y))

    def document(self, title: str) -> str:
        """Return the SVG."""
        width, height = self.width + _MARGIN, self.height + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="white"/>{"".join(self.parts)}</svg>'
        )


def draw_plan(plan: SlicePlan, name: str = "") -> str:
    """Return a plan as an SVG document, with a name before its title."""
    canvas = _Canvas()
    title = f"{name}{shown(plan.source_shape)} → {shown(plan.shape)}"
    canvas.text(_MARGIN, _MARGIN + 12, title, ' font-weight="bold"')
    y: float = _MARGIN + 12 + _TEXT
    if not plan.size:
        canvas.text(_MARGIN, y, "the result is empty: nothing is read")
        return canvas.document(title)
    for line in (*moves_in_words(plan), *fills_in_words(plan)):
        canvas.text(_MARGIN, y, line)
        y += _TEXT
    for k, axis in enumerate(plan.axes[:_MOST_AXES]):
        y = _draw_axis(canvas, f"axis {k}", axis, y, window_in_words(plan, k), has_slots=plan.fills > 1)
    if len(plan.axes) > _MOST_AXES:
        canvas.text(_MARGIN, y, f"and {counted(len(plan.axes) - _MOST_AXES, 'axis')} more")
        y += _TEXT
    y = _draw_grid(canvas, plan, y)
    _draw_legend(canvas, plan.axes, y)
    return canvas.document(title)


def draw_plans(plans: Sequence[SlicePlan]) -> str:
    """Return several plans, as those of a split are, as one SVG document: one below the other."""
    drawings = [draw_plan(plan, f"part {i}: ") for i, plan in enumerate(plans[:_MOST_PLANS])]
    sizes = [[int(number) for number in _SIZE.findall(drawing)[0]] for drawing in drawings]
    tops = list(accumulate([height for _, height in sizes], initial=0))
    parts = [f'<svg y="{top}"{drawing[4:]}' for top, drawing in zip(tops, drawings, strict=False)]
    height = tops[-1]
    if len(plans) > _MOST_PLANS:
        more = f"and {counted(len(plans) - _MOST_PLANS, 'plan')} more"
        parts.append(f'<text x="{_MARGIN}" y="{height + 12}" font-family="sans-serif" font-size="12">{more}</text>')
        height += _TEXT
    width = max([width for width, _ in sizes], default=_MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{counted(len(plans), "plan")}</title>{"".join(parts)}</svg>'
    )


_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def draw_range(plan: RangePlan) -> str:
    """Return a range plan as an SVG document: outputs above, values below."""
    canvas = _Canvas()
    title = f"start {shown(plan.start)}, step {shown(plan.step)}, count {shown(plan.count)}"
    canvas.text(_MARGIN, _MARGIN + 12, title, ' font-weight="bold"')
    if not plan.count:
        canvas.text(_MARGIN, _MARGIN + 12 + _TEXT, "the result is empty")
        return canvas.document(title)
    top = _MARGIN + 12 + _TEXT
    canvas.text(_MARGIN, top, "output")
    canvas.text(_MARGIN, top + 23, "value")
    for x, y in _places(shown_values(plan, _MOST_OUTPUTS * 3), _MARGIN + 52):
        if y is None:
            canvas.text(x, top + 23, "…")
            continue
        value = value_of(plan, y)
        text = value if len(value) < 7 else "..."
        canvas.text(x + _CELL / 2, top, shown(y), ' text-anchor="middle"')
        canvas.cell(x, top + 6, text, _COLOURS[Kind.INSIDE], f"output {shown(y)}: {value}")
    return canvas.document(title)


def _draw_legend(canvas: _Canvas, axes: Sequence[Map], y: float) -> None:
    """Say what the colours mean, where there are several."""
    kinds = {segment.kind for axis in axes for segment in segments_of(axis, _MOST_SEGMENTS)}
    if kinds == {Kind.INSIDE}:
        return
    x: float = _MARGIN
    for kind in [each for each in Kind if each in kinds]:
        canvas.swatch(x, y - 10, _COLOURS[kind])
        canvas.text(x + 18, y, kind.value)
        x += 34 + 7 * len(kind.value)


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
        text = _fill_name(segment, has_slots=has_slots) if index is None else shown(index)
        canvas.cell(x, bottom, text, _COLOURS[kind], f"output {shown(each)} reads {text} ({kind.value})")
    left_out = axis.count - sum([each.length for each in segments])
    if left_out:
        canvas.text(x + _CELL + 6, bottom + 17, f"and {counted(left_out, 'output')} more")
    return bottom + _CELL + _TEXT + 8


def _fill_name(segment: Segment, *, has_slots: bool) -> str:
    """Return what stands in a cell that is filled: its slot, where there are several."""
    return f"fill{segment.slot}" if has_slots else ""


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
        left += _CELL if cell is not None else _GAP + 4


def _draw_grid(canvas: _Canvas, plan: SlicePlan, y: float) -> float:
    """Draw the last two axes as a grid, and return where to go on: what is read of the source, and where it goes."""
    axes = plan.axes
    if len(axes) < 2 or not plan.is_ordered or plan.windows is not None or plan.source_shape[-2:] != plan.extents[-2:]:
        return y
    rows, columns = axes[-2:]
    lengths = (rows.extent, columns.extent, rows.count, columns.count)
    if max(lengths) > _MOST_GRID or all(axis == AxisMap.whole(axis.extent) for axis in (rows, columns)):
        return y
    k = len(axes) - 2
    canvas.text(_MARGIN, y, f"axes {k} and {k + 1} of the source, and what each element of the result reads")
    top = y + 10
    read = {(rows.source(i), columns.source(j)) for i in range(rows.count) for j in range(columns.count)}
    for i in range(rows.extent):
        for j in range(columns.extent):
            colour = _COLOURS[Kind.INSIDE] if (i, j) in read else _UNREAD
            canvas.cell(_MARGIN + j * _CELL, top + i * _CELL, f"{i},{j}", colour, f"element {i}, {j}")
    left = _MARGIN + columns.extent * _CELL + 40
    segments = [_segments_of_outputs(axis) for axis in (rows, columns)]
    for i in range(rows.count):
        for j in range(columns.count):
            row, column = rows.source(i), columns.source(j)
            segment = _together(segments[0][i], segments[1][j])
            is_read = row is not None and column is not None
            text = f"{row},{column}" if is_read else _fill_name(segment, has_slots=plan.fills > 1)
            x, at = left + j * _CELL, top + i * _CELL
            canvas.cell(x, at, text, _COLOURS[segment.kind], f"result {i}, {j} reads {text} ({segment.kind.value})")
    return top + max(rows.extent, rows.count) * _CELL + 2 * _TEXT


def _segments_of_outputs(axis: Map) -> list[Segment]:
    return [segment for segment in segments_of(axis, axis.count) for _ in range(segment.length)]


def _together(row: Segment, column: Segment) -> Segment:
    """Return what an element reads: the higher fill value if either axis fills, else what is not inside."""
    fills = [segment for segment in (row, column) if segment.kind is Kind.FILL]
    if fills:
        return max(fills, key=lambda segment: segment.slot)
    return column if row.kind is Kind.INSIDE else row
