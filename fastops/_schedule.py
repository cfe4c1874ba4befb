"""Schedules: a plan laid over memory, as the table that the gather kernel runs.

Pure functions of integers. The steps, in order: each axis becomes runs in bytes (`_byte_axes`); axes of one output are
dropped, the others ordered by the destination's memory, merged where both sides allow it, the innermost contiguous
ones taken together as one wider element (`_absorb`), and the last two paired into a plane where rows are short or
crossed (`_pair`). No step's cost depends on a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastops._byte_axes import AffineAxis, ByteAxis, lay_axis
from fastops._plan import SlicePlan
from fastops._shuffle_program import create_shuffle_program
from fastops.kernels import _gather_table as t

# Contiguous innermost axes of up to this many bytes become one element of the axis outside them. Longer ones stay an
# axis of their own, which threads can share.
_LARGEST_BLOCK = 1024

# Rows of fewer bytes than this are moved as planes: the loop over rows must not pay for a row's set-up.
_SHORTEST_ROW = 128

# Byte steps of runs that need no program: they are moved by constant shuffles.
_SHUFFLED_STEPS = {width: (-width, 2 * width) for width in (1, 2, 4)}

# A vector has two blocks of 8 bytes, which are moved as fast one by one.
_LARGEST_SHUFFLED_BLOCK = 8

# Rows of an output that is not contiguous are streamed from this length on: their ends are no whole cache lines.
_SHORTEST_STREAMED_ROW = 1024

# Fewer crossed rows than this are not worth a tile.
_FEWEST_CROSSED_ROWS = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """A table for the gather kernel, and the number of bytes that it writes."""

    table: tuple[int, ...]
    total_bytes: int


def create_schedule(
    plans: Sequence[SlicePlan],
    byte_strides: Sequence[int],
    width: int,
    out_byte_strides: Sequence[Sequence[int]],
    *,
    streams: bool = False,
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
    streams : bool
        True if outputs shall leave past the caches, where they can.
    """
    parts: list[tuple[list[int], list[ByteAxis], tuple[int, ...]]] = []
    total = 0
    for i, (plan, strides) in enumerate(zip(plans, out_byte_strides, strict=True)):
        if plan.size:
            part, axes, program = _lay_part(plan, byte_strides, width, strides)
            part[t.DST_INDEX] = i
            part[t.FIRST_BYTE] = total
            part[t.STREAMS] = int(streams and _can_stream(part, axes))
            parts.append((part, axes, program))
            total += plan.size * width
    table = [len(parts), total]
    first_axis = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    for part, axes, program in parts:
        part[t.FIRST_AXIS] = first_axis
        part[t.PROGRAM] = first_axis + len(axes) * t.AXIS_COLUMNS
        table += part
        first_axis += len(axes) * t.AXIS_COLUMNS + len(program)
    for _, axes, program in parts:
        for axis in axes:
            table += axis.row()
        table += program
    return Schedule(tuple(table), total)


