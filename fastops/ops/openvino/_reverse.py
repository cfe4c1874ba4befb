"""OpenVINO Reverse-1."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._lowering._family import check_length, resolve_axes, reverse_axes
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Indices, as_bits, as_indices, as_word
from fastops._plans._slice_plan import SlicePlan

OP = "openvino.reverse"

# Whether axis is a mask.
_MODES = {"index": False, "mask": True}


@lowering(OP)
def plan_reverse(shape: Indices, axis: Indices, mode: str) -> SlicePlan:
    """Return the plan of `fastops.openvino.reverse` on data of this shape.

    Examples
    --------
    >>> print(plan_reverse((4,), [0], "index"))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    if as_word(OP, "mode", mode, _MODES, in_any_case=True):
        bits = as_bits(OP, "axis", axis)
        check_length(OP, "axis", bits, len(shape), "axis of data")
        return reverse_axes(shape, [k for k, bit in enumerate(bits) if bit])
    return reverse_axes(shape, resolve_axes(OP, "axis", as_indices(OP, "axis", axis), len(shape), may_repeat=True))


_run = Operator(OP, plan_reverse).run


def reverse(data: ArrayLike, axis: Indices, mode: str, *, out: AnyArray | None = None, copy: bool | None = True) -> Any:
    """Read axes backwards: OpenVINO Reverse-1.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    axis : list of int, or of bool
        In mode index the axes, negative ones from the end; an axis that is named twice is reversed once. In mode mask
        one boolean, 0 or 1 an axis.
    mode : str
        "index" or "mask".
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        An axis that data has not, a mask that does not have one value an axis, or an unknown mode.
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
    return _run(data, (axis, mode), out, copy)
