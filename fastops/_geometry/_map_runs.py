"""The runs of an axis, whatever form its map has: from fold to fold, so that their number never depends on a count."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._run_map import Map, Run, RunMap, join_runs
from fastops._geometry._sample_mode import SampleMode, source_index
from fastops.kernels._arithmetic import circle_of, inside_of_line


def runs_of(axis: Map) -> Iterator[Run]:
    """Yield the runs of an axis, joined; their number is that of its folds, whatever its count is.

    Examples
    --------
    >>> list(runs_of(AxisMap.create(4, -2, 1, 8, SampleMode.REFLECT)))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=2, first=2, stride=-1)]
    """
    return iter(axis.runs) if type(axis) is RunMap else join_runs(_stretches(axis))


def _stretches(axis: AxisMap) -> Iterator[Run]:
    """Yield runs that an axis goes through between its folds."""
    extent, start, stride, count, mode = axis.extent, axis.start, axis.stride, axis.count, axis.mode
    if count == 0:
        return
    if mode is SampleMode.STRICT_BOUNDS:
        yield Run(count, start, stride)
    elif mode is SampleMode.CLAMP or mode is SampleMode.FILL:
        yield from _segments(extent, start, stride, count, mode)
    else:
        yield from _laps(extent, start, stride, count, mode)


def _segments(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> Iterator[Run]:
    """Yield what lies before, in and behind an axis; the mode is CLAMP or FILL."""
    lo, hi = inside_of(extent, start, stride, count)
    before, after = (extent - 1, 0) if stride < 0 else (0, extent - 1)
    if mode is SampleMode.FILL:
        outside = [Run(lo, None, 0), Run(count - hi, None, 0)]
    else:
        outside = [Run(lo, before, 0), Run(count - hi, after, 0)]
    parts = (outside[0], Run(hi - lo, start + lo * stride, stride), outside[1])
    yield from [run for run in parts if run.count]


def inside_of(extent: int, start: int, stride: int, count: int) -> tuple[int, int]:
    """Return the first output that reads inside an axis, and the one behind the last; twice the same for none.

    The numbers may be traced.
    """
    lo, hi = inside_of_line(extent, start, stride, count)
    lo = min(max(lo, 0), count)
    return lo, min(max(hi, lo), count)


def _laps(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> Iterator[Run]:
    """Yield the ways up and down an axis; the mode is WRAP, REFLECT or SYMMETRIC."""
    first, *others = [source_index(start + y * stride, extent, mode) for y in range(min(count, 3))]
    if others == [first] * len(others):
        # It reads one index, although its coordinates move: where the second one is the mirror image of the first
        # and the third reads the same too, two strides are a period, and the two take turns for ever.
        yield Run(count, first, 0)
        return
    period = period_of(extent, mode)
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    while count:
        if position < extent:
            index, step = position, advance
            room = extent - 1 - position if advance > 0 else position
        else:
            index, step = (2 * extent - (2 if mode is SampleMode.REFLECT else 1)) - position, -advance
            room = period - 1 - position if advance > 0 else position - extent
        n = min(count, room // abs(advance) + 1) if advance else count
        yield Run(n, index, step)
        count -= n
        position = (position + n * advance) % period


def period_of(extent: int, mode: SampleMode) -> int:
    """Return after how many coordinates WRAP, REFLECT or SYMMETRIC reads the same again."""
    return circle_of(extent, mode)[0]


def cycle_of(axis: Map) -> int | None:
    """Return after how many outputs an axis reads the same again, where its mode goes around; None otherwise."""
    if type(axis) is not AxisMap or axis.mode not in (SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return None
    period = period_of(axis.extent, axis.mode)
    return period // gcd(period, axis.stride)
