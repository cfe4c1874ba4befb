"""Fill values: a scalar, as the bytes of an element.

The rule is NumPy's for Python scalars, applied to every scalar: a value is taken if its kind converts to the type
without being told to, and if it then still means the same. Rounding a float is allowed, losing its magnitude is not.

Values of channels: one fill value for each index along an axis, and pixels, which are one element each.

Values of sides: what NumPy pads with, one for all sides of an array or one for each, by its rules of assignment.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, is_ml_dtype, kind_of
from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError, counted, named
from fastops._geometry._numbers import MOST_INDICES, is_hidden, is_listed, is_tensor, numbers_of, sign_of_zero
from fastops._settings import CACHE_SIZE

# For each kind of type, the kinds of values that it takes, and what they are called.
_TAKES = {
    "b": ("b", "a boolean, 0 or 1"),
    "i": ("biu", "an integer"),
    "u": ("biu", "an integer"),
    "f": ("biuf", "a real number"),
    "c": ("biufc", "a number"),
    "M": ("M", "a datetime64 or a date"),
    "m": ("m", "a timedelta64 or a timedelta"),
    "S": ("S", "bytes"),
    "U": ("U", "a string"),
    "V": ("SV", "bytes"),
}

# Who gives several values most often means one per channel.
_SCALAR_RULE = "be a scalar (for one value per channel, call it for each channel: data[..., c] with out=out[..., c])"

_RULE = "be a number, a string, bytes or a time"

# Python's and NumPy's integers, booleans and real floats. They run no code of a caller's, so that keys may hold them.
_NUMBERS = frozenset([bool, int, float, *[np.dtype(code).type for code in "bBhHiIlLqQ?efdg"]])


class Element(NamedTuple):
    """A fill value that is encoded already, by an operator with a rule of its own: an array of one element."""

    array: AnyArray


def is_plain_number(value: object) -> bool:
    """True for a number of Python's or NumPy's types, which may be a part of a key."""
    return type(value) in _NUMBERS


def plain_values(attribute: str, value: Any, levels: int = 3) -> Any:
    """Return the numbers of tensors of PyTorch, be they in lists, in lists of their shapes; anything else as it is.

    Lists have so many levels at most: one that holds itself has no end. NumPy does not read tensors of every
    type, nor those that require a gradient. It would compute arrays of dask, and read what a mask hides.
    """
    kind = type(value)
    if kind in _NUMBERS:
        return value
    if (kind is tuple or kind is list) and levels:
        return [each if type(each) in _NUMBERS else plain_values(attribute, each, levels - 1) for each in value]
    if is_hidden(value):
        raise DTypeError.about(attribute, "have no masked entries", value)
    is_foreign = is_tensor(value) or hasattr(type(value), "__dask_graph__")
    return numbers_of(attribute, value) if is_foreign else value


def encode_fill(dtype: AnyDType, value: object) -> AnyArray:
    """Return an array of one element of ``dtype`` that holds ``value``; zero bytes where it is None.

    Raises
    ------
    DTypeError
        The value is of a kind that the type does not take, as 1.5 for an integer.
    AttributeValueError
        The value is no scalar, or the type cannot express it: 300 in uint8, infinity in float8_e4m3fn.
    """
    if is_plain_number(value):
        number: Any = value
        return _encode_number(dtype, number, sign_of_zero(number))
    return value.array if type(value) is Element else _encode(dtype, value)


def encode_fills(dtype: AnyDType, fills: int, fill_value: Any) -> AnyArray:
    """Return the fill values of a plan's slots, of one value for all of them, or of a sequence of one for each."""
    elements = np.zeros(max(fills, 1), dtype)
    if fill_value is None and fills == 0:
        return elements
    if not is_fill_list(fill_value) or (type(fill_value) is tuple and dtype.names is not None):
        elements[:] = encode_fill(dtype, fill_value)
        return elements
    if len(fill_value) != fills:
        raise AttributeValueError.about("fill_value", f"be one value, or a list of {fills}", fill_value)
    for i, value in enumerate(tuple(fill_value)):
        elements[i : i + 1] = encode_fill(dtype, value)
    return elements


def is_fill_list(fill_value: Any) -> bool:
    """True for a list of values, one for each slot."""
    return type(fill_value) in (list, tuple) or (type(fill_value) is np.ndarray and fill_value.ndim == 1)


@lru_cache(CACHE_SIZE, typed=True)
def _encode_number(dtype: AnyDType, value: object, _sign: float) -> AnyArray:
    # Converting a number takes longer than a small call. The sign tells -0.0 from 0.0, which are equal keys.
    element = _encode(dtype, value)
    element.flags.writeable = False
    return element


