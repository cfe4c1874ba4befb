"""Ranges: numbers that callers write, and ranges whose inputs have a type of their own."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType, bits_of, kind_of
from fastops._errors import AttributeValueError, DTypeError, named
from fastops._geometry._numbers import is_hidden, is_of
from fastops._geometry._range_geometry import RangeGeometry
from fastops.kernels._arithmetic import count_between


def as_number(attribute: str, value: Any) -> int | float:
    """Return a real scalar by its own value: integers stay integers, exactly."""
    if type(value) is int or type(value) is float:
        return value
    dtype = getattr(value, "dtype", None)
    if is_of(value, list, tuple) or (isinstance(dtype, np.dtype) and np.ndim(value) != 0):
        raise AttributeValueError.about(attribute, "be a scalar", value)
    plain_type = _plain_type(value, dtype)
    if plain_type is None or not hasattr(type(value), "__float__") or is_hidden(value):
        raise DTypeError.about(attribute, "be a real number", value)
    # Subclasses may compare and hash as they like; plain numbers do not.
    return plain_type(value)


def _plain_type(value: Any, dtype: Any) -> type[int] | type[float] | None:
    """The type of Python that a scalar is a number of; None for what is no real number."""
    if isinstance(dtype, np.dtype):
        kind = kind_of(dtype)
        if kind == "f" and dtype.itemsize > 8 and np.isfinite(value) and value == np.floor(value):
            # float64 may have no such integer.
            return int
        return int if kind in "iu" else float if kind == "f" else None
    if is_of(value, int):
        return None if is_of(value, bool) else int
    return float if is_of(value, float) else None


def check_float_range(**numbers: int | float) -> None:
    """Raise if a number is an integer that no float64 is near to."""
    for attribute, number in numbers.items():
        if isinstance(number, int) and number.bit_length() > 1023:
            raise AttributeValueError.about(attribute, "be below 2^1023 for a float output type", number)


def lower_typed_range(
    start: tuple[str, Any], stop: tuple[str, Any], step: tuple[str, Any], dtype: AnyDType, *, is_precise: bool
) -> RangeGeometry:
    """Return the geometry of a range whose inputs have its own type, T; each is a name and a value, rounded to T.

    Integers are exact. Floats are counted as frameworks do: ``ceil((stop - start) / step)``, computed in T, or in
    float64 where the count ``is_precise``. An infinite step gives no element, or NaNs.
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
    """Return a number as a scalar of a type: rounded to a float, and exactly to an integer."""
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
