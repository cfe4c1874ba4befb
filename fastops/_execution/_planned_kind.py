"""Data that is not in memory as a whole: calls on it are plans, of which each part reads what it needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from typing import Any

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._foreign import check_listed
from fastops._errors import AttributeValueError
from fastops._execution._data_calls import DataCall
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._rolled_boxes import unflatten_roll


class PlannedKind(ABC):
    """A `Kind` of such data."""

    @abstractmethod
    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype of data."""

    @abstractmethod
    def gather(self, output: PlannedOutput, data: Any, target: AnyArray | None, fill: Element) -> Any:
        """Return one output, or write it into a target; the fill values are those of all slots."""

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives."""
        if call.copy is False:
            raise AttributeValueError.about(
                "copy", "be True or None for data that is not an array in memory", call.copy
            )
        if call.copy is not True and call.copy is not None:
            raise AttributeValueError.about("copy", "be True, False or None", call.copy)
        shape, dtype = self.describe(data)
        check_movable("data", dtype)
        outputs = call.lower(shape)
        fill = call.fill_value
        if type(fill) is not Element:
            fill = Element(encode_fills(dtype, max([output.fills for output in outputs], default=0), fill))
        targets = self.targets(outputs, dtype, out, has_parts=call.has_parts)
        results = [self.gather(output, data, own, fill) for output, own in zip(outputs, targets, strict=True)]
        if out is not None:
            return out
        return results if call.has_parts else results[0]

    @abstractmethod
    def targets(
        self, outputs: Sequence[PlannedOutput], dtype: AnyDType, out: Any, *, has_parts: bool
    ) -> Sequence[AnyArray | None]:
        """Return where each output is to be written, checked, or None for each."""

    def run_flat(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a roll gives of flattened data, in data's shape: no other operator flattens data."""

        def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
            (flat,) = call.lower((prod(shape),))
            return [unflatten_roll(flat, shape)]

        return self.run(call._replace(lower=lower), data, out)

    def run_list(self, call: DataCall, data: Any, out: Any) -> Any:  # noqa: ARG002
        """Raise: what a list of such data has in common is no plan."""
        check_listed(data[0])
