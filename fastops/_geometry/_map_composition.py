"""Maps that follow each other: one map of one axis that reads what a later one reads of what an earlier one gives.

It is an `AxisMap` where one mode can say it, and else the list of its runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._map_runs import runs_of
from fastops._geometry._run_map import MOST_RUNS, Map, Run, RunMap, join_runs
from fastops._geometry._sample_mode import SampleMode

# Runs of both maps that are gone through, of which some may join.
_MOST_FOLDS = 8 * MOST_RUNS


def compose_maps(inner: Map, outer: Map, first_slot: int) -> Map:
    """Return the map that reads through ``outer`` what ``inner`` gives; fill slots of ``outer`` count from one on.

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
        # Nothing but one fill value, however often the outer one folds.
        return read_from(inner, 0, 0, outer.count)
    return map_of_runs(inner.extent, _composed(inner, outer, first_slot))


def _composed(inner: Map, outer: Map, first_slot: int) -> Iterator[Run]:
    left = _MOST_FOLDS
    # Ways around an axis are the same each time.
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
    """Yield what `read_from` reads, not joined."""
    if type(axis) is RunMap:
        return _runs_from(axis, start, stride, count)
    return runs_of(read_from(axis, start, stride, count))


def read_from(axis: Map, start: int, stride: int, count: int) -> Map:
    """Return the map that reads what outputs ``start``, ``start + stride``, ... of a map read: ``count`` of them."""
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, axis.start + start * axis.stride, axis.stride * stride, count, axis.mode)
    return map_of_runs(axis.extent, _pieces(axis, start, stride, count))


def _runs_from(axis: RunMap, start: int, stride: int, count: int) -> Iterator[Run]:
    """Yield what a map reads at its outputs ``start``, ``start + stride``, ...: each run is divided, not walked."""
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
    """Return a map with its fill slots counted from another one on."""
    if not first_slot or not reads_fill(axis):
        return axis
    runs = [Run(n, first, stride + first_slot if first is None else stride) for n, first, stride in runs_of(axis)]
    return RunMap(axis.extent, runs)


def constant_map(axis: Map) -> Map:
    """Return a map over one element, which is read wherever another map reads any."""
    if not reads_fill(axis):
        return AxisMap.create(1, 0, 0, axis.count)
    return map_of_runs(1, [run if run.first is None else Run(run.count, 0, 0) for run in runs_of(axis)])


def mirrored_map(axis: Map) -> Map:
    """Return a map over a window that is counted from its other end."""
    last = axis.extent - 1
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, last - axis.start, -axis.stride, axis.count, axis.mode)
    return map_of_runs(axis.extent, [r if r.first is None else scaled_run(r, last, -1) for r in runs_of(axis)])


def scaled_run(run: Run, offset: int, step: int) -> Run:
    """Return a run that reads every ``step`` from an offset on, where another one reads every index."""
    assert run.first is not None
    return Run(run.count, offset + step * run.first, step * run.stride)


def reads_fill(axis: Map) -> bool:
    """True if any output of a map is a fill value."""
    return bool(slots_of(axis))


def is_fill(axis: Map) -> bool:
    """True for a map with outputs of which none reads anything."""
    return reads_fill(axis) and all([run.first is None for run in runs_of(axis)])


def slots_of(axis: Map) -> tuple[int, ...]:
    """Return the fill slots that a map reads."""
    if type(axis) is RunMap:
        return axis.slots
    return (0,) if axis.mode is SampleMode.FILL else ()
