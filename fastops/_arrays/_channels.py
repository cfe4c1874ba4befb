"""Values of channels: one fill value for each index along an axis, and pixels, which are one element each."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import encode_fill, plain_values
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import is_listed
from fastops._settings import CACHE_SIZE


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
    return _encode_ints(dtype, tuple(values)) if {*map(type, values)} == {int} else _encode(dtype, values)


def _encode(dtype: AnyDType, values: Any) -> AnyArray:
    elements = b"".join([encode_fill(dtype, value).tobytes() for value in values])
    return np.frombuffer(elements, dtype) if dtype.itemsize else np.zeros(len(values), dtype)


_encode_ints = lru_cache(CACHE_SIZE)(_encode)


@lru_cache(CACHE_SIZE)
def _pixel_type(width: int) -> AnyDType:
    return np.dtype((np.void, width))


def as_pixels(array: AnyArray, n: int) -> AnyArray | None:
    """Return a view whose last axis, of extent n, is one element; None where its elements are apart in memory."""
    width = array.itemsize
    if not array.ndim or array.shape[-1] != n or not n or not width or (n > 1 and array.strides[-1] != width):
        return None
    return array.view(_pixel_type(n * width))
