"""Arrays of integers that callers write: starts, strides and items of windows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, RankError
from fastops._geometry._numbers import as_index, as_indices, is_listed, is_masked, kind_of, numbers_of


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
    return _as_array(attribute, value, (None, columns), what, as_indices)


def as_column(attribute: str, value: Any, n: int) -> AnyArray:
    """Return an array of shape (n,) of any integer type, or a list of integers, as int64; raises as `as_rows`."""
    return _as_array(attribute, value, (n,), "one for each window", as_index)


def _as_array(
    attribute: str, value: Any, shape: tuple[int | None, ...], what: str, read: Callable[[str, Any], Any]
) -> AnyArray:
    """Return integers as int64, of a shape whose first length may be open; ``read`` reads an element of a list."""
    dtype = getattr(value, "dtype", None)
    is_integral = is_listed(value) if dtype is None else kind_of(dtype) in "iu"
    if not is_integral or (type(value) is not np.ndarray and is_masked(value)):
        raise DTypeError.about(attribute, "be an array of integers, without a mask", value)
    if dtype is not None:
        # A view: another thread may give the caller's array another shape or type.
        array = (value if type(value) is np.ndarray else numbers_of(attribute, value, np.asarray))[...]
    else:
        array = _of_list(attribute, value, shape, read)
    if array is None or array.ndim != len(shape) or array.shape[1:] != shape[1:] or shape[0] not in (None, len(array)):
        rule = f"have shape {str(shape).replace('None', 'N')}: {what}"
        raise AttributeValueError.about(attribute, rule, value)
    try:
        words = np.array(array, np.int64, order="C")
        if array.dtype.kind == "u" and (words < 0).any():
            raise OverflowError
    except OverflowError as error:
        raise OutOfBoundsError.about(attribute, "hold integers of 64 bits, with their sign", value) from error
    return words


def _of_list(
    attribute: str, value: Any, shape: tuple[int | None, ...], read: Callable[[str, Any], Any]
) -> AnyArray | None:
    """Return what a list holds as objects, which integers of any size are; None for a list of another shape."""
    # A range is as long as it likes.
    most = None if shape[0] is None else shape[0] + 1
    try:
        listed = [read(attribute, each) for each in islice(value, most)]
    except RankError:
        return None
    if len(shape) > 1 and any([len(row) != shape[1] for row in listed]):
        return None
    return np.array(listed, object).reshape(len(listed), *shape[1:])
