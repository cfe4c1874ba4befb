"""Where TensorFlow and fastops answer differently."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import Any

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call, Departure
from tests.conformance._live_draws import numbered


def _given(call: Call, name: str, otherwise: Any = None) -> Any:
    return call.arguments.get(name, otherwise)


def _has_empty_lists(call: Call) -> bool:
    """Whether all lists that are given are lists or tuples without elements."""
    lists = [value for value in call.arguments.values() if isinstance(value, list | tuple | np.ndarray)]
    return bool(lists) and all(isinstance(each, list | tuple) and not each for each in lists)


def _empty_list(function: str, example: Call, *, rank: int | None = None) -> Departure:
    """Return the departure of a function; of one that takes a value per axis, where data has no axes."""
    name = f"tensorflow-{function.replace('_', '-')}-empty-list"
    return departure(
        name, lambda call: _has_empty_lists(call) and rank in (None, call.data.ndim), example, lambda call: call.data
    )


def _pads(call: Call) -> list[list[int]]:
    pairs: list[list[int]] = np.reshape(np.array(call.arguments["paddings"], int), (-1, 2)).tolist()
    return pairs


def _fills(call: Call) -> bool:
    return _given(call, "mode", "CONSTANT").upper() == "CONSTANT"


def _is_right_pad(call: Call) -> bool:
    """Whether paddings are what a mode takes."""
    pads = _pads(call)
    if len(pads) != call.data.ndim or min(map(min, pads), default=0) < 0 or _has_empty_lists(call):
        return False
    beyond = {"R": -1, "S": 0}.get(_given(call, "mode", "CONSTANT")[0].upper(), sys.maxsize)
    return all(max(pair) <= extent + beyond for pair, extent in zip(pads, call.data.shape, strict=True))


def _has_too_many_axes(call: Call) -> bool:
    """Whether a pad is of more axes than there are kernels for; neighbours without pads are one for a constant."""
    if not _is_right_pad(call):
        return False
    if not _fills(call):
        return call.data.ndim > 5
    return sum(len(list(axes)) if padded else 1 for padded, axes in groupby(_pads(call), any)) > 6


def _is_filled(call: Call) -> bool:
    return _is_right_pad(call) and _fills(call) and not _has_too_many_axes(call)


def _loses_sign(call: Call) -> bool:
    is_written = call.data.dtype.kind not in "iub" and any(map(any, _pads(call)))
    return _is_filled(call) and str(_given(call, "constant_values")) == "-0.0" and is_written


# Types of data that a boolean of Python's is a constant for.
_BOOLEANS = ("bool", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def _is_no_number(call: Call) -> bool:
    """Whether the constant is a boolean for other data than TensorFlow takes one for, or an integer for booleans."""
    value, dtype = _given(call, "constant_values", 0), call.data.dtype
    if not _is_filled(call) or value == 0:
        return False
    return (type(value) is bool and dtype not in _BOOLEANS) or (type(value) is int and value == 1 and dtype.kind == "b")


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


def _has_long_lists(call: Call) -> bool:
    """Whether a list of patches has more than four values, and all is right but that."""
    lists = [call.arguments[name] for name in ("sizes", "strides", "rates")]
    # Patches that are too long for an image are refused with VALID.
    is_right = all(each[0] == each[3] == 1 and min(each) > 0 for each in lists) and call.data.ndim == 4
    return is_right and call.arguments["padding"] == "SAME" and max(map(len, lists)) > 4


def _split_in_one(call: Call) -> bool:
    """Whether an axis is split into one part of length -1."""
    parts, axis = call.arguments["num_or_size_splits"], _given(call, "axis", 0)
    is_axis = -call.data.ndim <= axis < call.data.ndim
    return is_axis and np.ndim(parts) == 1 and list(parts) == [-1] and _given(call, "num", 1) == 1


def _reverses_nothing(call: Call) -> bool:
    """Whether the axes are none of data's, or named twice, and data has no elements or no axes."""
    axes = [int(axis) for axis in call.arguments["axis"]]
    rank = call.data.ndim
    is_right = all(-rank <= axis < rank for axis in axes) and len({axis % rank for axis in axes}) == len(axes)
    return not is_right and not (rank and call.data.size)


