"""A window: one output that compiled code lays over memory, and moves.

Computes: the part of a table that `_schedules` would make of a plan, without its interiors: from the words of a window
(`_tables._window`); and, where a plane is worth it, the boxes of a window, each of which reads in bounds or nothing.
Memory: reads the words, writes the table, which the caller owns.
Fast because it is some ten comparisons an axis. Windows of a loop that read in bounds have the same part, but for its
offsets: whoever moves many lays it once.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._arithmetic import circle_of, inside_of_line, walk_of
from fastops.kernels._intrinsics._memory import ZERO, copy_bytes, load_int, loops, shift, store_int
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_COLUMNS,
    CLAMP,
    COUNT,
    DST_PITCH,
    EXTENT,
    FILL,
    FIRST_PROGRAM,
    HAS_PLANES,
    HEADER_COLUMNS,
    LARGEST,
    MODE,
    MOST_AXES,
    MOST_PROGRAM_WORDS,
    NO_INNER,
    PROGRAM_BLOCK,
    PROGRAM_BLOCKS,
    PROGRAM_COLUMNS,
    PROGRAM_FEWEST,
    PROGRAM_INNER,
    PROGRAM_INNER_DST_PITCH,
    PROGRAM_INNER_PITCH,
    PROGRAM_LENGTH,
    PROGRAM_OUTER,
    PROGRAM_OUTER_DST_PITCH,
    PROGRAM_OUTER_PITCH,
    PROGRAMS,
    RANK,
    SRC_PITCH,
    START,
    STREAMS,
    STRIDE,
    WIDTH,
)

# Bytes of the innermost contiguous axes that become one block, as in `_schedules._parts`.
_LARGEST_BLOCK = 1024

# Rows of an output that is not contiguous are streamed from this length on, as in `_schedules._parts`.
_SHORTEST_STREAMED_ROW = 1024

# Which of two axes are a plane, as in `_schedules._planes`.
_SHORTEST_ROW, _FEW_ROWS, _FEW_BYTES = 128, 16, 512
_FEWEST_CROSSED_ROWS, _LARGEST_TRANSPOSED_BLOCK = 4, 64

_FIRST_AXIS = g.HEADER_COLUMNS + g.PART_COLUMNS

#: Words of the table of one part, to be allocated by the caller. Behind the axes is room for one that is put in.
TABLE_WORDS = _FIRST_AXIS + (MOST_AXES + 1) * g.AXIS_COLUMNS + MOST_PROGRAM_WORDS

#: Where in it the part is.
PART = g.HEADER_COLUMNS

# Which axis of the window a plain axis of the table is: a column that only walks have otherwise.
_NUMBER = g.CYCLE

_inside_of_line, _circle_of, _walk_of = loops(inside_of_line), loops(circle_of), loops(walk_of)


@loops
def _inside(extent, start, stride, count):
    """The first output that reads inside an axis, and the one behind the last; twice the same for none."""
    lo, hi = _inside_of_line(extent, start, stride, count)
    lo = min(max(lo, 0), count)
    return lo, min(max(hi, lo), count)


@loops
def _divisor_of(one, other):
    """The greatest number that divides both, of which one is above 0."""
    other = abs(other)
    while other:
        one, other = other, one % other
    return one


@loops
def axis_words(words, k):
    """The words of axis k of a window."""
    return shift(words, 8 * (HEADER_COLUMNS + k * AXIS_COLUMNS))


@loops
def is_inside(extent, start, stride, count):
    """True if all coordinates lie in an axis; start and stride are within LARGEST."""
    if start < 0 or start >= extent:
        return False
    if stride == 1:
        return count <= extent - start
    # What has further to go leaves the axis: no extent is larger.
    if abs(float(stride)) * float(count - 1) >= float(LARGEST):
        return False
    last = start + (count - 1) * stride
    return 0 <= last < extent


@loops
def is_too_large(number):
    """True for a start or a stride that compiled code does not compute with."""
    return number < -LARGEST or number > LARGEST


@loops
def _lay_affine(row, count, dst_pitch, lo, hi, first, src_pitch, before, after):
    store_int(row, g.KIND, g.AFFINE)
    store_int(row, g.COUNT, count)
    store_int(row, g.DST_PITCH, dst_pitch)
    store_int(row, g.LO, lo)
    store_int(row, g.HI, hi)
    store_int(row, g.FIRST, first)
    store_int(row, g.SRC_PITCH, src_pitch)
    store_int(row, g.BEFORE, before)
    store_int(row, g.AFTER, after)


@loops
def _lay_plain(row, number, count, dst_pitch, src_pitch):
    _lay_affine(row, count, dst_pitch, ZERO, count, ZERO, src_pitch, ZERO, ZERO)
    store_int(row, _NUMBER, number)


@loops
def _lay_outside(row, axis, mode, number, src_pitch):
    """Write the row of an axis that reads beyond its ends; return the offset that it leaves to the part.

    A row of one output, or of the same one for all, is plain. The mode is none of STRICT_BOUNDS.
    """
    extent, start, stride = load_int(axis, EXTENT), load_int(axis, START), load_int(axis, STRIDE)
    count, dst_pitch = load_int(axis, COUNT), load_int(axis, DST_PITCH)
    is_constant = count == 1 or stride == 0
    if mode == FILL:
        lo, hi = (ZERO, ZERO) if is_constant else _inside(extent, start, stride, count)
        if lo == hi:
            lo = hi = ZERO
        first = (start + lo * stride) * src_pitch if lo < hi else 0
        pitch = stride * src_pitch if hi - lo > 1 else 0
        _lay_affine(row, count, dst_pitch, lo, hi, first, pitch, g.FILL, g.FILL)
        return 0
    if extent == 1 or src_pitch == 0:
        _lay_plain(row, number, count, dst_pitch, ZERO)
        return 0
    if mode == CLAMP:
        low, high = 0, (extent - 1) * src_pitch
        if is_constant:
            _lay_plain(row, number, count, dst_pitch, ZERO)
            return low if start < 0 else high
        lo, hi = _inside(extent, start, stride, count)
        first = (start + lo * stride) * src_pitch if lo < hi else 0
        pitch = stride * src_pitch if hi - lo > 1 else 0
        before, after = (low, high) if stride > 0 else (high, low)
        _lay_affine(row, count, dst_pitch, lo, hi, first, pitch, before, after)
        return 0
    period, fold = _circle_of(extent, mode)
    position, advance = _walk_of(start, stride, period, fold, mode)
    if count == 1 or advance == 0:
        _lay_plain(row, number, count, dst_pitch, ZERO)
        return min(position, fold - position) * src_pitch
    store_int(row, g.KIND, g.WALK)
    store_int(row, g.COUNT, count)
    store_int(row, g.DST_PITCH, dst_pitch)
    store_int(row, g.START, position)
    store_int(row, g.ADVANCE, advance)
    store_int(row, g.PERIOD, period)
    store_int(row, g.FOLD, fold)
    store_int(row, g.TOP, extent - 1)
    store_int(row, g.INDEX_PITCH, src_pitch)
    store_int(row, g.CYCLE, period if abs(advance) == 1 else period // _divisor_of(period, advance))
    return 0


@loops
def lay_axis(row, axis, mode, number, src_pitch):
    """Write the row of an axis, at so many bytes from one index to the next; return the offset that it leaves.

    Axes in bounds are plain, and so is what reads the same index for all outputs.
    """
    start, stride, count = load_int(axis, START), load_int(axis, STRIDE), load_int(axis, COUNT)
    if is_inside(load_int(axis, EXTENT), start, stride, count):
        _lay_plain(row, number, count, load_int(axis, DST_PITCH), stride * src_pitch if count > 1 else 0)
        return start * src_pitch
    return _lay_outside(row, axis, mode, number, src_pitch)


@loops
def _is_plain(row):
    """True for the row of an axis that is one run, from its first output to its last."""
    return (
        load_int(row, g.KIND) == g.AFFINE and load_int(row, g.LO) == 0 and load_int(row, g.HI) == load_int(row, g.COUNT)
    )


@loops
def _is_fill(row):
    """True for the row of an axis of which every output is the fill value."""
    return load_int(row, g.KIND) == g.AFFINE and load_int(row, g.HI) == 0 and load_int(row, g.AFTER) == g.FILL


@loops
def row_of(table, k):
    """Row k of the axes of a table."""
    return shift(table, 8 * (_FIRST_AXIS + k * g.AXIS_COLUMNS))


@loops
def _lay_axes(words, table):
    """Write the rows of the axes of a window that move, the outermost first; return what the part has of them.

    That is how many there are, the destination and source offsets of the first output, and whether it is all fill
    value: then only the destination matters, and its rows say so.
    """
    rank, mode = load_int(words, RANK), load_int(words, MODE)
    n, dst_offset, src_offset, is_fill = ZERO, ZERO, ZERO, False
    for k in range(rank):
        axis, row = axis_words(words, k), row_of(table, n)
        src_offset += lay_axis(row, axis, mode, k, load_int(axis, SRC_PITCH))
        is_fill = is_fill or _is_fill(row)
        count, dst_pitch = load_int(row, g.COUNT), load_int(row, g.DST_PITCH)
        if _is_plain(row):
            if count == 1:
                continue
            if dst_pitch < 0:
                src_pitch = load_int(row, g.SRC_PITCH)
                dst_offset += (count - 1) * dst_pitch
                src_offset += (count - 1) * src_pitch
                _lay_plain(row, k, count, -dst_pitch, -src_pitch)
        n += 1
    if is_fill:
        dst_offset = src_offset = n = ZERO
        for k in range(rank):
            axis = axis_words(words, k)
            count, dst_pitch = load_int(axis, COUNT), load_int(axis, DST_PITCH)
            if count > 1:
                if dst_pitch < 0:
                    dst_offset += (count - 1) * dst_pitch
                _lay_affine(row_of(table, n), count, abs(dst_pitch), ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
                n += 1
    if n == 0:
        if is_fill:
            _lay_affine(row_of(table, ZERO), 1, ZERO, ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
        else:
            _lay_plain(row_of(table, ZERO), ZERO, 1, ZERO, ZERO)
        n += 1
    return n, dst_offset, src_offset, is_fill


@loops
def _sort_axes(table, n):
    """Bring the rows of axes into the order of the destination's memory."""
    spare = row_of(table, n)
    for k in range(1, n):
        pitch = abs(load_int(row_of(table, k), g.DST_PITCH))
        i = k
        while i > 0 and abs(load_int(row_of(table, i - 1), g.DST_PITCH)) < pitch:
            i -= 1
        if i < k:
            copy_bytes(spare, row_of(table, k), 8 * g.AXIS_COLUMNS)
            for j in range(k, i, -1):
                copy_bytes(row_of(table, j), row_of(table, j - 1), 8 * g.AXIS_COLUMNS)
            copy_bytes(row_of(table, i), spare, 8 * g.AXIS_COLUMNS)


