"""Slices with named axes, basic indices, strided slices with masks, and splits.

StridedSlice of OpenVINO and of TensorFlow differ in the clamping rule, in the strides of a shrunk position, and in the
form of masks: a `Dialect` has these differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, counted
from fastops._geometry._numbers import as_index, find_integer
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._bounds import Bounds, ClampRule, resolve_axes, resolve_bounds
from fastops._lowering._windows import Windows
from fastops._settings import CACHE_SIZE
from fastops.kernels._tables import _rules as r


def lower_slices(
    rule: ClampRule,
    names: Sequence[str],
    shape: Sequence[int],
    starts: Sequence[int],
    stops: Sequence[int],
    steps: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
) -> Windows:
    """Return the windows of ``start : stop : step`` on named axes, the others whole; by default the first ones.

    ``names`` are those of starts, stops, steps and axes.
    """
    n = len(starts)
    for name, values in zip(names[1:], (stops, steps, axes), strict=True):
        if values is not None and len(values) != n:
            raise AttributeValueError.about(name, f"have as many values as {names[0]}, {n}", tuple(values))
    if axes is None and n > len(shape):
        raise AttributeValueError.about(
            names[0], f"have at most {counted(len(shape), 'value')}, one per axis", tuple(starts)
        )
    named = resolve_axes(names[3], range(n) if axes is None else axes, len(shape))
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, start, stop, step in zip(named, starts, stops, (1,) * n if steps is None else steps, strict=True):
        if step == 0:
            raise AttributeValueError.about(names[2], "not be 0", tuple(steps or ()), axis, shape[axis])
        bounds[axis] = resolve_bounds(shape[axis], start, stop, step, rule)
    return Windows(shape, bounds)


def lower_windows(
    size_name: str,
    shape: Sequence[int],
    start: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int] | None,
    axes: Sequence[int] | None,
    mode: SampleMode,
) -> Windows:
    """Return the windows of a TensorRT Slice; axes that are not named are whole."""
    named = range(len(shape)) if axes is None else resolve_axes("axes", axes, len(shape))
    n = len(named)
    stride = (1,) * n if stride is None else stride
    if not len(start) == len(size) == len(stride) == n:
        lists = {"start": start, size_name: size, "stride": stride}
        attribute = next(name for name, value in lists.items() if len(value) != n)
        which = "of axes" if axes else "axis of data, or as many as axes names"
        raise AttributeValueError.about(
            attribute, f"have {counted(n, 'value')}, one for each {which}", tuple(lists[attribute])
        )
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, first, by, count in zip(named, start, stride, size, strict=True):
        if count < 0:
            raise AttributeValueError.about(size_name, "be at least 0", tuple(size), axis, shape[axis])
        bounds[axis] = (first, by, count)
    return Windows(shape, bounds, mode, size_name=size_name)


INDEX_RULE = "be a basic index: integers, slices, an ellipsis and None"


def as_places(attribute: str, index: Any) -> tuple[Any, ...]:
    """Return what an index says of each axis: integers, an ellipsis, None, and slices as tuples of their three numbers.

    These are a key, as slices are not in every Python.
    """
    places = index if type(index) is tuple else (index,)
    return tuple([_as_place(attribute, place) for place in places])


def _as_place(attribute: str, place: Any) -> Any:
    if place is None or place is Ellipsis:
        return place
    if type(place) is slice:
        bounds = (place.start, place.stop, place.step)
        return tuple([None if bound is None else as_index(attribute, bound) for bound in bounds])
    integer = find_integer(attribute, place)
    if integer is None:
        raise DTypeError.also(IndexError).about(attribute, INDEX_RULE, place)
    return integer


def lower_basic_index(shape: Sequence[int], index: tuple[Any, ...], *, may_reverse: bool = True) -> Windows:
    """Return the windows that an index takes, as `as_places` gives it; slices may have negative steps or not."""
    ellipses = index.count(Ellipsis)
    named = len(index) - ellipses - index.count(None)
    if named > len(shape):
        rule = f"name at most {counted(len(shape), 'axis')}, not {named}"
        raise AttributeValueError.also(IndexError).about("index", rule, index)
    if ellipses > 1:
        raise AttributeValueError.also(IndexError).about("index", "have at most one ellipsis", index)
    bounds: list[Bounds] = []
    counts: list[int] = []
    for place in index if ellipses else (*index, Ellipsis):
        axis = len(bounds)
        if place is None:
            counts.append(1)
        elif place is Ellipsis:
            whole = shape[axis : axis + len(shape) - named]
            bounds += [(0, 1, extent) for extent in whole]
            counts += whole
        elif type(place) is tuple:
            bounds.append(_slice_bounds(place, index, axis, shape[axis], may_reverse))
            counts.append(bounds[-1][2])
        else:
            bounds.append(_index_bounds(place, index, axis, shape[axis]))
    return Windows(shape, bounds, shape=counts)


def _index_bounds(place: int, index: Any, axis: int, extent: int) -> Bounds:
    """Return the bounds that take one index of an axis."""
    if not -extent <= place < extent:
        rule = f"be in {-extent}..{extent - 1}" if extent else "not take an element of an empty axis"
        raise OutOfBoundsError.about("index", rule, index, axis, extent)
    return place % extent, 1, 1


def _slice_bounds(place: tuple[int | None, ...], index: Any, axis: int, extent: int, may_reverse: bool) -> Bounds:
    """Return the bounds of a slice of an axis."""
    start, stop, step = place
    if step == 0:
        raise AttributeValueError.about("index", "have no slice of step 0", index, axis, extent)
    if not may_reverse and step is not None and step < 0:
        raise AttributeValueError.about("index", "have no slice of a negative step", index, axis, extent)
    by = 1 if step is None else step
    return resolve_bounds(extent, start or 0, stop or 0, by, ClampRule.NUMPY, start is None, stop is None)


_NO_MASK: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between frameworks.

    Attributes
    ----------
    rule : ClampRule
        How bounds are clamped.
    shrinks_backwards : bool
        True if a shrunk position may have any stride; False if its stride must be positive.
    """

    rule: ClampRule
    shrinks_backwards: bool


