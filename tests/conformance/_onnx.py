"""Random calls of the functions of fastops.onnx, and where these functions depart from ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import LEFT_OUT, Array, Call, Dice, are_axes, example, extent_of
from tests.conformance._draws import Draw, family
from tests.conformance._live import departures_of
from tests.helpers import oracle

_PADS = ("float32", "int32", "uint8", "int64", "bool", "float64", "int8", "uint32", "uint64", "float16")


class OnnxDice(Dice):
    """Arguments in the forms that onnx takes."""

    dtypes = (*_PADS, "int16", "uint16")
    index_types = ("int64",)

    def _fresh(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
        """An array without signalling NaNs of float16: some kernels convert to float32, which makes NaNs quiet."""
        found = super()._fresh(shape, dtype)
        if dtype == np.float16:
            found[np.isnan(found)] = np.nan
        return found


@family
def crops(rng: OnnxDice) -> Call:
    data = rng.data(None, _PADS)
    axes = rng.axes(data.ndim, rng.randint(min(1, data.ndim), data.ndim)) if rng.random() < 0.5 else LEFT_OUT
    n = data.ndim if axes is LEFT_OUT else len(axes)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 7 if data.ndim < 5 else 3) for _ in range(n)]
    rng.spoil(shape, 0.05, (-1,))
    if rng.random() < 0.05:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 2]
    return rng.call(data, {"shape": rng.listed(shape)}, {"axes": axes})


@family
def pads(rng: OnnxDice) -> Call:
    """Pads of all modes; some crop, and some reach over several periods."""
    data = rng.data(None, _PADS)
    axes: Any = LEFT_OUT
    named = list(range(data.ndim))
    if rng.random() < 0.4:
        named = rng.axes(data.ndim, rng.randint(min(1, data.ndim), data.ndim), 0.05)
        axes = rng.listed(named, types=("int32", "int64"))
    mode = rng.choice(("constant", "constant", "edge", "reflect", "wrap"))
    is_far = rng.random() < 0.1 and data.ndim < 4
    pairs = rng.pads([extent_of(data.shape, axis) for axis in named], None if is_far else mode, 7 if is_far else 4)
    sides = [pair[k] for k in range(2) for pair in pairs]
    rng.spoil(sides, 0.25, (-1, -1, -2, -3))
    if rng.random() < 0.03:
        sides.append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 1, 7, 100)))
        value = value if rng.random() < 0.5 else np.array(value)
    mode = LEFT_OUT if mode == "constant" and rng.random() < 0.3 else rng.mostly((mode,), ("Edge",), 0.02)
    return rng.call(data, {"pads": rng.listed(sides), "constant_value": value, "axes": axes}, {"mode": mode})


@family
def ranges(rng: OnnxDice) -> Call:
    """Numbers of one type; a few are of another."""
    dtype = rng.choice(("int16", "int32", "int64", "float32", "float64"))
    values = rng.range(of_floats=dtype[0] == "f")
    if rng.random() < 0.06:
        most = 2 ** {"int16": 15, "int32": 31}.get(dtype, 63)
        start, limit, delta = rng.choice(((most - 3, most - 1, most // 8), (5 - most, -most, -most // 8)))
        values = [rng.choice((values[0], start)), limit, delta]
    typed = [np.dtype(dtype).type(value) for value in values]
    rng.spoil(typed, 0.03, [np.dtype("float32" if dtype == "int64" else "int64").type(1)])
    return rng.call(None, dict(zip(("start", "limit", "delta"), typed, strict=True)))


@family
def splits(rng: OnnxDice) -> Call:
    data = rng.data()
    axis: Any = rng.axis(data.ndim)
    parts: Any = LEFT_OUT
    number: Any = LEFT_OUT
    if rng.random() < 0.6:
        lengths = rng.lengths(extent_of(data.shape, axis))
        if rng.random() < 0.12:
            lengths[rng.randrange(len(lengths))] += rng.choice((-1, 1, -7, 2**40))
        parts = rng.listed(lengths)
    # If lengths are given, ONNX Runtime ignores num_outputs=-1, because -1 is its mark of a missing number.
    if parts is LEFT_OUT or rng.random() < 0.02:
        number = rng.mostly(range(1, 6), (0, -1 if parts is LEFT_OUT else 0), 0.05)
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(data, {"split": parts}, {"axis": axis, "num_outputs": number})


_images = partial(
    *(_draws.images, "blocksize"),
    others={"mode": ((LEFT_OUT, "DCR", "CRD"), ("dcr", "RCD"))},
    dtypes=("float32", "float16", "float64", "uint8", "int8"),
)

DRAWS: dict[str, Draw] = {
    "center_crop_pad": crops(),
    "depth_to_space": _images(lambda size, _: {1: size * size}),
    "expand": _draws.expansions(is_mutual=True),
    "pad": pads(),
    "range": ranges(),
    "slice": _draws.bounded_slices("starts", "ends", "steps", "axes", order=(0, 1, 3, 2), has_default=True),
    "space_to_depth": _images(lambda size, _: {2: size, 3: size}),
    "split": splits(),
    "tile": _draws.tiles("repeats", -1, -3),
    "transpose": _draws.transposes("perm", LEFT_OUT, is_counted_back=False),
}


def _ranged(call: Call) -> Array:
    start, limit, delta = call.arguments.values()
    count = max(ceil((float(limit) - float(start)) / float(delta)), 0)
    return start + np.arange(count).astype(start.dtype) * delta


def _axes(call: Call) -> list[int]:
    return call.integers("axes") if "axes" in call.arguments else list(range(call.data.ndim))


def _sliced(call: Call) -> Array:
    bounds = [(0, extent, 1) for extent in call.data.shape]
    starts, ends, axes = call.integers("starts"), call.integers("ends"), _axes(call)
    for each in zip(axes, starts, ends, call.integers("steps"), strict=False):
        bounds[each[0]] = each[1:]
    return oracle.strided_slice(call.data, *zip(*bounds, strict=True))


def _padded(call: Call) -> Array:
    """Crop each axis first, and then pad it."""
    pads, axes = call.integers("pads"), _axes(call)
    sides = [(0, 0)] * call.data.ndim
    for axis, *pair in zip(axes, pads, pads[len(axes) :], strict=False):
        sides[axis] = tuple(pair)
    shape = [n + low + high for n, (low, high) in zip(call.data.shape, sides, strict=True)]
    if 0 in shape or not shape:
        return np.resize(call.data, shape)
    kept = call.data[tuple([slice(max(-low, 0), min(high, 0) or None) for low, high in sides])]
    return np.pad(kept, np.maximum(sides, 0), call.get("mode", "constant"))


DEPARTURES = departures_of(
    {
        "onnx-crop-negative": (example((2,), shape=[-1]), lambda call: min(call.integers("shape")) < 0),
        "onnx-crop-spread": (
            example((1, 1), shape=[1]),
            lambda call: len(call.arguments["shape"]) == 1 < len(_axes(call)),
        ),
        "onnx-crop-rank-0": (example((), shape=[]), lambda call: not call.data.ndim),
        "onnx-range": (
            Call(None, {"start": np.float32(-0.0), "limit": np.float32(1), "delta": np.float32(1)}, 3),
            lambda call: call.arguments["start"].dtype.kind == "f",
            _ranged,
        ),
        "onnx-slice-rank-0": (example((), 2, starts=[], ends=[]), lambda call: not call.data.ndim),
        "onnx-slice-far-behind": (
            example((2,), 2, starts=[1], ends=[2**63 - 1], steps=[-1]),
            lambda call: {2**31 - 1, 2**63 - 1} & {*call.integers("ends")},
            _sliced,
        ),
        "onnx-space-to-depth-broken": (
            example((1, 1, 0, 3), blocksize=2),
            lambda call: any(extent % call.arguments["blocksize"] for extent in call.data.shape[2:]),
        ),
        "onnx-pad-rank-0": (example((), pads=[]), lambda call: not call.data.ndim),
        "onnx-pad-reflects": (
            example((2,), pads=[2, 0], mode="reflect"),
            lambda call: call.get("mode") == "reflect" and 0 not in _padded(call).shape,
            _padded,
        ),
        "onnx-pad-nothing-left": (
            example((1,), pads=[-1, 0], mode="edge"),
            lambda call: call.get("mode", "constant") != "constant" and 0 in _padded(call).shape,
            _padded,
        ),
        "onnx-pad-one-axis-twice": (
            example((1,), pads=[1, 2, 0, 0], axes=[0, -1]),
            lambda call: not are_axes(_axes(call), call.data.ndim),
        ),
    }
)