def contiguous_byte_strides(shape: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the byte strides of a C-contiguous array."""
    strides = []
    step = width
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def span_of(shape: Sequence[int], byte_strides: Sequence[int], width: int) -> tuple[int, int]:
    """Return the lowest byte of an array that is not empty, counted from its element 0, and one beyond the highest."""
    low, high = 0, width
    for extent, stride in zip(shape, byte_strides, strict=True):
        if stride < 0:
            low += (extent - 1) * stride
        else:
            high += (extent - 1) * stride
    return low, high


def _lay_part(
    plan: SlicePlan, byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[int]
) -> tuple[list[int], list[ByteAxis], tuple[int, ...]]:
    """Return the part row, the axes and the shuffle program of one output."""
    steps = _dst_steps(plan, out_byte_strides)
    laid = [lay_axis(*axis) for axis in zip(plan.axes, byte_strides, steps, strict=True)]
    if any(isinstance(axis, AffineAxis) and axis.lo == axis.hi and axis.after == t.FILL for axis in laid):
        laid = [_all_fill(axis) for axis in laid]
    axes, dst_offset, src_offset = _drop(laid)
    axes.sort(key=lambda axis: -abs(axis.dst_step))
    axes = _merge(axes)
    axes, block = _absorb(axes, width)
    axes, plane, program = _pair(axes, block)
    row = [0] * t.PART_COLUMNS
    row[t.DST_OFFSET] = dst_offset
    row[t.SRC_OFFSET] = src_offset
    row[t.PART_BYTES] = plan.size * width
    row[t.BLOCK] = block
    row[t.CELL] = width
    row[t.PLANE] = plane
    row[t.AXES] = len(axes)
    row[t.UNIT_BYTES] = block if plane == t.NO_PLANE else block * axes[-2].count
    row[t.SRC_LOW], row[t.SRC_HIGH] = span_of(plan.source_shape, byte_strides, width)
    return row, axes, program


def _can_stream(part: list[int], axes: Sequence[ByteAxis]) -> bool:
    """True if units of a part are dense in the output, and so are its rows, or they are long."""
    unit = part[t.UNIT_BYTES]
    if part[t.PLANE] == t.TILES or axes[-1].dst_step != unit:
        return False
    span = unit
    for axis in axes[::-1] if part[t.PLANE] == t.NO_PLANE else (axes[-1], *axes[-3::-1]):
        if axis.dst_step != span and axis.count > 1:
            return axes[-1].count * unit >= _SHORTEST_STREAMED_ROW
        span *= axis.count
    return True


def _dst_steps(plan: SlicePlan, out_byte_strides: Sequence[int]) -> list[int]:
    """Byte steps in the output for each source axis; axes of one output take no step."""
    long = iter([step for n, step in zip(plan.shape, out_byte_strides, strict=True) if n != 1])
    return [next(long) if axis.count != 1 else 0 for axis in plan.axes]


def _all_fill(axis: ByteAxis) -> ByteAxis:
    """Return the axis of a part that is the fill value throughout: only the destination matters."""
    return AffineAxis(axis.count, axis.dst_step, 0, 0, 0, 0, t.FILL, t.FILL)


def _drop(laid: Sequence[ByteAxis]) -> tuple[list[ByteAxis], int, int]:
    """Return the axes that move, and the destination and source offsets of the first output.

    Plain runs leave their first offset to the part, axes of one output leave everything, and runs that write
    downwards are turned around.
    """
    axes: list[ByteAxis] = []
    dst_offset = src_offset = 0
    for axis in laid:
        if isinstance(axis, AffineAxis) and axis.is_plain:
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
    return axes or [AffineAxis(1, 0, 0, 0, 0, 1)], dst_offset, src_offset


def _merge(axes: Sequence[ByteAxis]) -> list[ByteAxis]:
    """Return the axes with neighbours joined that step through both memories as one axis does."""
    merged: list[ByteAxis] = []
    for inner in axes:
        outer = merged[-1] if merged else None
        if isinstance(outer, AffineAxis) and isinstance(inner, AffineAxis) and _is_one_axis(outer, inner):
            count = outer.count * inner.count
            merged[-1] = replace(inner, count=count, hi=count if inner.is_plain else inner.hi)
        else:
            merged.append(inner)
    return merged


def _is_one_axis(outer: AffineAxis, inner: AffineAxis) -> bool:
    if outer.dst_step != inner.dst_step * inner.count:
        return False
    if outer.is_plain and inner.is_plain:
        return outer.step == inner.step * inner.count
    return outer.after == inner.after == t.FILL and outer.hi == inner.hi == 0


def _absorb(axes: list[ByteAxis], width: int) -> tuple[list[ByteAxis], int]:
    """Return the axes without the innermost contiguous ones, and the bytes of the element that those make."""
    block = width
    while len(axes) > 1 and isinstance(axes[-1], AffineAxis) and axes[-1].is_plain:
        inner = axes[-1]
        if not inner.step == inner.dst_step == block or inner.count * block > _LARGEST_BLOCK:
            break
        block *= inner.count
        axes = axes[:-1]
    return axes, block


def _pair(axes: list[ByteAxis], block: int) -> tuple[list[ByteAxis], int, tuple[int, ...]]:
    """Return the axes in their final order, how the last two move, and their shuffle program, if they have one.

    Outputs may be written in any order, so an axis can be brought in from anywhere: the one along which the source is
    dense where the last axis crosses it, or else the one outside rows that are too short.
    """
    last = axes[-1]
    if isinstance(last, AffineAxis) and last.is_plain:
        pixels = _as_pixels(axes, block)
        if pixels is not None:
            return pixels[0], t.PIXELS, pixels[1]
    if len(axes) < 2:
        return axes, t.NO_PLANE, ()
    is_short = last.count * block < _SHORTEST_ROW
    if isinstance(last, AffineAxis) and last.is_plain:
        dense = min(
            (a for a in axes[:-1] if isinstance(a, AffineAxis) and a.is_plain), key=lambda a: abs(a.step), default=None
        )
        is_crossed = dense is not None and dense.count >= _FEWEST_CROSSED_ROWS and abs(dense.step) < abs(last.step)
        partner = dense if is_crossed else axes[-2]
        if partner is not None and partner.is_plain and (is_crossed or is_short):
            rest = [a for a in axes[:-1] if a is not partner]
            return [*rest, *sorted((partner, last), key=lambda a: a.count)], t.TILES, ()
    if is_short and axes[-2].count > last.count:
        return [*axes[:-2], last, axes[-2]], t.NO_PLANE, ()
    return axes, t.NO_PLANE, ()


def _as_pixels(axes: list[ByteAxis], block: int) -> tuple[list[ByteAxis], tuple[int, ...]] | None:
    """Return the axes and the program of a plane that vectors can be shuffled into: dense in the output.

    It is the last axis within the one outside it, or the last one alone where no run does what it needs.
    """
    last = axes[-1]
    assert isinstance(last, AffineAxis)
    if last.dst_step != block:
        return None
    outer = axes[-2] if len(axes) > 1 else None
    if isinstance(outer, AffineAxis) and outer.is_plain and outer.dst_step == last.count * block and outer.step:
        program = create_shuffle_program(block, last.count, last.step, outer.step)
        if program is not None:
            return [*axes[:-2], last, outer], program
    if last.step in (block, 0) or block >= _LARGEST_SHUFFLED_BLOCK or last.step in _SHUFFLED_STEPS.get(block, ()):
        return None
    program = create_shuffle_program(block, 1, 0, last.step)
    return None if program is None else ([*axes[:-1], AffineAxis(1, block, 0, 0, 0, 1), last], program)
