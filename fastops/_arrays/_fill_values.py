"""Fill values as elements of a dtype: one value for all outputs, or one for each stage, channel or side.

A dtype takes a value if it takes values of this kind, and if the element then means the same as the value: a float may
be rounded, but may not overflow. `numpy.pad` assigns its values by NumPy's rules instead.
"""

from __future__ import annotations

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
        return _encode_numbers("fill_value", dtype, sign_of_zero(value), value).array
    return value.array if type(value) is Element else _encode(dtype, value)


def _encode(dtype: AnyDType, value: Any) -> AnyArray:
    kind = kind_of(dtype)
    if value is None:
        if kind == "f" and np.zeros(1, dtype)[0] != 0:
            raise AttributeValueError.about("fill_value", f"be given, because {named(dtype)} has no zero", value)
        return np.zeros(1, dtype)
    if dtype.names is not None:
        is_record = isinstance(value, tuple) and len(value) == len(dtype.names)
        if not is_record and not isinstance(value, np.void | np.ndarray):
            raise DTypeError.about("fill_value", f"be a scalar of {named(dtype)}, or a tuple of its fields", value)
        return _assigned("fill_value", dtype, [value], value)
    scalar = plain_values("fill_value", value)
    if isinstance(scalar, date | timedelta):
        scalar = np.datetime64(scalar) if isinstance(scalar, date) else np.timedelta64(scalar)
    if isinstance(scalar, int) and not -(2**63) <= scalar < 2**64:
        if kind not in "fc" or abs(scalar) > float(np.finfo(float).max):
            raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
        scalar = float(scalar)
    # Do not convert lists: a range may be longer than memory.
    given = None if is_listed(scalar) else np.asarray(scalar)
    if given is None or given.ndim:
        raise AttributeValueError.about("fill_value", _SCALAR_RULE, value)
    kinds = _TAKES.get(kind, kind)
    if given.dtype.hasobject or kind_of(given.dtype) not in kinds:
        raise DTypeError.about("fill_value", f"be {_NAMES.get(kinds, 'left out')}, for data of {named(dtype)}", value)
    # ml_dtypes cannot convert between some of its own types.
    given = np.asarray(given.item()) if given.dtype != dtype and is_ml_dtype(given.dtype) else given
    element = _assigned("fill_value", dtype, [given], value)
    if given.dtype != dtype and not _means_the_same(given, element):
        raise AttributeValueError.about("fill_value", f"be a value that {named(dtype)} can express", value)
    return element


@np.errstate(all="ignore")
def _means_the_same(given: AnyArray, element: AnyArray) -> bool:
    """True if an element equals the scalar that it was made of, apart from the rounding of floats."""
    dtype, kind = element.dtype, kind_of(element.dtype)
    if kind in "biu":
        return bool(element.item() == given.item())
    if kind not in "fc":
        # NumPy does not cast void to bytes, and keeps the order of bytes where it casts times to no unit.
        back = (element.astype(dtype.newbyteorder("=")).astype(given.dtype) if kind in "MmU" else element).tobytes()
        return back.rstrip(b"\0") == given.tobytes().rstrip(b"\0")
    # The real and the imaginary part of the scalar, then of the element, in the widest type.
    parts = np.array([given.astype("G"), element[0].astype("G")]).view("g")
    # A type without infinity converts larger numbers to its largest one.
    is_cut = is_ml_dtype(dtype) and kind == "f" and float(ml_dtypes.finfo(dtype).max) < abs(parts[0]) < np.inf  # type: ignore[no-untyped-call]
    parts[np.isfinite(parts)] = 0
    return not is_cut and np.array_equal(parts[:2], parts[2:], equal_nan=True)


def encode_fills(dtype: AnyDType, fills: int, fill_value: Any) -> Element:
    """Return an element for each of ``fills`` slots, from one value for all slots or from a list of one for each."""
    if not is_channel_list(fill_value, dtype):
        element = np.zeros(1, dtype) if fill_value is None and fills == 0 else encode_fill(dtype, fill_value)
        return Element(element.repeat(max(fills, 1)))
    if len(fill_value) != fills:
        raise AttributeValueError.about("fill_value", f"be one value, or a list of {fills}", fill_value)
    return _encode_each("fill_value", dtype, None, *fill_value)


