"""Basic indexing: what an index of integers, slices, an ellipsis and None takes of an array or a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastops._errors import AttributeValueError, DTypeError, OutOfBoundsError, counted
from fastops._geometry._numbers import as_index, find_integer
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._lowering._windows import Windows

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
