"""Values of sides: what NumPy pads with, one for all sides of an array or one for each, by its rules of assignment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element, is_plain_number, plain_values
from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError, counted
from fastops._geometry._numbers import MOST_INDICES, sign_of_zero
from fastops._settings import CACHE_SIZE

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
