"""The runs of an axis, and the map that two maps of one axis make, one after the other.

The number of runs is that of the folds, turning points and wraps of the axis, and never depends on its count. A
composed map is an `AxisMap` where one mode describes it, and a `RunMap` otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import gcd

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map, Run, RunMap, join_runs
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
    extent, start, stride, count, mode = axis
    if count == 0:
        return
    if mode is SampleMode.STRICT_BOUNDS:
        yield Run(count, start, stride)
    elif mode is SampleMode.CLAMP or mode is SampleMode.FILL:
        # The outputs before the axis, on it, and behind it.
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
        # All outputs read one index: the second coordinate is the first one or its mirror image, and two strides are a
        # period.
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
            # On the way down; the sum of an index and its position is the same everywhere.
            index, step = (2 * extent - (2 if mode is SampleMode.REFLECT else 1)) - position, -advance
            room = period - 1 - position if advance > 0 else position - extent
        n = min(count, room // abs(advance) + 1) if advance else count
        yield Run(n, index, step)
        count -= n
        position = (position + n * advance) % period


def cycle_of(axis: Map) -> int | None:
    """Return after how many outputs an axis of a periodic mode reads the same again; None for other axes."""
    if type(axis) is not AxisMap or axis.mode not in (SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return None
    period, _ = circle_of(axis.extent, axis.mode)
    return period // gcd(period, axis.stride)


# The most runs that a composition goes through; some of them join.
_MOST_FOLDS = 8 * MOST_RUNS


def compose_maps(inner: Map, outer: Map, first_slot: int) -> Map:
    """Return the map of ``outer`` over what ``inner`` gives; the slots of ``outer`` begin at ``first_slot``.

    Raises
    ------
    AttributeValueError
        They have more than MOST_RUNS runs together.
    """
    if type(outer) is AxisMap and outer.is_strict:
        return read_from(inner, outer.start, outer.stride, outer.count)
    if type(inner) is AxisMap and inner == AxisMap.whole(inner.extent):
        return shift_slots(outer, first_slot)
    if not reads_fill(outer) and type(inner) is RunMap and len(inner.runs) == 1 and inner.runs[0].first is None:
        # All outputs are one fill value, however often the outer map folds.
        return read_from(inner, 0, 0, outer.count)
    return map_of_runs(inner.extent, _composed(inner, outer, first_slot))


def _composed(inner: Map, outer: Map, first_slot: int) -> Iterator[Run]:
    left = _MOST_FOLDS
    # Each pass around an axis is the same.
    known: dict[Run, tuple[Run, ...]] = {}
    for run in runs_of(outer):
        count, first, stride = run
        if first is None:
            own: tuple[Run, ...] = (Run(count, None, stride + first_slot),)
        elif run in known:
            own = known[run]
        else:
            pieces = tuple(islice(_pieces(inner, first, stride, count), left + 1))
            left -= len(pieces)
            own = known[run] = tuple(join_runs(pieces))
        left -= len(own)
        if left < 0:
            raise AttributeValueError.about("runs", f"be at most {MOST_RUNS}", _MOST_FOLDS - left)
        yield from own


def _pieces(axis: Map, start: int, stride: int, count: int) -> Iterator[Run]:
    """Yield the runs that `read_from` joins."""
    if type(axis) is RunMap:
        return _runs_from(axis, start, stride, count)
    return runs_of(read_from(axis, start, stride, count))


def read_from(axis: Map, start: int, stride: int, count: int) -> Map:
    """Return the map of ``count`` outputs of a map: ``start``, ``start + stride``, and so on."""
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, axis.start + start * axis.stride, axis.stride * stride, count, axis.mode)
    return map_of_runs(axis.extent, _pieces(axis, start, stride, count))


def _runs_from(axis: RunMap, start: int, stride: int, count: int) -> Iterator[Run]:
    """Yield the runs of outputs ``start``, ``start + stride``, ... of a map, by one division a run."""
    ends = []
    end = 0
    for run in axis.runs:
        end += run.count
        ends.append(end)
    k = 0
    at = start
    while count:
        while at >= ends[k]:
            k += 1
        while at < ends[k] - axis.runs[k].count:
            k -= 1
        low, high = ends[k] - axis.runs[k].count, ends[k]
        if stride > 0:
            n = min(count, (high - 1 - at) // stride + 1)
        else:
            n = min(count, (at - low) // -stride + 1) if stride else count
        _, first, step = axis.runs[k]
        yield Run(n, None, step) if first is None else Run(n, first + (at - low) * step, stride * step)
        count -= n
        at += n * stride


def map_of_runs(extent: int, runs: Iterable[Run]) -> Map:
    """Return the map of runs, joined: an `AxisMap` where it is one run that reads."""
    joined = tuple(islice(join_runs(runs), MOST_RUNS + 1))
    count, first, stride = joined[0] if joined else Run(0, None, 0)
    if len(joined) == 1 and first is not None:
        return AxisMap.create(extent, first, stride, count)
    return RunMap(extent, joined)


def shift_slots(axis: Map, first_slot: int) -> Map:
    """Return a map with its fill slots moved up by ``first_slot``."""
    if not first_slot or not reads_fill(axis):
        return axis
    runs = [Run(n, first, stride + first_slot if first is None else stride) for n, first, stride in runs_of(axis)]
    return RunMap(axis.extent, runs)


def constant_map(axis: Map) -> Map:
    """Return a map that reads index 0 of one element wherever another map reads any index."""
    if not reads_fill(axis):
        return AxisMap.create(1, 0, 0, axis.count)
    return map_of_runs(1, [run if run.first is None else Run(run.count, 0, 0) for run in runs_of(axis)])


def mirrored_map(axis: Map) -> Map:
    """Return a map whose indices are counted from the other end of the axis."""
    last = axis.extent - 1
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, last - axis.start, -axis.stride, axis.count, axis.mode)
    runs = [run if run.first is None else Run(run.count, last - run.first, -run.stride) for run in runs_of(axis)]
    return map_of_runs(axis.extent, runs)


def reads_fill(axis: Map) -> bool:
    """True if any output of a map is a fill value."""
    return bool(slots_of(axis))


def is_fill(axis: Map) -> bool:
    """True for a map whose outputs are all fill values, and that has some."""
    return reads_fill(axis) and all([run.first is None for run in runs_of(axis)])


def slots_of(axis: Map) -> tuple[int, ...]:
    """Return the fill slots that a map reads."""
    if type(axis) is RunMap:
        return axis.slots
    return (0,) if axis.mode is SampleMode.FILL else ()
