"""Random calls of the functions of fastops.openvino, and where they depart from OpenVINO."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance._calls import EXTREMES, LEFT_OUT, Blocks, Call, Dice, are_axes, example, extent_of
from tests.conformance._live import Array, Departures, are_alike
from tests.conformance._slice_draws import strided

_ALL = ("float32", "int32", "uint8", "int64", "float16", "float64", "int8", "int16", "uint16", "uint32", "uint64")
_FILLED = ("float32", "int32", "uint8", "int64", "float16")
# The CPU plugin converts others, as float64 to float32, and NaNs of float16.
_PLUGIN = ("float32", "int32", "uint8", "int8")

_INDICES = ("int32", "int64")

# Ranks of data that has an axis.
_SOME_AXES = (1, 1, 2, 2, 3, 4, 5)


def draw_strided_slice(rng: Dice) -> Call:
    shape, bounds, masks = strided(rng, least=1, shrunk_ellipsis=False)
    rng.spoil(bounds["strides"], 0.03, (0,))
    lists = rng.all_given(bounds)
    if rng.random() < 0.02:
        lists["end"] = lists["end"][1:]
    return rng.call(rng.data(shape, _ALL), lists, {name: rng.listed(mask) for name, mask in masks.items()})


def draw_variadic_split(rng: Dice) -> Call:
    shape = rng.shape(ranks=_SOME_AXES)
    axis = rng.axis(len(shape))
    lengths = rng.lengths(extent_of(shape, axis))
    if rng.random() < 0.4:
        lengths[rng.randrange(len(lengths))] = -1
        rng.spoil(lengths, 0.1, (-1, -2))
    elif rng.random() < 0.1:
        lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, 99))
    return rng.call(rng.data(shape, _ALL), {"axis": axis, "split_lengths": rng.given(lengths, *_INDICES)})


def draw_split(rng: Dice) -> Call:
    shape = rng.shape()
    axis = rng.axis(len(shape))
    parts = rng.choice((1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((0, -1, 2**31))
    if -len(shape) <= axis < len(shape) and rng.random() < 0.9:
        shape[axis] *= max(parts, 0) if parts < 9 else 1
    return rng.call(rng.data(shape, _ALL), {"axis": axis, "num_splits": parts})


def draw_slice(rng: Dice) -> Call:
    shape = rng.shape(ranks=_SOME_AXES)
    named = rng.axes(len(shape), rng.randint(1, len(shape)))
    named = named if rng.random() < 0.7 else list(range(len(named)))
    start, stop, step, axes = rng.slices(shape, named)
    lists = rng.all_given({"start": start, "stop": stop, "step": step, "axes": axes})
    if axes == list(range(len(axes))) and rng.random() < 0.7:
        lists["axes"] = LEFT_OUT
    return rng.call(rng.data(shape, _ALL), lists)


def draw_pad(rng: Dice) -> Call:
    shape = rng.shape(ranks=_SOME_AXES)
    data = rng.data(shape, _FILLED)
    mode = rng.choice(("constant", "constant", "edge", "reflect", "symmetric"))
    beyond = {"reflect": -1, "symmetric": 0}.get(mode, 3)
    # An empty axis is not padded in mode edge, also not where the result has another empty one.
    most = [0 if mode == "edge" and not extent else max(min(extent + beyond, 4), 0) for extent in shape]
    sides = [[rng.randint(0, each) for each in most] for _ in "be"]
    at = rng.randrange(len(shape))
    if rng.random() < 0.25:
        rng.choice(sides)[at] = rng.choice((-1, -1, -2, -3)) if shape[at] else 0
    if rng.random() < 0.06:
        rng.choice(sides)[at] = shape[at] + rng.choice((0, 1))
    if rng.random() < 0.03:
        rng.choice(sides).append(0)
    value = data.dtype.type(rng.choice((0, 1, 7, 100))) if rng.random() < 0.5 else LEFT_OUT
    lists = rng.all_given({"pads_begin": sides[0], "pads_end": sides[1]})
    mode = mode.upper() if rng.random() < 0.1 else mode if rng.random() < 0.98 else "wrap"
    return rng.call(data, {**lists, "pad_mode": mode, "pad_value": value})


def draw_tile(rng: Dice) -> Call:
    shape = [extent or 1 for extent in rng.shape(ranks=_SOME_AXES)]
    n = rng.randint(1, min(len(shape) + 2, 6)) if rng.random() < 0.4 else len(shape)
    return rng.call(rng.data(shape, _ALL), {"repeats": rng.given(rng.repeats(n), *_INDICES)})


def draw_range(rng: Dice) -> Call:
    """Numbers of any types, each of its own, as numbers of an output type."""
    output_type = rng.choice(("int8", "uint8", "int16", "int32", "int64", "uint32", "float16", "float32", "float64"))
    input_type = rng.choice((output_type, "float32", "float64", "float64"))
    values = rng.range(of_floats=input_type[0] == "f")
    values = [abs(each) for each in values] if output_type[0] == "u" else values
    numbers = dict(zip(("start", "stop", "step"), [np.array(each, input_type)[()] for each in values], strict=True))
    return rng.call(None, {**numbers, "output_type": output_type})


def draw_roll(rng: Dice) -> Call:
    data = rng.data(rng.shape(ranks=_SOME_AXES), _PLUGIN)
    axes = [rng.axis(data.ndim) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    shifts = [rng.choice(EXTREMES[:2] if rng.random() < 0.05 else (0, 1, -1, 2, -3, 7, -100)) for _ in axes]
    if rng.random() < 0.04:
        shifts.append(1)
    is_lone = len(axes) == len(shifts) == 1 and rng.random() < 0.5
    shift = shifts[0] if is_lone or rng.random() < 0.03 else rng.given(shifts, *_INDICES)
    return rng.call(data, {"shift": shift, "axes": axes[0] if is_lone else rng.given(axes, *_INDICES)})


def draw_reverse(rng: Dice) -> Call:
    shape = rng.shape()
    if rng.random() < 0.4:
        mask = [rng.random() < 0.5 for _ in shape]
        if rng.random() < 0.05:
            mask.append(True)
        axis = np.array(mask, bool) if rng.random() < 0.5 else rng.listed(mask)
        return rng.call(rng.data(shape, _ALL), {"axis": axis, "mode": rng.choice(("mask", "MASK"))})
    axes = rng.axes(len(shape), rng.randint(0, len(shape)))
    mode = rng.choice(("index", "INDEX")) if rng.random() < 0.97 else "indices"
    return rng.call(rng.data(shape, _ALL), {"axis": rng.given(axes, *_INDICES), "mode": mode})


def draw_broadcast(rng: Dice) -> Call:
    target = [extent or 1 for extent in rng.shape(ranks=_SOME_AXES)]
    mode = rng.choice(("numpy", "numpy", "explicit", "bidirectional", LEFT_OUT))
    mapping: Any = LEFT_OUT
    if mode == "explicit":
        axes = sorted(rng.sample(range(len(target)), rng.randint(0, len(target))))
        shape = [target[axis] if rng.random() < 0.7 else 1 for axis in axes]
        # Two axes that are mapped to one may not come to an end.
        if axes and rng.random() < 0.05:
            axes[-1] = len(target)
        mapping = rng.given(axes, *_INDICES)
    else:
        shape = [extent if rng.random() < 0.6 else 1 for extent in target[rng.choice((0, 0, 1)) :]]
        if mode == "bidirectional":
            target = [extent if rng.random() < 0.6 else 1 for extent in target[rng.choice((0, 0, 1)) :]]
    if shape and rng.random() < 0.08:
        shape[0] += 1
    spelling = mode if mode is LEFT_OUT or rng.random() < 0.9 else mode.upper()
    arguments = {"target_shape": rng.given(target, *_INDICES), "axes_mapping": mapping, "mode": spelling}
    return rng.call(rng.data(shape, _ALL), arguments)


def draw_transpose(rng: Dice) -> Call:
    shape = rng.shape()
    order = rng.order(len(shape)) if rng.random() < 0.9 else []
    return rng.call(rng.data(shape, _ALL), {"input_order": rng.given(order, *_INDICES)})


def draw_depth_to_space(rng: Dice) -> Call:
    size, rank = rng.block_size(), rng.choice((3, 4, 4, 5))
    return _draw_images(rng, size, rng.images({1: max(size, 1) ** (rank - 2)}, (rank,)))


def draw_space_to_depth(rng: Dice) -> Call:
    size, rank = rng.block_size(), rng.choice((3, 4, 4, 5))
    return _draw_images(rng, size, rng.images(dict.fromkeys(range(2, rank), size), (rank,)))


def _draw_images(rng: Dice, size: int, shape: list[int]) -> Call:
    mode = rng.choice(("blocks_first", "depth_first", "DEPTH_FIRST")) if rng.random() < 0.97 else "first"
    return rng.call(rng.data(shape, _ALL), {"mode": mode, "block_size": LEFT_OUT if size == 1 else size})


def draw_shuffle_channels(rng: Dice) -> Call:
    shape = rng.shape(ranks=(1, 2, 2, 3, 4, 5))
    axis: Any = rng.axis(len(shape)) if rng.random() < 0.67 else LEFT_OUT
    at = 1 if axis is LEFT_OUT else axis
    group: Any = rng.choice((1, 2, 3, 4)) if rng.random() < 0.96 else rng.choice((0, -1))
    if -len(shape) <= at < len(shape) and rng.random() < 0.93:
        shape[at] *= abs(group)
    return rng.call(rng.data(shape, _ALL), {"axis": axis, "group": LEFT_OUT if group == 1 else group})


def draw_space_to_batch(rng: Dice) -> Call:
    blocks = rng.padded_blocks((1, 2, 2, 3))
    # Of other ranks there is no reference.
    while not 3 <= len(blocks.shape) <= 5:
        blocks = rng.padded_blocks((1, 2, 2, 3))
    return _draw_blocks(rng, blocks, "pads")


def draw_batch_to_space(rng: Dice) -> Call:
    return _draw_blocks(rng, rng.cropped_blocks((1, 1, 2, 2, 2, 3)), "crops")


def _draw_blocks(rng: Dice, blocks: Blocks, name: str) -> Call:
    lists = {"block_shape": blocks.sizes, f"{name}_begin": blocks.before, f"{name}_end": blocks.behind}
    rank = len(blocks.shape)
    given = {}
    for key, values in lists.items():
        neutral = int(key == "block_shape")
        # Lists of another length than data has axes are not refused, but read out of bounds.
        given[key] = rng.given([neutral, *values, *[neutral] * rank][:rank], "int64")
    return rng.call(rng.data(blocks.shape, _ALL), given)


def draw_extract_image_patches(rng: Dice) -> Call:
    """Patches that OpenVINO's CPU plugin cuts, which compiles a model for each call."""
    shape = [max(extent, 1) for extent in rng.images({2: rng.randint(1, 6), 3: rng.randint(1, 6)})]
    # At negative numbers it does not come to an end, and for a size of 0 it has no defined result.
    sizes, *others = rng.patches()
    lists = [[max(each, 1) for each in sizes], *[[max(each, 0) for each in values] for values in others]]
    arguments = dict(zip(("sizes", "strides", "rates"), map(rng.listed, lists), strict=True))
    auto_pad = rng.choice(("valid", "same_upper", "same_lower")) if rng.random() < 0.97 else "same"
    return rng.call(rng.data(shape, _PLUGIN), {**arguments, "auto_pad": auto_pad})


