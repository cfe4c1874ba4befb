"""Slices: windows, ``begin : end : stride`` of axes, basic indices, and all sliding windows of axes."""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import bounds_of
from fastops.kernels._intrinsics._memory import let_kernels_call
from fastops.kernels._rules import _words as p
from fastops.kernels._tables import _rules as r, _words as w


def lower_windows(rule, shape, rank, arguments, words):
    n, option, mode, seen = p.count_of(arguments, r.START), rule[r.OPTION], w.STRICT_BOUNDS, 0
    kinds = p.ONE if option == r.ONE_AXIS else p.LIST
    if not p.fits(arguments, r.START, kinds, n) or not p.fits(arguments, r.SIZE, kinds, n):
        return r.OTHER_KIND
    if not p.fits(arguments, r.STRIDE, p.LIST | p.NO, n) or not p.are_axes(arguments, kinds, n, rank):
        return r.OTHER_KIND
    if option == 0:
        mode = p.mode_of(arguments)
        if mode == p.NONE:
            return r.NO_MODE
    for k in range(rank):
        p.row_of(words, k)[w.MODE] = mode
    for i in range(n):
        axis = p.named_axis(arguments, i, rank, seen)
        if axis < 0:
            return -axis
        seen |= 1 << axis
        start, count = p.value_at(arguments, r.START, i), p.value_at(arguments, r.SIZE, i)
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
        stride = p.value_at(arguments, r.STRIDE, i) if p.is_given(arguments, r.STRIDE) else 1
        p.set_axis(p.row_of(words, axis), start, stride, count, mode)
    return 0


def _bit_of(rule, arguments, parameter, i):
    """Return bit i of a mask; bits beyond the last one that is given are 0."""
    row, values = p.argument(arguments, parameter), p.values_of(arguments, parameter)
    if row[r.KIND] == r.ABSENT:
        return 0
    if rule[r.SECOND_OPTION] == r.BIT_FIELDS:
        return values[0] >> i & 1 if i < 31 else 0
    return values[i] if i < row[r.COUNT] else 0


def _is_mask(rule, arguments, parameter):
    """True for a mask that the dialect allows, a list of bits or an integer of 31 bits, and for no mask."""
    row, values = p.argument(arguments, parameter), p.values_of(arguments, parameter)
    if row[r.KIND] == r.ABSENT:
        return True
    if rule[r.SECOND_OPTION] == r.BIT_FIELDS:
        return row[r.KIND] == r.INTEGER and 0 <= values[0] < 1 << 31
    for k in range(row[r.COUNT]):
        if not 0 <= values[k] <= 1:
            return False
    return row[r.KIND] == r.LIST


def _use_of(rule, arguments, i):
    """Return the use of position i of a strided slice, which its masks decide."""
    if _bit_of(rule, arguments, r.ELLIPSIS_MASK, i):
        return r.IS_ELLIPSIS
    if _bit_of(rule, arguments, r.NEW_AXIS_MASK, i):
        return r.IS_NEW_AXIS
    return r.IS_INTEGER if _bit_of(rule, arguments, r.SHRINK_MASK, i) else r.IS_SLICE


def _left_of(rule, rank, arguments):
    """Return the number of axes that an ellipsis stands for, and the rank of the result."""
    left, dst_rank = rank, rank
    for i in range(p.count_of(arguments, r.BEGIN)):
        use = _use_of(rule, arguments, i)
        left -= 0 if use == r.IS_ELLIPSIS or use == r.IS_NEW_AXIS else 1
        dst_rank += 1 if use == r.IS_NEW_AXIS else -1 if use == r.IS_INTEGER else 0
    return left, dst_rank


def rank_of_places(rule, rank, arguments):
    """Return the rank of the result of an index or strided slice; -1 for too many positions or axes, or wrong masks."""
    ellipses = 0
    for parameter in r.MASKS:
        if not _is_mask(rule, arguments, parameter):
            return -1
    # Ellipses are also counted beyond the positions, where the mask may have more bits.
    for i in range(p.count_of(arguments, r.ELLIPSIS_MASK) if rule[r.SECOND_OPTION] == r.BIT_LISTS else 31):
        ellipses += _bit_of(rule, arguments, r.ELLIPSIS_MASK, i)
    left, dst_rank = _left_of(rule, rank, arguments)
    return dst_rank if left >= 0 and ellipses <= 1 and dst_rank <= w.MOST_AXES else -1


