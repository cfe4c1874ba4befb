"""Operators on tensors of PyTorch: those on arrays, run on the tensors' memory.

Making an array of a tensor takes as long as moving 128 KiB. So a fresh result is written from the tensor's address, if
such a call was traced, and no array is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, has_no_zero, has_tangent, mark_written, tensor_maker
from fastops._errors import FastopsError
from fastops._execution._traced_calls import TracedCalls
from fastops._operators._operator import Operator
from fastops.kernels._form import IS_CHECKED


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Parameters
    ----------
    plan, data_name, fill_name
        What `Operator` takes.
    check : callable, optional
        Raises for a call that is wrong for a type: ``check(dtype, attributes, fill)``. Types without a zero are always
        checked, others until their calls are traced.
    """

    __slots__ = (
        "_check",
        "_data_name",
        "_forward_ad",
        "_is_traceable",
        "_operator",
        "_tensor_type",
        "_traced",
        "explain",
        "name",
        "read",
    )

    def __init__(
        self,
        plan: Callable[..., Any],
        *,
        data_name: str = "input",
        fill_name: str = "fill_value",
        check: Callable[[Any, Sequence[Any], Element | None], None] | None = None,
    ) -> None:
        self._check = check
        self._forward_ad: Any = None
        self._operator = Operator(plan, data_name=data_name, fill_name=fill_name)
        self._data_name = data_name
        self._traced = TracedCalls(self._operator.lowering)
        self._is_traceable = not self._operator.lowering.has_pieces
        self._tensor_type: Any = None
        self.name = self._operator.name
        self.explain = self._operator.explain
        self.read = self._operator.read

    def run_tensor(self, tensor: Any, attributes: Sequence[Any], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        call = None
        try:
            if out is None:
                call, results = self._execute_fresh(tensor, attributes, fill)
                if results:
                    return tensor_maker(call[2])(results[0])
                if results is not None:
                    # There is nothing to be learnt of it.
                    call = None
            array, dtype, (target,) = self._arrays_of(tensor, out)
            if self._check is not None:
                self._check(dtype, attributes, fill)
            result = self._operator.run_gather(array, attributes, target, True, fill)
        except FastopsError as error:
            self.explain(error)
            raise
        self._learn(call, array, dtype)
        return tensor_maker(dtype)(result) if out is None else _written(out)

    def run_flat(self, tensor: Any, attributes: Sequence[Any], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        try:
            array, dtype, (target,) = self._arrays_of(tensor, out)
            result = self._operator.run_flat(array, attributes, target)
        except FastopsError as error:
            self.explain(error)
            raise
        return tensor_maker(dtype)(result) if out is None else _written(out)

    def run_tensor_parts(
        self, tensor: Any, attributes: Sequence[Any], outs: tuple[Any, ...] | None = None
    ) -> tuple[Any, ...]:
        """Run an operator that has a list of outputs."""
        call = None
        try:
            if outs is None:
                call, results = self._execute_fresh(tensor, attributes, None)
                if results:
                    return tuple(map(tensor_maker(call[2]), results))
                if results is not None:
                    call = None
            array, dtype, targets = self._arrays_of(tensor, *(() if outs is None else outs))
            parts = self._operator.run_gather(array, attributes, None if outs is None else targets)
        except FastopsError as error:
            self.explain(error)
            raise
        self._learn(call, array, dtype)
        if outs is None:
            return tuple(map(tensor_maker(dtype), parts))
        mark_written(outs)
        return outs

    def _arrays_of(self, tensor: Any, *outs: Any) -> tuple[Any, Any, list[Any]]:
        """Return a tensor's memory as an array, its type, and the memory of each of the caller's outputs, or None."""
        array, dtype = as_array(self._data_name, tensor)
        return array, dtype, [as_out(out, dtype) for out in outs]

    def _execute_fresh(
        self, tensor: Any, attributes: Sequence[Any], fill: Element | None
    ) -> tuple[Any, tuple[Any, ...] | None]:
        """Return a call, as `_call_of` does, and its results, as `_execute_at` does."""
        call = self._call_of(tensor, attributes)
        results = self._execute_at(call, tensor, fill)
        if results is None and call is not None:
            plain = self._operator.lowering.plain(attributes)
            if plain is not None:
                call = (*call[:3], *plain)
                results = self._execute_at(call, tensor, fill)
        return call, results

    def _call_of(self, tensor: Any, attributes: Sequence[Any]) -> Any:
        """Return the shape, the strides and the type of a tensor, and the attributes; None for what is not traced."""
        if not self._is_traceable:
            return None
        if type(tensor) is not self._tensor_type:
            self._tensor_type = getattr(sys.modules.get("torch"), "Tensor", None)
            if type(tensor) is not self._tensor_type:
                return None
            self._forward_ad = sys.modules["torch"].autograd.forward_ad
        try:
            return (tensor.shape, tensor.stride(), tensor.dtype, *attributes)
        except RuntimeError:
            # PyTorch's word on a tensor that is not plain memory; `as_array` says it again, in ours.
            return None

    def _execute_at(self, call: Any, tensor: Any, fill: Element | None) -> tuple[Any, ...] | None:
        """Return the results of a call at the tensor's address, as `TracedCalls.execute_at` does.

        None stands for every other call that has to become one on arrays.

        Other threads may run between the questions to the tensor, and while memory is moved: what is moved is a part of
        one storage, which is kept here, whatever the tensor becomes. SECURITY.md names what moves its memory elsewhere.
        """
        if call is None or not self._traced.has_records:
            return None
        try:
            storage = tensor.untyped_storage()
            offset = tensor.storage_offset() * tensor.itemsize
            if storage.resizable():
                # PyTorch leaves a storage as long as it is once an array of it was made.
                self._arrays_of(tensor)
            # Outside of all levels of differentiation, which is where most calls are, no tensor is dual.
            if getattr(self._forward_ad, "_current_level", 0) >= 0 and has_tangent(tensor):
                return None
            if not tensor.is_cpu or tensor.requires_grad or tensor.is_neg() or storage.resizable():
                return None
            # A storage can be shorter than tensors that are views of it.
            room = storage.nbytes() - offset
            return self._traced.execute_at(
                storage.data_ptr() + offset, room, call, None if fill is None else fill.array
            )
        except RuntimeError:
            # As in `_call_of`.
            return None

    def _learn(self, call: Any, array: Any, dtype: Any) -> None:
        """Let calls like one be run at the tensor's address from now on."""
        # A complex tensor may stand for its conjugate.
        if call is None or IS_CHECKED or dtype.is_complex or call[2] is not dtype or has_no_zero(dtype):
            return
        byte_strides = tuple([stride * array.itemsize for stride in call[1]])
        if (tuple(call[0]), byte_strides) == (array.shape, array.strides):
            self._traced.learn_at(array, call, (type(call[0]), type(dtype)))


def _written(out: Any) -> Any:
    mark_written((out,))
    return out
