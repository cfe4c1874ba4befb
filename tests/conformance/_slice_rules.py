"""Which rule a recorded case of Slice, StridedSlice and TensorRT's Slice is about."""

from __future__ import annotations

from typing import Any, NamedTuple

Parameters = dict[str, Any]

INT32_MAX = 2**31 - 1


class Cut(NamedTuple):
    """begin : end : step of an axis; a bound that a mask leaves out is None."""

    extent: int
    begin: int | None
    end: int | None
    step: int

    @property
    def bounds(self) -> list[int]:
        return [bound for bound in (self.begin, self.end) if bound is not None]

    @property
    def is_empty(self) -> bool:
        return not range(self.extent)[self.begin : self.end : self.step]


def _of_cuts(cuts: list[Cut]) -> str:
    """The rule that says what lies between the bounds, of cuts without a step of 0."""
    if any(abs(value) >= INT32_MAX for cut in cuts for value in (*cut.bounds, cut.step)):
        return "bounds and steps: int32 and int64 extremes"
    if any(cut.extent == 0 for cut in cuts):
        is_backward = any(cut.extent == 0 and cut.step < 0 for cut in cuts)
        return f"an empty axis: {'negative' if is_backward else 'positive'} step"
    if any(cut.step < 0 and cut.begin is not None and cut.begin < -cut.extent for cut in cuts):
        return "negative step: a start before the axis"
    signs = {cut.step > 0 for cut in cuts}
    step = "positive step" if signs == {True} else "negative step" if signs == {False} else "steps of both signs"
    if any(cut.is_empty for cut in cuts):
        return f"{step}: nothing lies between the bounds"
    if any(not -cut.extent <= bound <= cut.extent for cut in cuts for bound in cut.bounds):
        return f"{step}: bounds outside of the axis are clamped"
    return f"{step}: bounds inside of the axis"


def rule_of_slice(case: Parameters) -> str:
    """The rule of OpenVINO's and ONNX's Slice."""
    shape, starts, stops, axes = (case[name] for name in ("input_shape", "start", "stop", "axes"))
    steps = [1] * len(starts) if case["step"] is None else case["step"]
    named = list(range(len(starts))) if axes is None else axes
    rank = len(shape)
    if rank == 0:
        return "data of rank 0"
    if len({len(each) for each in (starts, stops, steps, named)}) > 1:
        return "lists of different lengths"
    if any(not -rank <= axis < rank for axis in named):
        return "axes: out of range" if axes is not None else "axes: more starts than axes"
    if len({axis % rank for axis in named}) < len(named):
        return "axes: one named twice"
    if 0 in steps:
        return "step 0"
    cuts = [Cut(shape[axis], *cut) for axis, *cut in zip(named, starts, stops, steps, strict=True)]
    by_bounds = _of_cuts(cuts)
    if not by_bounds.startswith(("positive", "negative", "steps")) or "before" in by_bounds:
        return by_bounds
    if case["index_dtype"] not in ("int32", "int64"):
        return "index types other than int32 and int64"
    if axes is None or case["step"] is None or not axes:
        return "axes or steps left out"
    if min(axes) < 0:
        return "axes: counted from the end"
    return "axes: in another order" if axes != sorted(axes) else by_bounds


class Position(NamedTuple):
    """What a position of a strided slice does, and the extent of its axis; None for one without an axis."""

    kind: str
    extent: int | None
    begin: int
    end: int
    stride: int
    begin_masked: bool
    end_masked: bool

    @property
    def cut(self) -> Cut:
        assert self.extent is not None
        begin, end = None if self.begin_masked else self.begin, None if self.end_masked else self.end
        return Cut(self.extent, begin, end, self.stride)


_KINDS = {"ellipsis_mask": "ellipsis", "new_axis_mask": "new axis", "shrink_axis_mask": "shrink"}

MASKS = ("begin_mask", "end_mask", *_KINDS)


def _bit(case: Parameters, name: str, i: int) -> bool:
    return i < len(case[name]) and bool(case[name][i])


def positions_of(case: Parameters) -> list[Position]:
    """The positions of a strided slice whose lists have one length; -1 is the extent of an axis that is not there."""
    shape, count = case["input_shape"], len(case["begin"])
    kinds = [next((kind for name, kind in _KINDS.items() if _bit(case, name, i)), "slice") for i in range(count)]
    named = sum(kind in ("slice", "shrink") for kind in kinds)
    result, axis = [], 0
    for i, (kind, *bounds) in enumerate(zip(kinds, case["begin"], case["end"], case["strides"], strict=True)):
        extent = None
        if kind in ("slice", "shrink"):
            extent = shape[axis] if axis < len(shape) else -1
            axis += 1
        elif kind == "ellipsis":
            axis += max(0, len(shape) - named)
        result.append(Position(kind, extent, *bounds, _bit(case, "begin_mask", i), _bit(case, "end_mask", i)))
    return result


