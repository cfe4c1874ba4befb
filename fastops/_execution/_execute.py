"""Calls: plans of one source as words (integers for compiled code), and the two ways in which they are run.

`execute` hands the caller's objects to compiled code, which checks them and moves their elements before another thread
can change an object. A call that compiled code does not take goes through `execute_checked`: Python checks the arrays,
on views of its own, while their memory is pinned. Python raises the errors, or passes valid arrays to compiled code.
"""

from __future__ import annotations

from array import array as c_array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray, check_span, is_plain_number
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._outputs import allocate, as_outputs, pin, share_memory, too_large
from fastops._errors import AttributeValueError, KernelError
from fastops._execution._views import as_view
from fastops._geometry._geometry import find_factors, is_view, whole_geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._words import Piece, Place, to_words
from fastops._runtime._kernels import load_entry, ready_workers, run_launches
from fastops._settings import CACHE_SIZE, STREAM_BYTES
from fastops._types import Outs
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._arrays import DONE, LARGE, NO_ARRAYS, NO_MEMORY, NOT_PINNED
from fastops.kernels._tables._gather import PARALLEL_BYTES, SMALLEST_PEELED
from fastops.kernels._tables._words import LARGEST


class Call(NamedTuple):
    """The part of a call that does not depend on arrays.

    Attributes
    ----------
    words : ndarray of int64
        The outputs, as compiled code reads them.
    outputs : sequence of PlannedOutput
    plans : list of Geometry or None
        The plan of each output; None for an output of several boxes.
    fills : int
        The number of fill values that the call reads.
    padding : Call or None
        The call that pads data first, if this call reads padded data.
    """

    words: AnyArray
    outputs: Sequence[PlannedOutput]
    plans: Sequence[Any]
    fills: int
    padding: Call | None = None


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(c_array("q", integers), np.int64)


def shapes_of(words: AnyArray) -> list[tuple[int, ...]]:
    """Return the shapes of the outputs that words describe."""
    header = words[: words[w.FIRST_PIECE]].tolist()
    rank, outputs = header[w.SRC_RANK], header[w.OUTPUTS]
    at = w.HEADER_COLUMNS + rank + outputs
    shapes = []
    for own in header[at - outputs : at]:
        shapes.append(tuple(header[at : at + own]))
        at += own
    return shapes


def create_call(outputs: Sequence[PlannedOutput], padding: Call | None = None) -> Call:
    """Return the call that makes outputs of one source; each output is a list of boxes."""
    plans, shapes = [output.geometry for output in outputs], [output.shape for output in outputs]
    words, pieces = _NO_WORDS, []
    for i, (output, plan) in enumerate(zip(outputs, plans, strict=True)):
        if plan is not None:
            pieces.append(Piece(plan, i))
        else:
            pieces += [Piece(box.geometry, i, _places_of(output, box.start)) for box in output.boxes]
    # No array has a length beyond int64.
    with suppress(OverflowError):
        if sum(map(prod, shapes)) <= LARGEST:
            words = as_table(to_words(outputs[0].source_shape, shapes, pieces))
    return Call(words, outputs, plans, max([output.fills for output in outputs]), padding)


#: The call of one plan. It is remembered, because many blocks of a result have equal plans.
find_call = lru_cache(CACHE_SIZE)(lambda geometry: create_call([PlannedOutput.of_geometry(geometry)]))

# The words of outputs that are too large for any memory: compiled code refuses them, and `allocate` raises the error.
_NO_WORDS = as_table([0])


def _places_of(output: PlannedOutput, start: Sequence[int]) -> tuple[Place, ...]:
    """Return where the axes of a box are in its output."""
    if output.split_shape is None:
        return tuple([Place(k, first, 1) for k, first in enumerate(start)])
    factors = find_factors(output.split_shape, output.shape)
    assert factors is not None
    # Axes of length 1, which are no axes of the output, have the factor (NO_AXIS, 0).
    return tuple([Place(axis, first * step, step) for (axis, step), first in zip(factors, start, strict=True)])


#: The fill value of calls that give none: zero for elements of up to 64 bytes.
ZEROS = np.zeros(64, np.uint8)


class Entry:
    """A kernel that takes the caller's objects, checks them and does the work."""

    __slots__ = ("_name", "run", "was_large")

    def __init__(self, name: str) -> None:
        self._name = name
        #: True if the last work was large: the next one may be large too. Small calls do not count threads, because
        #: that takes half as long as a call.
        self.was_large = False
        #: The kernel, once it is loaded. If Python's objects are not laid out as the kernel expects, a function that
        #: refuses all calls.
        self.run: Callable[..., Any] = self._load_and_run

    def _load_and_run(self, *arguments: Any) -> Any:
        self.run = load_entry(self._name) if is_as_expected() else lambda *_: NO_ARRAYS
        return self.run(*arguments)


