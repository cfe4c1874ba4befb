"""The runs of an axis, and the composition of two maps: the later one reads the outputs of the earlier one.

An axis has a run for each time that its map folds or wraps around. If the later map is strict, or the earlier one reads
all of its axis in order, the composed map is of the kind of the other one; otherwise it is made of runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import accumulate, islice
from math import gcd

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map, Run, RunMap, canonical_axis, is_affine, join_runs
from fastops._geometry._sample_mode import SampleMode
from fastops.kernels._arithmetic import circle_of, inside_of_line

_PERIODIC = (SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC)


class Kind(Enum):
    """How the outputs of a segment read the source."""

    INSIDE = "inside"
    FILL = "fill"
    EDGE = "edge"
    WRAPPED = "wrapped"
    MIRRORED = "mirrored"


def runs_of(axis: Map) -> Iterator[Run]:
    """Yield the runs of an axis, in canonical form.

    Examples
    --------
    >>> list(runs_of(AxisMap.create(4, -2, 1, 8, SampleMode.REFLECT)))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=2, first=2, stride=-1)]
    """
    if type(axis) is RunMap:
        return iter(axis.runs)
    if axis.mode in _PERIODIC:
        reads = {axis.source(y) for y in range(min(axis.count, 3))}
        if len(reads) == 1:
            # All outputs read one index, because two strides are a multiple of the period. Do not list segments: there
            # may be one for each output.
            return iter((Run(axis.count, reads.pop(), 0),))
    return join_runs(run for _, run in segments_of(axis))


def segments_of(axis: Map) -> Iterator[tuple[Kind, Run]]:
    """Yield the segments of an axis: neighbouring outputs that read the source in one way, and their run.

    Examples
    --------
    >>> axis = AxisMap.create(5, -2, 1, 9, SampleMode.REFLECT)
    >>> [(kind.value, run.count) for kind, run in segments_of(axis)]
    [('mirrored', 2), ('inside', 5), ('mirrored', 2)]
    """
    if type(axis) is RunMap:
        for run in axis.runs:
            kind = Kind.INSIDE if run.stride > 0 else Kind.MIRRORED if run.stride < 0 else Kind.EDGE
            yield Kind.FILL if run.first is None else kind, run
        return
    extent, start, stride, count, mode = axis
    lo, hi = (0, count) if mode is SampleMode.STRICT_BOUNDS else inside_of_line(extent, start, stride, count)
    lo = min(max(lo, 0), count)
    hi = min(max(hi, lo), count)
    for y, n in ((0, lo), (lo, hi - lo), (hi, count - hi)):
        x = start + y * stride
        if not n:
            continue
        if 0 <= x < extent:
            yield Kind.INSIDE, Run(n, x, stride)
        elif mode is SampleMode.FILL:
            yield Kind.FILL, Run(n, None, 0)
        elif mode is SampleMode.CLAMP:
            yield Kind.EDGE, Run(n, 0 if x < 0 else extent - 1, 0)
        else:
            yield from _laps(extent, x, stride, n, mode)


def _laps(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> Iterator[tuple[Kind, Run]]:
    """Yield a segment for each pass up or down an axis; the mode is WRAP, REFLECT or SYMMETRIC."""
    period, fold = circle_of(extent, mode)
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    while count:
        kind, index, step = Kind.WRAPPED, position, advance
        room = extent - 1 - position if advance > 0 else position
        if position >= extent:
            # The mirrored half of the period, in which the sum of index and position is constant.
            kind, index, step = Kind.MIRRORED, fold - position, -advance
            room = period - 1 - position if advance > 0 else position - extent
        n = min(count, room // abs(advance) + 1) if advance else count
        yield kind, Run(n, index, step)
        count -= n
        position = (position + n * advance) % period


def cycle_of(axis: Map) -> int | None:
    """Return the number of outputs after which a periodic axis repeats; None for other axes."""
    if type(axis) is not AxisMap or axis.mode not in _PERIODIC:
        return None
    period, _ = circle_of(axis.extent, axis.mode)
    return period // gcd(period, axis.stride)


# The most runs of the later map that a composition reads.
_MOST_FOLDS = 8 * MOST_RUNS


def compose_maps(inner: Map, outer: Map, first_slot: int) -> Map:
    """Return the map by which ``outer`` reads the outputs of ``inner``; the slots of ``outer`` begin at ``first_slot``.

    Raises
    ------
    AttributeValueError
        The composed map has more than MOST_RUNS runs, or ``outer`` has more than _MOST_FOLDS.
    """
    if is_affine(outer):
        _, start, stride, count, _ = outer
        return inner if stride == 1 and count == inner.count else read_from(inner, start, stride, count)
    if inner == AxisMap.whole(inner.extent):
        return shift_slots(outer, first_slot)
    return map_of_runs(inner.extent, _composed(inner, outer, first_slot))


def _composed(inner: Map, outer: Map, first_slot: int) -> Iterator[Run]:
    # A periodic outer map reads the same runs in each period.
    known: dict[Run, list[Run]] = {}
    for n, run in enumerate(runs_of(outer)):
        count, first, stride = run
        if n == _MOST_FOLDS:
            # Even if the runs joined to a few, all of them would have to be read first.
            raise AttributeValueError.about("runs", f"be at most {_MOST_FOLDS}", n + 1)
        if first is None:
            known[run] = [Run(count, None, stride + first_slot)]
        elif run not in known:
            known[run] = list(islice(runs_of(read_from(inner, first, stride, count)), MOST_RUNS + 1))
        yield from known[run]


def read_from(axis: Map, start: int, stride: int, count: int) -> Map:
    """Return the map of ``count`` outputs of a map: ``start``, ``start + stride``, and so on."""
    if type(axis) is AxisMap:
        extent, first, step, _, mode = axis
        return canonical_axis(extent, first + start * step, step * stride, count, mode)
    return map_of_runs(axis.extent, _runs_from(axis, start, stride, count))


def _runs_from(axis: RunMap, start: int, stride: int, count: int) -> Iterator[Run]:
    """Yield the runs of outputs ``start``, ``start + stride``, ... of a map, by one division for each run."""
    ends = list(accumulate([run.count for run in axis.runs]))
    at = start
    while count:
        k = bisect_right(ends, at)
        length, first, step = axis.runs[k]
        low, high = ends[k] - length, ends[k]
        room = (high - 1 - at) // stride if stride > 0 else (at - low) // -stride if stride else count
        n = min(count, room + 1)
        yield Run(n, None, step) if first is None else Run(n, first + (at - low) * step, stride * step)
        count -= n
        at += n * stride


def map_of_runs(extent: int, runs: Iterable[Run]) -> Map:
    """Return the map of runs: an `AxisMap` if they join to one run that reads the source, or else a `RunMap`."""
    joined = tuple(islice(join_runs(runs), MOST_RUNS + 1))
    count, first, stride = joined[0] if joined else Run(0, None, 0)
    if len(joined) == 1 and first is not None:
        return AxisMap.create(extent, first, stride, count)
    return RunMap(extent, joined)


def shift_slots(axis: Map, first_slot: int) -> Map:
    """Return a map with ``first_slot`` added to the number of each fill slot."""
    if not first_slot or not slots_of(axis):
        return axis
    runs = [Run(n, first, stride + first_slot if first is None else stride) for n, first, stride in runs_of(axis)]
    return RunMap(axis.extent, runs)


def constant_map(axis: Map) -> Map:
    """Return a map over one element, which is filled at the outputs at which ``axis`` is filled."""
    if not slots_of(axis):
        return AxisMap.create(1, 0, 0, axis.count)
    return map_of_runs(1, [run.moved(0, 0) for run in runs_of(axis)])


def mirrored_map(axis: Map) -> Map:
    """Return a map whose indices are counted from the other end of the axis."""
    last = axis.extent - 1
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, last - axis.start, -axis.stride, axis.count, axis.mode)
    return map_of_runs(axis.extent, [run.moved(last, -1) for run in runs_of(axis)])


def is_fill(axis: Map) -> bool:
    """True for a map that has outputs, all of which are fill values."""
    return bool(slots_of(axis)) and all([run.first is None for run in runs_of(axis)])


def slots_of(axis: Map) -> tuple[int, ...]:
    """Return the fill slots that a map reads."""
    if type(axis) is RunMap:
        return tuple(sorted({run.stride for run in axis.runs if run.first is None}))
    return (0,) if axis.mode is SampleMode.FILL else ()
