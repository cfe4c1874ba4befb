"""Where ONNX Runtime, or onnx's reference evaluator where that has no kernel, and fastops answer differently."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from tests.conformance._calls import Call, are_axes, example
from tests.conformance._departure_table import Departures
from tests.conformance._onnx_pad_departures import PADS
from tests.conformance._outcomes import Array, are_alike
from tests.helpers import oracle

DEPARTURES = Departures()


def _data(call: Call) -> Array:
    return call.data


def _is_right_crop(call: Call, *, may_spread: bool = False) -> bool:
    """Whether a call of CenterCropPad is right, but that lengths may be negative, or one be that of several axes."""
    axes, n = call.arguments.get("axes", range(call.data.ndim)), len(call.arguments["shape"])
    return are_axes(axes, call.data.ndim) and (n == len(axes) or (may_spread and n == 1))


@DEPARTURES.add("onnx-crop-negative", example((2,), shape=[-1]))
def _crops_to_less_than_nothing(call: Call) -> bool:
    return _is_right_crop(call) and min(call.arguments["shape"], default=0) < 0


@DEPARTURES.add("onnx-crop-spread", example((1, 1), shape=[1]))
def _crops_all_alike(call: Call) -> bool:
    return not _is_right_crop(call) and _is_right_crop(call, may_spread=True) and call.data.ndim > 0


@DEPARTURES.add("onnx-crop-rank-0", example((), shape=[]), _data)
def _crops_no_axes(call: Call) -> bool:
    return not call.data.ndim and _is_right_crop(call)


DEPARTURES += PADS


def _ranged(call: Call, *, is_accumulated: bool = False) -> Array:
    """A range of floats, counted in float64: each element by itself, or, as ONNX Runtime does, from the one before."""
    start, limit, delta = call.arguments.values()
    count = max(ceil((float(limit) - float(start)) / float(delta)), 0)
    if is_accumulated:
        return np.add.accumulate(np.array([start, *[delta] * count][:count], start.dtype))
    return start + np.arange(count).astype(start.dtype) * delta


@DEPARTURES.add(
    "onnx-range", Call(None, {"start": np.float32(-0.0), "limit": np.float32(1), "delta": np.float32(1)}, 3), _ranged
)
def _drifts(call: Call) -> bool:
    start, limit, delta = numbers = [*call.arguments.values()]
    is_right = start.dtype == limit.dtype == delta.dtype and np.isfinite(numbers).all() and delta != 0
    return is_right and start.dtype.kind == "f" and not are_alike(_ranged(call, is_accumulated=True), _ranged(call))


@DEPARTURES.add("onnx-slice-rank-0", example((), 2, starts=[], ends=[]), _data)
def _slices_no_axes(call: Call) -> bool:
    return not call.data.ndim and not any(map(len, call.arguments.values()))


def _bounds(call: Call) -> dict[int, tuple[int, int, int]] | None:
    """The start, end and step of each axis that is sliced; None for a call that is wrong."""
    n = len(call.arguments["starts"])
    defaults = {"starts": [], "ends": [], "steps": [1] * n, "axes": range(n)}
    starts, ends, steps, axes = ([int(each) for each in call.arguments.get(name, defaults[name])] for name in defaults)
    if not len(starts) == len(ends) == len(steps) == len(axes) or 0 in steps or not are_axes(axes, call.data.ndim):
        return None
    return dict(zip([axis % call.data.ndim for axis in axes], zip(starts, ends, steps, strict=True), strict=True))


def _sliced(call: Call) -> Array:
    bounds: Any = _bounds(call)
    named = [bounds.get(axis, (0, extent, 1)) for axis, extent in enumerate(call.data.shape)]
    return oracle.strided_slice(call.data, *zip(*named, strict=True))


@DEPARTURES.add("onnx-slice-far-behind", example((2,), 2, starts=[1], ends=[2**63 - 1], steps=[-1]), _sliced)
def _ends_far_behind(call: Call) -> bool:
    """Whether an axis is read backwards, from an end of exactly the most that an index type holds."""
    bounds = _bounds(call) or {}
    ends = [end for axis, (_, end, step) in bounds.items() if step < 0 and call.data.shape[axis]]
    return 2**31 - 1 in ends or 2**63 - 1 in ends


@DEPARTURES.add("onnx-space-to-depth-broken", example((1, 1, 0, 3), blocksize=2))
def _has_broken_blocks(call: Call) -> bool:
    """Whether images without elements have rows or columns that blocks do not divide."""
    size, mode = call.arguments["blocksize"], call.arguments.get("mode", "DCR")
    is_right = call.data.ndim == 4 and not call.data.size and size >= 1 and mode in ("DCR", "CRD")
    return is_right and any(extent % size for extent in call.data.shape[2:])
