"""torch.flip, roll, rot90, transpose, permute, tile and repeat_interleave."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Unpack

from fastops._lowering._layouts import lower_exchange, lower_transposition
from fastops._lowering._moves import lower_flips, lower_repeats, lower_rolls, lower_rotation, lower_tiles
from fastops._types import TensorOptions
from fastops.ops import AttributeValueError, Index, Indices, OneOrMore, Rule, Tensor, TensorOperator, Windows, r

__all__ = ["flip", "permute", "repeat_interleave", "roll", "rot90", "tile", "transpose"]


@TensorOperator(partial(lower_flips, least_rank=1), Rule(r.FLIP, (r.AXES,)))
def flip(input: Tensor, dims: Indices, **rest: Unpack[TensorOptions]) -> Tensor:
    """Reverse the order of elements of a tensor along axes: torch.flip.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    dims : list of int
        The axes to flip; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        An axis that input does not have or that is named twice.

    Examples
    --------
    >>> fot.flip(torch.arange(3), (0,))
    tensor([2, 1, 0])
    """


def _lower_roll(shape: Indices, shift: OneOrMore, axes: OneOrMore | None) -> Windows:
    if not axes:
        if len(shift) != 1:
            raise AttributeValueError.about("shift", "have one value, because dims is not given", shift)
        return lower_rolls((prod(shape),), shift, (0,))
    return lower_rolls(shape, shift, axes)


@(_ROLL := TensorOperator(_lower_roll, Rule(r.ROLL, (r.SHIFT, r.AXES))))
def roll(input: Tensor, shifts: OneOrMore, dims: OneOrMore | None = None, *, out: Tensor | None = None) -> Tensor:
    """Move elements of a tensor along axes; elements that leave an axis at one end enter it at the other: torch.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of the shifts of the axis. Without
    dims, the elements move in the flattened tensor, and the result has the shape of input.

    Parameters
    ----------
    shifts : int or list of int
        The number of places by which elements move: one number for each of dims, or one number without dims.
    dims : int or list of int, optional
        The axes of the shifts; negative axes count from the end. The shifts of an axis that is named twice add up.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, no shifts, or lists of different lengths.

    Examples
    --------
    >>> fot.roll(torch.arange(5), 2, 0)
    tensor([3, 4, 0, 1, 2])
    """
    # Read the axes once: reading may run code of the caller, which may change them.
    axes = None if dims is None else _ROLL.read("dims", dims)
    return _ROLL.run_tensor(input, (shifts, axes), out, is_flat=not axes)


@TensorOperator(partial(lower_rotation, least_rank=2), Rule(r.ROTATE, (r.TURNS, r.AXES)))
def rot90(input: Tensor, k: Index = 1, dims: Indices = (0, 1), **rest: Unpack[TensorOptions]) -> Tensor:
    """Rotate the plane of two axes of a tensor by quarter turns: torch.rot90, as a copy.

    A quarter turn goes from the first axis towards the second: element ``[i, j]`` of the result reads element
    ``[j, d - 1 - i]`` of input, where d is the length of the second axis of input.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 2 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    k : int
        The number of quarter turns; negative numbers turn the other way.
    dims : list of int
        The two axes of the plane; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        Other than two axes, an axis that input does not have, an axis that is named twice, or a tensor of rank 0 or 1.

    Examples
    --------
    >>> fot.rot90(torch.arange(6).reshape(2, 3))
    tensor([[2, 5],
            [1, 4],
            [0, 3]])
    """


@TensorOperator(partial(lower_exchange, least_rank=1), Rule(r.MOVE, (r.SOURCE, r.DESTINATION), r.EXCHANGE))
def transpose(input: Tensor, dim0: Index, dim1: Index, **rest: Unpack[TensorOptions]) -> Tensor:
    """Exchange two axes of a tensor: torch.transpose, as a copy.

    Axis dim0 of the result is axis dim1 of input, and axis dim1 of the result is axis dim0 of input.

    Parameters
    ----------
    dim0, dim1 : int
        The two axes, which may be the same; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        An axis that input does not have.

    Notes
    -----
    Specification: PyTorch 2.13, torch.transpose, which gives a view.

    Examples
    --------
    >>> fot.transpose(torch.arange(6).reshape(2, 3), 0, 1)
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """


@TensorOperator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END, r.NOTHING_REVERSES))
def permute(input: Tensor, dims: Indices, **rest: Unpack[TensorOptions]) -> Tensor:
    """Put the axes of a tensor in another order: torch.permute, as a copy.

    Axis k of the result is axis ``dims[k]`` of input.

    Parameters
    ----------
    dims : list of int
        Each axis of input once; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of input once.

    Notes
    -----
    Specification: PyTorch 2.13, torch.permute, which gives a view.

    Examples
    --------
    >>> fot.permute(torch.arange(6).reshape(2, 3), (1, 0))
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """


@TensorOperator(lower_tiles, Rule(r.TILE, (r.REPEATS,), r.ANY_NUMBER))
def tile(input: Tensor, dims: Indices, **rest: Unpack[TensorOptions]) -> Tensor:
    """Repeat a tensor along its axes: torch.tile.

    The shorter of the shape of input and dims gets ones in front. Then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * dims``.

    Parameters
    ----------
    dims : list of int
        How often each axis is repeated, >= 0.

    Raises
    ------
    AttributeValueError
        A negative number.

    Examples
    --------
    >>> fot.tile(torch.arange(3), (2, 1))
    tensor([[0, 1, 2],
            [0, 1, 2]])
    """


@TensorOperator(lower_repeats)
def repeat_interleave(input: Tensor, repeats: Index, dim: Index | None = None, **rest: Unpack[TensorOptions]) -> Tensor:
    """Repeat each element of a tensor: torch.repeat_interleave.

    Output y of the axis reads index ``y // repeats``. Without dim, the elements of the flattened tensor are repeated,
    and the result has one axis.

    Parameters
    ----------
    repeats : int
        How often each element is repeated, >= 0.
    dim : int, optional
        The axis; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        A negative number, a list of numbers, or an axis that input does not have.

    Notes
    -----
    Specification: PyTorch 2.13, torch.repeat_interleave, with one number of repeats for all elements, and without
    output_size.

    Examples
    --------
    >>> fot.repeat_interleave(torch.arange(3), 2)
    tensor([0, 0, 1, 1, 2, 2])
    """
