"""Rows: the axes of a piece with distances in bytes instead of indices, and parts of such axes.

A row has the columns of an axis in a table (`_tables._gather`), with two exceptions. The row of a piecewise axis refers
to the list of runs in the words: its output 0 is output BEGIN of that list. The row of a plain axis holds its first
source offset; a table has 0 there, because `write_part` adds the offset to that of the part.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from fastops.kernels import _axes
from fastops.kernels._arithmetic import circle_of, divisor_of, inside_of_line, is_inside, walk_of
from fastops.kernels._axes import offset_in_line, position_of, segment_from
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._tables import _gather as g, _words as w

# A column of the row of a piecewise axis: the output of the list in the words that is output 0 of the row.
BEGIN = 5

# The longest run of a periodic axis is searched among this many of its first segments.
_LAPS = 3


def row_of(rows, k):
    """Return row k."""
    return words_at(rows, k * g.AXIS_COLUMNS)


def copy_row(to, row):
    """Copy a row over another one."""
    for column in range(g.AXIS_COLUMNS):
        to[column] = row[column]


def write_affine(row, count, dst_pitch, lo, hi, first, src_pitch, before, after):
    """Write the row of an axis of one run, with one element or the fill value on either side, in the simplest form.

    The run is [lo, hi), which may reach beyond the outputs; output lo reads at `first`.
    """
    first += max(-lo, 0) * src_pitch
    lo = min(max(lo, 0), count)
    hi = min(max(hi, lo), count)
    if lo == count or hi == 0 or (lo == hi and before == after):
        first = before = after = before if lo == count else after
        src_pitch, lo, hi = 0, 0, 0 if first == g.FILL else count
    first, src_pitch = first if lo < hi else 0, src_pitch if hi - lo > 1 else 0
    before, after = before if lo else 0, after if hi < count else 0
    row[g.KIND], row[g.COUNT], row[g.DST_PITCH], row[g.LO], row[g.HI] = g.AFFINE, count, dst_pitch, lo, hi
    row[g.FIRST], row[g.SRC_PITCH], row[g.BEFORE], row[g.AFTER], row[g.CYCLE] = first, src_pitch, before, after, 0


def write_plain(row, count, dst_pitch, first, src_pitch):
    """Write the row of an axis that is one run from its first output to its last."""
    write_affine(row, count, dst_pitch, 0, count, first, src_pitch, 0, 0)


def write_fill(row, count, dst_pitch):
    """Write the row of an axis whose outputs are all the fill value."""
    write_affine(row, count, dst_pitch, 0, 0, 0, 0, g.FILL, g.FILL)


def is_plain(row):
    """True for an axis that is one run from its first output to its last."""
    return row[g.KIND] == g.AFFINE and row[g.LO] == 0 and row[g.HI] == row[g.COUNT]


def is_fill(row):
    """True for an axis whose outputs are all the fill value."""
    return row[g.KIND] == g.AFFINE and row[g.HI] == 0 and row[g.AFTER] == g.FILL


def lower_axis(words, axis, src_pitch, dst_pitch, row):
    """Write the row of an axis of words; indices and outputs lie src_pitch and dst_pitch bytes apart."""
    extent, start, stride = words[axis + w.EXTENT], words[axis + w.START], words[axis + w.STRIDE]
    count, mode = words[axis + w.COUNT], words[axis + w.MODE]
    if mode == w.PIECEWISE:
        row[g.KIND], row[g.COUNT], row[g.DST_PITCH], row[g.INDEX_PITCH] = g.PIECEWISE, count, dst_pitch, src_pitch
        row[g.RUNS], row[g.LIST], row[BEGIN] = stride, axis + start, 0
        _simplify(words, row)
    elif is_inside(extent, start, stride, count):
        write_plain(row, count, dst_pitch, start * src_pitch, stride * src_pitch if count > 1 else 0)
    elif mode != w.FILL and (extent == 1 or src_pitch == 0):
        write_plain(row, count, dst_pitch, 0, 0)
    elif mode == w.FILL or mode == w.CLAMP:
        lo, hi = inside_of_line(extent, start, stride, count)
        before, after = 0, (extent - 1) * src_pitch
        if mode == w.FILL:
            before = after = g.FILL
        elif stride < 0 or (stride == 0 and start < 0):
            before, after = after, before
        first = (start + lo * stride) * src_pitch
        write_affine(row, count, dst_pitch, lo, hi, first, stride * src_pitch, before, after)
    else:
        period, fold = circle_of(extent, mode)
        position, advance = walk_of(start, stride, period, fold, mode)
        if count == 1 or advance == 0:
            write_plain(row, count, dst_pitch, min(position, fold - position) * src_pitch, 0)
            return
        row[g.KIND], row[g.COUNT], row[g.DST_PITCH], row[g.INDEX_PITCH] = g.PERIODIC, count, dst_pitch, src_pitch
        row[g.START], row[g.ADVANCE], row[g.PERIOD], row[g.REFLECTION] = position, advance, period, fold
        row[g.TOP] = extent - 1
        row[g.CYCLE] = period if abs(advance) == 1 else period // divisor_of(period, advance)
        _straighten(row)


def _straighten(row):
    """Turn the row of a periodic axis into a plain one if all its outputs are on one segment."""
    count, index_pitch = row[g.COUNT], row[g.INDEX_PITCH]
    index, advance, room = segment_from(row, row[g.START])
    if count - 1 <= room:
        write_plain(row, count, row[g.DST_PITCH], index * index_pitch, advance * index_pitch if count > 1 else 0)


def find_run(words, row, y):
    """Return which run of the list has output y of a piecewise axis."""
    return _axes.find_run(words_at(words, row[g.LIST]), row[g.RUNS], row[BEGIN] + y)


def run_of(words, row, i):
    """Return the outputs [begin, end) that a piecewise axis has of run i of its list, their first offset and pitch."""
    run = row[g.LIST] + i * w.RUN_COLUMNS
    begin = max(words[run + w.RUN_BEGIN] - row[BEGIN], 0)
    end = min(words[run + w.RUN_COLUMNS + w.RUN_BEGIN] - row[BEGIN], row[g.COUNT])
    index, stride = words[run + w.RUN_FIRST], words[run + w.RUN_STRIDE]
    if index == w.FILL_RUN:
        return begin, end, g.FILL, 0
    index += (row[BEGIN] + begin - words[run + w.RUN_BEGIN]) * stride
    return begin, end, index * row[g.INDEX_PITCH], stride * row[g.INDEX_PITCH] if end - begin > 1 else 0


def _simplify(words, row):
    """Make the row of a piecewise axis affine if it is one run, with one element or the fill value on each side."""
    count, dst_pitch = row[g.COUNT], row[g.DST_PITCH]
    i = find_run(words, row, 0)
    runs = find_run(words, row, count - 1) - i + 1
    if runs > 3:
        return
    _, one_end, one_first, one_pitch = run_of(words, row, i)
    _, two_end, two_first, two_pitch = run_of(words, row, i + min(runs - 1, 1))
    _, _, three_first, three_pitch = run_of(words, row, i + runs - 1)
    if runs == 1 and one_first == g.FILL:
        write_fill(row, count, dst_pitch)
    elif runs == 1 or (runs == 2 and one_first != g.FILL and two_pitch == 0):
        write_affine(row, count, dst_pitch, 0, one_end, one_first, one_pitch, 0, two_first)
    elif two_first != g.FILL and one_pitch == 0 and (runs == 2 or three_pitch == 0):
        write_affine(row, count, dst_pitch, one_end, two_end, two_first, two_pitch, one_first, three_first)


def cut(words, row, begin, end, out):
    """Write the row of outputs [begin, end) of an axis, at least one, in the simplest form."""
    count, dst_pitch, kind = end - begin, row[g.DST_PITCH], row[g.KIND]
    if begin == 0 and end == row[g.COUNT]:
        copy_row(out, row)
    elif kind == g.AFFINE:
        lo, hi, first, pitch = row[g.LO] - begin, row[g.HI] - begin, row[g.FIRST], row[g.SRC_PITCH]
        write_affine(out, count, dst_pitch, lo, hi, first, pitch, row[g.BEFORE], row[g.AFTER])
    else:
        copy_row(out, row)
        out[g.COUNT] = count
        if kind == g.PIECEWISE:
            out[BEGIN] += begin
            _simplify(words, out)
        else:
            out[g.START] = position_of(out, begin)
            _straighten(out)


def main_run_of(words, row):
    """Return the outputs [begin, end) of an affine axis's run, else of the longest run found that reads the source."""
    kind, count = row[g.KIND], row[g.COUNT]
    if kind == g.AFFINE:
        return row[g.LO], row[g.HI]
    begin, longest_begin, longest_end = 0, 0, 0
    if kind == g.PIECEWISE:
        for i in range(find_run(words, row, 0), find_run(words, row, count - 1) + 1):
            begin, end, first, _ = run_of(words, row, i)
            if first != g.FILL and end - begin >= longest_end - longest_begin:
                longest_begin, longest_end = begin, end
        return longest_begin, longest_end
    for _ in range(_LAPS):
        if begin >= count:
            break
        _, _, room = segment_from(row, position_of(row, begin))
        end = min(begin + room + 1, count)
        if end - begin > longest_end - longest_begin:
            longest_begin, longest_end = begin, end
        begin = end
    return longest_begin, longest_end


def offset_of(words, row, y):
    """Return the source offset of output y of an axis, or FILL."""
    kind = row[g.KIND]
    if kind == g.PIECEWISE:
        begin, _, first, pitch = run_of(words, row, find_run(words, row, y))
        return first if first == g.FILL else first + (y - begin) * pitch
    if kind == g.PERIODIC:
        index, _, _ = segment_from(row, position_of(row, y))
        return index * row[g.INDEX_PITCH]
    return offset_in_line(row, y)


def pitch_of(words, row):
    """Return the source pitch of the run that `main_run_of` returns."""
    begin, end = main_run_of(words, row)
    return offset_of(words, row, begin + 1) - offset_of(words, row, begin) if end - begin > 1 else 0


let_kernels_call(__name__)
