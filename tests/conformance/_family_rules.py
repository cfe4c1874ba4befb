"""Which rule a recorded case of Pad, Tile, Roll, Reverse, Broadcast and Split is about."""

from __future__ import annotations

from math import prod
from typing import Any

Parameters = dict[str, Any]


def padded_axes(case: Parameters) -> list[tuple[int, int, int]]:
    """Each axis that has pads: its extent, and its pads before and after."""
    shape = case["input_shape"]
    axes = range(len(shape)) if case["axes"] is None else case["axes"]
    return [(shape[axis], *pads) for axis, *pads in zip(axes, case["pads_begin"], case["pads_end"], strict=True)]


def crops_too_much(case: Parameters) -> bool:
    """Whether more is cropped from an axis than there is, pads included."""
    return any(extent + before + after < 0 for extent, before, after in padded_axes(case))


_REACH = {"reflect": "d - 1", "symmetric": "d", "wrap": "d"}


def rule_of_pad(case: Parameters) -> str:
    """The rule of Pad; d is the extent of the axis."""
    axes, mode = padded_axes(case), case["mode"].lower()
    if not case["input_shape"]:
        return "data of rank 0"
    if case["axes"] is not None:
        return f"axes: {'named' if len(set(case['axes'])) == len(case['axes']) else 'one named twice'}"
    if crops_too_much(case):
        return "negative pads: more is cropped than there is"
    if any(extent == 0 for extent, *_ in axes):
        if any(extent == 0 and max(pads) > 0 for extent, *pads in axes):
            return f"an empty axis: padded, mode {'constant' if mode == 'constant' else 'other than constant'}"
        return "an empty axis: without pads"
    if case["fill"] is not None:
        return f"fill value: {'of each type' if mode == 'constant' else 'in other modes'}"
    if any(min(pads) < 0 < max(pads) for _, *pads in axes):
        return f"{mode}: one end of an axis cropped, the other padded"
    if any(min(pads) < 0 for _, *pads in axes):
        return f"{mode}: negative pads crop"
    reach = _REACH.get(mode)
    if reach is None:
        return f"{mode}: pads of 0 or more"
    is_far = any(max(pads) > extent - (mode == "reflect") for extent, *pads in axes)
    return f"{mode}: pads {'beyond' if is_far else 'up to'} {reach}"


def rule_of_tile(case: Parameters) -> str:
    """The rule of Tile."""
    # PyTorch's has no inputs but data.
    shape, (repeats,) = case["input_shape"], case.get("op_inputs") or case["attrs"].values()
    if not shape:
        return f"data of rank 0: {'with' if repeats else 'without'} repeats"
    if any(each < 0 for each in repeats):
        return "repeats: negative"
    if len(repeats) != len(shape):
        fewer = "fewer than axes" if repeats else "none"
        return f"repeats: {fewer if len(repeats) < len(shape) else 'more than axes'}"
    if prod(shape) == 0:
        return "data without elements"
    return "repeats: 0" if 0 in repeats else "repeats: one per axis"


def rule_of_roll(case: Parameters) -> str:
    """The rule of Roll."""
    shape, (shift, axes) = case["input_shape"], case["op_inputs"]
    if not shape:
        return "data of rank 0"
    if not set(case["op_input_dtypes"]) <= {"int32", "int64"}:
        return "index types other than int32 and int64"
    if not isinstance(shift, list):
        return f"shift: a scalar, {'several axes' if isinstance(axes, list) else 'one axis'}"
    if len(shift) != len(axes):
        return "shift: a list of another length than axes"
    if not axes:
        return "axes: none"
    if any(not -len(shape) <= axis < len(shape) for axis in axes):
        return "axes: out of range"
    if prod(shape) == 0:
        return "data without elements"
    if len({axis % len(shape) for axis in axes}) < len(axes):
        return "axes: one named twice, its shifts add up"
    if any(abs(each) >= shape[axis] for each, axis in zip(shift, axes, strict=True)):
        return "shift: at least the length of the axis"
    return "shift: less than the length of the axis"


