"""Slices along named axes, basic indices, strided slices with masks, and splits.

OpenVINO's StridedSlice and TensorFlow's differ in how they clamp bounds, and in the strides that they allow where a
position drops its axis. ``clamp`` selects both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import or_
from typing import Any

from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, counted
from fastops._geometry._numbers import as_index, as_indices, find_integer
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Bounds, Ints, as_index_or_indices, at_most
from fastops._lowering._bounds import check_length, resolve_axes, resolve_axis_of, resolve_bounds
from fastops._lowering._windows import Windows
from fastops.kernels._arithmetic import part_of
from fastops.kernels._tables import _rules as r


def lower_slices(shape: Ints, start: Ints, stop: Ints, axes: Ints | None, step: Ints | None) -> Windows:
    """Return the windows of ``start : stop : step`` on axes, the first ones by default; other axes are whole."""
    n = len(start)
    for name, values in (("stop", stop), ("step", step), ("axes", axes)):
        if values is not None:
            check_length(name, values, n, "start")
    if axes is None and n > len(shape):
        raise AttributeValueError.about(
            "start", f"have at most {counted(len(shape), 'value')}, one per axis", tuple(start)
        )
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    steps = (1,) * n if step is None else step
    named = resolve_axes("axes", range(n) if axes is None else axes, len(shape))
    for axis, first, last, by in zip(named, start, stop, steps, strict=True):
        if by == 0:
            raise AttributeValueError.about("step", "not be 0", tuple(steps), axis, shape[axis])
        bounds[axis] = resolve_bounds(shape[axis], first, last, by, r.OPENVINO_CLAMP)
    return Windows(shape, bounds)


def lower_windows(
    shape: Ints, start: Ints, size: Ints, stride: Ints | None, axes: Ints | None, mode: SampleMode
) -> Windows:
    """Return the windows of a TensorRT Slice; axes that are not named are whole."""
    named = range(len(shape)) if axes is None else resolve_axes("axes", axes, len(shape))
    n = len(named)
    stride = (1,) * n if stride is None else stride
    which = "of axes" if axes is not None else "axis of data if axes are not given"
    for name, values in (("start", start), ("size", size), ("stride", stride)):
        check_length(name, values, n, which)
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, first, by, count in zip(named, start, stride, size, strict=True):
        if count < 0:
            raise AttributeValueError.about("size", "be at least 0", tuple(size), axis, shape[axis])
        bounds[axis] = (first, by, count)
    return Windows(shape, bounds, mode)


INDEX_RULE = "be a basic index: integers, slices, an ellipsis and None"


def as_places(attribute: str, index: Any) -> tuple[Any, ...]:
    """Return the items of an index: integers, an ellipsis, None, and slices as tuples of their three numbers.

    Tuples are hashable, but slices are hashable only since Python 3.12.
    """
    return tuple([_as_place(attribute, place) for place in (index if type(index) is tuple else (index,))])


def _as_place(attribute: str, place: Any) -> Any:
    if place is None or place is Ellipsis:
        return place
    if type(place) is slice:
        bounds = (place.start, place.stop, 1 if place.step is None else place.step)
        return tuple([None if bound is None else as_index(attribute, bound) for bound in bounds])
    integer = find_integer(attribute, place)
    if integer is None:
        raise DTypeError.also(IndexError).about(attribute, INDEX_RULE, place)
    return integer


def lower_basic_index(shape: Ints, index: tuple[Any, ...], *, may_reverse: bool = True) -> Windows:
    """Return the windows of an index, as `as_places` reads it; without ``may_reverse``, negative steps are errors."""
    ellipses = index.count(Ellipsis)
    named = len(index) - ellipses - index.count(None)
    if named > len(shape):
        rule = f"name at most {counted(len(shape), 'axis')}, not {named}"
        raise AttributeValueError.also(IndexError).about("index", rule, index)
    if ellipses > 1:
        raise AttributeValueError.also(IndexError).about("index", "have at most one ellipsis", index)
    if not may_reverse and any([type(place) is tuple and place[2] < 0 for place in index]):
        raise AttributeValueError.about("index", "have no slice of a negative step", index)
    return _lower_places(shape, index, r.NUMPY_CLAMP, ("index", "have no slice of step 0", index), ("index", ""))


def _lower_places(
    shape: Ints, places: Sequence[Any], clamp: int, of_steps: tuple[str, str, Any], of_index: tuple[str, str]
) -> Windows:
    """Return the windows of positions: an ellipsis, integers, None for new axes, and tuples of start, stop and step.

    An ellipsis stands for the axes that no other position names. Starts and stops may be None. For errors, ``of_steps``
    has the name of the attribute with the steps, the rule that steps are not 0, and the attribute's value; ``of_index``
    has the name of the attribute with the integers, and the end of its rule.
    """
    bounds: list[Bounds] = []
    counts: list[int] = []
    left = len(shape) - sum([place is not None and place is not Ellipsis for place in places])
    for place in places:
        axis = len(bounds)
        if place is None:
            counts.append(1)
        elif place is Ellipsis:
            whole = shape[axis : axis + left]
            bounds += [(0, 1, each) for each in whole]
            counts += whole
        elif type(place) is tuple:
            extent, (start, stop, step) = shape[axis], place
            if step == 0:
                attribute, own_rule, written = of_steps
                raise AttributeValueError.about(attribute, own_rule, written, axis, extent)
            bounds.append(resolve_bounds(extent, start or 0, stop or 0, step, clamp, start is None, stop is None))
            counts.append(bounds[-1][2])
        else:
            extent, (attribute, where) = shape[axis], of_index
            if not -extent <= place < extent:
                own_rule = f"be in {-extent}..{extent - 1}" if extent else "not take an element of an empty axis"
                written = of_steps[2] if attribute == of_steps[0] else place
                raise OutOfBoundsError.about(attribute, own_rule + where, written, axis, extent)
            bounds.append((place % extent, 1, 1))
    rest = shape[len(bounds) :]
    return Windows(shape, [*bounds, *[(0, 1, each) for each in rest]], shape=[*counts, *rest])


def of_masks(reader: Any) -> dict[str, Any]:
    """Return the readers of the masks of a strided slice, by their names."""
    return dict.fromkeys(("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), reader)


def lower_strided_slices(
    shape: Ints,
    begin: Ints,
    end: Ints,
    strides: Ints | None,
    begin_mask: Ints,
    end_mask: Ints,
    new_axis_mask: Ints,
    shrink_axis_mask: Ints,
    ellipsis_mask: Ints,
    *,
    clamp: int = r.OPENVINO_CLAMP,
) -> Windows:
    """Return the windows of a strided slice."""
    n = len(begin)
    strides = (1,) * n if strides is None else strides
    for attribute, value in (("end", end), ("strides", strides)):
        if len(value) != n:
            raise AttributeValueError.about(attribute, f"have as many values as begin, {n}", value)
    if sum(ellipsis_mask) > 1:
        # The specification counts bits beyond begin too, although they have no other effect.
        raise AttributeValueError.about("ellipsis_mask", "have at most one bit set", ellipsis_mask)
    # Masks are padded with zeros, and bits beyond begin are ignored.
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    begin_bits, end_bits, new_axis, shrink, ellipsis = [(*mask[:n], *(0,) * (n - len(mask))) for mask in masks]
    rank, named, where = len(shape), n - sum(map(or_, ellipsis, new_axis)), " where shrink_axis_mask is set"
    if named > rank:
        rule = f"name at most {counted(rank, 'axis')}, not {named}, in data of rank {rank}"
        raise AttributeValueError.about("begin", rule, begin)
    places: list[Any] = []
    for i in range(n):
        # If several bits are set, the ellipsis has precedence over the new axis, and the new axis over shrink.
        if ellipsis[i] or new_axis[i]:
            places.append(Ellipsis if ellipsis[i] else None)
        elif shrink[i]:
            if strides[i] <= 0 and clamp == r.NUMPY_CLAMP:
                raise AttributeValueError.about("strides", f"be positive{where}", strides)
            places.append(begin[i])
        else:
            places.append((None if begin_bits[i] else begin[i], None if end_bits[i] else end[i], strides[i]))
    return _lower_places(shape, places, clamp, ("strides", "not be 0", strides), ("begin", where))


#: The most parts that an axis can be split into.
MOST_PARTS = r.MOST_PARTS
#: The reader of the lengths of parts, and the reader of either their number or their lengths.
as_lengths, as_parts = at_most(MOST_PARTS, as_indices), at_most(MOST_PARTS, as_index_or_indices)


def lower_splits(shape: Ints, axis: int, lengths: Ints) -> list[Windows]:
    """Return the windows of consecutive parts of an axis."""
    return lower_parts(shape, axis, zip(accumulate(lengths, initial=0), lengths, strict=False))


def lower_parts(shape: Ints, axis: int, parts: Iterable[tuple[int, int]]) -> list[Windows]:
    """Return the windows of parts of an axis, each by its start and its length."""
    whole = [(0, 1, extent) for extent in shape]
    before, after = whole[:axis], whole[axis + 1 :]
    return [Windows(shape, [*before, (start, 1, length), *after]) for start, length in parts]


def lower_lengths(shape: Ints, axis: int, parts: Ints, *, may_infer: bool = True) -> list[Windows]:
    """Return the windows of parts of given lengths; with ``may_infer``, one length of -1 is the rest of the axis."""
    at = resolve_axis_of(shape, "axis", axis)
    extent, unknown = shape[at], parts.count(-1)
    rest = extent - (sum(parts) + unknown)
    rule = ""
    if not parts:
        rule = "have at least one length"
    elif min(parts) < (-1 if may_infer else 0):
        rule = "be at least 0, or -1 once" if may_infer else "be at least 0"
    elif unknown > 1:
        rule = "have -1 at most once"
    elif rest < 0 or (rest > 0 and not unknown):
        rule = f"sum to {extent}, with at least 0 for -1" if unknown else f"sum to {extent}"
    if rule:
        raise AttributeValueError.about("parts", rule, tuple(parts), at, extent)
    return lower_splits(shape, at, [rest if length == -1 else length for length in parts])


def lower_equal_parts(shape: Ints, axis: int, parts: int, *, may_differ: bool = False) -> list[Windows]:
    """Return the windows of equal parts of an axis; with ``may_differ``, the first ones may have one element more."""
    at = resolve_axis_of(shape, "axis", axis)
    if parts < 1 or (shape[at] % parts and not may_differ):
        rule = "be at least 1" if parts < 1 else f"divide {shape[at]}"
        raise AttributeValueError.about("parts", rule, parts, at, shape[at])
    check_parts("parts", parts)
    return lower_parts(shape, at, [part_of(shape[at], parts, i) for i in range(parts)])


def check_parts(attribute: str, parts: int) -> None:
    """Raise for more parts than `MOST_PARTS`."""
    if parts > MOST_PARTS:
        raise AttributeValueError.about(attribute, f"give at most {MOST_PARTS} parts", parts)
