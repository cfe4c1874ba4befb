"""The rule of an operator: its family lowers the arguments of a call to words.

This module chooses the family. It also has the families whose words have several pieces: splits, whose pieces have an
output each, and a few windows, whose pieces share one output.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import bounds_of, part_of
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._rules import _moves, _slices, _words as p
from fastops.kernels._tables import _rules as r, _words as w


def lower_batch(shape, rank, arguments, words):
    """Write a piece for each window; return as `lower_rule` does."""
    n, named = p.count_of(arguments, r.START), p.argument(arguments, r.START)[r.ROW_LENGTH]
    # With items, the windows take the place of the source's first axis; without items, they are a new axis.
    first, mode, seen = 1 if p.is_given(arguments, r.ITEMS) else 0, p.mode_of(arguments), 0
    if mode == p.NONE:
        return -r.NO_MODE
    if p.argument(arguments, r.START)[r.KIND] != r.ROWS or (first and not p.fits(arguments, r.ITEMS, p.LIST, n)):
        return -r.OTHER_KIND
    are_right = p.fits(arguments, r.SIZE, p.LIST, named) and p.fits(arguments, r.STRIDE, p.ONE | p.LIST, named)
    if rank < first or not are_right or not p.are_axes(arguments, p.LIST, named, rank - first):
        return -r.OTHER_KIND
    axes = rank + 1 - first
    length = p.begin_words(shape, rank, n, 1, axes, axes, words, p.RULE_WORDS)
    if length == 0:
        return -r.TOO_LARGE
    # Calls of many windows need the fill value even if no window reads it, so calls of few windows need it too.
    words[w.FILLS] = 1 if mode == w.FILL else 0
    of_output = words_at(words, w.HEADER_COLUMNS + rank + 1)
    rows = words_at(words, words[w.FIRST_PIECE] + w.PIECE_COLUMNS)
    of_output[0] = n
    for k in range(first, rank):
        of_output[k + 1 - first] = shape[k]
    for i in range(n):
        of_window = words_at(rows, i * length)
        if first:
            item = p.values_of(arguments, r.ITEMS)[i]
            if not 0 <= item < shape[0]:
                return -r.OUT_OF_BOUNDS
            p.set_axis(of_window, item, 1, 1, w.STRICT_BOUNDS)
        of_window[w.DST_FIRST] = i
    for k in range(named):
        axis = p.named_axis(arguments, k, rank, seen) if p.is_given(arguments, r.AXES) else k + first
        if axis < first:
            return axis if axis < 0 else -r.NO_AXIS
        seen |= 1 << axis
        size, stride = p.value_at(arguments, r.SIZE, k), p.value_at(arguments, r.STRIDE, k)
        if size < 0:
            return -r.NEGATIVE_SIZE
        of_output[axis + 1 - first] = size
        for i in range(n):
            row = words_at(rows, i * length + (axis + 1 - first) * w.AXIS_COLUMNS)
            p.set_axis(row, p.values_of(arguments, r.START)[i * named + k], stride, size, mode)
    return words[w.FIRST_PIECE] + n * length


def _count_parts(rule, extent, arguments):
    """Return the number of parts of an axis, or minus a status."""
    lengths, of_integer = p.argument(arguments, r.LENGTHS), rule[r.SECOND_OPTION]
    if p.is_given(arguments, r.NUMBER):
        return -r.OTHER_KIND
    if lengths[r.KIND] == r.LIST and rule[r.OPTION] != r.NO_LIST:
        n = lengths[r.COUNT]
        if rule[r.OPTION] == r.ARE_INDICES:
            return n + 1
        return n if n > 0 else -r.OTHER_KIND
    if lengths[r.KIND] != r.INTEGER or of_integer == r.REFUSED:
        return -r.OTHER_KIND
    number = p.values_of(arguments, r.LENGTHS)[0]
    if number < 1:
        return -r.UNEQUAL_SPLIT
    if of_integer == r.LENGTH:
        return max((extent - 1) // number + 1, 1)
    if number > r.MOST_PARTS:
        return -r.TOO_MANY_PARTS
    return number if of_integer == r.UNEQUAL_PARTS or extent % number == 0 else -r.UNEQUAL_SPLIT


def _rest_of(rule, extent, parts, arguments):
    """Return the length of the part whose length is -1, which is the rest of the axis; or minus a status."""
    values, rest, unknown = p.values_of(arguments, r.LENGTHS), extent, 0
    for i in range(parts):
        if values[i] < -1 or values[i] > extent:
            return -r.OTHER_KIND
        if values[i] == -1:
            unknown += 1
        else:
            rest -= values[i]
    if unknown > (1 if rule[r.OPTION] == r.MAY_INFER else 0) or rest < 0 or (rest > 0 and unknown == 0):
        return -r.OTHER_KIND
    return rest


def lower_split(rule, shape, rank, arguments, words):
    """Write a piece and an output for each part; return as `lower_rule` does."""
    if not p.fits(arguments, r.AXIS, p.ONE | p.NO, 1):
        return -r.OTHER_KIND
    axis = p.axis_of(p.values_of(arguments, r.AXIS)[0] if p.is_given(arguments, r.AXIS) else 0, rank)
    if axis < 0:
        return axis
    extent = shape[axis]
    parts = _count_parts(rule, extent, arguments)
    if parts < 0:
        return parts
    length = p.begin_words(shape, rank, parts, parts, rank, rank, words, p.RULE_WORDS)
    if length == 0:
        return -r.TOO_LARGE
    is_list, option, start, rest = p.argument(arguments, r.LENGTHS)[r.KIND] == r.LIST, rule[r.OPTION], 0, 0
    if is_list and option != r.ARE_INDICES:
        rest = _rest_of(rule, extent, parts, arguments)
        if rest < 0:
            return rest
    values, shapes = p.values_of(arguments, r.LENGTHS), words_at(words, w.HEADER_COLUMNS + rank + parts)
    for i in range(parts):
        if not is_list and rule[r.SECOND_OPTION] == r.LENGTH:
            start, count = i * values[0], min(values[0], extent - i * values[0])
        elif not is_list:
            start, count = part_of(extent, values[0], i)
        elif option == r.ARE_INDICES:
            end = values[i] if i < parts - 1 else extent
            start, count = bounds_of(extent, values[i - 1] if i else 0, end, 1, 0, 0, 0)
        else:
            count = rest if values[i] == -1 else values[i]
        row = words_at(words, words[w.FIRST_PIECE] + i * length + w.PIECE_COLUMNS + axis * w.AXIS_COLUMNS)
        p.set_axis(row, start, 1, count, w.STRICT_BOUNDS)
        for j in range(rank):
            shapes[i * rank + j] = count if j == axis else shape[j]
        start += count
    return words[w.FIRST_PIECE] + parts * length


def rank_of_result(rule, rank, arguments):
    """Return the rank of the outputs, which lengths and masks decide; -1 if lengths or masks are wrong."""
    family = rule[r.FAMILY]
    if family == r.TILE:
        return max(rank, p.count_of(arguments, r.REPEATS))
    if family == r.SLICES:
        return _slices.rank_of_places(rule, rank, arguments)
    if family == r.BATCH and not p.is_given(arguments, r.ITEMS):
        return rank + 1
    if family == r.REPEAT:
        return max(rank, 1) if p.is_given(arguments, r.AXIS) else 1
    if family == r.BROADCAST:
        n = p.count_of(arguments, r.REPEATS)
        return n if n >= rank else -1
    return rank + p.count_of(arguments, r.SIZE) if family == r.SLIDE else rank


def lower_rule(rule, shape, rank, arguments, words):
    """Write the words of a call, at most RULE_WORDS; return their number, or minus a status where it has no words."""
    if rank > w.MOST_AXES:
        return -r.TOO_LARGE
    family = rule[r.FAMILY]
    if family == r.SPLIT:
        return lower_split(rule, shape, rank, arguments, words)
    if family == r.BATCH:
        return lower_batch(shape, rank, arguments, words)
    dst_rank = rank_of_result(rule, rank, arguments)
    if dst_rank < 0 or dst_rank > w.MOST_AXES:
        return -r.OTHER_KIND
    axes = rank + 1 if family == r.REPEAT else rank
    if family == r.TILE or family == r.BROADCAST or family == r.SLIDE:
        axes = dst_rank
    if p.begin_words(shape, rank, 1, 1, dst_rank, axes, words, p.RULE_WORDS) == 0:
        return -r.TOO_LARGE
    status = r.OTHER_KIND
    if family == r.WINDOWS:
        status = _slices.lower_windows(rule, shape, rank, arguments, words)
    elif family == r.SLICES:
        status = _slices.lower_places(rule, shape, rank, arguments, words)
    elif family == r.PADS:
        status = _moves.lower_pads(rule, shape, rank, arguments, words)
    elif family == r.ROLL:
        status = _moves.lower_roll(rule, shape, rank, arguments, words)
    elif family == r.FLIP:
        status = _moves.lower_flip(rule, shape, rank, arguments, words)
    elif family == r.TILE or family == r.BROADCAST:
        status = _moves.lower_tile(rule, rank, arguments, words)
    elif family == r.TRANSPOSE:
        status = _moves.lower_transpose(rule, rank, arguments, words)
    elif family == r.ROTATE:
        status = _moves.lower_rotation(shape, rank, arguments, words)
    elif family == r.MOVE:
        status = _moves.lower_axis_moves(rule, rank, arguments, words)
    elif family == r.REPEAT:
        status = _moves.lower_repeat(shape, rank, arguments, words)
    elif family == r.SLIDE:
        status = _slices.lower_slides(rule, shape, rank, arguments, words)
    elif family == r.WHOLE and rank > 0:
        status = 0
    return -status if status else p.end_words(words, rank, dst_rank)


let_kernels_call(__name__)
