"""Random calls of TensorFlow's functions, each from a seed.

Data is of types that TensorFlow has a kernel for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from tests.conformance._calls import EXTREMES, LEFT_OUT, Blocks, Call, Dice, extent_of
from tests.conformance._slice_draws import strided

_FLOATS = ("float32", "float16", "float64", "bfloat16")
_INTEGERS = ("uint8", "int32", "int64", "int8", "int16")
_COMMON = (*_FLOATS, *_INTEGERS)
_ALL = (*_COMMON, "bool", "uint16", "uint32", "uint64", "complex64", "complex128")
_TILES = (*_COMMON, "bool", "complex64", "complex128")
_PATCHES = (*_COMMON, "uint16", "uint32", "uint64", "complex64")
_BATCHES = (*_COMMON, "uint16", "uint32", "uint64")

# Kernels of a CPU have no other format; a compiler has NCHW, which takes its time for each shape.
_COMPILED_SHAPES = ((1, 4, 2, 3), (2, 8, 1, 2), (1, 4, 4, 2))


def _as_tensors(rng: Dice, *lists: Sequence[int]) -> list[Any]:
    """Lists of integers, or arrays of one index type, which all are if a number is beyond int32.

    Of several lists, TensorFlow takes all in the type of the first, and cuts what that does not hold. One in ten empty
    lists is given as it is.
    """
    is_far = any(not -(2**31) <= number < 2**31 for each in lists for number in each)
    if not is_far and rng.random() < 0.5 and (all(lists) or rng.random() < 0.1):
        return [rng.listed(each) for each in lists]
    dtype = np.dtype("int64" if is_far else rng.choice(("int32", "int64")))
    return [np.array(each, dtype) for each in lists]


def draw_pad(rng: Dice) -> Call:
    shape = rng.shape()
    data = rng.data(shape, (*_COMMON, "bool", "complex64"))
    mode = rng.choice(("CONSTANT", "CONSTANT", "constant", "REFLECT", "Reflect", "SYMMETRIC"))
    beyond = {"C": 3, "R": -1, "S": 0}[mode[0].upper()]
    pads = [[rng.randint(0, max(min(extent + beyond, 4), 0)) for _ in "ab"] for extent in shape]
    is_wrong = 0 < len(shape) < 6 and rng.random() < 0.1
    if is_wrong:
        axis = rng.randrange(len(shape))
        pads[axis][rng.randrange(2)] = rng.choice((-1, shape[axis] + 1))
        pads = rng.choice((pads, pads, pads[1:], [*pads, [0, 0]]))
    is_list = rng.random() < (0.6 if pads else 0.1)
    paddings = rng.listed(pads) if is_list else np.array(pads, rng.choice(("int32", "int64"))).reshape(-1, 2)
    value = LEFT_OUT if is_wrong or rng.random() < 0.3 else _draw_constant(rng, data.dtype)
    mode = LEFT_OUT if mode == "CONSTANT" and rng.random() < 0.5 else mode
    return rng.call(data, {"paddings": paddings, "mode": mode, "constant_values": value})


def _draw_constant(rng: Dice, dtype: np.dtype[Any]) -> Any:
    """A constant, most often one of the data's type."""
    if rng.random() < 0.15:
        return rng.choice((300, True, -0.0, 0.0, 2.5, 2**40, 1e300, np.int64(5), np.float32(2)))
    if dtype.kind == "b":
        return rng.choice((True, False, np.True_))
    if dtype.kind in "iu":
        return rng.choice((0, 1, 100, dtype.type(7)))
    return rng.choice((0, 1, 0.5, 0.0, -1.5, float("nan"), float("inf"), dtype.type(3)))


