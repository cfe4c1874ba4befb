"""Moves: rolls, flips, transpositions, rotations, tiles, repeats, broadcasts, and pads as all dialects write them."""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import let_kernels_call
from fastops.kernels._rules import _words as p
from fastops.kernels._tables import _rules as r, _words as w


def lower_roll(rule, shape, rank, arguments, words):
    shifts, axes, option = p.count_of(arguments, r.SHIFT), p.count_of(arguments, r.AXES), rule[r.OPTION]
    are_right = p.fits(arguments, r.SHIFT, p.ONE | p.LIST, shifts) and p.fits(arguments, r.AXES, p.ONE | p.LIST, axes)
    if not are_right or axes == 0:
        return r.OTHER_KIND
    has_one = option == r.ONE_SHIFT and p.argument(arguments, r.SHIFT)[r.KIND] == r.INTEGER
    if shifts != axes and not has_one and (option != r.ONE_OF_EITHER or min(shifts, axes) != 1):
        return r.OTHER_KIND
    for k in range(rank):
        p.row_of(words, k)[w.MODE] = w.WRAP
    for i in range(max(shifts, axes)):
        axis = p.axis_of(p.values_of(arguments, r.AXES)[min(i, axes - 1)], rank)
        if axis < 0:
            return -axis
        row, shift = p.row_of(words, axis), p.values_of(arguments, r.SHIFT)[min(i, shifts - 1)]
        row[w.START] = (row[w.START] - shift) % max(shape[axis], 1)
    return 0


