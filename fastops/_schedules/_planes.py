"""Planes: how the last two axes of a schedule move, where rows alone are too short or the source crosses them."""

from __future__ import annotations

from math import prod

from fastops._schedules._byte_axes import ByteAxis, PlainAxis
from fastops._schedules._cuts import Edge, offsets_of
from fastops._schedules._shuffle_program import (
    SHUFFLED_PIXEL,
    create_channel_program,
    create_edge_program,
    create_group_program,
    create_shuffle_program,
)
from fastops.kernels._tables import _gather as t

# Source pitches of runs that need no program: they are moved by constant shuffles.
_SHUFFLED_PITCHES = {width: (-width, 2 * width) for width in (1, 2, 4)}

# A vector has two blocks of 8 bytes, which are moved as fast one by one.
_LARGEST_SHUFFLED_BLOCK = 8

# Crossed blocks of at least so many bytes are transposed faster than shuffled, where they lie so far apart that each
# vector of a shuffle has one of them only.
_SMALLEST_TRANSPOSED_BLOCK = 4

# Fewer planes of such blocks are shuffled: each line of theirs is read whole by one loop (3 planes of float32 take 0.75
# of the time of a transpose).
_FEWEST_TRANSPOSED_PLANES = 4

# Shorter blocks pay for the loop over each row, so that a plane is always faster.
_SMALLEST_FREE_BLOCK = 12

# Of crossed blocks up to so long, several share a cache line.
_LARGEST_SHARED_BLOCK = 32

# So many rows of blocks that share lines, and of others, are moved across the shorter axis without a plane: their lines
# stay in the first-level cache until they are complete, and the loop that follows them all is faster than tiles (keys
# and values of 16 heads of 64 float16 1.4 times, pixels of 16 bytes 1.8 times).
_MOST_SHARED_ROWS, _MOST_FREE_ROWS = 512, 32

# Rows at an edge of up to so many bytes are made by vectors of any windows; longer ones by what moves the interior, if
# it can: mirrored pixels of 12 bytes, 12 in each of 212 rows, take 2.1 us so, and 7.7 by vectors.
_WIDEST_GROUP = 96

# Rows that lie a multiple of so many bytes apart push each other out of that cache: fewer of them stay.
_COLLIDING_PITCH, _MOST_COLLIDING_ROWS = 1024, 16


def pair_axes(axes: list[ByteAxis], block: int) -> tuple[list[ByteAxis], int, tuple[int, ...]]:
    """Return the axes in their final order, how the last two move, and their shuffle program, if they have one.

    Outputs may be written in any order, so an axis can be brought in from anywhere: the one along which the source is
    dense where the last axis crosses it, or else the one outside rows that are too short.
    """
    last = axes[-1]
    if last.count * block <= t.FEW_BYTES and prod([axis.count for axis in axes[:-1]]) <= t.FEW_ROWS:
        return axes, t.NO_PLANE, ()
    plain = [axis for axis in axes[:-1] if type(axis) is PlainAxis and axis.src_pitch]
    dense = min(plain, key=_by_src_pitch, default=None)
    is_crossed = (
        type(last) is PlainAxis
        and dense is not None
        and dense.count >= t.FEWEST_CROSSED_ROWS
        and abs(dense.src_pitch) < abs(last.src_pitch)
    )
    if type(last) is PlainAxis and not (
        is_crossed
        and (last.count >= _FEWEST_TRANSPOSED_PLANES or block >= _LARGEST_SHUFFLED_BLOCK)
        and block >= _SMALLEST_TRANSPOSED_BLOCK
        and abs(last.src_pitch) >= t.VECTOR_BYTES
    ):
        pixels = _as_pixels(axes, last, block)
        if pixels is not None:
            return pixels[0], t.PIXELS, pixels[1]
    if len(axes) < 2:
        return axes, t.NO_PLANE, ()
    is_short = last.count * block < t.SHORTEST_ROW
    if type(last) is PlainAxis:
        partner = dense if is_crossed else axes[-2]
        if type(partner) is PlainAxis and (is_crossed or is_short):
            rest = [axis for axis in axes[:-1] if axis is not partner]
            inner, outer = sorted((partner, last), key=_by_count)
            if is_crossed and block >= _SMALLEST_FREE_BLOCK and inner.count <= _most_free_rows(inner, block):
                return [*rest, outer, inner], t.NO_PLANE, ()
            return [*rest, inner, outer], t.CROSSED if _is_crossed(inner, outer, block) else t.TILES, ()
    if is_short and axes[-2].count > last.count:
        return [*axes[:-2], last, axes[-2]], t.NO_PLANE, ()
    return axes, t.NO_PLANE, ()


