"""TensorRT Slice: the published examples, modes in all spellings, random calls against the oracle."""

from __future__ import annotations

import enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from tests.helpers import oracle as _oracle
from tests.helpers.torture import scale

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]
PAD_MODES = {"wrap": "wrap", "clamp": "edge", "reflect": "reflect", "symmetric": "symmetric"}


def test_published_example_of_slice() -> None:
    data = np.arange(9, dtype=np.float32).reshape(3, 3)
    assert fo.slice(data, (0, 0), (2, 2), (1, 1)).tolist() == [[0, 1], [3, 4]]


def test_published_example_of_slice_fill() -> None:
    data = np.zeros((2, 2), np.float32)
    result = fo.slice(data, (0, 0), (3, 3), (1, 1), mode="FILL", fill_value=np.float32(1))
    assert result.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 1]]


@pytest.mark.parametrize("mode", PAD_MODES)
@pytest.mark.parametrize("extent", range(1, 9))
def test_modes_are_those_of_numpy_pad_over_many_periods(mode: str, extent: int) -> None:
    data = np.arange(extent)
    for before in range(26):
        expected = np.pad(data, (before, 25), mode=PAD_MODES[mode])  # type: ignore[call-overload]
        np.testing.assert_array_equal(fo.slice(data, [-before], [before + extent + 25], mode=mode), expected)


class Color(enum.Enum):
    reflect = "any value"


@pytest.mark.parametrize(
    ("mode", "member"),
    [
        ("reflect", "REFLECT"),
        ("STRICT_BOUNDS", "STRICT_BOUNDS"),
        ("Wrap", "WRAP"),
        ("default", "STRICT_BOUNDS"),
        ("DEFAULT", "STRICT_BOUNDS"),
        (2, "CLAMP"),
        (np.int64(3), "FILL"),
        (fo.SampleMode.SYMMETRIC, "SYMMETRIC"),
        (Color.reflect, "REFLECT"),
        (SimpleNamespace(name="CLAMP"), "CLAMP"),
        ("edge", "CLAMP"),
        ("constant", "FILL"),
        ("replicate", "CLAMP"),
        ("reflect101", "REFLECT"),
        ("reflect_101", "REFLECT"),
        ("BORDER_CONSTANT", "FILL"),
        ("BORDER_REPLICATE", "CLAMP"),
        ("BORDER_REFLECT", "SYMMETRIC"),
        ("BORDER_REFLECT101", "REFLECT"),
        ("BORDER_REFLECT_101", "REFLECT"),
        ("border_wrap", "WRAP"),
        (SimpleNamespace(name="EDGE"), "CLAMP"),
    ],
)
def test_modes_in_every_spelling(mode: Any, member: str) -> None:
    plan = fo.plan.slice((5,), [1], [3], mode=mode)
    assert plan == fo.plan.slice((5,), [1], [3], mode=fo.SampleMode[member])
    if member != "STRICT_BOUNDS":
        assert fo.plan.slice((5,), [-1], [7], mode=mode).axes[0].mode is fo.SampleMode[member]


BORDERS = ["BORDER_CONSTANT", "BORDER_REPLICATE", "BORDER_REFLECT", "BORDER_REFLECT_101", "BORDER_WRAP"]


@pytest.mark.parametrize("border", BORDERS)
def test_borders_are_those_of_opencv(border: str) -> None:
    cv2 = pytest.importorskip("cv2")
    image = np.random.default_rng(0).integers(0, 255, (5, 4), np.uint8)
    expected = cv2.copyMakeBorder(image, 3, 2, 1, 3, getattr(cv2, border))
    np.testing.assert_array_equal(fo.slice(image, [-3, -1], [10, 8], mode=border), expected)


def test_errors_have_the_callers_name_of_the_mode() -> None:
    with pytest.raises(fo.AttributeValueError, match=r"^slice: fill_value must be given in mode fill only, got 1$"):
        fo.slice(np.zeros(2), [-1], [4], mode="edge", fill_value=1)
    with pytest.raises(fo.AttributeValueError, match="be fill for a signal of no samples, got 'edge'"):
        fo.frame(np.zeros(0), 4, 2, center=True, mode="edge")


def test_all_that_takes_a_mode_takes_the_same_names() -> None:
    data = np.arange(5)
    expected = np.pad(data, 2, "edge")
    np.testing.assert_array_equal(fo.windows(data, [[-2]], [9], mode="replicate"), [expected])
    np.testing.assert_array_equal(fo.lazy(data).slice([-2], [9], mode="BORDER_REPLICATE").run(), expected)
    assert fo.plan.AxisMap.create(5, -2, 1, 9, "edge") == fo.plan.slice((5,), [-2], [9], mode="clamp").axes[0]  # type: ignore[arg-type]
    # TensorRT's own words are no more than they were.
    with pytest.raises(fo.AttributeValueError, match=r"reflect, default, or the number of one, got 'edge'$"):
        fo.tensorrt.slice(data, [-2], [9], [1], mode="edge")


