"""Runs: an axis as a list of arithmetic progressions, which is what maps become that no single mode can say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError, dataclass
from itertools import islice
from math import gcd
from typing import NamedTuple, TypeAlias, final

from fastops._errors import AttributeValueError, OutOfBoundsError, fields_shown, shown
from fastops._plans._axis_map import AxisMap
from fastops._plans._numbers import is_of
from fastops._plans._sample_mode import SampleMode
from fastops._plans._traces import larger, smaller

#: Runs of an axis, of which a plan has no more: what folds more often stays one `AxisMap`, or becomes two plans.
MOST_RUNS = 1 << 12

# Folds of the later one of two maps: some of their runs may join.
_MOST_FOLDS = 4 * MOST_RUNS

_set = object.__setattr__  # How to fill a frozen object.


class Run(NamedTuple):
    """Outputs that follow each other and read an arithmetic progression, or all of which are one fill value.

    Attributes
    ----------
    count : int
        Number of outputs, >= 1.
    first : int or None
        What the first one reads; None for a fill value.
    stride : int
        From what one reads to what the next one reads, 1 where there is one only; of a fill, the number of its slot.
    """

    count: int  # type: ignore[assignment]  # The word for it; who would count in a tuple of three?
    first: int | None
    stride: int

    def source(self, y: int) -> int | None:
        """Return what output ``y`` of the run reads, or None for the fill value."""
        return None if self.first is None else self.first + y * self.stride


@final
@dataclass(frozen=True, slots=True, init=False)
class RunMap:
    """How one axis of the source is read: run after run.

    The list is canonical: each run takes as many outputs as follow it, from the left. So two maps of one extent are
    equal if and only if they read the same.

    Attributes
    ----------
    extent : int
        Length of the source axis, >= 0.
    runs : tuple of Run
        At most 4096.
    count : int
        Number of outputs.
    """

    extent: int
    runs: tuple[Run, ...]
    count: int

    def __init__(self, extent: int, runs: Sequence[Run]) -> None:
        if not is_of(runs, list, tuple):
            raise AttributeValueError("RunMap", "runs", "be a list or a tuple of Runs", runs)
        given = tuple(islice(runs, MOST_RUNS + 1))
        if type(extent) is not int or extent < 0:
            raise AttributeValueError("RunMap", "extent", "be an integer of at least 0", extent)
        if len(given) > MOST_RUNS:
            raise AttributeValueError("RunMap", "runs", f"be at most {MOST_RUNS}", len(runs))
        for run in given:
            if type(run) is not Run or not type(run.count) is type(run.stride) is int or run.count < 1:
                raise AttributeValueError("RunMap", "runs", "be Runs of at least one output", run)
            if run.first is None:
                if run.stride < 0:
                    raise AttributeValueError("RunMap", "runs", "have fill slots from 0 on", run)
            elif type(run.first) is not int or not (
                0 <= run.first < extent and 0 <= run.first + (run.count - 1) * run.stride < extent
            ):
                raise OutOfBoundsError("RunMap", "runs", f"read in 0..{shown(extent - 1)}", run)
        canonical = tuple(join_runs(given))
        if hasattr(self, "runs"):
            raise FrozenInstanceError("a RunMap is made once")
        _set(self, "extent", extent)
        _set(self, "runs", canonical)
        _set(self, "count", sum([run.count for run in canonical]))

    def __reduce__(self) -> tuple[object, ...]:
        return RunMap, (self.extent, self.runs)

    def __setstate__(self, _: object) -> None:
        raise FrozenInstanceError("a RunMap is made once")

    @property
    def is_strict(self) -> bool:
        """True if every output reads in bounds, at one stride."""
        return len(self.runs) == 1 and self.runs[0].first is not None

    @property
    def slots(self) -> tuple[int, ...]:
        """The fill slots that it reads."""
        return tuple(sorted({run.stride for run in self.runs if run.first is None}))

    def source(self, y: int) -> int | None:
        """Return the source index that output ``y`` reads, or None for a fill value.

        Examples
        --------
        >>> axis = RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])
        >>> [axis.source(y) for y in range(5)]
        [None, None, 4, 2, 0]
        """
        if type(y) is not int or not 0 <= y < self.count:
            raise OutOfBoundsError("RunMap.source", "y", f"be in 0..{shown(self.count - 1)}", y)
        for run in self.runs:
            if y < run.count:
                break
            y -= run.count
        return run.source(y)

    __repr__ = fields_shown

    def __str__(self) -> str:
        return f"extent {shown(self.extent)}, count {shown(self.count)}, {len(self.runs)} runs"


#: How an axis of a plan reads its axis of the source, or a window of it.
Map: TypeAlias = AxisMap | RunMap


def join_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield the same outputs as runs of which each takes as many outputs as follow it, from the left.

    Examples
    --------
    >>> list(join_runs([Run(2, 2, -1), Run(4, 0, 1), Run(1, None, 0), Run(2, None, 0)]))
    [Run(count=3, first=2, stride=-1), Run(count=3, first=1, stride=1), Run(count=3, first=None, stride=0)]
    """
    last: Run | None = None
    for run in runs:
        count, first, stride = run
        while count and last is not None:
            n = _joined(last, count, first, stride)
            if not n:
                yield last
                last = None
            else:
                if last.count == 1 and last.first is not None and first is not None:
                    last = Run(1 + n, last.first, first - last.first)
                else:
                    last = Run(last.count + n, last.first, last.stride)
                count -= n
                first = None if first is None else first + n * stride
                if count:
                    yield last
                    last = None
        if count:
            last = Run(count, first, stride if count > 1 or first is None else 1)
    if last is not None:
        yield last