def draw_range(rng: Dice) -> Call:
    if rng.random() < 0.03:
        halves = {"start": rng.choice((0, 1.5)), "limit": rng.choice((3, 2.5)), "delta": rng.choice((1, 0.1))}
        return rng.call(None, {**halves, "dtype": "float16"})
    is_float, is_far = rng.random() < 0.5, rng.random() < 0.06
    start, limit, delta = rng.range(of_floats=is_float)
    if is_far:
        limit, delta = rng.choice(((2**31 - 1, 2**29), (2**63 - 1, 2**61), (-(2**63), -(2**60)), (2**31, 2**30)))
    if not all(map(isfinite, (start, limit, delta))):
        return rng.call(None, {"start": start, "limit": limit, "delta": delta})
    dtype: Any = rng.choice(("int32", "int64", "float32", "float64")) if rng.random() < 0.3 else LEFT_OUT
    # Floats that an integer type does not hold become any number of it.
    if rng.random() < 0.4 and not (is_far and dtype in ("int32", "int64")):
        names = ("float32", "float64") if is_float else ("int32", "int64", "float32", "float64")
        start, limit, delta = (_typed(rng, value, names) for value in (start, limit, delta))
    if not is_far and rng.random() < 0.15:
        return rng.call(None, {"start": limit, "limit": LEFT_OUT, "delta": LEFT_OUT, "dtype": dtype})
    delta = LEFT_OUT if not is_far and rng.random() < 0.2 else delta
    return rng.call(None, {"start": start, "limit": limit, "delta": delta, "dtype": dtype})


def _typed(rng: Dice, value: Any, names: tuple[str, ...]) -> Any:
    """A number of Python's, or one of NumPy's of a type that can express it."""
    name = rng.choice(names)
    if rng.random() < 0.3 or (name[0] == "i" and not -(2**31) <= value < 2**31):
        return value
    return np.dtype(name).type(value)


def draw_split(rng: Dice) -> Call:
    shape = rng.shape()
    axis = rng.axis(len(shape))
    extent = extent_of(shape, axis)
    if rng.random() < 0.4:
        parts: Any = rng.choice((1, 1, extent, 2, 3, *((0, -1) if rng.random() < 0.2 else ())))
    else:
        parts = rng.lengths(extent)
        rng.spoil(parts, 0.4, (-1,))
        rng.spoil(parts, 0.1, (-2, 1, 2**40, -1))
        parts = [] if rng.random() < 0.01 else _as_tensors(rng, parts)[0]
    num = rng.choice((1, 2, 3)) if rng.random() < 0.1 else LEFT_OUT
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(rng.data(shape, _ALL), {"num_or_size_splits": parts, "axis": axis, "num": num})


def draw_reverse(rng: Dice) -> Call:
    shape = rng.shape()
    axes = rng.axes(len(shape), rng.randint(0, len(shape) + (rng.random() < 0.1)))
    return rng.call(rng.data(shape, _ALL), {"axis": _as_tensors(rng, axes)[0]})


