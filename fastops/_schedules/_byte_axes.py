"""Axes in bytes: an axis of a plan, laid over the memory of its source and its output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import NamedTuple, TypeAlias, final

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._map_runs import inside_of
from fastops._geometry._run_map import Map, RunMap
from fastops._geometry._sample_mode import SampleMode
from fastops.kernels._arithmetic import circle_of, walk_of
from fastops.kernels._tables import _gather as t


# Not frozen: a schedule is made at each call with new attributes, and frozen objects take twice as long to make.
@final
@dataclass(slots=True, eq=False)
class PlainAxis:
    """An axis that is one run: output y reads `first + y * src_pitch`. Bytes."""

    count: int
    dst_pitch: int
    src_pitch: int
    first: int = 0

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        return (t.AFFINE, self.count, self.dst_pitch, 0, self.count, self.first, self.src_pitch, 0, 0, 0)


@final
@dataclass(slots=True, eq=False)
class SegmentAxis:
    """An axis with one run of outputs [lo, hi); those on either side repeat one element, or are FILL. Bytes."""

    count: int
    dst_pitch: int
    src_pitch: int
    first: int
    lo: int
    hi: int
    before: int
    after: int
    slot: int = 0

    @property
    def is_fill(self) -> bool:
        """True if every output is the fill value."""
        return self.lo == self.hi and self.after == t.FILL

    @property
    def reads_fill(self) -> bool:
        """True if any output is."""
        return (self.lo > 0 and self.before == t.FILL) or (self.hi < self.count and self.after == t.FILL)

    @classmethod
    def all_fill(cls, count: int, dst_pitch: int, slot: int = 0) -> SegmentAxis:
        """Return an axis of which every output is the fill value of a slot."""
        return cls(count, dst_pitch, 0, 0, 0, 0, t.FILL, t.FILL, slot)

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        segments = (self.lo, self.hi, self.first, self.src_pitch, self.before, self.after)
        return (t.AFFINE, self.count, self.dst_pitch, *segments, 0)


@final
@dataclass(slots=True, eq=False)
class WalkAxis:
    """An axis that goes around a circle of positions, as `fastops.kernels._tables._gather` describes it."""

    count: int
    dst_pitch: int
    start: int
    advance: int
    period: int
    fold: int
    top: int
    index_pitch: int

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        # Of neighbours it is the whole circle, however long that is.
        cycle = self.period if self.advance in (1, -1) else self.period // gcd(self.period, self.advance)
        circle = (self.start, self.advance, self.period, self.fold, self.top, self.index_pitch, cycle)
        return (t.WALK, self.count, self.dst_pitch, *circle)


class ByteRun(NamedTuple):
    """Outputs from `begin` on that are read at one pitch, from `first` on; or the fill value of a slot. Bytes."""

    begin: int
    first: int
    src_pitch: int
    slot: int = 0


@final
@dataclass(slots=True, eq=False)
class ListedAxis:
    """An axis of any runs, one behind the other. Bytes."""

    count: int
    dst_pitch: int
    runs: list[ByteRun]

    def end_of(self, i: int) -> int:
        """The output behind run i."""
        return self.runs[i + 1].begin if i + 1 < len(self.runs) else self.count

    def row(self, words: int) -> tuple[int, ...]:
        """The axis as a row of the table; its list begins so many words behind the row's beginning."""
        return (t.LISTED, self.count, self.dst_pitch, len(self.runs), words, 0, 0, 0, 0, 0)

    def words(self) -> list[int]:
        """The words of its list."""
        words: list[int] = []
        for begin, first, src_pitch, _ in self.runs:
            words += (begin, first, src_pitch)
        return [*words, self.count, t.FILL, 0]


ByteAxis: TypeAlias = PlainAxis | SegmentAxis | WalkAxis | ListedAxis


def copy_axis(axis: ByteAxis) -> ByteAxis:
    """Return the same axis for a part that may change it."""
    return replace(axis)


