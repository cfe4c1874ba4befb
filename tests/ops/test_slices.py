"""slice, strided_slice and variadic_split: tables, random calls against the oracle and NumPy, modes, and errors."""

from __future__ import annotations

import enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._calls import Array
from tests.conformance._draws import strided_slices, variadic_splits, window_slices, windows
from tests.conformance._live import Function, check_live
from tests.helpers.oracle import strided_slice
from tests.helpers.seeds import scale
from tests.ops._tables import EIGHT, Call, contract, refuse

FILLED: dict[str, Any] = {"start": [-1], "size": [7], "mode": "fill", "fill_value": 1}
CHANNELS: dict[str, Any] = {"axes": [0], "mode": "fill", "fill_value": [1, 2, 3], "channel_axis": -1}
NUMBERS = ("u1", "<i2", ">f4")
AROUND = {"start": [-1], "size": [4]}

test_slice = contract(fo.slice, (4, 5), start=[0, 0], size=[4, 5])(
    Call((4, 5, 3), {"start": [3, 0, 2], "size": [4, 5, 3], "stride": [-1, 1, -1]}, lambda x: x[::-1, :, ::-1]),
    Call((4, 5), {"start": [1, 0], "size": [2, 5], "mode": "wrap"}, lambda x: x[1:3]),
    Call((5,), {"start": [-2], "size": [9], "axes": [0], "mode": "reflect"}, lambda x: np.pad(x, 2, "reflect")),
    Call((5,), FILLED, lambda x: np.pad(x, 1, constant_values=1), NUMBERS),
    Call((2, 3), CHANNELS | AROUND, lambda x: np.array([[1, 2, 3], *x, [1, 2, 3]], x.dtype), NUMBERS),
    Call((4, 3), {**CHANNELS, "start": [1], "size": [2]}, lambda x: x[1:3], NUMBERS),
    Call((2, 3), {"start": [-1, -1], "size": [4, 5], "mode": "clamp"}, lambda x: np.pad(x, 1, "edge")),
    Call((), {"start": [], "size": []}, lambda x: x),
    Call((3, 0), {"start": [1, 7], "size": [2, 0]}, lambda x: x[1:]),
    refuse(r"start must be in 0..3 in mode strict_bounds, got -1 \(axis 0, extent 4\)", IndexError, start=[-1, 0]),
    refuse(r"size must keep .* 2..5 in 0..4 .*, got 4 \(axis 1, extent 5\)", IndexError, start=[0, 2], size=[4, 4]),
    refuse("size must keep coordinates 3..-1 in 0..3", IndexError, start=[3, 0], size=[2, 5], stride=[-4, 1]),
    refuse(r"start must have 2 values, one for each axis of data if axes .*, got \[0\]", start=[0], size=[4]),
    refuse("size must have 2 values", size=[4]),
    refuse("stride must have 2 values", stride=[1]),
)
test_strided_slice = contract(fo.strided_slice, (4, 5), begin=[0], end=[1])(
    Call((4, 5), {"begin": [-1, 0], "end": [-9, 5], "strides": [-2, 3]}, lambda x: x[::-2, ::3]),
    Call((4, 5), {"begin": [0, 1], "end": [0, 3], "new_axis_mask": [1, 0]}, lambda x: x[None, 1:3]),
    Call((4, 5), {"begin": [1, 2], "end": [0, 4], "shrink_axis_mask": [1]}, lambda x: x[1, 2:4]),
    Call(EIGHT, {"begin": [0, 1], "end": [0, 2], "ellipsis_mask": [1]}, lambda x: x[..., 1:2]),
    Call((6,), {"begin": [4], "end": [0], "strides": [-1], "begin_mask": [1]}, lambda x: x[:0:-1]),
    Call((3, 0, 2), {"begin": [2], "end": [1]}, lambda x: x[2:1]),
    refuse(r"end must have as many values as begin, 1, got \[1, 2\]", end=[1, 2]),
    refuse("strides must have as many values as begin, 1", strides=[]),
    refuse(r"strides must not be 0, got \[0\] \(axis 0, extent 4\)", strides=[0]),
    refuse("strides must not be 0", ValueError, (0, 3), strides=[0]),
    refuse("begin must name at most 2 axes, not 3, in data of rank 2", begin=[0] * 3, end=[1] * 3),
    refuse("begin_mask must be a list of zeros and ones", begin_mask=[2]),
    refuse("end_mask must be a list of integers, got 1", end_mask=1),
    refuse("end_mask must hold integers only", TypeError, end_mask=[0.0]),
    refuse("new_axis_mask must be a list .*, not nested", TypeError, new_axis_mask=[np.array([False])]),
    refuse(r"begin_mask must be a list of integers, not nested, got \[\[1\]\]", begin_mask=[[1]]),
    refuse(r"ellipsis_mask must have at most one .* \[1, 1\]", begin=[0, 0], end=[1, 1], ellipsis_mask=[1, 1]),
    refuse(r"begin .* -5..4 .* 7 \(axis 1, extent 5\)", IndexError, begin=[0, 7], end=[1, 1], shrink_axis_mask=[0, 1]),
    refuse("begin must not take an element of an empty axis", IndexError, (0, 3), shrink_axis_mask=[1]),
)
test_variadic_split = contract(fo.variadic_split, (6, 4), axis=0, split_lengths=[6])(
    Call((4, 5, 3), {"axis": 1, "split_lengths": [2, -1]}, lambda x: [x[:, :2], x[:, 2:]]),
    Call((6, 2), {"axis": -2, "split_lengths": [1, 0, 2, 3]}, lambda x: np.split(x, [1, 1, 3])),
    Call((3, 0), {"axis": 0, "split_lengths": [-1]}, lambda x: [x]),
    *[refuse("axis must be one integer, or a list of one, got", axis=axis) for axis in ([0, 1], [])],
    refuse(r"split_lengths must sum to 6, got \[1, 2\] \(axis 0, extent 6\)", split_lengths=[1, 2]),
    refuse("split_lengths must sum to 6, with at least 0 for -1, got", split_lengths=[8, -1]),
    refuse("split_lengths must be at least 0, or -1 once", split_lengths=[8, -2]),
    refuse("split_lengths must have -1 at most once", split_lengths=[-1, 7, -1]),
    refuse("split_lengths must have at least one length", split_lengths=[]),
    refuse("split_lengths must be a list of integers, not nested", split_lengths=[[6]]),
    refuse("split_lengths must be a list of integers, got 6", split_lengths=6),
    refuse("split_lengths must sum to 6", split_lengths=[2**63, 2**63]),
    refuse(r"data must have at least one axis, got \(\)", ValueError, (), split_lengths=[1]),
)


