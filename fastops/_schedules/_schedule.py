"""Schedules: plans laid over memory, as the table that the gather kernel runs.

Pure functions of integers. Each axis of a plan becomes runs in bytes (`_byte_axes`), the axes of a result one part or
an interior and its edges (`_interiors`), and each part what a kernel moves as it is (`_parts`). The cost of none of it
depends on a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastops._geometry._factors import NO_AXIS
from fastops._geometry._geometry import Geometry, extents_of, size_of
from fastops._schedules._byte_axes import ByteAxis, ListedAxis, lay_axis
from fastops._schedules._byte_strides import span_of, strides_of_axes
from fastops._schedules._interiors import lay_boxes
from fastops._schedules._parts import Part, can_stream
from fastops.kernels._tables import _gather as t


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
    streams: bool = False,
) -> Schedule:
    """Return the schedule that writes one output a plan, all from one source.

    Parameters
    ----------
    plans : sequence of Geometry
        Of one source shape; the numbers may be traced.
    byte_strides : sequence of int
        Byte strides of the source.
    width : int
        Bytes of an element, >= 1.
    out_byte_strides : sequence of sequences of int
        Byte strides of each output, one for each axis of its plan's shape.
    streams : bool
        True if outputs shall leave past the caches, where they can.
    """
    parts: list[Part] = []
    total = 0
    for i, (plan, strides) in enumerate(zip(plans, out_byte_strides, strict=True)):
        size = size_of(plan)
        if size:
            axes, src_offset = _lay_axes(plan, byte_strides, strides)
            for part in lay_boxes(axes, width, plan.fills):
                row = part.row
                row[t.DST_INDEX] = i
                row[t.SRC_OFFSET] += src_offset
                row[t.STREAMS] = int(streams and can_stream(row, part.axes))
                parts.append(part)
            total += size * width
    if not parts:
        return Schedule((0,) * t.HEADER_COLUMNS, total)
    low, high = span_of(plans[0].source_shape, byte_strides, width)
    table = [len(parts), total]
    behind: list[int] = []
    first_behind = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    for row, axes, program in parts:
        row[t.SRC_LOW], row[t.SRC_HIGH] = low, high
        row[t.FIRST_AXIS] = first_behind + len(behind)
        row[t.PROGRAM] = row[t.FIRST_AXIS] + len(axes) * t.AXIS_COLUMNS
        table += row
        behind += _words_of(axes, program)
    return Schedule(tuple(table + behind), total)


def _words_of(axes: Sequence[ByteAxis], program: tuple[int, ...]) -> list[int]:
    """Return the rows of a part's axes, the program, and the lists of the axes that have some."""
    rows: list[int] = []
    lists: list[int] = []
    room = len(axes) * t.AXIS_COLUMNS + len(program)
    for axis in axes:
        if type(axis) is ListedAxis:
            rows += axis.row(room + len(lists) - len(rows))
            lists += axis.words()
        else:
            rows += axis.row()
    return [*rows, *program, *lists]


def _lay_axes(
    plan: Geometry, byte_strides: Sequence[int], out_byte_strides: Sequence[int]
) -> tuple[list[ByteAxis], int]:
    """Return the axes of one output over both memories, and where in the source they begin."""
    axes, order = plan.axes, plan.order
    dst_pitches = strides_of_axes([axes[k].count for k in order], plan.shape, out_byte_strides)
    if order != tuple(range(len(axes))):
        pitches = dict(zip(order, dst_pitches, strict=True))
        dst_pitches = [pitches[k] for k in range(len(axes))]
    src_offset = 0
    for source, offset, _ in plan.windows or ():
        src_offset += offset * byte_strides[source] if source != NO_AXIS else 0
    laid = zip(axes, source_pitches(plan, byte_strides), dst_pitches, strict=True)
    return [lay_axis(*axis) for axis in laid], src_offset


def source_pitches(plan: Geometry, byte_strides: Sequence[int]) -> Sequence[int]:
    """Return how many bytes of the source lie from one index to the next that each axis of a plan reads."""
    if plan.windows is None:
        return strides_of_axes(extents_of(plan), plan.source_shape, byte_strides)
    return [0 if source == NO_AXIS else step * byte_strides[source] for source, _, step in plan.windows]