@pytest.mark.parametrize(
    ("mode", "error"),
    [
        ("linear_ramp", fo.AttributeValueError),
        ("mirror", fo.AttributeValueError),
        ("border_default", fo.AttributeValueError),
        (6, fo.AttributeValueError),
        (-1, fo.AttributeValueError),
        (SimpleNamespace(name="nearest"), fo.AttributeValueError),
        (True, fo.DTypeError),
        (1.0, fo.DTypeError),
        (None, fo.DTypeError),
    ],
)
def test_unknown_modes(mode: Any, error: type[fo.FastopsError]) -> None:
    with pytest.raises(error, match=r"^slice: mode must be"):
        fo.slice(np.arange(5), [0], [5], mode=mode)


def test_the_numbers_are_those_of_tensorrt() -> None:
    numbers = {"STRICT_BOUNDS": 0, "WRAP": 1, "CLAMP": 2, "FILL": 3, "REFLECT": 4}
    assert {name: fo.SampleMode[name].value for name in numbers} == numbers


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ([-1, 0], [4, 5]),
            fo.OutOfBoundsError,
            r"start must be in 0..3 in mode strict_bounds, got -1 \(axis 0, extent 4\)",
        ),
        (
            ([0, 2], [4, 4]),
            fo.OutOfBoundsError,
            r"size must keep coordinates 2..5 in 0..4 in mode strict_bounds, got 4 \(axis 1, extent 5\)",
        ),
        (
            ([3, 0], [2, 5], [-4, 1]),
            fo.OutOfBoundsError,
            r"size must keep coordinates 3..-1 in 0..3 in mode strict_bounds, got 2 \(axis 0",
        ),
        (
            ([0], [4]),
            fo.AttributeValueError,
            r"start must have 2 values, one for each axis of data, or as many as axes names, got \[0\]",
        ),
        (([0, 0], [4]), fo.AttributeValueError, "size must have 2 values"),
        (([0, 0], [4, 5], [1]), fo.AttributeValueError, "stride must have 2 values"),
        (([0, 0], [-1, 5]), fo.AttributeValueError, r"size must be at least 0, got \[-1, 5\] \(axis 0, extent 4\)"),
        (([0.5, 0], [1, 1]), fo.DTypeError, "start must hold integers only"),
    ],
)
def test_errors(arguments: tuple[Any, ...], error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=f"^slice: {message}"):
        fo.slice(np.zeros((4, 5)), *arguments)


@pytest.mark.parametrize("axes", [[2], [-3], [0, 0], [0, -2]])
def test_axes_must_exist_once(axes: list[int]) -> None:
    with pytest.raises(fo.AttributeValueError, match="axes must"):
        fo.slice(np.zeros((4, 5)), [0] * len(axes), [1] * len(axes), axes=axes)


def test_axes_name_a_subset_in_any_order() -> None:
    data = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(fo.slice(data, [1, 0], [2, 1], axes=[-1, 0]), data[:1, :, 1:3])
    np.testing.assert_array_equal(fo.slice(data, [], [], axes=[]), data)


@pytest.mark.parametrize("mode", MODES)
def test_empty_axes_read_nothing_but_the_fill_value(mode: str) -> None:
    data = np.zeros((0, 3))
    assert fo.slice(data, [7, -9], [0, 5], mode=mode).shape == (0, 5)
    if mode == "fill":
        assert fo.slice(data, [0, 0], [2, 3], mode=mode, fill_value=4).tolist() == [[4] * 3] * 2
    else:
        with pytest.raises(fo.OutOfBoundsError, match="size must be 0 on an empty axis, got 2"):
            fo.slice(data, [0, 0], [2, 3], mode=mode)


@settings(max_examples=scale(300, 800), deadline=None)
@given(st.data())
def test_random_calls_agree_with_the_oracle(data: st.DataObject) -> None:
    draw = data.draw
    shape = draw(st.lists(st.integers(0, 5), max_size=3))
    array = np.arange(np.prod(shape, dtype=int), dtype=draw(st.sampled_from(["u1", "i2", "f8"]))).reshape(shape)
    mode = draw(st.sampled_from(MODES))
    rank = len(shape)
    start = draw(st.lists(st.integers(-9, 9) | st.integers(-(2**65), 2**65), min_size=rank, max_size=rank))
    stride = draw(st.lists(st.integers(-4, 4) | st.integers(-(2**65), 2**65), min_size=rank, max_size=rank))
    size = draw(st.lists(st.integers(0, 6), min_size=rank, max_size=rank))
    fill = {"fill_value": 7} if mode == "fill" else {}
    try:
        expected = _oracle.slice_(array, start, size, stride, mode, 7)
    except IndexError:
        with pytest.raises(fo.OutOfBoundsError):
            fo.slice(array, start, size, stride, mode=mode, **fill)
        return
    result = fo.slice(array, start, size, stride, mode=mode, **fill)
    assert result.dtype == array.dtype
    np.testing.assert_array_equal(result, expected)
    assert fo.plan.slice(shape, start, size, stride, mode=mode).shape == expected.shape
