"""Ranges: readers of their numbers, and the geometry of ranges whose inputs are rounded to the type of the result."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType, bits_of, kind_of
from fastops._errors import AttributeValueError, DTypeError, named
from fastops._geometry._numbers import find_integer, is_hidden, is_listed
from fastops._geometry._range_and_windows import RangeGeometry
from fastops.kernels._arithmetic import count_between


def as_number(attribute: str, value: Any) -> int | float:
    """Return a real number as an int or a float of Python; integers stay exact."""
    if type(value) is int or type(value) is float:
        return value
    if is_listed(value):
        raise AttributeValueError.about(attribute, "be a scalar", value)
    integer = find_integer(attribute, value)
    if integer is not None:
        return integer
    dtype = getattr(value, "dtype", None)
    is_float = kind_of(dtype) == "f" if isinstance(dtype, np.dtype) else isinstance(value, float)
    if not is_float or is_hidden(value):
        raise DTypeError.about(attribute, "be a real number", value)
    if isinstance(value, np.longdouble) and np.isfinite(value) and value == np.floor(value):
        # float64 may not be able to express this integer.
        return int(value)
    return float(value)


def check_float_range(**numbers: int | float) -> None:
    """Raise for integers of more than 1023 bits, which are near the end of float64's range or beyond it."""
    for attribute, number in numbers.items():
        if isinstance(number, int) and number.bit_length() > 1023:
            raise AttributeValueError.about(attribute, "be between -2^1023 and 2^1023 for a float output type", number)


def lower_typed_range(
    start: tuple[str, Any], stop: tuple[str, Any], step: tuple[str, Any], dtype: AnyDType, *, is_precise: bool
) -> RangeGeometry:
    """Return the geometry of a range whose inputs are rounded to its type T; an input is a name and a value.

    Integers are exact. A range of floats has ``ceil((stop - start) / step)`` elements, computed in T or, with
    ``is_precise``, in float64.
    """
    numbers = [round_number(name, value, dtype) for name, value in (start, stop, step)]
    first, last, by = numbers
    if by == 0:
        raise AttributeValueError.about(step[0], "not be 0", step[1])
    if kind_of(dtype) in "iu":
        return RangeGeometry(int(first), int(by), count_between(int(first), int(last), int(by)))
    with np.errstate(all="ignore"):
        ratio = (float(last) - float(first)) / float(by) if is_precise else float((last - first) / by)
    for (name, value), number in zip((start, stop, step), numbers, strict=True):
        if np.isnan(number):
            raise AttributeValueError.about(name, "not be NaN", value)
        if np.isinf(number) and ratio != 0:
            raise AttributeValueError.about(name, "be finite", value)
    if not np.isfinite(ratio):
        raise AttributeValueError.about(step[0], "give a number of elements that its type can express", step[1])
    count = max(ceil(ratio), 0)
    return RangeGeometry(float(first), float(by), count) if count else RangeGeometry(0.0, 1.0, 0)


def round_number(attribute: str, value: Any, dtype: AnyDType) -> Any:
    """Return a number as a scalar of a type; a float type rounds it, an integer type must express it exactly."""
    number = as_number(attribute, value)
    if kind_of(dtype) in "iu":
        if not isinstance(number, int):
            raise DTypeError.about(attribute, f"be an integer, for a range of {named(dtype)}", value)
        lowest = -(1 << (bits_of(dtype) - 1)) if kind_of(dtype) == "i" else 0
        if not lowest <= number < lowest + (1 << bits_of(dtype)):
            raise AttributeValueError.about(attribute, f"be a value that {named(dtype)} can express", value)
        return number
    check_float_range(**{attribute: number})
    with np.errstate(all="ignore"):
        return np.asarray(number, np.float64).astype(dtype)[()]
