"""Calls: plans of one source as words, and what Python knows besides of what they move.

From a call and arrays to moved bytes, in two ways.

What a caller's array says of itself can change at any time, by another thread. Compiled code looks at the arrays as
they are, and moves them before anybody can change one. All that it does not take is checked in Python, on views that
nobody else has, while their memory is pinned: it says in words what is wrong, or makes what can be moved.
"""

from __future__ import annotations

from array import array as c_array
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element, encode_fill, is_plain_number
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_outputs, pin, share_memory
from fastops._errors import AttributeValueError, KernelError
from fastops._geometry._geometry import NO_AXIS, Geometry, find_factors, whole_geometry
from fastops._geometry._words import Piece, Place, to_words
from fastops._runtime._kernels import load_entry, ready_workers, run_launches
from fastops._settings import CACHE_SIZE, PARALLEL_BYTES, STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._arrays import DONE, LARGE, NO_ARRAYS, NOT_PINNED
from fastops.kernels._tables._gather import SMALLEST_PEELED
from fastops.kernels._tables._words import LARGEST


class Pieces(NamedTuple):
    """How plans make one output: they do not overlap, and leave no element out.

    Attributes
    ----------
    shape : tuple of int
        The output's.
    starts : tuple of tuple of int
        Where in the output each piece begins.
    split_shape : tuple of int or None
        The shape that the pieces are boxes of, where that is one that splits axes of the output.
    """

    shape: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    split_shape: tuple[int, ...] | None = None


class Call(NamedTuple):
    """All that a call needs besides arrays.

    Attributes
    ----------
    words : ndarray of int64
        What compiled code is given of the plans.
    geometries : tuple of Geometry
        The plans: one for each output, or for each piece of one.
    source_shape : tuple of int
    shapes : tuple of tuple of int
        Those of the outputs.
    size : int
        Elements of all outputs together.
    fills : int
        Fill values that a call gives.
    has_pieces : bool
        True if the plans make one output.
    """

    words: AnyArray
    geometries: tuple[Geometry, ...]
    source_shape: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    size: int
    fills: int
    has_pieces: bool


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(c_array("q", integers), np.int64)


def shapes_of(words: AnyArray) -> list[tuple[int, ...]]:
    """Return the shapes of the outputs of words."""
    header = words[: words[w.FIRST_PIECE]].tolist()
    rank, outputs = header[w.SRC_RANK], header[w.OUTPUTS]
    at = w.HEADER_COLUMNS + rank + outputs
    shapes = []
    for own in header[at - outputs : at]:
        shapes.append(tuple(header[at : at + own]))
        at += own
    return shapes


def create_call(geometries: tuple[Geometry, ...], pieces: Pieces | None = None) -> Call:
    """Return the call of plans of one source, which have an output each, or are pieces of one."""
    source_shape = geometries[0].source_shape
    fills = max([geometry.fills for geometry in geometries])
    shapes = tuple([geometry.shape for geometry in geometries]) if pieces is None else (pieces.shape,)
    size = sum(map(prod, shapes))
    return Call(words_of(geometries, pieces), geometries, source_shape, shapes, size, fills, pieces is not None)


def words_of(geometries: tuple[Geometry, ...], pieces: Pieces | None = None) -> AnyArray:
    """Return the words of such a call."""
    if pieces is None:
        shapes = [geometry.shape for geometry in geometries]
        placed = [Piece(geometry, i) for i, geometry in enumerate(geometries)]
    else:
        shapes = [pieces.shape]
        starts = zip(geometries, pieces.starts, strict=True)
        placed = [Piece(geometry, 0, _places_of(pieces, start)) for geometry, start in starts]
    if sum(map(prod, shapes)) > LARGEST:
        return _NO_WORDS
    try:
        return as_table(to_words(geometries[0].source_shape, shapes, placed))
    except OverflowError:
        # No array has such a shape.
        return _NO_WORDS


#: The same of one plan, remembered: blocks of chunks come again.
find_call = lru_cache(CACHE_SIZE)(lambda geometry: create_call((geometry,)))

# Of what nobody can allocate, as `allocate` will say: compiled code takes these for none.
_NO_WORDS = as_table([0])


