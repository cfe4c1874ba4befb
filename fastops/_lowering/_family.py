"""The family as plans: what each kind of operator reads, whatever a framework calls it.

Pure functions of integers. Frameworks differ in what they take, what they refuse and what they leave out; what is left
after that is one of these. Each takes the operator and the attribute by name, for the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from fastops._errors import AttributeValueError, OutOfBoundsError
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._plans._axis_map import AxisMap
from fastops._plans._integers import as_axis
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan

#: What a framework calls the pads of both sides, or those before each axis and those behind it.
PadNames: TypeAlias = str | tuple[str, str]


def resolve_axes(
    op: str, attribute: str, axes: Sequence[int], rank: int, *, may_repeat: bool = False
) -> tuple[int, ...]:
    """Return axes counted from the front, each once unless they may repeat."""
    named = tuple([as_axis(op, attribute, axis, rank) for axis in axes])
    if not may_repeat and len(set(named)) < len(named):
        raise AttributeValueError(op, attribute, "name each axis once", tuple(axes))
    return named


def resolve_axis(op: str, data_name: str, attribute: str, axis: int, shape: Sequence[int]) -> int:
    """Return an axis counted from the front, of data that must have one."""
    if not shape:
        raise AttributeValueError(op, data_name, "have at least one axis", tuple(shape))
    return as_axis(op, attribute, axis, len(shape))


def check_length(op: str, attribute: str, values: Sequence[int], n: int, of_what: str) -> None:
    """Raise unless a list has n values: as many as there are of something."""
    if len(values) != n:
        raise AttributeValueError(op, attribute, f"have {n} values, one for each {of_what}", tuple(values))


def check_at_least_0(op: str, attribute: str, values: Sequence[int]) -> None:
    """Raise for negative values."""
    if min(values, default=0) < 0:
        raise AttributeValueError(op, attribute, "be at least 0", tuple(values))


def window_bounds(
    op: str,
    size_name: str,
    shape: Sequence[int],
    start: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int] | None,
    axes: Sequence[int] | None,
) -> list[Bounds]:
    """Return the start, stride and count of each axis of a TensorRT Slice; axes that are not named are whole."""
    named = resolve_axes(op, "axes", range(len(shape)) if axes is None else axes, len(shape))
    n = len(named)
    stride = (1,) * n if stride is None else stride
    if not len(start) == len(size) == len(stride) == n:
        lists = {"start": start, size_name: size, "stride": stride}
        attribute = next(name for name, value in lists.items() if len(value) != n)
        which = "of axes" if axes else "axis of data, or as many as axes names"
        raise AttributeValueError(op, attribute, f"have {n} values, one for each {which}", lists[attribute])
    for axis, count in zip(named, size, strict=True):
        if count < 0:
            raise AttributeValueError(op, size_name, "be at least 0", size, axis, shape[axis])
    bounds = list(zip(start, stride, size, strict=True))
    if axes is None:
        return bounds
    whole = [(0, 1, extent) for extent in shape]
    for axis, bound in zip(named, bounds, strict=True):
        whole[axis] = bound
    return whole


def read_windows(
    op: str,
    attribute: str,
    shape: Sequence[int],
    bounds: Sequence[Bounds],
    mode: SampleMode,
    source_shape: Sequence[int] | None = None,
) -> SlicePlan:
    """Return the plan that reads a window of each axis, the coordinates outside of it by a mode.

    Where a mode does not allow them, the error is about the start, or about the attribute that says how many there are.
    """
    if any([count == 0 for _, _, count in bounds]):
        # Nothing is read, so it does not matter where.
        unread = [AxisMap.unread(extent, count) for extent, (_, _, count) in zip(shape, bounds, strict=True)]
        return SlicePlan.create(tuple(unread), None, source_shape)
    maps = []
    for axis, (extent, bound) in enumerate(zip(shape, bounds, strict=True)):
        try:
            maps.append(AxisMap.create(extent, *bound, mode))
        except OutOfBoundsError as error:
            named = "start" if error.attribute == "start" else attribute
            raise OutOfBoundsError(op, named, error.rule, error.got, axis, extent) from None
    return SlicePlan.create(tuple(maps), None, source_shape)


def slice_axes(
    op: str,
    rule: ClampRule,
    names: Sequence[str],
    shape: Sequence[int],
    starts: Sequence[int],
    stops: Sequence[int],
    steps: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
) -> SlicePlan:
    """Return the plan of ``start : stop : step`` on named axes, the others whole; by default the first ones.

    ``names`` are those of starts, stops, steps and axes.
    """
    n = len(starts)
    for name, values in zip(names[1:], (stops, steps, axes), strict=True):
        if values is not None and len(values) != n:
            raise AttributeValueError(op, name, f"have as many values as {names[0]}, {n}", tuple(values))
    if axes is None and n > len(shape):
        raise AttributeValueError(op, names[0], f"have at most {len(shape)} values, one an axis", tuple(starts))
    named = resolve_axes(op, names[3], range(n) if axes is None else axes, len(shape))
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, start, stop, step in zip(named, starts, stops, (1,) * n if steps is None else steps, strict=True):
        if step == 0:
            raise AttributeValueError(op, names[2], "not be 0", tuple(steps or ()), axis, shape[axis])
        bounds[axis] = resolve_bounds(shape[axis], start, stop, step, rule)
    return read_windows(op, names[0], shape, bounds, SampleMode.STRICT_BOUNDS)


def pad_axes(
    op: str, attribute: PadNames, shape: Sequence[int], before: Sequence[int], after: Sequence[int], mode: SampleMode
) -> SlicePlan:
    """Return the plan of a pad of each axis on its sides; negative pads crop, in one step with the others."""
    bounds: list[Bounds] = []
    for axis, (extent, low, high) in enumerate(zip(shape, before, after, strict=True)):
        count = extent + low + high
        if count < 0:
            name, pads = _side_of(attribute, before, after, after[axis] < before[axis])
            raise AttributeValueError(op, name, "leave at least 0 elements of each axis", pads, axis, extent)
        bounds.append((-low, 1, count))
    if mode is not SampleMode.FILL and all([count for _, _, count in bounds]):
        for axis, extent in enumerate(shape):
            if extent == 0:
                rule = f"be 0 on an empty axis in mode {mode.name.lower()}"
                name, pads = _side_of(attribute, before, after, after[axis] > before[axis])
                raise AttributeValueError(op, name, rule, pads, axis, extent)
    return read_windows(op, _side_of(attribute, before, after, is_behind=False)[0], shape, bounds, mode)


def _side_of(
    attribute: PadNames, before: Sequence[int], after: Sequence[int], is_behind: bool
) -> tuple[str, tuple[Any, ...]]:
    """Return the name and the value of the attribute that has the pads of a side."""
    if isinstance(attribute, str):
        return attribute, (tuple(before), tuple(after))
    return attribute[is_behind], tuple(after if is_behind else before)


def check_one_fold(
    op: str, attribute: PadNames, shape: Sequence[int], before: Sequence[int], after: Sequence[int], mode: SampleMode
) -> None:
    """Raise where a reflect or symmetric pad folds an axis more than once: the rule of OpenVINO and TensorFlow."""
    if mode not in (SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return
    for axis, (extent, pads) in enumerate(zip(shape, zip(before, after, strict=True), strict=True)):
        most = max(extent - 1, 0) if mode is SampleMode.REFLECT else extent
        if max(pads) > most:
            rule = f"be at most {most} in mode {mode.name.lower()}"
            name, written = _side_of(attribute, before, after, pads[1] > pads[0])
            raise AttributeValueError(op, name, rule, written, axis, extent)


def tile_axes(shape: Sequence[int], repeats: Sequence[int]) -> SlicePlan:
    """Return the plan that repeats each axis so many times; the shorter list gets ones in front. Repeats are >= 0."""
    rank = max(len(shape), len(repeats))
    extents, times = _with_ones(shape, rank), _with_ones(repeats, rank)
    bounds = [(0, 1, extent * n) for extent, n in zip(extents, times, strict=True)]
    return read_windows("tile", "repeats", extents, bounds, SampleMode.WRAP, shape)


def roll_axes(shape: Sequence[int], shifts: Sequence[int], axes: Sequence[int]) -> SlicePlan:
    """Return the plan that moves each element so far along its axes, around their ends; repeated axes add up."""
    total = [0] * len(shape)
    for axis, shift in zip(axes, shifts, strict=True):
        total[axis] += shift
    bounds = [(-shift % max(extent, 1), 1, extent) for extent, shift in zip(shape, total, strict=True)]
    return read_windows("roll", "shift", shape, bounds, SampleMode.WRAP)


def reverse_axes(shape: Sequence[int], axes: Sequence[int]) -> SlicePlan:
    """Return the plan that reads these axes backwards."""
    bounds = [(extent - 1, -1, extent) if k in axes else (0, 1, extent) for k, extent in enumerate(shape)]
    return read_windows("reverse", "axis", shape, bounds, SampleMode.STRICT_BOUNDS)


def broadcast_axes(
    op: str, attribute: str, shape: Sequence[int], target: Sequence[int], source_shape: Sequence[int] | None = None
) -> SlicePlan:
    """Return the plan that repeats axes of length 1 to a target shape, which has as many axes as ``shape``, or more.

    ``source_shape`` is data's, where ``shape`` has ones that data has not.
    """
    extents = _with_ones(shape, len(target))
    if len(target) < len(shape):
        raise AttributeValueError(op, attribute, f"have at least {len(shape)} values", tuple(target))
    bounds = []
    for axis, (extent, count) in enumerate(zip(extents, target, strict=True)):
        if count < 0 or (count != extent and extent != 1):
            rule = f"be {extent} where data is no 1" if extent != 1 else "be at least 0"
            raise AttributeValueError(op, attribute, rule, tuple(target), axis, extent)
        bounds.append((0, 0 if extent == 1 else 1, count))
    return read_windows(
        op, attribute, extents, bounds, SampleMode.STRICT_BOUNDS, shape if source_shape is None else source_shape
    )


def broadcast_both(op: str, attribute: str, shape: Sequence[int], target: Sequence[int]) -> SlicePlan:
    """Return the plan that repeats axes of length 1 until data has the shape to which it and the target broadcast."""
    rank = max(len(shape), len(target))
    both = []
    for axis, (extent, n) in enumerate(zip(_with_ones(shape, rank), _with_ones(target, rank), strict=True)):
        if n < 0 or (n != extent and extent != 1 and n != 1):
            rule = f"be 1 or {extent}" if extent != 1 else "be at least 0"
            raise AttributeValueError(op, attribute, rule, tuple(target), axis, extent)
        both.append(n if extent == 1 else extent)
    return broadcast_axes(op, attribute, shape, both)


def split_axis(shape: Sequence[int], axis: int, bounds: Sequence[tuple[int, int]]) -> tuple[SlicePlan, ...]:
    """Return the plans of parts of an axis, each by its start and its count."""
    whole = [AxisMap.whole(extent) for extent in shape]
    before, after = whole[:axis], whole[axis + 1 :]
    return tuple(
        [
            SlicePlan.create((*before, AxisMap.create(shape[axis], start if n else 0, 1, n), *after))
            for start, n in bounds
        ]
    )


def split_in_order(shape: Sequence[int], axis: int, lengths: Sequence[int]) -> tuple[SlicePlan, ...]:
    """Return the plans of parts of an axis that follow each other."""
    bounds = []
    start = 0
    for length in lengths:
        bounds.append((start, length))
        start += length
    return split_axis(shape, axis, bounds)


def resolve_lengths(
    op: str, attribute: str, lengths: Sequence[int], axis: int, extent: int, *, may_infer: bool = True
) -> tuple[int, ...]:
    """Return lengths of parts that sum to an axis, with a -1, if there may be one, as what the others leave."""
    lowest = -1 if may_infer else 0
    if min(lengths, default=0) < lowest:
        rule = "be at least 0, or -1 once" if may_infer else "be at least 0"
        raise AttributeValueError(op, attribute, rule, tuple(lengths), axis, extent)
    unknown = lengths.count(-1)
    if unknown > 1:
        raise AttributeValueError(op, attribute, "have -1 at most once", tuple(lengths), axis, extent)
    rest = extent - (sum(lengths) + unknown)
    if rest < 0 or (rest > 0 and not unknown):
        raise AttributeValueError(op, attribute, f"sum to {extent}", tuple(lengths), axis, extent)
    return tuple([rest if length == -1 else length for length in lengths])


def equal_lengths(op: str, attribute: str, parts: int, axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths of so many equal parts of an axis."""
    if parts < 1:
        raise AttributeValueError(op, attribute, "be at least 1", parts, axis, extent)
    if extent % parts:
        raise AttributeValueError(op, attribute, f"divide {extent}", parts, axis, extent)
    check_parts(op, attribute, parts)
    return (extent // parts,) * parts


def check_parts(op: str, attribute: str, parts: int) -> None:
    """Raise if an array would be split into more parts than it may."""
    if parts > MOST_PARTS:
        raise AttributeValueError(op, attribute, f"give at most {MOST_PARTS} parts", parts)


#: An axis can be split into that many parts.
MOST_PARTS = 1 << 20


def _with_ones(lengths: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return a shape with ones in front, so that it has so many axes."""
    return (*(1,) * (rank - len(lengths)), *lengths)
