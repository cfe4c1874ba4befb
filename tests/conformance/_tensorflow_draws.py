"""Random calls of TensorFlow's functions, each from a seed.

Data is of types that TensorFlow has a kernel for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from tests.conformance._block_draws import (
    Blocks,
    draw_block_size,
    draw_cropped_blocks,
    draw_images,
    draw_padded_blocks,
    draw_patches,
)
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
from tests.conformance._range_draws import draw_tensorflow_range
from tests.conformance._slice_draws import draw_window

_FLOATS = ("float32", "float16", "float64", "bfloat16")
_INTEGERS = ("uint8", "int32", "int64", "int8", "int16")
_COMMON = (*_FLOATS, *_INTEGERS)
_ALL = (*_COMMON, "bool", "uint16", "uint32", "uint64", "complex64", "complex128")
_TILES = (*_COMMON, "bool", "complex64", "complex128")
_PATCHES = (*_COMMON, "uint16", "uint32", "uint64", "complex64")
_BATCHES = (*_COMMON, "uint16", "uint32", "uint64")

# Kernels of a CPU have no other format; a compiler has NCHW, which takes its time for each shape.
_COMPILED_SHAPES = ((1, 4, 2, 3), (2, 8, 1, 2), (1, 4, 4, 2))


def as_tensors(rng: Random, *lists: Sequence[int]) -> list[Any]:
    """Lists of integers, or arrays of one index type, which all are if a number is beyond int32.

    Of several lists, TensorFlow takes all in the type of the first, and cuts what that does not hold. One in ten empty
    lists is given as it is.
    """
    numbers = [number for each in lists for number in each]
    is_far = any(not -(2**31) <= number < 2**31 for number in numbers)
    if not is_far and rng.random() < 0.5 and (all(lists) or rng.random() < 0.1):
        return [in_some_form(rng, each) for each in lists]
    dtype = np.dtype("int64" if is_far else rng.choice(("int32", "int64")))
    return [np.array(each, dtype) for each in lists]


def draw_pad(rng: Random) -> Call:
    shape = draw_shape(rng)
    data = draw_data(rng, shape, (*_COMMON, "bool", "complex64"))
    mode = rng.choice(("CONSTANT", "CONSTANT", "constant", "REFLECT", "Reflect", "SYMMETRIC"))
    beyond = {"C": 3, "R": -1, "S": 0}[mode[0].upper()]
    pads = [[rng.randint(0, max(min(extent + beyond, 4), 0)) for _ in "ab"] for extent in shape]
    is_wrong = 0 < len(shape) < 6 and rng.random() < 0.1
    if is_wrong:
        axis = rng.randrange(len(shape))
        pads[axis][rng.randrange(2)] = rng.choice((-1, shape[axis] + 1))
        pads = rng.choice((pads, pads, pads[1:], [*pads, [0, 0]]))
    is_list = rng.random() < (0.6 if pads else 0.1)
    paddings = in_some_form(rng, pads) if is_list else np.array(pads, rng.choice(("int32", "int64"))).reshape(-1, 2)
    value = LEFT_OUT if is_wrong or rng.random() < 0.3 else _draw_constant(rng, data.dtype)
    mode = LEFT_OUT if mode == "CONSTANT" and rng.random() < 0.5 else mode
    return spelled(rng, data, {"paddings": paddings, "mode": mode, "constant_values": value})


def _draw_constant(rng: Random, dtype: np.dtype[Any]) -> Any:
    """A constant, most often one of the data's type."""
    if rng.random() < 0.15:
        return rng.choice((300, True, -0.0, 0.0, 2.5, 2**40, 1e300, np.int64(5), np.float32(2)))
    if dtype.kind == "b":
        return rng.choice((True, False, np.True_))
    if dtype.kind in "iu":
        return rng.choice((0, 1, 100, dtype.type(7)))
    return rng.choice((0, 1, 0.5, 0.0, -1.5, float("nan"), float("inf"), dtype.type(3)))


