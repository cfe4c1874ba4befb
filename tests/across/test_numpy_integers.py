"""NumPy's integers at the ends of 64 bits: they mean what Python's do, in every position that takes an integer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.seeds import noted

MASKS = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"]

ROW = np.arange(5.0)
FIVE = fo.plan.AxisMap.whole(5)
WRAPPED = fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)

LISTS: dict[str, Callable[[Any], Any]] = {
    "begin": lambda v: fo.strided_slice(ROW, v, [9]),
    "end": lambda v: fo.strided_slice(ROW, [0], v),
    "strides": lambda v: fo.strided_slice(ROW, [4], [-9], v),
    "start": lambda v: fo.slice(ROW, v, [5], mode="wrap"),
    "stride": lambda v: fo.slice(ROW, [0], [5], v, mode="symmetric"),
    "size": lambda v: fo.slice(ROW, [0], v, mode="clamp"),
    "axes": lambda v: fo.slice(ROW, [0], [1], axes=v),
    "split_lengths": lambda v: fo.variadic_split(ROW, 0, v),
    "shape of a slice": lambda v: fo.plan.slice(v, [7], [3], mode="reflect"),
    "shape of a strided slice": lambda v: fo.plan.strided_slice(v, [-1], [-4], [-1]),
    "shape of a split": lambda v: fo.plan.variadic_split(v, 0, [2, -1]),
    "shape of a plan": lambda v: fo.plan.SlicePlan.create([FIVE], v),
    **{mask: (lambda v, mask=mask: fo.strided_slice(ROW, [1], [2], **{mask: v})) for mask in MASKS},
}
SCALARS: dict[str, Callable[[Any], Any]] = {
    "axis": lambda v: fo.variadic_split(ROW, v, [5]),
    "mode": lambda v: fo.slice(ROW, [0], [5], mode=v),
    "start of a map": lambda v: fo.plan.AxisMap.create(5, v, 1, 3, fo.SampleMode.WRAP),
    "stride of a map": lambda v: fo.plan.AxisMap.create(5, 0, v, 3, fo.SampleMode.CLAMP),
    "extent of a map": lambda v: fo.plan.AxisMap.create(v, 0, 1, 3, fo.SampleMode.FILL),
    "count of a map": lambda v: fo.plan.AxisMap.create(5, 1, 1, v, fo.SampleMode.REFLECT),
    "whole": lambda v: fo.plan.AxisMap.whole(v),
    "source": lambda v: WRAPPED.source(v),
    "start of a range": lambda v: fo.plan.range(v, 2**63, 2**60, "i64"),
    "stop of a range": lambda v: fo.plan.range(0, v, 1, "u64"),
    "step of a range": lambda v: fo.plan.range(-(2**64), 2**64, v, "u64"),
    "fill_value": lambda v: fo.slice(ROW.astype("i8"), [5], [1], mode="fill", fill_value=v),
    "fill_value of unsigned data": lambda v: fo.slice(ROW.astype("u8"), [5], [1], mode="fill", fill_value=v),
}
ENDS = [(n, np.int64) for n in (-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 1)]
ENDS += [(n, np.uint64) for n in (0, 1, 2**63 - 1, 2**63, 2**64 - 5, 2**64 - 1)]


def fault_or_text(call: Callable[[Any], Any], value: Any) -> Any:
    """The result of a call, or what its error says but for the value."""
    try:
        return str(call(value))
    except fo.FastopsError as error:
        return type(error), error.op, error.attribute, error.rule, error.axis, error.extent


def check(call: Callable[[Any], Any], written: Any, *values: Any) -> None:
    """Assert that a call of each value gives what that of the integer gives that it is written as."""
    expected = fault_or_text(call, written)
    for value in values:
        with noted(repr(value)):
            assert fault_or_text(call, value) == expected


@pytest.mark.parametrize(("n", "kind"), ENDS)
def test_numpy_integers_mean_what_python_s_do(n: int, kind: Any) -> None:
    array = np.array([n], kind)
    for name, call in LISTS.items():
        with noted(name):
            check(call, [n], [kind(n)], (kind(n),), array, array.astype(array.dtype.newbyteorder()))
    for name, call in SCALARS.items():
        with noted(name):
            check(call, n, kind(n), np.array(n, kind))
