"""Where TensorFlow and fastops answer differently."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import Any

import numpy as np

from tests.conformance._calls import Call, are_axes, example, numbered
from tests.conformance._live import Array, Departures, are_alike

DEPARTURES = Departures()


def _given(call: Call, name: str, otherwise: Any = None) -> Any:
    return call.arguments.get(name, otherwise)


def _data(call: Call) -> Array:
    return call.data


def _has_empty_lists(call: Call) -> bool:
    """Whether all lists that are given are lists or tuples without elements."""
    lists = [value for value in call.arguments.values() if isinstance(value, list | tuple | np.ndarray)]
    return bool(lists) and all(isinstance(each, list | tuple) and not each for each in lists)


@DEPARTURES.add("tensorflow-pad-empty-list", example((), 0, paddings=[]), _data)
@DEPARTURES.add("tensorflow-slice-empty-list", example((), 0, begin=[], size=[]), _data)
def _has_empty_lists_of_axes(call: Call) -> bool:
    """Whether data has no axes, of each of which there is a value."""
    return _has_empty_lists(call) and not call.data.ndim


@DEPARTURES.add("tensorflow-roll-empty-list", example((2,), 0, shift=[], axis=[]), _data)
@DEPARTURES.add("tensorflow-strided-slice-empty-list", example((2,), 0, begin=[], end=[]), _data)
def _has_empty_lists_beside_axes(call: Call) -> bool:
    return _has_empty_lists(call) and (call.data.ndim > 0 or "shift" not in call.arguments)


@DEPARTURES.add(
    "tensorflow-long-lists",
    example((1, 1, 2, 1), 0, sizes=[1] * 4, strides=[1] * 5, rates=[1] * 4, padding="SAME"),
)
def _has_long_lists(call: Call) -> bool:
    """Whether a list of patches has more than four values, and all is right but that."""
    lists = [call.arguments[name] for name in ("sizes", "strides", "rates")]
    # Patches that are too long for an image are refused with VALID.
    is_right = all(each[0] == each[3] == 1 and min(each) > 0 for each in lists) and call.data.ndim == 4
    return is_right and call.arguments["padding"] == "SAME" and max(map(len, lists)) > 4


def _pads(call: Call) -> list[list[int]]:
    pairs: list[list[int]] = np.reshape(np.array(call.arguments["paddings"], int), (-1, 2)).tolist()
    return pairs


def _mode(call: Call) -> str:
    mode: str = _given(call, "mode", "CONSTANT").lower()
    return mode


def _padded(call: Call) -> Array:
    constant = {"constant_values": _given(call, "constant_values", 0)} if _mode(call) == "constant" else {}
    return np.pad(call.data, _pads(call), _mode(call), **constant)


def _is_right_pad(call: Call) -> bool:
    """Whether paddings are what a mode takes."""
    pads = _pads(call)
    if len(pads) != call.data.ndim or min(map(min, pads), default=0) < 0 or _has_empty_lists(call):
        return False
    beyond = {"reflect": -1, "symmetric": 0}.get(_mode(call), sys.maxsize)
    return all(max(pair) <= extent + beyond for pair, extent in zip(pads, call.data.shape, strict=True))


@DEPARTURES.add("tensorflow-pad-axes", example([1] * 6, 2, paddings=[[0, 0]] * 5 + [[1, 0]], mode="SYMMETRIC"), _padded)
def _has_too_many_axes(call: Call) -> bool:
    """Whether a pad is of more axes than there are kernels for; neighbours without pads are one for a constant."""
    if not _is_right_pad(call):
        return False
    if _mode(call) != "constant":
        return call.data.ndim > 5
    return sum(len(list(axes)) if padded else 1 for padded, axes in groupby(_pads(call), any)) > 6


def _is_filled(call: Call) -> bool:
    return _is_right_pad(call) and _mode(call) == "constant" and not _has_too_many_axes(call)


@DEPARTURES.add(
    "tensorflow-pad-sign",
    Call(numbered((1,), "float32"), {"paddings": [[1, 0]], "constant_values": -0.0}, 1),
    _padded,
)
def _loses_sign(call: Call) -> bool:
    is_written = call.data.dtype.kind not in "iub" and any(map(any, _pads(call)))
    return _is_filled(call) and str(_given(call, "constant_values")) == "-0.0" and is_written


# Types of data that a boolean of Python's is a constant for.
_BOOLEANS = ("bool", "int32", "int64", "float16", "bfloat16", "float32", "float64")


@DEPARTURES.add(
    "tensorflow-pad-no-number",
    Call(numbered((1,), "uint8"), {"paddings": [[1, 0]], "constant_values": True}, 1),
    _padded,
)
def _is_no_number(call: Call) -> bool:
    """Whether the constant is a boolean for other data than TensorFlow takes one for, or an integer for booleans."""
    value, dtype = _given(call, "constant_values", 0), call.data.dtype
    if not _is_filled(call) or value == 0:
        return False
    return (type(value) is bool and dtype not in _BOOLEANS) or (type(value) is int and value == 1 and dtype.kind == "b")


@DEPARTURES.add(
    "tensorflow-pad-changed",
    Call(numbered((1,), "uint8"), {"paddings": [[1, 0]], "constant_values": 300}, 1),
)
def _changes(call: Call) -> bool:
    """Whether the constant becomes another number in the type of data."""
    value, dtype = _given(call, "constant_values", 0), call.data.dtype
    if not _is_filled(call) or isinstance(value, bool | np.bool):
        return False
    if dtype.kind in "iub":
        if value == 0:
            return isinstance(value, float | np.floating)
        if isinstance(value, np.floating) or (isinstance(value, np.integer) and dtype.kind == "b"):
            return True
        return dtype.kind != "b" and isinstance(value, int) and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    return bool(np.isfinite(value)) and not np.isfinite(np.asarray(value).astype(dtype).real.astype(float))


@DEPARTURES.add("tensorflow-halves", Call(None, {"start": 0, "limit": 2, "delta": 1, "dtype": "float16"}, 2))
def _is_of_halves(call: Call) -> bool:
    return _given(call, "dtype") == "float16"


@DEPARTURES.add(
    "tensorflow-range-truncated",
    Call(None, {"start": np.float32(0), "limit": np.float32(2.5), "delta": 1, "dtype": "int32"}, 2),
)
def _truncates(call: Call) -> bool:
    """Whether floats of NumPy are inputs of a range of integers, which there is once they are truncated."""
    values = [call.arguments[name] for name in ("start", "limit", "delta") if name in call.arguments]
    if _given(call, "dtype") not in ("int32", "int64") or not any(isinstance(each, np.floating) for each in values):
        return False
    if any(type(each) is float for each in values):
        return False
    start, limit, delta = (0, int(values[0]), 1) if len(values) == 1 else (*map(int, values), 1)[:3]
    return delta != 0 and (limit - start) * delta >= 0


@DEPARTURES.add("tensorflow-reverse-nothing", example((), axis=[0]))
def _reverses_nothing(call: Call) -> bool:
    """Whether the axes are none of data's, or named twice, and data has no elements or no axes."""
    is_right = are_axes(map(int, call.arguments["axis"]), call.data.ndim)
    return not is_right and not (call.data.ndim and call.data.size)