def draw_split(rng: Random) -> Call:
    shape = draw_shape(rng)
    axis = draw_axis(rng, len(shape))
    named = axis if -len(shape) <= axis < len(shape) else None
    extent = 4 if named is None else shape[named]
    if rng.random() < 0.4:
        parts: Any = rng.choice((1, 1, extent, 2, 3, *((0, -1) if rng.random() < 0.2 else ())))
    else:
        parts = draw_lengths(rng, extent)
        if rng.random() < 0.4:
            parts[rng.randrange(len(parts))] = -1
        if rng.random() < 0.1:
            parts[rng.randrange(len(parts))] = rng.choice((-2, 1, 2**40, -1))
        parts = [] if rng.random() < 0.01 else as_tensors(rng, parts)[0]
    num = rng.choice((1, 2, 3)) if rng.random() < 0.1 else LEFT_OUT
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return spelled(rng, draw_data(rng, shape, _ALL), {"num_or_size_splits": parts, "axis": axis, "num": num})


def draw_reverse(rng: Random) -> Call:
    shape = draw_shape(rng)
    axes = draw_axes(rng, len(shape), rng.randint(0, len(shape) + (rng.random() < 0.1)))
    return spelled(rng, draw_data(rng, shape, _ALL), {"axis": as_tensors(rng, axes)[0]})


def draw_roll(rng: Random) -> Call:
    shape = draw_shape(rng)
    n = rng.choice((0, 1, 1, 2, 2, 3))
    axes = [draw_axis(rng, len(shape)) for _ in range(n)]
    shifts: list[Any] = [rng.choice(EXTREMES[:2] if rng.random() < 0.02 else (0, 1, -1, 2, -3, 7, -100)) for _ in axes]
    if rng.random() < 0.03:
        shifts.append(1)
    if n == 1 and len(shifts) == 1 and rng.random() < 0.5:
        return spelled(rng, draw_data(rng, shape, _ALL), {"shift": shifts[0], "axis": axes[0]})
    shift, axis = as_tensors(rng, shifts, axes)
    return spelled(rng, draw_data(rng, shape, _ALL), {"shift": shift, "axis": axis})


def draw_slice(rng: Random) -> Call:
    shape = draw_shape(rng)
    begin = [rng.randint(0, max(extent - 1, 0)) for extent in shape]
    size = [
        rng.choice((-1, extent - low, rng.randint(0, extent - low))) for extent, low in zip(shape, begin, strict=True)
    ]
    if shape and rng.random() < 0.15:
        at = rng.randrange(len(shape))
        rng.choice((begin, size))[at] = rng.choice((-1, -2, shape[at], shape[at] + 1, *EXTREMES[:5]))
    elif rng.random() < 0.05:
        rng.choice((begin, size)).append(0)
    begin_, size_ = as_tensors(rng, begin, size)
    return spelled(rng, draw_data(rng, shape, _ALL), {"begin": begin_, "size": size_})


def draw_strided_slice(rng: Random) -> Call:
    shape = draw_shape(rng)
    positions = rng.randint(0, len(shape) + (rng.random() < 0.2))
    extents = [*shape, 3, 3]
    begin, end, strides = [], [], []
    for extent in extents[:positions]:
        step = rng.choice((1, 1, 2, 3, -1, -2)) if rng.random() < 0.98 else rng.choice((0, *EXTREMES[:5]))
        bounds = draw_window(rng, extent, step)
        begin.append(bounds[0])
        end.append(bounds[1])
        strides.append(step)

    def mask(probability: float) -> int:
        return sum(1 << i for i in range(positions + 1) if rng.random() < probability)

    masks: dict[str, Any] = {
        "begin_mask": mask(0.3) if rng.random() < 0.6 else LEFT_OUT,
        "end_mask": mask(0.3) if rng.random() < 0.6 else LEFT_OUT,
        "ellipsis_mask": 1 << rng.randint(0, positions) if rng.random() < 0.3 else LEFT_OUT,
        "new_axis_mask": mask(0.2) if rng.random() < 0.2 else LEFT_OUT,
        "shrink_axis_mask": mask(0.2) if rng.random() < 0.2 else LEFT_OUT,
    }
    if rng.random() < 0.02:
        masks[rng.choice(tuple(masks))] = rng.choice((-1, 2**31 - 1, 2**31, 3))
    begin_, end_, strides_ = as_tensors(rng, begin, end, strides)
    if rng.random() < 0.2:
        strides_ = LEFT_OUT
    if rng.random() < 0.02:
        end_ = end_[1:]
    return spelled(rng, draw_data(rng, shape, _ALL), {"begin": begin_, "end": end_, "strides": strides_, **masks})


