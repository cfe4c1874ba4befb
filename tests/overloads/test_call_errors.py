"""Calls with wrong types: for each operator, the error of fastops is in the first three lines that Numba prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

import fastops as fo
import fastops.numba

NUMPY = fo.numpy
ARRAY, STARTS, UNSIGNED = np.zeros((3, 4)), np.zeros((1, 2), np.int64), np.ones(2, np.uint64)

# A right call of each operator, by the arguments behind data.
CALLS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "slice": (fo.slice, lambda x: fo.slice(x, (0, 0), (1, 1))),
    "strided_slice": (fo.strided_slice, lambda x: fo.strided_slice(x, (0,), (1,))),
    "windows": (fo.windows, lambda x: fo.windows(x, STARTS, (1, 1))),
    "frame": (fo.frame, lambda x: fo.frame(x, 2, 1)),
    "numpy.pad": (NUMPY.pad, lambda x: NUMPY.pad(x, 1)),
    "numpy.tile": (NUMPY.tile, lambda x: NUMPY.tile(x, 2)),
    "numpy.roll": (NUMPY.roll, lambda x: NUMPY.roll(x, 1, 0)),
    "numpy.flip": (NUMPY.flip, lambda x: NUMPY.flip(x, 0)),
    "numpy.transpose": (NUMPY.transpose, lambda x: NUMPY.transpose(x)),
    "numpy.rot90": (NUMPY.rot90, lambda x: NUMPY.rot90(x)),
    "numpy.moveaxis": (NUMPY.moveaxis, lambda x: NUMPY.moveaxis(x, 0, 1)),
    "numpy.swapaxes": (NUMPY.swapaxes, lambda x: NUMPY.swapaxes(x, 0, 1)),
    "numpy.repeat": (NUMPY.repeat, lambda x: NUMPY.repeat(x, 2)),
    "numpy.broadcast_to": (NUMPY.broadcast_to, lambda x: NUMPY.broadcast_to(x, (2, 3, 4))),
    "numpy.sliding_window_view": (NUMPY.sliding_window_view, lambda x: NUMPY.sliding_window_view(x, (1, 1))),
    "numpy.split": (NUMPY.split, lambda x: NUMPY.split(x, 3)),
    "numpy.array_split": (NUMPY.array_split, lambda x: NUMPY.array_split(x, 3)),
}

# Wrong calls of single operators.
WRONG: tuple[tuple[Callable[..., Any], tuple[Any, ...], str], ...] = (
    (lambda x, n: fo.slice(x, n, (1, 1)), (1.5,), "slice: start must be an integer, or tuples, lists or arrays"),
    (lambda x, n: fo.slice(x, n, (1, 1)), (UNSIGNED,), "slice: start must be an integer, or tuples, lists or arrays"),
    (lambda x, m: fo.slice(x, (1, 1), (1, 1), mode=m), (1.5,), "slice: mode must be a string, an integer or a Sample"),
    (lambda x: fo.slice(x, (1,), (1,), fill_value=1j), (), "slice: the fill value must be a number that data of t"),
    (lambda x, o: fo.slice(x, (1, 1), (1, 1), out=o), (STARTS,), "slice: out must be a writeable array of 2 dimensio"),
    (lambda x, n: fo.strided_slice(x, n, (1,)), (STARTS[0],), "strided_slice: begin must be a tuple, whose length is"),
    (lambda x: fo.strided_slice(x, (0,), (1,), new_axis_mask=(2,)), (), "strided_slice: masks must be tuples of liter"),
    (lambda x, s: fo.windows(x, s, (1, 1)), (3,), "windows: starts must be an array of two dimensions of integers"),
    (lambda x, o: fo.windows(x, STARTS, (1, 1), out=o), (STARTS,), "windows: out must be a writeable array of 3 dimen"),
    (lambda x, n: fo.frame(x, n, 1), (2.0,), "frame: frame_length must be an integer, signed or of less than 64 bits"),
    (lambda x, n: fo.frame(x, 2, 1, axis=n), (2.0,), "frame: axis must be an integer"),
    (lambda x, m: fo.frame(x, 2, 1, mode=m), (1.5,), "frame: mode must be a string"),
    (lambda x, n: NUMPY.pad(x, n), (UNSIGNED,), "numpy.pad: pad_width must be an integer, or tuples, lists or arrays"),
    (
        lambda x: NUMPY.pad(x, 1, constant_values=(1, 2)),
        (),
        "numpy.pad: constant_values must be one number in comp",
    ),
    (lambda x: NUMPY.pad(x, 1, 4), (), "numpy.pad: mode must be a string"),
    (lambda x, n: NUMPY.tile(x, n), (STARTS[0],), "numpy.tile: reps must be a tuple, whose length is known when comp"),
    (lambda x: NUMPY.tile(x, (1,) * 29), (), "numpy.tile: data and results must have at most 28 axes in compiled code"),
    (lambda x: NUMPY.roll(x, 1.5, 0), (), "numpy.roll: shift must be an integer"),
    (lambda x: NUMPY.flip(x, "x"), (), "numpy.flip: axis must be an integer"),
    (lambda x: NUMPY.transpose(x, "x"), (), "numpy.transpose: axes must be an integer"),
    (lambda x: NUMPY.rot90(x, 1.0), (), "numpy.rot90: k must be an integer"),
    (lambda x: NUMPY.moveaxis(x, 0, 1.0), (), "numpy.moveaxis: destination must be an integer"),
    (lambda x: NUMPY.swapaxes(x, 0, 1.0), (), "numpy.swapaxes: axis2 must be an integer"),
    (lambda x: NUMPY.repeat(x, 1.5), (), "numpy.repeat: repeats must be an integer"),
    (lambda x: NUMPY.broadcast_to(x, (4,)), (), "numpy.broadcast_to: shape must have a length for each axis of data"),
    (lambda x, n: NUMPY.broadcast_to(x, n), (STARTS[0],), "numpy.broadcast_to: shape must be a tuple, whose length"),
    (lambda x, n: NUMPY.sliding_window_view(x, n), (STARTS[0],), "numpy.sliding_window_view: window_shape must be a t"),
    (lambda x: NUMPY.split(x, 0), (), "numpy.split: indices_or_sections must be in 1..1048576, got 0"),
    (lambda x: NUMPY.split(x, 1.5), (), "numpy.split: indices_or_sections must be an integer"),
    (lambda x, n: NUMPY.array_split(x, n), (STARTS,), "numpy.array_split: indices_or_sections must be an integer"),
    (lambda x, o: NUMPY.split(x, 2, out=o), (ARRAY,), "numpy.split: got an unexpected keyword argument 'out'"),
    (lambda x: fo.range(0, x, 1, "i4"), (), "range: start, stop and step must be numbers, got array"),
    (lambda _: fo.range(0, 9, 1, "f2"), (), "range: output_type must be"),
    (lambda _: fo.range(0, 9, 1, "i4"), (), "range: output_type must be an integer type, float32 or float64"),
    (lambda _: fo.range(0, 9, 1, 3), (), "range: output_type must be a type, or a literal name of one"),
    (lambda _: fo.range(0, 9), (), "range: missing a required argument"),
)


def lines_of(call: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(TypingError) as error:
        njit(call)(*arguments)
    return "\n".join(str(error.value).splitlines()[:3])


@pytest.mark.parametrize("name", CALLS)
def test_wrong_data_and_arguments_of_each_operator(name: str) -> None:
    function, call = CALLS[name]
    # The name of data is not the same in all.
    for data, text in (
        (3.5, r"\w+ must be one array in compiled code, got float64"),
        ((ARRAY, ARRAY), r"\w+ must be one array in compiled code, got UniTuple"),
        (ARRAY.astype(np.float16), r"\w+ must be of booleans, integers, floats of 32 or 64 bits, .*, got float16"),
        (ARRAY.astype("S3"), r"\w+ must be of booleans, .*, got \[char x 3\]"),
        (np.zeros((3, 4), [("a", "f4")]), r"\w+ must be of booleans, .*, got Record"),
    ):
        lines = lines_of(call, data)
        assert re.search(rf"fastops\.{name}: {text}", lines), lines
    for wrong, text in (
        (
            lambda x: function(x, 1, 1, copy=False),
            "got an unexpected keyword argument 'copy'; in compiled code it",
        ),
        (lambda _: function(), "missing a required argument"),
    ):
        assert f"fastops.{name}: {text}" in lines_of(wrong, ARRAY)


def test_what_is_wrong_with_types() -> None:
    for call, arguments, text in WRONG:
        assert f"fastops.{text}" in lines_of(call, ARRAY, *arguments)
    # Numba says of each function that it is compiled for another one.
    inner = njit(lambda x: NUMPY.pad(x, 1, 4))
    assert "fastops.numpy.pad: mode must be a string" in lines_of(lambda x: inner(x), ARRAY)
    assert "fastops.onnx.tile has no compiled form" in lines_of(lambda x: fo.onnx.tile(x, (1, 1)), ARRAY)


def test_the_place_of_the_call_follows_and_the_next_call_is_right() -> None:
    with pytest.raises(TypingError, match=r"(?s)mode must be a string.*File \"tests/overloads/test_call_errors\.py\""):
        njit(lambda x: NUMPY.pad(x, 1, 4))(ARRAY)
    assert njit(lambda x: NUMPY.pad(x, 1, "edge"))(ARRAY).shape == (5, 6)
