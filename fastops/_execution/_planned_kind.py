"""Data that is not in memory as a whole: calls on it are plans, of which each part reads what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastops._arrays._dtypes import AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._errors import AttributeValueError
from fastops._execution._data_calls import DataCall, Kind
from fastops._execution._window_sources import check_equal
from fastops._geometry._planned_output import PlannedOutput


class PlannedKind(Kind):
    """What the kinds of such data have in common."""

    def plan(self, call: DataCall, shape: tuple[Any, ...], dtype: AnyDType) -> tuple[Sequence[PlannedOutput], Element]:
        """Return the outputs of a call on data of a shape and dtype, and the fill values of all slots.

        Of a list of data, it is the shapes of all.
        """
        if call.copy is False:
            rule = "be True or None for data that is not an array in memory"
            raise AttributeValueError.about("copy", rule, call.copy)
        if call.copy is not True and call.copy is not None:
            raise AttributeValueError.about("copy", "be True, False or None", call.copy)
        check_movable("data", dtype)
        outputs = call.lower(shape)
        fill = call.fill_value
        if type(fill) is not Element:
            fill = Element(encode_fills(dtype, max([output.fills for output in outputs], default=0), fill))
        return outputs, fill

    def plan_list(self, call: DataCall, data: Sequence[Any]) -> tuple[Sequence[PlannedOutput], Element, AnyDType]:
        """Return the outputs of a call on each of a list of data, the fill values of all slots, and the one dtype."""
        described = [self.describe(each) for each in data]
        dtype: AnyDType = described[0][1]
        check_equal("array", "dtype", [own for _, own in described])
        return *self.plan(call, tuple([shape for shape, _ in described]), dtype), dtype
