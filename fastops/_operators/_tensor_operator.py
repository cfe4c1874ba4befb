"""Operators on tensors of PyTorch: those on arrays, run on the tensors' memory.

Making an array of a small tensor takes as long as all the rest of a call. So a fresh result that is one thread's work
is written from the tensor's address, if its shape, strides and type are known from an earlier call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy import empty

from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, tensor_maker
from fastops._errors import FastopsError
from fastops._execution._prepared_call import PreparedCall
from fastops._operators._call_cache import CallCache, Key, key_of
from fastops._operators._operator import Operator
from fastops._runtime._kernels import compile_kernel, kernels_are_checked


class _AtAddress(NamedTuple):
    """How tensors of one shape, strides and type are moved from their address into fresh ones.

    Attributes
    ----------
    call : PreparedCall
    run : callable or None
        The kernel; None if these tensors have to become arrays.
    as_own : callable
        Returns a fresh array as a tensor of their type.
    """

    call: PreparedCall
    run: Callable[..., None] | None
    as_own: Callable[[Any], Any]


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Parameters
    ----------
    plan, data_name, fill_name
        What `Operator` takes.
    """

    __slots__ = ("_data_name", "_moves", "_operator", "explain", "name", "read")

    def __init__(self, plan: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value") -> None:
        self._operator = Operator(plan, data_name=data_name, fill_name=fill_name)
        self._data_name = data_name
        self._moves: CallCache[_AtAddress] = CallCache()
        self.name = self._operator.name
        self.explain = self._operator.explain
        self.read = self._operator.read

    def run_tensor(self, tensor: Any, attributes: Sequence[Any], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        key = None
        if out is None:
            key, moved = self._run_at_address(tensor, attributes, fill)
            if moved is not None:
                return moved[0]
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
            key, moved = self._run_at_address(tensor, attributes, None)
            if moved is not None:
                return moved
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

    def _run_at_address(
        self, tensor: Any, attributes: Sequence[Any], fill: Element | None
    ) -> tuple[Key | None, tuple[Any, ...] | None]:
        """Return the key of a call that is not known yet, and the fresh results of one that is; None for each else.

        Other threads may run between the questions to the tensor: what is moved is a part of one storage, which is
        kept, whatever the tensor becomes.
        """
        torch: Any = sys.modules.get("torch")
        if torch is None or type(tensor) is not torch.Tensor:
            return None, None
        key = None
        try:
            key = key_of(tensor.shape, tensor.stride(), tensor.dtype, attributes)
            move = self._moves.find(key)
            if move is None:
                return key, None
            call, run, as_own = move
            if run is None:
                return None, None
            layout = call.layout
            storage, offset = tensor.untyped_storage(), tensor.storage_offset() * layout.width
            # A storage can be shorter than tensors that are views of it. PyTorch leaves one as long as it is once an
            # array of it was made: then it is not resizable any more.
            if (
                not tensor.is_cpu
                or tensor.requires_grad
                or tensor.is_neg()
                or storage.resizable()
                or storage.nbytes() < offset + layout.span[1]
                or (fill is not None and fill.array.itemsize != layout.width)
            ):
                return None, None
            address = storage.data_ptr() + offset
        except RuntimeError:
            # PyTorch's word on a tensor that is not plain memory; `as_array` says it again, in ours.
            return None, None
        results = tuple([empty(shape, call.dtype) for shape in call.shapes])
        run(results, address, call.table, call.fill if fill is None else fill.array)
        return None, tuple(map(as_own, results))

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
        is_moved = call.layout.keeps_gil_for_tensors and not dtype.is_complex
        run = compile_kernel("gather_at", call.layout.needs).run if is_moved else None
        self._moves.keep(key, _AtAddress(call, run, tensor_maker(dtype)))
