"""Rolls, flips, transposes and rotations.

Tiles, repeats of each element, and broadcasts of axes of length 1.

Pads, in the spellings of all dialects.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._words import (
    NONE,
    argument,
    axis_of,
    is_list_of,
    mode_of,
    named_axis,
    row_of,
    set_axis,
    values_of,
)
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


@interpreted
def lower_roll(rule, shape, rank, arguments, words):
    shifts, axes = argument(arguments, r.SHIFT), argument(arguments, r.AXES)
    if shifts[r.KIND] != r.LIST and shifts[r.KIND] != r.INTEGER:
        return r.OTHER_KIND
    if (axes[r.KIND] != r.LIST and axes[r.KIND] != r.INTEGER) or axes[r.COUNT] == 0:
        return r.OTHER_KIND
    n, option = max(shifts[r.COUNT], axes[r.COUNT]), rule[r.OPTION]
    has_one = shifts[r.KIND] == r.INTEGER and option == r.ONE_SHIFT
    if option == r.BROADCAST and min(shifts[r.COUNT], axes[r.COUNT]) == 1:
        has_one = True
    if shifts[r.COUNT] != axes[r.COUNT] and not has_one:
        return r.OTHER_KIND
    for k in range(rank):
        row_of(words, k)[w.MODE] = w.WRAP
    for i in range(n):
        axis = axis_of(values_of(arguments, r.AXES)[min(i, axes[r.COUNT] - 1)], rank)
        if axis < 0:
            return -axis
        row, shift = row_of(words, axis), values_of(arguments, r.SHIFT)[min(i, shifts[r.COUNT] - 1)]
        row[w.START] = (row[w.START] - shift) % max(shape[axis], 1)
    return 0


@interpreted
def lower_flip(rule, shape, rank, arguments, words):
    axes, option = argument(arguments, r.AXES), rule[r.OPTION]
    is_all = axes[r.KIND] == r.ABSENT and option == r.ALL_BY_DEFAULT
    is_one = axes[r.KIND] == r.INTEGER and option == r.ALL_BY_DEFAULT
    if not is_all and not is_one and axes[r.KIND] != r.LIST:
        return r.OTHER_KIND
    mode = argument(arguments, r.MODE)
    if mode[r.KIND] != r.ABSENT and (mode[r.KIND] != r.CONSTANT or values_of(arguments, r.MODE)[0] != 0):
        return r.NO_MODE
    seen = 0
    for i in range(rank if is_all else axes[r.COUNT]):
        axis = named_axis(arguments, i, rank, 0 if option == r.MAY_REPEAT else seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        set_axis(row_of(words, axis), shape[axis] - 1, -1, shape[axis], w.STRICT_BOUNDS)
    return 0


@interpreted
def lower_transpose(rule, rank, arguments, words):
    order, option = argument(arguments, r.ORDER), rule[r.OPTION]
    is_reversed = order[r.KIND] == r.ABSENT and rule[r.SECOND_OPTION] == r.NONE_REVERSES
    if order[r.KIND] == r.LIST and order[r.COUNT] == 0:
        is_reversed = rule[r.SECOND_OPTION] == r.EMPTY_REVERSES
    if not is_reversed and not is_list_of(arguments, r.ORDER, rank):
        return r.OTHER_KIND
    seen = 0
    for k in range(rank):
        axis = rank - 1 - k
        if not is_reversed:
            axis = values_of(arguments, r.ORDER)[k]
            if axis < 0 and option != r.FROM_END:
                return r.NO_AXIS
            axis = axis_of(axis, rank)
            if axis < 0:
                return r.NO_AXIS
            if seen >> axis & 1:
                return r.REPEATED_AXIS
        seen |= 1 << axis
        row_of(words, axis)[w.DST_AXIS] = k
    return 0


@interpreted
def lower_swap(rank, arguments, words):
    for parameter in range(2):
        if argument(arguments, parameter)[r.KIND] != r.INTEGER:
            return r.OTHER_KIND
    first = axis_of(values_of(arguments, r.FIRST)[0], rank)
    second = axis_of(values_of(arguments, r.SECOND)[0], rank)
    if first < 0 or second < 0:
        return r.NO_AXIS
    row_of(words, first)[w.DST_AXIS], row_of(words, second)[w.DST_AXIS] = second, first
    return 0


@interpreted
def lower_axis_moves(rank, arguments, words):
    n = argument(arguments, r.SOURCE)[r.COUNT]
    for parameter in range(2):
        row = argument(arguments, parameter)
        if (row[r.KIND] != r.LIST and row[r.KIND] != r.INTEGER) or row[r.COUNT] != n:
            return r.OTHER_KIND
    moved, taken, place = 0, 0, 0
    for i in range(n):
        source = axis_of(values_of(arguments, r.SOURCE)[i], rank)
        target = axis_of(values_of(arguments, r.DESTINATION)[i], rank)
        if source < 0 or target < 0:
            return r.NO_AXIS
        if moved >> source & 1 or taken >> target & 1:
            return r.REPEATED_AXIS
        moved |= 1 << source
        taken |= 1 << target
        row_of(words, source)[w.DST_AXIS] = target
    for axis in range(rank):
        if not moved >> axis & 1:
            while taken >> place & 1:
                place += 1
            row_of(words, axis)[w.DST_AXIS] = place
            place += 1
    return 0


@interpreted
def lower_rotation(shape, rank, arguments, words):
    if argument(arguments, r.TURNS)[r.KIND] != r.INTEGER or not is_list_of(arguments, r.AXES, 2):
        return r.OTHER_KIND
    quarters, first = values_of(arguments, r.TURNS)[0] % 4, named_axis(arguments, 0, rank, 0)
    if first < 0:
        return -first
    second = named_axis(arguments, 1, rank, 1 << first)
    if second < 0:
        return -second
    # Three quarters read the first axis backwards, one reads the second one so, and two read both.
    if quarters >= 2:
        set_axis(row_of(words, first), shape[first] - 1, -1, shape[first], w.STRICT_BOUNDS)
    if quarters == 1 or quarters == 2:
        set_axis(row_of(words, second), shape[second] - 1, -1, shape[second], w.STRICT_BOUNDS)
    if quarters % 2:
        row_of(words, first)[w.DST_AXIS], row_of(words, second)[w.DST_AXIS] = second, first
    return 0


@interpreted
def lower_tile(rule, shape, rank, arguments, words):
    repeats, option = argument(arguments, r.REPEATS), rule[r.OPTION]
    if repeats[r.KIND] != r.LIST and (repeats[r.KIND] != r.INTEGER or option != r.MAY_BE_ONE):
        return r.OTHER_KIND
    n, values = repeats[r.COUNT], values_of(arguments, r.REPEATS)
    if option == r.ONE_EACH and n != rank:
        return r.OTHER_KIND
    axes = max(rank, n)
    for i in range(n):
        row, times = row_of(words, axes - n + i), values[i]
        if option == r.FROM_0:
            times = max(times, 0)
        if times < 0:
            return r.NEGATIVE_SIZE
        if float(times) * float(row[w.EXTENT]) > float(w.LARGEST):
            return r.TOO_LARGE
        if row[w.EXTENT] == 1:
            set_axis(row, 0, 0, times, w.STRICT_BOUNDS)
        else:
            set_axis(row, 0, 1, times * row[w.EXTENT], w.WRAP)
    return 0


@interpreted
def lower_repeat(shape, rank, arguments, words):
    of_axis = argument(arguments, r.AXIS)[r.KIND]
    if argument(arguments, r.REPEATS)[r.KIND] != r.INTEGER or (of_axis != r.INTEGER and of_axis != r.ABSENT):
        return r.OTHER_KIND
    times = values_of(arguments, r.REPEATS)[0]
    if times < 0:
        return r.NEGATIVE_SIZE
    first, last = 0, rank - 1
    if of_axis == r.INTEGER:
        # Data without axes is taken for data of one.
        first = last = axis_of(values_of(arguments, r.AXIS)[0], max(rank, 1))
        if first < 0:
            return -first
    # The first axis of the piece has the repeats of an element, and those of the source follow. From the first to the
    # last axis that is repeated, all are one axis of the result, whose elements lie this far apart there.
    step, row = times, row_of(words, 0)
    set_axis(row, 0, 0, times, w.STRICT_BOUNDS)
    row[w.DST_AXIS] = first
    for k in range(rank - 1, -1, -1):
        row = row_of(words, k + 1)
        row[w.DST_AXIS] = min(k, first)
        if k > last:
            row[w.DST_AXIS] = k
        elif k >= first:
            row[w.DST_STEP] = step
            if float(step) * float(shape[k]) > float(w.LARGEST):
                return r.TOO_LARGE
            step *= shape[k]
    return 0


@interpreted
def lower_broadcast(dst_rank, arguments, words):
    kind, values = argument(arguments, r.SHAPE)[r.KIND], values_of(arguments, r.SHAPE)
    if kind != r.LIST and kind != r.INTEGER:
        return r.OTHER_KIND
    for k in range(dst_rank):
        row, count = row_of(words, k), values[k]
        if count < 0:
            return r.NEGATIVE_SIZE
        if row[w.EXTENT] == 1:
            set_axis(row, 0, 0, count, w.STRICT_BOUNDS)
        elif row[w.EXTENT] != count:
            return r.NO_BROADCAST
    return 0


@interpreted
def _pads_of(form, rank, arguments, i, is_behind):
    """Return the pad of axis i, or of the i-th axis that is named, on one side; what is none where it is not there."""
    row, values = argument(arguments, r.BEFORE), values_of(arguments, r.BEFORE)
    n = row[r.COUNT]
    if form == r.BY_SIDES:
        side = r.AFTER if is_behind else r.BEFORE
        return values_of(arguments, side)[i] if is_list_of(arguments, side, rank) else NONE
    if form == r.BY_HALVES or form == r.FROM_THE_LAST:
        if form == r.BY_HALVES:
            return values[i + n // 2 if is_behind else i]
        from_last = rank - 1 - i
        return 0 if 2 * from_last >= n else values[2 * from_last + is_behind]
    if form == r.BY_PAIRS:
        is_right = row[r.KIND] == r.ROWS and n == rank and row[r.ROW_LENGTH] == 2
        return values[2 * i + is_behind] if is_right else NONE
    # NumPy broadcasts one row to all axes, and one number to both sides.
    length = row[r.ROW_LENGTH] if row[r.KIND] == r.ROWS else n
    if row[r.KIND] == r.CONSTANT or row[r.KIND] == r.ABSENT or length < 1 or length > 2:
        return NONE
    if row[r.KIND] != r.ROWS or n == 1:
        i = 0
    elif n != rank:
        return NONE
    return values[i * length + (is_behind if length == 2 else 0)]


@interpreted
def lower_pads(rule, shape, rank, arguments, words):
    form, mode, n, seen = rule[r.OPTION], mode_of(arguments), rank, 0
    if mode == NONE:
        return r.NO_MODE
    pads = argument(arguments, r.BEFORE)
    if rank == 0 and (form != r.BY_ANY_PAIRS or pads[r.KIND] != r.INTEGER or values_of(arguments, r.BEFORE)[0] < 0):
        return r.OTHER_KIND
    if (form == r.BY_HALVES or form == r.FROM_THE_LAST) and (pads[r.KIND] != r.LIST or pads[r.COUNT] % 2):
        return r.OTHER_KIND
    if form == r.FROM_THE_LAST and pads[r.COUNT] > 2 * rank:
        return r.OTHER_KIND
    if form == r.BY_HALVES:
        n = pads[r.COUNT] // 2
        is_named = argument(arguments, r.AXES)[r.KIND] != r.ABSENT
        if (is_named and not is_list_of(arguments, r.AXES, n)) or (not is_named and n != rank):
            return r.OTHER_KIND
    for k in range(rank):
        if shape[k] == 0 and form != r.BY_ANY_PAIRS:
            return r.EMPTY_AXIS
        row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = named_axis(arguments, i, rank, seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        before, after = _pads_of(form, rank, arguments, i, 0), _pads_of(form, rank, arguments, i, 1)
        if before < 0 or after < 0:
            return r.OTHER_KIND if before == NONE or after == NONE else r.NEGATIVE_SIZE
        if shape[axis] == 0 and before + after > 0 and mode != w.FILL:
            return r.EMPTY_AXIS
        if rule[r.SECOND_OPTION] == r.ONE_FOLD and (mode == w.REFLECT or mode == w.SYMMETRIC):
            most = shape[axis] - 1 if mode == w.REFLECT else shape[axis]
            if max(before, after) > most:
                return r.OUT_OF_BOUNDS
        set_axis(row_of(words, axis), -before, 1, before + shape[axis] + after, mode)
    return 0
