"""Inputs: the kind of data, data as a plain array that can be moved, and the indices that plans read as arrays.

The kind is known by the type alone: no package of such data is imported before the caller has imported it.
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
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, axis_number, size_of, windows_of
from fastops._geometry._map_composition import cycle_of, runs_of
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
    """Return the kind of data; None for arrays, and for what is to be made one.

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
    """Raise unless all elements of a list of data have one dtype, or one rank; the value of each is given."""
    for n, value in enumerate(values):
        if value != values[0]:
            rule = f"have {kind}s of one {what}, {values[0]}, which {kind} {n} has not"
            raise AttributeValueError.about("data", rule, value)


def check_listed(data: Any) -> None:
    """Raise for data that lists, which are made one array, may not have as an element."""
    kind = data_kind(data)
    if kind == "tensor":
        # NumPy would read few types of tensors, number by number.
        raise AttributeValueError.about("data", "be one tensor, as torch.stack makes one of several", type(data))
    if kind in ("dask", "stored"):
        # NumPy would read all of it.
        raise AttributeValueError.about("data", "be one array, or a list of arrays in memory", type(data))
    if kind == "labelled":
        labelled_array(data)


def innermost(data: Any) -> Any:
    """Return the first element of lists, however deep they are; other data itself."""
    # A list may hold itself: stop at the number of axes that arrays may have.
    for _ in range(MOST_AXES):
        if not isinstance(data, list | tuple) or not data:
            break
        data = data[0]
    return data


def is_far(data: Any) -> bool:
    """True for data, or a list of it, that is no array in NumPy's memory: tensors, arrays of dask, files."""
    first = innermost(data)
    kind = data_kind(first)
    return kind is not None and not (kind == "labelled" and _is_in_memory(first))


def labelled_array(data: Any) -> AnyArray:
    """Return data with names of axes as an array; raise unless it is in memory."""
    if not _is_in_memory(data):
        rule = "be in memory, or an array of dask: pass its .data, or the function to xarray.apply_ufunc"
        raise AttributeValueError.about("data", rule, type(data))
    return np.asarray(data)


def _is_in_memory(data: Any) -> bool:
    # No public attribute tells data in a file, without chunks, from data in memory.
    return data.chunks is None and getattr(getattr(data, "variable", data), "_in_memory", True)


_IS_ARRAY = "be an array, or nested lists of one shape"
_NO_COPY = "be True or None for data that is not an array in memory"


def as_source(data: Data | DataOf[Any], *, may_copy: bool = True) -> tuple[AnyArray, Any]:
    """Return data as a plain ndarray that can be moved, without subclass and mask, and its pin.

    The array is a view that nobody else has: other threads may give the caller's array another shape or type, but not
    the view.
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
            # NumPy makes this of an object that it does not know, as None.
            raise DTypeError.about("data", _IS_ARRAY, data)
        return array
    except MemoryError as error:
        raise AttributeValueError.about("data", "fit in memory as an array", data) from error
    except ValueError as error:
        if not may_copy:
            raise AttributeValueError.about("copy", _NO_COPY, False) from error
        if is_list:
            raise DTypeError.about("data", _IS_ARRAY, data) from error
        # The object's own code has raised it.
        raise


_OP = "SlicePlan.indices"

# A run: how many outputs it has, the index that the first one reads, and the step to the next; -1 reads nothing.
_RUN = np.dtype([("count", np.int64), ("first", np.int64), ("stride", np.int64)])


def indices_of(geometry: Geometry, axis: int) -> NDArray[np.int64]:
    """Return what each output along an axis reads, as `SlicePlan.indices` does."""
    k = axis_number(_OP, geometry, axis)
    mapped, (_, offset, step) = geometry.axes[k], windows_of(geometry)[k]
    if not size_of(geometry):
        return np.empty(0, np.int64)
    if max(mapped.extent, *geometry.source_shape) > np.iinfo(np.int64).max:
        raise AttributeValueError(_OP, "axis", "be of a source whose extents are below 2^63", axis)
    # The runs of one cycle of a periodic mode, whatever the count is.
    cycle = min(cycle_of(mapped) or mapped.count, mapped.count)
    if type(mapped) is AxisMap and cycle < mapped.count:
        mapped = AxisMap.create(mapped.extent, mapped.start, mapped.stride, cycle, mapped.mode)
    try:
        found = (run.moved(offset, step) for run in runs_of(mapped))
        runs = np.fromiter(((n, -1, 0) if first is None else (n, first, stride) for n, first, stride in found), _RUN)
        ends = np.cumsum(runs["count"])
        indices = np.repeat(runs["stride"], runs["count"])
        # Each index is the sum of the steps to it; the first step of a run leads there from the end of the one before.
        lasts = runs["first"] + (runs["count"] - 1) * runs["stride"]
        indices[ends - runs["count"]] = runs["first"] - np.concatenate([[0], lasts[:-1]])
        np.cumsum(indices, out=indices)
        return indices if cycle == geometry.axes[k].count else np.resize(indices, geometry.axes[k].count)
    except (MemoryError, ValueError, OverflowError) as error:
        too_many: FastopsError = too_large((geometry.axes[k].count,), np.dtype(np.int64))
        too_many.add_context(_OP, {})
        raise too_many from error
