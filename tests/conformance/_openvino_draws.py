"""Random calls of OpenVINO's operators, each from a seed: none that OpenVINO may read or write out of bounds for.

After such a call it can answer others wrongly, or its process dies. So data of a strided slice, a tile and a broadcast
has elements, and that of some others an axis; an ellipsis is not dropped, lengths beside a -1 are not more than an
axis, and lists of blocks are as long as data has axes.
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
from tests.conformance._draws import Freedom, draw_spec
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
from tests.conformance._range_draws import draw_openvino_range
from tests.conformance._slice_draws import draw_window

_ALL = ("float32", "int32", "uint8", "int64", "float16", "float64", "int8", "int16", "uint16", "uint32", "uint64")
_FILLED = ("float32", "int32", "uint8", "int64", "float16")
# The CPU plugin converts others, as float64 to float32, and NaNs of float16.
_ROLLED = ("float32", "int32", "uint8", "int8")
_PLUGIN = ("float32", "int32", "uint8", "int8")


def as_input(rng: Random, values: Sequence[int], dtypes: Sequence[str] = ("int32", "int64")) -> Any:
    """A list, a tuple or an array of one of these types."""
    if rng.random() < 0.5 or not all(-(2**31) <= value < 2**31 for value in values):
        return in_some_form(rng, values)
    return np.array(values, rng.choice(dtypes))


def _named(rng: Random, lists: dict[str, Sequence[int]]) -> dict[str, Any]:
    """Lists of one type, which is int64 if a number is beyond int32."""
    is_far = any(not -(2**31) <= value < 2**31 for each in lists.values() for value in each)
    dtype = ("int64" if is_far else rng.choice(("int32", "int64")),)
    return {name: as_input(rng, each, dtype) for name, each in lists.items()}


def draw_strided_slice(rng: Random) -> Call:
    spec = draw_spec(rng, Freedom(least=1, shrunk_ellipsis=False))
    bounds = {name: list(spec.attributes[name]) for name in ("begin", "end", "strides")}
    if bounds["begin"] and rng.random() < 0.03:
        bounds["strides"][rng.randrange(len(bounds["strides"]))] = 0
    masks = {name: in_some_form(rng, mask) for name, mask in spec.attributes.items() if name not in bounds}
    lists = _named(rng, bounds)
    if rng.random() < 0.02:
        lists["end"] = lists["end"][1:]
    return spelled(rng, draw_data(rng, spec.shape, _ALL), lists, masks)


def draw_variadic_split(rng: Random) -> Call:
    shape = draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5))
    axis = draw_axis(rng, len(shape))
    extent = shape[axis] if -len(shape) <= axis < len(shape) else 3
    lengths = draw_lengths(rng, extent)
    if rng.random() < 0.4:
        lengths[rng.randrange(len(lengths))] = -1
        if rng.random() < 0.1:
            lengths[rng.randrange(len(lengths))] = rng.choice((-1, -2))
    elif rng.random() < 0.1:
        lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, 99))
    return spelled(rng, draw_data(rng, shape, _ALL), {"axis": axis, "split_lengths": as_input(rng, lengths)})


def draw_split(rng: Random) -> Call:
    shape = draw_shape(rng)
    axis = draw_axis(rng, len(shape))
    parts = rng.choice((1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((0, -1, 2**31))
    if shape and -len(shape) <= axis < len(shape) and rng.random() < 0.9:
        shape[axis] *= max(parts, 0) if parts < 9 else 1
    return spelled(rng, draw_data(rng, shape, _ALL), {"axis": axis, "num_splits": parts})


def draw_slice(rng: Random) -> Call:
    shape = draw_shape(rng, ranks=(1, 1, 2, 2, 3, 3, 4, 5))
    axes = draw_axes(rng, len(shape), rng.randint(1, len(shape)))
    is_plain = rng.random() < 0.3
    if is_plain:
        axes = list(range(len(axes)))
    start, stop, step = [], [], []
    for axis in axes:
        extent = shape[axis] if -len(shape) <= axis < len(shape) else 3
        by = rng.choice((1, 1, 2, 3, -1, -2)) if rng.random() < 0.97 else rng.choice((0, *EXTREMES[:5]))
        bounds = draw_window(rng, extent, by)
        start.append(bounds[0])
        stop.append(bounds[1])
        step.append(by)
    lists: dict[str, Any] = {"start": start, "stop": stop, "step": step, "axes": axes}
    if rng.random() < 0.04:
        name = rng.choice(tuple(lists))
        lists[name] = lists[name][1:]
    lists = _named(rng, lists)
    if is_plain and rng.random() < 0.7:
        lists["axes"] = LEFT_OUT
    return spelled(rng, draw_data(rng, shape, _ALL), lists)


def draw_pad(rng: Random) -> Call:
    shape = draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5))
    data = draw_data(rng, shape, _FILLED)
    mode = rng.choice(("constant", "constant", "edge", "reflect", "symmetric"))
    beyond = {"reflect": -1, "symmetric": 0}.get(mode, 3)
    # An empty axis is not padded in mode edge, also not where the result has another empty one.
    most = [0 if mode == "edge" and not extent else max(min(extent + beyond, 4), 0) for extent in shape]
    sides = [[rng.randint(0, each) for each in most] for _ in "be"]
    if rng.random() < 0.25:
        at = rng.randrange(len(shape))
        rng.choice(sides)[at] = rng.choice((-1, -1, -2, -3)) if shape[at] else 0
    if rng.random() < 0.06:
        at = rng.randrange(len(shape))
        rng.choice(sides)[at] = shape[at] + rng.choice((0, 1))
    if rng.random() < 0.03:
        rng.choice(sides).append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 7, 100)))
    lists = _named(rng, {"pads_begin": sides[0], "pads_end": sides[1]})
    mode = mode.upper() if rng.random() < 0.1 else mode if rng.random() < 0.98 else "wrap"
    return spelled(rng, data, {**lists, "pad_mode": mode, "pad_value": value})


def draw_tile(rng: Random) -> Call:
    shape = [extent or 1 for extent in draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5))]
    n = rng.randint(1, min(len(shape) + 2, 6)) if rng.random() < 0.4 else len(shape)
    repeats = [rng.choice((1, 1, 2, 3) if n < 5 else (1, 1, 2)) for _ in range(n)]
    if rng.random() < 0.1:
        repeats[rng.randrange(n)] = rng.choice((0, -1, -3))
    return spelled(rng, draw_data(rng, shape, _ALL), {"repeats": as_input(rng, repeats)})


def draw_roll(rng: Random) -> Call:
    shape = draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5))
    n = rng.choice((1, 1, 2, 2, 3))
    axes = [draw_axis(rng, len(shape)) for _ in range(n)]
    shifts = [rng.choice(EXTREMES[:2] if rng.random() < 0.05 else (0, 1, -1, 2, -3, 7, -100)) for _ in axes]
    if rng.random() < 0.04:
        shifts.append(1)
    if n == 1 and len(shifts) == 1 and rng.random() < 0.5:
        return spelled(rng, draw_data(rng, shape, _ROLLED), {"shift": shifts[0], "axes": axes[0]})
    if rng.random() < 0.03:
        return spelled(rng, draw_data(rng, shape, _ROLLED), {"shift": shifts[0], "axes": as_input(rng, axes)})
    return spelled(rng, draw_data(rng, shape, _ROLLED), {"shift": as_input(rng, shifts), "axes": as_input(rng, axes)})


def draw_reverse(rng: Random) -> Call:
    shape = draw_shape(rng)
    if rng.random() < 0.4:
        mask = [rng.random() < 0.5 for _ in shape]
        if rng.random() < 0.05:
            mask.append(True)
        axis = np.array(mask, bool) if rng.random() < 0.5 else in_some_form(rng, mask)
        return spelled(rng, draw_data(rng, shape, _ALL), {"axis": axis, "mode": rng.choice(("mask", "MASK"))})
    axes = draw_axes(rng, len(shape), rng.randint(0, len(shape)))
    mode = rng.choice(("index", "INDEX")) if rng.random() < 0.97 else "indices"
    return spelled(rng, draw_data(rng, shape, _ALL), {"axis": as_input(rng, axes), "mode": mode})


def draw_broadcast(rng: Random) -> Call:
    target = [extent or 1 for extent in draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5))]
    mode = rng.choice(("numpy", "numpy", "explicit", "bidirectional", LEFT_OUT))
    if mode == "explicit":
        axes = sorted(rng.sample(range(len(target)), rng.randint(0, len(target))))
        shape = [target[axis] if rng.random() < 0.7 else 1 for axis in axes]
        if axes and rng.random() < 0.1:
            # Two axes that are mapped to one may not come to an end.
            if rng.random() < 0.5:
                shape[0] += 1
            else:
                axes[-1] = len(target)
        mapping: Any = as_input(rng, axes)
    else:
        shape = [extent if rng.random() < 0.6 else 1 for extent in target[rng.choice((0, 0, 1)) :]]
        if mode == "bidirectional":
            target = [extent if rng.random() < 0.6 else 1 for extent in target[rng.choice((0, 0, 1)) :]]
        if shape and rng.random() < 0.1:
            shape[0] += 1
        mapping = LEFT_OUT
    spelling = mode if mode is LEFT_OUT or rng.random() < 0.9 else mode.upper()
    arguments = {"target_shape": as_input(rng, target), "axes_mapping": mapping, "mode": spelling}
    return spelled(rng, draw_data(rng, shape, _ALL), arguments)


def draw_transpose(rng: Random) -> Call:
    shape = draw_shape(rng)
    order: Any = rng.sample(range(len(shape)), len(shape))
    if rng.random() < 0.1:
        order = []
    elif rng.random() < 0.08 and order:
        order = rng.choice((order[1:], draw_axes(rng, len(shape), len(shape), 0.5)))
    return spelled(rng, draw_data(rng, shape, _ALL), {"input_order": as_input(rng, order)})


def draw_depth_to_space(rng: Random) -> Call:
    size, rank = draw_block_size(rng), rng.choice((3, 4, 4, 5))
    return _draw_images(rng, size, draw_images(rng, {1: max(size, 1) ** (rank - 2)}, (rank,)))


def draw_space_to_depth(rng: Random) -> Call:
    size, rank = draw_block_size(rng), rng.choice((3, 4, 4, 5))
    return _draw_images(rng, size, draw_images(rng, dict.fromkeys(range(2, rank), size), (rank,)))


def _draw_images(rng: Random, size: int, shape: list[int]) -> Call:
    mode = rng.choice(("blocks_first", "depth_first", "DEPTH_FIRST")) if rng.random() < 0.97 else "first"
    block_size = LEFT_OUT if size == 1 else size
    return spelled(rng, draw_data(rng, shape, _ALL), {"mode": mode, "block_size": block_size})


def draw_shuffle_channels(rng: Random) -> Call:
    shape = draw_shape(rng, ranks=(1, 2, 2, 3, 4, 5))
    axis: Any = rng.choice((LEFT_OUT, draw_axis(rng, len(shape)), draw_axis(rng, len(shape))))
    at = 1 if axis is LEFT_OUT else axis
    group: Any = rng.choice((1, 2, 3, 4)) if rng.random() < 0.96 else rng.choice((0, -1))
    if -len(shape) <= at < len(shape) and rng.random() < 0.93:
        shape[at] *= abs(group)
    group = LEFT_OUT if group == 1 else group
    return spelled(rng, draw_data(rng, shape, _ALL), {"axis": axis, "group": group})


def draw_space_to_batch(rng: Random) -> Call:
    blocks = draw_padded_blocks(rng, (1, 2, 2, 3))
    # Of other ranks there is no reference.
    while not 3 <= len(blocks.shape) <= 5:
        blocks = draw_padded_blocks(rng, (1, 2, 2, 3))
    return _draw_blocks(rng, blocks, ("pads_begin", "pads_end"))


def draw_batch_to_space(rng: Random) -> Call:
    return _draw_blocks(rng, draw_cropped_blocks(rng, (1, 1, 2, 2, 2, 3)), ("crops_begin", "crops_end"))


def _draw_blocks(rng: Random, blocks: Blocks, names: tuple[str, str]) -> Call:
    rank = len(blocks.shape)
    lists = {"block_shape": blocks.of_all_axes(1, blocks.sizes)}
    lists |= {
        name: blocks.of_all_axes(0, each) for name, each in zip(names, (blocks.before, blocks.behind), strict=True)
    }
    # Lists of another length than data has axes are not refused, but read out of bounds.
    named = {name: as_input(rng, (each + [0] * rank)[:rank], ("int64",)) for name, each in lists.items()}
    return spelled(rng, draw_data(rng, blocks.shape, _ALL), named)


def draw_extract_image_patches(rng: Random) -> Call:
    """Patches that OpenVINO's CPU plugin cuts, which compiles a model for each call."""
    shape = [max(extent, 1) for extent in draw_images(rng, {2: rng.randint(1, 6), 3: rng.randint(1, 6)})]
    # At negative numbers it does not come to an end, and for a size of 0 it has no defined result.
    sizes, strides, rates = draw_patches(rng)
    lists = {"sizes": [max(each, 1) for each in sizes]}
    lists |= {name: [max(each, 0) for each in values] for name, values in (("strides", strides), ("rates", rates))}
    auto_pad = rng.choice(("valid", "same_upper", "same_lower")) if rng.random() < 0.97 else "same"
    arguments = {name: in_some_form(rng, each) for name, each in lists.items()}
    return spelled(rng, draw_data(rng, shape, _PLUGIN), {**arguments, "auto_pad": auto_pad})


#: A draw of each operator.
DRAWS = {
    "batch_to_space": draw_batch_to_space,
    "broadcast": draw_broadcast,
    "depth_to_space": draw_depth_to_space,
    "extract_image_patches": draw_extract_image_patches,
    "pad": draw_pad,
    "range": draw_openvino_range,
    "reverse": draw_reverse,
    "roll": draw_roll,
    "shuffle_channels": draw_shuffle_channels,
    "slice": draw_slice,
    "space_to_batch": draw_space_to_batch,
    "space_to_depth": draw_space_to_depth,
    "split": draw_split,
    "strided_slice": draw_strided_slice,
    "tile": draw_tile,
    "transpose": draw_transpose,
    "variadic_split": draw_variadic_split,
}
