"""Tiles, repeats of each element, and broadcasts of axes of length 1."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._words import argument, axis_of, row_of, set_axis, values_of
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


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