def _places_of(pieces: Pieces, start: Sequence[int]) -> tuple[Place, ...]:
    """Return where the axes of a piece are in the output."""
    if pieces.split_shape is None:
        return tuple([Place(k, first, 1) for k, first in enumerate(start)])
    factors = find_factors(pieces.split_shape, pieces.shape)
    assert factors is not None
    return tuple(
        [
            Place(NO_AXIS, 0, 0) if axis == NO_AXIS else Place(axis, first * step, step)
            for (axis, step), first in zip(factors, start, strict=True)
        ]
    )


#: The fill value of calls that give none: zero for elements of up to 64 bytes.
ZEROS = np.zeros(64, np.uint8)


class Entry:
    """A kernel that looks at objects and moves them."""

    __slots__ = ("_name", "run", "was_large")

    def __init__(self, name: str) -> None:
        self._name = name
        #: True if the last work was large: the next one may be so too. To count threads takes half as long as a call.
        self.was_large = False
        #: The kernel, once it is loaded; or what takes nothing, where objects are not laid out as it has them.
        self.run: Callable[..., Any] = self._load_and_run

    def _load_and_run(self, *arguments: Any) -> Any:
        self.run = load_entry(self._name) if is_as_expected() else lambda *_: NO_ARRAYS
        return self.run(*arguments)


#: Its ``run`` takes what the kernel `execute` takes.
ENTRY = Entry("execute")


def execute(
    words: AnyArray,
    data: Any,
    outs: tuple[Any, ...] | None = None,
    fill_value: object = None,
    attributes: tuple[Any, ...] | None = None,
    is_addressed: int = 0,
    conversion: Conversion | None = None,
) -> tuple[Any, ...] | None:
    """Write what words say into ``outs``, or into fresh arrays, and return them.

    All but the words may be anything. None is returned, and nothing is written, for what needs `execute_checked`.

    Parameters
    ----------
    words : ndarray of int64
        Those of plans, or of a rule, where attributes are given (`fastops.kernels._tables`).
    data, outs, attributes, is_addressed
        What the kernel `execute` takes.
    fill_value : object
        A number, an `Element`, or None.
    conversion : Conversion, optional
        What becomes of the elements of the one output; of data of another dtype, nothing is taken.
    """
    fill = ZEROS
    if fill_value is not None:
        if type(fill_value) is Element:
            fill = fill_value.array
        elif type(data) is ndarray and is_plain_number(fill_value):
            dtype = data.dtype
            if dtype.hasobject or dtype.names is not None:
                return None
            fill = encode_fill(dtype, fill_value)
        else:
            # What converts it may be code of the caller's.
            return None
    # Converted results are large as a rule.
    workers = ready_workers() if ENTRY.was_large or conversion is not None else 0
    found = ENTRY.run(outs, data, words, attributes, fill, conversion, is_addressed, STREAM_BYTES, 0, workers)
    if type(found) is int and found == NOT_PINNED:
        _pins = _pins_of(data, outs)
        found = ENTRY.run(outs, data, words, attributes, fill, conversion, is_addressed, STREAM_BYTES, 1, workers)
    if type(found) is tuple:
        if ENTRY.was_large:
            ENTRY.was_large = found[0].nbytes * len(found) >= PARALLEL_BYTES
        return found
    if type(found) is bytes:
        words = np.frombuffer(found, np.int64)
    elif found != LARGE:
        return None
    return execute_large(words, data, outs, fill, is_addressed, conversion)


def execute_large(
    words: AnyArray,
    data: Any,
    outs: tuple[Any, ...] | None,
    fill: AnyArray,
    is_addressed: int,
    conversion: Conversion | None = None,
) -> tuple[Any, ...] | None:
    """Do what `execute` does for work of threads, or of many outputs."""
    dtype = conversion.result if conversion is not None else data[-1] if is_addressed else data.dtype
    shapes = shapes_of(words)
    total_bytes = sum(map(prod, shapes)) * dtype.itemsize
    if total_bytes > LARGEST:
        # No memory holds that, and the number of its launches may be no int of compiled code.
        return None
    results = tuple([allocate(shape, dtype) for shape in shapes]) if outs is None else outs
    ENTRY.was_large = True
    what = (results, data, words, fill, conversion, is_addressed, STREAM_BYTES)
    status = run_launches("execute_launch", total_bytes, *what, 0)
    if status == NOT_PINNED:
        _pins = _pins_of(data, outs)
        status = run_launches("execute_launch", total_bytes, *what, 1)
    return results if status == DONE else None


def _pins_of(data: Any, outs: tuple[Any, ...] | None) -> list[Any]:
    """Return what keeps the memory of a call's arrays where it is, for as long as it is kept itself."""
    return [pin(array) for array in (data, *(outs or ()))]