DEPARTURES = Departures()


def _integers(call: Call, name: str) -> list[int]:
    return [int(each) for each in np.ravel(np.array(call.arguments[name], int))]


def _empty_pad(call: Call) -> Array:
    sides = zip(call.data.shape, _integers(call, "pads_begin"), _integers(call, "pads_end"), strict=True)
    return np.empty([sum(each) for each in sides], call.data.dtype)


@DEPARTURES.add(
    "openvino-pad-of-an-empty-axis", example((0,), 3, pads_begin=[0], pads_end=[0], pad_mode="reflect"), _empty_pad
)
def _reflects_nothing(call: Call) -> bool:
    """Whether a right pad reflects data of which an axis is empty, and has no pads."""
    before, behind = _integers(call, "pads_begin"), _integers(call, "pads_end")
    shape, mode = call.data.shape, call.arguments["pad_mode"].lower()
    if mode != "reflect" or 0 not in shape or not len(before) == len(behind) == len(shape):
        return False
    sides = zip(shape, before, behind, strict=True)
    return all(max(low, high) <= max(n - 1, 0) and n + low + high >= 0 for n, low, high in sides)


@DEPARTURES.add(
    "openvino-step-of-nothing",
    Call(None, {"start": np.float64(0), "stop": np.float64(2), "step": np.float64(0.5), "output_type": "int32"}, 4),
)
def _steps_by_nothing(call: Call) -> bool:
    """Whether finite floats make a range of integers whose step is 0 once it is truncated, but not before."""
    *numbers, output_type = call.arguments.values()
    step = numbers[2]
    return output_type[0] in "iu" and all(map(np.isfinite, numbers)) and step != 0 and int(step) == 0


