"""Rolls, reversals and rotations; tiles, repeats and broadcasts; pads, of which negative ones crop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from typing import Any, TypeAlias

from fastops._errors import AttributeValueError, DTypeError, counted
from fastops._geometry._geometry import SourceWindow
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._bounds import Bounds, with_ones
from fastops._lowering._windows import Windows


def lower_rolls(shape: Sequence[int], shifts: Sequence[int], axes: Sequence[int]) -> Windows:
    """Return the windows that move each element so far along its axes, around their ends; repeated axes add up."""
    total = [0] * len(shape)
    for axis, shift in zip(axes, shifts, strict=True):
        total[axis] += shift
    bounds = [(-shift % max(extent, 1), 1, extent) for extent, shift in zip(shape, total, strict=True)]
    return Windows(shape, bounds, SampleMode.WRAP)


def lower_reversals(shape: Sequence[int], axes: Collection[int]) -> Windows:
    """Return the windows that read these axes backwards."""
    return Windows(shape, [(extent - 1, -1, extent) if k in axes else (0, 1, extent) for k, extent in enumerate(shape)])


def lower_rotation(shape: Sequence[int], k: int, first: int, second: int) -> Windows:
    """Return the windows that turn a plane by k quarters, from axis ``first`` towards axis ``second``."""
    quarters = k % 4
    # Three quarters read axis `first` backwards, one reads axis `second` so, and two read both.
    backwards = [axis for axis, turns in ((first, (2, 3)), (second, (1, 2))) if quarters in turns]
    bounds = lower_reversals(shape, backwards).bounds
    order = list(range(len(shape)))
    if quarters % 2:
        order[first], order[second] = second, first
    return Windows(shape, bounds, shape=[shape[axis] for axis in order], order=order)


def lower_tiles(shape: Sequence[int], repeats: Sequence[int]) -> Windows:
    """Return the windows that repeat each axis so often, >= 0; the shorter list gets ones in front."""
    rank = max(len(shape), len(repeats))
    extents, times = with_ones(shape, rank), with_ones(repeats, rank)
    bounds = [(0, 1, extent * n) for extent, n in zip(extents, times, strict=True)]
    return Windows(extents, bounds, SampleMode.WRAP, None, shape)


def lower_repeats(shape: Sequence[int], n: int, axis: int | None) -> Windows:
    """Return the windows that give each element along an axis n times, >= 0, or each of the flattened data for None."""
    # Behind the axis stands one of length 1, whose n outputs all read the same: the two are one axis of the result.
    at = len(shape) if axis is None else axis + 1
    extents = [*shape[:at], 1, *shape[at:]]
    bounds: list[Bounds] = [(0, 1, extent) for extent in extents]
    bounds[at] = (0, 0, n)
    result = [prod(shape) * n] if axis is None else [*shape[:axis], shape[axis] * n, *shape[at:]]
    return Windows(extents, bounds, shape=result, source_shape=shape, order=tuple(range(len(extents))))


def lower_broadcasts(
    attribute: str, shape: Sequence[int], target: Sequence[int], source_shape: Sequence[int] | None = None
) -> Windows:
    """Return the windows that repeat axes of length 1 to a target shape, which has as many axes as ``shape``, or more.

    ``source_shape`` is data's, where ``shape`` has ones that data does not have.
    """
    extents = with_ones(shape, len(target))
    if len(target) < len(shape):
        raise AttributeValueError.about(attribute, f"have at least {counted(len(shape), 'value')}", tuple(target))
    bounds: list[Bounds] = []
    for axis, (extent, count) in enumerate(zip(extents, target, strict=True)):
        if count < 0 or (count != extent and extent != 1):
            rule = f"be {extent} where the data's length is not 1" if extent != 1 else "be at least 0"
            raise AttributeValueError.about(attribute, rule, tuple(target), axis, extent)
        bounds.append((0, 0 if extent == 1 else 1, count))
    return Windows(extents, bounds, source_shape=shape if source_shape is None else source_shape)


def lower_mutual_broadcasts(attribute: str, shape: Sequence[int], target: Sequence[int]) -> Windows:
    """Return the windows that repeat axes of length 1 to the shape to which data and the target broadcast."""
    rank = max(len(shape), len(target))
    both = []
    for axis, (extent, n) in enumerate(zip(with_ones(shape, rank), with_ones(target, rank), strict=True)):
        if n < 0 or (n != extent and extent != 1 and n != 1):
            rule = f"be 1 or {extent}" if extent != 1 else "be at least 0"
            raise AttributeValueError.about(attribute, rule, tuple(target), axis, extent)
        both.append(n if extent == 1 else extent)
    return lower_broadcasts(attribute, shape, both)


#: What a framework calls the pads of both sides, or those before each axis and those behind it.
PadNames: TypeAlias = str | tuple[str, str]


def lower_pads(
    attribute: PadNames,
    shape: Sequence[int],
    before: Sequence[int],
    after: Sequence[int],
    mode: SampleMode,
    word: str,
) -> Windows:
    """Return the windows of a pad of each axis on its sides; negative pads crop, in one step with the others.

    ``word`` is what the framework calls the mode.
    """
    bounds: list[Bounds] = []
    for axis, (extent, low, high) in enumerate(zip(shape, before, after, strict=True)):
        count = extent + low + high
        if count < 0:
            name, pads = _side_of(attribute, before, after, after[axis] < before[axis])
            raise AttributeValueError.about(name, "leave at least 0 elements of each axis", pads, axis, extent)
        bounds.append((-low, 1, count))
    if 0 in shape and mode is not SampleMode.FILL and all([count for _, _, count in bounds]):
        axis = list(shape).index(0)
        name, pads = _side_of(attribute, before, after, after[axis] > before[axis])
        raise AttributeValueError.about(name, f"be 0 on an empty axis in mode {word}", pads, axis, 0)
    return Windows(shape, bounds, mode)


def crop_first(
    attribute: PadNames, windows: Windows, before: Sequence[int], after: Sequence[int], word: str
) -> Windows:
    """Return the windows of a pad, as `lower_pads` gives them, that reads only what negative pads leave of an axis.

    That is another pad where an axis is cropped at one end, and mirrored or wrapped at the other.
    """
    mode, extents, bounds = windows.mode, list(windows.extents), list(windows.bounds)
    # Where nothing is written, it does not matter what is read.
    if mode is SampleMode.FILL or 0 in windows.counts:
        return windows
    is_changed = False
    offsets = [0] * len(extents)
    for axis, (low, high) in enumerate(zip(before, after, strict=True)):
        if low >= 0 and high >= 0:
            continue
        offset = -low if low < 0 else 0
        kept = extents[axis] - offset + (high if high < 0 else 0)
        if kept <= 0:
            name, pads = _side_of(attribute, before, after, high < low)
            raise AttributeValueError.about(
                name, f"leave an element of each axis before it is padded in mode {word}", pads, axis, extents[axis]
            )
        if (low > 0 or high > 0) and mode is not SampleMode.CLAMP:
            is_changed = True
            extents[axis], offsets[axis], bounds[axis] = kept, offset, (-low if low > 0 else 0, 1, bounds[axis][2])
    if not is_changed:
        return windows
    reads = [SourceWindow(axis, offset, 1) for axis, offset in enumerate(offsets)]
    return Windows(extents, bounds, mode, source_shape=windows.extents, source_windows=reads)


def check_one_fold(
    attribute: PadNames,
    shape: Sequence[int],
    before: Sequence[int],
    after: Sequence[int],
    mode: SampleMode,
    word: str,
) -> None:
    """Raise where a reflect or symmetric pad folds an axis more than once: the rule of OpenVINO and TensorFlow."""
    if mode not in (SampleMode.REFLECT, SampleMode.SYMMETRIC):
        return
    for axis, (extent, pads) in enumerate(zip(shape, zip(before, after, strict=True), strict=True)):
        most = max(extent - 1, 0) if mode is SampleMode.REFLECT else extent
        if max(pads) > most:
            name, written = _side_of(attribute, before, after, pads[1] > pads[0])
            raise AttributeValueError.about(name, f"be at most {most} in mode {word}", written, axis, extent)


def _side_of(
    attribute: PadNames, before: Sequence[int], after: Sequence[int], is_behind: bool
) -> tuple[str, tuple[Any, ...]]:
    """Return the name and the value of the attribute that has the pads of a side."""
    if isinstance(attribute, str):
        return attribute, (tuple(before), tuple(after))
    return attribute[is_behind], tuple(after if is_behind else before)


def split_pairs(attribute: str, pairs: Any, n: int) -> tuple[list[int], list[int]]:
    """Return the first and the second values of so many pairs."""
    is_list = isinstance(pairs, tuple)
    if not is_list or len(pairs) != n or any([not isinstance(pair, tuple) or len(pair) != 2 for pair in pairs]):
        error = AttributeValueError if is_list else DTypeError
        raise error.about(attribute, f"be {counted(n, 'pair')} of integers", pairs)
    return [low for low, _ in pairs], [high for _, high in pairs]
