"""Intrinsics for frames: rows of one run with a side before it and a side behind it, moved without a call or a choice.

What a side is, `_frames` finds out; here it is a word of a table.
"""


# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import as_pointers, emit_loop
from fastops.kernels._intrinsics._memory import CELL_BYTES, SPANS, copy_span
from fastops.kernels._intrinsics._types import BYTE, WORD
from fastops.kernels._intrinsics._vectors import SHORTEST_VECTOR, CellRun, pick_lanes

_INT32 = ir.IntType(32)
_BYTES = ir.VectorType(BYTE, SHORTEST_VECTOR)

#: Words of a frame (`copy_framed`): the source offset and the bytes of its span; then for each side how it is moved,
#: how many bytes that are, the offset of what it reads, and a list of the offsets of its cells.
FRAME_SOURCE, FRAME_SPAN, FRAME_SIDES = 0, 1, 2
SIDE_WAY, SIDE_BYTES, SIDE_SOURCE, SIDE_CELLS = 0, 1, 2, 3

#: How a side is moved: by its list, of no more than so many cells; or, if it has 16 bytes, by vectors: copied, as one
#: cell repeated, as cells reversed, or the same with pixels of three cells.
BY_LIST, COPIED, REPEATED, REVERSED, PIXEL_REPEATED, PIXELS_REVERSED = 0, 1, 2, 3, 4, 5
LISTED_CELLS = 16

#: Cells of a pixel, and how many bytes they have where there are pixels.
PIXEL_CELLS = 3
PIXEL_CELL_BYTES = (1, 2, 4)
SIDE_WORDS = SIDE_CELLS + LISTED_CELLS


@intrinsic
def copy_framed(typingctx, dst, dst_pitch, src, src_pitch, rows, frame, before, behind, cell):
    """Write rows that lie dst_pitch bytes apart, each read src_pitch bytes from the one before: a side, a span, a side.

    frame is a table of the words above; cells have `cell` bytes (1, 2, 4, 8 or 16). The side before the span is read
    from `before` on, that behind it from `behind` on, which move along with src if they begin where it does.

    One loop over the rows for each size of cells, so that a row chooses little.
    """

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, src_pitch, rows, frame, before, behind, cell = as_pointers(builder, signature, args)
        source, n = [frame.element(WORD, WORD(i)).load(WORD, align=8) for i in (FRAME_SOURCE, FRAME_SPAN)]
        sides = [frame.element(WORD, WORD(FRAME_SIDES + SIDE_WORDS * side)) for side in range(2)]
        n_before = sides[0].element(WORD, WORD(SIDE_BYTES)).load(WORD, align=8)
        moves = [
            builder.select(builder.icmp_signed("==", cells.address, src.address), src_pitch, WORD(0))
            for cells in (before, behind)
        ]
        for size in CELL_BYTES:
            is_size = builder.icmp_signed("==", cell, WORD(size))
            with builder.if_then(is_size), emit_loop(builder, rows) as i:
                to, row = dst.at(builder.mul(i, dst_pitch)), src.at(builder.mul(i, src_pitch))
                span = to.at(n_before)
                _copy_span(builder, span, row.at(source), n)
                for first, cells, side, move in zip((to, span.at(n)), (before, behind), sides, moves, strict=True):
                    _move_side(builder, first, cells.at(builder.mul(i, move)), side, size)
        return context.get_dummy_value()

    arguments = (dst, types.intp, src, types.intp, types.intp, frame, before, behind, types.intp)
    return types.void(*arguments), codegen


def _move_side(builder, dst, src, side, size):
    """Emit one side of a row, of cells of `size` bytes."""
    way, n, source = [side.element(WORD, WORD(i)).load(WORD, align=8) for i in (SIDE_WAY, SIDE_BYTES, SIDE_SOURCE)]
    done = builder.append_basic_block()
    listed = builder.append_basic_block()
    chosen = builder.switch(way, listed)
    ways = {
        COPIED: lambda place: _copy_span(builder, dst, place, n),
        REPEATED: lambda place: _move_side_vectors(builder, dst, place, n, size, distance=0),
        REVERSED: lambda place: _move_side_vectors(builder, dst, place, n, size, distance=-1),
    }
    if size in PIXEL_CELL_BYTES:
        ways[PIXEL_REPEATED] = lambda place: _repeat_pixel(builder, dst, place, n, size)
        ways[PIXELS_REVERSED] = lambda place: _reverse_pixels(builder, dst, place, n, size)
    for each, move in ways.items():
        with builder.goto_block(builder.append_basic_block()):
            chosen.add_case(WORD(each), builder.block)
            move(src.at(source))
            builder.branch(done)
    builder.position_at_end(listed)
    with emit_loop(builder, builder.sdiv(n, WORD(size))) as j:
        offset = side.element(WORD, builder.add(WORD(SIDE_CELLS), j)).load(WORD, align=8)
        dst.at(builder.mul(j, WORD(size))).store(src.at(offset).load(ir.IntType(8 * size)))
    builder.branch(done)
    builder.position_at_end(done)


