"""Arrays of integers that callers write: starts, strides and items of windows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, kind_of
from fastops._arrays._outputs import is_array
from fastops._errors import AttributeValueError, DTypeError, RankError
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

_NONE_BEYOND: dict[int, tuple[int, ...]] = {}

_LEAST, _LARGEST = -(2**63), 2**63 - 1


class Integers(NamedTuple):
    """Integers in rows.

    Attributes
    ----------
    array : ndarray of int64
        C-contiguous, nobody else's. What does not fit is the nearest number that does.
    beyond : dict of int to tuple of int
        The rows that have such integers, by their number.
    """

    array: AnyArray
    beyond: dict[int, tuple[int, ...]]

    def row(self, n: int) -> tuple[int, ...]:
        """Row n as Python integers."""
        found = self.beyond.get(n)
        return tuple(self.array[n].tolist()) if found is None else found


def as_rows(attribute: str, value: Any, columns: int, what: str) -> Integers:
    """Return an array of shape (N, columns) of any integer type, or a list of lists of integers.

    Raises
    ------
    DTypeError
        Something is no integer: floats and booleans are not taken for one.
    AttributeValueError
        It has another number of dimensions, or of columns.
    """
    if type(value) is np.ndarray and value.dtype is _INT64 and value.shape[1:] == (columns,):
        own = np.array(value, order="C")
        # Another thread may give the caller's array another shape or type, not the copy.
        if own.ndim == 2 and own.shape[1] == columns and own.dtype is _INT64:
            return Integers(own, _NONE_BEYOND)
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
        return _from_rows(rows, columns)
    if array.ndim != 2 or array.shape[1] != columns:
        raise AttributeValueError.about(attribute, rule, value)
    return _as_words(array)


def as_column(attribute: str, value: Any, n: int) -> Integers:
    """Return an array of shape (n,) of any integer type, or a list of integers, in rows of one; raises as `as_rows`."""
    rule = f"have shape ({n},): one for each window"
    array = _as_integer_array(attribute, value, rule)
    if array is None:
        if not is_sequence(value):
            raise DTypeError.about(attribute, "be an array of integers", value)
        try:
            column = _from_rows([(as_index(attribute, element),) for element in tuple(islice(value, n + 1))], 1)
        except AttributeValueError as error:
            # Of lists in the list; anything else, the caller's own code may have raised.
            if error.op or not isinstance(error, RankError):
                raise
            raise AttributeValueError.about(attribute, rule, value) from None
        if len(column.array) != n:
            raise AttributeValueError.about(attribute, rule, value)
        return column
    if array.shape != (n,):
        raise AttributeValueError.about(attribute, rule, value)
    return _as_words(array.reshape(n, 1))


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


def _as_words(array: AnyArray) -> Integers:
    """Return integers of any type, in rows, as int64."""
    if array.dtype == np.int64:
        return Integers(np.array(array, np.int64, order="C"), _NONE_BEYOND)
    if array.dtype.hasobject:
        return _from_rows([tuple(map(int, row)) for row in array.tolist()], array.shape[1])
    beyond: dict[int, tuple[int, ...]] = {}
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        too_large = array > _LARGEST
        if too_large.any():
            for n in np.flatnonzero(too_large.any(axis=1)).tolist():
                beyond[n] = tuple(map(int, array[n].tolist()))
            array = np.minimum(array, _LARGEST)
    return Integers(np.array(array.astype(np.int64), order="C"), beyond)


def _from_rows(rows: Sequence[tuple[int, ...]], columns: int) -> Integers:
    beyond = {n: row for n, row in enumerate(rows) if row and not _LEAST <= min(row) <= max(row) <= _LARGEST}
    fitting = [tuple([min(max(each, _LEAST), _LARGEST) for each in row]) for row in rows] if beyond else rows
    return Integers(np.array(fitting, np.int64).reshape(len(rows), columns), beyond)
