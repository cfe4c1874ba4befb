"""Two axes of a plan side by side: each element of short ones, and of longer ones the regions that read in one way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from fastops._drawings._canvas import CELL, COLOURS, MARGIN, TEXT, UNREAD, Canvas
from fastops._drawings._segments import Kind, Segment, fill_name, segments_of
from fastops._errors import shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, extents_of, is_ordered
from fastops._geometry._run_map import Map

# Elements that are drawn along each side.
_MOST_ELEMENTS = 16
#: Regions along each side, where there are more elements.
MOST_REGIONS = 16
# The longest side of a drawing of regions, and the shortest one of a region.
_SIDE, _THINNEST = 260, 3
_GAP = 40


def draw_grid(canvas: Canvas, geometry: Geometry, y: float) -> float:
    """Draw two axes of the source and of the result below y, and return how far the drawing reaches."""
    if not is_ordered(geometry) or geometry.windows is not None or geometry.source_shape != extents_of(geometry):
        return y
    pair = _axes_to_draw(geometry.axes)
    if pair is None:
        return y
    k, m = pair
    rows, columns = geometry.axes[k], geometry.axes[m]
    lengths = (rows.extent, columns.extent, rows.count, columns.count)
    names = f"axes {k} and {m} of the source"
    if max(lengths) <= _MOST_ELEMENTS:
        canvas.text(MARGIN, y, f"{names}, and what each element of the result reads")
        return _draw_elements(canvas, rows, columns, y + 10, has_slots=geometry.fills > 1)
    sides = [segments_of(axis, MOST_REGIONS) for axis in (rows, columns)]
    told = [sum([segment.length for segment in segments]) for segments in sides]
    if told != [rows.count, columns.count]:
        canvas.text(MARGIN, y, f"{names} are not drawn: they have more than {MOST_REGIONS} regions")
        return y + TEXT
    canvas.text(MARGIN, y, f"{names}, with what is read of them, and the result")
    return _draw_regions(canvas, rows, columns, sides, y + 10, has_slots=geometry.fills > 1)


def _axes_to_draw(axes: Sequence[Map]) -> tuple[int, int] | None:
    """Return the last two axes that are not read as they are; of one alone, that and its longer neighbour."""
    changed = [k for k, axis in enumerate(axes) if axis != AxisMap.whole(axis.extent)]
    if len(axes) < 2 or not changed:
        return None
    if len(changed) > 1:
        return changed[-2], changed[-1]
    k = changed[0]
    neighbours = [m for m in (k - 1, k + 1) if 0 <= m < len(axes)]
    other = max(neighbours, key=lambda m: axes[m].extent)
    return min(k, other), max(k, other)


def _draw_elements(canvas: Canvas, rows: Map, columns: Map, top: float, *, has_slots: bool) -> float:
    """Draw a cell for each element of the source and of the result."""
    read = {(rows.source(i), columns.source(j)) for i in range(rows.count) for j in range(columns.count)}
    for i in range(rows.extent):
        for j in range(columns.extent):
            colour = COLOURS[Kind.INSIDE] if (i, j) in read else UNREAD
            canvas.cell(MARGIN + j * CELL, top + i * CELL, f"{i},{j}", colour, f"element {i}, {j}")
    left = MARGIN + columns.extent * CELL + _GAP
    segments = [_segments_of_outputs(axis) for axis in (rows, columns)]
    for i in range(rows.count):
        for j in range(columns.count):
            row, column = rows.source(i), columns.source(j)
            segment = _together(segments[0][i], segments[1][j])
            is_read = row is not None and column is not None
            text = f"{row},{column}" if is_read else fill_name(segment, has_slots=has_slots)
            x, at = left + j * CELL, top + i * CELL
            canvas.cell(x, at, text, COLOURS[segment.kind], f"result {i}, {j} reads {text} ({segment.kind.value})")
    return top + max(rows.extent, rows.count) * CELL + 2 * TEXT


def _draw_regions(
    canvas: Canvas, rows: Map, columns: Map, sides: Sequence[list[Segment]], top: float, *, has_slots: bool
) -> float:
    """Draw the source with the box that is read of it, and the result with its regions, to one scale."""
    longest = max(rows.extent, columns.extent, rows.count, columns.count)
    height, width = [max(_SIDE * axis.extent / longest, _THINNEST) for axis in (rows, columns)]
    canvas.box(MARGIN, top, width, height, UNREAD, f"the source, {shown(rows.extent)} x {shown(columns.extent)}")
    (low, high), (first, last) = [_box_of(axis, each) for axis, each in zip((rows, columns), sides, strict=True)]
    if low <= high and first <= last:
        # Quotients of integers first: extents may be larger than floats are.
        canvas.box(
            MARGIN + width * (first / columns.extent),
            top + height * (low / rows.extent),
            width * ((last + 1 - first) / columns.extent),
            height * ((high + 1 - low) / rows.extent),
            COLOURS[Kind.INSIDE],
            f"read: {shown(low)} to {shown(high)}, {shown(first)} to {shown(last)}",
        )
    left = MARGIN + width + _GAP
    # A pad of one element is seen too, where others are thousands.
    tall, wide = [[max(_SIDE * each.length / longest, _THINNEST) for each in segments] for segments in sides]
    for row, y, h in zip(sides[0], accumulate(tall, initial=top), tall, strict=False):
        for column, x, w in zip(sides[1], accumulate(wide, initial=left), wide, strict=False):
            segment = _together(row, column)
            what = (
                fill_name(segment, has_slots=has_slots)
                if segment.kind is Kind.FILL and has_slots
                else segment.kind.value
            )
            canvas.box(x, y, w, h, COLOURS[segment.kind], f"result {_outputs(row)}, {_outputs(column)}: {what}")
    return top + max(height, sum(tall)) + 2 * TEXT


def _box_of(axis: Map, segments: Sequence[Segment]) -> tuple[int, int]:
    """Return the lowest and the highest index that an axis reads: each segment goes up, or down, or stays."""
    ends = [axis.source(y) for each in segments for y in (each.first, each.first + each.length - 1)]
    read = [index for index in ends if index is not None]
    return (min(read), max(read)) if read else (0, -1)


def _outputs(segment: Segment) -> str:
    return f"{shown(segment.first)} to {shown(segment.first + segment.length - 1)}"


def _segments_of_outputs(axis: Map) -> list[Segment]:
    return [segment for segment in segments_of(axis, axis.count) for _ in range(segment.length)]


def _together(row: Segment, column: Segment) -> Segment:
    """Return what an element reads: the higher fill value if either axis fills, else what is not inside."""
    fills = [segment for segment in (row, column) if segment.kind is Kind.FILL]
    if fills:
        return max(fills, key=lambda segment: segment.slot)
    return column if row.kind is Kind.INSIDE else row
