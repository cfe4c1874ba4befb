"""OpenVINO Roll, Reverse, Transpose, Tile and Broadcast."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from fastops._lowering._arguments import Rule, as_bits, as_index_or_indices, as_one_or_more, of_index_type
from fastops._lowering._bounds import check_length, resolve_axes
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import lower_broadcasts, lower_flips, lower_mutual_broadcasts, lower_rolls, lower_tiles
from fastops._types import AnyArray, Data, Options
from fastops.ops import AttributeValueError, DTypeError, Indices, OneOrMore, Operator, Windows, as_indices, r

__all__ = ["broadcast", "reverse", "roll", "tile", "transpose"]


@Operator(
    lower_rolls,
    Rule(r.ROLL, (r.SHIFT, r.AXES), r.ONE_SHIFT),
    shift=of_index_type(as_index_or_indices),
    axes=of_index_type(as_one_or_more),
)
def roll(data: Data, shift: OneOrMore, axes: OneOrMore, **rest: Unpack[Options]) -> AnyArray:
    """Move elements along axes; elements that leave an axis at one end enter it at the other end: OpenVINO Roll-7.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of the shifts of the axis.

    Parameters
    ----------
    shift : int or list of int
        The number of places by which elements move: one number for all axes, or one for each axis.
    axes : int or list of int
        The axes of the shifts; negative axes count from the end. The shifts of an axis that is named twice add up.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, or lists of different lengths.
    DTypeError
        Shifts or axes that are not integers, or arrays of types other than int32 and int64; or data of dtype object.

    Notes
    -----
    Specification: OpenVINO opset 7, Roll-7.

    Examples
    --------
    >>> openvino.roll(np.arange(5), 2, 0)
    array([3, 4, 0, 1, 2])
    """


def _as_axes_or_mask(attribute: str, value: Indices) -> tuple[Any, ...]:
    """Return integers as a tuple, and booleans as a tuple in a tuple; the mode decides which of them are right."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind == "b" or (isinstance(value, list | tuple) and any([isinstance(each, bool | np.bool_) for each in value])):
        return (as_bits(attribute, value),)
    return as_indices(attribute, value)


#: OpenVINO's modes, in lower and upper case.
ReverseMode: TypeAlias = Literal["index", "mask", "INDEX", "MASK"]


def _lower_reverse(shape: Indices, axis: Any, mode: ReverseMode) -> Windows:
    is_boolean_list = len(axis) == 1 and type(axis[0]) is tuple
    if mode == "mask":
        axis = axis[0] if is_boolean_list else axis
        if any([bit not in (0, 1) for bit in axis]):
            raise AttributeValueError.about("axis", "be a list of zeros and ones", axis)
        check_length("axis", axis, len(shape), "axis of data")
        return lower_flips(shape, [k for k, bit in enumerate(axis) if bit])
    if is_boolean_list:
        raise DTypeError.about("axis", "hold integers only", axis)
    return lower_flips(shape, list(set(resolve_axes("axis", axis, len(shape), may_repeat=True))))


@Operator(_lower_reverse, Rule(r.FLIP, (r.AXES, r.MODE), r.MAY_REPEAT, constants={"index": 0}), axis=_as_axes_or_mask)
def reverse(data: Data, axis: Indices, mode: ReverseMode, **rest: Unpack[Options]) -> AnyArray:
    """Reverse the order of elements along axes: OpenVINO Reverse-1.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    axis : list of int, or of bool
        In mode index, the axes to reverse; negative axes count from the end, and naming an axis twice has no further
        effect. In mode mask, a boolean, 0 or 1 for each axis.
    mode : str
        "index" or "mask", in upper or lower case.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, a mask that does not have one value for each axis, or an unknown mode.

    Notes
    -----
    Specification: OpenVINO opset 1, Reverse-1.

    Examples
    --------
    >>> openvino.reverse(np.arange(6).reshape(2, 3), [False, True], "mask")
    array([[2, 1, 0],
           [5, 4, 3]])
    """


def _lower_transpose(shape: Indices, axes: Indices) -> Windows:
    return lower_transposition(shape, axes or None, from_end=False)


