"""How float32 values round to the float types of at most 8 bits, as a table of steps for the range kernel.

ml_dtypes is the authority on these types: on their overflow, their infinities, their zeros and their NaNs. Rounding is
a step function of the float32 bits in numerical order, so a table of its steps says all of it, for every type alike.

Ranges: the words of a type, and what writes values of it.
"""

from __future__ import annotations

from functools import lru_cache
from math import copysign
from struct import pack, unpack
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type, bits_of, kind_of
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import DTypeError, FastopsError
from fastops._execution._execute import Entry, address_of
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._arguments import Rule
from fastops._lowering._ranges import check_float_range
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables import _range as t

_INT32_MIN = -(2**31)


@lru_cache(32)
def rounding_steps(dtype: AnyDType) -> NDArray[np.int64]:
    """Return pairs (smallest ordered float32 bits, code), ascending: from there on, values round to that code.

    Ordered bits are the float32's own for positive values, and below -1 for negative ones, so that they sort as the
    values do, NaNs outermost.
    """
    codes = np.arange(256, dtype=np.uint8)
    with np.errstate(all="ignore"):
        values = codes.view(dtype).astype(np.float32)
    limits = np.array([np.finfo(np.float32).max, np.inf, np.nan, 0.0], np.float32)
    anchors = _ordered(np.concatenate([values, limits, -limits]))
    anchors = np.unique(np.append(anchors, [_INT32_MIN, 2**31 - 1]))
    # Between two neighbouring anchors the code changes at most once: find where, for all pairs at once.
    low, high = anchors[:-1], anchors[1:]
    first = _codes(dtype, low)
    for _ in range(32):
        middle = (low + high) // 2
        same = _codes(dtype, middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    starts = np.concatenate([anchors, high])
    order = np.argsort(starts, kind="stable")
    starts = starts[order]
    found = _codes(dtype, starts)
    changes = np.append(True, found[1:] != found[:-1])
    return np.stack([starts[changes], found[changes].astype(np.int64)], axis=1)


def _ordered(values: NDArray[np.float32]) -> NDArray[np.int64]:
    bits = values.view(np.int32).astype(np.int64)
    return np.where(bits >= 0, bits, _INT32_MIN - bits - 1)


def _codes(dtype: AnyDType, ordered: NDArray[np.int64]) -> AnyArray:
    """Return the codes of the float32 values with these ordered bits."""
    bits = np.where(ordered >= 0, ordered, _INT32_MIN - ordered - 1).astype(np.int32)
    with np.errstate(all="ignore"):
        return bits.view(np.float32).astype(dtype).view(np.uint8)


_INTEGERS = {1: t.INT8, 2: t.INT16, 4: t.INT32, 8: t.INT64}
_FLOATS = {"float16": t.FLOAT16, "bfloat16": t.BFLOAT16}

# What stands for types: names, dtypes of NumPy, and classes, whose own attributes are not looked at here.
_TYPES = frozenset([str, *(type(np.dtype(code)) for code in "bBhHiIlLqQefd")])
_CLASSES = frozenset([int, float, *(np.dtype(code).type for code in "bBhHiIlLqQefd")])

_ENTRY = Entry("execute_range")

# Stands in for the rounding table of types that need none.
_NO_ROUNDING = np.zeros((1, 2), np.int64)


class Form(NamedTuple):
    """What compiled code knows of a type.

    Attributes
    ----------
    words : ndarray of int64
        Those of `kernels._tables._range`.
    dtype : dtype
    rounding : ndarray of int64
        The steps of a float of at most 8 bits, which the kernel rounds by.
    rule : Rule
        How integers are read; the words have its addresses.
    """

    words: AnyArray
    dtype: AnyDType
    rounding: AnyArray
    rule: Rule


def form_of(dtype: AnyDType) -> Form:
    """Return what compiled code knows of a type that `as_output_type` gives."""
    # Types of C that are equal here have characters of their own.
    return _create_form(dtype, dtype.char)


@lru_cache(64)
def _create_form(dtype: AnyDType, _char: str) -> Form:
    width = dtype.itemsize
    row = [0] * t.COLUMNS
    row[t.WIDTH], row[t.SWAP], row[t.MASK] = width, int(not dtype.isnative), -1
    rounding, rule = _NO_ROUNDING, Rule(0)
    if kind_of(dtype) in "iu":
        row[t.FORMULA] = _INTEGERS[width]
        if bits_of(dtype) < 8 * width:
            row[t.MASK] = (1 << bits_of(dtype)) - 1
    elif width == 8:
        row[t.FORMULA] = t.FLOAT64
    else:
        row[t.FORMULA] = _FLOATS[dtype.name] if width == 2 else t.FLOAT32
        if width == 1:
            rounding = rounding_steps(dtype)
            row[t.CODES] = len(rounding)
    own = [*row, *rule.words.tolist(), id(float), id(np.float64), id(dtype), address_of(rounding)]
    return Form(np.array(own, np.int64), dtype, rounding, rule)


@lru_cache(256)
def _named_form(output_type: Any) -> Form:
    return form_of(as_output_type("output_type", output_type))


def write_numbers(numbers: tuple[Any, ...], output_type: Any, out: Any, is_geometry: int = 0) -> Any:
    """Write the range of start, stop and step, which compiled code reads; None for what Python has to read.

    Only the first three of the numbers are looked at. Those of a geometry are start, step and count.
    """
    kind = type(output_type)
    if not (kind in _TYPES or (kind is type and output_type in _CLASSES)):
        return None
    return _execute(_named_form(output_type), numbers, is_geometry, out)


def write_range(geometry: RangeGeometry, dtype: AnyDType, out: Any = None) -> Any:
    """Write the values of a range in a type into ``out``, or into a fresh array, and return it."""
    form = form_of(dtype)
    made = _execute(form, geometry, 1, out)
    if made is not None:
        return made
    return _write_row(create_row(geometry, form), form, out, geometry.count)


def create_row(geometry: RangeGeometry, form: Form) -> AnyArray:
    """Return what the range kernel runs, which adds where the output is."""
    row = form.words[: t.COLUMNS].copy()
    start, step, count = geometry
    # A count beyond 64 bits cannot be allocated, so it never reaches the kernel.
    row[t.COUNT] = min(count, 2**63 - 1)
    row[t.STREAMS] = int(count * form.dtype.itemsize >= STREAM_BYTES)
    row[t.START], row[t.STEP] = [_word_of(number, int(row[t.FORMULA])) for number in (start, step)]
    return row


def _execute(form: Form, numbers: tuple[Any, ...], is_geometry: int, out: Any) -> Any:
    """Return what `execute_range` writes; None for what it does not take."""
    made = _ENTRY.run(out, form.words, numbers, is_geometry, STREAM_BYTES)
    if type(made) is bytes:
        row = np.frombuffer(made, np.int64)
        return _write_row(row, form, out, int(row[t.COUNT]))
    return None if type(made) is int else made


def _write_row(row: AnyArray, form: Form, out: Any, count: int) -> Any:
    """Write what a row says."""
    if out is None:
        out = target = allocate((count,), form.dtype)
    else:
        target, _pinned = as_output(out, (count,), form.dtype)
    if target.nbytes:
        if is_as_expected():
            run_launches("run_range", target.nbytes, target, row, form.rounding)
        else:
            where = (address_of(target), len(target), target.strides[0], address_of(row))
            run_launches("run_range_at", target.nbytes, *where, address_of(form.rounding), form.rounding.size)
    return out


def run_range(geometry: RangeGeometry, output_type: DTypeLike, out: Any = None) -> Any:
    """Write the values of a range: what a range plan does when it is called."""
    try:
        made = write_numbers(geometry, output_type, out, 1)
        if made is not None:
            return made
        dtype = as_output_type("output_type", output_type)
        if kind_of(dtype) in "iu" and not all(isinstance(number, int) for number in geometry[:2]):
            raise DTypeError.about("output_type", "be a float type, for a plan of floats", output_type)
        if kind_of(dtype) == "f":
            check_float_range(start=geometry.start, step=geometry.step)
        return write_range(geometry, dtype, out)
    except FastopsError as error:
        error.add_context("plan", {})
        raise


def _word_of(number: int | float, formula: int) -> int:
    """Return a number as the formula of a range wants it: the low 64 bits of an integer, or the bits of a float."""
    if formula <= t.INT64:
        return ((int(number) + 2**63) & (2**64 - 1)) - 2**63
    return int(unpack("q", pack("d", number))[0]) if formula == t.FLOAT64 else _float32_bits(number)


def _float32_bits(value: int | float) -> int:
    """The bits of the float32 nearest to a number, rounded once; infinity beyond its range."""
    if isinstance(value, int):
        # float() would round a long integer first. Keep 53 bits, the last of which says if any lower one was set.
        excess = value.bit_length() - 53
        if excess > 0:
            kept = value >> excess
            value = (kept | int(kept << excess != value)) << excess
    try:
        packed = pack("f", value)
    except OverflowError:
        packed = pack("f", copysign(float("inf"), value))
    return int(unpack("I", packed)[0])