#: Its ``run`` takes the arguments of the kernel `execute`.
ENTRY = Entry("execute")


def execute(
    words: AnyArray,
    data: Any,
    outs: tuple[Any, ...] | None = None,
    fill_value: object = None,
    attributes: tuple[Any, ...] | None = None,
    conversion: Conversion | None = None,
) -> tuple[Any, ...] | None:
    """Write the outputs of words into ``outs``, or into fresh arrays, and return them.

    The caller's objects may be anything. If the call needs `execute_checked`, it returns None and writes nothing.

    Parameters
    ----------
    words : ndarray of int64
        The words of plans, or of a rule if attributes are given (`fastops.kernels._tables`).
    data, outs, attributes
        As the kernel `execute` takes them.
    fill_value : object
        A number, an `Element`, or None.
    conversion : Conversion, optional
        How the elements of the one output are converted; data of another dtype is not taken.
    """
    if fill_value is None:
        fill = ZEROS
    elif type(fill_value) is Element:
        fill = fill_value.array
    elif type(data) is ndarray and is_plain_number(fill_value) and not ((dtype := data.dtype).hasobject or dtype.names):
        fill = encode_fill(dtype, fill_value)
    else:
        # Converting the value may run code of the caller, which must run before data is read.
        return None
    # Most converted results are large.
    workers = ready_workers() if ENTRY.was_large or conversion is not None else 0
    found = ENTRY.run(outs, data, words, attributes, fill, conversion, STREAM_BYTES, 0, workers)
    if type(found) is int and found == NOT_PINNED:
        _pins = _pins_of(data, outs)
        found = ENTRY.run(outs, data, words, attributes, fill, conversion, STREAM_BYTES, 1, workers)
    if type(found) is tuple:
        if ENTRY.was_large:
            ENTRY.was_large = found[0].nbytes * len(found) >= PARALLEL_BYTES
        return found
    if type(found) is bytes:
        words = np.frombuffer(found, np.int64)
    elif found != LARGE:
        return None
    return _execute_launches(words, data, outs, fill, conversion)


# In `execute`, these local variables would make each call slower.
def _execute_launches(
    words: AnyArray, data: Any, outs: tuple[Any, ...] | None, fill: AnyArray, conversion: Conversion | None
) -> tuple[Any, ...] | None:
    """Do the work of a call that is large enough for threads, or has many outputs."""
    dtype, shapes = data.dtype if conversion is None else conversion.result, shapes_of(words)
    total_bytes = sum(map(prod, shapes)) * dtype.itemsize
    if total_bytes > LARGEST:
        # No memory holds so many bytes, and the number of launches may be too large for compiled code.
        return None
    results = tuple([allocate(shape, dtype) for shape in shapes]) if outs is None else outs
    ENTRY.was_large = True
    _pins = _pins_of(data, outs)
    what = (results, data, words, fill, conversion, STREAM_BYTES, 1)
    status = run_launches("execute_launch", total_bytes, *what)
    return results if status == DONE else None


def _pins_of(data: Any, outs: tuple[Any, ...] | None) -> list[Any]:
    """Return the pins of a call's arrays."""
    return [pin(array) for array in (data, *(outs or ()))]


def execute_checked(
    call: Call, source: AnyArray, outs: Outs = None, fill_value: object = None, conversion: Conversion | None = None
) -> tuple[Any, ...]:
    """Write the outputs of a call into ``outs``, or into fresh C-contiguous arrays, and return them.

    The source is an array from `as_source`, which is pinned and has the shape of the call.

    Raises
    ------
    OutputError
        An output cannot be allocated, or an array of ``outs`` cannot take it.
    DTypeError, AttributeValueError
        The fill value does not fit the source's type.
    """
    dtype = source.dtype
    check_span(source)
    if type(fill_value) is Element:
        fill = fill_value.array
        # NumPy makes no elements of text without characters.
        if (fill.dtype != dtype and dtype.itemsize) or fill.size < call.fills:
            # Another thread has changed the type of data since the elements were made.
            raise AttributeValueError.about("data", "keep its shape, strides and type during a call", source.shape)
    else:
        # The kind of the value is checked also if the call does not read it.
        fill = encode_fill(dtype, fill_value) if fill_value is not None or call.fills else ZEROS
        fill = fill.repeat(call.fills) if call.fills > 1 else fill
    if conversion is not None:
        source, fill = source.astype(conversion.source, copy=False), fill.astype(conversion.source)
        dtype = conversion.result
    targets = None
    if outs is not None:
        # Converted elements may be written in any order of bytes.
        own_type = dtype if conversion is None else getattr(outs[0], "dtype", dtype)
        pinned = as_outputs(outs, [(output.shape, own_type) for output in call.outputs])
        targets = tuple([target for target, _ in pinned])
        if all([target.dtype == dtype and not share_memory(target, source) for target in targets]):
            move(call, targets, source, fill, conversion)
            return tuple(outs)
    results = tuple([allocate(output.shape, dtype) for output in call.outputs])
    move(call, results, source, fill, conversion)
    if targets is None:
        return results
    # Outputs that share memory with the source are written after all of the source has been read.
    for target, result in zip(targets, results, strict=True):
        np.copyto(target, result) if target.dtype != dtype else copy_whole(result, target)
    return tuple(outs or ())


