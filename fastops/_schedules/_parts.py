"""Parts: axes in bytes that are written together, brought into the order and the form in which a kernel moves them.

In order: axes of one output are dropped, the others ordered by the destination's memory, merged where both sides allow
it, the innermost contiguous ones taken together as one wider element, and the last two paired into a plane where rows
are short or crossed (`_planes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from fastops._schedules._byte_axes import ByteAxis, PlainAxis, SegmentAxis
from fastops._schedules._cuts import Edge
from fastops._schedules._planes import pair_axes, pair_edge
from fastops.kernels._tables import _gather as t


class Part(NamedTuple):
    """A part of the table: its row, its axes and its shuffle program."""

    row: list[int]
    axes: list[ByteAxis]
    program: tuple[int, ...]


def lay_part(laid: list[ByteAxis], width: int, dst_offset: int, edge: Edge | None = None) -> Part:
    """Return the part that writes all outputs of some axes, of which the innermost is narrow if it is an edge."""
    for axis in laid:
        if type(axis) is SegmentAxis and axis.is_fill:
            # The whole part is: only the destination matters.
            long = [each for each in laid if each.count > 1]
            fills: list[ByteAxis] = [SegmentAxis.all_fill(each.count, each.dst_pitch) for each in long]
            laid = fills or [SegmentAxis.all_fill(1, 0)]
            break
    size = prod([axis.count for axis in laid])
    axes, own_dst_offset, src_offset = _drop(laid)
    if len(axes) > 1:
        axes.sort(key=by_falling_dst_pitch)
        axes = _merge(axes)
    axes, block = _absorb(axes, width)
    paired, plane, program = pair_axes(axes, block)
    grouped = None if edge is None else pair_edge(axes, block, edge, plane)
    if grouped is None:
        axes = paired
    else:
        axes, block, program = grouped
        plane = t.PIXELS
    row = [0] * t.PART_COLUMNS
    row[t.DST_OFFSET] = dst_offset + own_dst_offset
    row[t.SRC_OFFSET] = src_offset
    row[t.BLOCK] = block
    row[t.WIDTH] = width
    row[t.PLANE] = plane
    row[t.AXES] = len(axes)
    row[t.GRAIN_BYTES] = block if plane == t.NO_PLANE else block * axes[-2].count
    row[t.GRAINS] = size * width // row[t.GRAIN_BYTES]
    return Part(row, axes, program)


def can_stream(part: list[int], axes: Sequence[ByteAxis]) -> bool:
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
            return axes[-1].count * grain_bytes >= t.SHORTEST_STREAMED_ROW
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


def by_falling_dst_pitch(axis: ByteAxis) -> int:
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
        if inner.dst_pitch != block or inner.count * block > t.LARGEST_BLOCK:
            break
        if inner.src_pitch != block if type(inner) is PlainAxis else not (type(inner) is SegmentAxis and inner.is_fill):
            break
        block *= inner.count
        axes = axes[:-1]
    return axes, block
