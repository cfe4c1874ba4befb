"""Inputs: find the kind of data, make data a plain array, and list the indices that a plan reads.

The type of data decides its kind. This module imports no package of data, such as PyTorch: a caller with such data has
imported the package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastops._arrays._dtypes import AnyArray, check_movable, without_far_strides
from fastops._arrays._outputs import MOST_AXES, pin, too_large
from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._geometry._geometry import Geometry, axis_number, size_of, windows_of
from fastops._geometry._map_composition import cycle_of, read_from, runs_of
from fastops._geometry._numbers import is_listed
from fastops._types import Data, DataOf

# The module that defines a class of data, the name of the class there, and the kind of its objects.
_KINDS = (
    ("torch", "Tensor", "tensor"),
    ("dask.array", "Array", "dask"),
    ("h5py", "Dataset", "stored"),
    ("h5py", "Group", "stored"),
    ("zarr", "Array", "stored"),
    ("zarr", "Group", "stored"),
    ("xarray", "DataArray", "labelled"),
    ("xarray", "Variable", "labelled"),
)


def data_kind(data: Any) -> str | None:
    """Return the kind of data; None for arrays, and for lists and numbers, which become arrays.

    Examples
    --------
    >>> data_kind([1, 2]) is None
    True
    """
    for module, name, kind in _KINDS:
        if isinstance(data, getattr(sys.modules.get(module), name, ())):
            return kind
    return None


def check_equal(kind: str, what: str, values: Sequence[Any]) -> None:
    """Raise unless all ``values`` are equal; they are the dtypes or the ranks of the items of a list of data."""
    for n, value in enumerate(values):
        if value != values[0]:
            rule = f"have {kind}s of one {what}, {values[0]}, but {kind} {n} has another"
            raise AttributeValueError.about("data", rule, value)


def check_listed(data: Any) -> None:
    """Raise for an element of a list that NumPy must not put into an array: a tensor, or data not in memory."""
    kind = data_kind(data)
    if kind == "labelled":
        labelled_array(data)
    elif kind is not None:
        # NumPy would read tensors number by number, compute whole dask arrays, and read whole files.
        rule = "be one array, or a list of arrays in memory"
        if kind == "tensor":
            rule = "be one tensor, as torch.stack makes one of several"
        raise AttributeValueError.about("data", rule, type(data))


def innermost(data: Any) -> Any:
    """Follow the first items of nested lists; return the first that is no list or is empty."""
    # A list may hold itself, so stop at the most axes of an array.
    for _ in range(MOST_AXES):
        if not isinstance(data, list | tuple) or not data:
            break
        data = data[0]
    return data


def is_far(data: Any) -> bool:
    """True for tensors, arrays of dask and data in files, and for lists of these."""
    first = innermost(data)
    kind = data_kind(first)
    return kind is not None and not (kind == "labelled" and _is_in_memory(first))


def labelled_array(data: Any) -> AnyArray:
    """Return data of xarray as an array; raise unless it is in memory."""
    if not _is_in_memory(data):
        rule = "be in memory, or an array of dask: pass its .data, or the function to xarray.apply_ufunc"
        raise AttributeValueError.about("data", rule, type(data))
    return np.asarray(data)


def _is_in_memory(data: Any) -> bool:
    # Without chunks, no public attribute tells data in a file from data in memory.
    return data.chunks is None and getattr(getattr(data, "variable", data), "_in_memory", True)


_IS_ARRAY = "be an array, or nested lists of one shape"


def as_source(data: Data | DataOf[Any], *, may_copy: bool = True) -> tuple[AnyArray, Any]:
    """Return data as a plain ndarray, without subclass and mask, and its pin; raise for elements with references.

    The array is a view that nobody else refers to, because another thread may change the shape or the type of the
    caller's array.
    """
    array: Any = data if isinstance(data, np.ndarray) else _as_array(data, may_copy=may_copy)
    pinned = pin(array)
    source: AnyArray = without_far_strides(np.ndarray.view(array, np.ndarray))
    check_movable("data", source.dtype)
    return source, pinned


def _as_array(data: Any, *, may_copy: bool) -> AnyArray:
    if data_kind(data) == "labelled":
        return labelled_array(data)
    is_list = is_listed(data)
    if is_list:
        check_listed(innermost(data))
    try:
        array = np.asarray(data) if may_copy else np.asarray(data, copy=False)
        if array.dtype.hasobject and array.ndim == 0:
            # NumPy makes an array of rank 0 of an object that it does not know, such as None.
            raise DTypeError.about("data", _IS_ARRAY, data)
        return array
    except MemoryError as error:
        raise AttributeValueError.about("data", "fit in memory as an array", data) from error
    except ValueError as error:
        if not may_copy:
            raise AttributeValueError.about("copy", "be True or None for data that is no array", False) from error
        if is_list:
            raise DTypeError.about("data", _IS_ARRAY, data) from error
        # The code of the object has raised the error.
        raise


_OP = "SlicePlan.indices"


def indices_of(geometry: Geometry, axis: int) -> NDArray[np.int64]:
    """Return the index that each output along an axis reads, for `SlicePlan.indices`."""
    k = axis_number(_OP, geometry, axis)
    mapped, (_, offset, step) = geometry.axes[k], windows_of(geometry)[k]
    if not size_of(geometry):
        return np.empty(0, np.int64)
    if max(0, mapped.extent, *geometry.source_shape) > np.iinfo(np.int64).max:
        raise AttributeValueError(_OP, "axis", "be of a source whose extents are below 2^63", axis)
    # For a periodic mode, compute one cycle and repeat it.
    count, cycle = mapped.count, cycle_of(mapped)
    if cycle is not None and cycle < count:
        mapped = read_from(mapped, 0, 1, cycle)
    try:
        parts = [
            np.full(n, -1) if first is None else first + np.arange(n) * (stride if n > 1 else 0)
            for n, first, stride in (run.moved(offset, step) for run in runs_of(mapped))
        ]
        indices: NDArray[np.int64] = np.concatenate(parts)
        return indices if mapped.count == count else np.resize(indices, count)
    except (MemoryError, ValueError, OverflowError) as error:
        too_many: FastopsError = too_large((count,), np.dtype(np.int64))
        too_many.add_context(_OP, {})
        raise too_many from error
