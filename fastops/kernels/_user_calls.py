"""The kernels that users' compiled code calls: they lower an operator's arguments to words, and move the elements.

Computes: the words of one output, and that output; for windows, those of each window.
Memory: reads and writes the words of a call (`_tables._calls`); reads the source; writes the output.
Fast because no object is read: the types of arguments are known when the user's function is compiled.

Each kernel returns a status, which is 0 if nothing is wrong. The stubs raise an error with a constant text for it.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels._execute import execute_at
from fastops.kernels._intrinsics._memory import address_to, let_kernels_call, stack_words, words_at
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._rules._rule import lower_rule
from fastops.kernels._rules._words import argument, is_given, mode_of, named_axis, row_of, value_at, values_of
from fastops.kernels._scheduler._checks import reads_inside, total_size
from fastops.kernels._tables import _arrays as a, _calls as t, _gather as g, _rules as r, _words as w
from fastops.kernels._tables._calls import CALL_WORDS
from fastops.kernels._windows import row_at, run_windows


def _check_arguments(rule, arguments, is_filled):
    """Return a status: whether arguments, which may be any 64-bit integers, are small enough, and the mode is right."""
    for parameter in range(r.MOST_PARAMETERS):
        row, values = argument(arguments, parameter), values_of(arguments, parameter)
        for i in range(row[r.COUNT] * row[r.ROW_LENGTH]):
            if not -w.LARGEST <= values[i] <= w.LARGEST:
                if rule[r.FAMILY] != r.SLICES:
                    return r.TOO_LARGE
                # Beyond the extent, the size of a bound or a stride does not matter, only its sign.
                values[i] = min(max(values[i], -w.LARGEST), w.LARGEST)
    if argument(arguments, r.MODE)[r.KIND] == r.CONSTANT and not 0 <= mode_of(arguments) <= w.SYMMETRIC:
        return r.NO_MODE
    return r.UNUSED_FILL_VALUE if is_filled and mode_of(arguments) != w.FILL else 0


def _check_piece(words):
    """Return a status: whether the one piece of words reads only what its modes allow."""
    piece = words[w.FIRST_PIECE]
    for k in range(words[piece + w.AXES]):
        if not reads_inside(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS):
            return r.OUT_OF_BOUNDS if row_of(words, k)[w.MODE] == w.STRICT_BOUNDS else r.EMPTY_AXIS
    return 0


@outlined(types.intp(byte_pointer))
def lower_call(call):
    """Write the words of a call, and their number; return a status."""
    rule, arguments = words_at(call, t.RULE), words_at(call, t.ARGUMENTS)
    shape = words_at(call, call[t.ARRAYS] + a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS)
    words = words_at(call, call[t.WORDS])
    status = _check_arguments(rule, arguments, call[t.IS_FILLED])
    if status:
        return status
    n = lower_rule(rule, shape, call[t.SRC_RANK], arguments, words)
    if n < 0:
        return -n
    call[t.N_WORDS] = n
    size = total_size(words)
    if float(size) * float(call[t.WIDTH]) > float(w.LARGEST):
        return r.TOO_LARGE
    return _check_piece(words) if size > 0 else 0


@outlined(types.intp(byte_pointer))
def move_call(call):
    """Move elements between arrays that share no memory, as the words of a call describe; return a status."""
    arrays, words = words_at(call, call[t.ARRAYS]), words_at(call, call[t.WORDS])
    return execute_at(
        *(address_to(arrays), call[t.ARRAYS_WORDS], address_to(words), call[t.N_WORDS]),
        *(g.SMALLEST_PEELED, g.STREAM_BYTES, 1, 1, 0, 1),
    )


def _lower_window(call, table, i):
    """Lower window i of a table by itself; return its status."""
    arguments, k = words_at(call, t.ARGUMENTS), table[t.N_AXES]
    starts, strides = row_at(table, t.STARTS, i, k), row_at(table, t.STRIDES, i, k)
    argument(arguments, r.START)[r.COUNT] = 1
    for j in range(k):
        values_of(arguments, r.START)[j] = starts[j]
        if table[t.STRIDES]:
            values_of(arguments, r.STRIDE)[j] = strides[j]
    if table[t.ITEMS]:
        argument(arguments, r.ITEMS)[r.COUNT] = 1
        values_of(arguments, r.ITEMS)[0] = row_at(table, t.ITEMS, i, 1)[0]
    return lower_call(call)


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp, types.intp))
def move_windows_of_call(call, n, starts, strides, items):
    """Move n windows, for a call whose words were made without any window; return a status.

    Their starts, strides and items are int64 at addresses; the addresses of strides and items may be 0.
    """
    table, arguments, arrays = stack_words(CALL_WORDS), words_at(call, t.ARGUMENTS), words_at(call, call[t.ARRAYS])
    k, first = argument(arguments, r.START)[r.ROW_LENGTH], 1 if items else 0
    table[t.N_AXES], table[t.MODE] = k, mode_of(arguments)
    for i in range(k):
        axis = named_axis(arguments, i, call[t.SRC_RANK], 0) if is_given(arguments, r.AXES) else i + first
        table[t.AXES + i], table[t.AXES + k + i] = axis - first, value_at(arguments, r.STRIDE, i)
    output = words_at(arrays, a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS + call[t.SRC_RANK])
    size = arrays[a.WIDTH]
    for i in range(call[t.SRC_RANK] + 1 - first):
        size *= output[i]
    table[t.N_WINDOWS], table[t.SOURCES] = n, 1
    table[t.STARTS], table[t.STRIDES], table[t.ITEMS] = starts, strides, items
    if size == 0:
        status = 0
        for i in range(n):
            status = status or _lower_window(call, table, i)
        return status
    status = run_windows(arrays, call[t.ARRAYS_WORDS], table, g.STREAM_BYTES, 0, 1, 0, 1)
    # Lower the wrong window by itself: the rule returns the status of its error.
    return _lower_window(call, table, -1 - status) if status < 0 else status


let_kernels_call(__name__)
