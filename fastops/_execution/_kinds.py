"""Kinds of data: `find_kind` decides the kind of the result for data that is no array of NumPy.

An array gives an array, a tensor a tensor, and an array of dask one of dask. Data in files gives an array, and only the
part that the call needs is read. All other data is made an array first.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._inputs import as_source, check_equal, data_kind
from fastops._arrays._tensors import as_array, as_tensor, mark_written
from fastops._errors import AttributeValueError, OutputError
from fastops._execution._execute import copy_whole
from fastops._execution._planned_kind import STORED, DataCall, Kind


def find_kind(data: Any, chunks: Any = None) -> Kind | None:
    """Return the kind of data; None for arrays, and for data that is made an array first.

    Raise if ``chunks`` are given for any other data than arrays of dask.
    """
    if type(data) is np.ndarray and chunks is None:
        return None
    found = data_kind(data)
    if found == "dask":
        return import_module("fastops._execution._dask_kind").DASK_ARRAYS
    if chunks is not None:
        raise AttributeValueError.about("chunks", "be None for data that is no array of dask", chunks)
    return TENSORS if found == "tensor" else STORED if found == "stored" else None


def shape_of(data: Any) -> tuple[int, ...]:
    """Return the shape of data of any kind; raise for an object that is no data."""
    kind = find_kind(data)
    return as_source(data)[0].shape if kind is None else kind.describe(data)[0]


class TensorKind:
    """The `Kind` of tensors."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of a tensor, and the dtype that its elements have in an array."""
        array, _, _ = as_array("data", data, is_typed=True)
        return array.shape, array.dtype

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Run a call on the memory of a tensor or of a list of tensors; return the results as tensors, or ``out``.

        Results that are converted may have another type than the tensor.
        """
        is_converted = call.wanted is not None
        is_typed = is_converted or call.fill_value is not None
        array, dtype, _storage = as_array("data", data[0] if call.is_list else data, is_typed=is_typed)
        source: Any = array
        if call.is_list:
            # The storages in `found` keep the memory of the tensors alive.
            found = [as_array("data", each, is_typed=is_typed) for each in data]
            check_equal("tensor", "type", [own for _, own, _ in found])
            source = [own for own, _, _ in found]
        if out is None:
            results = call.run(source, None)
            if is_converted:
                return as_tensor(results, getattr(sys.modules["torch"], results.dtype.name))
            if call.has_parts:
                return [_as_result(each, data, array, dtype, call.copy) for each in results]
            return _as_result(results, data, array, dtype, call.copy)
        outs = tuple(out) if call.has_parts and isinstance(out, list | tuple) else (out,)
        targets = [as_array("out", each, is_typed=is_typed) for each in outs]
        for _, own, _ in targets:
            if own is not dtype and not is_converted:
                raise OutputError.about("out", f"have dtype {dtype}", own)
        call.run(source, [own for own, _, _ in targets] if call.has_parts else targets[0][0])
        mark_written(outs)
        return out


def _as_result(result: AnyArray, tensor: Any, array: AnyArray, dtype: Any, copy: Any) -> Any:
    """Return a result as a tensor: a view of the given tensor if the result is a view of that tensor's array."""
    if copy is True or not np.may_share_memory(result, array):
        return as_tensor(result, dtype)
    if min(result.strides, default=0) < 0:
        if copy is False:
            rule = "be True or None for a view that is read backwards, which tensors cannot be"
            raise AttributeValueError.about("copy", rule, copy)
        return as_tensor(copy_whole(result), dtype)
    offset = result.__array_interface__["data"][0] - array.__array_interface__["data"][0]
    strides = [stride // array.itemsize for stride in result.strides]
    return tensor.as_strided(result.shape, strides, tensor.storage_offset() + offset // array.itemsize)


TENSORS = TensorKind()
