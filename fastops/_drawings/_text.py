"""Plans as text: a table of outputs and of what they read for each axis."""

from __future__ import annotations

from collections.abc import Sequence

from fastops._drawings._segments import Kind, Segment, segments_of, shown_outputs
from fastops._errors import counted, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, is_view, size_of
from fastops._geometry._range_geometry import RangeGeometry
from fastops._geometry._run_map import Map
from fastops._geometry._text import fills_text, moves_text, window_text

# Columns of a table, characters of a line, and segments that have columns of their own.
_MOST_OUTPUTS = 24
_MOST_CHARACTERS = 96
_MOST_SEGMENTS = 7

_GAP = ".."
_FILL = "fill"


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
    strict = all([axis.is_strict for axis in geometry.axes])
    kind = "reads in bounds" if strict else "reads out of bounds, so it is a copy"
    if strict:
        kind += ", so it can be a view" if is_view(geometry) else ", but merges axes, so it is a copy"
    if not size_of(geometry):
        kind = "nothing is read"
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}: {kind}"]
    lines += moves_text(geometry)
    lines += fills_text(geometry)
    for k, axis in enumerate(geometry.axes):
        lines.append(f"axis {k}: {axis}{window_text(geometry, k)}")
        if size_of(geometry):
            lines += [f"  {line}" for line in draw_axis(axis, tells_slots=geometry.fills > 1)]
    return "\n".join(lines)


def explain_plans(geometries: Sequence[Geometry]) -> str:
    """Return several plans, as those of a split are, one behind the other."""
    return "\n\n".join([f"part {i}: {explain_plan(geometry)}" for i, geometry in enumerate(geometries)])


def explain_range(geometry: RangeGeometry) -> str:
    """Return what a range writes, before it is rounded to a type.

    Examples
    --------
    >>> print(explain_range(RangeGeometry(5, -2, 3)))
    () -> (3,): reads nothing
    values: start 5, step -2, count 3
    """
    numbers = f"start {shown(geometry.start)}, step {shown(geometry.step)}, count {shown(geometry.count)}"
    return f"() -> {shown((geometry.count,))}: reads nothing\nvalues: {numbers}"


def draw_axis(axis: Map, *, tells_slots: bool = False) -> list[str]:
    """Return the table of an axis that has outputs: outputs, what each reads, and in which way.

    An axis that is read as it is needs no table. Fill values are told by their slots where there are several.
    """
    if axis.count == 0 or axis == AxisMap.whole(axis.extent):
        return []
    segments = segments_of(axis, _MOST_SEGMENTS)
    digits = len(shown(max(axis.count, axis.extent)))
    columns = shown_outputs(segments, min(_MOST_OUTPUTS, _MOST_CHARACTERS // (digits + 1)))
    fills = {y: f"{_FILL}{segment.slot if tells_slots else ''}" for segment in segments for y in _ys(columns, segment)}
    width = max([max(len(shown(y)), len(_source(axis, y, fills))) for y in columns if y is not None])
    groups: list[tuple[str, str, str]] = []
    for segment in segments:
        ys = _of_segment(columns, segment)
        outputs = [_GAP if y is None else shown(y) for y in ys]
        sources = [_GAP if y is None else _source(axis, y, fills) for y in ys]
        first, second = [" ".join([f"{cell:>{width}}" for cell in row]) for row in (outputs, sources)]
        groups.append((first, second, segment.kind.value))
    names = ["output", "reads", "way"]
    if len(segments) == 1 and segments[0].kind is Kind.INSIDE:
        names.pop()
    widths = [max(map(len, group)) for group in groups]
    lines = []
    for name, row in zip(names, zip(*groups, strict=True), strict=False):
        texts = [f"{text:<{n}}" for text, n in zip(row, widths, strict=True)]
        lines.append(f"{name if name != 'way' else '':<8} {' | '.join(texts)}".rstrip())
    left_out = axis.count - sum([segment.length for segment in segments])
    if left_out:
        lines.append(f"and {counted(left_out, 'output')} more")
    return lines


def _ys(columns: list[int | None], segment: Segment) -> list[int]:
    return [y for y in _of_segment(columns, segment) if y is not None]


def _of_segment(columns: list[int | None], segment: Segment) -> list[int | None]:
    """Return the columns of a segment, with None where some of its outputs are left out."""
    end = segment.first + segment.length
    own = [i for i, y in enumerate(columns) if y is not None and segment.first <= y < end]
    return columns[own[0] : own[-1] + 1]


def _source(axis: Map, y: int, fills: dict[int, str]) -> str:
    index = axis.source(y)
    return fills[y] if index is None else shown(index)
