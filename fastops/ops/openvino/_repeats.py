"""OpenVINO Tile and Broadcast."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import Rule, one_of, optional
from fastops._lowering._bounds import check_length
from fastops._lowering._moves import lower_broadcasts, lower_mutual_broadcasts, lower_tiles
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("openvino.tile", Rule(r.TILE, (r.REPEATS,), r.FROM_0), repeats=as_indices)
def lower_tile(shape: Indices, repeats: Indices) -> Windows:
    """Return the plan of `fastops.openvino.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.tile((3,), [2, 2]).shape
    (2, 6)
    """
    return lower_tiles(shape, [max(n, 0) for n in repeats])


_TILE = Operator(lower_tile)


@keeps_kind
def tile(data: Data, repeats: Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Repeat an array along its axes: OpenVINO Tile-1.

    The shorter of data's shape and repeats gets ones in front; then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * repeats``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    repeats : list of int
        How often each axis is repeated; a negative number counts as 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where only axes of length 1 are repeated, and ``out`` is
        not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        ``copy=False`` where a copy is needed.
    DTypeError
        Repeats that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, Tile-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.tile(np.arange(3), [2, 2])
    array([[0, 1, 2, 0, 1, 2],
           [0, 1, 2, 0, 1, 2]])
    """
    return _TILE.run_gather(data, (repeats,), out, copy, None, chunks)


_TARGET = "target_shape"


#: OpenVINO's modes, in any case.
BroadcastMode: TypeAlias = Literal["numpy", "explicit", "bidirectional", "NUMPY", "EXPLICIT", "BIDIRECTIONAL"]


@lowering(
    "openvino.broadcast",
    target_shape=as_indices,
    axes_mapping=optional(as_indices),
    mode=one_of(("numpy", "explicit", "bidirectional"), in_any_case=True),
)
def lower_broadcast(
    shape: Indices, target_shape: Indices, axes_mapping: Indices | None = None, mode: BroadcastMode = "numpy"
) -> Windows:
    """Return the plan of `fastops.openvino.broadcast` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.broadcast((3,), (3, 2), [0], "explicit").shape
    (3, 2)
    """
    if mode == "explicit":
        return _broadcast_explicitly(shape, target_shape, axes_mapping)
    if axes_mapping is not None:
        raise AttributeValueError.about("axes_mapping", f"be given in mode explicit only, not in {mode}", axes_mapping)
    lower = lower_mutual_broadcasts if mode == "bidirectional" else lower_broadcasts
    return lower(_TARGET, shape, target_shape)


def _broadcast_explicitly(shape: Indices, target: Indices, mapping: Indices | None) -> Windows:
    """Return the windows in which axis i of data is axis ``mapping[i]`` of the target."""
    if mapping is None:
        raise AttributeValueError.about("axes_mapping", "be given in mode explicit", None)
    check_length("axes_mapping", mapping, len(shape), "axis of data")
    if any([not 0 <= axis < len(target) for axis in mapping]):
        rule = f"be axes of target_shape, in 0..{len(target) - 1}" if target else "be empty for an empty target_shape"
        raise AttributeValueError.about("axes_mapping", rule, mapping)
    if any([a >= b for a, b in pairwise(mapping)]):
        raise AttributeValueError.about("axes_mapping", "rise", mapping)
    extents = [1] * len(target)
    for axis, at in enumerate(mapping):
        if shape[axis] not in (1, target[at]):
            rule = f"be {shape[axis]} where axes_mapping puts axis {axis} of data"
            raise AttributeValueError.about(_TARGET, rule, target, axis, shape[axis])
        extents[at] = shape[axis]
    return lower_broadcasts(_TARGET, extents, target, shape)


_BROADCAST = Operator(lower_broadcast)


@keeps_kind
def broadcast(
    data: Data,
    target_shape: Indices,
    axes_mapping: Indices | None = None,
    mode: BroadcastMode = "numpy",
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _BROADCAST.run_gather(data, (target_shape, axes_mapping, mode), out, copy, None, chunks)