def execute_views(
    call: Call, source: AnyArray, outs: Outs = None, fill_value: object = None, copy: bool | None = None
) -> tuple[Any, ...]:
    """Return the outputs of a call as views, or as copies if ``copy`` is None and an output cannot be a view.

    The source is as for `execute_checked`.

    Raises
    ------
    AttributeValueError
        ``copy`` is False where a copy is needed: an output reads out of bounds or merges axes, or ``out`` is given.
    """
    if copy is not False:
        check_copy(copy, "")
    if fill_value is not None and type(fill_value) is not Element:
        encode_fill(source.dtype, fill_value)
    if outs is None and None not in call.plans and all(map(is_view, call.plans)):
        try:
            return tuple([as_view(plan, source) for plan in call.plans])
        except (ValueError, OverflowError) as error:
            # NumPy refuses a view of too many bytes, although a view takes no memory.
            raise too_large(max([output.shape for output in call.outputs], key=prod), source.dtype) from error
    reason = "a result that reads out of bounds or merges axes" if outs is None else "a result written into out"
    check_copy(copy, reason)
    return execute_checked(call, source, outs, fill_value)


def copy_whole(source: AnyArray, out: Any = None, conversion: Conversion | None = None) -> Any:
    """Return a C-contiguous copy of an array, or write it into ``out``; the source is as for `execute_checked`."""
    call = find_call(whole_geometry(source.shape))
    return execute_checked(call, source, None if out is None else (out,), None, conversion)[0]


def convert_whole(source: AnyArray, wanted: Normalization, out: Any = None) -> Any:
    """Return an array, as `execute_checked` takes it, with its elements converted, or write them into ``out``."""
    conversion = find_conversion(wanted, source.dtype, out, source.ndim)
    check_channels(conversion, source.shape)
    return copy_whole(source, out, conversion)


def move(
    call: Call, targets: Sequence[AnyArray], source: AnyArray, fill: AnyArray, conversion: Conversion | None = None
) -> None:
    """Write a call into pinned arrays that fit it, share no memory, and are visible to no other thread."""
    n = sum([target.nbytes for target in targets])
    if n:
        arrays = describe((source, *targets), fill, conversion)
        where = (address_of(arrays), arrays.size, address_of(call.words), call.words.size)
        check_done(run_launches("execute_at", n, *where, SMALLEST_PEELED, STREAM_BYTES, 1))


def check_copy(copy: Any, reason: str) -> None:
    """Raise unless ``copy`` is True or None, for a result that cannot be a view; ``reason`` describes the result."""
    if copy is not True and copy is not None:
        rule = f"be True or None for {reason}" if copy is False else "be True, False or None"
        raise AttributeValueError.about("copy", rule, copy)


def check_done(status: int) -> None:
    """Raise if a call that Python has checked ended with another status than DONE."""
    if status == NO_MEMORY:
        raise MemoryError("fastops: there is no memory for the tables of a call")
    if status != DONE:
        raise KernelError(f"fastops: a call was not run, status {status}. This is a bug of fastops; please report it")


def address_of(array: AnyArray) -> int:
    """Return the address of the first element of an array."""
    return int(array.__array_interface__["data"][0])


def describe(arrays: Sequence[AnyArray], fill: AnyArray, conversion: Conversion | None = None) -> AnyArray:
    """Return the description of sources and outputs that compiled code takes (`kernels._tables._arrays`)."""
    converted = (0, 0) if conversion is None else (address_of(conversion.words), conversion.words.size)
    words = [arrays[0].itemsize, address_of(fill), fill.nbytes, sum([array.ndim for array in arrays]), *converted]
    for array in arrays:
        words += (address_of(array), 0, 0, array.ndim)
    for array in arrays:
        words += array.shape
    for array in arrays:
        words += array.strides
    return np.array(words, np.int64)