def lay_axis(axis: Map, byte_stride: int, dst_pitch: int) -> ByteAxis:
    """Return an axis of a plan in bytes."""
    if type(axis) is RunMap:
        return _lay_runs(axis, byte_stride, dst_pitch)
    assert type(axis) is AxisMap
    mode = axis.mode
    if mode is SampleMode.STRICT_BOUNDS:
        return PlainAxis(axis.count, dst_pitch, axis.stride * byte_stride, axis.start * byte_stride)
    if mode is SampleMode.FILL or mode is SampleMode.CLAMP:
        return _lay_segments(axis, byte_stride, dst_pitch)
    if byte_stride == 0:
        return PlainAxis(axis.count, dst_pitch, 0)
    return _lay_walk(axis.extent, axis.start, axis.stride, axis.count, mode, byte_stride, dst_pitch)


def _lay_runs(axis: RunMap, byte_stride: int, dst_pitch: int) -> ByteAxis:
    """Return an axis of several runs: segments where it has one with something constant on either side."""
    runs, begin = [], 0
    for count, first, stride in axis.runs:
        pitch = stride * byte_stride if count > 1 else 0
        run = ByteRun(begin, t.FILL, 0, stride) if first is None else ByteRun(begin, first * byte_stride, pitch)
        runs.append(run)
        begin += count
    return listed_axis(axis.count, dst_pitch, runs)


def listed_axis(count: int, dst_pitch: int, runs: list[ByteRun]) -> ByteAxis:
    """Return the axis of runs in the simplest form that it has."""
    slots = {run.slot for run in runs if run.first == t.FILL}
    slot = max(slots, default=0)
    if len(runs) == 1 and slots:
        return SegmentAxis.all_fill(count, dst_pitch, slot)
    if len(slots) <= 1:
        listed = ListedAxis(count, dst_pitch, runs)
        for i, run in enumerate(runs[:2]):
            is_alone = not any([other.src_pitch for other in runs if other is not run])
            if run.first == t.FILL or len(runs) - i > 2 or not is_alone:
                continue
            if len(runs) == 1:
                return PlainAxis(count, dst_pitch, run.src_pitch, run.first)
            before = runs[0].first if i else 0
            after = runs[-1].first if i < len(runs) - 1 else 0
            return SegmentAxis(
                count, dst_pitch, run.src_pitch, run.first, run.begin, listed.end_of(i), before, after, slot
            )
    return ListedAxis(count, dst_pitch, runs)


def _lay_segments(axis: AxisMap, byte_stride: int, dst_pitch: int) -> SegmentAxis:
    """Return an axis in mode FILL or CLAMP: outputs before its run, the run, outputs after it."""
    extent, start, stride, count = axis.extent, axis.start, axis.stride, axis.count
    lo, hi = inside_of(extent, start, stride, count)
    before, after = 0, (extent - 1) * byte_stride
    if stride < 0:
        before, after = after, before
    if axis.mode is SampleMode.FILL:
        before = after = t.FILL
    # Offsets of runs of no or one output are not taken, and would not always fit 64 bits.
    first = (start + lo * stride) * byte_stride if lo < hi else 0
    src_pitch = stride * byte_stride if hi - lo > 1 else 0
    return SegmentAxis(count, dst_pitch, src_pitch, first, lo, hi, before, after)


def _lay_walk(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, byte_stride: int, dst_pitch: int
) -> ByteAxis:
    """Return an axis in mode WRAP, REFLECT or SYMMETRIC, of extent 2 or more."""
    period, fold = circle_of(extent, mode)
    position, advance = walk_of(start, stride, period, fold, mode)
    if advance == 0:
        return PlainAxis(count, dst_pitch, 0, min(position, fold - position) * byte_stride)
    return WalkAxis(count, dst_pitch, position, advance, period, fold, extent - 1, byte_stride)