def _encode(dtype: AnyDType, value: object) -> AnyArray:
    element = np.zeros(1, dtype)
    if value is None:
        if kind_of(dtype) == "f" and element[0] != 0:
            raise AttributeValueError.about("fill_value", f"be given, because {named(dtype)} has no zero", value)
    elif dtype.names is not None:
        _encode_record(element, value)
    else:
        element[0] = _encode_scalar(dtype, value)
    return element


def _encode_record(element: AnyArray, value: Any) -> None:
    """Write a record, or a tuple with a value for each field, into a structured element, as NumPy assigns it."""
    names = element.dtype.names or ()
    if not isinstance(value, np.void | np.ndarray) and not (isinstance(value, tuple) and len(value) == len(names)):
        rule = f"be a scalar of {named(element.dtype)}, or a tuple of its {counted(len(names), 'field')}"
        raise DTypeError.about("fill_value", rule, value)
    try:
        element[0] = value
    except (TypeError, ValueError, OverflowError) as error:
        rule = f"be a value that NumPy assigns to {named(element.dtype)}"
        raise AttributeValueError.about("fill_value", rule, value) from error


def _encode_scalar(dtype: AnyDType, value: Any) -> Any:
    """Return ``value`` as a scalar of ``dtype``."""
    kinds, name = _TAKES.get(kind_of(dtype), ("", "left out"))
    scalar = _as_scalar(value, dtype)
    kind = kind_of(scalar.dtype)
    if kind not in kinds and not (dtype.kind == "b" and kind in "iu" and scalar in (0, 1)):
        raise DTypeError.about("fill_value", f"be {name}, for data of dtype {named(dtype)}", value)
    if scalar.dtype == dtype:
        # As it is, whatever of a NaN its bits are.
        return scalar
    if is_ml_dtype(scalar.dtype):
        # ml_dtypes has no conversion between some of its own types.
        scalar = {"i": np.int64, "u": np.int64, "f": np.float64, "c": np.complex128}[kind](scalar)
    with np.errstate(all="ignore"):
        converted = np.asarray(scalar).astype(dtype)
    if not _means_the_same(scalar, converted):
        raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
    return converted[()]


