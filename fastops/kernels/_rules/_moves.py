"""Rolls, flips, transposes and rotations."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._words import argument, axis_of, is_list_of, named_axis, row_of, set_axis, values_of
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