@Operator(_lower_transpose, Rule(r.TRANSPOSE, (r.ORDER,), 0, r.EMPTY_REVERSES))
def transpose(data: Data, input_order: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Put axes in another order: OpenVINO Transpose-1.

    Axis k of the result is axis ``input_order[k]`` of data.

    Parameters
    ----------
    input_order : list of int
        Each axis of data once; negative axes are an error. An empty list puts the axes in reverse order.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of data once.

    Notes
    -----
    Specification: OpenVINO opset 1, Transpose-1.

    Examples
    --------
    >>> openvino.transpose(np.arange(6).reshape(2, 3), [])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """


def _lower_tile(shape: Indices, repeats: Indices) -> Windows:
    return lower_tiles(shape, [max(n, 0) for n in repeats])


@Operator(_lower_tile, Rule(r.TILE, (r.REPEATS,), r.FROM_0))
def tile(data: Data, repeats: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Repeat an array along its axes: OpenVINO Tile-1.

    The shorter of the shape of data and repeats gets ones in front. Then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * repeats``.

    Parameters
    ----------
    repeats : list of int
        How often each axis is repeated. A negative number means 0.

    Raises
    ------
    AttributeValueError
        ``copy=False`` where a copy is needed.

    Notes
    -----
    Specification: OpenVINO opset 1, Tile-1.

    Examples
    --------
    >>> openvino.tile(np.arange(3), [2, 2])
    array([[0, 1, 2, 0, 1, 2],
           [0, 1, 2, 0, 1, 2]])
    """


#: OpenVINO's modes, in lower and upper case.
BroadcastMode: TypeAlias = Literal["numpy", "explicit", "bidirectional", "NUMPY", "EXPLICIT", "BIDIRECTIONAL"]


def _lower_broadcast(shape: Indices, target: Indices, axes_mapping: Indices | None, mode: BroadcastMode) -> Windows:
    if mode == "explicit":
        return _broadcast_explicitly(shape, target, axes_mapping)
    if axes_mapping is not None:
        raise AttributeValueError.about("axes_mapping", f"be given in mode explicit only, not in {mode}", axes_mapping)
    return lower_mutual_broadcasts(shape, target) if mode == "bidirectional" else lower_broadcasts(shape, target)


def _broadcast_explicitly(shape: Indices, target: Indices, mapping: Indices | None) -> Windows:
    """Return the windows that put axis i of data at axis ``mapping[i]`` of the target."""
    if mapping is None:
        raise AttributeValueError.about("axes_mapping", "be given in mode explicit", None)
    check_length("axes_mapping", mapping, len(shape), "axis of data")
    if any([not 0 <= axis < len(target) for axis in mapping]):
        rule = f"be axes of target_shape, in 0..{len(target) - 1}" if target else "be empty for an empty target_shape"
        raise AttributeValueError.about("axes_mapping", rule, mapping)
    if any([a >= b for a, b in pairwise(mapping)]):
        raise AttributeValueError.about("axes_mapping", "be ascending", mapping)
    extents = [1] * len(target)
    for axis, at in enumerate(mapping):
        if shape[axis] not in (1, target[at]):
            rule = f"be {shape[axis]} where axes_mapping puts axis {axis} of data"
            raise AttributeValueError.about("target", rule, target, axis, shape[axis])
        extents[at] = shape[axis]
    return lower_broadcasts(extents, target, source_shape=shape)


@Operator(_lower_broadcast)
def broadcast(
    data: Data,
    target_shape: Indices,
    axes_mapping: Indices | None = None,
    mode: BroadcastMode = "numpy",
    **rest: Unpack[Options],
) -> AnyArray:
    """Broadcast data to a target shape: OpenVINO Broadcast-3.

    Output y of an axis reads index 0 if data has length 1 there, and index y otherwise.

    Parameters
    ----------
    target_shape : list of int
        The shape to broadcast to. In mode bidirectional, an axis where the target shape has 1 keeps the length of data.
    axes_mapping : list of int, optional
        In mode explicit only, where it must be given: for each axis of data, the axis of the result that it becomes, in
        ascending order.
    mode : str
        How the axes of data are assigned to those of the target, as a word in upper or lower case. "numpy": the shape
        of data gets ones in front. "explicit": by axes_mapping. "bidirectional": the shorter of the two shapes gets
        ones in front, and both are broadcast.
    copy : bool or None
        True: a copy. False: a read-only view. None: a read-only view, unless ``out`` is given.

    Raises
    ------
    AttributeValueError
        Shapes that cannot be broadcast, an axes_mapping that is not ascending or is given in another mode than
        explicit, or an unknown mode.

    Notes
    -----
    Specification: OpenVINO opset 3, Broadcast-3.

    Examples
    --------
    >>> openvino.broadcast(np.arange(2), [2, 3], [0], "explicit")
    array([[0, 0, 0],
           [1, 1, 1]])
    """
