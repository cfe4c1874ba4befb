"""Tensors of PyTorch as data of any call: it runs on their memory, and what comes out is a tensor."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._tensors import as_address, as_array, as_out, element_type, mark_written, tensor_maker, typed_array
from fastops._errors import AttributeValueError, OutputError
from fastops._execution._execute import copy_whole, execute
from fastops._execution._planned_kind import DataCall
from fastops._execution._window_arguments import check_equal


def run_at_address(
    rule: AnyArray, tensor: Any, attributes: tuple[Any, ...], out: Any, fill_value: object, has_parts: bool
) -> Any:
    """Return new tensors, or ``out``, written from a tensor's address; None for a call that has to be one on arrays.

    Making an array of a tensor takes as long as moving 128 KiB.
    """
    found = as_address(tensor)
    if found is None:
        return None
    address, dtype, _storage = found
    if out is None:
        results = execute(rule, address, None, fill_value, attributes, 1)
        if results is None:
            return None
        maker = tensor_maker(dtype)
        return list(map(maker, results)) if has_parts else maker(results[0])
    if has_parts and not isinstance(out, list | tuple):
        return None
    outs = tuple(out) if has_parts else (out,)
    targets = tuple([as_out(each, dtype) for each in outs])
    if execute(rule, address, targets, fill_value, attributes, 1) is None:
        return None
    mark_written(outs)
    return out


class TensorKind:
    """The `Kind` of tensors. Their elements are ml_dtypes' where NumPy has no such type, so that fill values fit."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of a tensor, and the dtype that its elements have in an array."""
        array, dtype = as_array("data", data)
        return array.shape, element_type(dtype) or array.dtype

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives on a tensor's memory, as tensors, or ``out``."""
        if call.rule is not None:
            made = run_at_address(call.rule, data, call.attributes, out, call.fill_value, call.has_parts)
            if made is not None:
                return made
        array, dtype = as_array("data", data)
        source = typed_array(array, dtype)
        if call.wanted is not None:
            return _run_converted(call, source, out)
        if out is not None:
            outs = tuple(out) if call.has_parts and isinstance(out, list | tuple) else (out,)
            if any([each is None for each in outs]):
                raise OutputError.about("out", "be a tensor for each output", type(out))
            targets = [typed_array(as_out(each, dtype), dtype) for each in outs]
            call.run(source, targets if call.has_parts else targets[0])
            mark_written(outs)
            return out
        results = call.run(source, None)
        if call.has_parts:
            return [_as_tensor(result, data, array, dtype, call.copy) for result in results]
        return _as_tensor(results, data, array, dtype, call.copy)

    def run_list(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives on the memory of several tensors of one type."""
        read = [as_array("data", tensor) for tensor in data]
        dtype = read[0][1]
        check_equal("tensor", "type", [own for _, own in read])
        sources = [typed_array(array, dtype) for array, _ in read]
        if call.wanted is not None:
            return _run_converted(call, sources, out)
        if out is None:
            return _as_tensor(call.run(sources, None), data[0], read[0][0], dtype, True)
        call.run(sources, typed_array(as_out(out, dtype), dtype))
        mark_written((out,))
        return out


def _run_converted(call: DataCall, source: Any, out: Any) -> Any:
    """Return what a call gives whose result has another type than tensors, as a tensor of that type, or ``out``."""
    if out is None:
        result = call.run(source, None)
        dtype = getattr(sys.modules["torch"], result.dtype.name)
        plain = result.view(np.uint16) if element_type(dtype) is not None else result
        return tensor_maker(dtype)(plain)
    call.run(source, typed_array(*as_array("out", out)))
    mark_written((out,))
    return out


def _as_tensor(result: AnyArray, tensor: Any, array: AnyArray, dtype: Any, copy: Any) -> Any:
    """Return a result as a tensor: a view of the one that was given, where the result is one of its memory."""
    if copy is True or not np.may_share_memory(result, array):
        plain = result if result.dtype == array.dtype else result.view(array.dtype)
        return tensor_maker(dtype)(plain)
    width = array.itemsize
    if min(result.strides, default=0) < 0:
        if copy is False:
            rule = "be True or None for a view that is read backwards, which tensors cannot be"
            raise AttributeValueError.about("copy", rule, copy)
        return _as_tensor(copy_whole(result), tensor, array, dtype, True)
    offset = (result.__array_interface__["data"][0] - array.__array_interface__["data"][0]) // width
    strides = [stride // width for stride in result.strides]
    return tensor.as_strided(result.shape, strides, tensor.storage_offset() + offset)


TENSORS = TensorKind()
