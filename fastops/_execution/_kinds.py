"""Kinds of data: what comes out of a call whose data is no array of NumPy. This is the one place that decides it.

An array gives an array. Of the other kinds, each has an object that runs calls on its data: tensors give tensors,
dask's arrays give dask's arrays, and what is stored in files gives arrays, without all of it being read. All other data
is made an array first.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from fastops._arrays._inputs import as_source, data_kind
from fastops._errors import AttributeValueError
from fastops._execution._planned_kind import Kind

# The `Kind` of each, loaded with the first data of it.
_HOMES = {
    "tensor": ("fastops._execution._tensor_kind", "TENSORS"),
    "dask": ("fastops._execution._dask_kind", "DASK_ARRAYS"),
    "stored": ("fastops._execution._stored_kind", "STORED"),
}


def find_kind(data: Any, chunks: Any = None) -> Kind | None:
    """Return the kind of data; None for arrays, and for what is to be made one.

    Raise for chunks of a result of any kind but dask's.
    """
    found = data_kind(data)
    if chunks is not None and found != "dask":
        raise AttributeValueError.about("chunks", "be None for data that is no array of dask", chunks)
    return _load(found) if found in _HOMES else None


def shape_of(data: Any) -> tuple[int, ...]:
    """Return the shape of data of any kind; raises for what is no data."""
    if isinstance(data, np.ndarray):
        return tuple(data.shape)
    kind = find_kind(data)
    return as_source(data)[0].shape if kind is None else kind.describe(data)[0]


@cache
def _load(name: str) -> Kind:
    home, attribute = _HOMES[name]
    kind: Kind = getattr(import_module(home), attribute)
    return kind