def encode_channels(attribute: str, given: Any, dtype: AnyDType, n: int) -> Element:
    """Return n elements, one for each channel, by the rules of `_encode_each`."""
    values = plain_values(attribute, given)
    if getattr(values, "ndim", 1) != 1 or len(values) != n:
        rule = f"be a scalar, or a list of {shown(n)}, as many as the result has along channel_axis"
        raise AttributeValueError.about(attribute, rule, given)
    if attribute == "constant_values" and any(map(is_listed, values)):
        raise RankError.about(attribute, "have one value for each channel", given)
    if all(map(is_plain_number, values)):
        return _encode_numbers(attribute, dtype, tuple(map(sign_of_zero, values)), *values)
    return _encode_each(attribute, dtype, None, *values)


def _encode_each(attribute: str, dtype: AnyDType, _signs: object, *values: Any) -> Element:
    """Return values as elements, by the rules of `encode_fill`, or of NumPy if the attribute is constant_values.

    Signs of zeros tell -0.0 from 0.0, which are equal keys of a cache.
    """
    each = list(np.array(values)) if attribute == "constant_values" else [_encode(dtype, value) for value in values]
    return Element(_assigned(attribute, dtype, each, values))


_encode_numbers = lru_cache(CACHE_SIZE, typed=True)(_encode_each)


def is_channel_list(fill_value: Any, dtype: Any) -> bool:
    """True for a list of fill values; a tuple is one value if the dtype of data has fields."""
    return is_listed(fill_value) and not (type(fill_value) is tuple and getattr(dtype, "names", None) is not None)


def as_pixels(array: AnyArray, n: int) -> AnyArray | None:
    """Return a view with the last axis, of extent n, as one element; None if this axis is not contiguous."""
    width = array.itemsize
    has_pixels = array.ndim > 0 and array.shape[-1] == n > 0 and width > 0 and (n == 1 or array.strides[-1] == width)
    return array.view(f"V{n * width}") if has_pixels else None


#: Rules of pads contain these words; an error on data of a known rank shows the number of axes instead.
EACH_AXIS = "each axis"

# `numpy.pad` takes a value for each side, but not one for each channel.
_VALUES = f"be a scalar, one pair of them, or a pair for {EACH_AXIS} (for one value per channel, give channel_axis)"


def as_pairs(attribute: str, rule: str, values: AnyArray, rank: int) -> list[Any]:
    """Return a pair of values for each axis, by NumPy's rules.

    As in `numpy.pad`, one value or one pair stays NumPy scalars, and longer lists become Python scalars: NumPy assigns
    the two kinds of scalars by different rules.
    """
    if values.ndim < 3 and (values.size == 1 or (values.size == 2 and values.shape != (2, 1))):
        return [(values.flat[0], values.flat[-1])] * rank
    try:
        return [*np.broadcast_to(values, (rank, 2)).tolist()]
    except ValueError:
        own_rule = rule.replace(EACH_AXIS, f"each of data's {counted(rank, 'axis')}")
        raise AttributeValueError.about(attribute, own_rule, (values,)) from None


def elements_of(dtype: AnyDType, rank: int, given: Any) -> Element:
    """Return one element if all sides have the same value, or else two elements for each axis."""
    if rank and is_plain_number(given):
        return _encode_numbers("constant_values", dtype, sign_of_zero(given), given)
    # A range may be longer than memory; one value more than pads can have is enough for the error.
    written = given[: MOST_INDICES + 1] if type(given) is range else plain_values("constant_values", given)
    try:
        values = np.asarray(written)
    except ValueError as error:
        # The lists have several lengths.
        raise RankError.about("constant_values", _VALUES, given) from error
    pairs = as_pairs("constant_values", _VALUES, values, rank)
    elements = _assigned("constant_values", dtype, [value for pair in pairs for value in pair], values)
    return Element(elements[:1] if elements.tobytes() == elements[:1].tobytes() * elements.size else elements)


def _assigned(attribute: str, dtype: AnyDType, values: list[Any], written: Any) -> AnyArray:
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
