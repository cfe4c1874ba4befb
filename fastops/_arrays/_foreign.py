"""Data that is no array of NumPy: which kind it is, by its type. Nothing is imported before such data exists."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
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


def labelled_array(data: Any) -> AnyArray:
    """Return data with names of axes as an array; raise unless it is in memory."""
    # One that is in a file, of no chunks, says so in no other way.
    if data.chunks is not None or not getattr(getattr(data, "variable", data), "_in_memory", True):
        rule = "be in memory, or an array of dask: pass its .data, or the function to xarray.apply_ufunc"
        raise AttributeValueError.about("data", rule, type(data))
    return np.asarray(data)
