"""Planes: two affine axes that move together.

Computes: outputs [y0, y1) of the outer axis times all of the inner one, at an offset of the output. Memory: reads the
source and the table, writes each destination byte once, or twice with the same value where vectors overlap. Fast where
neither axis alone has rows that are long and contiguous in both memories. Where the axes are transposed, tiles of both
sides stay in the first-level cache. Where the output is dense and the source nearly so (reversed channels, every second
pixel), each 16 bytes of output are a shuffle of a few vectors of the source, or, where the processor has AVX-512 VBMI,
up to 64 bytes are one permute.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels._intrinsics import _shuffles as sh
from fastops.kernels._intrinsics._memory import let_kernels_call, shift, stack_words, words_at
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._intrinsics._shuffles import MOST_APART
from fastops.kernels._intrinsics._vectors import LINE_BYTES, Rows, rows_type
from fastops.kernels._tables import _gather as g
from fastops.kernels._transpose import move_tiles, move_transposed
from fastops.kernels._writer import STAGED_BYTES, next_source, reserve, settle, streams_to

# Room for the lanes of a line, and of a vector that begins in it.
_LANE_WORDS = (LINE_BYTES + g.VECTOR_BYTES) // 8


def _permute(dst, src, program, groups, ahead, rows):
    """Write rows of groups by permutes, as many groups at once as there is room for; return False if permutes cannot.

    The lanes of all windows of those groups are joined first: a permute can take each byte from any place.
    """
    low, vectors = program[g.PROGRAM_LOW], program[g.PROGRAM_VECTORS]
    span = program[g.PROGRAM_HIGH] - low
    is_apart = program[g.PROGRAM_PLANAR] != 0
    dst_pitch, src_pitch = groups.dst_pitch, groups.src_pitch
    size = g.VECTOR_BYTES * vectors if is_apart else min(program[g.PROGRAM_REACH], dst_pitch)
    if not sh.can_permute() or span > sh.PERMUTED_BYTES or size > LINE_BYTES:
        return False
    together = 1
    if not is_apart and dst_pitch <= LINE_BYTES:
        together = min(LINE_BYTES // dst_pitch, (sh.PERMUTED_BYTES - span) // max(abs(src_pitch), 1) + 1)
    last_dst, last_src = groups.last_dst - (together - 1) * dst_pitch, groups.last_src - (together - 1) * src_pitch
    if together * vectors < 2 or last_dst < 0:
        return False
    low += min((together - 1) * src_pitch, 0)
    span += (together - 1) * abs(src_pitch)
    # The last vector may reach beyond its group.
    lanes, offsets = stack_words(_LANE_WORDS), stack_words(MOST_APART)
    windows = program[g.PROGRAM_WINDOWS]
    for i in range(together * vectors):
        group, vector = divmod(i, vectors)
        entry = words_at(program, g.PROGRAM_ENTRIES + vector * (1 + g.WINDOW_COLUMNS * windows))
        to = shift(lanes, g.VECTOR_BYTES * vector if is_apart else group * dst_pitch + entry[0])
        for window in range(windows):
            column = words_at(entry, 1 + g.WINDOW_COLUMNS * window)
            sh.add_lanes(to, words_at(column, 1), column[0] + group * src_pitch - low)
        if is_apart:
            offsets[vector] = entry[0]
    size += (together - 1) * dst_pitch
    dst_pitch, src_pitch = together * dst_pitch, together * src_pitch
    joined = sh.Groups((last_dst + dst_pitch - 1) // dst_pitch + 1, dst_pitch, src_pitch, last_dst, last_src)
    apart = vectors if is_apart else 0
    for row in range(rows.count):
        to, source = shift(dst, row * rows.dst_pitch), shift(src, row * rows.src_pitch + low)
        following = shift(ahead, row * rows.src_pitch)
        sh.permute_groups(to, size, offsets, apart, source, joined, lanes, span, following)
    return True


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, sh.groups_type, byte_pointer, rows_type))
def shuffle_groups(dst, src, program, groups, ahead, rows):
    """Write rows of groups of tuples by a shuffle program; prefetch from `ahead` on."""
    if _permute(dst, src, program, groups, ahead, rows):
        return
    windows, vectors, together = program[g.PROGRAM_WINDOWS], program[g.PROGRAM_VECTORS], program[g.PROGRAM_TOGETHER]
    for i in range(0, vectors, together):
        entries = words_at(program, g.PROGRAM_ENTRIES + i * (1 + g.WINDOW_COLUMNS * windows))
        line = shift(ahead, groups.src_pitch * i // vectors)
        sh.shuffle_vectors(dst, src, groups, entries, together, windows, line, rows)


def _shuffle_rows(dst, src, program, groups, ahead, rows):
    """Write rows of groups of tuples; prefetch from `ahead` on.

    Rows of one group are moved as the groups of one row, and rows of two groups that overlap as two such rows: the
    start of a row costs four times as much as a group.
    """
    is_short = groups.count == 1 or (groups.count == 2 and groups.last_dst < groups.dst_pitch)
    if is_short and rows.count > 1 and rows.dst_pitch > LINE_BYTES:
        before = rows.count - 1
        column = sh.Groups(rows.count, rows.dst_pitch, rows.src_pitch, before * rows.dst_pitch, before * rows.src_pitch)
        for i in range(groups.count):
            to, source = shift(dst, i * groups.last_dst), shift(src, i * groups.last_src)
            shuffle_groups(to, source, program, column, ahead, Rows(1, 0, 0))
    else:
        shuffle_groups(dst, src, program, groups, ahead, rows)


def _program_of(table, part):
    return words_at(table, part + g.PART_COLUMNS + table[part + g.AXES] * g.AXIS_COLUMNS)


def _beyond(src_offset, table, part, outer, n):
    """How far vectors of n tuples would reach out of the source before the first one, and behind the last one."""
    src_pitch, program = outer[g.SRC_PITCH], _program_of(table, part)
    end = src_offset + (n - 1) * src_pitch
    below = table[part + g.SRC_LOW] - (min(src_offset, end) + program[g.PROGRAM_LOW])
    above = max(src_offset, end) + program[g.PROGRAM_HIGH] - table[part + g.SRC_HIGH]
    if src_pitch < 0:
        below, above = above, below
    return below, above


def _trim(excess, src_pitch):
    """The number of tuples whose groups could reach `excess` bytes out of the source, at one of its ends."""
    return excess // abs(src_pitch) + 1 if excess > 0 else 0


def _move_portion(dst, src, src_offset, table, part, outer, n, room, ahead, rows):
    """Write rows of n tuples: outputs of the outer axis; that axis or the inner one is dense.

    Up to `room` bytes beyond them may be overwritten. If there are several rows, their vectors must not reach out of
    the source.
    """
    block, inner = table[part + g.BLOCK], words_at(outer, -g.AXIS_COLUMNS)
    tuple_bytes, src_pitch = outer[g.DST_PITCH], outer[g.SRC_PITCH]
    program = _program_of(table, part)
    in_group, reach = program[g.PROGRAM_TUPLES], program[g.PROGRAM_REACH]
    head, inside = 0, n
    if rows.count == 1:
        # Vectors leave out the first and the last tuples of the source, where they would read beyond it.
        below, above = _beyond(src_offset, table, part, outer, n)
        head = min(_trim(below, src_pitch), n)
        inside = n - head - _trim(above, src_pitch)
    groups = 0
    if inside >= in_group:
        groups = min(max((inside * tuple_bytes + room - reach) // (in_group * tuple_bytes) + 1, 0), inside // in_group)
    done = 0
    if groups > 0:
        if head:
            move_tiles(dst, shift(src, src_offset), inner, outer, head, block)
        last, done = (groups - 1) * in_group, groups * in_group
        if done < inside and reach == in_group * tuple_bytes:
            # One more group, which ends with the last tuple.
            groups, last, done = groups + 1, inside - in_group, inside
        every = sh.Groups(groups, in_group * tuple_bytes, in_group * src_pitch, last * tuple_bytes, last * src_pitch)
        first = shift(src, src_offset + head * src_pitch)
        _shuffle_rows(shift(dst, head * tuple_bytes), first, program, every, ahead, rows)
        done += head
    if done < n:
        for row in range(rows.count):
            to = shift(dst, row * rows.dst_pitch + done * tuple_bytes)
            tail = shift(src, src_offset + row * rows.src_pitch + done * src_pitch)
            move_tiles(to, tail, inner, outer, n - done, block)


# The writer and its output, an offset in it, the source and an offset in that; the table, a part in it, the outer axis,
# the first and the end of its outputs that are written, and the rows, in each of which they are written.
_PLANES = types.void(
    *(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp),
    *(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, rows_type),
)


def _most_tuples(table, part):
    """Tuples that are staged at once."""
    in_group = _program_of(table, part)[g.PROGRAM_TUPLES]
    return max(STAGED_BYTES // (in_group * table[part + g.ITEM_BYTES]), 1) * in_group


def _move_row(writer, dst, offset, src, src_offset, table, part, outer, n):
    """Write n tuples from an offset of the output on, a portion at a time where that gains something."""
    src_pitch, tuple_bytes, program = outer[g.SRC_PITCH], outer[g.DST_PITCH], _program_of(table, part)
    streams = streams_to(writer, tuple_bytes, table[part + g.ITEM_BYTES])
    room = g.VECTOR_BYTES if streams else 0
    # Portions, which cost 25 ns each, are for output that is staged, or that is passed over once for each vector of a
    # group: a portion then stays in the first-level cache, and 512 KiB of mirrored rows of 64 bytes take 0.7 of the
    # time of whole passes.
    has_passes = program[g.PROGRAM_VECTORS] > program[g.PROGRAM_TOGETHER]
    most = _most_tuples(table, part) if streams or has_passes else max(n, 1)
    for i in range(0, n, most):
        m = min(n - i, most)
        to = reserve(writer, dst, offset + i * tuple_bytes, m * tuple_bytes)
        ahead = next_source(writer, shift(src, src_offset), i + m, n, src_pitch)
        _move_portion(to, src, src_offset + i * src_pitch, table, part, outer, m, room, ahead, Rows(1, 0, 0))
        settle(writer, dst, ahead, 0)


def _reaches_out(src_offset, table, part, outer, n):
    """True if vectors of n tuples would reach out of the source."""
    below, above = _beyond(src_offset, table, part, outer, n)
    return below > 0 or above > 0


@outlined(_PLANES)
def move_tuples(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows):
    """Write outputs [y0, y1) of planes that have a shuffle program.

    Rows of a crop are short: one loop moves all of them, or as many as are staged at once, except the first and the
    last row, if these lie at the ends of the source.
    """
    n = y1 - y0
    src_offset += y0 * outer[g.SRC_PITCH]
    tuple_bytes = table[part + g.ITEM_BYTES]
    first, end, most = 0, 0, rows.count
    streams = streams_to(writer, outer[g.DST_PITCH], tuple_bytes)
    if streams:
        most = STAGED_BYTES // max(rows.dst_pitch, 1) if rows.dst_pitch == n * tuple_bytes else 1
    if most > 1 and n <= _most_tuples(table, part):
        end = rows.count
        if _reaches_out(src_offset, table, part, outer, n):
            first = 1
        if _reaches_out(src_offset + (end - 1) * rows.src_pitch, table, part, outer, n):
            end -= 1
        # Between two rows that do not reach out, none does.
        for row in (first, end - 1):
            if first < end and _reaches_out(src_offset + row * rows.src_pitch, table, part, outer, n):
                end = first
    if end - first <= 1:
        first = end = 0
    for i in range(first, end, max(most, 1)):
        at = src_offset + i * rows.src_pitch
        each = Rows(min(most, end - i), rows.dst_pitch, rows.src_pitch)
        to = reserve(writer, dst, offset + i * rows.dst_pitch, each.count * rows.dst_pitch)
        # Staged rows prefetch the rows behind all of them; other rows the next one.
        ahead = shift(src, at + (each.count if streams else 1) * rows.src_pitch)
        _move_portion(to, src, at, table, part, outer, n, 0, ahead, each)
        settle(writer, dst, ahead, 0)
    for row in range(rows.count):
        if row < first or row >= end:
            to, at = offset + row * rows.dst_pitch, src_offset + row * rows.src_pitch
            _move_row(writer, dst, to, src, at, table, part, outer, n)


@outlined(_PLANES)
def move_planes(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows):
    """Write outputs [y0, y1) of a part's planes, one per row."""
    kind = table[part + g.PLANE]
    if kind == g.TUPLES:
        move_tuples(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows)
        return
    inner, block, streams = words_at(outer, -g.AXIS_COLUMNS), table[part + g.BLOCK], table[part + g.STREAMS] != 0
    n, n_inner = y1 - y0, inner[g.COUNT]
    for row in range(rows.count):
        to = shift(dst, offset + row * rows.dst_pitch)
        source = shift(src, src_offset + row * rows.src_pitch + y0 * outer[g.SRC_PITCH])
        if kind != g.TRANSPOSED:
            move_tiles(to, source, inner, outer, n, block)
        elif inner[g.DST_PITCH] == block:
            move_transposed(to, source, outer, inner, n, n_inner, block, streams)
        else:
            move_transposed(to, source, inner, outer, n_inner, n, block, streams)


let_kernels_call(__name__)