def execute_checked(
    call: Call,
    source: AnyArray,
    outs: Sequence[Any] | None = None,
    fill_value: object = None,
    conversion: Conversion | None = None,
) -> tuple[Any, ...]:
    """Write the outputs of a call into ``outs``, or into fresh C-contiguous arrays, and return them.

    The call is one for ``source``, which is pinned, and a view that nobody else has (`as_source`).

    Raises
    ------
    OutputError
        An output cannot be allocated, or an array of ``outs`` cannot take it.
    DTypeError, AttributeValueError
        The fill value does not fit the source's type.
    """
    dtype = source.dtype
    check_span(source.shape, source.strides, dtype.itemsize)
    fill = _fill_of(call, dtype, fill_value)
    result_type = dtype
    if conversion is not None:
        source, fill, result_type = (
            source.astype(conversion.source, copy=False),
            fill.astype(conversion.source),
            conversion.result,
        )
    if outs is None:
        results = tuple([allocate(shape, result_type) for shape in call.shapes])
        move(call, results, source, fill, conversion)
        return results
    # Converted elements may be written in any order of bytes.
    types = [result_type if conversion is None else getattr(out, "dtype", result_type) for out in outs]
    pinned = as_outputs(outs, list(zip(call.shapes, types, strict=True)))
    targets = tuple([target for target, _ in pinned])
    is_native = all([target.dtype == result_type for target in targets])
    if not is_native or any([share_memory(target, source) for target in targets]):
        # Outputs that share memory with the source are written when all of it has been read.
        results = tuple([allocate(shape, result_type) for shape in call.shapes])
        move(call, results, source, fill, conversion)
        for target, result in zip(targets, results, strict=True):
            # Of two orders of bytes, which only conversions have, NumPy makes one.
            copy_whole(result, target) if is_native else np.copyto(target, result)
    else:
        move(call, targets, source, fill, conversion)
    return tuple(outs)


def _fill_of(call: Call, dtype: AnyDType, fill_value: object) -> AnyArray:
    """Return the fill values that a call reads, which are those of the caller's one value, or encoded already."""
    if type(fill_value) is not Element:
        # Its kind is checked also where the call reads none.
        own = encode_fill(dtype, fill_value) if fill_value is not None or call.fills else ZEROS
        return own.repeat(call.fills) if call.fills > 1 else own
    # They were made for what data said it was, which another thread may have changed before the call was found.
    elements = fill_value.array
    if elements.dtype != dtype or elements.size < call.fills:
        raise AttributeValueError.about("data", "keep its shape, strides and type during a call", call.source_shape)
    return elements


def copy_whole(source: AnyArray, out: Any = None) -> Any:
    """Return a C-contiguous copy of an array, or write it into ``out``; the source is as for `execute_checked`."""
    call = create_call((whole_geometry(source.shape),))
    return execute_checked(call, source, None if out is None else (out,))[0]


def convert_whole(source: AnyArray, wanted: Normalization, out: Any = None) -> Any:
    """Return what becomes of an array's elements, or write it into ``out``; the array is as for `execute_checked`."""
    conversion = find_conversion(wanted, source.dtype, out, source.ndim)
    check_channels(conversion, source.shape)
    call = create_call((whole_geometry(source.shape),))
    return execute_checked(call, source, None if out is None else (out,), None, conversion)[0]


def move(
    call: Call, targets: Sequence[AnyArray], source: AnyArray, fill: AnyArray, conversion: Conversion | None = None
) -> None:
    """Write the outputs of a call, for arrays that fit it; nobody else has the targets, and all of them are pinned."""
    n = call.size * targets[0].itemsize if targets else 0
    if n:
        arrays = describe((source, *targets), fill, conversion)
        where = (address_of(arrays), arrays.size, address_of(call.words), call.words.size)
        run_described(n, *where)


def run_described(total_bytes: int, *where: int) -> None:
    """Run words on arrays that are described: where that is, and how many words it has, and the same of the words."""
    check_done(run_launches("execute_at", total_bytes, *where, SMALLEST_PEELED, STREAM_BYTES, 1))


def check_done(status: int) -> None:
    """Raise for the status of a call that Python has checked."""
    if status != DONE:
        raise KernelError(f"fastops: a call was not run, status {status}. This is a bug of fastops; please report it")


def address_of(array: AnyArray) -> int:
    """Return where the first element of an array is."""
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