class Use(Enum):
    """What one position of begin, end and strides is used for."""

    ELLIPSIS = "ellipsis"
    NEW_AXIS = "new axis"
    SHRINK = "shrink"
    SLICE = "slice"


_SLICE = Use.SLICE  # Looking it up would take longer than using it.


class Position(NamedTuple):
    """Position ``i`` of begin, end and strides, and the ``rank`` source axes from ``axis`` on that it is about."""

    i: int
    use: Use
    axis: int
    rank: int


def positions_of(
    rank: int, begin: Sequence[int], new_axis: Sequence[int], shrink: Sequence[int], ellipsis: Sequence[int]
) -> list[Position]:
    """Return what each position of begin is used for, then the axes that none names, as an ellipsis at the end.

    Masks have as many bits as begin. Where several are set at one position, the ellipsis counts first, then the new
    axis, then shrink.
    """
    n = len(begin)
    uses = [_SLICE] * n
    if 1 in ellipsis or 1 in new_axis or 1 in shrink:
        uses = [
            Use.ELLIPSIS if of_ellipsis else Use.NEW_AXIS if of_new else Use.SHRINK if of_shrink else _SLICE
            for of_ellipsis, of_new, of_shrink in zip(ellipsis, new_axis, shrink, strict=True)
        ]
    left = rank - n + uses.count(Use.ELLIPSIS) + uses.count(Use.NEW_AXIS)
    if left < 0:
        raise AttributeValueError.about(
            "begin", f"name at most {counted(rank, 'axis')}, not {rank - left}, in data of rank {rank}", begin
        )
    return _place(rank, left, *uses)


@lru_cache(CACHE_SIZE)
def _place(rank: int, left: int, *uses: Use) -> list[Position]:
    """Return the positions of these uses; an ellipsis stands for the `left` axes that no other position names."""
    positions = []
    axis = 0
    for i, use in enumerate(uses):
        taken = left if use is Use.ELLIPSIS else 0 if use is Use.NEW_AXIS else 1
        positions.append(Position(i, use, axis, taken))
        axis += taken
    if axis < rank:
        positions.append(Position(len(uses), Use.ELLIPSIS, axis, rank - axis))
    return positions