def mask_lengths(case: Parameters) -> set[int]:
    """The lengths of the masks that are given."""
    return {len(case[name]) for name in MASKS if case[name]}


def shrinks_outside(case: Parameters) -> bool:
    """Whether an index that drops an axis lies outside of it."""
    if case["input_shape"] == [] or len({len(case[name]) for name in ("begin", "end", "strides")}) > 1:
        return False
    dropped = [each for each in positions_of(case) if each.kind == "shrink"]
    return any(each.extent is not None and not -each.extent <= each.begin < each.extent for each in dropped)


def rule_of_strided_slice(case: Parameters) -> str:
    """The rule of StridedSlice."""
    if len({len(case[name]) for name in ("begin", "end", "strides")}) > 1:
        return "lists of different lengths"
    positions = positions_of(case)
    kinds = {each.kind for each in positions}
    if not case["input_shape"]:
        return "data of rank 0: an index" if kinds & {"slice", "shrink"} else "data of rank 0: no index"
    if any(each.extent == -1 for each in positions):
        return "more indices than axes"
    if sum(case["ellipsis_mask"]) > 1:
        return "masks: two ellipsis bits"
    if len(mask_lengths(case)) > 1:
        return "masks: of different lengths"
    if any(_bit(case, name, i) for name in MASKS for i in range(len(positions), len(case[name]))):
        return "masks: bits beyond begin"
    if any(sum(_bit(case, name, i) for name in _KINDS) > 1 for i in range(len(positions))):
        return "masks: several bits at one position"
    if any(each.stride == 0 for each in positions):
        is_used = any(each.stride == 0 and each.kind in ("slice", "shrink") for each in positions)
        return f"stride 0: {'at an axis' if is_used else 'at an ellipsis or a new axis'}"
    if shrinks_outside(case):
        return "shrink: an index outside of the axis"
    cuts = [each.cut for each in positions if each.kind == "slice"]
    if any(cut.extent == 0 and cut.step < 0 for cut in cuts):
        return "an empty axis: negative step"
    if kinds - {"slice"}:
        return _of_kinds(kinds, [each for each in positions if each.kind == "shrink"])
    if case["index_dtype"] not in ("int32", "int64"):
        return "index types other than int32 and int64"
    if any(each.begin_masked or each.end_masked for each in positions):
        return "begin_mask, end_mask: what is masked is not read"
    return _of_cuts(cuts) if cuts else "no index: data as it is"


def _of_kinds(kinds: set[str], dropped: list[Position]) -> str:
    if kinds - {"slice"} == {"shrink"}:
        if any(each.stride < 0 for each in dropped):
            return "shrink: a negative stride"
        if any(each.begin_masked or each.end_masked for each in dropped):
            return "shrink: with begin_mask or end_mask"
        return "shrink: an index inside of the axis"
    if "ellipsis" not in kinds:
        return f"new axis: {'with shrink' if 'shrink' in kinds else 'alone or with slices'}"
    return f"ellipsis: {'with a new axis or shrink' if len(kinds - {'slice'}) > 1 else 'alone or with slices'}"


def rule_of_tensorrt_slice(case: Parameters) -> str:
    """The rule of TensorRT's Slice."""
    shape, axes, mode = case["input_shape"], case["axes"], case["mode"]
    named = list(range(len(shape))) if axes is None else axes
    if any(not -len(shape) <= axis < len(shape) for axis in named):
        return "axes: out of range"
    if len({axis % len(shape) for axis in named}) < len(named):
        return "axes: one named twice"
    if len(case["start"]) != len(named):
        return "axes: not named, and fewer values than axes"
    if min(case["size"]) < 0:
        return "size: negative"
    if 0 in case["size"]:
        return "size: 0, wherever it starts"
    extents = [shape[axis] for axis in named]
    if 0 in extents:
        return "an empty axis: size 1 or more"
    if axes is not None:
        return "axes: named"
    if mode == "FILL" and case["fill"] is None:
        return "FILL: no fill value is 0"
    ends = [
        (start, start + (size - 1) * stride)
        for start, size, stride in zip(case["start"], case["size"], case["stride"], strict=True)
    ]
    if all(0 <= x < extent for extent, end in zip(extents, ends, strict=True) for x in end):
        return "all modes: coordinates inside of the axis"
    if mode == "STRICT_BOUNDS":
        return f"{mode}: coordinates outside of the axis"
    least = min(case["stride"])
    stride = "stride 0" if 0 in case["stride"] else f"{'negative' if least < 0 else 'positive'} stride"
    return f"{mode}: coordinates outside of the axis, {stride}"
