"""Random calls of ONNX's operators, each from a seed, on data of types that ONNX Runtime has a kernel for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.conformance._calls import LEFT_OUT, Call, Dice, extent_of
from tests.conformance._outcomes import Array

_PADS = ("float32", "int32", "uint8", "int64", "bool", "float64", "int8", "uint32", "uint64", "float16")
_ALL = (*_PADS, "int16", "uint16")
_IMAGES = ("float32", "float16", "float64", "uint8", "int8")


def _quiet(rng: Dice, shape: Sequence[int], dtypes: Sequence[str]) -> Array:
    """An array whose NaNs of float16 are quiet.

    Some kernels of ONNX Runtime have no float16 and go over float32, which makes all of them quiet.
    """
    data = rng.data(shape, dtypes)
    if data.dtype == np.float16:
        data[np.isnan(data)] = np.nan
    return data


def draw_center_crop_pad(rng: Dice) -> Call:
    data = _quiet(rng, rng.shape(), _PADS)
    axes: Any = LEFT_OUT
    n = data.ndim
    if rng.random() < 0.5:
        axes = rng.axes(n, rng.randint(min(1, n), n))
        n = len(axes)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 7 if data.ndim < 5 else 3) for _ in range(n)]
    rng.spoil(shape, 0.05, (-1,))
    if rng.random() < 0.05:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 2]
    return rng.call(data, {"shape": rng.given(shape, "int64")}, {"axes": axes})


def draw_depth_to_space(rng: Dice) -> Call:
    size = rng.block_size()
    data = _quiet(rng, rng.images({1: size * size}), _IMAGES)
    return rng.call(data, {"blocksize": size, "mode": _draw_mode(rng)})


def draw_space_to_depth(rng: Dice) -> Call:
    size = rng.block_size()
    return rng.call(rng.data(rng.images({2: size, 3: size}), _IMAGES), {"blocksize": size, "mode": _draw_mode(rng)})


def _draw_mode(rng: Dice) -> Any:
    return rng.choice((LEFT_OUT, "DCR", "CRD")) if rng.random() < 0.97 else rng.choice(("dcr", "RCD"))


def draw_expand(rng: Dice) -> Call:
    shape = rng.shape()
    target = [extent if rng.random() < 0.5 else 1 for extent in shape]
    shape = [1 if rng.random() < 0.3 else extent for extent in shape]
    if len(shape) < 5 and rng.random() < 0.4:
        target = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))] + target
    target = [rng.randint(1, 4) if extent == 1 and rng.random() < 0.5 else extent for extent in target]
    target = target[rng.randint(0, min(2, len(target))) :] if rng.random() < 0.2 else target
    rng.spoil(target, 0.1, (0, -1, 6))
    return rng.call(rng.data(shape, _ALL), {"shape": rng.given(target, "int64")})


def draw_pad(rng: Dice) -> Call:
    """Pads of all modes, of which some crop and some reach over several periods."""
    shape = rng.shape()
    data = _quiet(rng, shape, _PADS)
    axes: Any = LEFT_OUT
    named = list(range(len(shape)))
    if rng.random() < 0.4:
        named = rng.axes(len(shape), rng.randint(min(1, len(shape)), len(shape)), 0.05)
        axes = rng.given(named, "int32", "int64")
    mode = rng.choice(("constant", "constant", "edge", "reflect", "wrap"))
    far = rng.random() < 0.1
    sides = []
    for extent in [extent_of(shape, axis) for axis in named * 2]:
        most = {"reflect": max(extent - 1, 0), "wrap": extent}.get(mode, 3)
        sides.append(rng.randint(0, 7 if far and len(shape) < 4 else min(most, 4)))
    rng.spoil(sides, 0.25, (-1, -1, -2, -3))
    if rng.random() < 0.03:
        sides.append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 1, 7, 100)))
        value = value if rng.random() < 0.5 else np.array(value)
    mode = LEFT_OUT if mode == "constant" and rng.random() < 0.3 else mode if rng.random() < 0.98 else "Edge"
    return rng.call(data, {"pads": rng.given(sides, "int64"), "constant_value": value, "axes": axes}, {"mode": mode})


def draw_range(rng: Dice) -> Call:
    """Numbers of one type, of which few are of another."""
    dtype = rng.choice(("int16", "int32", "int64", "float32", "float64"))
    values = rng.range(of_floats=dtype[0] == "f")
    if rng.random() < 0.06:
        most = 2 ** {"int16": 15, "int32": 31}.get(dtype, 63)
        start, limit, delta = rng.choice(((most - 3, most - 1, most // 8), (5 - most, -most, -most // 8)))
        values = [rng.choice((values[0], start)), limit, delta]
    typed = [np.dtype(dtype).type(value) for value in values]
    rng.spoil(typed, 0.03, [np.dtype("float32" if dtype == "int64" else "int64").type(1)])
    return rng.call(None, dict(zip(("start", "limit", "delta"), typed, strict=True)))


def draw_slice(rng: Dice) -> Call:
    shape = rng.shape()
    named = rng.axes(len(shape), rng.randint(min(1, len(shape)), len(shape)))
    named = named if rng.random() < 0.7 else list(range(len(named)))
    starts, ends, steps, axes = rng.slices(shape, named)
    lists = rng.all_given({"starts": starts, "ends": ends, "axes": axes, "steps": steps})
    if axes == list(range(len(axes))) and rng.random() < 0.7:
        lists["axes"] = LEFT_OUT
    if rng.random() < 0.25:
        lists["steps"] = LEFT_OUT
    return rng.call(rng.data(shape, _ALL), lists)


def draw_split(rng: Dice) -> Call:
    shape = rng.shape()
    axis = rng.axis(len(shape))
    parts: Any = LEFT_OUT
    number: Any = LEFT_OUT
    if rng.random() < 0.6:
        lengths = rng.lengths(extent_of(shape, axis))
        if rng.random() < 0.12:
            lengths[rng.randrange(len(lengths))] += rng.choice((-1, 1, -7, 2**40))
        parts = rng.given(lengths, "int64")
    # Beside lengths, ONNX Runtime takes -1 for no number, which is how it marks a missing one.
    if parts is LEFT_OUT or rng.random() < 0.02:
        number = rng.randint(1, 5) if rng.random() < 0.95 else rng.choice((0, -1 if parts is LEFT_OUT else 0))
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(rng.data(shape, _ALL), {"split": parts}, {"axis": axis, "num_outputs": number})


def draw_tile(rng: Dice) -> Call:
    shape = rng.shape()
    repeats = rng.repeats(len(shape))
    if rng.random() < 0.05:
        repeats.append(1)
    return rng.call(_quiet(rng, shape, _ALL), {"repeats": rng.given(repeats, "int64")})


def draw_transpose(rng: Dice) -> Call:
    shape = rng.shape()
    perm = rng.listed(rng.order(len(shape))) if rng.random() < 0.85 else LEFT_OUT
    return rng.call(rng.data(shape, _ALL), {"perm": perm})
