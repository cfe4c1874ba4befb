"""NumPy's basic indexing, as a copy."""

from __future__ import annotations

from types import EllipsisType
from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError
from fastops._lowering._arguments import transparent
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._lowering._decorator import lowering
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._plans._numbers import Indices, as_index

_RULE = "be a basic index: integers, slices, an ellipsis and None, at most 4096 of them"
_MOST_PLACES = 1 << 12


@transparent
def _as_places(attribute: str, index: Any) -> tuple[Any, ...]:
    """Return what an index says of each axis: integers, slices of integers or None, an ellipsis and None."""
    places = index if type(index) is tuple else (index,)
    if len(places) > _MOST_PLACES:
        raise AttributeValueError.about(attribute, _RULE, index)
    try:
        return tuple([_as_place(attribute, place) for place in places])
    except FastopsError as error:
        if not error.op:
            error.got = index
        raise


def _as_place(attribute: str, place: Any) -> Any:
    kind = type(place)
    if place is None or kind is EllipsisType or kind is int:
        return place
    if kind is slice:
        bounds = (place.start, place.stop, place.step)
        return slice(*[None if bound is None else as_index(attribute, bound) for bound in bounds])
    if getattr(place, "shape", ()) != () or not hasattr(type(place), "__index__"):
        raise DTypeError.about(attribute, _RULE, place)
    return as_index(attribute, place)


@lowering("numpy.take_slice", index=_as_places)
def lower_take_slice(shape: Indices, index: Any) -> Windows:
    """Return the plan of `fastops.numpy.take_slice` on data of this shape.

    Examples
    --------
    >>> lower_take_slice((4, 5, 6), (0, ..., slice(None, None, -2))).shape
    (5, 3)
    """
    named = sum([place is not None and place is not Ellipsis for place in index])
    if named > len(shape):
        raise AttributeValueError.about("index", f"name at most {len(shape)} axes, not {named}", index)
    ellipses = sum([place is Ellipsis for place in index])
    if ellipses > 1:
        raise AttributeValueError.about("index", "have at most one ellipsis", index)
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
        elif type(place) is slice:
            bounds.append(_slice_bounds(place, index, axis, shape[axis]))
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


def _slice_bounds(place: slice, index: Any, axis: int, extent: int) -> Bounds:
    """Return the bounds of a slice of an axis."""
    start, stop, step = place.start, place.stop, place.step
    if step == 0:
        raise AttributeValueError.about("index", "have no slice of step 0", index, axis, extent)
    return resolve_bounds(
        extent,
        start or 0,
        stop or 0,
        1 if step is None else step,
        ClampRule.NUMPY,
        begin_masked=start is None,
        end_masked=stop is None,
    )


_OPERATOR = Operator(lower_take_slice, data_name="x")


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
    if type(index) is list:
        # Not a tuple of indices, for which a call would be looked up.
        raise DTypeError(_OPERATOR.name, "index", _RULE, index)
    return _OPERATOR.run_gather(x, (index,), out, copy)
