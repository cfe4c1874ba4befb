"""Interiors: a result as one part, or as an interior that reads in bounds and the edges around it.

One mirrored cell must not send a transpose, or a shuffle of the whole image, to short runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from fastops._geometry._traces import larger, smaller
from fastops._schedules._byte_axes import ByteAxis, PlainAxis, copy_axis
from fastops._schedules._cuts import Box, Edge, Pixel, boxes_of_slots, cut, edge_of, main_run_of, pitch_of, widen
from fastops._schedules._parts import Part, by_falling_dst_pitch, lay_part
from fastops.kernels._tables import _gather as t

# Edges of a result that has several parts already are cut up for less than whole results are: 12 mirrored rows of 224
# bytes of three channels take 0.7 us in place of 3.7.
_SMALLEST_PEELED, _SMALLEST_PEELED_EDGE = 1 << 13, 1 << 10


# An interior has one of so many outputs at least, and half of them where it is no plane.
_LEAST_INSIDE = 8


def lay_boxes(axes: list[ByteAxis], width: int, fills: int) -> Iterator[Part]:
    """Yield the parts of one output: one, unless its fill values or its edges want several."""
    for box in boxes_of_slots(axes) if fills > 1 else (Box(axes, 0),):
        for part in _lay_box(box, width, _SMALLEST_PEELED):
            part.row[t.FILL_OFFSET] = box.slot * width
            yield part


def _lay_box(box: Box, width: int, smallest_peeled: int, edge: Edge | None = None) -> Iterator[Part]:
    """Yield the parts of a box, which may be an edge: all of it, or its interior and then its edges.

    It is cut up if it has so many bytes at least.
    """
    axes, dst_offset, _ = box
    size = prod([axis.count for axis in axes])
    is_plain = all([type(axis) is PlainAxis for axis in axes])
    innermost, block = _find_innermost(axes, width)
    is_dense = innermost is None or _is_dense(innermost, block)
    # Of a trace: each comparison divides calls, so that what gains less is not looked for.
    is_traced = any([type(axis.count) is not int for axis in axes])
    columns, pixel = _find_columns([] if is_traced else axes, innermost, block)
    if is_plain or is_dense or edge is not None or size * width < smallest_peeled:
        yield lay_part(axes, width, dst_offset, edge)
        return
    whole = lay_part([copy_axis(axis) for axis in axes], width, dst_offset)
    spans = [main_run_of(axis) for axis in axes]
    inside = prod([end - begin for begin, end in spans])
    if inside * _LEAST_INSIDE < size:
        yield whole
        return
    interior = lay_part(*_cut_box(axes, spans, width, dst_offset))
    is_plane = interior.row[t.PLANE] != t.NO_PLANE
    is_same = interior.row[t.PLANE] == whole.row[t.PLANE] and (is_traced or interior.program == whole.program)
    if (is_plane and is_same) or (not is_plane and (is_traced or inside * 2 < size)):
        yield whole
        return
    edges = None
    if interior.row[t.PLANE] in (t.NO_PLANE, t.PIXELS):
        widened = [
            widen(axis, span, pixel.width) if axis is columns else span for axis, span in zip(axes, spans, strict=True)
        ]
        if widened != spans:
            edges = list(_lay_edges(box, widened, width, columns, pixel))
            # Those that read in too many places for vectors are moved in tiles, and are better narrow.
            if any([edge.row[t.PLANE] in (t.CROSSED, t.TILES) for edge in edges]):
                edges = None
            else:
                interior = lay_part(*_cut_box(axes, widened, width, dst_offset))
    yield interior
    yield from _lay_edges(box, spans, width, columns, pixel) if edges is None else edges


def _is_dense(innermost: ByteAxis, block: int) -> bool:
    """True for an axis whose longest run is copied as rows are: one block behind the other, or short ones mirrored."""
    dst_pitch, pitch = innermost.dst_pitch, pitch_of(innermost)
    return dst_pitch == pitch or (dst_pitch == -pitch and block == dst_pitch and block <= t.LARGEST_FRAMED_BLOCK)


def _lay_edges(
    box: Box, spans: Sequence[tuple[int, int]], width: int, columns: ByteAxis | None, pixel: Pixel
) -> Iterator[Part]:
    """Yield the parts of the edges around an interior, which has a span of the outputs of each axis.

    The edges of an axis stand within those of the axes outside it, which are as long as the output.
    """
    axes, done = box.axes, list(spans)
    for k in sorted(range(len(axes)), key=lambda k: -abs(axes[k].dst_pitch), reverse=True):
        begin, end = spans[k]
        for side in ((0, begin), (end, axes[k].count)):
            if side[0] < side[1]:
                done[k] = side
                edge_axes, _, offset = _cut_box(axes, done, width, box.dst_offset)
                own_edge = edge_of(axes[k], side[0], pixel) if axes[k] is columns else None
                yield from _lay_box(Box(edge_axes, offset), width, _SMALLEST_PEELED_EDGE, own_edge)
        done[k] = (0, axes[k].count)


def _find_innermost(axes: Sequence[ByteAxis], width: int) -> tuple[ByteAxis | None, int]:
    """Return the innermost axis that is no part of a block, and the bytes of the block that those within it make.

    Where it reads one block behind the other, as it writes them, an interior is rows that are copied, and its edges are
    copied with them.
    """
    block = width
    for axis in sorted(axes, key=by_falling_dst_pitch, reverse=True):
        if axis.count != 1:
            if axis.dst_pitch != block or pitch_of(axis) != block or type(axis) is not PlainAxis:
                return axis, block
            block *= axis.count
    return None, block


def _find_columns(axes: Sequence[ByteAxis], innermost: ByteAxis | None, block: int) -> tuple[ByteAxis | None, Pixel]:
    """Return the axis whose outputs are pixels side by side, and what one is: blocks of the axis within it, or one."""
    if type(innermost) is PlainAxis and innermost.dst_pitch == block:
        size = innermost.count * block
        for axis in axes:
            if axis.dst_pitch == size and axis.count != 1:
                reach = (innermost.count - 1) * innermost.src_pitch
                return axis, Pixel(size, innermost.count, smaller(reach, 0), larger(reach, 0) + block)
    return innermost, Pixel(block, 1, 0, block)


def _cut_box(
    axes: Sequence[ByteAxis], spans: Sequence[tuple[int, int]], width: int, dst_offset: int
) -> tuple[list[ByteAxis], int, int]:
    """Return the outputs of a box that lie in a span of each axis, as `lay_part` takes them."""
    cuts = [cut(axis, *span) for axis, span in zip(axes, spans, strict=True)]
    return cuts, width, dst_offset + sum([begin * axis.dst_pitch for axis, (begin, _) in zip(axes, spans, strict=True)])
