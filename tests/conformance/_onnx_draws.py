"""Random calls of ONNX's operators, each from a seed, on data of types that ONNX Runtime has a kernel for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from tests.conformance._block_draws import draw_block_size, draw_images
from tests.conformance._live import Call
from tests.conformance._live_draws import (
    EXTREMES,
    LEFT_OUT,
    draw_axes,
    draw_axis,
    draw_data,
    draw_lengths,
    draw_shape,
    in_some_form,
    spelled,
)
from tests.conformance._outcomes import Array
from tests.conformance._range_draws import draw_onnx_range
from tests.conformance._slice_draws import draw_window

_ALL = (
    "float32",
    "int32",
    "uint8",
    "int64",
    "float16",
    "bool",
    "float64",
    "int8",
    "int16",
    "uint16",
    "uint32",
    "uint64",
)
_PADS = ("float32", "int32", "uint8", "int64", "bool", "float64", "int8", "uint32", "uint64", "float16")
_IMAGES = ("float32", "float16", "float64", "uint8", "int8")


def draw_quiet(rng: Random, shape: Sequence[int], dtypes: Sequence[str]) -> Array:
    """An array whose NaNs of float16 are quiet.

    Some kernels of ONNX Runtime have no float16 and go over float32, which makes all of them quiet.
    """
    data = draw_data(rng, shape, dtypes)
    if data.dtype == np.float16:
        data[np.isnan(data)] = np.nan
    return data


def as_input(rng: Random, values: Sequence[int], dtypes: Sequence[str] = ("int64",)) -> Any:
    """A list, a tuple or an array of one of these types."""
    bits = 63 if dtypes == ("int64",) else 31
    if rng.random() < 0.5 or not all(-(2**bits) <= value < 2**bits for value in values):
        return in_some_form(rng, values)
    return np.array(values, rng.choice(dtypes))


def draw_center_crop_pad(rng: Random) -> Call:
    data = draw_quiet(rng, draw_shape(rng), _PADS)
    axes: Any = LEFT_OUT
    n = data.ndim
    if rng.random() < 0.5:
        axes = draw_axes(rng, data.ndim, rng.randint(min(1, data.ndim), data.ndim))
        n = len(axes)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 7 if data.ndim < 5 else 3) for _ in range(n)]
    if shape and rng.random() < 0.05:
        shape[rng.randrange(n)] = -1
    elif rng.random() < 0.05:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 2]
    return spelled(rng, data, {"shape": as_input(rng, shape)}, {"axes": axes})


def draw_depth_to_space(rng: Random) -> Call:
    size = draw_block_size(rng)
    data = draw_quiet(rng, draw_images(rng, {1: size * size}), _IMAGES)
    return spelled(rng, data, {"blocksize": size, "mode": _draw_mode(rng)})


def draw_space_to_depth(rng: Random) -> Call:
    size = draw_block_size(rng)
    data = draw_data(rng, draw_images(rng, {2: size, 3: size}), _IMAGES)
    return spelled(rng, data, {"blocksize": size, "mode": _draw_mode(rng)})


def _draw_mode(rng: Random) -> Any:
    return rng.choice((LEFT_OUT, "DCR", "CRD")) if rng.random() < 0.97 else rng.choice(("dcr", "RCD"))


def draw_expand(rng: Random) -> Call:
    shape = draw_shape(rng)
    target = [extent if rng.random() < 0.5 else 1 for extent in shape]
    shape = [1 if rng.random() < 0.3 else extent for extent in shape]
    if len(shape) < 5 and rng.random() < 0.4:
        target = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))] + target
    target = [rng.randint(1, 4) if extent == 1 and rng.random() < 0.5 else extent for extent in target]
    target = target[rng.randint(0, min(2, len(target))) :] if rng.random() < 0.2 else target
    target = [most if extent == 1 else extent for extent, most in zip(target, target, strict=True)]
    if target and rng.random() < 0.1:
        target[rng.randrange(len(target))] = rng.choice((0, -1, 6))
    return spelled(rng, draw_data(rng, shape, _ALL), {"shape": as_input(rng, target)})


def draw_pad(rng: Random) -> Call:
    """Pads of all modes, of which some crop and some reach over several periods."""
    shape = draw_shape(rng)
    data = draw_quiet(rng, shape, _PADS)
    axes: Any = LEFT_OUT
    named = list(range(len(shape)))
    if rng.random() < 0.4:
        axes = draw_axes(rng, len(shape), rng.randint(min(1, len(shape)), len(shape)), 0.05)
        named = [axis % len(shape) if shape else 0 for axis in axes]
    mode = rng.choice(("constant", "constant", "edge", "reflect", "wrap"))
    far = rng.random() < 0.1
    sides = []
    for axis in named * 2:
        extent = shape[axis] if shape else 1
        most = {"reflect": max(extent - 1, 0), "wrap": extent}.get(mode, 3)
        sides.append(rng.randint(0, 7 if far and len(shape) < 4 else min(most, 4)))
    if sides and rng.random() < 0.25:
        sides[rng.randrange(len(sides))] = rng.choice((-1, -1, -2, -3))
    if rng.random() < 0.03:
        sides.append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 1, 7, 100)))
        value = value if rng.random() < 0.5 else np.array(value)
    axes = axes if axes is LEFT_OUT else as_input(rng, axes, ("int32", "int64"))
    mode = LEFT_OUT if mode == "constant" and rng.random() < 0.3 else mode if rng.random() < 0.98 else "Edge"
    return spelled(rng, data, {"pads": as_input(rng, sides), "constant_value": value, "axes": axes}, {"mode": mode})


def draw_slice(rng: Random) -> Call:
    shape = draw_shape(rng)
    axes: Any = draw_axes(rng, len(shape), rng.randint(min(1, len(shape)), len(shape)))
    is_plain = rng.random() < 0.3
    if is_plain:
        axes = list(range(len(axes)))
    starts, ends, steps = [], [], []
    for axis in axes:
        extent = shape[axis] if -len(shape) <= axis < len(shape) else 3
        step = rng.choice((1, 1, 2, 3, -1, -2)) if rng.random() < 0.97 else rng.choice((0, *EXTREMES[:5]))
        bounds = draw_window(rng, extent, step)
        starts.append(bounds[0])
        ends.append(rng.choice((2**31 - 1, 2**63 - 1)) if step < 0 and rng.random() < 0.03 else bounds[1])
        steps.append(step)
    lists: dict[str, Any] = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
    if rng.random() < 0.04:
        name = rng.choice(tuple(lists))
        lists[name] = lists[name][1:]
    is_far = any(not -(2**31) <= value < 2**31 for each in lists.values() for value in each)
    dtypes = ("int64",) if is_far else (rng.choice(("int32", "int64")),)
    lists = {name: as_input(rng, each, dtypes) for name, each in lists.items()}
    if is_plain and rng.random() < 0.7:
        lists["axes"] = LEFT_OUT
    if rng.random() < 0.25:
        lists["steps"] = LEFT_OUT
    return spelled(rng, draw_data(rng, shape, _ALL), lists)


def draw_split(rng: Random) -> Call:
    shape = draw_shape(rng)
    axis = draw_axis(rng, len(shape))
    extent = shape[axis] if -len(shape) <= axis < len(shape) else 3
    parts: Any = LEFT_OUT
    number: Any = LEFT_OUT
    if rng.random() < 0.6:
        lengths = draw_lengths(rng, extent)
        if rng.random() < 0.12:
            lengths[rng.randrange(len(lengths))] += rng.choice((-1, 1, -7, 2**40))
        parts = as_input(rng, lengths)
    if parts is LEFT_OUT or rng.random() < 0.02:
        number = rng.randint(1, 5) if rng.random() < 0.95 else rng.choice((0, -1))
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return spelled(rng, draw_data(rng, shape, _ALL), {"split": parts}, {"axis": axis, "num_outputs": number})


def draw_tile(rng: Random) -> Call:
    shape = draw_shape(rng)
    repeats = [rng.choice((1, 1, 2, 3) if len(shape) < 5 else (1, 1, 2)) for _ in shape]
    if repeats and rng.random() < 0.12:
        repeats[rng.randrange(len(shape))] = rng.choice((0, -1, -3))
    elif rng.random() < 0.05:
        repeats.append(1)
    return spelled(rng, draw_quiet(rng, shape, _ALL), {"repeats": as_input(rng, repeats)})


def draw_transpose(rng: Random) -> Call:
    shape = draw_shape(rng)
    perm: Any = LEFT_OUT
    if rng.random() < 0.85:
        perm = rng.sample(range(len(shape)), len(shape))
        if rng.random() < 0.08 and perm:
            perm = rng.choice((perm[1:], draw_axes(rng, len(shape), len(shape), 0.5)))
        perm = in_some_form(rng, perm)
    return spelled(rng, draw_data(rng, shape, _ALL), {"perm": perm})


#: A draw of each operator.
DRAWS = {
    "center_crop_pad": draw_center_crop_pad,
    "depth_to_space": draw_depth_to_space,
    "expand": draw_expand,
    "pad": draw_pad,
    "range": draw_onnx_range,
    "slice": draw_slice,
    "space_to_depth": draw_space_to_depth,
    "split": draw_split,
    "tile": draw_tile,
    "transpose": draw_transpose,
}