def lower_flip(rule, shape, rank, arguments, words):
    n, option, seen = p.count_of(arguments, r.AXES), rule[r.OPTION], 0
    if not p.fits(arguments, r.AXES, p.NO | p.ONE | p.LIST if option == r.ALL_BY_DEFAULT else p.LIST, n):
        return r.OTHER_KIND
    # Only OpenVINO's Reverse has a mode; rules take only mode "index", whose number is 0.
    if p.is_given(arguments, r.MODE) and p.mode_of(arguments) != 0:
        return r.NO_MODE
    for i in range(n if p.is_given(arguments, r.AXES) else rank):
        axis = p.named_axis(arguments, i, rank, 0 if option == r.MAY_REPEAT else seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        p.reverse_axis(words, axis, shape[axis])
    return 0


def lower_transpose(rule, rank, arguments, words):
    order, default, seen = p.argument(arguments, r.ORDER), rule[r.SECOND_OPTION], 0
    is_reversed = order[r.KIND] == r.ABSENT and default == r.NONE_REVERSES
    if order[r.KIND] == r.LIST and order[r.COUNT] == 0:
        is_reversed = default == r.EMPTY_REVERSES
    if not is_reversed and not p.fits(arguments, r.ORDER, p.LIST, rank):
        return r.OTHER_KIND
    for k in range(rank):
        axis = rank - 1 - k if is_reversed else p.values_of(arguments, r.ORDER)[k]
        if axis < 0 and rule[r.OPTION] != r.FROM_END:
            return r.NO_AXIS
        axis = p.axis_of(axis, rank)
        if axis < 0:
            return -axis
        if seen >> axis & 1:
            return r.REPEATED_AXIS
        seen |= 1 << axis
        p.row_of(words, axis)[w.DST_AXIS] = k
    return 0


def _swap(words, first, second):
    """Write that two axes change places."""
    p.row_of(words, first)[w.DST_AXIS], p.row_of(words, second)[w.DST_AXIS] = second, first


def lower_axis_moves(rule, rank, arguments, words):
    n, moved, taken, place = p.count_of(arguments, r.SOURCE), 0, 0, 0
    kinds = p.ONE if rule[r.OPTION] == r.EXCHANGE else p.ONE | p.LIST
    are_right = p.fits(arguments, r.SOURCE, kinds, n) and p.fits(arguments, r.DESTINATION, kinds, n)
    if not are_right or p.count_of(arguments, r.DESTINATION) != n:
        return r.OTHER_KIND
    for i in range(n):
        source = p.axis_of(p.values_of(arguments, r.SOURCE)[i], rank)
        target = p.axis_of(p.values_of(arguments, r.DESTINATION)[i], rank)
        if source < 0 or target < 0:
            return r.NO_AXIS
        if rule[r.OPTION] == r.EXCHANGE:
            _swap(words, source, target)
            return 0
        if moved >> source & 1 or taken >> target & 1:
            return r.REPEATED_AXIS
        moved |= 1 << source
        taken |= 1 << target
        p.row_of(words, source)[w.DST_AXIS] = target
    for axis in range(rank):
        if not moved >> axis & 1:
            while taken >> place & 1:
                place += 1
            p.row_of(words, axis)[w.DST_AXIS] = place
            place += 1
    return 0


def lower_rotation(shape, rank, arguments, words):
    if not p.fits(arguments, r.TURNS, p.ONE, 1) or not p.fits(arguments, r.AXES, p.LIST, 2):
        return r.OTHER_KIND
    quarters, first = p.values_of(arguments, r.TURNS)[0] % 4, p.named_axis(arguments, 0, rank, 0)
    if first < 0:
        return -first
    second = p.named_axis(arguments, 1, rank, 1 << first)
    if second < 0:
        return -second
    # Two quarters reverse both axes, one reverses the second axis, and three reverse the first one.
    if quarters >= 2:
        p.reverse_axis(words, first, shape[first])
    if quarters == 1 or quarters == 2:
        p.reverse_axis(words, second, shape[second])
    if quarters % 2:
        _swap(words, first, second)
    return 0


def lower_tile(rule, rank, arguments, words):
    """Lower a tile, or a broadcast, whose repeats are the lengths of the result."""
    n, option, is_broadcast = p.count_of(arguments, r.REPEATS), rule[r.OPTION], rule[r.FAMILY] == r.BROADCAST
    if not p.fits(arguments, r.REPEATS, p.ONE | p.LIST if option == r.MAY_BE_ONE else p.LIST, n):
        return r.OTHER_KIND
    if option == r.ONE_EACH and n != rank:
        return r.OTHER_KIND
    for i in range(n):
        row, times = p.row_of(words, max(rank, n) - n + i), p.values_of(arguments, r.REPEATS)[i]
        if option == r.FROM_0:
            times = max(times, 0)
        if times < 0:
            return r.NEGATIVE_SIZE
        if row[w.EXTENT] == 1:
            p.set_axis(row, 0, 0, times, w.STRICT_BOUNDS)
        elif is_broadcast:
            if row[w.EXTENT] != times:
                return r.NO_BROADCAST
        elif float(times) * float(row[w.EXTENT]) > float(w.LARGEST):
            return r.TOO_LARGE
        else:
            p.set_axis(row, 0, 1, times * row[w.EXTENT], w.WRAP)
    return 0


def lower_repeat(shape, rank, arguments, words):
    if not p.fits(arguments, r.REPEATS, p.ONE, 1) or not p.fits(arguments, r.AXIS, p.ONE | p.NO, 1):
        return r.OTHER_KIND
    times = p.values_of(arguments, r.REPEATS)[0]
    if times < 0:
        return r.NEGATIVE_SIZE
    first, last = 0, rank - 1
    if p.is_given(arguments, r.AXIS):
        # Data without axes counts as data of one axis.
        first = last = p.axis_of(p.values_of(arguments, r.AXIS)[0], max(rank, 1))
        if first < 0:
            return -first
    # Row 0 has the repeats of an element; the rows of the source's axes follow. The source's axes from `first` to
    # `last` and the repeats are one axis of the result. Along it, the elements of a source axis lie `step` apart.
    step, row = times, p.row_of(words, 0)
    p.set_axis(row, 0, 0, times, w.STRICT_BOUNDS)
    row[w.DST_AXIS] = first
    for k in range(rank - 1, -1, -1):
        row = p.row_of(words, k + 1)
        row[w.DST_AXIS] = min(k, first) if k <= last else k
        if first <= k <= last:
            row[w.DST_STEP] = step
            if float(step) * float(shape[k]) > float(w.LARGEST):
                return r.TOO_LARGE
            step *= shape[k]
    return 0


def _pad_of(form, rank, arguments, i, is_behind):
    """Return the pad on one side of axis i, or of axis i of AXES; NONE if the arguments do not give it."""
    row, values = p.argument(arguments, r.BEFORE), p.values_of(arguments, r.BEFORE)
    n = row[r.COUNT]
    if form == r.BY_SIDES:
        side = r.AFTER if is_behind else r.BEFORE
        return p.values_of(arguments, side)[i] if p.fits(arguments, side, p.LIST, rank) else p.NONE
    if form == r.BY_HALVES:
        return values[i + n // 2 if is_behind else i]
    if form == r.FROM_THE_LAST:
        from_last = rank - 1 - i
        return 0 if 2 * from_last >= n else values[2 * from_last + is_behind]
    if form == r.BY_PAIRS:
        is_right = row[r.KIND] == r.ROWS and n == rank and row[r.ROW_LENGTH] == 2
        return values[2 * i + is_behind] if is_right else p.NONE
    # NumPy broadcasts one row to all axes, and one number to both sides.
    length = row[r.ROW_LENGTH] if row[r.KIND] == r.ROWS else n
    if row[r.KIND] == r.CONSTANT or row[r.KIND] == r.ABSENT or length < 1 or length > 2:
        return p.NONE
    if row[r.KIND] != r.ROWS or n == 1:
        i = 0
    elif n != rank:
        return p.NONE
    return values[i * length + (is_behind if length == 2 else 0)]


def lower_pads(rule, shape, rank, arguments, words):
    form, mode, pads, n, seen = rule[r.OPTION], p.mode_of(arguments), p.argument(arguments, r.BEFORE), rank, 0
    if mode == p.NONE:
        return r.NO_MODE
    if rank == 0 and (form != r.BY_ANY_PAIRS or pads[r.KIND] != r.INTEGER or p.values_of(arguments, r.BEFORE)[0] < 0):
        return r.OTHER_KIND
    if (form == r.BY_HALVES or form == r.FROM_THE_LAST) and (pads[r.KIND] != r.LIST or pads[r.COUNT] % 2):
        return r.OTHER_KIND
    if form == r.FROM_THE_LAST and pads[r.COUNT] > 2 * rank:
        return r.OTHER_KIND
    if form == r.BY_HALVES:
        n = pads[r.COUNT] // 2
        if not p.are_axes(arguments, p.LIST, n, rank):
            return r.OTHER_KIND
    for k in range(rank):
        if shape[k] == 0 and form != r.BY_ANY_PAIRS:
            return r.EMPTY_AXIS
        p.row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = p.named_axis(arguments, i, rank, seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        before, after = _pad_of(form, rank, arguments, i, 0), _pad_of(form, rank, arguments, i, 1)
        if before < 0 or after < 0:
            return r.OTHER_KIND if before == p.NONE or after == p.NONE else r.NEGATIVE_SIZE
        if shape[axis] == 0 and before + after > 0 and mode != w.FILL:
            return r.EMPTY_AXIS
        is_folded = mode == w.REFLECT or mode == w.SYMMETRIC
        most = shape[axis] - 1 if mode == w.REFLECT else shape[axis]
        if rule[r.SECOND_OPTION] == r.ONE_FOLD and is_folded and max(before, after) > most:
            return r.OUT_OF_BOUNDS
        p.set_axis(p.row_of(words, axis), -before, 1, before + shape[axis] + after, mode)
    return 0


let_kernels_call(__name__)