def pair_edge(
    axes: list[ByteAxis], block: int, edge: Edge, plane: int
) -> tuple[list[ByteAxis], int, tuple[int, ...]] | None:
    """Return the axes, the block and the program of the narrow rows at an edge, each of which is one group; or None.

    Their outputs may be read in any order: what lies behind a mirrored cell is part of the same vector. Where each row
    is a vector in each of a few planes, a group has all of these. Where pixels are axes of their own, a group has all
    blocks of a row's pixels. Wide rows are moved as the plane that they are otherwise, unless that is moved in tiles.
    """
    last = axes[-1]
    if last.dst_pitch != block or len(axes) < 2 or type(last.count) is not int:
        return None
    offsets = offsets_of(last)
    if last.count == edge.blocks > 1:
        # The edge was cut from the axis outside, unless it is one pixel wide.
        pixels = axes[-2]
        if len(axes) < 3 or pixels.dst_pitch != last.count * block or type(pixels.count) is not int:
            return None
        firsts = offsets_of(pixels)
        if t.FILL in firsts:
            return None
        offsets = tuple([first + offset for first in firsts for offset in offsets])
        axes = [*axes[:-2], PlainAxis(len(offsets), block, 0)]
        last = axes[-1]
    low, high = edge.low + offsets[0], edge.high + offsets[0]
    row = last.count * block
    if row > _WIDEST_GROUP and plane not in (t.CROSSED, t.TILES):
        return None
    for axis in axes[:-1]:
        if type(axis) is PlainAxis and abs(axis.src_pitch) == block and row == t.VECTOR_BYTES:
            program = create_edge_program(block, offsets, low, high, axis.count, axis.src_pitch, axis.dst_pitch)
            if program is not None:
                rest = [each for each in axes[:-1] if each is not axis]
                return [*rest, PlainAxis(axis.count, axis.dst_pitch, 0), PlainAxis(1, row, 0)], row, program
    program = create_group_program(block, offsets, low, high)
    if program is None:
        return None
    return [*axes[:-1], PlainAxis(last.count, block, 0), PlainAxis(1, row, 0)], block, program


def _is_crossed(inner: PlainAxis, outer: PlainAxis, block: int) -> bool:
    """True if the output is dense along one of two axes and the source is denser along the other."""
    if inner.dst_pitch != block:
        inner, outer = outer, inner
    return inner.dst_pitch == block <= t.LARGEST_TRANSPOSED_BLOCK and abs(outer.src_pitch) < abs(inner.src_pitch)


def _most_free_rows(inner: PlainAxis, block: int) -> int:
    """Return how many rows, across which the shorter axis goes, are moved without a plane."""
    if max(abs(inner.src_pitch), abs(inner.dst_pitch)) % _COLLIDING_PITCH == 0:
        return _MOST_COLLIDING_ROWS
    return _MOST_SHARED_ROWS if block <= _LARGEST_SHARED_BLOCK else _MOST_FREE_ROWS


def _by_src_pitch(axis: PlainAxis) -> int:
    return abs(axis.src_pitch)


def _by_count(axis: PlainAxis) -> int:
    return axis.count


def _as_pixels(axes: list[ByteAxis], last: PlainAxis, block: int) -> tuple[list[ByteAxis], tuple[int, ...]] | None:
    """Return the axes and the program of a plane that vectors can be shuffled into: dense in the output.

    It is the last axis within the one outside it, or the last one alone where no run does what it needs; or a few
    planes, where the blocks of pixels go to one each.
    """
    if last.dst_pitch != block or (len(axes) == 1 and last.src_pitch == block):
        return None
    split = _as_channels(axes, last, block) if block < _LARGEST_SHUFFLED_BLOCK else None
    if split is not None:
        return split
    outer = axes[-2] if len(axes) > 1 else None
    if type(outer) is PlainAxis and outer.dst_pitch == last.count * block and outer.src_pitch:
        program = create_shuffle_program(block, last.count, last.src_pitch, outer.src_pitch)
        if program is not None:
            return [*axes[:-2], last, outer], program
    if block >= _LARGEST_SHUFFLED_BLOCK and block != SHUFFLED_PIXEL:
        return None
    if last.src_pitch in (block, 0, *_SHUFFLED_PITCHES.get(block, ())):
        return None
    program = create_shuffle_program(block, 1, 0, last.src_pitch)
    if program is None or last.count < program[t.PROGRAM_PIXELS]:
        # Rows that are shorter than a group are moved across.
        return None
    return [*axes[:-1], PlainAxis(1, block, 0), last], program


def _as_channels(axes: list[ByteAxis], last: PlainAxis, block: int) -> tuple[list[ByteAxis], tuple[int, ...]] | None:
    """Return the axes and the program of pixels whose blocks go to planes of their own, all of them at once."""
    for axis in axes[:-1]:
        if type(axis) is PlainAxis and abs(axis.src_pitch) == block:
            program = create_channel_program(block, axis.count, axis.dst_pitch, axis.src_pitch, last.src_pitch)
            if program is not None and last.count >= program[t.PROGRAM_PIXELS]:
                return [*[each for each in axes[:-1] if each is not axis], axis, last], program
    return None
