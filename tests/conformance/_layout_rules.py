"""Which rule a recorded case of an operator of layouts is about: transposes, blocks and rotations."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

Parameters = dict[str, Any]

# What frameworks call an argument.
_ORDERS = ("perm", "input_order", "axes", "dims")
_SIZES = ("blocksize", "block_size", "upscale_factor", "downscale_factor")

_BLOCKS, _CHANNELS = "blocks before channels", "channels before blocks"
_CHANNELS_LAST = "blocks before channels, which are the last axis"

# Each framework's words for what stands first along the channels.
_ONNX = {"DCR": _BLOCKS, "CRD": _CHANNELS}
_OPENVINO = {"blocks_first": _BLOCKS, "depth_first": _CHANNELS}
_TENSORFLOW = {"NCHW": _BLOCKS, "NHWC": _CHANNELS_LAST}


def argument(case: Parameters, *names: str, default: Any = None) -> Any:
    """Return the argument that a framework calls by one of these names."""
    return next((case["attrs"][name] for name in names if name in case["attrs"]), default)


def fault_of_axes(axes: Sequence[int], rank: int) -> str | None:
    """Say what is wrong with axes of which each may be named once; None if nothing is."""
    if any(not -rank <= axis < rank for axis in axes):
        return "an axis out of range"
    return "an axis named twice" if len({axis % rank for axis in axes}) < len(axes) else None


def rule_of_transpose(case: Parameters) -> str:
    """The rule of Transpose."""
    shape, order = case["input_shape"], argument(case, *_ORDERS)
    rank = len(shape)
    if rank == 0:
        return "data of rank 0"
    if order is None:
        return "order: none"
    if len(order) != rank:
        return f"order: {'of another length than the rank' if order else 'an empty list'}"
    fault = fault_of_axes(order, rank)
    if fault:
        return f"order: {fault}"
    if min(order) < 0:
        return "order: negative axes"
    if prod(shape) == 0:
        return "data without elements"
    return f"order: {_of_order(order)}"


def _of_order(order: list[int]) -> str:
    if order == sorted(order):
        return "as it is"
    return "in reverse" if order == sorted(order, reverse=True) else "another"


def rule_of_move_axis(case: Parameters) -> str:
    """The rule of MoveAxis."""
    rank = len(case["input_shape"])
    lists = [case["attrs"][name] for name in ("source", "destination")]
    source, destination = [each if isinstance(each, list) else [each] for each in lists]
    if rank == 0:
        return f"data of rank 0: {'with an axis' if source else 'without axes'}"
    for name, axes in (("source", source), ("destination", destination)):
        fault = fault_of_axes(axes, rank)
        if fault:
            return f"{name}: {fault}"
    if len(source) != len(destination):
        return "lists of different lengths"
    if not source:
        return "no axes"
    some = "several axes" if len(source) > 1 else "one axis"
    return f"{some}{': negative ones' if min(source + destination) < 0 else ''}"


def rule_of_swap_axes(case: Parameters) -> str:
    """The rule of SwapAxes."""
    rank, axes = len(case["input_shape"]), list(case["attrs"].values())
    if any(not -max(rank, 1) <= axis < max(rank, 1) for axis in axes):
        return f"an axis out of range{'' if rank else ', data of rank 0'}"
    if rank == 0:
        return "data of rank 0: axes 0 and -1"
    if len({axis % rank for axis in axes}) == 1:
        return "an axis with itself"
    return f"two axes{': negative ones' if min(axes) < 0 else ''}"


def rule_of_copy(case: Parameters) -> str:
    """The rule of Copy."""
    if not case["input_shape"]:
        return f"{case['function']}: data of rank 0"
    return f"{case['function']}: {'data of any shape' if prod(case['input_shape']) else 'data without elements'}"


def rule_of_take_slice(case: Parameters) -> str:
    """The rule of TakeSlice, an index in brackets."""
    shape, index = case["input_shape"], case["attrs"]["index"]
    named = [place for place in index if place not in (None, "...")]
    if index.count("...") > 1:
        return "two ellipses"
    if len(named) > len(shape):
        return "more indices than axes"
    steps = [place[2] for place in index if isinstance(place, list) and place[2] is not None]
    if min(steps, default=1) < 1:
        return "a step below 1"
    if any(isinstance(place, int) for place in named):
        return f"indices that drop an axis{'' if prod(shape) else ', data without elements'}"
    if any(isinstance(place, list) for place in named):
        return "slices"
    return "new axes and an ellipsis" if index else "an empty index"


def rule_of_depth_to_space(case: Parameters) -> str:
    """The rule of DepthToSpace."""
    return _rule_of_depth(case, is_depth=True)


def rule_of_space_to_depth(case: Parameters) -> str:
    """The rule of SpaceToDepth."""
    return _rule_of_depth(case, is_depth=False)


def _rule_of_depth(case: Parameters, *, is_depth: bool) -> str:
    shape, size, order = case["input_shape"], argument(case, *_SIZES, default=1), _order_of_depth(case)
    rank = len(shape)
    if order is None:
        return "mode or format: another word"
    if size < 1:
        return "size: below 1"
    if rank != 4 if _is_of_images(case) else rank < 3:
        return "data: too few or too many axes"
    spatial, channels = _sides(case)
    power = size ** len(spatial)
    if any(extent % size for extent in spatial) if not is_depth else channels % power:
        return f"size: does not divide {'the channels' if is_depth else 'an axis'}"
    if prod(shape) == 0:
        return "data without elements"
    return "size: 1" if size == 1 else f"{order}: {rank} axes"


def _order_of_depth(case: Parameters) -> str | None:
    """Return what stands first along the channels, and if these are the last axis; None for an unknown word."""
    attrs = case["attrs"]
    if _is_pixels(case):
        return _CHANNELS
    if "blocksize" in attrs:
        return _ONNX.get(attrs.get("mode", "DCR"))
    if "mode" in attrs:
        return _OPENVINO.get(attrs["mode"].lower())
    return _TENSORFLOW.get(attrs.get("data_format", "NHWC"))


def _is_pixels(case: Parameters) -> bool:
    """Whether it is one of PyTorch's functions, which take any number of axes in front of the channels."""
    return str(case["function"]).startswith("pixel_")


