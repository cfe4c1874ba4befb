"""Where ONNX Runtime, or onnx's reference evaluator where that has no kernel, and fastops answer differently."""

from __future__ import annotations

from math import ceil

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call
from tests.conformance._live_draws import numbered
from tests.conformance._onnx_pad_departures import PADS
from tests.conformance._outcomes import Array, are_alike


def _numbers(call: Call) -> list[np.generic]:
    return [call.arguments[name] for name in ("start", "limit", "delta")]


def _is_float_range(call: Call) -> bool:
    numbers = _numbers(call)
    return (
        len({each.dtype for each in numbers}) == 1 and numbers[0].dtype.kind == "f" and bool(np.isfinite(numbers).all())
    )


def _accumulated(call: Call) -> Array:
    """A range of floats as ONNX Runtime makes it: each element is the one before it and the step."""
    start, _, delta = _numbers(call)
    steps = np.full(_count(call), delta)
    steps[:1] = start
    return np.add.accumulate(steps)


def _ranged(call: Call) -> Array:
    """A range of floats: each element by itself."""
    start, _, delta = _numbers(call)
    return start + np.arange(_count(call)).astype(start.dtype) * delta


def _count(call: Call) -> int:
    """The elements of a range of floats, counted in float64."""
    start, limit, delta = map(float, _numbers(call))
    return max(ceil((limit - start) / delta), 0)


def _drifts(call: Call) -> bool:
    return _is_float_range(call) and _numbers(call)[2] != 0 and not are_alike(_accumulated(call), _ranged(call))


def _is_right_crop(call: Call, *, may_spread: bool = False) -> bool:
    """Whether a call of CenterCropPad is right, but that lengths may be negative, or one be that of several axes."""
    rank = call.data.ndim
    axes = [int(axis) for axis in call.arguments.get("axes", range(rank))]
    is_right = all(-rank <= axis < rank for axis in axes) and len({axis % rank for axis in axes}) == len(axes)
    return is_right and len(call.arguments["shape"]) in (len(axes), 1 if may_spread else len(axes))


def _ends_far_behind(call: Call) -> bool:
    """Whether an axis is read backwards, from an end of exactly the most that an index type holds."""
    rank = call.data.ndim
    starts, ends = ([int(each) for each in call.arguments[name]] for name in ("starts", "ends"))
    axes = [int(axis) for axis in call.arguments.get("axes", range(len(starts)))]
    steps = [int(step) for step in call.arguments.get("steps", [1] * len(starts))]
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        return False
    if not all(-rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) < len(axes):
        return False
    return any(
        step < 0 and end in (2**31 - 1, 2**63 - 1) and call.data.shape[axis]
        for end, axis, step in zip(ends, axes, steps, strict=True)
    )


def _sliced(call: Call) -> Array:
    """What a slice gives, with the bounds clamped as the specification says."""
    starts, ends = ([int(each) for each in call.arguments[name]] for name in ("starts", "ends"))
    axes = call.arguments.get("axes", range(len(starts)))
    steps = call.arguments.get("steps", [1] * len(starts))
    index = [np.arange(extent) for extent in call.data.shape]
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        n = call.data.shape[axis]
        first, last = (bound + n if bound < 0 else bound for bound in (start, end))
        if step < 0:
            index[axis] = np.arange(min(max(first, 0), n - 1), min(max(last, -1), n - 1), max(int(step), -n - 1))
        else:
            index[axis] = np.arange(min(max(first, 0), n), min(max(last, 0), n), min(int(step), n + 1))
    return call.data[np.ix_(*index)]


def _has_broken_blocks(call: Call) -> bool:
    """Whether images without elements have rows or columns that blocks do not divide."""
    size = call.arguments["blocksize"]
    if call.data.ndim != 4 or call.data.size or size < 1 or call.arguments.get("mode", "DCR") not in ("DCR", "CRD"):
        return False
    return any(extent % size for extent in call.data.shape[2:])


DEPARTURES = (
    departure(
        "onnx-crop-negative",
        lambda call: _is_right_crop(call) and min(call.arguments["shape"], default=0) < 0,
        Call(numbered((2,)), {"shape": [-1]}, 1),
    ),
    departure(
        "onnx-crop-spread",
        lambda call: not _is_right_crop(call) and _is_right_crop(call, may_spread=True) and call.data.ndim > 0,
        Call(numbered((1, 1)), {"shape": [1]}, 1),
    ),
    departure(
        "onnx-crop-rank-0",
        lambda call: not call.data.ndim and _is_right_crop(call),
        Call(numbered(()), {"shape": []}, 1),
        lambda call: call.data,
    ),
    *PADS,
    departure(
        "onnx-range",
        _drifts,
        Call(None, {"start": np.float32(-0.0), "limit": np.float32(1), "delta": np.float32(1)}, 3),
        _ranged,
    ),
    departure(
        "onnx-slice-rank-0",
        lambda call: not call.data.ndim and not any(map(len, call.arguments.values())),
        Call(numbered(()), {"starts": [], "ends": []}, 2),
        lambda call: call.data,
    ),
    departure(
        "onnx-slice-far-behind",
        _ends_far_behind,
        Call(numbered((2,)), {"starts": [1], "ends": [2**63 - 1], "steps": [-1]}, 2),
        _sliced,
    ),
    departure("onnx-space-to-depth-broken", _has_broken_blocks, Call(numbered((1, 1, 0, 3)), {"blocksize": 2}, 1)),
)
