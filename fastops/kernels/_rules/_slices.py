"""Slices: windows, begin : end : stride of axes, and basic indices.

All windows of axes: sliding windows, and the frames of a signal.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import bounds_of
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._rules._words import (
    NONE,
    argument,
    axis_of,
    is_kind_of,
    is_list_of,
    mode_of,
    named_axis,
    row_of,
    set_axis,
    set_whole,
    values_of,
)
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w

interpreted(bounds_of)


@interpreted
def lower_windows(rule, shape, rank, arguments, words):
    n, option = argument(arguments, r.START)[r.COUNT], rule[r.OPTION]
    kind = r.INTEGER if option == r.ONE_AXIS else r.LIST
    is_named = argument(arguments, r.AXES)[r.KIND] != r.ABSENT
    if not is_kind_of(arguments, r.START, kind, n) or not is_kind_of(arguments, r.SIZE, kind, n):
        return r.OTHER_KIND
    if (is_named and not is_kind_of(arguments, r.AXES, kind, n)) or (not is_named and n != rank):
        return r.OTHER_KIND
    has_strides, mode = argument(arguments, r.STRIDE)[r.KIND] != r.ABSENT, w.STRICT_BOUNDS
    if has_strides and not is_list_of(arguments, r.STRIDE, n):
        return r.OTHER_KIND
    if option == 0:
        mode = mode_of(arguments)
        if mode == NONE:
            return r.NO_MODE
    starts, sizes = values_of(arguments, r.START), values_of(arguments, r.SIZE)
    strides, seen = values_of(arguments, r.STRIDE), 0
    for k in range(rank):
        row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = named_axis(arguments, i, rank, seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        start, count = starts[i], sizes[i]
        if option:
            if option == r.ONE_AXIS and start < 0:
                start += shape[axis]
            if not 0 <= start <= shape[axis]:
                return r.OUT_OF_BOUNDS
            if option == r.REST_IF_MINUS_1 and count == -1:
                count = shape[axis] - start
            if count > shape[axis] - start:
                return r.OUT_OF_BOUNDS
        if count < 0:
            return r.NEGATIVE_SIZE
        set_axis(row_of(words, axis), start, strides[i] if has_strides else 1, count, mode)
    return 0


@interpreted
def lower_slices(rule, shape, rank, arguments, words):
    n = argument(arguments, r.BEGIN)[r.COUNT]
    if not is_list_of(arguments, r.BEGIN, n) or not is_list_of(arguments, r.END, n):
        return r.OTHER_KIND
    has_strides = argument(arguments, r.STRIDE)[r.KIND] != r.ABSENT
    if has_strides and not is_list_of(arguments, r.STRIDE, n):
        return r.OTHER_KIND
    if argument(arguments, r.AXES)[r.KIND] != r.ABSENT and not is_list_of(arguments, r.AXES, n):
        return r.OTHER_KIND
    begins, ends = values_of(arguments, r.BEGIN), values_of(arguments, r.END)
    strides, seen, axis, target = values_of(arguments, r.STRIDE), 0, 0, 0
    is_named = argument(arguments, r.AXES)[r.KIND] != r.ABSENT
    for i in range(n):
        use, stride = _use_of(rule, arguments, i), strides[i] if has_strides else 1
        if use == r.IS_NEW_AXIS:
            target += 1
            continue
        if use == r.IS_ELLIPSIS:
            for _ in range(_left_of(rule, rank, arguments)):
                row_of(words, axis)[w.DST_AXIS] = target
                axis, target = axis + 1, target + 1
            continue
        if is_named:
            axis = target = named_axis(arguments, i, rank, seen)
            if axis < 0:
                return -axis
            seen |= 1 << axis
        row = row_of(words, axis)
        if use == r.IS_INTEGER:
            at = axis_of(begins[i], shape[axis])
            # TensorFlow refuses other strides there.
            if at < 0 or (stride <= 0 and rule[r.SECOND_OPTION] == r.BIT_FIELDS):
                return r.OUT_OF_BOUNDS
            set_axis(row, at, 1, 1, w.STRICT_BOUNDS)
            row[w.DST_AXIS], row[w.DST_STEP] = w.NO_AXIS, 0
            axis += 1
            continue
        if stride == 0:
            return r.ZERO_STRIDE
        begin_bit, end_bit = _bit_of(rule, arguments, r.BEGIN_MASK, i), _bit_of(rule, arguments, r.END_MASK, i)
        start, count = bounds_of(shape[axis], begins[i], ends[i], stride, rule[r.OPTION], begin_bit, end_bit)
        set_axis(row, start, stride, count, w.STRICT_BOUNDS)
        row[w.DST_AXIS] = target
        axis, target = axis + 1, target + 1
    for k in range(rank if is_named else axis, rank):
        row_of(words, k)[w.DST_AXIS] = target
        target += 1
    return 0


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
    for i in range(argument(arguments, r.BEGIN)[r.COUNT]):
        use = _use_of(rule, arguments, i)
        left -= 1 if use == r.IS_SLICE or use == r.IS_INTEGER else 0
    return left


@interpreted
def rank_of_slices(rule, rank, arguments):
    """Return the rank of what a strided slice takes; -1 where it names more axes than there are, or masks are wrong."""
    n, ellipses, dst_rank = argument(arguments, r.BEGIN)[r.COUNT], 0, rank
    for parameter in range(r.BEGIN_MASK, r.ELLIPSIS_MASK + 1):
        if not _is_mask(rule, arguments, parameter):
            return -1
    # The bits beyond the positions mean nothing, but they count.
    mask = argument(arguments, r.ELLIPSIS_MASK)
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
    row, values = argument(arguments, parameter), values_of(arguments, parameter)
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
    row, values = argument(arguments, parameter), values_of(arguments, parameter)
    if row[r.KIND] == r.ABSENT:
        return 0
    if rule[r.SECOND_OPTION] == r.BIT_FIELDS:
        return values[0] >> i & 1 if i < 31 else 0
    return values[i] if i < row[r.COUNT] else 0


@interpreted
def rank_of_places(rank, arguments):
    """Return the rank of what an index takes; -1 where it names more axes than there are, or has several ellipses."""
    row, places = argument(arguments, r.BEGIN), values_of(arguments, r.BEGIN)
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
def lower_index(rule, shape, rank, arguments, words):
    row, places = argument(arguments, r.BEGIN), values_of(arguments, r.BEGIN)
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
                row_of(words, axis)[w.DST_AXIS] = target
                axis, target = axis + 1, target + 1
        elif place == r.IS_INTEGER:
            at = axis_of(each[1], shape[axis])
            if at < 0:
                return r.OUT_OF_BOUNDS
            set_axis(row_of(words, axis), at, 1, 1, w.STRICT_BOUNDS)
            row_of(words, axis)[w.DST_AXIS], row_of(words, axis)[w.DST_STEP] = w.NO_AXIS, 0
            axis += 1
        else:
            step = each[3]
            if step == 0:
                return r.ZERO_STRIDE
            has_no_start, has_no_stop = place & r.HAS_NO_START, place & r.HAS_NO_STOP
            start, count = bounds_of(shape[axis], each[1], each[2], step, rule[r.OPTION], has_no_start, has_no_stop)
            set_axis(row_of(words, axis), start, step, count, w.STRICT_BOUNDS)
            row_of(words, axis)[w.DST_AXIS] = target
            axis, target = axis + 1, target + 1
    for k in range(axis, rank):
        row_of(words, k)[w.DST_AXIS] = target
        target += 1
    return 0


@interpreted
def _check_slides(rule, rank, arguments):
    """Return a status: 0 for arguments of the kinds that sliding windows, or frames, have, as many as each other."""
    if rule[r.OPTION] == r.AS_FRAMES:
        for parameter in range(r.SIZE, r.AXES + 1):
            if argument(arguments, parameter)[r.KIND] != r.INTEGER:
                return r.OTHER_KIND
        return 0
    n, of_axes = argument(arguments, r.SIZE)[r.COUNT], argument(arguments, r.AXES)[r.KIND]
    for parameter in range(r.SIZE, r.AXES + 1):
        row = argument(arguments, parameter)
        if row[r.KIND] == r.ABSENT and parameter != r.SIZE:
            continue
        if row[r.KIND] != r.LIST and row[r.KIND] != r.INTEGER:
            return r.OTHER_KIND
        # One stride may be that of all windows.
        if row[r.COUNT] != n and (parameter != r.STRIDE or row[r.KIND] != r.INTEGER):
            return r.OTHER_KIND
    return r.OTHER_KIND if of_axes == r.ABSENT and n != rank else 0


@interpreted
def lower_slides(rule, shape, rank, arguments, words):
    status, is_framed = _check_slides(rule, rank, arguments), rule[r.OPTION] == r.AS_FRAMES
    if status:
        return status
    n, of_strides, seen = argument(arguments, r.SIZE)[r.COUNT], argument(arguments, r.STRIDE), 0
    sizes, strides = values_of(arguments, r.SIZE), values_of(arguments, r.STRIDE)
    for k in range(rank):
        set_whole(row_of(words, k), shape[k], k, k)
    for i in range(n):
        axis = axis_of(i if argument(arguments, r.AXES)[r.KIND] == r.ABSENT else values_of(arguments, r.AXES)[i], rank)
        if axis < 0:
            return -axis
        size, stride, row = sizes[i], 1, row_of(words, axis)
        if of_strides[r.KIND] != r.ABSENT:
            stride = strides[i if of_strides[r.KIND] == r.LIST else 0]
        if size < (1 if is_framed else 0):
            return r.NEGATIVE_SIZE
        if size > row[w.COUNT]:
            return r.TOO_LONG_WINDOW
        # Windows of an axis that is named twice are windows of windows.
        if stride < 1 or (seen >> axis & 1 and stride != row[w.SRC_STEP]):
            return r.NO_STEP
        seen |= 1 << axis
        row[w.SRC_STEP] = stride
        row[w.COUNT] -= size - 1
        set_whole(row_of(words, rank + i), size, axis, rank + i)
    for k in range(rank):
        row = row_of(words, k)
        row[w.COUNT] = row[w.EXTENT] = (row[w.COUNT] - 1) // row[w.SRC_STEP] + 1
        if row[w.COUNT] < 2:
            row[w.SRC_STEP] = 0
    if is_framed:
        _place_frames(rank, arguments, words)
    return 0


@interpreted
def _place_frames(rank, arguments, words):
    """Put the samples of a frame beside the frames: before them if their axis is counted from the end."""
    named = values_of(arguments, r.AXES)[0]
    axis = axis_of(named, rank)
    for k in range(axis + 1, rank):
        row_of(words, k)[w.DST_AXIS] = k + 1
    row_of(words, axis)[w.DST_AXIS] = axis + 1 if named < 0 else axis
    row_of(words, rank)[w.DST_AXIS] = axis if named < 0 else axis + 1
