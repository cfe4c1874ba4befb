"""Segments: the outputs of an axis in order, as pieces that read the source in one way, and which of them to show."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._map_runs import runs_of
from fastops._geometry._run_map import MOST_RUNS, Map, RunMap
from fastops._geometry._sample_mode import SampleMode


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
