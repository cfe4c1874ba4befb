"""tf.roll, tf.reverse, tf.transpose, tf.tile and tf.pad."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, OneOrMore
from fastops._lowering._arguments import Rule, as_nested, modes_of, one_of
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import check_one_fold, lower_flips, lower_pads, lower_rolls, lower_tiles, split_pairs
from fastops._lowering._windows import Windows
from fastops._types import AnyArray, Copy, Data, Out
from fastops.kernels._tables import _rules as r

__all__ = ["pad", "reverse", "roll", "tile", "transpose"]


def _lower_roll(shape: Indices, shift: OneOrMore, axes: OneOrMore) -> Windows:
    if not shape:
        raise AttributeValueError.about("data", "have at least one axis", shape)
    if len(shift) != len(axes):
        raise AttributeValueError.about("shift", f"have as many values as axis, {len(axes)}", shift)
    return lower_rolls(shape, shift, axes)


_ROLL = Operator(_lower_roll, Rule(r.ROLL, (r.SHIFT, r.AXES)))


@_ROLL
def roll(
    input: Data, shift: OneOrMore, axis: OneOrMore, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Move elements along axes, around their ends: tf.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts.

    Parameters
    ----------
    input : array_like
        Rank 1 or more, any dtype but object.
    shift : int or list of int
        How far elements move, as many as axes.
    axis : int or list of int
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or lists of different lengths.

    Examples
    --------
    >>> tensorflow.roll(np.arange(5), 2, 0)
    array([3, 4, 0, 1, 2])
    """
    return _ROLL.run_gather(input, (shift, axis), out, copy, None, chunks)


_REVERSE = Operator(lower_flips, Rule(r.FLIP, (r.AXES,)))


@_REVERSE
def reverse(tensor: Data, axis: Indices, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Read axes backwards: tf.reverse.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    axis : list of int
        The axes, each once, negative ones from the end.

    Raises
    ------
    AttributeValueError
        An axis that the tensor does not have, or one that is named twice.

    Examples
    --------
    >>> tensorflow.reverse(np.arange(6).reshape(2, 3), [1])
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return _REVERSE.run_gather(tensor, (axis,), out, copy, None, chunks)


_TRANSPOSE = Operator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))


@_TRANSPOSE
def transpose(
    a: Data, perm: Indices | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: tf.transpose.

    Axis k of the result is axis ``perm[k]`` of ``a``.

    Parameters
    ----------
    perm : list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.

    Raises
    ------
    AttributeValueError
        The axes are not those of ``a``, each once.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.transpose, without conjugate and name: no element is changed.

    Examples
    --------
    >>> tensorflow.transpose(np.arange(6).reshape(2, 3), [1, 0])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _TRANSPOSE.run_gather(a, (perm,), out, copy, None, chunks)


_TILE = Operator(partial(lower_tiles, one_each=True), Rule(r.TILE, (r.REPEATS,), r.ONE_EACH))


@_TILE
def tile(input: Data, multiples: Indices, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Repeat an array along its axes: tf.tile.

    Output y of an axis of length d reads index ``y mod d`` for ``0 <= y < d * multiples``.

    Parameters
    ----------
    multiples : list of int
        How often each axis is repeated, >= 0, one value per axis.

    Raises
    ------
    AttributeValueError
        Multiples that are not one per axis, or negative.

    Examples
    --------
    >>> tensorflow.tile(np.arange(3), [2])
    array([0, 1, 2, 0, 1, 2])
    """
    return _TILE.run_gather(input, (multiples,), out, copy, None, chunks)


#: TensorFlow's modes, in any case.
PadMode: TypeAlias = Literal["CONSTANT", "REFLECT", "SYMMETRIC", "constant", "reflect", "symmetric"]

_MODES = modes_of(PadMode)


def _lower_pad(shape: Any, paddings: Any, mode: PadMode) -> Windows:
    pads = split_pairs("paddings", paddings, len(shape))
    pads.check()
    if mode == "reflect" and 0 in shape:
        # A pad is less than the axis is long, and no pad is.
        raise AttributeValueError.about("data", "have no empty axis in mode reflect", tuple(shape))
    check_one_fold(shape, pads, _MODES[mode], mode)
    return lower_pads(shape, pads, _MODES[mode], mode)


_PAD = Operator(
    _lower_pad,
    Rule(
        r.PADS,
        (r.BEFORE, r.MODE),
        r.BY_PAIRS,
        r.ONE_FOLD,
        constants=_MODES,
    ),
    fill_name="constant_values",
    paddings=as_nested,
    mode=one_of(PadMode, in_any_case=True),
)


@_PAD
def pad(
    tensor: Data,
    paddings: Any,
    mode: PadMode = "CONSTANT",
    constant_values: Any = 0,
    *,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Pad each axis on its two sides: tf.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: CONSTANT the value, REFLECT the mirrored index without the edge,
    SYMMETRIC the mirrored index with it.

    Parameters
    ----------
    paddings : list of pairs of int, or array of shape [rank, 2]
        The pads before and behind each axis, >= 0.
    mode : str
        "CONSTANT", "REFLECT" or "SYMMETRIC", in any case.
    constant_values : scalar
        What mode CONSTANT pads with: what converts to the tensor's type and keeps its meaning. Other modes have no use
        for it.

    Raises
    ------
    AttributeValueError
        Paddings that are not one pair per axis, or negative, an unknown mode, a REFLECT pad beyond ``d - 1``,
        which leaves out empty axes, a SYMMETRIC pad beyond d, or a value that does not fit.
    DTypeError
        Paddings that are no integers, a value of another kind, or data of dtype object.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.pad, without name. `fastops.slice` reads any number of reflected periods.

    Examples
    --------
    >>> tensorflow.pad(np.arange(1, 4), [[2, 1]], "SYMMETRIC")
    array([2, 1, 1, 2, 3, 3])
    """
    fill_value = constant_values
    if type(constant_values) is int and constant_values == 0:
        # The default stands for the zero of every type.
        fill_value = None
    elif _PAD.read("mode", mode) != "constant":
        fill_value = None
    return _PAD.run_gather(tensor, (paddings, mode), out, copy, fill_value, chunks)
