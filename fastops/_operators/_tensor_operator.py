"""Operators on tensors of PyTorch: those on arrays, run on the tensors' memory.

Making an array of a tensor takes as long as moving 128 KiB. So a fresh result is written from the tensor's address, and
no array is made, where compiled code reads the attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, has_tangent, mark_written, plain_type, tensor_maker
from fastops._errors import FastopsError
from fastops._execution._execute import execute
from fastops._operators._operator import Operator


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Parameters
    ----------
    plan, data_name, fill_name
        What `Operator` takes.
    check : callable, optional
        Raises for a call that is wrong for a type that has no zero: ``check(dtype, attributes, fill)``.
    """

    __slots__ = (
        "_check",
        "_data_name",
        "_forward_ad",
        "_operator",
        "_rule",
        "_tensor_type",
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
        rule = self._operator.lowering.rule
        self._rule = None if rule is None else rule.words
        self._tensor_type: Any = None
        self.name = self._operator.name
        self.explain = self._operator.explain
        self.read = self._operator.read

    def run_tensor(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        try:
            results = None if out is not None else self._execute_fresh(tensor, attributes, fill)
            if results is not None:
                return results[0]
            array, dtype, (target,) = self._arrays_of(tensor, out)
            if self._check is not None:
                self._check(dtype, attributes, fill)
            result = self._operator.run_gather(array, attributes, target, True, fill)
        except FastopsError as error:
            self.explain(error)
            raise
        return tensor_maker(dtype)(result) if out is None else _written(out)

    def run_flat(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        try:
            array, dtype, (target,) = self._arrays_of(tensor, out)
            result = self._operator.run_flat(array, attributes, target)
        except FastopsError as error:
            self.explain(error)
            raise
        return tensor_maker(dtype)(result) if out is None else _written(out)

    def run_tensor_parts(
        self, tensor: Any, attributes: tuple[Any, ...], outs: tuple[Any, ...] | None = None
    ) -> tuple[Any, ...]:
        """Run an operator that has a list of outputs."""
        try:
            results = None if outs is not None else self._execute_fresh(tensor, attributes, None)
            if results is not None:
                return results
            array, dtype, targets = self._arrays_of(tensor, *(() if outs is None else outs))
            parts = self._operator.run_gather(array, attributes, None if outs is None else targets)
        except FastopsError as error:
            self.explain(error)
            raise
        if outs is None:
            return tuple(map(tensor_maker(dtype), parts))
        mark_written(outs)
        return outs

    def _arrays_of(self, tensor: Any, *outs: Any) -> tuple[Any, Any, list[Any]]:
        """Return a tensor's memory as an array, its type, and the memory of each of the caller's outputs, or None."""
        array, dtype = as_array(self._data_name, tensor)
        return array, dtype, [as_out(out, dtype) for out in outs]

    def _execute_fresh(self, tensor: Any, attributes: tuple[Any, ...], fill: Element | None) -> tuple[Any, ...] | None:
        """Return new tensors, written from the tensor's address; None for a call that has to become one on arrays.

        Other threads may run between the questions to the tensor, and while memory is moved: what is moved is a part of
        one storage, which is kept here, whatever the tensor becomes. SECURITY.md names what moves its memory elsewhere.
        """
        if self._rule is None:
            return None
        if type(tensor) is not self._tensor_type:
            self._tensor_type = getattr(sys.modules.get("torch"), "Tensor", None)
            if type(tensor) is not self._tensor_type:
                return None
            self._forward_ad = sys.modules["torch"].autograd.forward_ad
        try:
            shape, strides, dtype = tensor.shape, tensor.stride(), tensor.dtype
            element = plain_type(dtype)
            storage = tensor.untyped_storage()
            if storage.resizable():
                # PyTorch leaves a storage as long as it is once an array of it was made.
                self._arrays_of(tensor)
            # Outside of all levels of differentiation, which is where most calls are, no tensor is dual.
            if getattr(self._forward_ad, "_current_level", 0) >= 0 and has_tangent(tensor):
                return None
            if not tensor.is_cpu or tensor.requires_grad or tensor.is_neg() or storage.resizable() or element is None:
                return None
            # A storage can be shorter than tensors that are views of it.
            offset = tensor.storage_offset() * element.itemsize
            source = (storage.data_ptr() + offset, storage.nbytes() - offset, shape, strides, element)
        except RuntimeError:
            # PyTorch's word on a tensor that is not plain memory; `as_array` says it again, in ours.
            return None
        results = execute(self._rule, source, None, fill, attributes, 1)
        return None if results is None else tuple(map(tensor_maker(dtype), results))


def _written(out: Any) -> Any:
    mark_written((out,))
    return out
