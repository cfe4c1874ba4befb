"""Transposes: two axes that are moved together, in tiles.

Computes: outputs of the outer axis times all of the inner one; and rows of n blocks whose columns are contiguous in the
source. Memory: reads the source, writes each destination byte once, or twice with the same value where the last
register tiles of a plane overlap the ones before them. The staging buffer has up to 28 KiB, for blocks of less than 4
bytes up to 112 KiB; it lies on the stack up to 8 KiB, else on the heap: threads may have small stacks. Fast because the
lines of a tile, in the source and in the output, stay in the first-level cache. Where the source is dense along one
axis and the output along the other, register tiles are transposed, 16 bytes of each row by 16 of each column, into the
staging buffer. From there each row of the output gets 256 bytes at once, in whole cache lines, past the caches where it
is large; and each line of the source is read whole before it can leave the cache, whatever the strides. Outputs that
stay in the cache need no staging buffer.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels._intrinsics import _memory as mem, _vectors as v
from fastops.kernels._intrinsics._memory import shift
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._tables._gather import COUNT, DST_PITCH, SRC_PITCH
from fastops.kernels._writer import move_row

# A plane is moved in tiles of 32 x 128 blocks. A tile of 4-byte elements has 16 KiB in the source and 16 KiB in the
# output, so both fit a first-level cache of 32 KiB.
_TILE_INNER = 32
_TILE_OUTER = 128


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp))
def move_tiles(dst, src, inner, outer, n_outer, block):
    """Write n_outer outputs of the outer axis times all of the inner one, in tiles that fit the first-level cache."""
    n_inner = inner[COUNT]
    for o in range(0, n_outer, _TILE_OUTER):
        n = min(_TILE_OUTER, n_outer - o)
        for i0 in range(0, n_inner, _TILE_INNER):
            for i in range(i0, min(i0 + _TILE_INNER, n_inner)):
                to = shift(dst, o * outer[DST_PITCH] + i * inner[DST_PITCH])
                source = shift(src, o * outer[SRC_PITCH] + i * inner[SRC_PITCH])
                move_row(to, outer[DST_PITCH], source, outer[SRC_PITCH], n, block, source)


# A strip of the output, this many bytes wide, is staged in tiles. A tile has as many rows as a column of this many
# bytes has blocks, but at least 64. Share of the speed of a streaming copy on two cores, at 16 to 160 MB: strips of 64
# bytes 0.3 (float32) and 0.15 (bytes), of 256 bytes 0.6 and 0.4, of 512 no more. Each tile prefetches the next one of
# its strip: going down the strip was faster than going along the rows, because both the reads and the staging buffer
# are in order.
_STRIP_BYTES = 256
_FEWEST_ROWS = 64

# Fewer rows are staged in wider strips, of this many bytes in all: that raised 4 rows of float32 from 0.22 to 0.54 of
# that speed.
_FEW_ROWS_BYTES = 16384

# Strips may begin and end up to a line later than planned, and the last one takes up to a line more.
_SLACK_BYTES = 3 * v.LINE_BYTES

# Where the output is no wider than a strip and has no gaps, the staging buffer has none either, so that it is copied as
# one run. It stays in the first-level cache.
_DENSE_BYTES = 28672

# Outputs of up to _CACHED_BYTES stay in caches: register tiles go there without a staging buffer, _DIRECT_ROWS rows at
# a time. Transposing 224 x 224 float32 took 24 us rather than 38, 100 x 1000 float64 90 rather than 137. Rows that lie
# a multiple of _COLLIDING_PITCH apart are staged, because they evict each other from the first-level cache.
_CACHED_BYTES = 1 << 20
_DIRECT_ROWS = 128
_COLLIDING_PITCH = 1024

# The staging buffer begins at the start of a line, and vectors write beyond its last row.
_AROUND_BYTES = 2 * v.LINE_BYTES

# A staging buffer of up to this many bytes is on the stack, which makes small planes faster. A larger one is on the
# heap, because a thread may have little stack.
_STACK_BYTES = 8192
_STACK_WORDS = (_STACK_BYTES + _AROUND_BYTES) // 8

# Cells of a side of a register tile, by the bytes of a block; 0 for blocks that have none.
_CELLS = tuple([v.TILE_BYTES // v.CELL_OF_BLOCK.get(block, v.TILE_BYTES + 1) for block in range(v.TILE_BYTES + 1)])


def cells_of(block):
    """The number of blocks of a side of a register tile; 0 for blocks that have none."""
    return _CELLS[block] if block <= v.TILE_BYTES else 0


@outlined(types.void(byte_pointer, types.intp, byte_pointer, *(types.intp,) * 5, byte_pointer))
def transpose_rows(dst, dst_pitch, src, block_pitch, row_pitch, rows, n, block, ahead):
    """Write `rows` rows of n blocks, `dst_pitch` bytes apart; prefetch at `ahead` the offsets that are read at `src`.

    In the source the next row lies row_pitch bytes on, and the next block of a row block_pitch. A row may be written up
    to a vector beyond its end, but before the next row is written. Up to a register tile of rows may be written beyond
    the last row.
    """
    cells = cells_of(block) if row_pitch == block else 0
    first, end = 0, n if cells else 0
    excess = v.TILE_BYTES - min(rows, cells) * block
    if cells and excess > 0:
        # The last vectors of a column are longer than the rest of it. At the end of the source they would reach out.
        beyond = (excess - 1) // max(abs(block_pitch), 1) + 1
        first, end = (beyond, n) if block_pitch < 0 else (0, n - beyond)
        if end - first < cells:
            first, end = 0, 0
    columns = min(cells, end - first)
    j = first
    while j < end:
        # The last group overlaps the one before it, and so does the last tile of each.
        j = min(j, end - columns)
        groups = (end - j) // columns
        near = shift(ahead, j * block_pitch)
        done = 0
        while done < rows:
            i = max(min(done, rows - cells), 0)
            tiles = max((rows - i) // cells, 1)
            to = shift(dst, i * dst_pitch + j * block)
            source, line = shift(src, j * block_pitch + i * block), shift(near, i * block)
            v.transpose_tiles(to, dst_pitch, source, block_pitch, columns, tiles, groups, block, line)
            done = i + tiles * cells
        j += groups * columns
    # After the tiles, whose vectors may write beyond their blocks.
    for j in range(n):
        if j < first or j >= end:
            move_row(shift(dst, j * block), dst_pitch, shift(src, j * block_pitch), row_pitch, rows, block, src)


def _write(dst, src, n, streams):
    """Copy n bytes; whole lines of the output go past the caches if it streams."""
    head = end = 0
    if streams:
        head = min(-v.line_offset(dst) & (v.LINE_BYTES - 1), n)
        end = head + ((n - head) & -v.LINE_BYTES)
        if head:
            mem.copy_bytes(dst, src, head)
        for i in range(head, end, v.LINE_BYTES):
            v.stream_line(shift(dst, i), shift(src, i))
    if end < n:
        mem.copy_bytes(shift(dst, end), shift(src, end), n - end)


def _is_cached(dst_pitch, row_pitch, rows, n, block):
    """True if the output stays in the cache, and register tiles can write it without a staging buffer."""
    cells = cells_of(block) if row_pitch == block and block & (block - 1) == 0 else 0
    if not cells or n < cells or rows < cells or rows * abs(dst_pitch) > _CACHED_BYTES:
        return False
    return dst_pitch & (_COLLIDING_PITCH - 1) != 0 or rows <= v.TILE_BYTES


@outlined(types.void(*(byte_pointer,) * 4, *(types.intp,) * 3, types.boolean))
def move_transposed(dst, src, row_axis, column_axis, rows, n, block, streams):
    """Write rows of n blocks: outputs of two affine axes; along the second one the output is dense."""
    dst_pitch = row_axis[DST_PITCH]
    row_pitch, block_pitch = row_axis[SRC_PITCH], column_axis[SRC_PITCH]
    if row_pitch == -block:
        dst, dst_pitch = shift(dst, (rows - 1) * dst_pitch), -dst_pitch
        src, row_pitch = shift(src, (rows - 1) * row_pitch), block
    row_bytes = n * block
    if not streams and _is_cached(dst_pitch, row_pitch, rows, n, block):
        for y in range(0, rows, _DIRECT_ROWS):
            # The last turn has the rows of at least one register tile, so rows may be written twice, with the same
            # values.
            i = max(min(y, rows - v.TILE_BYTES), 0)
            r = min(_DIRECT_ROWS, rows - i)
            source = shift(src, i * row_pitch)
            ahead = shift(source, r * row_pitch) if i + r < rows else source
            transpose_rows(shift(dst, i * dst_pitch), dst_pitch, source, block_pitch, row_pitch, r, n, block, ahead)
        return
    # If rows have no gap between them, vectors must not write behind a row, except where later tiles overwrite those
    # bytes.
    dense = dst_pitch == row_bytes <= _STRIP_BYTES and block & (block - 1) == 0
    strip = max(_STRIP_BYTES, _FEW_ROWS_BYTES // max(rows, v.TILE_BYTES) & -v.LINE_BYTES)
    stage_pitch = row_bytes if dense else strip + _SLACK_BYTES
    most = (_DENSE_BYTES // stage_pitch) & -_FEWEST_ROWS if dense else max(_STRIP_BYTES // block, _FEWEST_ROWS)
    stage, stage_bytes = mem.stack_words(_STACK_WORDS), max(min(most, rows), v.TILE_BYTES) * stage_pitch
    is_large = stage_bytes > _STACK_BYTES
    if is_large:
        stage = mem.heap_bytes(stage_bytes + _AROUND_BYTES)
        if mem.is_null(stage):
            # There is no memory for a buffer, so the output is written column by column.
            for j in range(n):
                move_row(shift(dst, j * block), dst_pitch, shift(src, j * block_pitch), row_pitch, rows, block, src)
            return
    room = shift(stage, -v.line_offset(stage) & (v.LINE_BYTES - 1))
    # In the first row, strips end at the end of a line; in rows that lie elsewhere in their lines, up to a line later.
    skew = v.LINE_BYTES if streams and dst_pitch & (v.LINE_BYTES - 1) else 0
    edge = -v.line_offset(dst) & (v.LINE_BYTES - 1) if streams else 0
    at = begin = 0
    while begin < row_bytes:
        edge += strip
        end = row_bytes if edge + v.LINE_BYTES >= row_bytes else edge
        m = n - at if end == row_bytes else (end + skew + block - 1) // block - at
        column = shift(src, at * block_pitch)
        for y in range(0, rows, most):
            r = min(most, rows - y)
            ahead = shift(column, (y + r) * row_pitch) if y + r < rows else shift(src, end // block * block_pitch)
            transpose_rows(room, stage_pitch, shift(column, y * row_pitch), block_pitch, row_pitch, r, m, block, ahead)
            for i in range(1 if dense else r):
                later = -((y + i) * dst_pitch) & (v.LINE_BYTES - 1) if skew else 0
                first = begin + later if begin else 0
                last = r * row_bytes if dense else row_bytes if end == row_bytes else end + later
                row = shift(dst, (y + i) * dst_pitch + first)
                _write(row, shift(room, i * stage_pitch + first - at * block), last - first, streams)
        begin = end
        at = end // block
    if is_large:
        mem.free_bytes(stage)


mem.let_kernels_call(__name__)
