"""Cuts: parts of an axis in bytes, and the boxes of a result that are written alike.

A result is one box of outputs, unless it has fill values of several slots, of which a box reads one at most.
`_interiors` cuts boxes once more: here is what it needs to know of an axis, its longest run, and what an edge may read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from fastops._errors import AttributeValueError
from fastops._schedules._byte_axes import (
    ByteAxis,
    ByteRun,
    ListedAxis,
    PlainAxis,
    SegmentAxis,
    WalkAxis,
    copy_axis,
    listed_axis,
)
from fastops.kernels._tables import _gather as t

#: Boxes of a result, of which each is a part of the table at least.
MOST_BOXES = 1 << 12


class Box(NamedTuple):
    """Some outputs of each axis: the axes, cut, where in the output they begin, in bytes, and their fill slot."""

    axes: list[ByteAxis]
    dst_offset: int
    slot: int = 0


def slots_of(axis: ByteAxis) -> set[int]:
    """Return the fill slots that an axis reads."""
    if type(axis) is ListedAxis:
        return {run.slot for run in axis.runs if run.first == t.FILL}
    if type(axis) is SegmentAxis and axis.reads_fill:
        return {axis.slot}
    return set()


def boxes_of_slots(axes: list[ByteAxis]) -> Iterator[Box]:
    """Yield boxes of one slot at most, where the highest slot of an output's axes is the one that it reads.

    Raises
    ------
    AttributeValueError
        They are more than MOST_BOXES.
    """
    for i, box in enumerate(_boxes_of_slots(axes, [slots_of(axis) for axis in axes], 0)):
        if i == MOST_BOXES:
            slots = set().union(*map(slots_of, axes))
            rule = f"make at most {MOST_BOXES} boxes of the result: run the stages in several calls"
            raise AttributeValueError.about("fills", rule, len(slots))
        yield box


def _boxes_of_slots(axes: Sequence[ByteAxis], slots: list[set[int]], dst_offset: int) -> Iterator[Box]:
    """Yield the boxes of axes that have these slots each."""
    every = set().union(*slots)
    highest = max(every, default=0)
    if len(every) <= 1:
        # Several boxes have an axis, and each part changes its own.
        yield Box([copy_axis(axis) for axis in axes], dst_offset, highest)
        return
    k = next(i for i, own in enumerate(slots) if highest in own)
    for begin, end, is_highest in _stretches(axes[k], highest):
        offset = dst_offset + begin * axes[k].dst_pitch
        if is_highest:
            counts = [end - begin if i == k else axis.count for i, axis in enumerate(axes)]
            filled: list[ByteAxis] = [
                SegmentAxis.all_fill(n, axis.dst_pitch) for n, axis in zip(counts, axes, strict=True)
            ]
            yield Box(filled, offset, highest)
        else:
            part = cut(axes[k], begin, end)
            rest: list[ByteAxis] = [part if i == k else axis for i, axis in enumerate(axes)]
            yield from _boxes_of_slots(rest, [slots_of(part) if i == k else own for i, own in enumerate(slots)], offset)


def _stretches(axis: ByteAxis, slot: int) -> Iterator[tuple[int, int, bool]]:
    """Yield outputs [begin, end) that are all of a slot, and such of which none is, in turn."""
    if type(axis) is SegmentAxis:
        ends = [(axis.lo, axis.before == t.FILL), (axis.hi, False), (axis.count, axis.after == t.FILL)]
    else:
        assert type(axis) is ListedAxis
        is_slot = [run.first == t.FILL and run.slot == slot for run in axis.runs]
        ends = [(axis.end_of(i), each) for i, each in enumerate(is_slot)]
    begin = done = 0
    was_slot = False
    for end, is_of_slot in ends:
        if is_of_slot != was_slot:
            if done > begin:
                yield begin, done, was_slot
            begin, was_slot = done, is_of_slot
        done = end
    if done > begin:
        yield begin, done, was_slot


def cut(axis: ByteAxis, begin: int, end: int) -> ByteAxis:
    """Return outputs [begin, end) of an axis, in the simplest form that they have; they are not none."""
    count, dst_pitch = end - begin, axis.dst_pitch
    if type(axis) is PlainAxis:
        return PlainAxis(count, dst_pitch, axis.src_pitch, axis.first + begin * axis.src_pitch)
    if type(axis) is SegmentAxis:
        lo, hi = min(max(axis.lo - begin, 0), count), min(max(axis.hi - begin, 0), count)
        first = axis.first + max(begin - axis.lo, 0) * axis.src_pitch
        runs = []
        if lo > 0:
            runs.append(_constant_run(0, axis.before, axis.slot))
        if hi > lo:
            runs.append(ByteRun(lo, first, axis.src_pitch if hi - lo > 1 else 0))
        if count > hi:
            runs.append(_constant_run(hi, axis.after, axis.slot))
        return listed_axis(count, dst_pitch, runs)
    if type(axis) is ListedAxis:
        kept = []
        for i in range(bisect_right(axis.runs, begin, key=_begin_of) - 1, bisect_left(axis.runs, end, key=_begin_of)):
            first_output, source, src_pitch, slot = axis.runs[i]
            lo, hi = max(first_output, begin), min(axis.end_of(i), end)
            at = source if source == t.FILL else source + (lo - first_output) * src_pitch
            kept.append(ByteRun(lo - begin, at, src_pitch if hi - lo > 1 else 0, slot))
        return listed_axis(count, dst_pitch, kept)
    position = (axis.start + begin * axis.advance) % axis.period
    index, advance, room = lap_of(axis, position)
    if count - 1 <= room:
        return PlainAxis(count, dst_pitch, advance * axis.index_pitch if count > 1 else 0, index * axis.index_pitch)
    return WalkAxis(count, dst_pitch, position, axis.advance, axis.period, axis.fold, axis.top, axis.index_pitch)


def _begin_of(run: ByteRun) -> int:
    return run.begin


def _constant_run(begin: int, first: int, slot: int) -> ByteRun:
    return ByteRun(begin, first, 0, slot if first == t.FILL else 0)


def lap_of(axis: WalkAxis, position: int) -> tuple[int, int, int]:
    """Return the index at a position of a walk, the stride to the next one, and how many outputs it leads to."""
    advance, top = axis.advance, axis.top
    if position > top:
        return axis.fold - position, -advance, (axis.period - 1 - position) // advance
    return position, advance, ((top - position) if advance > 0 else position) // abs(advance)


def main_run_of(axis: ByteAxis) -> tuple[int, int]:
    """Return the outputs [begin, end) of the longest run of an axis that reads; of a walk, of its first laps.

    A result whose axes have many runs is not all interior: no more than its longest are looked for.
    """
    if type(axis) is PlainAxis:
        return 0, axis.count
    if type(axis) is SegmentAxis:
        return axis.lo, axis.hi
    if type(axis) is ListedAxis:
        spans = [(axis.end_of(i) - run.begin, run.begin) for i, run in enumerate(axis.runs) if run.first != t.FILL]
        length, begin = max(spans, default=(0, 0))
        return begin, begin + length
    begin, longest = 0, (0, 0)
    for _ in range(_LAPS):
        if begin >= axis.count:
            break
        _, _, room = lap_of(axis, (axis.start + begin * axis.advance) % axis.period)
        end = min(begin + room + 1, axis.count)
        longest = max(longest, (begin, end), key=_length_of)
        begin = end
    return longest


_LAPS = 3


def pitch_of(axis: ByteAxis) -> int:
    """Return how many bytes of the source lie from one output to the next of the longest run of an axis."""
    if type(axis) is WalkAxis:
        if type(axis.start) is not int:
            # Of a trace: which way is the longest would make many traces of one.
            return axis.advance * axis.index_pitch
        begin, _ = main_run_of(axis)
        _, advance, _ = lap_of(axis, (axis.start + begin * axis.advance) % axis.period)
        return advance * axis.index_pitch
    if type(axis) is ListedAxis:
        begin, _ = main_run_of(axis)
        return next(run.src_pitch for run in axis.runs if run.begin == begin)
    return axis.src_pitch


def _length_of(span: Sequence[int]) -> int:
    return span[1] - span[0]


# Bytes of the widest edge that is made of vectors of a shuffle program.
_WIDEST_EDGE = 192


def widen(axis: ByteAxis, span: tuple[int, int], block: int) -> tuple[int, int]:
    """Return the interior of an axis without what its edges take, so that these are vectors for `pair_edge`.

    An edge of fill values alone stays as narrow as it is: it is written without reading anything.
    """
    begin, end = span
    outputs = t.VECTOR_BYTES // gcd(block, t.VECTOR_BYTES)
    sides = (begin, _is_filled(axis, 0, begin)), (axis.count - end, _is_filled(axis, end, axis.count))
    before, behind = [n if is_filled else -(-n // outputs) * outputs for n, is_filled in sides]
    if axis.dst_pitch != block or max(before, behind) * block > _WIDEST_EDGE or type(axis.count) is not int:
        return span
    narrowed = (before, axis.count - behind)
    return narrowed if narrowed[1] - narrowed[0] >= outputs else span


def _is_filled(axis: ByteAxis, begin: int, end: int) -> bool:
    """True for outputs [begin, end) of an axis that are all the fill value; they may be none."""
    if begin == end or type(axis) is PlainAxis or type(axis) is WalkAxis:
        return False
    part = cut(axis, begin, end)
    return type(part) is SegmentAxis and part.is_fill


class Edge(NamedTuple):
    """What an edge may read besides what it needs: source bytes from low to high, counted from its first output.

    An output of it is a pixel of some blocks, which may be an axis of its own.
    """

    low: int
    high: int
    blocks: int


class Pixel(NamedTuple):
    """An output of an axis: its bytes, of how many blocks, and those of the source, from low to high from its first."""

    width: int
    blocks: int
    low: int
    high: int


def edge_of(axis: ByteAxis, begin: int, pixel: Pixel) -> Edge:
    """Return what the edge of an axis of pixels that begins at an output may read besides: all of the interior."""
    first = _offset_of(axis, begin)
    inside, end = main_run_of(axis)
    if first == t.FILL or axis.dst_pitch < 0 or type(axis.count) is not int:
        return Edge(0, 0, pixel.blocks)
    low, high = sorted((_offset_of(axis, inside), _offset_of(axis, end - 1)))
    return Edge(low + pixel.low - first, high + pixel.high - first, pixel.blocks)


def offsets_of(axis: ByteAxis) -> tuple[int, ...]:
    """Return the source offset of each output of an axis, FILL where it has none."""
    return tuple([_offset_of(axis, y) for y in range(axis.count)])


def _offset_of(axis: ByteAxis, y: int) -> int:
    one = cut(axis, y, y + 1)
    return one.first if type(one) is PlainAxis else t.FILL