def _is_of_images(case: Parameters) -> bool:
    """Whether it is an operator of ONNX or TensorFlow, which take images only."""
    return "blocksize" in case["attrs"] or not ("mode" in case["attrs"] or _is_pixels(case))


def _sides(case: Parameters) -> tuple[list[int], int]:
    """Return the extents of the axes of space, and the number of channels."""
    shape = case["input_shape"]
    if _order_of_depth(case) == _CHANNELS_LAST:
        return shape[1:-1], shape[-1]
    first = len(shape) - 3 if _is_pixels(case) else 1
    return shape[first + 1 :], shape[first]


def rule_of_shuffle_channels(case: Parameters) -> str:
    """The rule of ShuffleChannels."""
    shape, rank = case["input_shape"], len(case["input_shape"])
    group, axis = argument(case, "group", "groups", default=1), argument(case, "axis", default=1)
    if group < 1:
        return "group: below 1"
    if rank < 3 and case["function"] == "channel_shuffle":
        return "data of fewer than 3 axes"
    if not -rank <= axis < rank:
        return "axis: out of range"
    if shape[axis] % group:
        return "group: does not divide the axis"
    if prod(shape) == 0:
        return "data without elements"
    if group in (1, shape[axis]):
        return f"group: {'1' if group == 1 else 'as many as channels'}"
    return f"group: divides the axis{', a negative axis' if axis < 0 else ''}"


def rule_of_rotation(case: Parameters) -> str:
    """The rule of Rot90."""
    rank, axes = len(case["input_shape"]), argument(case, "axes", "dims", default=[0, 1])
    if rank < 2:
        return "data of fewer than 2 axes"
    if len(axes) != 2:
        return "axes: not two"
    fault = fault_of_axes(axes, rank)
    if fault:
        return f"axes: {fault}"
    if prod(case["input_shape"]) == 0:
        return "data without elements"
    if min(axes) < 0:
        return "axes: negative"
    turns = case["attrs"].get("k", 1)
    turn = ("a whole one or none", "a quarter", "a half", "three quarters")[turns % 4]
    return f"turn: {turn}{'' if 0 <= turns < 4 else ', k outside of 0..3'}"


def rule_of_flip(case: Parameters) -> str:
    """The rule of Flip, of NumPy's two functions for it."""
    shape, name = case["input_shape"], case["function"]
    if len(shape) < (2 if name == "fliplr" else 1):
        return f"{name}: too few axes"
    if prod(shape) == 0:
        return f"{name}: data without elements"
    return f"{name}: {'matrices' if len(shape) == 2 else 'one axis' if len(shape) == 1 else 'more than two axes'}"


def rule_of_repeat(case: Parameters) -> str:
    """The rule of Repeat."""
    shape, rank = case["input_shape"], len(case["input_shape"])
    repeats, axis = case["attrs"]["repeats"], argument(case, "axis", "dim")
    if repeats < 0:
        return f"repeats: negative{'' if prod(shape) else ', data without elements'}"
    if axis is not None and not -max(rank, 1) <= axis < max(rank, 1):
        return "axis: out of range"
    if rank == 0:
        return f"data of rank 0: {'no axis' if axis is None else 'axis 0 or -1'}"
    if prod(shape) == 0:
        return "data without elements"
    if repeats == 0:
        return "repeats: 0"
    if axis is None:
        return "axis: none, data are flattened"
    return f"axis: {'negative' if axis < 0 else 'counted from the front'}"