def lower_strided_slices(
    dialect: Dialect,
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: Sequence[int] = _NO_MASK,
    end_mask: Sequence[int] = _NO_MASK,
    new_axis_mask: Sequence[int] = _NO_MASK,
    shrink_axis_mask: Sequence[int] = _NO_MASK,
    ellipsis_mask: Sequence[int] = _NO_MASK,
) -> Windows:
    """Return the windows of a strided slice."""
    n = len(begin)
    for attribute, value in (("end", end), ("strides", strides)):
        if len(value) != n:
            raise AttributeValueError.about(attribute, f"have as many values as begin, {n}", value)
    if sum(ellipsis_mask) > 1:
        # The specification counts the bits beyond begin too, although they mean nothing.
        raise AttributeValueError.about("ellipsis_mask", "have at most one bit set", ellipsis_mask)
    begin_bits = fit_mask(begin_mask, n)
    end_bits = fit_mask(end_mask, n)
    if not (new_axis_mask or shrink_axis_mask or ellipsis_mask or 0 in strides or n > len(shape)):
        # Each position is about its own axis: what most calls mean, in a third of the time.
        bounds = list(map(resolve_bounds, shape, begin, end, strides, repeat(dialect.rule), begin_bits, end_bits))
        bounds += [(0, 1, extent) for extent in shape[n:]]
        return Windows(shape, bounds)
    new_axis, shrink, ellipsis = [fit_mask(mask, n) for mask in (new_axis_mask, shrink_axis_mask, ellipsis_mask)]
    bounds = []
    counts: list[int] = []
    for i, use, axis, rank in positions_of(len(shape), begin, new_axis, shrink, ellipsis):
        if use is _SLICE:
            extent, stride = shape[axis], strides[i]
            if stride == 0:
                raise AttributeValueError.about("strides", "not be 0", strides, axis, extent)
            bound = resolve_bounds(extent, begin[i], end[i], stride, dialect.rule, begin_bits[i], end_bits[i])
            bounds.append(bound)
            counts.append(bound[2])
        elif use is Use.NEW_AXIS:
            counts.append(1)
        elif use is Use.ELLIPSIS:
            whole = shape[axis : axis + rank]
            bounds += [(0, 1, extent) for extent in whole]
            counts += whole
        else:
            if strides[i] <= 0 and not dialect.shrinks_backwards:
                rule = "be positive where shrink_axis_mask is set"
                raise AttributeValueError.about("strides", rule, strides, axis, shape[axis])
            bounds.append(_shrink(begin[i], axis, shape[axis]))
    return Windows(shape, bounds, shape=counts)


def fit_mask(mask: Sequence[int], n: int) -> tuple[int, ...]:
    """Return a mask with n bits: short ones are padded with zeros, the rest of long ones is ignored."""
    return (*mask[:n], *(0,) * (n - len(mask))) if mask else (0,) * n


def _shrink(begin: int, axis: int, extent: int) -> Bounds:
    """Return the bounds that take one index of an axis, counted from the end where it is negative."""
    if not -extent <= begin < extent:
        rule = f"be in {-extent}..{extent - 1} where shrink_axis_mask is set" if extent else "not shrink an empty axis"
        raise OutOfBoundsError.about("begin", rule, begin, axis, extent)
    return begin % extent, 1, 1


#: An axis can be split into that many parts.
MOST_PARTS = r.MOST_PARTS


def lower_splits(shape: Sequence[int], axis: int, lengths: Sequence[int]) -> list[Windows]:
    """Return the windows of parts of an axis that follow each other."""
    return lower_parts(shape, axis, zip(accumulate(lengths, initial=0), lengths, strict=False))


def lower_parts(shape: Sequence[int], axis: int, parts: Iterable[tuple[int, int]]) -> list[Windows]:
    """Return the windows of parts of an axis, each by its start and its length."""
    whole = [(0, 1, extent) for extent in shape]
    before, after = whole[:axis], whole[axis + 1 :]
    return [Windows(shape, [*before, (start, 1, length), *after]) for start, length in parts]


def resolve_lengths(
    attribute: str, lengths: Sequence[int], axis: int, extent: int, *, may_infer: bool = True
) -> tuple[int, ...]:
    """Return lengths of parts that sum to an axis, with a -1, if there may be one, as what the others leave."""
    lowest = -1 if may_infer else 0
    if min(lengths, default=0) < lowest:
        rule = "be at least 0, or -1 once" if may_infer else "be at least 0"
        raise AttributeValueError.about(attribute, rule, tuple(lengths), axis, extent)
    unknown = lengths.count(-1)
    if unknown > 1:
        raise AttributeValueError.about(attribute, "have -1 at most once", tuple(lengths), axis, extent)
    rest = extent - (sum(lengths) + unknown)
    if rest < 0 or (rest > 0 and not unknown):
        rule = f"sum to {extent}, with at least 0 for -1" if unknown else f"sum to {extent}"
        raise AttributeValueError.about(attribute, rule, tuple(lengths), axis, extent)
    return tuple([rest if length == -1 else length for length in lengths])


def equal_lengths(attribute: str, parts: int, axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths of so many equal parts of an axis."""
    if parts < 1:
        raise AttributeValueError.about(attribute, "be at least 1", parts, axis, extent)
    if extent % parts:
        raise AttributeValueError.about(attribute, f"divide {extent}", parts, axis, extent)
    check_parts(attribute, parts)
    return (extent // parts,) * parts


def check_parts(attribute: str, parts: int) -> None:
    """Raise if an array would be split into more parts than it may."""
    if parts > MOST_PARTS:
        raise AttributeValueError.about(attribute, f"give at most {MOST_PARTS} parts", parts)
