"""Rules: what the arguments of an operator mean for a source of a shape, as the words of plans.

Functions of integers, a family of operators each, which dialects share. What a rule does not take, because it is wrong
or because it is rare, has no words: Python lowers that, and says what is wrong. Coordinates that a mode does not allow
are in the words; whoever runs them checks all words.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import bounds_of, is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w

for function in (bounds_of, is_inside):
    interpreted(function)

#: Room for the words of a rule; what is longer, Python lays.
RULE_WORDS = 384

# What is no axis, mode or integer.
_NONE = -(2**63)


@interpreted
def lower_rule(rule, shape, rank, arguments, words):
    """Write the words of a call, RULE_WORDS at most; return their number, or -1 where Python has to lower it."""
    if rank > w.MOST_AXES:
        return -1
    family = rule[r.FAMILY]
    if family == r.SPLIT:
        return _lower_split(rule, shape, rank, arguments, words)
    if family == r.BATCH:
        return _lower_batch(shape, rank, arguments, words)
    if family == r.TILE:
        dst_rank = max(rank, _argument(arguments, r.REPEATS)[r.COUNT])
    elif family == r.INDEX:
        dst_rank = _rank_of_places(rank, arguments)
    elif family == r.SLICES:
        dst_rank = _rank_of_slices(rule, rank, arguments)
    else:
        dst_rank = rank
    if dst_rank < 0 or not _begin(shape, rank, 1, dst_rank, max(rank, dst_rank if family == r.TILE else 0), words):
        return -1
    is_lowered = False
    if family == r.WINDOWS:
        is_lowered = _lower_windows(rule, shape, rank, arguments, words)
    elif family == r.SLICES:
        is_lowered = _lower_slices(rule, shape, rank, arguments, words)
    elif family == r.INDEX:
        is_lowered = _lower_index(rule, shape, rank, arguments, words)
    elif family == r.PADS:
        is_lowered = _lower_pads(rule, shape, rank, arguments, words)
    elif family == r.ROLL:
        is_lowered = _lower_roll(rule, shape, rank, arguments, words)
    elif family == r.FLIP:
        is_lowered = _lower_flip(rule, shape, rank, arguments, words)
    elif family == r.TILE:
        is_lowered = _lower_tile(rule, shape, rank, arguments, words)
    elif family == r.TRANSPOSE:
        is_lowered = _lower_transpose(rule, rank, arguments, words)
    elif family == r.SWAP:
        is_lowered = _lower_swap(rank, arguments, words)
    elif family == r.ROTATE:
        is_lowered = _lower_rotation(shape, rank, arguments, words)
    elif family == r.WHOLE:
        is_lowered = rank > 0
    return _end(words, rank, dst_rank) if is_lowered else -1


@interpreted
def _set_whole(row, extent, source, target):
    """Write the axis of a piece that takes one of the source whole, or is one that the source does not have."""
    row[w.EXTENT], row[w.DST_AXIS], row[w.DST_FIRST], row[w.DST_STEP] = extent, target, 0, 1
    row[w.SRC_AXIS], row[w.SRC_FIRST], row[w.SRC_STEP] = source, 0, 0 if source == w.NO_AXIS else 1
    _set(row, 0, 0 if source == w.NO_AXIS else 1, extent, w.STRICT_BOUNDS)


@interpreted
def _begin(shape, rank, outputs, dst_rank, axes, words):
    """Write the header of outputs of one rank, each of a piece whose axes take the source whole; False without room."""
    first = w.HEADER_COLUMNS + rank + outputs * (1 + dst_rank)
    length = w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS
    if first + outputs * length > RULE_WORDS:
        return False
    words[w.PIECES], words[w.OUTPUTS], words[w.SRC_RANK] = outputs, outputs, rank
    words[w.FILLS], words[w.FIRST_PIECE] = 0, first
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = shape[k]
    for i in range(outputs):
        words[w.HEADER_COLUMNS + rank + i] = dst_rank
        piece = words_at(words, first + i * length)
        piece[w.OUTPUT], piece[w.FILL_INDEX], piece[w.AXES], piece[w.LENGTH] = i, 0, axes, length
        for k in range(axes):
            row, source = words_at(piece, w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), k - axes + rank
            if source >= 0:
                _set_whole(row, shape[source], source, i * dst_rank + k)
            else:
                _set_whole(row, 1, w.NO_AXIS, i * dst_rank + k)
    return True


@interpreted
def _end(words, rank, dst_rank):
    """Write the shape of the one output, and if it wants a fill value; return the number of words."""
    piece = words[w.FIRST_PIECE]
    shape = words_at(words, w.HEADER_COLUMNS + rank + 1)
    for k in range(dst_rank):
        # Axes of the output that no axis of the piece writes to are of length 1.
        shape[k] = 1
    is_filled, is_void = False, False
    for k in range(words[piece + w.AXES]):
        row = _row_of(words, k)
        count = row[w.COUNT]
        if row[w.DST_AXIS] != w.NO_AXIS:
            shape[row[w.DST_AXIS]] = count
        is_void = is_void or count == 0
        if row[w.MODE] == w.FILL and not is_void:
            is_filled = is_filled or not is_inside(row[w.EXTENT], row[w.START], row[w.STRIDE], count)
    words[w.FILLS] = 1 if is_filled and not is_void else 0
    return piece + words[piece + w.LENGTH]


@interpreted
def _row_of(words, k):
    """Return the words of axis k of the first piece."""
    return words_at(words, words[w.FIRST_PIECE] + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)


@interpreted
def _set(row, start, stride, count, mode):
    """Write which coordinates of an axis are read, and how many."""
    row[w.START], row[w.STRIDE], row[w.COUNT], row[w.MODE] = start, stride, count, mode


@interpreted
def _argument(arguments, parameter):
    """Return the row of an argument."""
    return words_at(arguments, parameter * r.ARGUMENT_COLUMNS)


@interpreted
def _values_of(arguments, parameter):
    """Return the values of an argument."""
    return words_at(arguments, _argument(arguments, parameter)[r.FIRST_VALUE])


@interpreted
def _is_list_of(arguments, parameter, n):
    """True for an argument that is a list of so many integers."""
    row = _argument(arguments, parameter)
    return row[r.KIND] == r.LIST and row[r.COUNT] == n


@interpreted
def _mode_of(arguments):
    """Return the mode that an argument names, or what is none."""
    row = _argument(arguments, r.MODE)
    return _values_of(arguments, r.MODE)[0] if row[r.KIND] == r.CONSTANT else _NONE


@interpreted
def _axis_of(axis, rank):
    """Return an axis, which may be counted from the end, from the front; what is none if there is no such axis."""
    if axis < -rank or axis >= rank:
        return _NONE
    return axis + rank if axis < 0 else axis


@interpreted
def _named_axis(arguments, i, rank, seen):
    """Return the i-th axis that AXES names, by default i, or what is none for one that is not there or was seen."""
    axis = i
    if _argument(arguments, r.AXES)[r.KIND] != r.ABSENT:
        axis = _axis_of(_values_of(arguments, r.AXES)[i], rank)
    return _NONE if axis == _NONE or axis >= rank or seen >> axis & 1 else axis


@interpreted
def _lower_windows(rule, shape, rank, arguments, words):
    n = _argument(arguments, r.START)[r.COUNT]
    is_named = _argument(arguments, r.AXES)[r.KIND] != r.ABSENT
    if not _is_list_of(arguments, r.START, n) or not _is_list_of(arguments, r.SIZE, n):
        return False
    if (is_named and not _is_list_of(arguments, r.AXES, n)) or (not is_named and n != rank):
        return False
    has_strides, mode = _argument(arguments, r.STRIDE)[r.KIND] != r.ABSENT, w.STRICT_BOUNDS
    if has_strides and not _is_list_of(arguments, r.STRIDE, n):
        return False
    may_be_rest = rule[r.OPTION] == r.REST_IF_MINUS_1
    if not may_be_rest:
        mode = _mode_of(arguments)
        if mode == _NONE:
            return False
    starts, sizes = _values_of(arguments, r.START), _values_of(arguments, r.SIZE)
    strides, seen = _values_of(arguments, r.STRIDE), 0
    for k in range(rank):
        _row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = _named_axis(arguments, i, rank, seen)
        if axis == _NONE:
            return False
        seen |= 1 << axis
        count = sizes[i]
        if may_be_rest:
            if not 0 <= starts[i] <= shape[axis]:
                return False
            if count == -1:
                count = shape[axis] - starts[i]
            if count > shape[axis] - starts[i]:
                return False
        if count < 0:
            return False
        _set(_row_of(words, axis), starts[i], strides[i] if has_strides else 1, count, mode)
    return True


@interpreted
def _lower_slices(rule, shape, rank, arguments, words):
    n = _argument(arguments, r.BEGIN)[r.COUNT]
    if not _is_list_of(arguments, r.BEGIN, n) or not _is_list_of(arguments, r.END, n):
        return False
    has_strides = _argument(arguments, r.STRIDE)[r.KIND] != r.ABSENT
    if has_strides and not _is_list_of(arguments, r.STRIDE, n):
        return False
    if _argument(arguments, r.AXES)[r.KIND] != r.ABSENT and not _is_list_of(arguments, r.AXES, n):
        return False
    begins, ends = _values_of(arguments, r.BEGIN), _values_of(arguments, r.END)
    strides, seen, axis, target = _values_of(arguments, r.STRIDE), 0, 0, 0
    is_named = _argument(arguments, r.AXES)[r.KIND] != r.ABSENT
    for i in range(n):
        use, stride = _use_of(rule, arguments, i), strides[i] if has_strides else 1
        if use == r.IS_NEW_AXIS:
            target += 1
            continue
        if use == r.IS_ELLIPSIS:
            for _ in range(_left_of(rule, rank, arguments)):
                _row_of(words, axis)[w.DST_AXIS] = target
                axis, target = axis + 1, target + 1
            continue
        if is_named:
            axis = target = _named_axis(arguments, i, rank, seen)
            if axis == _NONE:
                return False
            seen |= 1 << axis
        row = _row_of(words, axis)
        if use == r.IS_INTEGER:
            at = _axis_of(begins[i], shape[axis])
            # TensorFlow refuses other strides there.
            if at == _NONE or (stride <= 0 and rule[r.SECOND_OPTION] == r.BIT_FIELDS):
                return False
            _set(row, at, 1, 1, w.STRICT_BOUNDS)
            row[w.DST_AXIS], row[w.DST_STEP] = w.NO_AXIS, 0
            axis += 1
            continue
        if stride == 0:
            return False
        begin_bit, end_bit = _bit_of(rule, arguments, r.BEGIN_MASK, i), _bit_of(rule, arguments, r.END_MASK, i)
        start, count = bounds_of(shape[axis], begins[i], ends[i], stride, rule[r.OPTION], begin_bit, end_bit)
        _set(row, start, stride, count, w.STRICT_BOUNDS)
        row[w.DST_AXIS] = target
        axis, target = axis + 1, target + 1
    for k in range(rank if is_named else axis, rank):
        _row_of(words, k)[w.DST_AXIS] = target
        target += 1
    return True


@interpreted
def _use_of(rule, arguments, i):
    """Return what position i of a strided slice is, as of an index."""
    if _bit_of(rule, arguments, r.ELLIPSIS_MASK, i):
        return r.IS_ELLIPSIS
    if _bit_of(rule, arguments, r.NEW_AXIS_MASK, i):
        return r.IS_NEW_AXIS
    return r.IS_INTEGER if _bit_of(rule, arguments, r.SHRINK_MASK, i) else r.IS_SLICE


@interpreted
def _left_of(rule, rank, arguments):
    """Return how many axes no position of a strided slice names."""
    left = rank
    for i in range(_argument(arguments, r.BEGIN)[r.COUNT]):
        use = _use_of(rule, arguments, i)
        left -= 1 if use == r.IS_SLICE or use == r.IS_INTEGER else 0
    return left


@interpreted
def _rank_of_slices(rule, rank, arguments):
    """Return the rank of what a strided slice takes; -1 where it names more axes than there are, or masks are wrong."""
    n, ellipses, dst_rank = _argument(arguments, r.BEGIN)[r.COUNT], 0, rank
    for parameter in range(r.BEGIN_MASK, r.ELLIPSIS_MASK + 1):
        if not _is_mask(rule, arguments, parameter):
            return -1
    # The bits beyond the positions mean nothing, but they count.
    mask = _argument(arguments, r.ELLIPSIS_MASK)
    for i in range(0 if mask[r.KIND] == r.ABSENT else max(n, mask[r.COUNT], 31)):
        ellipses += _bit_of(rule, arguments, r.ELLIPSIS_MASK, i)
    for i in range(n):
        use = _use_of(rule, arguments, i)
        dst_rank += 1 if use == r.IS_NEW_AXIS else -1 if use == r.IS_INTEGER else 0
    if ellipses > 1 or _left_of(rule, rank, arguments) < 0 or dst_rank > w.MOST_AXES:
        return -1
    return dst_rank


@interpreted
def _is_mask(rule, arguments, parameter):
    """True for a mask that is one in the dialect: a list of bits, or an integer of 31 bits; or not given."""
    row, values = _argument(arguments, parameter), _values_of(arguments, parameter)
    if row[r.KIND] == r.ABSENT:
        return True
    if rule[r.SECOND_OPTION] == r.BIT_FIELDS:
        return row[r.KIND] == r.INTEGER and 0 <= values[0] < 1 << 31
    if row[r.KIND] != r.LIST:
        return False
    for k in range(row[r.COUNT]):
        if not 0 <= values[k] <= 1:
            return False
    return True


@interpreted
def _bit_of(rule, arguments, parameter, i):
    """Return bit i of a mask, which is 0 beyond the last one that is given."""
    row, values = _argument(arguments, parameter), _values_of(arguments, parameter)
    if row[r.KIND] == r.ABSENT:
        return 0
    if rule[r.SECOND_OPTION] == r.BIT_FIELDS:
        return values[0] >> i & 1 if i < 31 else 0
    return values[i] if i < row[r.COUNT] else 0


@interpreted
def _rank_of_places(rank, arguments):
    """Return the rank of what an index takes; -1 where it names more axes than there are, or has several ellipses."""
    row, places = _argument(arguments, r.BEGIN), _values_of(arguments, r.BEGIN)
    named = dropped = added = ellipses = 0
    for i in range(row[r.COUNT]):
        place = places[i * r.PLACE_COLUMNS + r.PLACE]
        if place == r.IS_NEW_AXIS:
            added += 1
        elif place == r.IS_ELLIPSIS:
            ellipses += 1
        else:
            named += 1
            dropped += 1 if place == r.IS_INTEGER else 0
    dst_rank = rank - dropped + added
    return dst_rank if named <= rank and ellipses <= 1 and dst_rank <= w.MOST_AXES else -1


@interpreted
def _lower_index(rule, shape, rank, arguments, words):
    row, places = _argument(arguments, r.BEGIN), _values_of(arguments, r.BEGIN)
    named = 0
    for i in range(row[r.COUNT]):
        place = places[i * r.PLACE_COLUMNS + r.PLACE]
        named += 0 if place == r.IS_NEW_AXIS or place == r.IS_ELLIPSIS else 1
    axis = target = 0
    for i in range(row[r.COUNT]):
        each = words_at(places, i * r.PLACE_COLUMNS)
        place = each[r.PLACE]
        if place == r.IS_NEW_AXIS:
            target += 1
        elif place == r.IS_ELLIPSIS:
            for _ in range(rank - named):
                _row_of(words, axis)[w.DST_AXIS] = target
                axis, target = axis + 1, target + 1
        elif place == r.IS_INTEGER:
            at = _axis_of(each[1], shape[axis])
            if at == _NONE:
                return False
            _set(_row_of(words, axis), at, 1, 1, w.STRICT_BOUNDS)
            _row_of(words, axis)[w.DST_AXIS], _row_of(words, axis)[w.DST_STEP] = w.NO_AXIS, 0
            axis += 1
        else:
            step = each[3]
            if step == 0:
                return False
            has_no_start, has_no_stop = place & r.HAS_NO_START, place & r.HAS_NO_STOP
            start, count = bounds_of(shape[axis], each[1], each[2], step, rule[r.OPTION], has_no_start, has_no_stop)
            _set(_row_of(words, axis), start, step, count, w.STRICT_BOUNDS)
            _row_of(words, axis)[w.DST_AXIS] = target
            axis, target = axis + 1, target + 1
    for k in range(axis, rank):
        _row_of(words, k)[w.DST_AXIS] = target
        target += 1
    return True


@interpreted
def _pads_of(form, rank, arguments, i, is_behind):
    """Return the pad of axis i, or of the i-th axis that is named, on one side; what is none where it is not there."""
    row, values = _argument(arguments, r.BEFORE), _values_of(arguments, r.BEFORE)
    n = row[r.COUNT]
    if form == r.BY_SIDES:
        side = r.AFTER if is_behind else r.BEFORE
        return _values_of(arguments, side)[i] if _is_list_of(arguments, side, rank) else _NONE
    if form == r.BY_HALVES or form == r.FROM_THE_LAST:
        if form == r.BY_HALVES:
            return values[i + n // 2 if is_behind else i]
        from_last = rank - 1 - i
        return 0 if 2 * from_last >= n else values[2 * from_last + is_behind]
    if row[r.KIND] == r.ROWS:
        return values[2 * i + is_behind] if n == rank and row[r.ROW_LENGTH] == 2 else _NONE
    if form != r.BY_ANY_PAIRS:
        return _NONE
    if row[r.KIND] == r.INTEGER:
        return values[0]
    return values[is_behind] if row[r.KIND] == r.LIST and n == 2 else _NONE


@interpreted
def _lower_pads(rule, shape, rank, arguments, words):
    form, mode, n, seen = rule[r.OPTION], _mode_of(arguments), rank, 0
    if mode == _NONE or rank == 0:
        return False
    pads = _argument(arguments, r.BEFORE)
    if (form == r.BY_HALVES or form == r.FROM_THE_LAST) and (pads[r.KIND] != r.LIST or pads[r.COUNT] % 2):
        return False
    if form == r.FROM_THE_LAST and pads[r.COUNT] > 2 * rank:
        return False
    if form == r.BY_HALVES:
        n = pads[r.COUNT] // 2
        is_named = _argument(arguments, r.AXES)[r.KIND] != r.ABSENT
        if (is_named and not _is_list_of(arguments, r.AXES, n)) or (not is_named and n != rank):
            return False
    for k in range(rank):
        if shape[k] == 0:
            return False
        _row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = _named_axis(arguments, i, rank, seen)
        if axis == _NONE:
            return False
        seen |= 1 << axis
        before, after = _pads_of(form, rank, arguments, i, 0), _pads_of(form, rank, arguments, i, 1)
        if before < 0 or after < 0:
            return False
        if rule[r.SECOND_OPTION] == r.ONE_FOLD and (mode == w.REFLECT or mode == w.SYMMETRIC):
            most = shape[axis] - 1 if mode == w.REFLECT else shape[axis]
            if max(before, after) > most:
                return False
        _set(_row_of(words, axis), -before, 1, before + shape[axis] + after, mode)
    return True


@interpreted
def _lower_roll(rule, shape, rank, arguments, words):
    shifts, axes = _argument(arguments, r.SHIFT), _argument(arguments, r.AXES)
    if shifts[r.KIND] != r.LIST and shifts[r.KIND] != r.INTEGER:
        return False
    if (axes[r.KIND] != r.LIST and axes[r.KIND] != r.INTEGER) or axes[r.COUNT] == 0:
        return False
    n, option = max(shifts[r.COUNT], axes[r.COUNT]), rule[r.OPTION]
    has_one = shifts[r.KIND] == r.INTEGER and option == r.ONE_SHIFT
    if option == r.BROADCAST and min(shifts[r.COUNT], axes[r.COUNT]) == 1:
        has_one = True
    if shifts[r.COUNT] != axes[r.COUNT] and not has_one:
        return False
    for k in range(rank):
        _row_of(words, k)[w.MODE] = w.WRAP
    for i in range(n):
        axis = _axis_of(_values_of(arguments, r.AXES)[min(i, axes[r.COUNT] - 1)], rank)
        if axis == _NONE:
            return False
        row, shift = _row_of(words, axis), _values_of(arguments, r.SHIFT)[min(i, shifts[r.COUNT] - 1)]
        row[w.START] = (row[w.START] - shift) % max(shape[axis], 1)
    return True


@interpreted
def _lower_flip(rule, shape, rank, arguments, words):
    axes, option = _argument(arguments, r.AXES), rule[r.OPTION]
    is_all = axes[r.KIND] == r.ABSENT and option == r.ALL_BY_DEFAULT
    is_one = axes[r.KIND] == r.INTEGER and option == r.ALL_BY_DEFAULT
    if not is_all and not is_one and axes[r.KIND] != r.LIST:
        return False
    mode = _argument(arguments, r.MODE)
    if mode[r.KIND] != r.ABSENT and (mode[r.KIND] != r.CONSTANT or _values_of(arguments, r.MODE)[0] != 0):
        return False
    seen = 0
    for i in range(rank if is_all else axes[r.COUNT]):
        axis = _named_axis(arguments, i, rank, 0 if option == r.MAY_REPEAT else seen)
        if axis == _NONE:
            return False
        seen |= 1 << axis
        _set(_row_of(words, axis), shape[axis] - 1, -1, shape[axis], w.STRICT_BOUNDS)
    return True


@interpreted
def _lower_tile(rule, shape, rank, arguments, words):
    repeats, option = _argument(arguments, r.REPEATS), rule[r.OPTION]
    if repeats[r.KIND] != r.LIST and (repeats[r.KIND] != r.INTEGER or option != r.MAY_BE_ONE):
        return False
    n, values = repeats[r.COUNT], _values_of(arguments, r.REPEATS)
    if option == r.ONE_EACH and n != rank:
        return False
    axes = max(rank, n)
    for i in range(n):
        row, times = _row_of(words, axes - n + i), values[i]
        if option == r.FROM_0:
            times = max(times, 0)
        if times < 0 or float(times) * float(row[w.EXTENT]) > float(w.LARGEST):
            return False
        if row[w.EXTENT] == 1:
            _set(row, 0, 0, times, w.STRICT_BOUNDS)
        else:
            _set(row, 0, 1, times * row[w.EXTENT], w.WRAP)
    return True


@interpreted
def _lower_transpose(rule, rank, arguments, words):
    order, option = _argument(arguments, r.ORDER), rule[r.OPTION]
    is_reversed = order[r.KIND] == r.ABSENT and rule[r.SECOND_OPTION] == r.NONE_REVERSES
    if order[r.KIND] == r.LIST and order[r.COUNT] == 0:
        is_reversed = rule[r.SECOND_OPTION] == r.EMPTY_REVERSES
    if not is_reversed and not _is_list_of(arguments, r.ORDER, rank):
        return False
    seen = 0
    for k in range(rank):
        axis = rank - 1 - k
        if not is_reversed:
            axis = _values_of(arguments, r.ORDER)[k]
            if axis < 0 and option != r.FROM_END:
                return False
            axis = _axis_of(axis, rank)
            if axis == _NONE or seen >> axis & 1:
                return False
        seen |= 1 << axis
        _row_of(words, axis)[w.DST_AXIS] = k
    return True


@interpreted
def _lower_swap(rank, arguments, words):
    for parameter in range(2):
        if _argument(arguments, parameter)[r.KIND] != r.INTEGER:
            return False
    first = _axis_of(_values_of(arguments, r.FIRST)[0], rank)
    second = _axis_of(_values_of(arguments, r.SECOND)[0], rank)
    if first == _NONE or second == _NONE:
        return False
    _row_of(words, first)[w.DST_AXIS], _row_of(words, second)[w.DST_AXIS] = second, first
    return True


@interpreted
def _lower_rotation(shape, rank, arguments, words):
    if _argument(arguments, r.TURNS)[r.KIND] != r.INTEGER or not _is_list_of(arguments, r.AXES, 2):
        return False
    quarters, first = _values_of(arguments, r.TURNS)[0] % 4, _named_axis(arguments, 0, rank, 0)
    if first == _NONE:
        return False
    second = _named_axis(arguments, 1, rank, 1 << first)
    if second == _NONE:
        return False
    # Three quarters read the first axis backwards, one reads the second one so, and two read both.
    if quarters >= 2:
        _set(_row_of(words, first), shape[first] - 1, -1, shape[first], w.STRICT_BOUNDS)
    if quarters == 1 or quarters == 2:
        _set(_row_of(words, second), shape[second] - 1, -1, shape[second], w.STRICT_BOUNDS)
    if quarters % 2:
        _row_of(words, first)[w.DST_AXIS], _row_of(words, second)[w.DST_AXIS] = second, first
    return True


@interpreted
def _lower_batch(shape, rank, arguments, words):
    """Write a piece for each window; return the number of words."""
    starts, items, mode = _argument(arguments, r.START), _argument(arguments, r.ITEMS), _mode_of(arguments)
    n, named = starts[r.COUNT], starts[r.ROW_LENGTH]
    first = 0 if items[r.KIND] == r.ABSENT else 1
    if starts[r.KIND] != r.ROWS or mode == _NONE or (first and not _is_list_of(arguments, r.ITEMS, n)):
        return -1
    is_named, of_strides = _argument(arguments, r.AXES)[r.KIND] != r.ABSENT, _argument(arguments, r.STRIDE)[r.KIND]
    if not _is_list_of(arguments, r.SIZE, named) or rank < first:
        return -1
    if (is_named and not _is_list_of(arguments, r.AXES, named)) or (not is_named and named != rank - first):
        return -1
    if of_strides != r.INTEGER and not _is_list_of(arguments, r.STRIDE, named):
        return -1
    axes, dst_rank, at = rank + 1 - first, rank + 1 - first, w.HEADER_COLUMNS + 2 * rank + 2 - first
    length = w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS
    if n < 1 or n > RULE_WORDS or at + n * length > RULE_WORDS:
        return -1
    words[w.PIECES], words[w.OUTPUTS], words[w.SRC_RANK], words[w.FIRST_PIECE] = n, 1, rank, at
    # As for many windows, of which nobody asks whether one reads a fill value.
    words[w.FILLS] = 1 if mode == w.FILL else 0
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = shape[k]
    words[w.HEADER_COLUMNS + rank] = dst_rank
    values, sizes, strides = (
        _values_of(arguments, r.START),
        _values_of(arguments, r.SIZE),
        _values_of(arguments, r.STRIDE),
    )
    for i in range(n):
        piece, seen = words_at(words, at + i * length), 0
        rows = words_at(piece, w.PIECE_COLUMNS)
        piece[w.OUTPUT], piece[w.FILL_INDEX], piece[w.AXES], piece[w.LENGTH] = 0, 0, axes, length
        # The axis of windows is the last row, or that of the source's first axis, whose items they read.
        for k in range(rank):
            _set_whole(words_at(rows, k * w.AXIS_COLUMNS), shape[k], k, k + 1 - first)
        of_windows = words_at(rows, 0 if first else rank * w.AXIS_COLUMNS)
        if first:
            item = _values_of(arguments, r.ITEMS)[i]
            if not 0 <= item < shape[0]:
                return -1
            _set(of_windows, item, 1, 1, w.STRICT_BOUNDS)
        else:
            _set_whole(of_windows, 1, w.NO_AXIS, 0)
        of_windows[w.DST_FIRST] = i
        for k in range(named):
            axis = _named_axis(arguments, k, rank, seen) if is_named else k + first
            if axis == _NONE or axis < first or sizes[k] < 1:
                return -1
            seen |= 1 << axis
            row = words_at(rows, axis * w.AXIS_COLUMNS)
            _set(row, values[i * named + k], strides[0 if of_strides == r.INTEGER else k], sizes[k], mode)
    of_output = words_at(words, w.HEADER_COLUMNS + rank + 1)
    of_output[0] = n
    for k in range(first, rank):
        of_output[k + 1 - first] = words[at + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS + w.COUNT]
        if of_output[k + 1 - first] == 0:
            return -1
    return at + n * length


@interpreted
def _count_parts(rule, extent, arguments):
    """Return the number of parts of an axis; -1 where Python has to lower them."""
    lengths, of_integer = _argument(arguments, r.LENGTHS), rule[r.SECOND_OPTION]
    if _argument(arguments, r.NUMBER)[r.KIND] != r.ABSENT:
        return -1
    if lengths[r.KIND] == r.LIST and rule[r.OPTION] != r.NO_LIST:
        n = lengths[r.COUNT]
        if rule[r.OPTION] == r.ARE_INDICES:
            return n + 1
        return n if n > 0 else -1
    if lengths[r.KIND] != r.INTEGER or of_integer == r.REFUSED:
        return -1
    number = _values_of(arguments, r.LENGTHS)[0]
    if number < 1:
        return -1
    if of_integer == r.LENGTH:
        return max((extent - 1) // number + 1, 1)
    return number if of_integer == r.UNEQUAL_PARTS or extent % number == 0 else -1


@interpreted
def _lower_split(rule, shape, rank, arguments, words):
    if _argument(arguments, r.AXIS)[r.KIND] != r.INTEGER and _argument(arguments, r.AXIS)[r.KIND] != r.ABSENT:
        return -1
    axis = 0 if _argument(arguments, r.AXIS)[r.KIND] == r.ABSENT else _values_of(arguments, r.AXIS)[0]
    axis = _axis_of(axis, rank)
    if axis == _NONE:
        return -1
    extent = shape[axis]
    parts = _count_parts(rule, extent, arguments)
    if parts < 0 or parts > RULE_WORDS or not _begin(shape, rank, parts, rank, rank, words):
        return -1
    is_list, option = _argument(arguments, r.LENGTHS)[r.KIND] == r.LIST, rule[r.OPTION]
    values, rest = _values_of(arguments, r.LENGTHS), extent
    if is_list and option != r.ARE_INDICES:
        # What is left for a length of -1, of which there may be one.
        unknown = 0
        for i in range(parts):
            if values[i] < -1 or values[i] > extent:
                return -1
            if values[i] == -1:
                unknown += 1
            else:
                rest -= values[i]
        if unknown > (1 if option == r.MAY_INFER else 0) or rest < 0 or (rest > 0 and unknown == 0):
            return -1
    start, piece = 0, words[w.FIRST_PIECE]
    length, shapes = words[piece + w.LENGTH], words_at(words, w.HEADER_COLUMNS + rank + parts)
    for i in range(parts):
        if not is_list:
            count = _part_of(rule[r.SECOND_OPTION], extent, values[0], i)
        elif option == r.ARE_INDICES:
            end = values[i] if i < parts - 1 else extent
            start, count = bounds_of(extent, values[i - 1] if i else 0, end, 1, 0, 0, 0)
        else:
            count = rest if values[i] == -1 else values[i]
        row = words_at(words, piece + i * length + w.PIECE_COLUMNS + axis * w.AXIS_COLUMNS)
        _set(row, start, 1, count, w.STRICT_BOUNDS)
        for k in range(rank):
            shapes[i * rank + k] = count if k == axis else shape[k]
        start += count
    return piece + parts * length


@interpreted
def _part_of(of_integer, extent, number, i):
    """Return the length of part i of an axis that an integer splits."""
    if of_integer == r.LENGTH:
        return min(number, extent - i * number)
    return extent // number + (1 if i < extent % number else 0)
