"""What several pieces make: splits, an output each, and few windows, which are one output.

A rule: which family lowers the arguments of a call.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import bounds_of
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._rules._moves import (
    lower_axis_moves,
    lower_broadcast,
    lower_flip,
    lower_pads,
    lower_repeat,
    lower_roll,
    lower_rotation,
    lower_swap,
    lower_tile,
    lower_transpose,
)
from fastops.kernels._rules._slices import (
    lower_index,
    lower_slices,
    lower_slides,
    lower_windows,
    rank_of_places,
    rank_of_slices,
)
from fastops.kernels._rules._words import (
    NONE,
    RULE_WORDS,
    argument,
    axis_of,
    begin_words,
    end_words,
    is_list_of,
    mode_of,
    named_axis,
    set_axis,
    set_whole,
    values_of,
)
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w

interpreted(bounds_of)


@interpreted
def _check_batch(arguments, rank, first, named):
    """Return a status: 0 for arguments that are as many as each other, and of the kinds that windows have."""
    starts, of_axes = argument(arguments, r.START), argument(arguments, r.AXES)[r.KIND]
    if mode_of(arguments) == NONE:
        return r.NO_MODE
    if starts[r.KIND] != r.ROWS or (first and not is_list_of(arguments, r.ITEMS, starts[r.COUNT])):
        return r.OTHER_KIND
    if not is_list_of(arguments, r.SIZE, named) or rank < first:
        return r.OTHER_KIND
    if not is_list_of(arguments, r.AXES, named) and (of_axes != r.ABSENT or named != rank - first):
        return r.OTHER_KIND
    is_one = argument(arguments, r.STRIDE)[r.KIND] == r.INTEGER
    return 0 if is_one or is_list_of(arguments, r.STRIDE, named) else r.OTHER_KIND


@interpreted
def lower_batch(shape, rank, arguments, words):
    """Write a piece for each window; return the number of words, or minus a status."""
    starts, mode, of_strides = argument(arguments, r.START), mode_of(arguments), argument(arguments, r.STRIDE)[r.KIND]
    n, named, is_named = starts[r.COUNT], starts[r.ROW_LENGTH], argument(arguments, r.AXES)[r.KIND] != r.ABSENT
    first = 0 if argument(arguments, r.ITEMS)[r.KIND] == r.ABSENT else 1
    status = _check_batch(arguments, rank, first, named)
    if status:
        return -status
    axes, dst_rank, at = rank + 1 - first, rank + 1 - first, w.HEADER_COLUMNS + 2 * rank + 2 - first
    length = w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS
    if n > RULE_WORDS or at + n * length > RULE_WORDS:
        return -r.TOO_LARGE
    words[w.PIECES], words[w.OUTPUTS], words[w.SRC_RANK], words[w.FIRST_PIECE] = n, 1, rank, at
    # As for many windows, of which nobody asks whether one reads a fill value.
    words[w.FILLS] = 1 if mode == w.FILL else 0
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = shape[k]
    words[w.HEADER_COLUMNS + rank] = dst_rank
    values, sizes = values_of(arguments, r.START), values_of(arguments, r.SIZE)
    strides = values_of(arguments, r.STRIDE)
    of_output = words_at(words, w.HEADER_COLUMNS + rank + 1)
    of_output[0] = n
    for k in range(first, rank):
        of_output[k + 1 - first] = shape[k]
    seen = 0
    for k in range(named):
        axis = named_axis(arguments, k, rank, seen) if is_named else k + first
        if axis < first:
            return axis if axis < 0 else -r.NO_AXIS
        if sizes[k] < 0:
            return -r.NEGATIVE_SIZE
        seen |= 1 << axis
        of_output[axis + 1 - first] = sizes[k]
    for i in range(n):
        piece = words_at(words, at + i * length)
        rows = words_at(piece, w.PIECE_COLUMNS)
        piece[w.OUTPUT], piece[w.FILL_INDEX], piece[w.AXES], piece[w.LENGTH] = 0, 0, axes, length
        # The axis of windows is the last row, or that of the source's first axis, whose items they read.
        for k in range(rank):
            set_whole(words_at(rows, k * w.AXIS_COLUMNS), shape[k], k, k + 1 - first)
        of_windows = words_at(rows, 0 if first else rank * w.AXIS_COLUMNS)
        if first:
            item = values_of(arguments, r.ITEMS)[i]
            if not 0 <= item < shape[0]:
                return -r.OUT_OF_BOUNDS
            set_axis(of_windows, item, 1, 1, w.STRICT_BOUNDS)
        else:
            set_whole(of_windows, 1, w.NO_AXIS, 0)
        of_windows[w.DST_FIRST] = i
        for k in range(named):
            axis = named_axis(arguments, k, rank, 0) if is_named else k + first
            row = words_at(rows, axis * w.AXIS_COLUMNS)
            set_axis(row, values[i * named + k], strides[0 if of_strides == r.INTEGER else k], sizes[k], mode)
    return at + n * length


@interpreted
def _count_parts(rule, extent, arguments):
    """Return the number of parts of an axis; minus a status where Python has to lower them."""
    lengths, of_integer = argument(arguments, r.LENGTHS), rule[r.SECOND_OPTION]
    if argument(arguments, r.NUMBER)[r.KIND] != r.ABSENT:
        return -r.OTHER_KIND
    if lengths[r.KIND] == r.LIST and rule[r.OPTION] != r.NO_LIST:
        n = lengths[r.COUNT]
        if rule[r.OPTION] == r.ARE_INDICES:
            return n + 1
        return n if n > 0 else -r.OTHER_KIND
    if lengths[r.KIND] != r.INTEGER or of_integer == r.REFUSED:
        return -r.OTHER_KIND
    number = values_of(arguments, r.LENGTHS)[0]
    if number < 1:
        return -r.UNEQUAL_SPLIT
    if of_integer == r.LENGTH:
        return max((extent - 1) // number + 1, 1)
    if number > r.MOST_PARTS:
        return -r.TOO_MANY_PARTS
    return number if of_integer == r.UNEQUAL_PARTS or extent % number == 0 else -r.UNEQUAL_SPLIT


@interpreted
def lower_split(rule, shape, rank, arguments, words):
    """Write a piece and an output for each part, or for the one that is asked for; return as `lower_rule` does."""
    if argument(arguments, r.AXIS)[r.KIND] != r.INTEGER and argument(arguments, r.AXIS)[r.KIND] != r.ABSENT:
        return -r.OTHER_KIND
    axis = 0 if argument(arguments, r.AXIS)[r.KIND] == r.ABSENT else values_of(arguments, r.AXIS)[0]
    axis = axis_of(axis, rank)
    if axis < 0:
        return axis
    extent = shape[axis]
    parts = _count_parts(rule, extent, arguments)
    if parts < 0:
        return parts
    is_list, option = argument(arguments, r.LENGTHS)[r.KIND] == r.LIST, rule[r.OPTION]
    first, outputs = 0, parts
    if argument(arguments, r.PART)[r.KIND] != r.ABSENT:
        first, outputs = values_of(arguments, r.PART)[0], 1
        # Where a part begins, lengths say only all together.
        if not 0 <= first < parts or (is_list and option != r.ARE_INDICES):
            return -r.OTHER_KIND
    if outputs > RULE_WORDS or not begin_words(shape, rank, outputs, rank, rank, words):
        return -r.TOO_LARGE
    values, rest = values_of(arguments, r.LENGTHS), extent
    if is_list and option != r.ARE_INDICES:
        # What is left for a length of -1, of which there may be one.
        unknown = 0
        for i in range(parts):
            if values[i] < -1 or values[i] > extent:
                return -r.OTHER_KIND
            if values[i] == -1:
                unknown += 1
            else:
                rest -= values[i]
        if unknown > (1 if option == r.MAY_INFER else 0) or rest < 0 or (rest > 0 and unknown == 0):
            return -r.OTHER_KIND
    start, piece = 0, words[w.FIRST_PIECE]
    length, shapes = words[piece + w.LENGTH], words_at(words, w.HEADER_COLUMNS + rank + outputs)
    for k in range(outputs):
        i = first + k
        if not is_list:
            start, count = _part_of(rule[r.SECOND_OPTION], extent, values[0], i)
        elif option == r.ARE_INDICES:
            end = values[i] if i < parts - 1 else extent
            start, count = bounds_of(extent, values[i - 1] if i else 0, end, 1, 0, 0, 0)
        else:
            count = rest if values[i] == -1 else values[i]
        row = words_at(words, piece + k * length + w.PIECE_COLUMNS + axis * w.AXIS_COLUMNS)
        set_axis(row, start, 1, count, w.STRICT_BOUNDS)
        for j in range(rank):
            shapes[k * rank + j] = count if j == axis else shape[j]
        start += count
    return piece + outputs * length


@interpreted
def _part_of(of_integer, extent, number, i):
    """Return the start and the length of part i of an axis that an integer splits."""
    if of_integer == r.LENGTH:
        return i * number, min(number, extent - i * number)
    longer = extent % number
    return i * (extent // number) + min(i, longer), extent // number + (1 if i < longer else 0)


@interpreted
def rank_of_result(rule, rank, arguments):
    """Return the rank of the outputs, which no value decides but those of masks; -1 where axes or masks are wrong."""
    family = rule[r.FAMILY]
    if family == r.TILE:
        return max(rank, argument(arguments, r.REPEATS)[r.COUNT])
    if family == r.INDEX:
        return rank_of_places(rank, arguments)
    if family == r.SLICES:
        return rank_of_slices(rule, rank, arguments)
    if family == r.BATCH and argument(arguments, r.ITEMS)[r.KIND] == r.ABSENT:
        return rank + 1
    if family == r.REPEAT:
        return 1 if argument(arguments, r.AXIS)[r.KIND] == r.ABSENT else max(rank, 1)
    if family == r.BROADCAST:
        n = argument(arguments, r.SHAPE)[r.COUNT]
        return n if n >= rank else -1
    return rank + argument(arguments, r.SIZE)[r.COUNT] if family == r.SLIDE else rank


@interpreted
def _axes_of(family, rank, dst_rank):
    """Return how many axes there are for the words of a piece."""
    if family == r.TILE or family == r.BROADCAST or family == r.SLIDE:
        return dst_rank
    return rank + 1 if family == r.REPEAT else rank


@interpreted
def lower_rule(rule, shape, rank, arguments, words):
    """Write the words of a call, RULE_WORDS at most; return their number, or minus a status where there are none."""
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
    if not begin_words(shape, rank, 1, dst_rank, _axes_of(family, rank, dst_rank), words):
        return -r.TOO_LARGE
    status = r.OTHER_KIND
    if family == r.WINDOWS:
        status = lower_windows(rule, shape, rank, arguments, words)
    elif family == r.SLICES:
        status = lower_slices(rule, shape, rank, arguments, words)
    elif family == r.INDEX:
        status = lower_index(rule, shape, rank, arguments, words)
    elif family == r.PADS:
        status = lower_pads(rule, shape, rank, arguments, words)
    elif family == r.ROLL:
        status = lower_roll(rule, shape, rank, arguments, words)
    elif family == r.FLIP:
        status = lower_flip(rule, shape, rank, arguments, words)
    elif family == r.TILE:
        status = lower_tile(rule, shape, rank, arguments, words)
    elif family == r.TRANSPOSE:
        status = lower_transpose(rule, rank, arguments, words)
    elif family == r.SWAP:
        status = lower_swap(rank, arguments, words)
    elif family == r.ROTATE:
        status = lower_rotation(shape, rank, arguments, words)
    elif family == r.MOVE:
        status = lower_axis_moves(rank, arguments, words)
    elif family == r.REPEAT:
        status = lower_repeat(shape, rank, arguments, words)
    elif family == r.BROADCAST:
        status = lower_broadcast(dst_rank, arguments, words)
    elif family == r.SLIDE:
        status = lower_slides(rule, shape, rank, arguments, words)
    elif family == r.WHOLE and rank > 0:
        status = 0
    return -status if status else end_words(words, rank, dst_rank)
