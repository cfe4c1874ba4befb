"""Segments: the outputs of an axis in order, as pieces that read the source in one way, and which of them to show.

Plans as text: a table of outputs and of what they read for each axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple

from fastops._errors import counted, shown
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map, RunMap
from fastops._geometry._geometry import Geometry, is_view, size_of
from fastops._geometry._map_composition import runs_of
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._text import fills_text, moves_text, window_text


class Kind(Enum):
    """What the outputs of a segment read."""

    INSIDE = "inside"
    FILL = "fill"
    EDGE = "edge"
    WRAPPED = "wrapped"
    MIRRORED = "mirrored"


class Segment(NamedTuple):
    """Outputs ``first`` to ``first + length - 1``, which read in one way; those that fill, the value of one slot."""

    first: int
    length: int
    kind: Kind
    slot: int = 0


def fill_name(segment: Segment, *, has_slots: bool) -> str:
    """Return what stands in a cell that is filled: its slot, where there are several."""
    return f"fill{segment.slot}" if has_slots else ""


def reads(axis: Map, index: int) -> bool:
    """Return whether any output of an axis reads an index; of axes that fold very often, any of the first outputs."""
    for count, first, stride in islice(runs_of(axis), MOST_RUNS):
        if first is not None:
            y, rest = divmod(index - first, stride) if stride else (0, index - first)
            if not rest and 0 <= y < count:
                return True
    return False


# What a coordinate beyond the ends reads in these modes.
_BEYOND = {SampleMode.FILL: Kind.FILL, SampleMode.CLAMP: Kind.EDGE}


def segments_of(axis: Map, most: int) -> list[Segment]:
    """Return the segments of an axis, at most so many; their counts fall short of the axis's if there are more.

    Examples
    --------
    >>> axis = AxisMap.create(5, -2, 1, 9, SampleMode.REFLECT)
    >>> [(segment.first, segment.length, segment.kind.value) for segment in segments_of(axis, 9)]
    [(0, 2, 'mirrored'), (2, 5, 'inside'), (7, 2, 'mirrored')]
    """
    if type(axis) is RunMap:
        return _segments_of_runs(axis, most)
    assert type(axis) is AxisMap
    if axis.is_strict:
        return [Segment(0, axis.count, Kind.INSIDE)] if axis.count else []
    segments: list[Segment] = []
    y = 0
    while y < axis.count and len(segments) < most:
        kind, low, high = _stretch(axis, axis.start + y * axis.stride)
        n = axis.count - y
        if axis.stride > 0 and high is not None:
            n = min(n, (high - (axis.start + y * axis.stride)) // axis.stride + 1)
        elif axis.stride < 0 and low is not None:
            n = min(n, (axis.start + y * axis.stride - low) // -axis.stride + 1)
        segments.append(Segment(y, n, kind))
        y += n
    return segments


def _segments_of_runs(axis: RunMap, most: int) -> list[Segment]:
    """Return a segment a run: what goes up the axis is inside, what goes down is mirrored, what stays is an edge."""
    segments, first = [], 0
    for run in axis.runs[:most]:
        kind = Kind.INSIDE if run.stride > 0 else Kind.MIRRORED if run.stride < 0 else Kind.EDGE
        segments.append(
            Segment(first, run.count, Kind.FILL, run.stride) if run.first is None else Segment(first, run.count, kind)
        )
        first += run.count
    return segments


def _stretch(axis: AxisMap, x: int) -> tuple[Kind, int | None, int | None]:
    """Return what a coordinate reads, and the lowest and the highest one around it that do so; None for no end."""
    d, mode = axis.extent, axis.mode
    if 0 <= x < d:
        return Kind.INSIDE, 0, d - 1
    if mode in _BEYOND:
        return (_BEYOND[mode], None, -1) if x < 0 else (_BEYOND[mode], d, None)
    if mode is SampleMode.WRAP:
        lap = x // d
        return Kind.WRAPPED, lap * d, lap * d + d - 1
    # Coordinates go up and down in turn; where the edge is not repeated, it belongs to the way up.
    period = 2 * d if mode is SampleMode.SYMMETRIC else 2 * d - 2
    lap, at = divmod(x, period)
    if at < d:
        return Kind.WRAPPED, lap * period, lap * period + d - 1
    return Kind.MIRRORED, lap * period + d, (lap + 1) * period - 1


def shown_outputs(segments: Sequence[Segment], most: int) -> list[int | None]:
    """Return which outputs to show, all of them if they are few; None stands for those that are left out.

    Examples
    --------
    >>> shown_outputs([Segment(0, 2, Kind.FILL), Segment(2, 100, Kind.INSIDE), Segment(102, 1, Kind.FILL)], 9)
    [0, 1, 2, 3, None, 101, 102]
    """
    total = sum([segment.length for segment in segments])
    if total <= most:
        return list(range(total))
    each = max((most - 2 * len(segments)) // (2 * len(segments)), 1)
    shown: list[int | None] = []
    for first, length, _, _ in segments:
        if length <= 2 * each + 2:
            shown += range(first, first + length)
        else:
            shown += [*range(first, first + each + 1), None, *range(first + length - each, first + length)]
    return shown


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
