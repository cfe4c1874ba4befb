"""Fill values as elements of a dtype: one value for all outputs, or one for each stage, channel or side.

A dtype takes a value if it takes values of this kind, and if the element then means the same as the value: a float may
be rounded, but may not overflow. `numpy.pad` assigns its values by NumPy's rules instead.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, is_ml_dtype, is_plain_number, kind_of, plain_values
from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError, counted, named, shown
from fastops._geometry._numbers import MOST_INDICES, is_listed, sign_of_zero
from fastops._settings import CACHE_SIZE

# The kinds of values that each kind of dtype takes; a kind that is not listed takes only values of its own kind.
# Messages name the values by `_NAMES`.
_TAKES = {"b": "biu", "i": "biu", "u": "biu", "f": "biuf", "c": "biufc", "V": "SV"}
_NAMES = {"biu": "an integer", "biuf": "a real number", "biufc": "a number", "SV": "bytes"}
_NAMES |= {"S": "bytes", "U": "text", "m": "a timedelta64 or a timedelta", "M": "a datetime64 or a date"}

# Most callers who pass several values mean one for each channel.
_SCALAR_RULE = "be a scalar (for one value per channel, call it for each channel: data[..., c] with out=out[..., c])"


class Element(NamedTuple):
    """An array of fill values that are elements of the dtype already."""

    array: AnyArray


def encode_fill(dtype: AnyDType, value: object) -> AnyArray:
    """Return an array of one element of a dtype that holds the value; None stands for zero bytes.

    Raises
    ------
    DTypeError
        The dtype does not take values of this kind, for instance 1.5 in int32.
    AttributeValueError
        The value is no scalar, or the dtype cannot express it: 300 in uint8, infinity in float8_e4m3fn.
    """
    if is_plain_number(value):
        return _encode_number(dtype, value, sign_of_zero(value))
    return value.array if type(value) is Element else _encode(dtype, value)


@lru_cache(CACHE_SIZE, typed=True)
def _encode_number(dtype: AnyDType, value: object, _sign: float) -> AnyArray:
    # The sign tells -0.0 from 0.0, which are equal keys.
    element = _encode(dtype, value)
    element.flags.writeable = False
    return element


def _encode(dtype: AnyDType, value: Any) -> AnyArray:
    if value is None:
        element = np.zeros(1, dtype)
        if kind_of(dtype) == "f" and element[0] != 0:
            raise AttributeValueError.about("fill_value", f"be given, because {named(dtype)} has no zero", value)
        return element
    if dtype.names is not None:
        is_record = isinstance(value, tuple) and len(value) == len(dtype.names)
        if not is_record and not isinstance(value, np.void | np.ndarray):
            rule = f"be a scalar of {named(dtype)}, or a tuple of its {counted(len(dtype.names), 'field')}"
            raise DTypeError.about("fill_value", rule, value)
        return _assigned("fill_value", dtype, [value], value)
    given = _as_scalar(dtype, value)
    kinds = _TAKES.get(kind_of(dtype), kind_of(dtype))
    if kind_of(given.dtype) not in kinds:
        rule = f"be {_NAMES.get(kinds, 'left out')}, for data of dtype {named(dtype)}"
        raise DTypeError.about("fill_value", rule, value)
    if given.dtype != dtype and is_ml_dtype(given.dtype):
        # ml_dtypes cannot convert between some of its own types.
        given = np.asarray(given.item())
    element = _assigned("fill_value", dtype, [given], value)
    if given.dtype != dtype and not _means_the_same(given, element.reshape(())):
        raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
    return element


def _as_scalar(dtype: AnyDType, value: Any) -> AnyArray:
    """Return a scalar of Python or NumPy as an array of no axes."""
    value = plain_values("fill_value", value)
    if isinstance(value, date | timedelta):
        value = np.datetime64(value) if isinstance(value, date) else np.timedelta64(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        if kind_of(dtype) not in "fc" or abs(value) > sys.float_info.max:
            raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
        value = float(value)
    # Do not convert lists: a range may be longer than memory.
    array = None if is_listed(value) else np.asarray(value)
    if array is None or array.ndim:
        raise AttributeValueError.about("fill_value", _SCALAR_RULE, value)
    if array.dtype.hasobject:
        raise DTypeError.about("fill_value", "be a number, a string, bytes or a time", value)
    return array


def _means_the_same(given: AnyArray, converted: AnyArray) -> bool:
    """True if a converted scalar equals the given one, apart from the rounding of floats."""
    dtype, kind = converted.dtype, kind_of(converted.dtype)
    if kind in "biu":
        return bool(converted.item() == given.item())
    if kind not in "fc":
        # NumPy does not cast void to bytes.
        back = converted.astype(given.dtype) if kind in "MmU" else converted
        return back.tobytes().rstrip(b"\0") == given.tobytes().rstrip(b"\0")
    if is_ml_dtype(dtype):
        # A type without infinity converts larger numbers to its largest one.
        finfo: Any = ml_dtypes.finfo
        if kind == "f" and np.isfinite(given) and abs(float(given)) > float(finfo(dtype).max):
            return False
        converted = np.asarray(complex(converted[()]))
    pairs = [(given.real, converted.real), (given.imag, converted.imag)]
    return all([is_so(x) == is_so(y) for x, y in pairs for is_so in (np.isnan, np.isinf)])


def encode_fills(dtype: AnyDType, fills: int, fill_value: Any) -> AnyArray:
    """Return an element for each of ``fills`` slots, from one value for all slots or from a list of one for each."""
    if fill_value is None and fills == 0:
        return np.zeros(1, dtype)
    if not is_listed(fill_value) or (type(fill_value) is tuple and dtype.names is not None):
        return encode_fill(dtype, fill_value).repeat(max(fills, 1))
    if len(fill_value) != fills:
        raise AttributeValueError.about("fill_value", f"be one value, or a list of {fills}", fill_value)
    return _encode_each(dtype, fill_value)


def _values_of_channels(attribute: str, given: Any, n: int) -> Any:
    """Return n values, one for each channel."""
    values = plain_values(attribute, given)
    if getattr(values, "ndim", 1) != 1 or len(values) != n:
        rule = f"be a scalar, or a list of {shown(n)}, as many as the result has along channel_axis"
        raise AttributeValueError.about(attribute, rule, given)
    return values


def encode_channels(fill_value: Any, dtype: AnyDType, n: int) -> AnyArray:
    """Return n fill values, one for each channel, by the rules of `encode_fill`."""
    values = _values_of_channels("fill_value", fill_value, n)
    # Equal integers give equal elements, so integers can be keys of a cache.
    return _encode_ints(dtype, tuple(values)) if {*map(type, values)} == {int} else _encode_each(dtype, values)


def _encode_each(dtype: AnyDType, values: Sequence[Any]) -> AnyArray:
    elements = np.zeros(len(values), dtype)
    for i, value in enumerate(values):
        elements[i : i + 1] = encode_fill(dtype, value)
    return elements


_encode_ints = lru_cache(CACHE_SIZE)(_encode_each)


def is_channel_list(fill_value: Any, data: Any) -> bool:
    """True for a list of fill values; a tuple is one value if the elements of data have fields."""
    is_record = type(fill_value) is tuple and getattr(getattr(data, "dtype", None), "names", None) is not None
    return is_listed(fill_value) and not is_record


def as_pixels(array: AnyArray, n: int) -> AnyArray | None:
    """Return a view with the last axis, of extent n, as one element; None if this axis is not contiguous."""
    width = array.itemsize
    if not array.ndim or array.shape[-1] != n or not n or not width or (n > 1 and array.strides[-1] != width):
        return None
    return array.view(f"V{n * width}")


#: Rules of pads contain these words; an error on data of a known rank shows the number of axes instead.
EACH_AXIS = "each axis"

# `numpy.pad` takes a value for each side, but not one for each channel.
_VALUES = f"be a scalar, one pair of them, or a pair for {EACH_AXIS} (for one value per channel, give channel_axis)"


def as_pairs(attribute: str, rule: str, values: AnyArray, rank: int) -> list[Any]:
    """Return a pair of values for each axis, by NumPy's rules.

    As in `numpy.pad`, one value or one pair stays NumPy scalars, and longer lists become Python scalars: NumPy assigns
    the two kinds of scalars by different rules.
    """
    if values.ndim < 3 and values.size == 1:
        return [(values.ravel()[0],) * 2] * rank
    if values.ndim < 3 and values.size == 2 and values.shape != (2, 1):
        return [tuple(values.ravel())] * rank
    try:
        pairs: list[Any] = np.broadcast_to(values, (rank, 2)).tolist()
    except ValueError:
        own_rule = rule.replace(EACH_AXIS, f"each of data's {counted(rank, 'axis')}")
        raise AttributeValueError.about(attribute, own_rule, (values.tolist(),)) from None
    return pairs


def elements_of(dtype: AnyDType, rank: int, constant_values: Any) -> Element:
    """Return one element if all sides have the same value, or else two elements for each axis."""
    if rank and is_plain_number(constant_values):
        return _plain_element(dtype, constant_values, sign_of_zero(constant_values))
    written = plain_values("constant_values", constant_values)
    # Check the length first: a range, or an array of stride 0, may be longer than memory.
    length = len(written) if isinstance(written, range) else getattr(written, "size", 0)
    if isinstance(length, int) and length > MOST_INDICES:
        raise RankError.about("constant_values", _VALUES, constant_values)
    try:
        values = np.array(written)
    except ValueError as error:
        # The lists have several lengths.
        raise RankError.about("constant_values", _VALUES, constant_values) from error
    pairs = as_pairs("constant_values", _VALUES, values, rank)
    if not pairs:
        # Data of rank 0 has no sides: NumPy converts no value, so it refuses none.
        return Element(np.zeros(1, dtype))
    elements = _assigned("constant_values", dtype, [value for pair in pairs for value in pair], values)
    first = elements[:1]
    return Element(first if elements.tobytes() == first.tobytes() * elements.size else elements)


@lru_cache(CACHE_SIZE, typed=True)
def _plain_element(dtype: AnyDType, value: Any, _sign: float) -> Element:
    return Element(_assigned("constant_values", dtype, [np.array(value)[()]], value))


def elements_of_channels(constant_values: Any, dtype: AnyDType, n: int) -> AnyArray:
    """Return n elements, one for each channel, by NumPy's rules of assignment."""
    values = _values_of_channels("constant_values", constant_values, n)
    if any(map(is_listed, values)):
        raise RankError.about("constant_values", "have one value for each channel", constant_values)
    return _assigned("constant_values", dtype, list(np.array(values)), constant_values)


def _assigned(attribute: str, dtype: AnyDType, values: Sequence[Any], written: Any) -> AnyArray:
    """Return values as elements; NumPy assigns each value to its element."""
    elements = np.zeros(len(values), dtype)
    try:
        with np.errstate(all="ignore"):
            for i, value in enumerate(values):
                # With an integer as the index, NumPy would convert strings and bytes by other rules.
                elements[i : i + 1] = value
    except (TypeError, ValueError, OverflowError) as error:
        # The error is also of the type that NumPy raises, because callers may catch that.
        kind: type[FastopsError] = DTypeError if isinstance(error, TypeError) else AttributeValueError
        kind = kind.also(OverflowError) if isinstance(error, OverflowError) else kind
        raise kind.about(attribute, f"be a value that NumPy assigns to {named(dtype)}", written) from error
    return elements
