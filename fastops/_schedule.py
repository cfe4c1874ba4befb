"""Schedules: a plan laid over memory, as the table that the gather kernel runs.

Pure functions of integers. The steps, in order: each axis becomes runs in bytes (`_lay_axis`); axes of one output are
dropped, the others ordered by the destination's memory, merged where both sides allow it, the innermost contiguous
ones taken together as one wider element (`_absorb`), and the last two paired into a plane where rows are short or
crossed (`_pair`). No step's cost depends on a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

from fastops._plan import AxisMap, SampleMode, SlicePlan
from fastops.kernels import _gather_table as t

# Contiguous innermost axes of up to this many bytes become one element of the axis outside them. Beyond it, a row of
# its own costs less than it moves, and threads can share it.
_LARGEST_BLOCK = 1024

# Rows of fewer bytes than this are moved as planes: the loop over rows must not pay for a row's set-up.
_SHORTEST_ROW = 128

# Fewer crossed rows than this are not worth a tile.
_FEWEST_CROSSED_ROWS = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """A table for the gather kernel, and the number of bytes that it writes."""

    table: tuple[int, ...]
    total_bytes: int


@dataclass(frozen=True, slots=True)
class _Affine:
    """An axis with one affine run [lo, hi); outputs on either side repeat one element, or are FILL. Bytes."""

    count: int
    dst_step: int
    step: int
    first: int = 0
    lo: int = 0
    hi: int = -1
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
class _Walk:
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


_Axis = _Affine | _Walk


def create_schedule(
    plans: Sequence[SlicePlan], byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[Sequence[int]]
) -> Schedule:
    """Return the schedule that writes one output a plan, all from one source.

    Parameters
    ----------
    plans : sequence of SlicePlan
        Plans of one source shape.
    byte_strides : sequence of int
        Byte strides of the source.
    width : int
        Bytes of an element, >= 1.
    out_byte_strides : sequence of sequences of int
        Byte strides of each output, one for each axis of its plan's shape.
    """
    parts: list[tuple[list[int], list[_Axis]]] = []
    total = 0
    for i, (plan, strides) in enumerate(zip(plans, out_byte_strides, strict=True)):
        if plan.size:
            part, axes = _lay_part(plan, byte_strides, width, strides)
            part[t.DST_INDEX] = i
            part[t.FIRST_BYTE] = total
            parts.append((part, axes))
            total += plan.size * width
    table = [len(parts), total]
    first_axis = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    for part, axes in parts:
        part[t.FIRST_AXIS] = first_axis
        table += part
        first_axis += len(axes) * t.AXIS_COLUMNS
    for _, axes in parts:
        for axis in axes:
            table += axis.row()
    return Schedule(tuple(table), total)


def contiguous_byte_strides(shape: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the byte strides of a C-contiguous array."""
    strides = []
    step = width
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _lay_part(
    plan: SlicePlan, byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[int]
) -> tuple[list[int], list[_Axis]]:
    """Return the part row and the axes of one output."""
    steps = _dst_steps(plan, out_byte_strides)
    laid = [_lay_axis(*axis) for axis in zip(plan.axes, byte_strides, steps, strict=True)]
    if any(isinstance(axis, _Affine) and axis.lo == axis.hi and axis.after == t.FILL for axis in laid):
        laid = [_all_fill(axis) for axis in laid]
    axes, dst_offset, src_offset = _drop(laid)
    axes.sort(key=lambda axis: -abs(axis.dst_step))
    axes = _merge(axes)
    axes, block = _absorb(axes, width)
    axes, is_plane = _pair(axes, block)
    row = [0] * t.PART_COLUMNS
    row[t.DST_OFFSET] = dst_offset
    row[t.SRC_OFFSET] = src_offset
    row[t.PART_BYTES] = plan.size * width
    row[t.BLOCK] = block
    row[t.CELL] = width
    row[t.IS_PLANE] = int(is_plane)
    row[t.AXES] = len(axes)
    row[t.UNIT_BYTES] = block * axes[-2].count if is_plane else block
    return row, axes


def _dst_steps(plan: SlicePlan, out_byte_strides: Sequence[int]) -> list[int]:
    """Byte steps in the output for each source axis; axes of one output take no step."""
    long = iter([step for n, step in zip(plan.shape, out_byte_strides, strict=True) if n != 1])
    return [next(long) if axis.count != 1 else 0 for axis in plan.axes]