def _move_side_vectors(builder, dst, src, n, size, distance):
    """Emit n bytes of cells that are read every `distance` cells, by vectors of 16 bytes; the last one overlaps."""
    run = CellRun(builder, dst, src, size, distance, src)
    lanes = WORD(SHORTEST_VECTOR // size)
    with emit_loop(builder, builder.sdiv(n, WORD(SHORTEST_VECTOR))) as i:
        run.move_vector(builder.mul(i, lanes), SHORTEST_VECTOR)
    run.move_vector(builder.sub(builder.sdiv(n, WORD(size)), lanes), SHORTEST_VECTOR)


def _repeat_pixel(builder, dst, src, n, size):
    """Emit n bytes of one pixel of three cells, by vectors of 16 bytes, the last one of which overlaps."""
    pixel = PIXEL_CELLS * size
    # Two loads: three cells are no number that LLVM would load at once, and nothing beyond the pixel may be read.
    low, high = src.load(ir.IntType(16 * size)), src.at(2 * size).load(ir.IntType(8 * size))
    whole = ir.IntType(128)
    both = builder.or_(builder.zext(low, whole), builder.shl(builder.zext(high, whole), whole(16 * size)))
    vector = builder.bitcast(both, _BYTES)
    step = SHORTEST_VECTOR // pixel * pixel
    end = builder.sub(n, WORD(SHORTEST_VECTOR))
    repeated = pick_lanes(builder, vector, [i % pixel for i in range(SHORTEST_VECTOR)])
    with emit_loop(builder, builder.add(builder.sdiv(end, WORD(step)), WORD(1))) as i:
        dst.at(builder.mul(i, WORD(step))).store(repeated)
    # Counted from the end, which a pixel ends with.
    dst.at(end).store(pick_lanes(builder, vector, [(i - SHORTEST_VECTOR) % pixel for i in range(SHORTEST_VECTOR)]))


def _reverse_pixels(builder, dst, src, n, size):
    """Emit n bytes of pixels of three cells, read from src down, by vectors of 16 bytes of which whole pixels count.

    What a vector writes beyond its pixels, the next one writes anew; the last one keeps what was before its pixels. All
    of that is there, because the vector before it reaches so far, for cells of 1, 2 and 4 bytes.
    """
    pixel = PIXEL_CELLS * size
    step = SHORTEST_VECTOR // pixel * pixel
    end = builder.sub(n, WORD(SHORTEST_VECTOR))
    # The pixels lie from here on in the source.
    low = src.at(builder.sub(WORD(pixel), n))
    places = range(SHORTEST_VECTOR)
    falling = [SHORTEST_VECTOR - (i // pixel + 1) * pixel + i % pixel if i < step else i for i in places]
    with emit_loop(builder, builder.add(builder.sdiv(end, WORD(step)), WORD(1))) as i:
        offset = builder.mul(i, WORD(step))
        loaded = low.at(builder.sub(end, offset)).load(_BYTES)
        dst.at(offset).store(pick_lanes(builder, loaded, falling))
    back = [SHORTEST_VECTOR - 1 - i for i in places]
    rising = [(k // pixel + 1) * pixel - 1 - k % pixel if k < step else SHORTEST_VECTOR + i for i, k in enumerate(back)]
    mask = ir.Constant(ir.VectorType(_INT32, SHORTEST_VECTOR), [_INT32(lane) for lane in rising])
    last = dst.at(end)
    last.store(builder.shuffle_vector(low.load(_BYTES), last.load(_BYTES), mask))


def _copy_span(builder, dst, src, n):
    """Emit the copy of n bytes, at least 16, between places that do not overlap."""
    done = builder.append_basic_block()
    for vectors, size in SPANS:
        with builder.if_then(builder.icmp_signed("<=", n, WORD(vectors * size))):
            copy_span(dst, src, n, vectors, size)
            builder.branch(done)
    # Rows are wider than what they are copied from, so that each lies at a distance of its own: few at one that is slow
    # for memcpy. To ask how long they are took a twentieth of the time of short rows.
    dst.copy_from(src, n, is_short=True)
    builder.branch(done)
    builder.position_at_end(done)
