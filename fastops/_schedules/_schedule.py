"""Schedules: a plan laid over memory, as the table that the gather kernel runs.

Pure functions of integers. In order: each axis becomes runs in bytes (`_byte_axes`); axes of one output are
dropped, the others ordered by the destination's memory, merged where both sides allow it, the innermost contiguous
ones taken together as one wider element (`_absorb`), and the last two paired into a plane where rows are short or
crossed (`_planes`). The cost of none of it depends on a count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from fastops._plans._axis_map import AxisMap
from fastops._schedules._byte_axes import ByteAxis, PlainAxis, SegmentAxis, lay_axis
from fastops._schedules._byte_strides import span_of, strides_of_axes
from fastops._schedules._pieces import Place
from fastops._schedules._planes import pair_axes
from fastops.kernels._tables import _gather as t

# Contiguous innermost axes of up to this many bytes become one element of the axis outside them. Longer ones stay an
# axis of their own, which threads can share.
_LARGEST_BLOCK = 1024

# Rows of an output that is not contiguous are streamed from this length on: their ends are no whole cache lines.
_SHORTEST_STREAMED_ROW = 1024


class Geometry(Protocol):
    """What a schedule wants to know of a plan."""

    @property
    def axes(self) -> tuple[AxisMap, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def source_shape(self) -> tuple[int, ...]: ...
    @property
    def extents(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Schedule:
    """A table for the gather kernel, and the number of bytes that it writes."""

    table: tuple[int, ...]
    total_bytes: int


def create_schedule(
    plans: Sequence[Geometry],
    byte_strides: Sequence[int],
    width: int,
    out_byte_strides: Sequence[Sequence[int]],
    *,
    places: Iterable[Place] | None = None,
    streams: bool = False,
) -> Schedule:
    """Return the schedule that writes one output a plan, all from one source.

    Parameters
    ----------
    plans : sequence of SlicePlan
        Plans of one source shape, or what has their numbers traced.
    byte_strides : sequence of int
        Byte strides of the source.
    width : int
        Bytes of an element, >= 1.
    out_byte_strides : sequence of sequences of int
        Byte strides of each output, one for each axis of its plan's shape.
    places : iterable of Place, optional
        Where the outputs of each plan go: each into a destination of its own by default.
    streams : bool
        True if outputs shall leave past the caches, where they can.
    """
    parts: list[tuple[list[int], list[ByteAxis], tuple[int, ...]]] = []
    total = 0
    if places is None:
        places = map(Place, range(len(plans)))
    for plan, strides, place in zip(plans, out_byte_strides, places, strict=True):
        size = plan.size
        if size:
            part, axes, program = _lay_part(plan, byte_strides, width, strides)
            part[t.DST_INDEX] = place.dst_index
            part[t.DST_OFFSET] += place.dst_offset
            part[t.FILL_OFFSET] = place.fill_offset
            part[t.GRAINS] = size * width // part[t.GRAIN_BYTES]
            part[t.STREAMS] = int(streams and _can_stream(part, axes))
            parts.append((part, axes, program))
            total += size * width
    if not parts:
        return Schedule((0,) * t.HEADER_COLUMNS, total)
    low, high = span_of(plans[0].source_shape, byte_strides, width)
    needs = 0
    for part, axes, _ in parts:
        needs |= t.NEEDS_OF_PLANE[part[t.PLANE]] | (t.NEEDS_STREAMS if part[t.STREAMS] else 0)
        is_framed = part[t.PLANE] == t.NO_PLANE and part[t.BLOCK] <= t.LARGEST_FRAMED_BLOCK
        if is_framed and type(axes[-1]) is not PlainAxis:
            needs |= t.NEEDS_FRAMES
        if part[t.STREAMS] or any([type(axis) is not PlainAxis for axis in axes]):
            needs |= t.NEEDS_RUNS
    table = [len(parts), total, needs]
    first_axis = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    for part, axes, program in parts:
        part[t.SRC_LOW], part[t.SRC_HIGH] = low, high
        part[t.FIRST_AXIS] = first_axis
        part[t.PROGRAM] = first_axis + len(axes) * t.AXIS_COLUMNS
        table += part
        first_axis += len(axes) * t.AXIS_COLUMNS + len(program)
    for _, axes, program in parts:
        for axis in axes:
            table += axis.row()
        table += program
    return Schedule(tuple(table), total)


def _lay_part(
    plan: Geometry, byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[int]
) -> tuple[list[int], list[ByteAxis], tuple[int, ...]]:
    """Return the part row, the axes and the shuffle program of one output."""
    dst_pitches = strides_of_axes([axis.count for axis in plan.axes], plan.shape, out_byte_strides)
    src_pitches = strides_of_axes(plan.extents, plan.source_shape, byte_strides)
    laid = [lay_axis(*axis) for axis in zip(plan.axes, src_pitches, dst_pitches, strict=True)]
    for axis in laid:
        if type(axis) is SegmentAxis and axis.is_fill:
            # The whole part is: only the destination matters.
            long = [each for each in laid if each.count > 1]
            fills: list[ByteAxis] = [SegmentAxis.all_fill(each.count, each.dst_pitch) for each in long]
            laid = fills or [SegmentAxis.all_fill(1, 0)]
            break
    axes, dst_offset, src_offset = _drop(laid)
    if len(axes) > 1:
        axes.sort(key=_by_falling_dst_pitch)
        axes = _merge(axes)
    axes, block = _absorb(axes, width)
    axes, plane, program = pair_axes(axes, block)
    row = [0] * t.PART_COLUMNS
    row[t.DST_OFFSET] = dst_offset
    row[t.SRC_OFFSET] = src_offset
    row[t.BLOCK] = block
    row[t.WIDTH] = width
    row[t.PLANE] = plane
    row[t.AXES] = len(axes)
    row[t.GRAIN_BYTES] = block if plane == t.NO_PLANE else block * axes[-2].count
    return row, axes, program


def _can_stream(part: list[int], axes: Sequence[ByteAxis]) -> bool:
    """True if grains of a part are dense in the output, and so are its rows, or they are long.

    Transposes stream those lines that they have whole, and tiles do not.
    """
    grain_bytes = part[t.GRAIN_BYTES]
    if part[t.PLANE] in (t.CROSSED, t.TILES):
        return part[t.PLANE] == t.CROSSED
    if axes[-1].dst_pitch != grain_bytes:
        return False
    span = grain_bytes
    for axis in axes[::-1] if part[t.PLANE] == t.NO_PLANE else (axes[-1], *axes[-3::-1]):
        if axis.dst_pitch != span and axis.count > 1:
            return axes[-1].count * grain_bytes >= _SHORTEST_STREAMED_ROW
        span *= axis.count
    return True


def _drop(laid: Sequence[ByteAxis]) -> tuple[list[ByteAxis], int, int]:
    """Return the axes that move, and the destination and source offsets of the first output.

    Plain axes leave their first offset to the part, those of one output leave everything, and those that write
    downwards are turned around.
    """
    axes: list[ByteAxis] = []
    dst_offset = src_offset = 0
    for axis in laid:
        if type(axis) is PlainAxis:
            src_offset += axis.first
            if axis.count == 1:
                continue
            axis.first = 0
            if axis.dst_pitch < 0:
                dst_offset += (axis.count - 1) * axis.dst_pitch
                src_offset += (axis.count - 1) * axis.src_pitch
                axis.dst_pitch, axis.src_pitch = -axis.dst_pitch, -axis.src_pitch
        axes.append(axis)
    return axes or [PlainAxis(1, 0, 0)], dst_offset, src_offset


def _by_falling_dst_pitch(axis: ByteAxis) -> int:
    return -abs(axis.dst_pitch)


def _merge(axes: Sequence[ByteAxis]) -> list[ByteAxis]:
    """Return the axes with neighbours joined that move through both memories as one axis does."""
    merged = [axes[0]]
    for inner in axes[1:]:
        outer = merged[-1]
        if outer.dst_pitch != inner.dst_pitch * inner.count:
            merged.append(inner)
        elif type(outer) is type(inner) is PlainAxis and outer.src_pitch == inner.src_pitch * inner.count:
            inner.count *= outer.count
            merged[-1] = inner
        elif type(outer) is type(inner) is SegmentAxis and outer.is_fill and inner.is_fill:
            merged[-1] = SegmentAxis.all_fill(outer.count * inner.count, inner.dst_pitch)
        else:
            merged.append(inner)
    return merged


def _absorb(axes: list[ByteAxis], width: int) -> tuple[list[ByteAxis], int]:
    """Return the axes without the innermost contiguous ones, and the bytes of the element that those make.

    A fill reads nothing, so that it is contiguous if its destination is.
    """
    block = width
    while len(axes) > 1:
        inner = axes[-1]
        if inner.dst_pitch != block or inner.count * block > _LARGEST_BLOCK:
            break
        if inner.src_pitch != block if type(inner) is PlainAxis else not (type(inner) is SegmentAxis and inner.is_fill):
            break
        block *= inner.count
        axes = axes[:-1]
    return axes, block
