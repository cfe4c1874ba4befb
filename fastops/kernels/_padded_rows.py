"""Padded rows: one long contiguous run with something else on either side, as the rows of a padded image.

Computes: rows that read alike, each a side, a middle and a side; a side is a few cells, or one run, or the fill value.
Memory: reads the source, the fill value and the table of a padded row, writes each destination byte once, or twice
where vectors overlap. Fast because a row costs no call and few branches: the offsets of the cells of its sides are
listed once, and longer sides and the middle are moved by vectors.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from llvmlite import ir
from numba import types

from fastops.kernels._axes import RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS
from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._access import emit_loop, emitted
from fastops.kernels._intrinsics._outlined import BYTE, WORD, byte_pointer, outlined
from fastops.kernels._intrinsics._vectors import SHORTEST_VECTOR, pick_lanes, rows_type
from fastops.kernels._tables._gather import FILL
from fastops.kernels._writer import is_cell

_BYTES = ir.VectorType(BYTE, SHORTEST_VECTOR)

# Words of a padded row: the source offset and the bytes of its middle, the bytes of its cells, and its two sides.
_SOURCE, _MIDDLE, _CELL, _SIDES = 0, 1, 2, 3

# Words of a side: how it is moved, its bytes, its source offset, 1 if it is the fill value, and the offsets of its
# cells.
_HOW, _SIDE_BYTES, _SIDE_SOURCE, _FILLS, _CELLS = 0, 1, 2, 3, 4
_LISTED_CELLS = 16
_SIDE_WORDS = _CELLS + _LISTED_CELLS

#: Words of a padded row.
PADDED_WORDS = _SIDES + 2 * _SIDE_WORDS

# How a side is moved: by its list of cells; or, from 16 bytes on, by vectors: copied, as one cell repeated, as cells
# reversed, as one pixel of three cells repeated, or as such pixels reversed.
_BY_LIST, _COPIED, _REPEATED, _REVERSED, _PIXEL_REPEATED, _PIXELS_REVERSED = 0, 1, 2, 3, 4, 5

# Cells of a pixel, and the bytes of a cell of a pixel.
_PIXEL_CELLS = 3
_PIXEL_CELL_BYTES = (1, 2, 4)
_LARGEST_PIXEL_CELL = max(_PIXEL_CELL_BYTES)


def _list_cells(runs, first, end, block, width, cell, side):
    """List the cells of runs [first, end) of a side; return how many are fills, -1 if only some or too many cells."""
    listed = filled = 0
    for i in range(first, end):
        run = mem.words_at(runs, RUN_WORDS * i)
        offset, n = run[RUN_SOURCE], run[RUN_COUNT]
        if (listed + n * (block // cell)) > _LISTED_CELLS:
            return -1
        fills = offset == FILL
        for _ in range(n):
            for at in range(0, block, cell):
                side[_CELLS + listed] = at % width if fills else offset + at
                listed += 1
                filled += 1 if fills else 0
            offset += 0 if fills else run[RUN_PITCH]
    side[_SIDE_BYTES] = listed * cell
    return filled if filled in (0, listed) else -1


def _how_moved(run, block, width, cell):
    """How vectors move a run; _BY_LIST if they do not."""
    pitch = run[RUN_PITCH]
    if run[RUN_COUNT] * block < SHORTEST_VECTOR:
        return _BY_LIST
    if run[RUN_SOURCE] == FILL:
        return _REPEATED if width == cell else _PIXEL_REPEATED
    if pitch == block:
        return _COPIED
    if pitch != 0 and pitch != -block:
        return _BY_LIST
    if block == cell:
        return _REVERSED if pitch else _REPEATED
    if block == _PIXEL_CELLS * cell and cell <= _LARGEST_PIXEL_CELL:
        return _PIXELS_REVERSED if pitch else _PIXEL_REPEATED
    return _BY_LIST


def _make_side(runs, first, end, block, width, cell, side):
    """Make a side of runs [first, end); return False if they are no side."""
    how = fills = 0
    if end - first == 1:
        run = mem.words_at(runs, RUN_WORDS * first)
        how = _how_moved(run, block, width, cell)
        fills = 1 if run[RUN_SOURCE] == FILL else 0
        side[_SIDE_SOURCE] = 0 if fills else run[RUN_SOURCE]
        side[_SIDE_BYTES] = run[RUN_COUNT] * block
    if how == _BY_LIST:
        filled = _list_cells(runs, first, end, block, width, cell, side)
        if filled < 0:
            return False
        fills = 1 if filled else 0
    side[_HOW], side[_FILLS] = how, fills
    return True


@outlined(types.boolean(byte_pointer, types.intp, types.intp, types.intp, byte_pointer))
def make_padded(runs, n_runs, block, width, padded):
    """Make a padded row of a list of runs of blocks of elements; return False if the runs are no padded row."""
    middle, longest, has_fill = 0, 0, False
    for i in range(n_runs):
        run = mem.words_at(runs, RUN_WORDS * i)
        if run[RUN_SOURCE] == FILL:
            has_fill = True
        elif run[RUN_COUNT] > longest and run[RUN_PITCH] == block:
            middle, longest = i, run[RUN_COUNT]
    if longest * block < SHORTEST_VECTOR:
        return False
    # A block is usually one cell. A cell is an element if the row has the fill value, which is one element, or if a
    # block is a pixel of several cells.
    cell = width if has_fill or not is_cell(block) else block
    if has_fill and width % _PIXEL_CELLS == 0:
        # The element is a pixel itself, where each channel is filled with a value of its own.
        cell = width // _PIXEL_CELLS
        if cell > _LARGEST_PIXEL_CELL:
            return False
    if not is_cell(cell):
        return False
    padded[_CELL], padded[_MIDDLE] = cell, longest * block
    padded[_SOURCE] = mem.words_at(runs, RUN_WORDS * middle)[RUN_SOURCE]
    if not _make_side(runs, 0, middle, block, width, cell, mem.words_at(padded, _SIDES)):
        return False
    return _make_side(runs, middle + 1, n_runs, block, width, cell, mem.words_at(padded, _SIDES + _SIDE_WORDS))


@outlined(types.void(byte_pointer, byte_pointer, rows_type, byte_pointer, byte_pointer))
def move_padded(dst, src, rows, padded, fill):
    """Write padded rows."""
    before = fill if padded[_SIDES + _FILLS] else src
    behind = fill if padded[_SIDES + _SIDE_WORDS + _FILLS] else src
    _copy_padded(dst, src, rows, padded, before, behind)


@emitted(types.void(byte_pointer, byte_pointer, rows_type, byte_pointer, byte_pointer, byte_pointer))
def _copy_padded(builder, dst, src, rows, padded, before, behind):
    """Write padded rows; their sides are read from `before` and `behind`, which move on with src unless they are fills.

    There is one loop over the rows for each size of cells, so that a row has few branches.
    """
    count, dst_pitch, src_pitch = [builder.extract_value(rows, i) for i in range(3)]
    source, n, cell = [_word(padded, i) for i in (_SOURCE, _MIDDLE, _CELL)]
    sides = [padded.at(8 * (_SIDES + _SIDE_WORDS * k)) for k in range(2)]
    n_before = _word(sides[0], _SIDE_BYTES)
    pitches = [
        builder.select(builder.icmp_signed("==", _word(side, _FILLS), WORD(0)), src_pitch, WORD(0)) for side in sides
    ]
    for size in mem.CELL_BYTES:
        is_size = builder.icmp_signed("==", cell, WORD(size))
        with builder.if_then(is_size), emit_loop(builder, count) as i:
            to, row = dst.at(builder.mul(i, dst_pitch)), src.at(builder.mul(i, src_pitch))
            middle = to.at(n_before)
            _copy_span(builder, middle, row.at(source), n)
            for first, cells, side, pitch in zip((to, middle.at(n)), (before, behind), sides, pitches, strict=True):
                _move_side(builder, first, cells.at(builder.mul(i, pitch)), side, size)


def _word(words, i):
    return words.at(8 * i).load(WORD, align=8)


def _move_side(builder, dst, src, side, size):
    """Emit one side of a row, of cells of `size` bytes."""
    how, n, source = [_word(side, i) for i in (_HOW, _SIDE_BYTES, _SIDE_SOURCE)]
    done, listed = builder.append_basic_block(), builder.append_basic_block()
    chosen = builder.switch(how, listed)
    ways = {
        _COPIED: lambda place: _copy_span(builder, dst, place, n),
        _REPEATED: lambda place: _repeat(builder, dst, place, n, size, 1),
        _REVERSED: lambda place: _reverse(builder, dst, place, n, size, 1),
    }
    if size in _PIXEL_CELL_BYTES:
        ways[_PIXEL_REPEATED] = lambda place: _repeat(builder, dst, place, n, size, _PIXEL_CELLS)
        ways[_PIXELS_REVERSED] = lambda place: _reverse(builder, dst, place, n, size, _PIXEL_CELLS)
    for each, move in ways.items():
        with builder.goto_block(builder.append_basic_block()):
            chosen.add_case(WORD(each), builder.block)
            move(src.at(source))
            builder.branch(done)
    builder.position_at_end(listed)
    with emit_loop(builder, builder.sdiv(n, WORD(size))) as j:
        offset = side.element(WORD, builder.add(WORD(_CELLS), j)).load(WORD, align=8)
        mem.copy_cell(dst.at(builder.mul(j, WORD(size))), src.at(offset), size)
    builder.branch(done)
    builder.position_at_end(done)


def _repeat(builder, dst, src, n, size, cells):
    """Emit n bytes of one cell, or of one pixel of three cells, by vectors of 16 bytes; the last one overlaps."""
    whole, pixel = ir.IntType(128), cells * size
    value = builder.zext(src.load(ir.IntType(8 * size)), whole)
    for k in range(1, cells):
        # Several loads: LLVM would not load three cells at once, and nothing beyond the pixel may be read.
        cell = builder.zext(src.at(k * size).load(ir.IntType(8 * size)), whole)
        value = builder.or_(value, builder.shl(cell, whole(8 * k * size)))
    vector = builder.bitcast(value, _BYTES)
    step, end = SHORTEST_VECTOR // pixel * pixel, builder.sub(n, WORD(SHORTEST_VECTOR))
    repeated = pick_lanes(builder, [i % pixel for i in range(SHORTEST_VECTOR)], vector)
    with emit_loop(builder, builder.add(builder.sdiv(end, WORD(step)), WORD(1))) as i:
        dst.at(builder.mul(i, WORD(step))).store(repeated)
    # The last vector counts from the end, where a pixel ends.
    dst.at(end).store(pick_lanes(builder, [(i - SHORTEST_VECTOR) % pixel for i in range(SHORTEST_VECTOR)], vector))


def _reverse(builder, dst, src, n, size, cells):
    """Emit n bytes of cells, or of pixels of three cells, read from src down, by vectors of 16 bytes of whole pixels.

    The next vector overwrites the bytes that a vector writes beyond its pixels; the last vector keeps the bytes before
    its pixels. For cells of 1, 2 and 4 bytes, the vector before the last one has already written these bytes.
    """
    pixel = cells * size
    step, end = SHORTEST_VECTOR // pixel * pixel, builder.sub(n, WORD(SHORTEST_VECTOR))
    # The pixels lie from here on in the source.
    low = src.at(builder.sub(WORD(pixel), n))
    places = range(SHORTEST_VECTOR)
    falling = [SHORTEST_VECTOR - (i // pixel + 1) * pixel + i % pixel if i < step else i for i in places]
    with emit_loop(builder, builder.add(builder.sdiv(end, WORD(step)), WORD(1))) as i:
        offset = builder.mul(i, WORD(step))
        dst.at(offset).store(pick_lanes(builder, falling, low.at(builder.sub(end, offset)).load(_BYTES)))
    back = [SHORTEST_VECTOR - 1 - i for i in places]
    rising = [(k // pixel + 1) * pixel - 1 - k % pixel if k < step else SHORTEST_VECTOR + i for i, k in enumerate(back)]
    last = dst.at(end)
    last.store(pick_lanes(builder, rising, low.load(_BYTES), last.load(_BYTES)))


def _copy_span(builder, dst, src, n):
    """Emit the copy of n bytes, at least 16, between places that do not overlap."""
    done = builder.append_basic_block()
    for vectors, size in mem.SPANS:
        with builder.if_then(builder.icmp_signed("<=", n, WORD(vectors * size))):
            mem.copy_span(dst, src, n, vectors, size)
            builder.branch(done)
    # Padded rows are wider than their sources, so the distance between the two changes from row to row, and few
    # distances are slow for memcpy. A branch on the length took a twentieth of the time of short rows.
    dst.copy_from(src, n, is_short=True)
    builder.branch(done)
    builder.position_at_end(done)


mem.let_kernels_call(__name__)
