"""Schedules: a plan laid over memory, as the table that the gather kernel runs.

Pure functions of integers. In order: each axis becomes runs in bytes (`_byte_axes`); axes of one output are
dropped, the others ordered by the destination's memory, merged where both sides allow it, the innermost contiguous
ones taken together as one wider element (`_absorb`), and the last two paired into a plane where rows are short or
crossed (`_planes`). The cost of none of it depends on a count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, Protocol

from fastops._plans._factors import NO_AXIS
from fastops._plans._plan_fields import SourceWindow
from fastops._plans._run_map import Map
from fastops._schedules._byte_axes import ByteAxis, ListedAxis, PlainAxis, SegmentAxis, copy_axis, lay_axis
from fastops._schedules._byte_strides import span_of, strides_of_axes
from fastops._schedules._cuts import Box, boxes_of_slots, cut, main_run_of, pitch_of, slots_of, widen
from fastops._schedules._pieces import Place
from fastops._schedules._planes import pair_axes, pair_edge
from fastops.kernels._tables import _gather as t

# Contiguous innermost axes of up to this many bytes become one element of the axis outside them. Longer ones stay an
# axis of their own, which threads can share.
_LARGEST_BLOCK = 1024

# Smaller results are one part: several take longer than they win.
_SMALLEST_PEELED = 1 << 13

# Rows of an output that is not contiguous are streamed from this length on: their ends are no whole cache lines.
_SHORTEST_STREAMED_ROW = 1024


class Geometry(Protocol):
    """What a schedule wants to know of a plan."""

    @property
    def axes(self) -> tuple[Map, ...]: ...
    @property
    def order(self) -> tuple[int, ...]: ...
    @property
    def fills(self) -> int: ...
    @property
    def windows(self) -> tuple[SourceWindow, ...] | None: ...
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
    parts: list[_Part] = []
    total = 0
    if places is None:
        places = map(Place, range(len(plans)))
    for plan, strides, place in zip(plans, out_byte_strides, places, strict=True):
        size = plan.size
        if size:
            axes, src_offset = _lay_axes(plan, byte_strides, strides)
            for part in _lay_boxes(axes, width, plan.fills):
                row = part.row
                row[t.DST_INDEX] = place.dst_index
                row[t.DST_OFFSET] += place.dst_offset
                row[t.SRC_OFFSET] += src_offset
                row[t.FILL_OFFSET] += place.fill_offset
                row[t.STREAMS] = int(streams and _can_stream(row, part.axes))
                parts.append(part)
            total += size * width
    if not parts:
        return Schedule((0,) * t.HEADER_COLUMNS, total)
    low, high = span_of(plans[0].source_shape, byte_strides, width)
    needs = 0
    for row, axes, _ in parts:
        needs |= t.NEEDS_OF_PLANE[row[t.PLANE]] | (t.NEEDS_STREAMS if row[t.STREAMS] else 0)
        is_framed = row[t.PLANE] == t.NO_PLANE and row[t.BLOCK] <= t.LARGEST_FRAMED_BLOCK
        if is_framed and type(axes[-1]) is not PlainAxis:
            needs |= t.NEEDS_FRAMES
        if row[t.STREAMS] or any([type(axis) is not PlainAxis for axis in axes]):
            needs |= t.NEEDS_RUNS
    table = [len(parts), total, needs]
    behind: list[int] = []
    first_behind = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    for row, axes, program in parts:
        row[t.SRC_LOW], row[t.SRC_HIGH] = low, high
        row[t.FIRST_AXIS] = first_behind + len(behind)
        row[t.PROGRAM] = row[t.FIRST_AXIS] + len(axes) * t.AXIS_COLUMNS
        table += row
        behind += _words_of(axes, program)
    return Schedule(tuple(table + behind), total)


class _Part(NamedTuple):
    """A part of the table: its row, its axes and its shuffle program."""

    row: list[int]
    axes: list[ByteAxis]
    program: tuple[int, ...]


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
        return strides_of_axes(plan.extents, plan.source_shape, byte_strides)
    return [0 if source == NO_AXIS else step * byte_strides[source] for source, _, step in plan.windows]


def _lay_boxes(axes: list[ByteAxis], width: int, fills: int) -> Iterator[_Part]:
    """Yield the parts of one output: one, unless its fill values or its edges want several."""
    for box in boxes_of_slots(axes) if fills > 1 else (Box(axes, 0),):
        slot = max(set().union(*map(slots_of, box.axes)), default=0) if fills > 1 else 0
        for part in _lay_box(box, width):
            part.row[t.FILL_OFFSET] = slot * width
            yield part


def _lay_box(box: Box, width: int, *, is_edge: bool = False) -> Iterator[_Part]:
    """Yield the parts of a box: all of it, or its interior and then its edges."""
    axes, dst_offset = box
    size = prod([axis.count for axis in axes])
    is_plain = all([type(axis) is PlainAxis for axis in axes])
    innermost, block = _find_innermost(axes, width)
    is_dense = innermost is None or innermost.dst_pitch == pitch_of(innermost)
    if is_plain or is_dense or is_edge or size * width < _SMALLEST_PEELED:
        yield _lay_part(axes, width, dst_offset, is_edge=is_edge)
        return
    whole = _lay_part([copy_axis(axis) for axis in axes], width, dst_offset)
    spans = [main_run_of(axis) for axis in axes]
    inside = prod([end - begin for begin, end in spans])
    if inside * 2 < size:
        yield whole
        return
    interior = _lay_part(*_cut_box(axes, spans, width, dst_offset))
    if interior.row[t.PLANE] in (t.NO_PLANE, whole.row[t.PLANE]):
        yield whole
        return
    if interior.row[t.PLANE] == t.PIXELS:
        widened = [
            widen(axis, span, block) if axis is innermost else span for axis, span in zip(axes, spans, strict=True)
        ]
        if widened != spans:
            spans = widened
            interior = _lay_part(*_cut_box(axes, spans, width, dst_offset))
    yield interior
    done = list(spans)
    for k in sorted(range(len(axes)), key=lambda k: -abs(axes[k].dst_pitch), reverse=True):
        begin, end = spans[k]
        for edge in ((0, begin), (end, axes[k].count)):
            if edge[0] < edge[1]:
                done[k] = edge
                edge_axes, _, offset = _cut_box(axes, done, width, dst_offset)
                yield from _lay_box(Box(edge_axes, offset), width, is_edge=axes[k] is innermost)
        done[k] = (0, axes[k].count)


def _find_innermost(axes: Sequence[ByteAxis], width: int) -> tuple[ByteAxis | None, int]:
    """Return the innermost axis that is no part of a block, and the bytes of the block that those within it make.

    Where it reads one block behind the other, as it writes them, an interior is rows that are copied, and its edges are
    copied with them.
    """
    block = width
    for axis in sorted(axes, key=_by_falling_dst_pitch, reverse=True):
        if axis.count != 1:
            if axis.dst_pitch != block or pitch_of(axis) != block or type(axis) is not PlainAxis:
                return axis, block
            block *= axis.count
    return None, block


def _cut_box(
    axes: Sequence[ByteAxis], spans: Sequence[tuple[int, int]], width: int, dst_offset: int
) -> tuple[list[ByteAxis], int, int]:
    """Return the outputs of a box that lie in a span of each axis, as `_lay_part` takes them."""
    cuts = [cut(axis, *span) for axis, span in zip(axes, spans, strict=True)]
    return cuts, width, dst_offset + sum([begin * axis.dst_pitch for axis, (begin, _) in zip(axes, spans, strict=True)])


def _lay_part(laid: list[ByteAxis], width: int, dst_offset: int, *, is_edge: bool = False) -> _Part:
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
        axes.sort(key=_by_falling_dst_pitch)
        axes = _merge(axes)
    axes, block = _absorb(axes, width)
    edge = pair_edge(axes, block) if is_edge else None
    axes, plane, program = edge or pair_axes(axes, block, is_edge=is_edge)
    row = [0] * t.PART_COLUMNS
    row[t.DST_OFFSET] = dst_offset + own_dst_offset
    row[t.SRC_OFFSET] = src_offset
    row[t.BLOCK] = block
    row[t.WIDTH] = width
    row[t.PLANE] = plane
    row[t.AXES] = len(axes)
    row[t.GRAIN_BYTES] = block if plane == t.NO_PLANE else block * axes[-2].count
    row[t.GRAINS] = size * width // row[t.GRAIN_BYTES]
    return _Part(row, axes, program)


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
