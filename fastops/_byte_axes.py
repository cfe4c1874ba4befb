"""Axes in bytes: an axis of a plan, laid over the memory of its source and its output."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from fastops._modes import SampleMode
from fastops._plan import AxisMap
from fastops.kernels import _gather_table as t


@dataclass(frozen=True, slots=True)
class AffineAxis:
    """An axis with one affine run [lo, hi); outputs on either side repeat one element, or are FILL. Bytes."""

    count: int
    dst_step: int
    step: int
    first: int
    lo: int
    hi: int
    before: int = 0
    after: int = 0

    @property
    def is_plain(self) -> bool:
        """True if the run is the whole axis."""
        return self.lo == 0 and self.hi == self.count

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        return (
            t.AFFINE,
            self.count,
            self.dst_step,
            self.lo,
            self.hi,
            self.first,
            self.step,
            self.before,
            self.after,
            0,
        )


@dataclass(frozen=True, slots=True)
class WalkAxis:
    """An axis that goes around a circle of positions, as `fastops.kernels._gather_table` describes it."""

    count: int
    dst_step: int
    start: int
    advance: int
    period: int
    fold: int
    top: int
    index_step: int

    is_plain = False

    def row(self) -> tuple[int, ...]:
        """The axis as a row of the table."""
        cycle = self.period // gcd(self.period, self.advance)
        circle = (self.start, self.advance, self.period, self.fold, self.top, self.index_step, cycle)
        return (t.WALK, self.count, self.dst_step, *circle)


ByteAxis: TypeAlias = AffineAxis | WalkAxis


def lay_axis(axis: AxisMap, byte_stride: int, dst_step: int) -> ByteAxis:
    """Return an axis of a plan in bytes."""
    extent, start, stride, count, mode = axis.extent, axis.start, axis.stride, axis.count, axis.mode
    if mode is SampleMode.STRICT_BOUNDS:
        return AffineAxis(count, dst_step, stride * byte_stride, start * byte_stride, 0, count)
    if mode is SampleMode.FILL or mode is SampleMode.CLAMP:
        return _lay_segments(axis, byte_stride, dst_step)
    if byte_stride == 0:
        return AffineAxis(count, dst_step, 0, 0, 0, count)
    return _lay_walk(extent, start, stride, count, mode, byte_stride, dst_step)


def _lay_segments(axis: AxisMap, byte_stride: int, dst_step: int) -> AffineAxis:
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
    lo = min(max(lo, 0), count)
    hi = min(max(hi, lo), count)
    if axis.mode is SampleMode.FILL:
        before = after = t.FILL
    # Offsets of runs of no or one output are not taken, and would not always fit 64 bits.
    first = (start + lo * stride) * byte_stride if lo < hi else 0
    step = stride * byte_stride if hi - lo > 1 else 0
    return AffineAxis(count, dst_step, step, first, lo, hi, before, after)


def _lay_walk(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, byte_stride: int, dst_step: int
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
        return AffineAxis(count, dst_step, 0, min(position, fold - position) * byte_stride, 0, count)
    return WalkAxis(count, dst_step, position, advance, period, fold, top, byte_stride)
