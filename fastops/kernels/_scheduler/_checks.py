"""The checks of words and arrays that memory safety depends on, whoever wrote the words.

If words and arrays pass these checks, no kernel reads beyond the source or writes beyond an output.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from fastops.kernels._arithmetic import inside_of_line, is_inside
from fastops.kernels._intrinsics._memory import let_kernels_call, memory_in, words_at
from fastops.kernels._tables import _arrays as a, _conversion as c, _words as w

#: Words of scratch memory for `check_words`: the first and the last index that are read of each axis of the source, and
#: those that are written of each axis of an output.
CHECK_WORDS = 4 * w.MOST_AXES

# The most outputs whose spans are compared in pairs. With more outputs, the caller must know that they share no memory.
_MOST_COMPARED = 16


def is_small(number):
    """True for numbers that are small enough for the arithmetic of kernels."""
    return -w.LARGEST <= number <= w.LARGEST


def _is_small_product(one, other):
    """True if the product of two small numbers is small."""
    return abs(float(one)) * abs(float(other)) < float(w.LARGEST)


def check_header(words, n):
    """True if n words have a header, and shapes that fit it."""
    if n < w.HEADER_COLUMNS:
        return False
    rank, outputs, first = words[w.SRC_RANK], words[w.OUTPUTS], words[w.FIRST_PIECE]
    if not 0 <= rank <= w.MOST_AXES or not 0 <= outputs <= n or not 0 <= words[w.PIECES] <= n:
        return False
    if not is_small(words[w.FILLS]) or not w.HEADER_COLUMNS + rank + outputs <= first <= n:
        return False
    at = w.HEADER_COLUMNS + rank + outputs
    for i in range(at - outputs, at):
        if words[i] > w.MOST_AXES:
            return False
        at += words[i]
    lowest = 0
    for i in range(w.HEADER_COLUMNS, first):
        lowest = min(lowest, words[i])
    return at == first and lowest == 0


def total_size(words):
    """Return how many elements all outputs have, at most LARGEST."""
    outputs, total = words[w.OUTPUTS], 0
    ranks = words_at(words, w.HEADER_COLUMNS + words[w.SRC_RANK])
    shape = words_at(ranks, outputs)
    for i in range(outputs):
        size = 1
        for k in range(ranks[i]):
            # If a later axis is empty, the size becomes 0 again.
            size = size * shape[k] if _is_small_product(size, shape[k]) else w.LARGEST
        total = min(total + size, w.LARGEST)
        shape = words_at(shape, ranks[i])
    return total


def check_words(words, n, reach):
    """True if no kernel reads or writes outside of arrays of the shapes in words; `check_header` has passed."""
    rank, outputs = words[w.SRC_RANK], words[w.OUTPUTS]
    ranks = words_at(words, w.HEADER_COLUMNS + rank)
    shapes = words_at(ranks, outputs)
    is_empty = False
    for k in range(rank):
        is_empty = is_empty or words[w.HEADER_COLUMNS + k] == 0
    output, first_axis, piece = 0, 0, words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        if n - piece < w.PIECE_COLUMNS:
            return False
        axes, length = words[piece + w.AXES], words[piece + w.LENGTH]
        # The pieces of an output follow each other.
        if not output <= words[piece + w.OUTPUT] < outputs or not 0 <= axes <= w.MOST_AXES:
            return False
        while output < words[piece + w.OUTPUT]:
            first_axis += ranks[output]
            output += 1
        if not w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS <= length <= n - piece:
            return False
        if not 0 <= words[piece + w.FILL_INDEX] < max(words[w.FILLS], 1):
            return False
        own_shape = words_at(shapes, first_axis)
        if not _check_piece(words, piece, reach, first_axis, ranks[output], own_shape, is_empty):
            return False
        piece += length
    return True


def _check_piece(words, piece, reach, first_axis, dst_rank, dst_shape, is_empty):
    """True if the axes of a piece stay within the source and its output."""
    rank, axes = words[w.SRC_RANK], words[piece + w.AXES]
    low, high, of_output = reach, words_at(reach, w.MOST_AXES), words_at(reach, 2 * w.MOST_AXES)
    for k in range(max(rank, dst_rank)):
        low[k] = high[k] = of_output[k] = of_output[w.MOST_AXES + k] = 0
    is_void, may_fill, is_filled, size = False, False, False, 1
    for k in range(axes):
        axis = piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS
        inside = _count_inside(words, axis, piece + words[piece + w.LENGTH])
        if inside < 0:
            return False
        count, extent = words[axis + w.COUNT], words[axis + w.EXTENT]
        is_void = is_void or count == 0
        if not is_void:
            if not _is_small_product(size, count):
                return False
            size *= count
        if not _add_reach(words, axis + w.SRC_AXIS, extent, 0, rank, reach):
            return False
        if not _add_reach(words, axis + w.DST_AXIS, count, first_axis, dst_rank, of_output):
            return False
        if words[axis + w.DST_AXIS] == w.NO_AXIS and count > 1:
            return False
        may_fill, is_filled = may_fill or inside < count, is_filled or inside == 0
    if is_void:
        return True
    if may_fill and words[w.FILLS] <= words[piece + w.FILL_INDEX]:
        return False
    for k in range(0 if is_filled else axes):
        if not reads_inside(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS):
            return False
    for k in range(0 if is_filled else rank):
        if not 0 <= low[k] <= high[k] < words[w.HEADER_COLUMNS + k]:
            return False
    for k in range(dst_rank):
        if not 0 <= of_output[k] <= of_output[w.MOST_AXES + k] < dst_shape[k]:
            return False
        if not _is_stepped(words, piece, first_axis + k, low, high):
            return False
    return is_filled or not is_empty


def _add_reach(words, at, count, first_axis, rank, reach):
    """Add the reach of `count` indices to the first and the last one of an array's axis; return False for wrong words.

    The words say which axis, the first index and the step.
    """
    axis, first, step = words[at] - first_axis, words[at + 1], words[at + 2]
    if words[at] == w.NO_AXIS:
        return True
    if not 0 <= axis < rank or not is_small(first) or not _is_small_product(step, count):
        return False
    last = step * max(count - 1, 0)
    reach[axis] += first + min(last, 0)
    reach[w.MOST_AXES + axis] += first + max(last, 0)
    return is_small(reach[axis]) and is_small(reach[w.MOST_AXES + axis])


def _is_stepped(words, piece, dst_axis, counts, steps):
    """True if the axes of a piece write each index of an output axis once at most; counts and steps are scratch."""
    n = 0
    for k in range(words[piece + w.AXES]):
        axis = piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS
        if words[axis + w.DST_AXIS] == dst_axis:
            counts[n], steps[n] = words[axis + w.COUNT], words[axis + w.DST_STEP]
            n += 1
    return _is_nested(counts, steps, n, 1)


def _count_inside(words, axis, end):
    """Return how many outputs of an axis are no fill values.

    The result is -1 for numbers that are too large for kernels, an unknown mode, and a wrong list of runs.
    """
    extent, start, stride = words[axis + w.EXTENT], words[axis + w.START], words[axis + w.STRIDE]
    count, mode = words[axis + w.COUNT], words[axis + w.MODE]
    if not 0 <= extent <= w.LARGEST or not 0 <= count <= w.LARGEST or not 0 <= mode <= w.PIECEWISE:
        return -1
    if not is_small(start) or not is_small(stride):
        return -1
    if mode == w.FILL:
        lo, hi = inside_of_line(extent, start, stride, count)
        lo = min(max(lo, 0), count)
        return min(max(hi, lo), count) - lo
    if mode != w.PIECEWISE:
        return count
    # The list ends with a run that begins at the count.
    if start < w.AXIS_COLUMNS or stride < 1 or stride > end or start > end:
        return -1
    if axis + start + (stride + 1) * w.RUN_COLUMNS > end:
        return -1
    begin = inside = 0
    for i in range(stride):
        run = axis + start + i * w.RUN_COLUMNS
        following, first, pace = words[run + w.RUN_COLUMNS], words[run + w.RUN_FIRST], words[run + w.RUN_STRIDE]
        if words[run + w.RUN_BEGIN] != begin or following <= begin or following > count:
            return -1
        if first != w.FILL_RUN:
            if not is_small(pace) or not is_inside(extent, first, pace, following - begin):
                return -1
            inside += following - begin
        begin = following
    return inside if begin == count else -1


def reads_inside(words, axis):
    """True if an axis reads only what its mode allows."""
    extent, mode = words[axis + w.EXTENT], words[axis + w.MODE]
    if mode == w.STRICT_BOUNDS:
        return is_inside(extent, words[axis + w.START], words[axis + w.STRIDE], words[axis + w.COUNT])
    return extent > 0 or mode == w.FILL or mode == w.PIECEWISE


def span_of(lengths, strides, rank, width):
    """Return the lowest byte of an array, counted from element 0, and one more than the highest byte.

    The result is 0 and 0 if the array is empty, and 0 and -1 if these bytes lie too far apart.
    """
    low, high = 0, width
    for k in range(rank):
        if lengths[k] == 0:
            return 0, 0
    for k in range(rank):
        if not _is_small_product(lengths[k] - 1, strides[k]) or not is_small(strides[k]):
            return 0, -1
        reach = (lengths[k] - 1) * strides[k]
        low, high = low + min(reach, 0), high + max(reach, 0)
        if high - low > w.LARGEST:
            return 0, -1
    return low, high


def width_of_outputs(arrays):
    """Return the bytes of an element of the outputs."""
    if arrays[a.CONVERSION] == 0:
        return arrays[a.WIDTH]
    return c.RESULT_WIDTHS[memory_in(arrays[a.CONVERSION], 0, 8 * c.HEADER_COLUMNS, False)[c.RESULT]]


def _is_conversion(arrays, lengths, rank):
    """True if the types and the numbers of a conversion are right for an output of these lengths."""
    n = arrays[a.CONVERSION_WORDS]
    words = memory_in(arrays[a.CONVERSION], 0, 8 * n, False)
    if n < c.HEADER_COLUMNS or not c.UINT8 <= words[c.SOURCE] <= c.FLOAT32:
        return False
    if not c.TO_FLOAT32 <= words[c.RESULT] <= c.TO_FLOAT64 or arrays[a.WIDTH] != c.SOURCE_WIDTHS[words[c.SOURCE]]:
        return False
    axis, channels, size = words[c.CHANNEL_AXIS], words[c.CHANNELS], 8 if words[c.RESULT] == c.TO_FLOAT64 else 4
    if not w.NO_AXIS <= axis < rank or channels != (1 if axis == w.NO_AXIS else lengths[axis]):
        return False
    return channels <= w.LARGEST // 32 and 2 * size * (channels + c.PART + c.LANES) <= 8 * (n - c.HEADER_COLUMNS)


def check_arrays(arrays, words, are_apart):
    """Write the bounds of arrays; return DONE if the arrays fit the words, which have been checked, or else why not.

    With `are_apart`, the caller knows that outputs share no memory with anything.
    """
    outputs, width = words[w.OUTPUTS], arrays[a.WIDTH]
    if width < 1 or width > w.LARGEST:
        return a.NO_ARRAYS
    if arrays[a.CONVERSION] and outputs != 1:
        return a.WRONG_WORDS
    if not _is_small_product(words[w.FILLS], width) or arrays[a.FILL_BYTES] < words[w.FILLS] * width:
        return a.NO_FILL
    lengths = words_at(arrays, a.HEADER_COLUMNS + (outputs + 1) * a.ARRAY_COLUMNS)
    strides = words_at(lengths, arrays[a.SIDES])
    shapes = words_at(words, w.HEADER_COLUMNS)
    for i in range(outputs + 1):
        row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
        rank = row[a.RANK]
        for k in range(rank):
            if lengths[k] != shapes[k]:
                return a.OTHER_SHAPE
        if i == 1:
            if arrays[a.CONVERSION] and not _is_conversion(arrays, lengths, rank):
                return a.WRONG_WORDS
            width = width_of_outputs(arrays)
        row[a.LOW], row[a.HIGH] = span_of(lengths, strides, rank, width)
        if row[a.HIGH] < 0:
            return a.TOO_FAR
        is_empty = row[a.HIGH] == 0
        if i > 0 and not is_empty and not are_apart and not _is_nested(lengths, strides, rank, width):
            return a.SHARED
        lengths, strides = words_at(lengths, rank), words_at(strides, rank)
        # The ranks of the outputs come before their shapes.
        shapes = words_at(shapes, rank + outputs if i == 0 else rank)
    return a.DONE if are_apart or _are_apart(arrays, outputs) else a.SHARED


def _is_nested(lengths, strides, rank, width):
    """True if each axis steps over the span of the axes with smaller byte strides."""
    for k in range(rank):
        stride, span = abs(strides[k]), width
        for i in range(rank):
            # If two axes have equal strides, the second one does not step over the first.
            if lengths[i] > 1 and (abs(strides[i]) < stride or (abs(strides[i]) == stride and i < k)):
                span += abs(strides[i]) * (lengths[i] - 1)
        if lengths[k] > 1 and stride < span:
            return False
    return True


def _are_apart(arrays, outputs):
    """True if no span of an output meets that of another output or of the source."""
    if outputs > _MOST_COMPARED:
        return False
    for i in range(1, outputs + 1):
        row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
        for j in range(i):
            other = words_at(arrays, a.HEADER_COLUMNS + j * a.ARRAY_COLUMNS)
            begins, ends = row[a.ADDRESS] + row[a.LOW], row[a.ADDRESS] + row[a.HIGH]
            if begins < other[a.ADDRESS] + other[a.HIGH] and other[a.ADDRESS] + other[a.LOW] < ends:
                return False
    return True


let_kernels_call(__name__)
