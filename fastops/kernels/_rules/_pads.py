"""Pads, in the spellings of all dialects."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._words import NONE, argument, is_list_of, mode_of, named_axis, row_of, set_axis, values_of
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


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