@loops
def _merge_axes(table, n, is_fill):
    """Join neighbours that move through both memories as one axis does; return how many axes there are."""
    merged = ZERO
    for k in range(1, n):
        inner, outer = row_of(table, k), row_of(table, merged)
        count, dst_pitch = load_int(inner, g.COUNT), load_int(inner, g.DST_PITCH)
        src_pitch = load_int(inner, g.SRC_PITCH)
        if load_int(outer, g.DST_PITCH) == dst_pitch * count and (
            is_fill or (_is_plain(outer) and _is_plain(inner) and load_int(outer, g.SRC_PITCH) == src_pitch * count)
        ):
            count *= load_int(outer, g.COUNT)
            if is_fill:
                _lay_affine(outer, count, dst_pitch, ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
            else:
                _lay_plain(outer, load_int(inner, _NUMBER), count, dst_pitch, src_pitch)
        else:
            merged += 1
            if merged < k:
                copy_bytes(row_of(table, merged), inner, 8 * g.AXIS_COLUMNS)
    return merged + 1


@loops
def _absorb_axes(table, n, is_fill, width):
    """Return how many axes are left without the innermost contiguous ones, and the bytes of a block of those."""
    block = width
    while n > 1:
        inner = row_of(table, n - 1)
        size = load_int(inner, g.COUNT) * block
        if load_int(inner, g.DST_PITCH) != block or size > _LARGEST_BLOCK:
            break
        if not is_fill and not (_is_plain(inner) and load_int(inner, g.SRC_PITCH) == block):
            break
        block = size
        n -= 1
    return n, block


@loops
def _swap_axes(table, n, i, j):
    if i != j:
        spare = row_of(table, n)
        copy_bytes(spare, row_of(table, i), 8 * g.AXIS_COLUMNS)
        copy_bytes(row_of(table, i), row_of(table, j), 8 * g.AXIS_COLUMNS)
        copy_bytes(row_of(table, j), spare, 8 * g.AXIS_COLUMNS)


@loops
def _find_axis(table, n, number, src_pitch, dst_pitch):
    """Return which row is a plain axis of the window with this number and these pitches, n for none."""
    for k in range(n):
        row = row_of(table, k)
        if (
            _is_plain(row)
            and load_int(row, _NUMBER) == number
            and load_int(row, g.SRC_PITCH) == src_pitch
            and load_int(row, g.DST_PITCH) == dst_pitch
        ):
            return k
    return n


@loops
def _pair_by_program(words, table, n, block):
    """Return the axes, the last two of which are the plane of a shuffle program; 0 if no program fits.

    The program is copied behind the axes.
    """
    at = load_int(words, FIRST_PROGRAM)
    for _ in range(load_int(words, PROGRAMS)):
        program = shift(words, 8 * at)
        at += PROGRAM_COLUMNS + load_int(program, PROGRAM_LENGTH)
        if load_int(program, PROGRAM_BLOCK) != block:
            continue
        outer = _find_axis(
            table,
            n,
            load_int(program, PROGRAM_OUTER),
            load_int(program, PROGRAM_OUTER_PITCH),
            load_int(program, PROGRAM_OUTER_DST_PITCH),
        )
        if outer == n or load_int(row_of(table, outer), g.COUNT) < load_int(program, PROGRAM_FEWEST):
            continue
        if load_int(program, PROGRAM_INNER) != NO_INNER:
            inner = _find_axis(
                table,
                n,
                load_int(program, PROGRAM_INNER),
                load_int(program, PROGRAM_INNER_PITCH),
                load_int(program, PROGRAM_INNER_DST_PITCH),
            )
            if inner == n or load_int(row_of(table, inner), g.COUNT) != load_int(program, PROGRAM_BLOCKS):
                continue
            # The rest keeps its order: both are taken out, and put behind it.
            _move_last(table, n, inner)
            _move_last(table, n, outer - 1 if inner < outer else outer)
        else:
            _move_last(table, n, outer)
            copy_bytes(row_of(table, n), row_of(table, n - 1), 8 * g.AXIS_COLUMNS)
            _lay_plain(row_of(table, n - 1), ZERO, 1, block, ZERO)
            n += 1
        copy_bytes(row_of(table, n), shift(program, 8 * PROGRAM_COLUMNS), 8 * load_int(program, PROGRAM_LENGTH))
        return n
    return ZERO


@loops
def _move_last(table, n, k):
    """Put the row of axis k behind the others."""
    for i in range(k, n - 1):
        _swap_axes(table, n, i, i + 1)


@unit(types.UniTuple(types.intp, 2)(byte_pointer, byte_pointer, types.intp, types.intp))
def pair_window(words, table, n, block):
    """Bring two axes that move together behind the others; return how many axes there are, and their plane."""
    last = row_of(table, n - 1)
    count = load_int(last, g.COUNT)
    outer_rows = 1
    for k in range(n - 1):
        outer_rows *= load_int(row_of(table, k), g.COUNT)
    if not _is_plain(last) or (count * block <= _FEW_BYTES and outer_rows <= _FEW_ROWS):
        return n, g.NO_PLANE
    with_program = _pair_by_program(words, table, n, block)
    if with_program:
        return with_program, g.PIXELS
    # The axis along which the source is densest.
    dense, least = n, abs(load_int(last, g.SRC_PITCH))
    for k in range(n - 1):
        row = row_of(table, k)
        pitch = abs(load_int(row, g.SRC_PITCH)) if _is_plain(row) else 0
        if 0 < pitch < least and load_int(row, g.COUNT) >= _FEWEST_CROSSED_ROWS:
            dense, least = k, pitch
    partner = n - 2 if dense == n else dense
    if n < 2 or (dense == n and count * block >= _SHORTEST_ROW) or not _is_plain(row_of(table, partner)):
        return n, g.NO_PLANE
    _move_last(table, n, partner)
    if load_int(row_of(table, n - 1), g.COUNT) < load_int(row_of(table, n - 2), g.COUNT):
        _swap_axes(table, n, n - 1, n - 2)
    one, other = row_of(table, n - 2), row_of(table, n - 1)
    if load_int(one, g.DST_PITCH) != block:
        one, other = other, one
    is_crossed = (
        load_int(one, g.DST_PITCH) == block
        and block <= _LARGEST_TRANSPOSED_BLOCK
        and abs(load_int(other, g.SRC_PITCH)) < abs(load_int(one, g.SRC_PITCH))
    )
    return n, g.CROSSED if is_crossed else g.TILES


@loops
def _can_stream(table, n, plane, grain_bytes):
    """True if grains of the part are dense in the output, and so are its rows, or they are long."""
    if plane == g.CROSSED or plane == g.TILES:
        return plane == g.CROSSED
    last = row_of(table, n - 1)
    if load_int(last, g.DST_PITCH) != grain_bytes:
        return False
    span = grain_bytes
    for k in range(n - 1, -1, -1):
        if plane == g.NO_PLANE or k != n - 2:
            row = row_of(table, k)
            count = load_int(row, g.COUNT)
            if load_int(row, g.DST_PITCH) != span and count > 1:
                return load_int(last, g.COUNT) * grain_bytes >= _SHORTEST_STREAMED_ROW
            span *= count
    return True


@loops
def _span_of_source(words):
    """Return the lowest byte of the source of a window, counted from its element 0, and one beyond the highest."""
    low, high = ZERO, load_int(words, WIDTH)
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        reach = (load_int(axis, EXTENT) - 1) * load_int(axis, SRC_PITCH)
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


@unit(types.void(byte_pointer, byte_pointer))
def lay_window(words, table):
    """Write the table of a window that has outputs: one part, which is `PART`."""
    width = load_int(words, WIDTH)
    n, dst_offset, src_offset, is_fill = _lay_axes(words, table)
    if n > 1:
        _sort_axes(table, n)
        n = _merge_axes(table, n, is_fill)
    n, block = _absorb_axes(table, n, is_fill, width)
    plane = g.NO_PLANE
    if load_int(words, HAS_PLANES) and not is_fill:
        n, plane = pair_window(words, table, n, block)
    grain_bytes, grains = block, 1
    for k in range(n):
        count = load_int(row_of(table, k), g.COUNT)
        if plane != g.NO_PLANE and k == n - 2:
            grain_bytes *= count
        else:
            grains *= count
    part = shift(table, 8 * PART)
    store_int(part, g.DST_INDEX, ZERO)
    store_int(part, g.DST_OFFSET, dst_offset)
    store_int(part, g.SRC_OFFSET, src_offset)
    store_int(part, g.BLOCK, block)
    store_int(part, g.WIDTH, width)
    store_int(part, g.PLANE, plane)
    store_int(part, g.AXES, n)
    store_int(part, g.FIRST_AXIS, _FIRST_AXIS)
    store_int(part, g.GRAIN_BYTES, grain_bytes)
    store_int(part, g.GRAINS, grains)
    store_int(part, g.PROGRAM, _FIRST_AXIS + n * g.AXIS_COLUMNS)
    store_int(part, g.STREAMS, ZERO)
    if load_int(words, STREAMS) and _can_stream(table, n, plane, grain_bytes):
        store_int(part, g.STREAMS, 1)
    if plane == g.PIXELS:
        low, high = _span_of_source(words)
        store_int(part, g.SRC_LOW, low)
        store_int(part, g.SRC_HIGH, high)
