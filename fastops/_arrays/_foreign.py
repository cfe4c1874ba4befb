"""Data that is no array of NumPy: which kind it is, by its type. Nothing is imported before such data exists."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError


class DataKind(Enum):
    """What data is whose calls are run in a way of their own; all other data is made an array first."""

    TENSOR = "tensor"
    DASK = "array of dask"
    STORED = "data in a file"
    LABELLED = "array with names of axes"


# The module that has defined the class of data, the name of the class there, and the kind of its objects.
_KINDS = (
    ("torch", "Tensor", DataKind.TENSOR),
    ("dask.array", "Array", DataKind.DASK),
    ("h5py", "Dataset", DataKind.STORED),
    ("h5py", "Group", DataKind.STORED),
    ("zarr", "Array", DataKind.STORED),
    ("zarr", "Group", DataKind.STORED),
    ("xarray", "DataArray", DataKind.LABELLED),
    ("xarray", "Variable", DataKind.LABELLED),
)


def data_kind(data: Any) -> DataKind | None:
    """Return the kind of data; None for arrays, and for what is to be made one.

    Examples
    --------
    >>> data_kind([1, 2]) is None
    True
    """
    # By its type: what an object says of its class is its author's word.
    own = type(data)
    for module, name, kind in _KINDS:
        base = getattr(sys.modules.get(module), name, None)
        if isinstance(base, type) and issubclass(own, base):
            return kind
    return None


def check_listed(data: Any) -> None:
    """Raise for data that is not to be an element of lists that are made one array."""
    kind = data_kind(data)
    if kind is DataKind.TENSOR:
        # NumPy reads few types of them, number by number.
        raise AttributeValueError.about("data", "be one tensor, as torch.stack makes one of several", type(data))
    if kind is DataKind.DASK or kind is DataKind.STORED:
        # All of a list would be read.
        raise AttributeValueError.about("data", "be one array, or a list of arrays in memory", type(data))
    if kind is DataKind.LABELLED:
        labelled_array(data)


def labelled_array(data: Any) -> AnyArray:
    """Return data with names of axes as an array; raise unless it is in memory."""
    # One that is in a file, of no chunks, says so in no other way.
    if data.chunks is not None or not getattr(getattr(data, "variable", data), "_in_memory", True):
        rule = "be in memory, or an array of dask: pass its .data, or the function to xarray.apply_ufunc"
        raise AttributeValueError.about("data", rule, type(data))
    return np.asarray(data)
