"""Planes: the last two axes of a part move together where rows are short, or where the source is dense across them."""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from fastops.kernels._intrinsics._memory import let_kernels_call
from fastops.kernels._scheduler import _programs as programs
from fastops.kernels._scheduler._rows import copy_row, is_plain, offset_of, row_of, write_plain
from fastops.kernels._tables import _gather as g

# Blocks of 8 bytes, two to a vector, move as fast one by one as shuffled.
_SMALLEST_UNSHUFFLED_BLOCK = 8

# Bytes of the smallest block that is transposed faster than shuffled, if a vector reads only one of them.
_SMALLEST_TRANSPOSED_BLOCK = 4

# If such blocks have fewer planes, one loop shuffles them and reads whole cache lines: 3 planes of float32 take 0.75 of
# the time of a transpose.
_FEWEST_TRANSPOSED_PLANES = 4

# The loop over rows costs more than a plane if blocks are shorter than this.
_SMALLEST_FREE_BLOCK = 12

# Bytes of the largest transposed block that shares its cache line with others.
_LARGEST_SHARED_BLOCK = 32

# The largest count of the shorter axis for which a transpose needs no plane, if blocks share cache lines and if not.
# The lines of so few rows stay in the first-level cache until they are complete, and one loop is faster than tiles: 1.4
# times as fast for keys and values of 16 heads of 64 float16, 1.8 times for pixels of 16 bytes.
_MOST_SHARED_ROWS, _MOST_FREE_ROWS = 512, 32

# Bytes of the longest row of an edge that is one group. Longer rows are paired as those of interiors are: 212 rows of
# 12 mirrored pixels of 12 bytes take 2.1 us in pairs, and 7.7 us as groups.
_WIDEST_GROUP = 96

# Rows whose pitch is a multiple of this many bytes evict each other from the first-level cache, so fewer need no plane.
_COLLIDING_PITCH, _MOST_COLLIDING_ROWS = 1024, 16


def move_behind(axes, n, k):
    """Move row k behind the others of n rows; there is room for n + 1 rows."""
    if k < n - 1:
        copy_row(row_of(axes, n), row_of(axes, k))
        for i in range(k, n):
            copy_row(row_of(axes, i), row_of(axes, i + 1))


def _find_dense(axes, n, least):
    """Return which of n rows is plain, long enough for a tile, and has the least source pitch, below `least`; or -1."""
    dense = -1
    for k in range(n):
        row = row_of(axes, k)
        if is_plain(row) and row[g.COUNT] >= g.FEWEST_TRANSPOSED_ROWS and 0 < abs(row[g.SRC_PITCH]) < least:
            dense, least = k, abs(row[g.SRC_PITCH])
    return dense


def pair_axes(words, scratch, program, axes, n, block, edge, size):
    """Bring the rows of the axes of a part of `size` bytes into their final order, or make each row of an edge a group.

    Returns the number of axes, the block, the plane, and the length of the shuffle program, 0 if there is none. Outputs
    may be written in any order, so any axis can be paired with the last one: the axis along which the source is dense,
    or the axis next to it if rows are short.
    """
    if edge.blocks:
        left, own_block, length = _pair_edge(words, scratch, program, axes, n, block, edge)
        if length:
            return left, own_block, g.TUPLES, length
    last = row_of(axes, n - 1)
    last_is_plain, count, last_pitch = is_plain(last), last[g.COUNT], abs(last[g.SRC_PITCH])
    if count * block <= g.FEW_BYTES and size <= g.FEW_ROWS * count * block:
        return n, block, g.NO_PLANE, 0
    dense = _find_dense(axes, n - 1, last_pitch) if last_is_plain else -1
    can_transpose = dense >= 0
    is_transposed = (
        can_transpose
        and (count >= _FEWEST_TRANSPOSED_PLANES or block >= _SMALLEST_UNSHUFFLED_BLOCK)
        and block >= _SMALLEST_TRANSPOSED_BLOCK
        and last_pitch >= g.VECTOR_BYTES
    )
    if last_is_plain and not is_transposed:
        axes_left, length = _pair_tuples(scratch, program, axes, n, block)
        if length:
            return axes_left, block, g.TUPLES, length
    if n < 2:
        return n, block, g.NO_PLANE, 0
    is_short = count * block < g.SHORTEST_ROW
    partner = dense if can_transpose else n - 2
    if last_is_plain and is_plain(row_of(axes, partner)) and (can_transpose or is_short):
        return n, block, _pair_plain(axes, n, block, partner, can_transpose), 0
    if is_short and row_of(axes, n - 2)[g.COUNT] > count:
        move_behind(axes, n, n - 2)
    return n, block, g.NO_PLANE, 0


def _pair_plain(axes, n, block, partner, is_transposed):
    """Bring the last row and its partner, which are plain, behind the others; return their plane."""
    move_behind(axes, n, partner)
    one, other = row_of(axes, n - 2), row_of(axes, n - 1)
    is_shorter = other[g.COUNT] <= one[g.COUNT]
    shorter = other if is_shorter else one
    is_free = is_transposed and block >= _SMALLEST_FREE_BLOCK and shorter[g.COUNT] <= _most_free_rows(shorter, block)
    # The shorter axis is the inner one of a plane, and the last axis without a plane.
    if is_shorter != is_free:
        move_behind(axes, n, n - 2)
    if is_free:
        return g.NO_PLANE
    if one[g.DST_PITCH] != block:
        one, other = other, one
    is_dense = one[g.DST_PITCH] == block and block <= g.LARGEST_TRANSPOSED_BLOCK
    return g.TRANSPOSED if is_dense and abs(other[g.SRC_PITCH]) < abs(one[g.SRC_PITCH]) else g.TILES


