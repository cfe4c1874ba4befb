"""Rolls, flips and rotations; tiles, repeats and broadcasts; pads, where a negative pad crops."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, DTypeError, counted
from fastops._geometry._geometry import SourceWindow
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import PAD_MODES, Bounds, Ints
from fastops._lowering._bounds import check_at_least, check_length, one_each, resolve_axes, resolve_axis, with_ones
from fastops._lowering._windows import Windows, check_rank


def lower_rolls(shape: Ints, shift: int | Ints, axes: Ints, *, least_rank: int = 0) -> Windows:
    """Return the windows that move elements along axes; elements that leave an axis at one end enter it at the other.

    A single shift is used for all axes. The shifts of an axis that is named twice add up.
    """
    check_rank(shape, least_rank)
    shifts = one_each("shift", shift, len(axes), "axis")
    total = [0] * len(shape)
    for axis, by in zip(resolve_axes("axes", axes, len(shape), may_repeat=True), shifts, strict=True):
        total[axis] += by
    bounds = [(-by % max(extent, 1), 1, extent) for extent, by in zip(shape, total, strict=True)]
    return Windows(shape, bounds, SampleMode.WRAP)


def lower_flips(shape: Ints, axes: Ints | None, *, least_rank: int = 0) -> Windows:
    """Return the windows that read axes backwards, all axes for None.

    Data of a rank below ``least_rank`` counts as data of this rank.
    """
    named = range(len(shape)) if axes is None else resolve_axes("axes", axes, max(len(shape), least_rank))
    bounds = [(extent - 1, -1, extent) if k in named else (0, 1, extent) for k, extent in enumerate(shape)]
    return Windows(shape, bounds)


def lower_rotation(shape: Ints, k: int, axes: Ints, *, least_rank: int = 0) -> Windows:
    """Return the windows that turn the plane of two axes by k quarter turns, from the first axis towards the second."""
    check_rank(shape, least_rank)
    if len(axes) != 2:
        raise AttributeValueError.about("axes", "name two axes", tuple(axes))
    first, second = resolve_axes("axes", axes, len(shape))
    quarters = k % 4
    # Two or three quarter turns read the first axis backwards; one or two read the second axis backwards.
    backwards = [axis for axis, turns in ((first, (2, 3)), (second, (1, 2))) if quarters in turns]
    bounds = lower_flips(shape, backwards).bounds
    order = list(range(len(shape)))
    if quarters % 2:
        order[first], order[second] = second, first
    return Windows(shape, bounds, shape=[shape[axis] for axis in order], order=order)


def lower_tiles(shape: Ints, repeats: Ints, *, one_per_axis: bool = False) -> Windows:
    """Return the windows that repeat each axis; the shorter of shape and repeats gets ones in front.

    With ``one_per_axis``, there must be one value for each axis.
    """
    if one_per_axis:
        check_length("repeats", repeats, len(shape), "axis of input")
    check_at_least(0, repeats=repeats)
    rank = max(len(shape), len(repeats))
    extents, times = with_ones(shape, rank), with_ones(repeats, rank)
    bounds = [(0, 1, extent * n) for extent, n in zip(extents, times, strict=True)]
    return Windows(extents, bounds, SampleMode.WRAP, source_shape=shape)


def lower_repeats(shape: Ints, repeats: int, axis: int | None, *, least_rank: int = 0) -> Windows:
    """Return the windows that repeat each element along an axis, or each element of the flattened data for None.

    Data of a rank below ``least_rank`` counts as data of this rank.
    """
    check_at_least(0, repeats=[repeats])
    at = len(shape)
    if axis is not None:
        axis = resolve_axis("axis", axis, max(at, least_rank))
        at = min(at, axis + 1)
    # An axis of length 1 is inserted after the axis. All outputs along the new axis read one element. Then the two axes
    # are merged.
    extents = [*shape[:at], 1, *shape[at:]]
    bounds: list[Bounds] = [(0, 1, extent) for extent in extents]
    bounds[at] = (0, 0, repeats)
    merged = 0 if axis is None else at - 1
    result = [*shape[:merged], prod(shape[merged:at]) * repeats, *shape[at:]]
    return Windows(extents, bounds, shape=result, source_shape=shape, order=tuple(range(len(extents))))


def lower_broadcasts(shape: Ints, target: Ints, *, source_shape: Ints | None = None) -> Windows:
    """Return the windows that repeat axes of length 1 to a target shape, which has at least as many axes as ``shape``.

    ``source_shape`` is the shape of data, if ``shape`` has additional axes of length 1.
    """
    extents = with_ones(shape, len(target))
    if len(target) < len(shape):
        raise AttributeValueError.about("target", f"have at least {counted(len(shape), 'value')}", tuple(target))
    bounds: list[Bounds] = []
    for axis, (extent, count) in enumerate(zip(extents, target, strict=True)):
        if count < 0 or (count != extent and extent != 1):
            rule = f"be {extent} where the data's length is not 1" if extent != 1 else "be at least 0"
            raise AttributeValueError.about("target", rule, tuple(target), axis, extent)
        bounds.append((0, 0 if extent == 1 else 1, count))
    return Windows(extents, bounds, source_shape=shape if source_shape is None else source_shape)


def lower_mutual_broadcasts(shape: Ints, target: Ints) -> Windows:
    """Return the windows that repeat axes of length 1 to the shape to which data and the target broadcast."""
    rank = max(len(shape), len(target))
    both = []
    for axis, (extent, n) in enumerate(zip(with_ones(shape, rank), with_ones(target, rank), strict=True)):
        if n < 0 or (n != extent and extent != 1 and n != 1):
            rule = f"be 1 or {extent}" if extent != 1 else "be at least 0"
            raise AttributeValueError.about("target", rule, tuple(target), axis, extent)
        both.append(n if extent == 1 else extent)
    return lower_broadcasts(shape, both)


class Sides(NamedTuple):
    """Pads or crops on the two sides of axes.

    Attributes
    ----------
    before, after : sequence of int
        One value for each axis.
    before_name, after_name : str
        The attributes that have these values; both names may be the same.
    """

    before: Ints
    after: Ints
    before_name: str
    after_name: str

    def named(self, is_after: bool) -> tuple[str, tuple[Any, ...]]:
        """Return the name and the value of the attribute of a side."""
        if self.before_name == self.after_name:
            return self.before_name, (tuple(self.before), tuple(self.after))
        return (self.after_name, tuple(self.after)) if is_after else (self.before_name, tuple(self.before))

    def check(self) -> None:
        """Raise for negative values."""
        check_at_least(0, **{self.before_name: self.before})
        check_at_least(0, **{self.after_name: self.after})


def lower_pads(shape: Ints, pads: Sides, word: str, *, one_fold: bool = False, crops_first: bool = False) -> Windows:
    """Return the windows that pad each axis on its two sides; a negative pad crops, in one step with the others.

    ``word`` is the framework's name of the mode. With ``one_fold``, the rule of OpenVINO and TensorFlow, a reflect or
    symmetric pad may mirror an axis only once. With ``crops_first``, pads read only the cropped axis; without it, they
    also read cropped elements, if an axis is cropped at one end and mirrored or wrapped at the other.
    """
    mode = PAD_MODES[word]
    one_fold = one_fold and mode in (SampleMode.REFLECT, SampleMode.SYMMETRIC)
    bounds: list[Bounds] = []
    for axis, (extent, low, high) in enumerate(zip(shape, pads.before, pads.after, strict=True)):
        count = extent + low + high
        if count < 0:
            name, written = pads.named(high < low)
            raise AttributeValueError.about(name, "leave at least 0 elements of each axis", written, axis, extent)
        most = max(extent - (mode is SampleMode.REFLECT), 0)
        if one_fold and max(low, high) > most:
            name, written = pads.named(high > low)
            raise AttributeValueError.about(name, f"be at most {most} in mode {word}", written, axis, extent)
        bounds.append((-low, 1, count))
    if 0 in shape and mode is not SampleMode.FILL and all([count for _, _, count in bounds]):
        axis = list(shape).index(0)
        name, written = pads.named(pads.after[axis] > pads.before[axis])
        raise AttributeValueError.about(name, f"be 0 on an empty axis in mode {word}", written, axis, 0)
    windows, extents, offsets = Windows(shape, tuple(bounds), mode), list(shape), [0] * len(shape)
    if not crops_first or mode is SampleMode.FILL or 0 in windows.counts:
        return windows
    for axis, (low, high) in enumerate(zip(pads.before, pads.after, strict=True)):
        if low * high < 0:
            kept = extents[axis] + min(low, high)
            if kept <= 0:
                name, written = pads.named(high < low)
                rule = f"leave an element of each axis before it is padded in mode {word}"
                raise AttributeValueError.about(name, rule, written, axis, extents[axis])
            extents[axis], offsets[axis], bounds[axis] = kept, max(-low, 0), (-max(low, 0), 1, bounds[axis][2])
    if mode is SampleMode.CLAMP or extents == list(shape):
        return windows
    reads = [SourceWindow(axis, offset, 1) for axis, offset in enumerate(offsets)]
    return Windows(extents, bounds, mode, source_shape=shape, source_windows=reads)


def split_pairs(attribute: str, pairs: Any, n: int) -> Sides:
    """Return pads or crops from the n pairs that an attribute's value consists of."""
    is_list = isinstance(pairs, tuple)
    if not is_list or len(pairs) != n or any([not isinstance(pair, tuple) or len(pair) != 2 for pair in pairs]):
        error = AttributeValueError if is_list else DTypeError
        raise error.about(attribute, f"be {counted(n, 'pair')} of integers", pairs)
    return Sides([low for low, _ in pairs], [high for _, high in pairs], attribute, attribute)