def _rolls_far(call: Call) -> bool:
    """Whether the shifts of an axis and its length are more than int32 holds, and it shows."""
    rank = call.data.ndim
    axes = np.ravel(np.array(call.arguments["axis"], int)).tolist()
    shifts = np.ravel(np.array(call.arguments["shift"], int)).tolist()
    if len(axes) != len(shifts) or not all(-rank <= axis < rank for axis in axes) or not call.data.size:
        return False
    sums = [0] * rank
    moved = [0] * rank
    for axis, shift in zip(axes, shifts, strict=True):
        extent = call.data.shape[axis]
        # It keeps the remainder of each sum, with a sign as in C.
        sums[axis] = _wrapped(sums[axis] + shift)
        sums[axis] = _wrapped(int(np.fmod(sums[axis], extent)) + extent) % extent
        moved[axis] = (moved[axis] + shift) % extent
    return sums != moved


def _wrapped(number: int) -> int:
    return (number + 2**31) % 2**32 - 2**31


def _truncates(call: Call) -> bool:
    """Whether floats of NumPy are inputs of a range of integers, which there is once they are truncated."""
    values = [call.arguments[name] for name in ("start", "limit", "delta") if name in call.arguments]
    if _given(call, "dtype") not in ("int32", "int64") or not any(isinstance(each, np.floating) for each in values):
        return False
    if any(type(each) is float for each in values):
        return False
    start, limit, delta = (0, int(values[0]), 1) if len(values) == 1 else (*map(int, values), 1)[:3]
    return delta != 0 and (limit - start) * delta >= 0


DEPARTURES = (
    _empty_list("pad", Call(numbered(()), {"paddings": []}), rank=0),
    _empty_list("roll", Call(numbered((2,)), {"shift": [], "axis": []})),
    _empty_list("slice", Call(numbered(()), {"begin": [], "size": []}), rank=0),
    _empty_list("strided_slice", Call(numbered((2,)), {"begin": [], "end": []})),
    departure(
        "tensorflow-long-lists",
        _has_long_lists,
        Call(
            numbered((1, 1, 2, 1)),
            {"sizes": [1, 1, 1, 1], "strides": [1, 1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "SAME"},
        ),
    ),
    departure(
        "tensorflow-pad-axes",
        _has_too_many_axes,
        Call(numbered((1, 1, 1, 1, 1, 1)), {"paddings": [[0, 0]] * 5 + [[1, 0]], "mode": "SYMMETRIC"}, 2),
        lambda call: np.pad(
            call.data,
            _pads(call),
            _given(call, "mode", "CONSTANT").lower(),
            **({"constant_values": _given(call, "constant_values", 0)} if _fills(call) else {}),
        ),
    ),
    departure(
        "tensorflow-pad-sign",
        _loses_sign,
        Call(numbered((1,), "float32"), {"paddings": [[1, 0]], "constant_values": -0.0}, 1),
        lambda call: np.pad(call.data, _pads(call), constant_values=-0.0),
    ),
    departure(
        "tensorflow-pad-no-number",
        _is_no_number,
        Call(numbered((1,), "uint8"), {"paddings": [[1, 0]], "constant_values": True}, 1),
        lambda call: np.pad(call.data, _pads(call), constant_values=1),
    ),
    departure(
        "tensorflow-pad-changed",
        _changes,
        Call(numbered((1,), "uint8"), {"paddings": [[1, 0]], "constant_values": 300}, 1),
    ),
    departure(
        "tensorflow-halves",
        lambda call: _given(call, "dtype") == "float16",
        Call(None, {"start": 0, "limit": 2, "delta": 1, "dtype": "float16"}, 2),
    ),
    departure(
        "tensorflow-range-truncated",
        _truncates,
        Call(None, {"start": np.float32(0), "limit": np.float32(2.5), "delta": 1, "dtype": "int32"}, 2),
    ),
    departure("tensorflow-reverse-nothing", _reverses_nothing, Call(numbered(()), {"axis": [0]}, 1)),
    departure(
        "tensorflow-roll-far",
        _rolls_far,
        Call(numbered((5,)), {"shift": [7, 2**31 - 1], "axis": [0, 0]}, 2),
        lambda call: np.roll(
            call.data,
            [int(n) for n in np.ravel(call.arguments["shift"])],
            call.arguments["axis"],
        ),
    ),
    departure(
        "tensorflow-split-in-one",
        _split_in_one,
        Call(numbered((2,)), {"num_or_size_splits": [-1]}, 1),
        lambda call: [call.data],
    ),
)