def _joined(last: Run, count: int, first: int | None, stride: int) -> int:
    """Return how many outputs of a run continue the one before it."""
    if last.first is None or first is None:
        return count if last.first is first and last.stride == stride else 0
    # The stride of one output is whatever leads to the next.
    step = first - last.first if last.count == 1 else last.stride
    if last.first + last.count * step != first:
        return 0
    return count if stride == step or count == 1 else 1


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
    if stride > 0:
        lo, hi = -(start // stride), -((start - extent) // stride)
    elif stride < 0:
        lo, hi = -((extent - 1 - start) // -stride), start // -stride + 1
    else:
        lo, hi = (0, count) if 0 <= start < extent else (0, 0)
    lo = smaller(larger(lo, 0), count)
    return lo, smaller(larger(hi, lo), count)


def _laps(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> Iterator[Run]:
    """Yield the ways up and down an axis; the mode is WRAP, REFLECT or SYMMETRIC."""
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
    if mode is SampleMode.WRAP:
        return extent
    return 2 * extent - 2 if mode is SampleMode.REFLECT else 2 * extent


def cycle_of(axis: Map) -> int | None:
    """Return after how many outputs an axis reads the same again, where its mode goes around; None otherwise."""
    if type(axis) is not AxisMap or axis.mode not in (SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return None
    period = period_of(axis.extent, axis.mode)
    return period // gcd(period, axis.stride)


def read_from(axis: Map, start: int, stride: int, count: int) -> Map:
    """Return the map that reads what outputs ``start``, ``start + stride``, ... of a map read: ``count`` of them."""
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, axis.start + start * axis.stride, axis.stride * stride, count, axis.mode)
    return map_of_runs(axis.extent, _runs_from(axis, start, stride, count))


def map_of_runs(extent: int, runs: Iterable[Run]) -> Map:
    """Return the map of runs, joined: an `AxisMap` where it is one run that reads."""
    joined = tuple(islice(join_runs(runs), MOST_RUNS + 1))
    count, first, stride = joined[0] if joined else Run(0, None, 0)
    if len(joined) == 1 and first is not None:
        return AxisMap.create(extent, first, stride, count)
    return RunMap(extent, joined)


def _runs_from(axis: Map, start: int, stride: int, count: int) -> Iterator[Run]:
    """Yield what a map reads at its outputs ``start``, ``start + stride``, ...: each run is divided, not walked."""
    assert type(axis) is RunMap
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
    if not reads_fill(outer) and type(inner) is RunMap and len(inner.runs) == 1:
        # Nothing but one fill value, however often the outer one folds.
        return read_from(inner, 0, 0, outer.count)
    return map_of_runs(inner.extent, _composed(inner, outer, first_slot))


def _composed(inner: Map, outer: Map, first_slot: int) -> Iterator[Run]:
    for folds, (count, first, stride) in enumerate(runs_of(outer)):
        if folds >= _MOST_FOLDS:
            raise AttributeValueError.about("runs", f"be at most {MOST_RUNS}", folds)
        if first is None:
            yield Run(count, None, stride + first_slot)
        else:
            yield from runs_of(read_from(inner, first, stride, count))


def shift_slots(axis: Map, first_slot: int) -> Map:
    """Return a map with its fill slots counted from another one on."""
    if not first_slot or not reads_fill(axis):
        return axis
    runs = [Run(n, first, stride + first_slot if first is None else stride) for n, first, stride in runs_of(axis)]
    return RunMap(axis.extent, runs)


def reads_fill(axis: Map) -> bool:
    """True if any output of a map is a fill value."""
    return bool(axis.slots) if type(axis) is RunMap else axis.mode is SampleMode.FILL
