"""Ranges: the words that describe a dtype to compiled code, and the call that writes the values."""

from __future__ import annotations

from functools import lru_cache
from math import copysign
from struct import pack, unpack
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type, bits_of, kind_of
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import DTypeError, errors_of
from fastops._execution._execute import Entry, address_of
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._arguments import Rule
from fastops._lowering._ranges import check_float_range
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables import _range as t

_INTEGERS = {1: t.INT8, 2: t.INT16, 4: t.INT32, 8: t.INT64}
_FLOATS = {"float16": t.FLOAT16, "bfloat16": t.BFLOAT16}

# The classes of the arguments that name a type: strings, classes such as np.int8, and NumPy's dtypes. No code of a
# caller's runs when such objects are compared.
_TYPES = frozenset([str, type, *(type(np.dtype(code)) for code in "bBhHiIlLqQefd")])

_ENTRY = Entry("execute_range")

_FLOAT32 = np.dtype(np.float32)


class Form(NamedTuple):
    """A dtype in the form that compiled code reads.

    Attributes
    ----------
    words : ndarray of int64
        The words of a range, in the layout of `kernels._tables._range`.
    dtype : dtype
    rule : Rule
        The rule by which integers are read; the words contain its addresses.
    computed : dtype or None
        The dtype that compiled code writes if its values are then converted to ``dtype``: float32 for floats of 8 bits
        and fewer, which ml_dtypes rounds; the same type in the machine's byte order for other byte orders. None if
        compiled code writes ``dtype`` itself.
    """

    words: AnyArray
    dtype: AnyDType
    rule: Rule
    computed: AnyDType | None


def form_of(dtype: AnyDType) -> Form:
    """Return the form of a dtype that `as_output_type` gives."""
    # C's types long and long long may be equal dtypes, but differ in their characters.
    return _create_form(dtype, dtype.char)


@lru_cache(64)
def _create_form(dtype: AnyDType, _char: str) -> Form:
    width = dtype.itemsize
    row = [0] * t.COLUMNS
    row[t.WIDTH], row[t.MASK] = width, -1
    rule = Rule(0)
    if kind_of(dtype) in "iu":
        row[t.FORMULA] = _INTEGERS[width]
        if bits_of(dtype) < 8 * width:
            row[t.MASK] = (1 << bits_of(dtype)) - 1
    elif width == 8:
        row[t.FORMULA] = t.FLOAT64
    else:
        row[t.FORMULA] = _FLOATS[dtype.name] if width == 2 else t.FLOAT32
    own = [*row, *rule.words.tolist(), id(float), id(np.float64), id(dtype)]
    native = None if dtype.isnative else dtype.newbyteorder("=")
    computed = _FLOAT32 if width == 1 and kind_of(dtype) == "f" else native
    return Form(np.array(own, np.int64), dtype, rule, computed)


@lru_cache(256)
def _named_form(output_type: Any) -> Form:
    return form_of(as_output_type("output_type", output_type))


def write_numbers(numbers: tuple[Any, ...], output_type: Any, out: Any, is_geometry: int = 0) -> Any:
    """Write the range of start, stop and step, which compiled code reads; return None if Python has to read them.

    Only the first three of the numbers are looked at. If ``is_geometry``, they are start, step and count.
    """
    form = _named_form(output_type) if type(output_type) in _TYPES else None
    return None if form is None or form.computed is not None else _execute(form, numbers, is_geometry, out)


def write_range(geometry: RangeGeometry, dtype: AnyDType, out: Any = None) -> Any:
    """Write the values of a range in a dtype into ``out``, or into a fresh array, and return it."""
    form = form_of(dtype)
    if form.computed is not None:
        with np.errstate(all="ignore"):
            values: AnyArray = write_range(geometry, form.computed).astype(dtype)
        if out is not None:
            target, _pinned = as_output(out, values.shape, dtype)
            target[...] = values
        return values if out is None else out
    made = _execute(form, geometry, 1, out)
    return _write_row(create_row(geometry, form), form, out, geometry.count) if made is None else made


def create_row(geometry: RangeGeometry, form: Form) -> AnyArray:
    """Return the row of words that the range kernel runs."""
    row = form.words[: t.COLUMNS].copy()
    start, step, count = geometry
    # A count beyond 64 bits cannot be allocated, so it never reaches the kernel.
    row[t.COUNT] = min(count, 2**63 - 1)
    row[t.STREAMS] = int(count * form.dtype.itemsize >= STREAM_BYTES)
    row[t.START], row[t.STEP] = [_word_of(number, int(row[t.FORMULA])) for number in (start, step)]
    return row


def _execute(form: Form, numbers: tuple[Any, ...], is_geometry: int, out: Any) -> Any:
    """Return the range that `execute_range` writes; None if it does not take the arguments."""
    made = _ENTRY.run(out, form.words, numbers, is_geometry, STREAM_BYTES)
    if type(made) is bytes:
        row = np.frombuffer(made, np.int64)
        return _write_row(row, form, out, int(row[t.COUNT]))
    return None if type(made) is int else made


def _write_row(row: AnyArray, form: Form, out: Any, count: int) -> Any:
    """Write the range that a row describes."""
    if out is None:
        out = own = target = allocate((count,), form.dtype)
    else:
        target, _pinned = as_output(out, (count,), form.dtype)
        own = target if target.flags.c_contiguous else allocate((count,), form.dtype)
    if own.nbytes:
        run_launches("run_range", own.nbytes, address_of(own), count, address_of(row))
    if own is not target:
        target[...] = own
    return out


def run_range(geometry: RangeGeometry, output_type: DTypeLike, out: Any = None) -> Any:
    """Write the values of a range: the call of a range plan."""
    with errors_of("plan", {}):
        made = write_numbers(geometry, output_type, out, 1)
        if made is not None:
            return made
        dtype = as_output_type("output_type", output_type)
        if kind_of(dtype) in "iu" and not all(isinstance(number, int) for number in geometry[:2]):
            raise DTypeError.about("output_type", "be a float type, for a plan of floats", output_type)
        if kind_of(dtype) == "f":
            check_float_range(start=geometry.start, step=geometry.step)
        return write_range(geometry, dtype, out)


def _word_of(number: int | float, formula: int) -> int:
    """Return a number as the word that a formula reads: the low 64 bits of an integer, or the bits of a float."""
    if formula <= t.INT64:
        return ((int(number) + 2**63) & (2**64 - 1)) - 2**63
    return int(unpack("q", pack("d", number))[0]) if formula == t.FLOAT64 else _float32_bits(number)


def _float32_bits(value: int | float) -> int:
    """Return the bits of the float32 nearest to a number, rounded once; of infinity beyond float32's range."""
    if isinstance(value, int) and (excess := value.bit_length() - 53) > 0:
        # float() would round a long integer first. Keep 53 bits; set the last one if a lower bit was set.
        kept = value >> excess
        value = (kept | int(kept << excess != value)) << excess
    try:
        packed = pack("f", value)
    except OverflowError:
        packed = pack("f", copysign(float("inf"), value))
    return int(unpack("I", packed)[0])
