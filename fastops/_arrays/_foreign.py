"""Data that is no array of NumPy: which kind it is, by its type. Nothing is imported before such data exists."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._outputs import MOST_AXES
from fastops._errors import AttributeValueError

# The module that has defined the class of data, the name of the class there, and what its objects are: tensors, arrays
# of dask, data that is stored in files, or arrays with names of axes.
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


def check_listed(data: Any) -> None:
    """Raise for data that is not to be an element of lists that are made one array."""
    kind = data_kind(data)
    if kind == "tensor":
        # NumPy reads few types of them, number by number.
        raise AttributeValueError.about("data", "be one tensor, as torch.stack makes one of several", type(data))
    if kind in ("dask", "stored"):
        # All of a list would be read.
        raise AttributeValueError.about("data", "be one array, or a list of arrays in memory", type(data))
    if kind == "labelled":
        labelled_array(data)


def innermost(data: Any) -> Any:
    """Return the first element of lists, however deep they are; other data itself."""
    # As deep as arrays have axes: a list may hold itself, and NumPy says so.
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
    # One that is in a file, of no chunks, says so in no other way.
    return data.chunks is None and getattr(getattr(data, "variable", data), "_in_memory", True)
