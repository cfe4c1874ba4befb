"""The runs of an axis, and the composition of two maps: the later one reads the outputs of the earlier one.

An axis has a run for each time that its map folds or wraps around. A composed map is an `AxisMap` if one mode describes
it, and a `RunMap` otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from math import gcd

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map, Run, RunMap, is_affine, join_runs
from fastops._geometry._sample_mode import SampleMode, source_index
from fastops.kernels._arithmetic import circle_of, inside_of_line


def runs_of(axis: Map) -> Iterator[Run]:
    """Yield the runs of an axis, in canonical form.

    Examples
    --------
    >>> list(runs_of(AxisMap.create(4, -2, 1, 8, SampleMode.REFLECT)))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=2, first=2, stride=-1)]
    """
    return iter(axis.runs) if type(axis) is RunMap else join_runs(_stretches(axis))


def _stretches(axis: AxisMap) -> Iterator[Run]:
    """Yield the runs of an axis from fold to fold, not joined yet."""
    extent, start, stride, count, mode = axis
    if count == 0:
        return
    if mode is SampleMode.STRICT_BOUNDS:
        yield Run(count, start, stride)
    elif mode is SampleMode.CLAMP or mode is SampleMode.FILL:
        # The outputs that read before the axis, inside it, and behind it.
        lo, hi = inside_of_line(extent, start, stride, count)
        lo = min(max(lo, 0), count)
        hi = min(max(hi, lo), count)
        ends = (None, None) if mode is SampleMode.FILL else (extent - 1, 0) if stride < 0 else (0, extent - 1)
        for run in (Run(lo, ends[0], 0), Run(hi - lo, start + lo * stride, stride), Run(count - hi, ends[1], 0)):
            if run.count:
                yield run
    else:
        yield from _laps(extent, start, stride, count, mode)


def _laps(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> Iterator[Run]:
    """Yield a run for each pass up or down an axis; the mode is WRAP, REFLECT or SYMMETRIC."""
    first, *others = [source_index(start + y * stride, extent, mode) for y in range(min(count, 3))]
    if others == [first] * len(others):
        # All outputs read one index, because two strides make a period.
        yield Run(count, first, 0)
        return
    period, _ = circle_of(extent, mode)
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    while count:
        if position < extent:
            index, step = position, advance
            room = extent - 1 - position if advance > 0 else position
        else:
            # The mirrored half of the period, in which the sum of index and position is constant.
            index, step = (2 * extent - (2 if mode is SampleMode.REFLECT else 1)) - position, -advance
            room = period - 1 - position if advance > 0 else position - extent
        n = min(count, room // abs(advance) + 1) if advance else count
        yield Run(n, index, step)
        count -= n
        position = (position + n * advance) % period


def cycle_of(axis: Map) -> int | None:
    """Return the number of outputs after which a periodic axis repeats; None for other axes."""
    if type(axis) is not AxisMap or axis.mode not in (SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return None
    period, _ = circle_of(axis.extent, axis.mode)
    return period // gcd(period, axis.stride)


# The most runs that a composition makes before they are joined.
_MOST_FOLDS = 8 * MOST_RUNS


def compose_maps(inner: Map, outer: Map, first_slot: int) -> Map:
    """Return the map by which ``outer`` reads the outputs of ``inner``; the slots of ``outer`` begin at ``first_slot``.

    Raises
    ------
    AttributeValueError
        The composed map has more than MOST_RUNS runs.
    """
    if is_affine(outer):
        return read_from(inner, outer.start, outer.stride, outer.count)
    if inner == AxisMap.whole(inner.extent):
        return shift_slots(outer, first_slot)
    if not slots_of(outer) and type(inner) is RunMap and len(inner.runs) == 1 and inner.runs[0].first is None:
        # All outputs are one fill value. Without this rule, an outer map that folds often would have too many runs.
        return read_from(inner, 0, 0, outer.count)
    return map_of_runs(inner.extent, _composed(inner, outer, first_slot))


def _composed(inner: Map, outer: Map, first_slot: int) -> Iterator[Run]:
    left = _MOST_FOLDS
    # A periodic outer map reads the same runs in each period.
    known: dict[Run, tuple[Run, ...]] = {}
    for run in runs_of(outer):
        count, first, stride = run
        if first is None:
            known[run] = (Run(count, None, stride + first_slot),)
        elif run not in known:
            known[run] = tuple(islice(runs_of(read_from(inner, first, stride, count)), left + 1))
        left -= len(known[run])
        if left < 0:
            raise AttributeValueError.about("runs", f"be at most {MOST_RUNS}", _MOST_FOLDS - left)
        yield from known[run]


def read_from(axis: Map, start: int, stride: int, count: int) -> Map:
    """Return the map of ``count`` outputs of a map: ``start``, ``start + stride``, and so on."""
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, axis.start + start * axis.stride, axis.stride * stride, count, axis.mode)
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
    """Return the map of runs: an `AxisMap` if they join to one run that reads, or else a `RunMap`."""
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
        return axis.slots
    return (0,) if axis.mode is SampleMode.FILL else ()