def draw_roll(rng: Dice) -> Call:
    data = rng.data(rng.shape(), _ALL)
    axes = [rng.axis(data.ndim) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    shifts = [rng.choice(EXTREMES[:2] if rng.random() < 0.02 else (0, 1, -1, 2, -3, 7, -100)) for _ in axes]
    if rng.random() < 0.03:
        shifts.append(1)
    is_lone = len(axes) == len(shifts) == 1 and rng.random() < 0.5
    shift, axis = (shifts[0], axes[0]) if is_lone else _as_tensors(rng, shifts, axes)
    return rng.call(data, {"shift": shift, "axis": axis})


def draw_slice(rng: Dice) -> Call:
    shape = rng.shape()
    begin = [rng.randint(0, max(extent - 1, 0)) for extent in shape]
    left = [extent - low for extent, low in zip(shape, begin, strict=True)]
    size = [rng.choice((-1, extent, rng.randint(0, extent))) for extent in left]
    if shape and rng.random() < 0.15:
        at = rng.randrange(len(shape))
        # It adds the two as int64, and reads out of bounds where the sum wraps around.
        rng.choice((begin, size))[at] = rng.choice((-1, -2, shape[at], shape[at] + 1, *EXTREMES[:3]))
    elif rng.random() < 0.05:
        rng.choice((begin, size)).append(0)
    begin_, size_ = _as_tensors(rng, begin, size)
    return rng.call(rng.data(shape, _ALL), {"begin": begin_, "size": size_})


def draw_strided_slice(rng: Dice) -> Call:
    """As elsewhere, but that each mask is a number, and that an axis is not dropped at a negative stride."""
    shape, bounds, lists = strided(rng)
    bounds["strides"] = [
        abs(stride) if is_dropped else stride
        for stride, is_dropped in zip(bounds["strides"], (*lists["shrink_axis_mask"], *[0] * 9), strict=False)
    ]
    rng.spoil(bounds["strides"], 0.05, (0, *EXTREMES[:5]))
    if rng.random() < 0.02:
        bounds["end"] = bounds["end"][1:]
    elif rng.random() < 0.05:
        bounds = {name: [] for name in bounds}
    begin, end, strides = _as_tensors(rng, *bounds.values())
    numbers: dict[str, Any] = {name: sum(bit << i for i, bit in enumerate(mask)) for name, mask in lists.items()}
    masks = {name: LEFT_OUT if number == 0 and rng.random() < 0.7 else number for name, number in numbers.items()}
    if rng.random() < 0.02:
        masks[rng.choice(tuple(masks))] = rng.choice((-1, 2**31 - 1, 2**31, 3))
    strides = LEFT_OUT if rng.random() < 0.1 else strides
    order = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    positional = {"begin": begin, "end": end, "strides": strides}
    return rng.call(rng.data(shape, _ALL), positional | {name: masks[name] for name in order})


def draw_tile(rng: Dice) -> Call:
    shape = rng.shape()
    multiples = rng.repeats(len(shape))
    if rng.random() < 0.05:
        multiples.append(1)
    return rng.call(rng.data(shape, _TILES), {"multiples": _as_tensors(rng, multiples)[0]})


def draw_transpose(rng: Dice) -> Call:
    shape = rng.shape()
    axes = rng.axes(len(shape), len(shape))
    perm = _as_tensors(rng, axes[1:] if rng.random() < 0.03 else axes)[0] if rng.random() < 0.85 else LEFT_OUT
    return rng.call(rng.data(shape, _ALL), {"perm": perm})


def draw_space_to_batch_nd(rng: Dice) -> Call:
    return _draw_blocks(rng, rng.padded_blocks(), "paddings")


def draw_batch_to_space_nd(rng: Dice) -> Call:
    return _draw_blocks(rng, rng.cropped_blocks(), "crops")


def _draw_blocks(rng: Dice, blocks: Blocks, name: str) -> Call:
    """Both as lists or as arrays; without a block, as arrays of shapes [0] and [0, 2]."""
    pairs = [list(pair) for pair in zip(blocks.before, blocks.behind, strict=True)]
    if blocks.sizes and pairs and rng.random() < 0.5:
        lists: list[Any] = [rng.listed(blocks.sizes), rng.listed(pairs)]
    else:
        dtype = rng.choice(("int32", "int64"))
        lists = [np.array(blocks.sizes, dtype), np.array(pairs, dtype).reshape(-1, 2)]
    return rng.call(rng.data(blocks.shape, _BATCHES), {"block_shape": lists[0], name: lists[1]})


def draw_depth_to_space(rng: Dice) -> Call:
    size = rng.block_size()
    return _draw_images(rng, size, {-1: size * size})


def draw_space_to_depth(rng: Dice) -> Call:
    size = rng.block_size()
    return _draw_images(rng, size, {1: size, 2: size})


def _draw_images(rng: Dice, size: int, factors: dict[int, int]) -> Call:
    """A call on images, in one of a hundred with the channels in front."""
    if rng.random() < 0.01:
        data = rng.data(rng.choice(_COMPILED_SHAPES), ("float32", "int32"))
        return rng.call(data, {"block_size": 2, "data_format": "NCHW"})
    data_format = rng.choice((LEFT_OUT, "NHWC", "nhwc" if rng.random() < 0.1 else "NHWC"))
    return rng.call(rng.data(rng.images(factors), _ALL), {"block_size": size, "data_format": data_format})


def draw_extract_patches(rng: Dice) -> Call:
    shape = rng.images({1: rng.randint(1, 6), 2: rng.randint(1, 6)})
    lists = [[1, *pair, 1] for pair in rng.patches()]
    if rng.random() < 0.03:
        rng.choice(lists)[rng.choice((0, 3))] = rng.choice((0, 2))
    is_long = rng.random() < 0.02
    if is_long:
        rng.choice(lists).append(1)
    arguments = dict(zip(("sizes", "strides", "rates"), map(rng.listed, lists), strict=True))
    padding = "SAME" if is_long else rng.choice(("VALID", "SAME")) if rng.random() < 0.98 else "valid"
    return rng.call(rng.data(shape, _PATCHES), {**arguments, "padding": padding})
