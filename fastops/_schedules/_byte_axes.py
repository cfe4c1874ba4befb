"""Axes in bytes: an axis of a plan, laid over the memory of its source and its output."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from fastops._plans._axis_map import AxisMap
from fastops._plans._sample_mode import SampleMode
from fastops._plans._traces import larger, smaller
from fastops.kernels._tables import _gather as t


# Not frozen: a schedule is made at each call with new attributes, and frozen objects take twice as long to make.
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

    @property
    def is_fill(self) -> bool:
        """True if every output is the fill value."""
        return self.lo == self.hi and self.after == t.FILL

    @classmethod
    def all_fill(cls, count: int, dst_pitch: int) -> SegmentAxis:
        """Return an axis of which every output is the fill value."""
        return cls(count, dst_pitch, 0, 0, 0, 0, t.FILL, t.FILL)

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        segments = (self.lo, self.hi, self.first, self.src_pitch, self.before, self.after)
        return (t.AFFINE, self.count, self.dst_pitch, *segments, 0)


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


ByteAxis: TypeAlias = PlainAxis | SegmentAxis | WalkAxis


def lay_axis(axis: AxisMap, byte_stride: int, dst_pitch: int) -> ByteAxis:
    """Return an axis of a plan in bytes."""
    mode = axis.mode
    if mode is SampleMode.STRICT_BOUNDS:
        return PlainAxis(axis.count, dst_pitch, axis.stride * byte_stride, axis.start * byte_stride)
    if mode is SampleMode.FILL or mode is SampleMode.CLAMP:
        return _lay_segments(axis, byte_stride, dst_pitch)
    if byte_stride == 0:
        return PlainAxis(axis.count, dst_pitch, 0)
    return _lay_walk(axis.extent, axis.start, axis.stride, axis.count, mode, byte_stride, dst_pitch)


def _lay_segments(axis: AxisMap, byte_stride: int, dst_pitch: int) -> SegmentAxis:
    """Return an axis in mode FILL or CLAMP: outputs before its run, the run, outputs after it."""
    extent, start, stride, count = axis.extent, axis.start, axis.stride, axis.count
    if stride > 0:
        lo, hi = -(start // stride), -((start - extent) // stride)
        before, after = 0, (extent - 1) * byte_stride
    elif stride < 0:
        lo, hi = -((extent - 1 - start) // -stride), start // -stride + 1
        before, after = (extent - 1) * byte_stride, 0
    else:
        lo = hi = before = after = 0
    lo = smaller(larger(lo, 0), count)
    hi = smaller(larger(hi, lo), count)
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
    if mode is SampleMode.WRAP:
        period, fold, top = extent, t.NO_FOLD, extent - 1
    elif mode is SampleMode.REFLECT:
        period, fold, top = 2 * extent - 2, 2 * extent - 2, extent - 1
    else:
        period, fold, top = 2 * extent, 2 * extent - 1, extent - 1
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    if advance < 0 and mode is not SampleMode.WRAP:
        # Both circles are their own mirror images, so a walk down is the mirrored walk up.
        position, advance = (fold - position) % period, -advance
    if advance == 0:
        return PlainAxis(count, dst_pitch, 0, min(position, fold - position) * byte_stride)
    return WalkAxis(count, dst_pitch, position, advance, period, fold, top, byte_stride)
