"""OpenVINO Roll-7."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import as_index_or_indices, as_one_or_more, of_index_type
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_rolls
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering(
    "openvino.roll",
    Rule(r.ROLL, (r.SHIFT, r.AXES), r.ONE_SHIFT),
    shift=of_index_type(as_index_or_indices),
    axes=of_index_type(as_one_or_more),
)
def lower_roll(shape: Indices, shift: OneOrMore, axes: OneOrMore) -> Windows:
    """Return the plan of `fastops.openvino.roll` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.openvino.roll((4,), 1, 0))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride 1, count 4, wrap
    """
    shifts = (shift,) * len(axes) if isinstance(shift, int) else shift
    if len(shifts) != len(axes):
        raise AttributeValueError.about("shift", f"be a scalar, or have as many values as axes, {len(axes)}", shifts)
    return lower_rolls(shape, shifts, resolve_axes("axes", axes, len(shape), may_repeat=True))


_OPERATOR = Operator(lower_roll)


@keeps_kind
def roll(
    data: Data,
    shift: Index | Indices,
    axes: Index | Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
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
        An axis that data does not have, or lists of different lengths.
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
    return _OPERATOR.run_gather(data, (shift, axes), out, copy)