def _rolled(call: Call) -> Array:
    axes, shifts = _integers(call, "axes"), _integers(call, "shift")
    return np.roll(call.data, shifts * (len(axes) // len(shifts)), axes)


@DEPARTURES.add("openvino-lone-shift", example((2, 2), 2, shift=1, axes=[0, 1]), _rolled)
def _rolls_all_alike(call: Call) -> bool:
    """Whether one shift is given for several axes of data with elements."""
    axes = _integers(call, "axes")
    is_lone = np.ndim(call.arguments["shift"]) == 0 and len(axes) > 1 and call.data.size > 0
    return is_lone and are_axes(axes, call.data.ndim, may_repeat=True)


@DEPARTURES.add("openvino-roll-far", example((3,), 2, shift=[1, 2**31 - 1], axes=[0, 0]), _rolled)
def _adds_up_to_more(call: Call) -> bool:
    """Whether the shifts of an axis are more than int32 holds, and it shows."""
    axes, shifts, rank = _integers(call, "axes"), _integers(call, "shift"), call.data.ndim
    if len(axes) != len(shifts) or not are_axes(axes, rank, may_repeat=True) or not call.data.size:
        return False
    moved, wrapped = [0] * rank, [0] * rank
    for axis, shift in zip(axes, shifts, strict=True):
        extent = call.data.shape[axis]
        moved[axis] = (moved[axis] + shift) % extent
        # It keeps the remainder of each sum.
        wrapped[axis] = ((wrapped[axis] + shift + 2**31) % 2**32 - 2**31) % extent
    return not are_alike(np.roll(call.data, moved, range(rank)), np.roll(call.data, wrapped, range(rank)))
