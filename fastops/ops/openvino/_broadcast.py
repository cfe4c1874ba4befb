"""OpenVINO Broadcast-3."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._lowering._family import broadcast_axes, broadcast_both, check_length
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Indices, as_indices, as_word
from fastops._plans._slice_plan import SlicePlan

OP = "openvino.broadcast"
_TARGET = "target_shape"
_MODES = {name: name for name in ("numpy", "explicit", "bidirectional")}


@lowering(OP)
def plan_broadcast(
    shape: Indices, target_shape: Indices, axes_mapping: Indices | None = None, mode: str = "numpy"
) -> SlicePlan:
    """Return the plan of `fastops.openvino.broadcast` on data of this shape.

    Examples
    --------
    >>> plan_broadcast((3,), (3, 2), [0], "explicit").shape
    (3, 2)
    """
    target = as_indices(OP, _TARGET, target_shape)
    name = as_word(OP, "mode", mode, _MODES, in_any_case=True)
    if name == "explicit":
        return _broadcast_explicitly(shape, target, axes_mapping)
    if axes_mapping is not None:
        raise AttributeValueError(OP, "axes_mapping", f"be given in mode explicit only, not in {name}", axes_mapping)
    if name == "bidirectional":
        return broadcast_both(OP, _TARGET, shape, target)
    return broadcast_axes(OP, _TARGET, shape, target)


def _broadcast_explicitly(shape: Any, target: tuple[int, ...], axes_mapping: Indices | None) -> SlicePlan:
    """Return the plan in which axis i of data is axis ``axes_mapping[i]`` of the target."""
    if axes_mapping is None:
        raise AttributeValueError(OP, "axes_mapping", "be given in mode explicit", None)
    mapping = as_indices(OP, "axes_mapping", axes_mapping)
    check_length(OP, "axes_mapping", mapping, len(shape), "axis of data")
    if any([not 0 <= axis < len(target) for axis in mapping]):
        rule = f"be axes of target_shape, in 0..{len(target) - 1}" if target else "be empty for an empty target_shape"
        raise AttributeValueError(OP, "axes_mapping", rule, mapping)
    if any([a >= b for a, b in pairwise(mapping)]):
        raise AttributeValueError(OP, "axes_mapping", "rise", mapping)
    extents = [1] * len(target)
    for axis, at in enumerate(mapping):
        if shape[axis] not in (1, target[at]):
            rule = f"be {shape[axis]} where axes_mapping puts axis {axis} of data"
            raise AttributeValueError(OP, _TARGET, rule, target, axis, shape[axis])
        extents[at] = shape[axis]
    return broadcast_axes(OP, _TARGET, extents, target, shape)


_run = Operator(OP, plan_broadcast).run


def broadcast(
    data: ArrayLike,
    target_shape: Indices,
    axes_mapping: Indices | None = None,
    mode: str = "numpy",
    *,
    out: AnyArray | None = None,
    copy: bool | None = True,
) -> Any:
    """Repeat axes of length 1 until data has a target shape: OpenVINO Broadcast-3.

    Output y of an axis reads index 0 where data has 1, else index y.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    target_shape : list of int
        The shape of the result; in mode bidirectional, axes of 1 are repeated too, to data's.
    axes_mapping : list of int, optional
        In mode explicit only, and there it must be given: the axis of the result that each axis of data is, rising.
    mode : str
        "numpy": data's shape gets ones in front, and then has 1 or the target's length along each axis. "explicit": its
        axes go where axes_mapping says. "bidirectional": data and target are broadcast to each other.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a read-only view. None: that, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Shapes that do not go together, an axes_mapping that does not rise, or is given in another mode, or an unknown
        mode.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 3, Broadcast-3.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.broadcast(np.arange(2), [2, 3], [0], "explicit")
    array([[0, 0, 0],
           [1, 1, 1]])
    """
    return _run(data, (target_shape, axes_mapping, mode), out, copy)
