"""Operators on tensors of PyTorch alone, which are those on all data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastops._arrays._fill_values import Element
from fastops._errors import DTypeError, FastopsError
from fastops._execution._tensor_kind import run_at_address
from fastops._geometry._numbers import is_tensor
from fastops._operators._operator import Operator


class TensorOperator(Operator):
    """An operator from a tensor to tensors: an `Operator` that takes no other data."""

    __slots__ = ("_has_parts", "_rule")

    def __init__(self, plan: Callable[..., Any], *, data_name: str = "input", fill_name: str = "fill_value") -> None:
        super().__init__(plan, data_name=data_name, fill_name=fill_name)
        self._has_parts = self.lowering.has_parts
        self._rule = None if self.lowering.rule is None else self.lowering.rule.words

    def run_tensor(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None, fill: Element | None = None) -> Any:
        """Run it; the attributes are those of the lowering, in its order."""
        try:
            if self._rule is not None:
                # As the call would be run in the end.
                made = run_at_address(self._rule, tensor, attributes, out, fill, self._has_parts)
                if made is not None:
                    return made
            _check_tensor(tensor)
            return self.run_gather(tensor, attributes, out, True, fill)
        except FastopsError as error:
            self.explain(error)
            raise

    def run_flat_tensor(self, tensor: Any, attributes: tuple[Any, ...], out: Any = None) -> Any:
        """Run it on flattened data, as `Operator.run_flat` does."""
        try:
            _check_tensor(tensor)
            return self.run_flat(tensor, attributes, out)
        except FastopsError as error:
            self.explain(error)
            raise


def _check_tensor(tensor: Any) -> None:
    if not is_tensor(tensor):
        raise DTypeError.about("data", "be a tensor of PyTorch", tensor)