def draw_tile(rng: Random) -> Call:
    shape = draw_shape(rng)
    multiples = [rng.choice((1, 1, 2, 3) if len(shape) < 5 else (1, 1, 2)) for _ in shape]
    if multiples and rng.random() < 0.12:
        multiples[rng.randrange(len(shape))] = rng.choice((0, -1, -3))
    elif rng.random() < 0.05:
        multiples.append(1)
    return spelled(rng, draw_data(rng, shape, _TILES), {"multiples": as_tensors(rng, multiples)[0]})


def draw_transpose(rng: Random) -> Call:
    shape = draw_shape(rng)
    perm: Any = LEFT_OUT
    if rng.random() < 0.85:
        axes = draw_axes(rng, len(shape), len(shape))
        perm = as_tensors(rng, axes[1:] if rng.random() < 0.03 else axes)[0]
    return spelled(rng, draw_data(rng, shape, _ALL), {"perm": perm})


def draw_space_to_batch_nd(rng: Random) -> Call:
    blocks = draw_padded_blocks(rng)
    block_shape, paddings = _blocks_and_pairs(rng, blocks)
    return spelled(rng, draw_data(rng, blocks.shape, _BATCHES), {"block_shape": block_shape, "paddings": paddings})


def draw_batch_to_space_nd(rng: Random) -> Call:
    blocks = draw_cropped_blocks(rng)
    block_shape, crops = _blocks_and_pairs(rng, blocks)
    return spelled(rng, draw_data(rng, blocks.shape, _BATCHES), {"block_shape": block_shape, "crops": crops})


def _blocks_and_pairs(rng: Random, blocks: Blocks) -> tuple[Any, Any]:
    """Both as lists or as arrays; without a block, as arrays of shapes [0] and [0, 2]."""
    if blocks.sizes and blocks.pairs and rng.random() < 0.5:
        return in_some_form(rng, blocks.sizes), in_some_form(rng, blocks.pairs)
    dtype = rng.choice(("int32", "int64"))
    return np.array(blocks.sizes, dtype), np.array(blocks.pairs, dtype).reshape(-1, 2)


def draw_depth_to_space(rng: Random) -> Call:
    size = draw_block_size(rng)
    return _draw_images(rng, size, {-1: size * size})


def draw_space_to_depth(rng: Random) -> Call:
    size = draw_block_size(rng)
    return _draw_images(rng, size, {1: size, 2: size})


def _draw_images(rng: Random, size: int, factors: dict[int, int]) -> Call:
    """A call on images, in one of a hundred with the channels in front."""
    if rng.random() < 0.01:
        data = draw_data(rng, rng.choice(_COMPILED_SHAPES), ("float32", "int32"))
        return spelled(rng, data, {"block_size": 2, "data_format": "NCHW"})
    data_format = rng.choice((LEFT_OUT, "NHWC", "nhwc" if rng.random() < 0.1 else "NHWC"))
    data = draw_data(rng, draw_images(rng, factors), _ALL)
    return spelled(rng, data, {"block_size": size, "data_format": data_format})


def draw_extract_patches(rng: Random) -> Call:
    shape = draw_images(rng, {1: rng.randint(1, 6), 2: rng.randint(1, 6)})
    lists = [[1, *pair, 1] for pair in draw_patches(rng)]
    if rng.random() < 0.03:
        rng.choice(lists)[rng.choice((0, 3))] = rng.choice((0, 2))
    is_long = rng.random() < 0.02
    if is_long:
        rng.choice(lists).append(1)
    arguments = {name: in_some_form(rng, each) for name, each in zip(("sizes", "strides", "rates"), lists, strict=True)}
    padding = "SAME" if is_long else rng.choice(("VALID", "SAME")) if rng.random() < 0.98 else "valid"
    return spelled(rng, draw_data(rng, shape, _PATCHES), {**arguments, "padding": padding})


#: A draw of each function.
DRAWS = {
    "batch_to_space_nd": draw_batch_to_space_nd,
    "depth_to_space": draw_depth_to_space,
    "extract_patches": draw_extract_patches,
    "pad": draw_pad,
    "range": draw_tensorflow_range,
    "reverse": draw_reverse,
    "roll": draw_roll,
    "slice": draw_slice,
    "space_to_batch_nd": draw_space_to_batch_nd,
    "space_to_depth": draw_space_to_depth,
    "split": draw_split,
    "strided_slice": draw_strided_slice,
    "tile": draw_tile,
    "transpose": draw_transpose,
}
