"""The entries for calls: they check words and arrays, schedule the words, and move the elements.

Computes: the outputs of words, or of the attributes of an operator, from one source, into arrays of the caller or new
ones; a status for calls that Python has to do.
Memory: reads words, the fields of objects and the source; writes the outputs. Descriptions of arrays and tables lie on
the stack, or on the heap if they are large.
Fast because a call is one call of compiled code, in which everything besides moving takes some tenths of a microsecond.
For little work the GIL is held from the first look at an object to the last byte, so that no other thread can change an
object; for more work the arrays are pinned, and the GIL is released.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels import _look as objects
from fastops.kernels._arguments import read_arguments
from fastops.kernels._intrinsics import _memory as mem, _object_layout as layout, _objects as py
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._look import PIN_WORDS
from fastops.kernels._move import move_described
from fastops.kernels._rules._rule import lower_rule
from fastops.kernels._rules._words import RULE_WORDS
from fastops.kernels._scheduler import _checks as checks
from fastops.kernels._scheduler._checks import CHECK_WORDS
from fastops.kernels._schedules import HOW, How
from fastops.kernels._tables import _arrays as a, _gather as g, _words as w
from fastops.kernels._tables._rules import ARGUMENT_WORDS

# Words of the largest description on the stack: that of a source and some outputs.
_FEW_WORDS = 128

# Work that writes fewer bytes than this is done with the GIL held.
_GIL_KEPT_BYTES = 1 << 16

# If a call has more outputs than this, Python makes the new arrays.
_MOST_FRESH = 16


@outlined(types.intp(*(types.intp,) * 4, byte_pointer, byte_pointer, types.intp, byte_pointer, HOW))
def run_objects(outs, src, fill, ndarray, words, arrays, arrays_words, pins, how):
    """Move elements between objects as words describe, with room for the description of the arrays and for pins."""
    size, is_pinned = checks.total_size(words), how.is_pinned != 0
    while True:
        status = objects.look(outs, src, fill, ndarray, words, arrays, arrays_words, how)
        if status:
            return status
        width = checks.width_of_outputs(arrays)
        if float(width) * float(size) > float(w.LARGEST):
            return a.NO_MEMORY
        if is_pinned:
            break
        if size * width < _GIL_KEPT_BYTES:
            return move_described(arrays, arrays_words, words, size * width, how)
        if not objects.pin_arrays(outs, words[w.OUTPUTS], src, ndarray, how, pins):
            return a.NOT_PINNED
        is_pinned = True
    state = py.release_gil()
    status = move_described(arrays, arrays_words, words, size * width, how)
    py.take_gil(state)
    return status


@outlined(types.intp(*(types.intp,) * 4, byte_pointer, HOW))
def move_objects(outs, src, fill, ndarray, words, how):
    """Move elements between objects as words describe; `outs` has the addresses of the outputs. Return a status."""
    arrays, arrays_words = mem.stack_words(_FEW_WORDS), objects.words_of_arrays(words)
    is_large = arrays_words > _FEW_WORDS
    if is_large:
        arrays = mem.heap_bytes(8 * arrays_words)
        if mem.is_null(arrays):
            return a.NO_MEMORY
    pins = mem.stack_words(PIN_WORDS)
    pins[0] = 0
    status = run_objects(outs, src, fill, ndarray, words, arrays, arrays_words, pins, how)
    objects.unpin_arrays(pins)
    if is_large:
        mem.free_bytes(arrays)
    return status


@outlined(types.intp(byte_pointer, types.intp, types.intp, byte_pointer))
def create_outputs(words, ndarray, dtype, results):
    """Write the addresses of new arrays for the outputs of words; return a status."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    ranks = mem.words_at(words, w.HEADER_COLUMNS + rank)
    shape = mem.words_at(ranks, outputs)
    for i in range(outputs):
        results[i] = py.new_array(ndarray, dtype, ranks[i], shape)
        if results[i] == 0:
            drop_outputs(results, i)
            return a.NO_MEMORY
        shape = mem.words_at(shape, ranks[i])
    return a.DONE


def drop_outputs(results, n):
    """Drop n arrays, whose addresses are given."""
    for i in range(n):
        py.drop_reference(results[i])


@outlined(types.intp(types.intp, types.intp, byte_pointer, byte_pointer))
def lower_attributes(src, attributes, rule, words):
    """Write the words of attributes for a source; return their number, or less than 0 if Python has to lower them."""
    arguments = mem.stack_words(ARGUMENT_WORDS)
    if not read_arguments(attributes, rule, arguments):
        return -1
    return lower_rule(rule, py.fields_of(src, layout.NDARRAY_DIMENSIONS), objects.rank_of(src), arguments, words)


def _is_array(src, ndarray):
    """True for an ndarray."""
    return src != 0 and py.word_at(src + layout.OBJECT_TYPE) == ndarray


@outlined(types.intp(byte_pointer, types.intp))
def are_right(words, n):
    """Return 1 if n words pass the checks, otherwise 0."""
    scratch = mem.stack_words(CHECK_WORDS)
    return 1 if checks.check_header(words, n) and checks.check_words(words, n, scratch) else 0


