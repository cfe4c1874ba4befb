"""NumPy's basic indexing, as a copy."""

from __future__ import annotations

from types import EllipsisType
from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError, reading
from fastops._execution._prepared_call import Launch
from fastops._execution._rebased_calls import create_crop, crop_plan
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Indices, as_index
from fastops._plans._slice_plan import SlicePlan

OP = "numpy.take_slice"
_RULE = "be a basic index: integers, slices, an ellipsis and None, at most 4096 of them"
_MOST_PLACES = 1 << 12


@lowering(OP)
def plan_take_slice(shape: Indices, index: Any) -> SlicePlan:
    """Return the plan of `fastops.numpy.take_slice` on data of this shape.

    Examples
    --------
    >>> plan_take_slice((4, 5, 6), (0, ..., slice(None, None, -2))).shape
    (5, 3)
    """
    places = _places(index)
    named = sum([place is not None and place is not Ellipsis for place in places])
    if named > len(shape):
        raise AttributeValueError(OP, "index", f"name at most {len(shape)} axes, not {named}", index)
    if sum([place is Ellipsis for place in places]) > 1:
        raise AttributeValueError(OP, "index", "have at most one ellipsis", index)
    if not any([place is Ellipsis for place in places]):
        places = (*places, Ellipsis)
    bounds: list[Bounds] = []
    counts: list[int] = []
    for place in places:
        axis = len(bounds)
        if place is None:
            counts.append(1)
        elif place is Ellipsis:
            whole = shape[axis : axis + len(shape) - named]
            bounds += [(0, 1, extent) for extent in whole]
            counts += whole
        elif type(place) is slice:
            bounds.append(_slice_bounds(place, index, axis, shape[axis]))
            counts.append(bounds[-1][2])
        else:
            bounds.append(_index_bounds(place, index, axis, shape[axis]))
    return crop_plan(shape, bounds, counts)


def _places(index: Any) -> tuple[Any, ...]:
    """Return what an index says of each axis: integers, slices, an ellipsis and None."""
    places = index if type(index) is tuple else (index,)
    if len(places) > _MOST_PLACES:
        raise AttributeValueError(OP, "index", _RULE, index)
    for place in places:
        with reading(OP, "index", _RULE, index):
            kind = type(place)
            is_plain = place is None or kind is EllipsisType or kind is slice or kind is int
            if not is_plain and (getattr(place, "shape", ()) != () or not hasattr(place, "__index__")):
                raise DTypeError(OP, "index", _RULE, index)
    return places


def _index_bounds(place: Any, index: Any, axis: int, extent: int) -> Bounds:
    """Return the bounds that take one index of an axis."""
    number = as_index(OP, "index", place)
    if not -extent <= number < extent:
        rule = f"be in {-extent}..{extent - 1}" if extent else "not take an element of an empty axis"
        raise OutOfBoundsError(OP, "index", rule, index, axis, extent)
    return number % extent, 1, 1


def _slice_bounds(place: slice, index: Any, axis: int, extent: int) -> Bounds:
    """Return the bounds of a slice of an axis."""
    start, stop, step = [
        None if number is None else as_index(OP, "index", number) for number in (place.start, place.stop, place.step)
    ]
    if step == 0:
        raise AttributeValueError(OP, "index", "have no slice of step 0", index, axis, extent)
    return resolve_bounds(
        extent,
        start or 0,
        stop or 0,
        1 if step is None else step,
        ClampRule.NUMPY,
        begin_masked=start is None,
        end_masked=stop is None,
    )


def _flat(index: Any) -> list[tuple[Any, ...]]:
    """Return an index as a list of tuples, which can be looked up: three numbers a slice, two for an ellipsis."""
    places = index if type(index) is tuple else (index,)
    return [
        (place.start, place.stop, place.step)
        if type(place) is slice
        else (None, None)
        if place is Ellipsis
        else (place,)
        for place in places
    ]


def _create_launch(shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, flat: Any) -> Launch:
    """Return the launch of a call with an index in this form."""
    places = [slice(*place) if len(place) == 3 else Ellipsis if len(place) == 2 else place[0] for place in flat]
    plan = plan_take_slice(shape, tuple(places))
    bounds = [(axis.start, axis.stride, axis.count) for axis in plan.axes]
    return create_crop(shape, byte_strides, dtype, bounds, plan.shape)


_run = Operator(OP, plan_take_slice, _create_launch, data_name="x").run


def take_slice(x: ArrayLike, index: Any, *, out: AnyArray | None = None, copy: bool | None = True) -> Any:
    """Return ``x[index]`` for any basic index, as a copy.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object.
    index : int, slice, Ellipsis, None, or tuple of these
        As in NumPy's basic indexing: an integer takes one index and drops the axis, None adds an axis, an ellipsis
        stands for the axes that nothing else names.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap x.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of x's dtype, or a view of x. An index of integers alone gives an array
        of no axes, where NumPy gives a scalar.

    Raises
    ------
    AttributeValueError
        More indices than axes, two ellipses, or a step of 0.
    OutOfBoundsError
        An integer lies outside its axis.
    DTypeError
        Anything else, as lists, booleans and arrays, which are advanced indices; or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, basic indexing.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.take_slice(np.arange(12).reshape(3, 4), np.s_[1:, ::-2])
    array([[ 7,  5],
           [11,  9]])
    """
    try:
        return _run(x, (_flat(index),), out, copy)
    except FastopsError as error:
        if error.attribute == "index":
            error.got = index
        raise
