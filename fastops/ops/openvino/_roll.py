"""OpenVINO Roll-7."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._lowering._family import resolve_axes, roll_axes
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Index, Indices, as_index_or_indices, as_one_or_more, check_index_type
from fastops._plans._slice_plan import SlicePlan

OP = "openvino.roll"


@lowering(OP)
def plan_roll(shape: Indices, shift: Index | Indices, axes: Index | Indices) -> SlicePlan:
    """Return the plan of `fastops.openvino.roll` on data of this shape.

    Examples
    --------
    >>> print(plan_roll((4,), 1, 0))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride 1, count 4, wrap
    """
    check_index_type(OP, "shift", shift)
    check_index_type(OP, "axes", axes)
    shifts, named = as_index_or_indices(OP, "shift", shift), as_one_or_more(OP, "axes", axes)
    shifts = (shifts,) * len(named) if isinstance(shifts, int) else shifts
    if len(shifts) != len(named):
        raise AttributeValueError(OP, "shift", f"be a scalar, or have as many values as axes, {len(named)}", shifts)
    return roll_axes(shape, shifts, resolve_axes(OP, "axes", named, len(shape), may_repeat=True))


_run = Operator(OP, plan_roll).run


def roll(
    data: ArrayLike,
    shift: Index | Indices,
    axes: Index | Indices,
    *,
    out: AnyArray | None = None,
    copy: bool | None = True,
) -> Any:
    """Move elements along axes, around their ends: OpenVINO Roll-7.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    shift : int or list of int
        How far elements move; a scalar holds for all axes.
    axes : int or list of int
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing moves and ``out`` is not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        An axis that data has not, or lists of different lengths.
    DTypeError
        Numbers that are no integers, arrays of another type than int32 and int64, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 7, Roll-7.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.roll(np.arange(5), 2, 0)
    array([3, 4, 0, 1, 2])
    """
    return _run(data, (shift, axes), out, copy)
