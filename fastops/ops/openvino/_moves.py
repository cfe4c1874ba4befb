"""OpenVINO Roll, Reverse and Transpose."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from fastops._errors import AttributeValueError, DTypeError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices
from fastops._lowering._arguments import Rule, as_bits, as_index_or_indices, as_one_or_more, of_index_type, one_of
from fastops._lowering._bounds import check_length, resolve_axes
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import lower_reversals, lower_rolls
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
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


_ROLL = Operator(lower_roll)


@keeps_kind
def roll(
    data: Data,
    shift: Index | Indices,
    axes: Index | Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _ROLL.run_gather(data, (shift, axes), out, copy, None, chunks)


def _as_axes_or_mask(attribute: str, value: Indices) -> tuple[Any, ...]:
    """Return integers, or booleans as a list of bits in a list: which of them are right depends on the mode."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind == "b" or (isinstance(value, list | tuple) and any([isinstance(each, bool | np.bool_) for each in value])):
        return (as_bits(attribute, value),)
    return as_indices(attribute, value)


#: OpenVINO's modes, in any case.
ReverseMode: TypeAlias = Literal["index", "mask", "INDEX", "MASK"]


@lowering(
    "openvino.reverse",
    Rule(r.FLIP, (r.AXES, r.MODE), r.MAY_REPEAT, constants={"index": 0}),
    axis=_as_axes_or_mask,
    mode=one_of(("index", "mask"), in_any_case=True),
)
def lower_reverse(shape: Indices, axis: Any, mode: ReverseMode) -> Windows:
    """Return the plan of `fastops.openvino.reverse` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.openvino.reverse((4,), [0], "index"))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    is_boolean_list = len(axis) == 1 and type(axis[0]) is tuple
    if mode == "mask":
        axis = axis[0] if is_boolean_list else axis
        if any([bit not in (0, 1) for bit in axis]):
            raise AttributeValueError.about("axis", "be a list of zeros and ones", axis)
        check_length("axis", axis, len(shape), "axis of data")
        return lower_reversals(shape, [k for k, bit in enumerate(axis) if bit])
    if is_boolean_list:
        raise DTypeError.about("axis", "hold integers only", axis)
    return lower_reversals(shape, resolve_axes("axis", axis, len(shape), may_repeat=True))


_REVERSE = Operator(lower_reverse)


@keeps_kind
def reverse(
    data: Data, axis: Indices, mode: ReverseMode, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Read axes backwards: OpenVINO Reverse-1.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    axis : list of int, or of bool
        In mode index the axes, negative ones from the end; an axis that is named twice is reversed once. In mode mask
        one boolean, 0 or 1 per axis.
    mode : str
        "index" or "mask".
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, a mask that does not have one value per axis, or an unknown mode.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, Reverse-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.reverse(np.arange(6).reshape(2, 3), [False, True], "mask")
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return _REVERSE.run_gather(data, (axis, mode), out, copy, None, chunks)


@lowering("openvino.transpose", Rule(r.TRANSPOSE, (r.ORDER,), 0, r.EMPTY_REVERSES), input_order=as_indices)
def lower_transpose(shape: Indices, input_order: Indices) -> Windows:
    """Return the plan of `fastops.openvino.transpose` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.transpose((4, 5, 3), [2, 0, 1]).shape
    (3, 4, 5)
    """
    return lower_transposition("input_order", shape, input_order or None, from_end=False)


_TRANSPOSE = Operator(lower_transpose)


@keeps_kind
def transpose(
    data: Data,
    input_order: Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Put axes in another order: OpenVINO Transpose-1.

    Axis k of the result is axis ``input_order[k]`` of data.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    input_order : list of int
        Each axis of data once, >= 0; an empty list puts the axes in reverse.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        The axes are not those of data, each once.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, Transpose-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.transpose(np.arange(6).reshape(2, 3), [])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _TRANSPOSE.run_gather(data, (input_order,), out, copy, None, chunks)