def variadic_split(data: Array, axis: int, split_lengths: Any) -> list[Array]:
    extent = data.shape[axis]
    known = [extent - sum(n for n in split_lengths if n >= 0) if n == -1 else n for n in split_lengths]
    if list(split_lengths).count(-1) > 1 or min(known, default=-1) < 0 or sum(known) != extent:
        raise ValueError(split_lengths)
    return np.split(data, np.cumsum(known)[:-1].tolist(), axis)


@pytest.mark.parametrize(
    "function",
    [
        Function("slice", window_slices(), windows, fo.slice),
        Function("strided_slice", strided_slices(zeros=0.1), strided_slice, fo.strided_slice),
        Function("variadic_split", variadic_splits(), variadic_split, fo.variadic_split),
    ],
    ids=lambda function: function.name,
)
def test_random_calls(function: Function) -> None:
    check_live(function, (), scale(2_000, 20_000))


class Color(enum.Enum):
    reflect = "any value"


#: Other spellings of each mode.
SPELLINGS: dict[str, list[Any]] = {
    "STRICT_BOUNDS": ["STRICT_BOUNDS", "default", "DEFAULT", 0],
    "WRAP": ["Wrap", "border_wrap", 1],
    "CLAMP": [2, "edge", "replicate", "BORDER_REPLICATE", SimpleNamespace(name="CLAMP"), SimpleNamespace(name="EDGE")],
    "FILL": [np.int64(3), "constant", "BORDER_CONSTANT"],
    "REFLECT": ["reflect", 4, Color.reflect, "reflect101", "reflect_101", "BORDER_REFLECT101", "BORDER_REFLECT_101"],
    "SYMMETRIC": [fo.SampleMode.SYMMETRIC, "BORDER_REFLECT"],
}


def test_modes_in_every_spelling() -> None:
    for member, each in [(member, each) for member, modes in SPELLINGS.items() for each in modes]:
        mode = fo.SampleMode[member]
        assert fo.plan.slice((5,), [1], [3], mode=each) == fo.plan.slice((5,), [1], [3], mode=mode), each
        if member == "STRICT_BOUNDS":
            with pytest.raises(fo.OutOfBoundsError):
                fo.plan.slice((5,), [-1], [7], mode=each)
        else:
            assert fo.plan.slice((5,), [-1], [7], mode=each).axes[0].mode is mode, each
