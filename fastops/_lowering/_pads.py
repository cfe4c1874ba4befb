"""Pads: windows that begin before an axis and end behind it; negative pads crop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from fastops._errors import AttributeValueError, DTypeError, counted
from fastops._geometry._geometry import SourceWindow
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._bounds import Bounds
from fastops._lowering._windows import Windows

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
