"""Operators on tensors: those on arrays, and a shorter way for tensors that one thread moves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numpy import empty

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, as_tensor, type_of
from fastops._execution._tables import NO_TABLE
from fastops._operators._call_cache import Unkept, look_up, remembered
from fastops._operators._operator import Operator
from fastops._process._signals import raise_of_handler
from fastops._runtime._kernels import compile_kernel, kernels_are_checked
from fastops._schedules._byte_strides import span_of
from fastops._settings import HELD_TENSOR_BYTES


@dataclass(frozen=True, slots=True)
class _Direct:
    """How tensors of one shape, strides and type are moved from their address into fresh ones.

    Attributes
    ----------
    run : callable
        The kernel `gather_at`.
    table, fill : ndarray
        Of the launch.
    shapes : tuple of tuple of int
    dtype : dtype
        Of the arrays.
    width : int
        Bytes of an element.
    high : int
        One beyond the highest byte of a tensor, from its first element on.
    tensor_type : type
        torch.Tensor: not a subclass, which may have another memory, or none.
    as_tensor : callable
        Returns an array as a tensor.
    """

    run: Callable[..., None]
    table: AnyArray
    fill: AnyArray
    shapes: tuple[tuple[int, ...], ...]
    dtype: AnyDType
    width: int
    high: int
    tensor_type: Any
    as_tensor: Callable[[AnyArray], Any]


@dataclass(frozen=True, slots=True)
class _Last:
    """The last call: what the tensor was, the attributes, and how it was moved."""

    shape: Any
    strides: tuple[int, ...]
    dtype: Any
    attributes: Sequence[Any]
    direct: _Direct


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Making an array of a small tensor takes longer than moving it. So a fresh result that is one thread's work is
    written from the tensor's address, once its shape, strides and type are known from an earlier call.

    Parameters
    ----------
    name, lower, data_name, fill_name
        What `Operator` takes.
    """

    __slots__ = ("_data_name", "_find", "_last", "_operator", "name")

    def __init__(
        self, name: str, lower: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value"
    ) -> None:
        self.name = name
        self._data_name = data_name
        self._operator = Operator(name, lower, data_name=data_name, fill_name=fill_name)
        self._find = remembered(self._create_direct)
        self._last: _Last | None = None

    def _create_direct(
        self, shape: Any, strides: tuple[int, ...], tensor_dtype: Any, *attributes: Any
    ) -> _Direct | None:
        """Return how tensors are moved from their address, or None for those that are not."""
        torch = sys.modules["torch"]
        dtype, as_own = type_of(self.name, tensor_dtype)
        width = dtype.itemsize
        byte_strides = tuple([stride * width for stride in strides])
        try:
            launch = self._operator.create(tuple(shape), byte_strides, dtype, *attributes)
        except Unkept:
            return None
        # A complex tensor may stand for its conjugate.
        if dtype.kind == "c" or launch.fill is None or launch.guard is NO_TABLE or kernels_are_checked():
            return None
        if not launch.is_quick(HELD_TENSOR_BYTES):
            return None
        run = compile_kernel("gather_at", launch.needs).run
        moved = (run, launch.table, launch.fill, launch.shapes, dtype, width, span_of(shape, byte_strides, width)[1])
        return _Direct(*moved, torch.Tensor, as_own)

    def run(self, tensor: Any, attributes: Sequence[Any], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        if out is None:
            found = self._find_direct(tensor, attributes)
            if found is not None and (fill is None or fill.array.itemsize == found[0].width):
                direct, address, _storage = found
                result = empty(direct.shapes[0], direct.dtype)
                direct.run((result,), address, direct.table, direct.fill if fill is None else fill.array)
                return direct.as_tensor(result)
        array = as_array(self.name, self._data_name, tensor)
        result = self._operator.run(array, attributes, as_out(self.name, out, tensor), True, fill)
        return as_tensor(result, tensor.dtype) if out is None else out

    def run_flat(self, tensor: Any, attributes: Sequence[Any], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        array = as_array(self.name, self._data_name, tensor)
        result = self._operator.run_flat(array, attributes, as_out(self.name, out, tensor))
        return as_tensor(result, tensor.dtype) if out is None else out

    def run_parts(self, tensor: Any, attributes: Sequence[Any], outs: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
        """Run an operator that has a list of outputs."""
        if outs is None:
            found = self._find_direct(tensor, attributes)
            if found is not None:
                direct, address, _storage = found
                results = tuple([empty(shape, direct.dtype) for shape in direct.shapes])
                direct.run(results, address, direct.table, direct.fill)
                return tuple([direct.as_tensor(result) for result in results])
        array = as_array(self.name, self._data_name, tensor)
        targets = None if outs is None else [as_out(self.name, out, tensor) for out in outs]
        parts = self._operator.run_parts(array, attributes, targets)
        return tuple([as_tensor(part, tensor.dtype) for part in parts]) if outs is None else outs

    def _find_direct(self, tensor: Any, attributes: Sequence[Any]) -> tuple[_Direct, int, Any] | None:
        """Return how a tensor is moved, its address, and the storage, which has to be kept until it is.

        None is returned for what needs the checks of `as_array` and `Operator`.
        """
        try:
            shape, strides, dtype = tensor.shape, tensor.stride(), tensor.dtype
            last = self._last
            direct: _Direct | None = None
            # Most calls are like the one before; a key of all that is in them takes twice as long.
            if last is not None and last.shape == shape and last.strides == strides and last.dtype is dtype:
                direct = last.direct
                for attribute, other in zip(attributes, last.attributes):  # noqa: B905 - they are as many.
                    if attribute is not other:
                        direct = None
                        break
            if direct is None:
                direct = self._find_in_memory(shape, strides, dtype, attributes)
                if direct is None:
                    return None
            # Other threads may run between these: what is moved is a part of this storage, whatever the tensor becomes.
            storage, offset = tensor.untyped_storage(), tensor.storage_offset() * direct.width
            if storage.resizable():
                # PyTorch leaves a storage as long as it is once an array of it was made.
                as_array(self.name, self._data_name, tensor)
            # It can have become shorter than tensors that are views of it.
            if (
                type(tensor) is direct.tensor_type
                and tensor.is_cpu
                and not tensor.requires_grad
                and not tensor.is_neg()
                and storage.nbytes() >= offset + direct.high
                and not storage.resizable()
            ):
                return direct, storage.data_ptr() + offset, storage
        except Exception as error:
            # Whatever a tensor without memory of its own answers to one of these.
            raise_of_handler(error)
        return None

    def _find_in_memory(
        self, shape: Any, strides: tuple[int, ...], dtype: Any, attributes: Sequence[Any]
    ) -> _Direct | None:
        """Return what a call that is not like the last one was found to need before."""
        direct: _Direct | None = look_up(self._find, shape, strides, dtype, attributes)
        if direct is not None and all(map(_is_lasting, attributes)):
            self._last = _Last(shape, strides, dtype, attributes, direct)
        return direct


def _is_lasting(attribute: Any) -> bool:
    """True for what will be equal to itself as long as it is the same object: a plain number or string, or a tuple."""
    if type(attribute) is tuple:
        return all([type(each) is int for each in attribute])
    return type(attribute) in (int, str, type(None))
