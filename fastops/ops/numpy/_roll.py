"""numpy.roll."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError, DTypeError
from fastops._geometry._numbers import MOST_INDICES, Index, Indices, OneOrMore, check_most, is_hidden
from fastops._lowering._arguments import as_one_or_more, optional
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_rolls
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


def _as_shifts(attribute: str, shift: Any) -> tuple[int, ...]:
    """Return shifts as integers; floats and booleans become such as NumPy makes them, by ``int``."""
    try:
        return as_one_or_more(attribute, shift)
    except DTypeError:
        listed = shift if isinstance(shift, list | tuple) else [shift]
        if not all([isinstance(each, _NUMBERS) and not is_hidden(each) for each in listed]):
            raise
        # NumPy makes one array of them: integers beside floats become floats, unless one is beyond 64 bits.
        numbers = np.asarray(shift)
        if numbers.ndim > 1 or numbers.dtype.kind not in "biufO":
            raise
    check_most(attribute, numbers.size, shift, MOST_INDICES)
    try:
        return tuple([int(number) for number in numbers.ravel()])
    except (ValueError, OverflowError) as error:
        raise AttributeValueError.also(type(error)).about(attribute, "hold finite numbers", shift) from None


_NUMBERS = (int, float, np.generic, np.ndarray)


@lowering("numpy.roll", Rule(r.ROLL, (r.SHIFT, r.AXES), r.BROADCAST), shift=_as_shifts, axis=optional(as_one_or_more))
def lower_roll(shape: Indices, shift: OneOrMore, axis: OneOrMore | None = None) -> Windows:
    """Return the plan of `fastops.numpy.roll` on data of this shape.

    Without an axis, it is a plan of the flattened data, which has one axis.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.numpy.roll((2, 4), 1, 1))
    (2, 4) -> (2, 4)
      axis 0: extent 2, start 0, stride 1, count 2, strict_bounds
      axis 1: extent 4, start 3, stride 1, count 4, wrap
    """
    if axis is None:
        return lower_rolls((prod(shape),), (sum(shift),), (0,))
    axes = resolve_axes("axis", axis, len(shape), may_repeat=True)
    # One of either holds for all of the other.
    if len(axes) != len(shift) and 1 not in (len(axes), len(shift)):
        raise AttributeValueError.about("shift", f"have as many values as axis, {len(axes)}, or one", shift)
    n = len(axes) * len(shift) // max(min(len(axes), len(shift)), 1)
    return lower_rolls(shape, shift * (n // max(len(shift), 1)), axes * (n // max(len(axes), 1)))


_OPERATOR = Operator(lower_roll, data_name="a")


@keeps_kind
def roll(
    a: Data,
    shift: Index | Indices,
    axis: Index | Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Move elements along axes, around their ends: numpy.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts. Without an axis,
    the elements move in the flattened array, whose shape is restored.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype but object.
    shift : int or list of int
        How far elements move. Floats are cut to integers, and booleans are 0 and 1, as in NumPy.
    axis : int or list of int, optional
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up. Where one of
        shift and axis has one value, it holds for all of the other.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap a.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing moves and ``out`` is not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of a.

    Raises
    ------
    AttributeValueError
        An axis that a does not have, lists of different lengths, or shifts that are infinite or no numbers.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.roll.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1)
    array([[5, 0, 1],
           [2, 3, 4]])
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1, axis=1)
    array([[2, 0, 1],
           [5, 3, 4]])
    """
    if axis is not None:
        return _OPERATOR.run_gather(a, (shift, axis), out, copy)
    return _OPERATOR.run_flat(a, (shift, None), out, copy)