def _rolls(call: Call) -> list[tuple[int, int]]:
    """The axis and the shift of each roll; none if they do not match."""
    axes, shifts = (np.ravel(np.array(call.arguments[name], int)).tolist() for name in ("axis", "shift"))
    return list(zip(axes, shifts, strict=True)) if len(axes) == len(shifts) else []


@DEPARTURES.add(
    "tensorflow-roll-far",
    example((5,), 2, shift=[7, 2**31 - 1], axis=[0, 0]),
    lambda call: np.roll(call.data, [shift for _, shift in _rolls(call)], [axis for axis, _ in _rolls(call)]),
)
def _rolls_far(call: Call) -> bool:
    """Whether the shifts of an axis and its length are more than int32 holds, and it shows."""
    rolls, rank = _rolls(call), call.data.ndim
    if not rolls or not are_axes([axis for axis, _ in rolls], rank, may_repeat=True) or not call.data.size:
        return False
    sums, moved = [0] * rank, [0] * rank
    for axis, shift in rolls:
        extent = call.data.shape[axis]
        # It keeps the remainder of each sum, with a sign as in C.
        sums[axis] = _wrapped(sums[axis] + shift)
        sums[axis] = _wrapped(int(np.fmod(sums[axis], extent)) + extent) % extent
        moved[axis] = (moved[axis] + shift) % extent
    return not are_alike(np.roll(call.data, sums, range(rank)), np.roll(call.data, moved, range(rank)))


def _wrapped(number: int) -> int:
    return (number + 2**31) % 2**32 - 2**31


@DEPARTURES.add("tensorflow-split-in-one", example((2,), num_or_size_splits=[-1]), lambda call: [call.data])
def _split_in_one(call: Call) -> bool:
    """Whether an axis is split into one part of length -1."""
    parts, axis = call.arguments["num_or_size_splits"], _given(call, "axis", 0)
    is_one = np.ndim(parts) == 1 and list(parts) == [-1] and _given(call, "num", 1) == 1
    return is_one and are_axes([axis], call.data.ndim)