def rule_of_reverse(case: Parameters) -> str:
    """The rule of Reverse."""
    rank, (axes,) = len(case["input_shape"]), case["op_inputs"]
    if case["attrs"]["mode"] == "mask":
        if len(axes) != rank:
            return "mask: of another length than the rank"
        return "mask: some axes" if any(axes) else "mask: no axes"
    if any(not -rank <= axis < rank for axis in axes):
        return "index: out of range"
    if len({axis % rank for axis in axes}) < len(axes):
        return "index: an axis named twice"
    return f"index: {'several axes' if len(axes) > 1 else 'one axis'}"


def rule_of_broadcast(case: Parameters) -> str:
    """The rule of Broadcast, and of Expand, which is its mode bidirectional."""
    shape, target = case["input_shape"], case["op_inputs"][0]
    mode = case["attrs"].get("mode", "bidirectional").lower()
    if mode == "explicit":
        return f"explicit: {_of_mapping(shape, target, case['op_inputs'][1])}"
    if not shape:
        return f"{mode}: data of rank 0"
    if 0 in shape:
        return f"{mode}: data without elements"
    if len(target) < len(shape):
        return f"{mode}: fewer axes than data"
    pairs = list(zip(shape, target[len(target) - len(shape) :], strict=True))
    if any(extent not in (1, length) and length != 1 for extent, length in pairs):
        return f"{mode}: lengths that do not fit"
    if any(extent != length == 1 for extent, length in pairs):
        return f"{mode}: 1 where data has more"
    if 0 in target:
        return f"{mode}: an axis of 1 becomes empty"
    if len(target) > len(shape):
        return f"{mode}: axes in front"
    return f"{mode}: {'the shape of data' if shape == target else 'an axis of 1 is repeated'}"


def _of_mapping(shape: list[int], target: list[int], mapping: list[int]) -> str:
    if any(not 0 <= axis < len(target) for axis in mapping):
        return "an axis out of range"
    if mapping != sorted(mapping):
        return "axes in another order"
    return "axes mapped" if [target[axis] for axis in mapping] == shape else "lengths that do not fit"


def rule_of_split(case: Parameters) -> str:
    """The rule of Split and VariadicSplit."""
    shape, attributes = case["input_shape"], case.get("attrs", {})
    axis = case["axis"] if "axis" in case else attributes.get("axis", 0)
    number = case.get("num_splits") or attributes.get("num_outputs")
    lengths = case["split_lengths"] if "split_lengths" in case else case.get("op_inputs", [None])[0]
    if not shape:
        return "data of rank 0"
    if isinstance(axis, list):
        return f"axis: a list of {'one' if len(axis) == 1 else 'another length than one'}"
    if not -len(shape) <= axis < len(shape):
        return "axis: out of range"
    if lengths is not None and number is not None:
        return "lengths together with a number of parts"
    return _of_number(shape[axis], number or 0) if lengths is None else _of_lengths(case, shape[axis], lengths)


def _of_number(extent: int, number: int) -> str:
    if number < 1:
        return "number of parts: below 1"
    if extent % number == 0:
        return "number of parts: divides the axis"
    is_used_up = -(-extent // number) * (number - 1) >= extent
    return f"number of parts: does not divide the axis, the last is {'empty' if is_used_up else 'smaller'}"


def _of_lengths(case: Parameters, extent: int, lengths: list[Any]) -> str:
    if any(isinstance(each, list) for each in lengths) or case.get("index_dtype", "int64").startswith("float"):
        return "lengths: not a list of integers"
    if not lengths:
        return "lengths: none, an empty axis" if extent == 0 else "lengths: none"
    if any(each < -1 for each in lengths):
        return "lengths: below -1"
    rest = extent - sum(each for each in lengths if each >= 0)
    if -1 in lengths:
        return f"lengths: -1 stands for {'less than nothing' if rest < 0 else 'what is left'}"
    if rest != 0:
        return "lengths: do not sum to the axis"
    if case.get("index_dtype", "int64") not in ("int32", "int64"):
        return "index types other than int32 and int64"
    return "lengths: some are 0" if 0 in lengths else "lengths: sum to the axis"