@outlined(types.intp(*(types.intp,) * 9))
def execute(outs, src, words_object, attributes, fill, conversion, stream_bytes, is_pinned, workers):
    """Move an array into others, and return a tuple of these; a status for a call that Python has to do.

    outs is a tuple of any objects, or None for new arrays; src is any object; fill is the array of fill values.
    words_object is an int64 array that nobody else has: the words of plans if attributes is None, or the words of a
    rule (`_tables._rules`) if attributes is a tuple of any objects.

    conversion is None, or a tuple that nobody else has: the source's dtype, the dtype of the one output, and an int64
    array, the words of the conversion (`_tables._conversion`). The result is the status NO_ARRAYS for data of another
    dtype.

    With is_pinned the caller keeps the memory of all arrays where it is. The status NOT_PINNED asks for a call with
    is_pinned.

    Large work that is one launch is moved by `workers` threads; for several threads, `link_parallel` must have been
    called. `execute_launch` does other calls: work of several launches, large work for 0 workers, new arrays of 1 MiB
    or more together, and more than 16 new arrays. The result is then the status LARGE if attributes is None, and
    otherwise the words, as bytes.
    """
    ndarray = py.word_at(words_object + layout.OBJECT_TYPE)
    if not _is_array(src, ndarray):
        return py.new_integer(a.NO_ARRAYS)
    words, n = objects.words_in(words_object)
    if attributes != 0:
        lowered = mem.stack_words(RULE_WORDS)
        n = lower_attributes(src, attributes, words, lowered)
        if n < 0:
            return py.new_integer(a.NOT_LOWERED)
        words = lowered
    if not are_right(words, n):
        return py.new_integer(a.WRONG_WORDS)
    if attributes == 0 and not objects.has_shape(src, words):
        # Check this before outputs are made, which may be larger than memory.
        return py.new_integer(a.OTHER_SHAPE)
    dtype, outputs = objects.result_of(py.word_at(src + layout.NDARRAY_DTYPE), conversion), words[w.OUTPUTS]
    if dtype == 0:
        return py.new_integer(a.NO_ARRAYS)
    width = py.word_at(dtype + layout.DTYPE_ITEMSIZE)
    is_fresh = 1 if outs == 0 else 0
    total_bytes = float(width) * float(checks.total_size(words))
    most = float(g.PARALLEL_BYTES) if workers == 0 else float(g.POOLED_BYTES if is_fresh else g.LAUNCH_BYTES)
    if total_bytes >= most or (is_fresh and outputs > _MOST_FRESH):
        return py.new_integer(a.LARGE) if attributes == 0 else py.new_bytes(words, 8 * n)
    workers = workers if total_bytes >= float(g.PARALLEL_BYTES) else 1
    how = How(workers, 0, 1, g.SMALLEST_PEELED, stream_bytes, is_fresh, is_fresh, is_pinned, conversion)
    if not is_fresh:
        status = a.NO_ARRAYS
        if objects.length_of(outs) == outputs:
            status = move_objects(outs + layout.TUPLE_ITEMS, src, fill, ndarray, words, how)
        return py.new_integer(status) if status else py.reference_to(outs)
    results = mem.stack_words(_MOST_FRESH)
    status = create_outputs(words, ndarray, dtype, results) if width > 0 else a.NO_ARRAYS
    if not status:
        status = move_objects(mem.address_to(results), src, fill, ndarray, words, how)
        if status:
            drop_outputs(results, outputs)
    # Make the tuple last: Python may then collect garbage, which may run any code.
    return py.new_integer(status) if status else py.new_tuple(results, outputs)


@outlined(types.intp(*(types.intp,) * 10))
def execute_launch(outs, src, words_object, fill, conversion, stream_bytes, is_pinned, workers, launch, launches):
    """Move share `launch` of `launches` equal shares of words into given arrays, as `execute` does; return a status."""
    ndarray = py.word_at(words_object + layout.OBJECT_TYPE)
    words, n = objects.words_in(words_object)
    if not _is_array(src, ndarray):
        return a.NO_ARRAYS
    if not are_right(words, n):
        return a.WRONG_WORDS
    if objects.length_of(outs) != words[w.OUTPUTS]:
        return a.NO_ARRAYS
    how = How(workers, launch, launches, g.SMALLEST_PEELED, stream_bytes, 0, 0, is_pinned, conversion)
    return move_objects(outs + layout.TUPLE_ITEMS, src, fill, ndarray, words, how)


@outlined(types.intp(*(types.intp,) * 10))
def execute_at(
    arrays_address, arrays_words, words_address, n, smallest_peeled, stream_bytes, are_apart, workers, launch, launches
):
    """Move elements, as words describe, between arrays described at an address (`_tables._arrays`); return a status.

    The caller keeps the memory of the arrays where it is, and has called `link_parallel` for several workers. No
    output is written unless the status is DONE.
    """
    arrays = mem.memory_in(arrays_address, 0, 8 * arrays_words, True)
    words = mem.memory_in(words_address, 0, 8 * n, False)
    if not are_right(words, n):
        return a.WRONG_WORDS
    outputs, size = words[w.OUTPUTS], checks.total_size(words)
    if arrays_words != objects.words_of_arrays(words):
        return a.NO_ARRAYS
    arrays[a.SIDES] = (arrays_words - a.HEADER_COLUMNS - (outputs + 1) * a.ARRAY_COLUMNS) // 2
    for i in range(outputs + 1):
        rank = words[w.SRC_RANK] if i == 0 else words[w.HEADER_COLUMNS + words[w.SRC_RANK] + i - 1]
        if arrays[a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS + a.RANK] != rank:
            return a.NO_ARRAYS
    status = checks.check_arrays(arrays, words, are_apart)
    if status:
        return status
    width = checks.width_of_outputs(arrays)
    if float(width) * float(size) > float(w.LARGEST):
        return a.NO_MEMORY
    how = How(workers, launch, launches, smallest_peeled, stream_bytes, are_apart, 1, 1, 0)
    return move_described(arrays, arrays_words, words, size * width, how)


mem.let_kernels_call(__name__)