def _lay_axis(axis: AxisMap, byte_stride: int, dst_step: int) -> _Axis:
    """Return an axis of a plan in bytes."""
    extent, start, stride, count, mode = axis.extent, axis.start, axis.stride, axis.count, axis.mode
    if mode is SampleMode.STRICT_BOUNDS:
        return _Affine(count, dst_step, stride * byte_stride, start * byte_stride, 0, count)
    if mode is SampleMode.FILL or mode is SampleMode.CLAMP:
        return _lay_segments(axis, byte_stride, dst_step)
    if byte_stride == 0:
        return _Affine(count, dst_step, 0, 0, 0, count)
    return _lay_walk(extent, start, stride, count, mode, byte_stride, dst_step)


def _lay_segments(axis: AxisMap, byte_stride: int, dst_step: int) -> _Affine:
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
    return _Affine(count, dst_step, step, first, lo, hi, before, after)


def _lay_walk(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, byte_stride: int, dst_step: int
) -> _Axis:
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
        return _Affine(count, dst_step, 0, min(position, fold - position) * byte_stride, 0, count)
    return _Walk(count, dst_step, position, advance, period, fold, top, byte_stride)


def _all_fill(axis: _Axis) -> _Axis:
    """Return the axis of a part that is the fill value throughout: only the destination matters."""
    return _Affine(axis.count, axis.dst_step, 0, 0, 0, 0, t.FILL, t.FILL)


def _drop(laid: Sequence[_Axis]) -> tuple[list[_Axis], int, int]:
    """Return the axes that move, and the destination and source offsets of the first output.

    Plain runs leave their first offset to the part, axes of one output leave everything, and runs that write
    downwards are turned around.
    """
    axes: list[_Axis] = []
    dst_offset = src_offset = 0
    for axis in laid:
        if isinstance(axis, _Affine) and axis.is_plain:
            src_offset += axis.first
            dst_step, step = axis.dst_step, axis.step
            if dst_step < 0:
                dst_offset += (axis.count - 1) * dst_step
                src_offset += (axis.count - 1) * step
                dst_step, step = -dst_step, -step
            axis = replace(axis, first=0, dst_step=dst_step, step=step)
            if axis.count == 1:
                continue
        axes.append(axis)
    return axes or [_Affine(1, 0, 0, 0, 0, 1)], dst_offset, src_offset


def _merge(axes: Sequence[_Axis]) -> list[_Axis]:
    """Return the axes with neighbours joined that step through both memories as one axis does."""
    merged: list[_Axis] = []
    for inner in axes:
        outer = merged[-1] if merged else None
        if isinstance(outer, _Affine) and isinstance(inner, _Affine) and _is_one_axis(outer, inner):
            count = outer.count * inner.count
            merged[-1] = replace(inner, count=count, hi=count if inner.is_plain else inner.hi)
        else:
            merged.append(inner)
    return merged


def _is_one_axis(outer: _Affine, inner: _Affine) -> bool:
    if outer.dst_step != inner.dst_step * inner.count:
        return False
    if outer.is_plain and inner.is_plain:
        return outer.step == inner.step * inner.count
    return outer.after == inner.after == t.FILL and outer.hi == inner.hi == 0


def _absorb(axes: list[_Axis], width: int) -> tuple[list[_Axis], int]:
    """Return the axes without the innermost contiguous ones, and the bytes of the element that those make."""
    block = width
    while len(axes) > 1 and isinstance(axes[-1], _Affine) and axes[-1].is_plain:
        inner = axes[-1]
        if not inner.step == inner.dst_step == block or inner.count * block > _LARGEST_BLOCK:
            break
        block *= inner.count
        axes = axes[:-1]
    return axes, block


def _pair(axes: list[_Axis], block: int) -> tuple[list[_Axis], bool]:
    """Return the axes in their final order, and whether the last two move together as a plane.

    Outputs may be written in any order, so an axis can be brought in from anywhere: the one along which the source is
    dense where the last axis crosses it, or else the one outside rows that are too short.
    """
    if len(axes) < 2:
        return axes, False
    last = axes[-1]
    is_short = last.count * block < _SHORTEST_ROW
    if isinstance(last, _Affine) and last.is_plain:
        dense = min(
            (a for a in axes[:-1] if isinstance(a, _Affine) and a.is_plain), key=lambda a: abs(a.step), default=None
        )
        is_crossed = dense is not None and dense.count >= _FEWEST_CROSSED_ROWS and abs(dense.step) < abs(last.step)
        partner = dense if is_crossed else axes[-2]
        if partner is not None and partner.is_plain and (is_crossed or is_short):
            rest = [a for a in axes[:-1] if a is not partner]
            return [*rest, *sorted((partner, last), key=lambda a: a.count)], True
    if is_short and axes[-2].count > last.count:
        return [*axes[:-2], last, axes[-2]], False
    return axes, False
