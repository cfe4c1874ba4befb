"""OpenVINO ShuffleChannels-1."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._axes import resolve_axis_of
from fastops._lowering._decorator import lowering
from fastops._lowering._depths import check_size
from fastops._lowering._layouts import lower_layout, split_of
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind


@lowering("openvino.shuffle_channels", axis=as_scalar, group=as_scalar)
def lower_shuffle_channels(shape: Indices, axis: Index = 1, group: Index = 1) -> Windows:
    """Return the plan of `fastops.openvino.shuffle_channels` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.shuffle_channels((1, 6, 2), group=3).order
    (0, 2, 1, 3)
    """
    at = resolve_axis_of(shape, "axis", axis)
    check_size("group", group)
    splits = [[extent] for extent in shape]
    splits[at] = [group, split_of("group", shape, at, group, group)]
    merges = [[k] if k < at else [k + 1] for k in range(len(shape))]
    merges[at] = [at + 1, at]
    return lower_layout(shape, splits, merges)


_OPERATOR = Operator(lower_shuffle_channels)


@keeps_kind
def shuffle_channels(
    data: Data,
    axis: Index = 1,
    group: Index = 1,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Take the channels of groups in turn: OpenVINO ShuffleChannels-1.

    Along an axis of length C, output ``k * group + g`` reads index ``g * C / group + k``, for ``0 <= g < group``.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object.
    axis : int
        The axis of the channels; negative axes count from the end.
    group : int
        How many groups there are, >= 1; it divides the axis.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, or a group below 1 or one that does not divide the axis.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, ShuffleChannels-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.shuffle_channels(np.arange(6).reshape(1, 6), group=2)
    array([[0, 3, 1, 4, 2, 5]])
    """
    return _OPERATOR.run_gather(data, (axis, group), out, copy)