def _as_scalar(value: Any, dtype: AnyDType) -> Any:
    """Return a Python or NumPy scalar, or an array of no dimensions, as a NumPy scalar."""
    value = plain_values("fill_value", value)
    if isinstance(value, date):
        return np.datetime64(value)
    if isinstance(value, timedelta):
        return np.timedelta64(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        if kind_of(dtype) not in "fc" or abs(value) > sys.float_info.max:
            raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
        return np.float64(value)
    # A range may be as long as it likes.
    array = None if is_listed(value) else np.asarray(value)
    if array is None or array.ndim:
        raise AttributeValueError.about("fill_value", _SCALAR_RULE, value)
    if array.dtype.hasobject:
        raise DTypeError.about("fill_value", _RULE, value)
    return array[()]


def _means_the_same(scalar: Any, converted: AnyArray) -> bool:
    """True if a converted value still is the value, but for the rounding of floats."""
    kind = kind_of(converted.dtype)
    if kind in "fc":
        after = complex(converted[()]) if is_ml_dtype(converted.dtype) else converted[()]
        # Some types of ml_dtypes have no infinity, and give their largest number for what is larger.
        is_narrow = kind == "f" and is_ml_dtype(converted.dtype) and np.isfinite(scalar)
        if is_narrow and abs(float(scalar)) > float(import_module("ml_dtypes").finfo(converted.dtype).max):
            return False
        return all(
            np.isnan(x) == np.isnan(y) and np.isinf(x) == np.isinf(y)
            for x, y in ((scalar.real, after.real), (scalar.imag, after.imag))
        )
    if kind in "Mm":
        back = converted.astype(scalar.dtype)
        return bool(back == scalar) or bool(np.isnat(back) and np.isnat(scalar))
    if kind in "SU":
        return bool(np.asarray(scalar) == converted)
    if kind == "V":
        return bool(converted.tobytes().rstrip(b"\0") == scalar.tobytes().rstrip(b"\0"))
    return int(converted[()]) == int(scalar)


def is_channel_list(fill_value: Any, data: Any) -> bool:
    """True for a list of fill values; a tuple is one value for data whose elements have fields."""
    is_record = type(fill_value) is tuple and getattr(getattr(data, "dtype", None), "names", None) is not None
    return is_listed(fill_value) and not is_record


def encode_channels(fill_value: Any, dtype: AnyDType, n: int) -> AnyArray:
    """Return n fill values, one for each channel, as elements; raises as `encode_fill` does for each of them."""
    values = plain_values("fill_value", fill_value)
    if getattr(values, "ndim", 1) != 1 or len(values) != n:
        rule = f"be a scalar, or a list of {n}, as many as the result has along channel_axis"
        raise AttributeValueError.about("fill_value", rule, fill_value)
    # Equal keys are equal values, if all are of one type, and none is a zero with a sign.
    return _encode_ints(dtype, tuple(values)) if {*map(type, values)} == {int} else _encode_channels(dtype, values)


def _encode_channels(dtype: AnyDType, values: Any) -> AnyArray:
    elements = b"".join([encode_fill(dtype, value).tobytes() for value in values])
    return np.frombuffer(elements, dtype) if dtype.itemsize else np.zeros(len(values), dtype)


_encode_ints = lru_cache(CACHE_SIZE)(_encode_channels)


@lru_cache(CACHE_SIZE)
def _pixel_type(width: int) -> AnyDType:
    return np.dtype((np.void, width))


def as_pixels(array: AnyArray, n: int) -> AnyArray | None:
    """Return a view whose last axis, of extent n, is one element; None where its elements are apart in memory."""
    width = array.itemsize
    if not array.ndim or array.shape[-1] != n or not n or not width or (n > 1 and array.strides[-1] != width):
        return None
    return array.view(_pixel_type(n * width))


#: What rules of values of sides call the axes, where it is not known how many data has.
EACH_AXIS = "each axis"


def as_pairs(attribute: str, rule: str, values: AnyArray, rank: int) -> list[Any]:
    """Return values as one pair per axis, by NumPy's rules.

    One value, and one pair, stay NumPy's scalars, and others become Python's, which convert to other types by other
    rules.
    """
    if values.ndim < 3 and values.size == 1:
        return [(values.ravel()[0],) * 2] * rank
    if values.ndim < 3 and values.size == 2 and values.shape != (2, 1):
        return [tuple(values.ravel())] * rank
    try:
        pairs: list[Any] = np.broadcast_to(values, (rank, 2)).tolist()
    except ValueError:
        raise AttributeValueError.about(
            attribute, rule.replace(EACH_AXIS, f"each of data's {counted(rank, 'axis')}"), (values.tolist(),)
        ) from None
    return pairs


@lru_cache(CACHE_SIZE, typed=True)
def _plain_element(dtype: AnyDType, value: Any, _sign: float) -> Element:
    """Return a plain number as an element; the sign of a zero is part of the key."""
    return Element(_assigned(dtype, [np.array(value)[()]], value))


def elements_of(dtype: AnyDType, rank: int, constant_values: Any) -> Element:
    """Return one element if all sides have the same value, or else two per axis."""
    if rank and is_plain_number(constant_values):
        return _plain_element(dtype, constant_values, sign_of_zero(constant_values))
    written = plain_values("constant_values", constant_values)
    # What is longer than pairs of all axes can be is not copied first.
    length = len(written) if isinstance(written, range) else written.size if isinstance(written, np.ndarray) else 0
    if length > MOST_INDICES:
        raise RankError.about("constant_values", _VALUES, constant_values)
    try:
        values = np.array(written)
    except ValueError as error:
        raise RankError.about("constant_values", _VALUES, constant_values) from error
    pairs = as_pairs("constant_values", _VALUES, values, rank)
    # Data of rank 0 has no sides: NumPy then converts nothing, and refuses nothing.
    elements = _assigned(dtype, [value for pair in pairs for value in pair], values) if pairs else np.zeros(1, dtype)
    first = elements[:1]
    return Element(first if elements.tobytes() == first.tobytes() * elements.size else elements)


def elements_of_channels(constant_values: Any, dtype: AnyDType, n: int) -> AnyArray:
    """Return n elements, one for each channel, by NumPy's rules of assignment."""
    rule = f"be a scalar, or a list of {n}, as many as the result has along channel_axis"
    if len(constant_values) != n:
        raise AttributeValueError.about("constant_values", rule, constant_values)
    try:
        values = np.array(plain_values("constant_values", constant_values))
    except ValueError as error:
        raise AttributeValueError.about("constant_values", rule, constant_values) from error
    if values.shape != (n,):
        raise AttributeValueError.about("constant_values", rule, constant_values)
    return _assigned(dtype, list(values), constant_values)


# NumPy has values of sides, not of channels.
_VALUES = f"be a scalar, one pair of them, or a pair for {EACH_AXIS} (for one value per channel, give channel_axis)"


def _assigned(dtype: AnyDType, values: Sequence[Any], written: Any) -> AnyArray:
    """Return values as elements, each by NumPy's rules of assignment."""
    elements = np.zeros(len(values), dtype)
    try:
        with np.errstate(all="ignore"):
            for i, value in enumerate(values):
                # A scalar index would convert strings and bytes in another way.
                elements[i : i + 1] = value
    except (TypeError, ValueError, OverflowError) as error:
        # NumPy raises the same types.
        kind: type[FastopsError] = DTypeError if isinstance(error, TypeError) else AttributeValueError
        if isinstance(error, OverflowError):
            kind = kind.also(OverflowError)
        raise kind.about("constant_values", f"be what NumPy converts to {dtype}", written) from error
    return elements
