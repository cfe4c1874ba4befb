"""Arrays of integers that callers write: starts, strides and items of windows."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, kind_of
from fastops._arrays._outputs import is_array
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, RankError
from fastops._geometry._numbers import (
    as_index,
    as_indices,
    is_boolean,
    is_masked,
    is_plain_list,
    is_sequence,
    is_tensor,
    typed_integer,
    unreadable,
)
from fastops._geometry._numbers import kind_of as kind_of_value

_INT64 = np.dtype(np.int64)


def as_rows(attribute: str, value: Any, columns: int, what: str) -> AnyArray:
    """Return an array of shape (N, columns) of any integer type, or a list of lists of integers, as int64.

    It is C-contiguous, and nobody else's.

    Raises
    ------
    DTypeError
        Something is no integer: floats and booleans are not taken for one.
    AttributeValueError
        It has another number of dimensions, or of columns.
    OutOfBoundsError
        An integer does not fit.
    """
    if type(value) is np.ndarray and value.dtype is _INT64 and value.shape[1:] == (columns,):
        own = np.array(value, order="C")
        # Another thread may give the caller's array another shape or type, not the copy.
        if own.ndim == 2 and own.shape[1] == columns and own.dtype is _INT64:
            return own
    rule = f"have shape (N, {columns}): for each window {what}"
    array = _as_integer_array(attribute, value, rule)
    if array is None:
        if not is_sequence(value):
            raise DTypeError.about(attribute, "be an array of integers", value)
        # All rows of a list before the first is read, which may change it. A range is as long as it likes.
        listed = tuple(value) if is_plain_list(value) else value
        rows = [as_indices(attribute, row) for row in listed if _is_row(attribute, row, rule, value)]
        if any([len(row) != columns for row in rows]):
            raise AttributeValueError.about(attribute, rule, value)
        return _as_words(attribute, value, rows).reshape(len(rows), columns)
    if array.ndim != 2 or array.shape[1] != columns:
        raise AttributeValueError.about(attribute, rule, value)
    return _as_words(attribute, value, array)


def as_column(attribute: str, value: Any, n: int) -> AnyArray:
    """Return an array of shape (n,) of any integer type, or a list of integers, as int64; raises as `as_rows`."""
    rule = f"have shape ({n},): one for each window"
    array = _as_integer_array(attribute, value, rule)
    if array is None:
        if not is_sequence(value):
            raise DTypeError.about(attribute, "be an array of integers", value)
        try:
            column = [as_index(attribute, element) for element in tuple(islice(value, n + 1))]
        except AttributeValueError as error:
            # Of lists in the list; anything else, the caller's own code may have raised.
            if error.op or not isinstance(error, RankError):
                raise
            raise AttributeValueError.about(attribute, rule, value) from None
        if len(column) != n:
            raise AttributeValueError.about(attribute, rule, value)
        return _as_words(attribute, value, column)
    if array.shape != (n,):
        raise AttributeValueError.about(attribute, rule, value)
    return _as_words(attribute, value, array)


def _is_row(attribute: str, row: Any, rule: str, whole: Any) -> bool:
    if is_sequence(row) or getattr(row, "shape", ()) != ():
        return True
    if is_boolean(row) or (typed_integer(row) is None and not hasattr(type(row), "__index__")):
        raise DTypeError.about(attribute, "hold integers only", whole)
    raise AttributeValueError.about(attribute, rule, whole)


def _as_integer_array(attribute: str, value: Any, rule: str) -> AnyArray | None:
    """Return a plain array of integers; None for lists, and for arrays of objects, which are read one by one."""
    if not is_array(value):
        dtype = getattr(value, "dtype", None)
        if dtype is None or is_sequence(value):
            return None
        if hasattr(type(value), "__dask_graph__"):
            raise AttributeValueError.about(attribute, "be computed before the call", type(value))
        value = _array_of_tensor(attribute, value) if is_tensor(value) else np.asarray(value)
    if is_masked(value):
        raise DTypeError.about(attribute, "be an array of integers, without a mask", value)
    array: AnyArray = np.ndarray.view(value, np.ndarray)
    if array.dtype.hasobject:
        if array.ndim == 0:
            raise AttributeValueError.about(attribute, rule, value)
        return None if array.ndim > 2 else _from_objects(attribute, array)
    if kind_of(array.dtype) not in "iu":
        raise DTypeError.about(attribute, "be an array of integers", value)
    return array


def _array_of_tensor(attribute: str, tensor: Any) -> AnyArray:
    """Return a tensor of integers as an array; NumPy does not know all other types, nor those that have gradients."""
    if kind_of_value(tensor) not in "iu":
        raise DTypeError.about(attribute, "be an array of integers", tensor)
    try:
        return np.asarray(tensor)
    except (RuntimeError, TypeError) as error:
        raise unreadable(attribute, tensor) from error


def _from_objects(attribute: str, array: AnyArray) -> AnyArray:
    """Return an array of objects that are all integers, as such: those that do not fit 64 bits stay objects."""
    for element in array.ravel().tolist():
        as_index(attribute, element)
    return array


def _as_words(attribute: str, whole: Any, integers: Any) -> AnyArray:
    """Return integers as int64; raise for those that do not fit."""
    rule = "hold integers of 64 bits, with their sign"
    try:
        words = np.array(integers, np.int64, order="C")
    except OverflowError as error:
        raise OutOfBoundsError.about(attribute, rule, whole) from error
    if getattr(integers, "dtype", None) == np.uint64 and (words < 0).any():
        raise OutOfBoundsError.about(attribute, rule, whole)
    return words
