"""tf.roll, tf.reverse, tf.transpose, tf.tile and tf.pad."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, TypeAlias, Unpack

from fastops._lowering._arguments import Rule, as_nested, constant_fill, modes_of
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import lower_flips, lower_pads, lower_rolls, lower_tiles, split_pairs
from fastops._types import AnyArray, Data, Options
from fastops.ops import AttributeValueError, Indices, OneOrMore, Operator, Windows, r

__all__ = ["pad", "reverse", "roll", "tile", "transpose"]


@Operator(partial(lower_rolls, least_rank=1), Rule(r.ROLL, (r.SHIFT, r.AXES)))
def roll(input: Data, shift: OneOrMore, axis: OneOrMore, **rest: Unpack[Options]) -> AnyArray:
    """Move elements along axes; elements that leave an axis at one end enter it at the other end: tf.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of the shifts of the axis.

    Parameters
    ----------
    input : array_like
        Rank 1 or more, any dtype but object.
    shift : int or list of int
        The number of places by which elements move, one number for each axis.
    axis : int or list of int
        The axes of the shifts; negative axes count from the end. The shifts of an axis that is named twice add up.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or lists of different lengths.

    Examples
    --------
    >>> tensorflow.roll(np.arange(5), 2, 0)
    array([3, 4, 0, 1, 2])
    """


@Operator(lower_flips, Rule(r.FLIP, (r.AXES,)))
def reverse(tensor: Data, axis: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Reverse the order of elements along axes: tf.reverse.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    axis : list of int
        The axes to reverse; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        An axis that the tensor does not have or that is named twice.

    Examples
    --------
    >>> tensorflow.reverse(np.arange(6).reshape(2, 3), [1])
    array([[2, 1, 0],
           [5, 4, 3]])
    """


@Operator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))
def transpose(a: Data, perm: Indices | None = None, **rest: Unpack[Options]) -> AnyArray:
    """Put axes in another order: tf.transpose.

    Axis k of the result is axis ``perm[k]`` of ``a``.

    Parameters
    ----------
    perm : list of int, optional
        Each axis of ``a`` once; negative axes count from the end. The axes in reverse order by default.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of ``a`` once.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.transpose, without conjugate and name.

    Examples
    --------
    >>> tensorflow.transpose(np.arange(6).reshape(2, 3), [1, 0])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """


@Operator(partial(lower_tiles, one_per_axis=True), Rule(r.TILE, (r.REPEATS,), r.ONE_EACH))
def tile(input: Data, multiples: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Repeat an array along its axes: tf.tile.

    Output y of an axis of length d reads index ``y mod d`` for ``0 <= y < d * multiples``.

    Parameters
    ----------
    multiples : list of int
        How often each axis is repeated, >= 0: one number for each axis.

    Raises
    ------
    AttributeValueError
        A list that does not have one number for each axis, or a negative number.

    Examples
    --------
    >>> tensorflow.tile(np.arange(3), [2])
    array([0, 1, 2, 0, 1, 2])
    """


#: TensorFlow's modes, in upper and lower case.
PadMode: TypeAlias = Literal["CONSTANT", "REFLECT", "SYMMETRIC", "constant", "reflect", "symmetric"]


def _lower_pad(shape: Any, paddings: Any, mode: PadMode) -> Windows:
    pads = split_pairs("paddings", paddings, len(shape))
    pads.check()
    if mode == "reflect" and 0 in shape:
        # Pads must be shorter than the axis, and no pad is shorter than 0.
        raise AttributeValueError.about("data", "have no empty axis in mode reflect", tuple(shape))
    return lower_pads(shape, pads, mode, one_fold=True)


@Operator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.MODE), r.BY_PAIRS, r.ONE_FOLD, constants=modes_of(PadMode)),
    read_fill=constant_fill,
    paddings=as_nested,
)
def pad(
    tensor: Data, paddings: Any, mode: PadMode = "CONSTANT", constant_values: Any = 0, **rest: Unpack[Options]
) -> AnyArray:
    """Pad each axis on its two sides: tf.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1``, mode says what is read: CONSTANT reads the value, REFLECT a mirrored index without repeating the
    edge element, and SYMMETRIC a mirrored index that repeats the edge element.

    Parameters
    ----------
    paddings : list of pairs of int, or array of shape [rank, 2]
        The pads before and after each axis, >= 0.
    mode : str
        "CONSTANT", "REFLECT" or "SYMMETRIC", in upper or lower case.
    constant_values : scalar
        The value to pad with in mode CONSTANT, which the dtype of the tensor must be able to express. Other modes
        ignore it.

    Raises
    ------
    AttributeValueError
        Paddings that do not have one pair for each axis, a negative pad, an unknown mode, a pad longer than ``d - 1``
        or an empty axis in mode REFLECT, a pad longer than d in mode SYMMETRIC, or a value that does not fit.
    DTypeError
        Paddings that are not integers, a value of another kind, or data of dtype object.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.pad, without the argument name. In `fastops.slice`, mirrored pads may be longer
    than the axis.

    Examples
    --------
    >>> tensorflow.pad(np.arange(1, 4), [[2, 1]], "SYMMETRIC")
    array([2, 1, 1, 2, 3, 3])
    """