def lower_places(rule, shape, rank, arguments, words):
    n, is_named, seen, axis, target = p.count_of(arguments, r.BEGIN), p.is_given(arguments, r.AXES), 0, 0, 0
    if not p.fits(arguments, r.BEGIN, p.LIST, n) or not p.fits(arguments, r.END, p.LIST, n):
        return r.OTHER_KIND
    if not p.fits(arguments, r.STRIDE, p.LIST | p.NO, n) or not p.fits(arguments, r.AXES, p.LIST | p.NO, n):
        return r.OTHER_KIND
    for i in range(n):
        use = _use_of(rule, arguments, i)
        if use == r.IS_NEW_AXIS:
            target += 1
            continue
        if use == r.IS_ELLIPSIS:
            left, _ = _left_of(rule, rank, arguments)
            for k in range(left):
                p.row_of(words, axis + k)[w.DST_AXIS] = target + k
            axis, target = axis + left, target + left
            continue
        if is_named:
            axis = target = p.named_axis(arguments, i, rank, seen)
            if axis < 0:
                return -axis
            seen |= 1 << axis
        row, extent = p.row_of(words, axis), shape[axis]
        begin, end = p.value_at(arguments, r.BEGIN, i), p.value_at(arguments, r.END, i)
        step = p.value_at(arguments, r.STRIDE, i) if p.is_given(arguments, r.STRIDE) else 1
        axis += 1
        if use == r.IS_INTEGER:
            at = p.axis_of(begin, extent)
            # TensorFlow requires positive strides of axes that an integer indexes.
            if at < 0 or (step <= 0 and rule[r.SECOND_OPTION] == r.BIT_FIELDS):
                return r.OUT_OF_BOUNDS
            p.set_axis(row, at, 1, 1, w.STRICT_BOUNDS)
            row[w.DST_AXIS], row[w.DST_STEP] = w.NO_AXIS, 0
            continue
        if step == 0:
            return r.ZERO_STRIDE
        masked = _bit_of(rule, arguments, r.BEGIN_MASK, i), _bit_of(rule, arguments, r.END_MASK, i)
        start, count = bounds_of(extent, begin, end, step, rule[r.OPTION], masked[0], masked[1])
        p.set_axis(row, start, step, count, w.STRICT_BOUNDS)
        row[w.DST_AXIS] = target
        target += 1
    for k in range(rank if is_named else axis, rank):
        p.row_of(words, k)[w.DST_AXIS] = target
        target += 1
    return 0


def lower_slides(rule, shape, rank, arguments, words):
    n, is_framed, seen = p.count_of(arguments, r.SIZE), rule[r.OPTION] == r.AS_FRAMES, 0
    kinds = p.ONE if is_framed else p.ONE | p.LIST
    is_right = p.fits(arguments, r.SIZE, kinds, n) and p.fits(arguments, r.STRIDE, kinds | p.NO, n)
    if not is_right or not p.are_axes(arguments, kinds, n, rank):
        return r.OTHER_KIND
    if p.argument(arguments, r.AXES)[r.KIND] == r.INTEGER and n != 1:
        return r.OTHER_KIND
    for k in range(rank):
        p.set_whole(p.row_of(words, k), shape[k], k, k)
    for i in range(n):
        axis = p.named_axis(arguments, i, rank, 0)
        if axis < 0:
            return -axis
        size, row = p.value_at(arguments, r.SIZE, i), p.row_of(words, axis)
        stride = p.value_at(arguments, r.STRIDE, i) if p.is_given(arguments, r.STRIDE) else 1
        if size < (1 if is_framed else 0):
            return r.NEGATIVE_SIZE
        if size > row[w.COUNT]:
            return r.TOO_LONG_WINDOW
        # An axis that is named twice has windows of windows.
        if stride < 1 or (seen >> axis & 1 and stride != row[w.SRC_STEP]):
            return r.NO_STEP
        seen |= 1 << axis
        row[w.SRC_STEP] = stride
        row[w.COUNT] -= size - 1
        p.set_whole(p.row_of(words, rank + i), size, axis, rank + i)
    for k in range(rank):
        row = p.row_of(words, k)
        row[w.COUNT] = row[w.EXTENT] = (row[w.COUNT] - 1) // row[w.SRC_STEP] + 1
        if row[w.COUNT] < 2:
            row[w.SRC_STEP] = 0
    if is_framed:
        # The samples of a frame are beside the axis of frames: before it if the axis is counted from the end.
        named = p.values_of(arguments, r.AXES)[0]
        axis = p.axis_of(named, rank)
        for k in range(axis + 1, rank):
            p.row_of(words, k)[w.DST_AXIS] = k + 1
        p.row_of(words, axis)[w.DST_AXIS] = axis + 1 if named < 0 else axis
        p.row_of(words, rank)[w.DST_AXIS] = axis if named < 0 else axis + 1
    return 0


let_kernels_call(__name__)
