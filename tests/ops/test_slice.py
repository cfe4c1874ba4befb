"""TensorRT Slice: modes in all spellings, errors."""

from __future__ import annotations

import enum
import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fastops as fo

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]


def test_modes_are_those_of_numpy_pad_over_many_periods() -> None:
    for mode, word in {"wrap": "wrap", "clamp": "edge", "reflect": "reflect", "symmetric": "symmetric"}.items():
        for extent, before in itertools.product(range(1, 9), range(26)):
            expected = np.pad(np.arange(extent), (before, 25), mode=word)  # type: ignore[call-overload]
            result = fo.slice(np.arange(extent), [-before], [before + extent + 25], mode=mode)
            np.testing.assert_array_equal(result, expected, err_msg=f"{mode} {extent} {before}")


class Color(enum.Enum):
    reflect = "any value"


#: What stands for each mode beside its own name.
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


def test_all_that_takes_a_mode_takes_the_same_names_and_repeats_them_in_errors() -> None:
    data = np.arange(5)
    expected = np.pad(data, 2, "edge")
    np.testing.assert_array_equal(fo.windows(data, [[-2]], [9], mode="replicate"), [expected])
    np.testing.assert_array_equal(fo.lazy(data).slice([-2], [9], mode="BORDER_REPLICATE").run(), expected)
    assert fo.plan.AxisMap.create(5, -2, 1, 9, "edge") == fo.plan.slice((5,), [-2], [9], mode="clamp").axes[0]  # type: ignore[arg-type]
    # TensorRT's own words are no more than they were.
    with pytest.raises(fo.AttributeValueError, match=r"reflect, default, or the number of one, got 'edge'$"):
        fo.tensorrt.slice(data, [-2], [9], [1], mode="edge")
    with pytest.raises(fo.AttributeValueError, match=r"^slice: fill_value must be given in mode fill only, got 1$"):
        fo.slice(np.zeros(2), [-1], [4], mode="edge", fill_value=1)
    values = ["linear_ramp", "mirror", "border_default", 6, -1, SimpleNamespace(name="nearest")]
    for modes, error in ((values, fo.AttributeValueError), ([True, 1.0, None], fo.DTypeError)):
        for mode in modes:
            with pytest.raises(error, match=r"^slice: mode must be"):
                fo.slice(data, [0], [5], mode=mode)  # type: ignore[arg-type]


#: Start, size, stride and axes, and what is wrong with them.
WRONG: list[tuple[tuple[Any, ...], type[Exception], str]] = [
    (([-1, 0], [4, 5]), IndexError, r"start must be in 0..3 in mode strict_bounds, got -1 \(axis 0, extent 4\)"),
    (([0, 2], [4, 4]), IndexError, r"size must keep coordinates 2..5 in 0..4 in .*, got 4 \(axis 1, extent 5\)"),
    (([3, 0], [2, 5], [-4, 1]), IndexError, r"size must keep coordinates 3..-1 in 0..3 in .*, got 2 \(axis 0"),
    (([0], [4]), ValueError, r"start must have 2 values, one for each axis of data, or as many as .*, got \[0\]"),
    (([0, 0], [4]), ValueError, "size must have 2 values"),
    (([0, 0], [4, 5], [1]), ValueError, "stride must have 2 values"),
    (([0, 0], [-1, 5]), ValueError, r"size must be at least 0, got \[-1, 5\] \(axis 0, extent 4\)"),
    (([0.5, 0], [1, 1]), TypeError, "start must hold integers only"),
    *[(([0], [1], None, [axis]), ValueError, "axes must be in -2..1") for axis in (2, -3)],
    (([0, 0], [1, 1], None, [0, -2]), ValueError, "axes must name each axis once"),
]


def test_errors() -> None:
    for arguments, error, message in WRONG:
        names = ("start", "size", "stride", "axes")
        with pytest.raises(error, match=f"^slice: {message}") as info:
            fo.slice(np.zeros((4, 5)), **dict(zip(names, arguments, strict=False)))
        assert isinstance(info.value, fo.FastopsError)


def test_empty_axes_read_nothing_but_the_fill_value() -> None:
    data = np.zeros((0, 3))
    for mode in MODES:
        assert fo.slice(data, [7, -9], [0, 5], mode=mode).shape == (0, 5)
        if mode != "fill":
            with pytest.raises(fo.OutOfBoundsError, match="size must be 0 on an empty axis, got 2"):
                fo.slice(data, [0, 0], [2, 3], mode=mode)
    assert fo.slice(data, [0, 0], [2, 3], mode="fill", fill_value=4).tolist() == [[4] * 3] * 2
