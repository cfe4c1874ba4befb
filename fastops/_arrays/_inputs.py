"""Inputs: what callers pass as data, as a plain array that can be moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._arrays._byte_strides import LARGEST_SPAN, is_spannable, span_of, without_far_strides
from fastops._arrays._dtypes import AnyArray, check_movable
from fastops._arrays._foreign import check_listed, data_kind, innermost, labelled_array
from fastops._arrays._pins import pin
from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._numbers import is_listed
from fastops._types import Data, DataOf

_IS_ARRAY = "be an array, or nested lists of one shape"
_NO_COPY = "be True or None for data that is not an array in memory"


def as_source(data: Data | DataOf[Any], *, may_copy: bool = True) -> tuple[AnyArray, Any]:
    """Return data as a plain ndarray that can be moved, without subclass and mask, and its pin.

    It is a view that nobody else has: other threads may give the caller's array another shape or type, not the view.
    """
    array: Any = data if isinstance(data, np.ndarray) else _as_array(data, may_copy=may_copy)
    pinned = pin(array)
    source: AnyArray = without_far_strides(np.ndarray.view(array, np.ndarray))
    check_movable("data", source.dtype)
    return source, pinned


def check_span(shape: tuple[int, ...], byte_strides: tuple[int, ...], width: int) -> tuple[int, int]:
    """Return the `span_of` a source; raise if elements lie further from each other than memory is long."""
    span = span_of(shape, byte_strides, width)
    if not is_spannable(span):
        raise AttributeValueError.about("data", f"span at most {LARGEST_SPAN} bytes", f"byte strides {byte_strides}")
    return span


def _as_array(data: Any, *, may_copy: bool) -> AnyArray:
    if data_kind(data) == "labelled":
        return labelled_array(data)
    is_list = is_listed(data)
    if is_list:
        check_listed(innermost(data))
    try:
        array = np.asarray(data) if may_copy else np.asarray(data, copy=False)
        if array.dtype.hasobject and array.ndim == 0:
            # NumPy makes this of what it knows nothing of, as None.
            raise DTypeError.about("data", _IS_ARRAY, data)
        return array
    except MemoryError as error:
        raise AttributeValueError.about("data", "fit in memory as an array", data) from error
    except ValueError as error:
        if not may_copy:
            raise AttributeValueError.about("copy", _NO_COPY, False) from error
        if is_list:
            raise DTypeError.about("data", _IS_ARRAY, data) from error
        # Of an object's own code.
        raise
