"""Operators on tensors of PyTorch: those on arrays, run on the tensors' memory.

Making an array of a small tensor takes as long as all the rest of a call. So a fresh result that is one thread's work
is written from the tensor's address, if its shape, strides and type are known from an earlier call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy import empty

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, tensor_maker
from fastops._errors import FastopsError
from fastops._operators._call_cache import CallCache, Key, key_of
from fastops._operators._operator import Operator
from fastops._runtime._kernels import compile_kernel, kernels_are_checked


class _Move(NamedTuple):
    """How tensors of one shape, strides and type are moved from their address into fresh ones.

    Attributes
    ----------
    run : callable or None
        The kernel `gather_at`; None if these tensors have to become arrays.
    table, fill : ndarray
        Of the prepared call.
    shapes : tuple of tuple of int
        The results'.
    dtype : dtype
        Of the results, as arrays.
    width : int
        Bytes of an element.
    high : int
        One beyond the highest byte of a tensor, from its first element on.
    as_own : callable
        Returns a fresh array as a tensor of their type.
    """

    run: Any
    table: AnyArray
    fill: AnyArray | None
    shapes: tuple[tuple[int, ...], ...]
    dtype: AnyDType
    width: int
    high: int
    as_own: Callable[[Any], Any]


# What the last tensor's shape, strides and type were, the attributes, all of which stay what they are, and its move.
_LastCall = tuple[Any, tuple[int, ...], Any, Sequence[Any], _Move]


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Parameters
    ----------
    plan, data_name, fill_name
        What `Operator` takes.
    """

    __slots__ = ("_data_name", "_last", "_moves", "_operator", "_tensor_type", "explain", "name", "read")

    def __init__(self, plan: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value") -> None:
        self._operator = Operator(plan, data_name=data_name, fill_name=fill_name)
        self._data_name = data_name
        self._moves: CallCache[_Move] = CallCache()
        self._last: _LastCall | None = None
        self._tensor_type: Any = None
        self.name = self._operator.name
        self.explain = self._operator.explain
        self.read = self._operator.read

    def run_tensor(self, tensor: Any, attributes: Sequence[Any], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        key = None
        if out is None:
            key, move, address, _storage = self._find_move(tensor, attributes)
            if move is not None and (fill is None or fill.array.dtype == move.dtype):
                result = empty(move.shapes[0], move.dtype)
                move.run((result,), address, move.table, move.fill if fill is None else fill.array)
                return move.as_own(result)
        array, dtype, (target,) = self._arrays_of(tensor, out)
        result = self._operator.run_gather(array, attributes, target, True, fill)
        self._keep(key, array, dtype, attributes)
        return tensor_maker(dtype)(result) if out is None else out

    def run_flat(self, tensor: Any, attributes: Sequence[Any], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        array, dtype, (target,) = self._arrays_of(tensor, out)
        result = self._operator.run_flat(array, attributes, target)
        return tensor_maker(dtype)(result) if out is None else out

    def run_tensor_parts(
        self, tensor: Any, attributes: Sequence[Any], outs: tuple[Any, ...] | None = None
    ) -> tuple[Any, ...]:
        """Run an operator that has a list of outputs."""
        key = None
        if outs is None:
            key, move, address, _storage = self._find_move(tensor, attributes)
            if move is not None:
                results = tuple([empty(shape, move.dtype) for shape in move.shapes])
                move.run(results, address, move.table, move.fill)
                return tuple(map(move.as_own, results))
        array, dtype, targets = self._arrays_of(tensor, *(() if outs is None else outs))
        parts = self._operator.run_gather(array, attributes, None if outs is None else targets)
        self._keep(key, array, dtype, attributes)
        return tuple(map(tensor_maker(dtype), parts)) if outs is None else outs

    def _arrays_of(self, tensor: Any, *outs: Any) -> tuple[Any, Any, list[Any]]:
        """Return a tensor's memory as an array, its type, and the memory of each of the caller's outputs, or None."""
        try:
            array, dtype = as_array(self._data_name, tensor)
            return array, dtype, [as_out(out, dtype) for out in outs]
        except FastopsError as error:
            self.explain(error)
            raise

    def _find_move(self, tensor: Any, attributes: Sequence[Any]) -> tuple[Key | None, _Move | None, int, Any]:
        """Return how a tensor is moved, its address, and its storage, which has to be kept until that is done.

        Where the call is not known yet there is a key alone, and nothing for tensors that have to become arrays. Other
        threads may run between the questions to the tensor: what is moved is a part of one storage, whatever the tensor
        becomes.
        """
        if type(tensor) is not self._tensor_type:
            self._tensor_type = getattr(sys.modules.get("torch"), "Tensor", None)
            if type(tensor) is not self._tensor_type:
                return _NOT_MOVED
        try:
            shape, strides, dtype = tensor.shape, tensor.stride(), tensor.dtype
            last, move = self._last, None
            # Most calls are like the one before. A key of all that is in them takes half a microsecond.
            if last is not None and last[0] == shape and last[1] == strides and last[2] is dtype:
                move = last[4]
                for one, other in zip(attributes, last[3]):  # noqa: B905 - they are as many.
                    if one is not other:
                        move = None
                        break
            if move is None:
                key = key_of(shape, strides, dtype, attributes)
                move = self._moves.find(key)
                if move is None:
                    return key, None, 0, None
                if all([type(each) is str or type(each) is int or _is_tuple_of_integers(each) for each in attributes]):
                    self._last = (shape, strides, dtype, attributes, move)
            if move.run is None:
                return _NOT_MOVED
            storage, offset = tensor.untyped_storage(), tensor.storage_offset() * move.width
            if storage.resizable():
                # PyTorch leaves a storage as long as it is once an array of it was made.
                self._arrays_of(tensor)
            # A storage can be shorter than tensors that are views of it.
            if (
                not tensor.is_cpu
                or tensor.requires_grad
                or tensor.is_neg()
                or storage.nbytes() < offset + move.high
                or storage.resizable()
            ):
                return _NOT_MOVED
            return None, move, storage.data_ptr() + offset, storage
        except RuntimeError:
            # PyTorch's word on a tensor that is not plain memory; `as_array` says it again, in ours.
            return _NOT_MOVED

    def _keep(self, key: Key | None, array: Any, dtype: Any, attributes: Sequence[Any]) -> None:
        """Let calls of a key be run at the tensor's address from now on, if they are one thread's work."""
        if key is None or kernels_are_checked():
            return
        own = key_of(array.shape, array.strides, array.dtype, attributes)
        byte_strides = tuple([stride * array.itemsize for stride in key[1]])
        seen = (array.shape, array.strides, dtype)
        if own is None or own[3:] != key[3:] or seen != (tuple(key[0]), byte_strides, key[2]):
            # Another thread has changed the tensor or a list meanwhile.
            return
        call = self._operator.calls.find(own)
        if call is None:
            return
        # A complex tensor may stand for its conjugate.
        layout = call.layout
        is_moved = layout.keeps_gil_for_tensors and not dtype.is_complex
        run = compile_kernel("gather_at", layout.needs).run if is_moved else None
        of_call = (call.table, call.fill, call.shapes, call.dtype, layout.width, layout.span[1])
        self._moves.keep(key, _Move(run, *of_call, tensor_maker(dtype)))


# No key, nothing to move, no address and no storage.
_NOT_MOVED = (None, None, 0, None)


def _is_tuple_of_integers(attribute: Any) -> bool:
    return type(attribute) is tuple and all([type(each) is int for each in attribute])
