"""Inputs: what callers pass as data, as a plain array that can be moved."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from fastops._arrays._byte_strides import LARGEST_SPAN, is_spannable, span_of
from fastops._arrays._dtypes import AnyArray, check_movable
from fastops._arrays._foreign import check_listed, data_kind, labelled_array
from fastops._arrays._outputs import MOST_AXES, is_array
from fastops._arrays._pins import pin
from fastops._errors import AttributeValueError, DTypeError
from fastops._types import Data, DataOf

# Lists of more elements than that would take minutes to be read, and 16 GiB for their own references.
_MOST_LISTED = 1 << 31

_IS_ARRAY = "be an array, or nested lists of one shape"
_NO_COPY = "be True or None for data that is not an array in memory"


def as_source(data: Data | DataOf[Any], *, may_copy: bool = True) -> tuple[AnyArray, Any]:
    """Return data as a plain ndarray that can be moved, without subclass and mask, and its pin.

    It is a view that nobody else has: other threads may give the caller's array another shape or type, not the view.
    """
    array: Any = data if is_array(data) else _as_array(data, may_copy=may_copy)
    pinned = pin(array)
    source: AnyArray = np.ndarray.view(array, np.ndarray)
    if source.dtype.hasobject or source.dtype.names is not None:
        check_movable("data", source.dtype)
    return source, pinned


def check_span(shape: tuple[int, ...], byte_strides: tuple[int, ...], width: int) -> tuple[int, int]:
    """Return the `span_of` a source; raise if elements lie further from each other than memory is long."""
    span = span_of(shape, byte_strides, width)
    if not is_spannable(span):
        raise AttributeValueError.about("data", f"span at most {LARGEST_SPAN} bytes", f"byte strides {byte_strides}")
    return span


def _as_array(data: Any, *, may_copy: bool) -> AnyArray:
    is_listed = list_type(data) is not None
    if is_listed:
        _check_lists(data)
        if not may_copy:
            raise AttributeValueError.about("copy", _NO_COPY, False)
    elif data_kind(data) == "labelled":
        return labelled_array(data)
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
        if is_listed:
            raise DTypeError.about("data", _IS_ARRAY, data) from error
        # Of an object's own code.
        raise


def list_type(value: Any) -> type[list[Any] | tuple[Any, ...] | deque[Any]] | None:
    """Return the type of lists that a value is of, be it by inheritance, whatever it says itself; None for others."""
    kind = type(value)
    return next((base for base in (list, tuple, deque) if issubclass(kind, base)), None)


def _check_lists(data: Any) -> None:
    """Raise for lists that hold themselves or each other so often that NumPy would never have read them all."""
    n, depth, each = 1, 0, data
    while (kind := list_type(each)) is not None and kind.__len__(each):
        n, depth, each = n * kind.__len__(each), depth + 1, kind.__getitem__(each, 0)
        if n > _MOST_LISTED or depth > MOST_AXES:
            rule = f"be nested lists of at most 2^31 elements and {MOST_AXES} axes"
            raise AttributeValueError.about("data", rule, data)
    check_listed(each)
