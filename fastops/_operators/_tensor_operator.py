"""Operators on tensors of PyTorch: those on arrays, run on the tensors' memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastops._arrays._fill_values import Element
from fastops._arrays._tensors import as_array, as_out, as_tensor
from fastops._errors import FastopsError
from fastops._operators._operator import Operator


class TensorOperator:
    """An operator from a tensor to tensors, which runs an `Operator` on their memory.

    Parameters
    ----------
    plan, data_name, fill_name
        What `Operator` takes.
    """

    __slots__ = ("_data_name", "_operator", "explain", "name", "read")

    def __init__(self, plan: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value") -> None:
        self._operator = Operator(plan, data_name=data_name, fill_name=fill_name)
        self._data_name = data_name
        self.name = self._operator.name
        self.explain = self._operator.explain
        self.read = self._operator.read

    def run_tensor(self, tensor: Any, attributes: Sequence[Any], out: Any = None, fill: Element | None = None) -> Any:
        """Run an operator that has one output; the attributes are those of the lowering, in its order."""
        array, target = self._arrays_of(tensor, out)
        result = self._operator.run_gather(array, attributes, target, True, fill)
        return as_tensor(result, tensor.dtype) if out is None else out

    def run_flat(self, tensor: Any, attributes: Sequence[Any], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        array, target = self._arrays_of(tensor, out)
        result = self._operator.run_flat(array, attributes, target)
        return as_tensor(result, tensor.dtype) if out is None else out

    def run_tensor_parts(
        self, tensor: Any, attributes: Sequence[Any], outs: tuple[Any, ...] | None = None
    ) -> tuple[Any, ...]:
        """Run an operator that has a list of outputs."""
        array, _ = self._arrays_of(tensor, None)
        targets = None if outs is None else [self._arrays_of(tensor, out)[1] for out in outs]
        parts = self._operator.run_gather(array, attributes, targets)
        return tuple([as_tensor(part, tensor.dtype) for part in parts]) if outs is None else outs

    def _arrays_of(self, tensor: Any, out: Any) -> tuple[Any, Any]:
        """Return the memory of a tensor, and that of a caller's ``out``, or None for None, as arrays."""
        try:
            return as_array(self._data_name, tensor), None if out is None else as_out(out, tensor)
        except FastopsError as error:
            self.explain(error)
            raise