def _most_free_rows(row, block):
    """Return the largest count of a shorter axis for which a transpose needs no plane."""
    if max(abs(row[g.SRC_PITCH]), abs(row[g.DST_PITCH])) % _COLLIDING_PITCH == 0:
        return _MOST_COLLIDING_ROWS
    return _MOST_SHARED_ROWS if block <= _LARGEST_SHARED_BLOCK else _MOST_FREE_ROWS


def _pair_tuples(scratch, program, axes, n, block):
    """Bring the axes of tuples that a program can shuffle behind the others; return the number of axes and the length.

    The length of the program is 0 if there is none; the rows then stay as they are. There are three kinds of tuples: a
    tuple is all outputs of the last axis, dense in the output; or, where the last axis is dense, one block for each of
    several planes of the output; or one output of the last axis, if no loop for runs moves that axis.
    """
    last = row_of(axes, n - 1)
    count, pitch = last[g.COUNT], last[g.SRC_PITCH]
    if last[g.DST_PITCH] != block or (n == 1 and pitch == block):
        return n, 0
    if block < _SMALLEST_UNSHUFFLED_BLOCK:
        for k in range(n - 1):
            row = row_of(axes, k)
            channels, dst_pitch, inner_pitch = row[g.COUNT], row[g.DST_PITCH], row[g.SRC_PITCH]
            if is_plain(row) and abs(inner_pitch) == block:
                pitches = dst_pitch, inner_pitch, pitch
                length = programs.write_channel_program(scratch, program, block, channels, *pitches)
                if length and count >= program[g.PROGRAM_TUPLES]:
                    move_behind(axes, n, k)
                    move_behind(axes, n, n - 2)
                    return n, length
    if n > 1:
        outer = row_of(axes, n - 2)
        if is_plain(outer) and outer[g.DST_PITCH] == count * block and outer[g.SRC_PITCH]:
            length = programs.write_tuple_program(scratch, program, block, count, pitch, outer[g.SRC_PITCH])
            if length:
                move_behind(axes, n, n - 2)
                return n, length
    if block >= _SMALLEST_UNSHUFFLED_BLOCK and block != programs.SHUFFLED_PIXEL:
        return n, 0
    # Loops for runs move these pitches by constant shuffles.
    if pitch == block or pitch == 0 or (block <= 4 and block != 3 and (pitch == -block or pitch == 2 * block)):
        return n, 0
    length = programs.write_tuple_program(scratch, program, block, 1, 0, pitch)
    if length == 0 or count < program[g.PROGRAM_TUPLES]:
        # Rows shorter than a group are not shuffled.
        return n, 0
    copy_row(row_of(axes, n), last)
    write_plain(last, 1, block, 0, 0)
    return n + 1, length


def _pair_edge(words, scratch, program, axes, n, block, edge):
    """Make each row at an edge one group; return the number of axes, the block, and the length of the program.

    The length is 0 if there is no such group, or the row is too wide; the rows then stay as they are. A vector may take
    its bytes in any order, so it can hold outputs on both sides of a reflection. An output is a tuple of blocks, and
    the blocks may be an axis of their own. If each row is one vector in each of a few planes, the group has the vectors
    of all planes.
    """
    last, outer = row_of(axes, n - 1), row_of(axes, n - 2)
    count = last[g.COUNT]
    # If the last axis is the blocks of a tuple, the edge was cut from the axis outside it, unless it is one tuple wide.
    has_tuples = count == edge.blocks and count > 1
    left = n - 1 if has_tuples else n
    if left < 2 or last[g.DST_PITCH] != block or (has_tuples and outer[g.DST_PITCH] != count * block):
        return n, block, 0
    tuples = outer[g.COUNT] if has_tuples else 1
    size = tuples * count * block
    if size > _WIDEST_GROUP:
        return n, block, 0
    for k in range(tuples):
        first = offset_of(words, outer, k) if has_tuples else 0
        for i in range(count):
            own = offset_of(words, last, i)
            scratch.firsts[k * count + i] = first + own if first != g.FILL and own != g.FILL else g.FILL
    count *= tuples
    for k in range(left - 1 if size == g.VECTOR_BYTES else 0):
        row = row_of(axes, k)
        if is_plain(row) and abs(row[g.SRC_PITCH]) == block:
            channels, dst_pitch = row[g.COUNT], row[g.DST_PITCH]
            pitches = row[g.SRC_PITCH], dst_pitch
            length = programs.write_group_program(scratch, program, block, count, edge, channels, *pitches)
            if length:
                move_behind(axes, left - 1, k)
                write_plain(row_of(axes, left - 2), channels, dst_pitch, 0, 0)
                write_plain(row_of(axes, left - 1), 1, size, 0, 0)
                return left, size, length
    length = programs.write_group_program(scratch, program, block, count, edge, 1, 0, 0)
    if length:
        write_plain(row_of(axes, left - 1), count, block, 0, 0)
        write_plain(row_of(axes, left), 1, size, 0, 0)
        return left + 1, block, length
    return n, block, 0


let_kernels_call(__name__)
