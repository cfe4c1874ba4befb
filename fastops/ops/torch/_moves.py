"""torch.flip, torch.roll, torch.rot90, torch.transpose and torch.permute."""

from __future__ import annotations

from math import prod

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._execution._operator import TensorOperator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices
from fastops._lowering._arguments import Rule, as_one_or_more, as_scalar, optional
from fastops._lowering._bounds import resolve_axes, resolve_axis
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import lower_reversals, lower_rolls, lower_rotation
from fastops._lowering._windows import Windows, check_rank, lowering
from fastops.kernels._tables import _rules as r


@lowering("torch.flip", Rule(r.FLIP, (r.AXES,)), dims=as_indices)
def lower_flip(shape: Indices, dims: Indices) -> Windows:
    """Return the plan of `fastops.torch.flip` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.torch.flip((4,), (0,)))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    # A tensor of no axes counts as one of one.
    return lower_reversals(shape, resolve_axes("dims", dims, max(len(shape), 1)))


_FLIP = TensorOperator(lower_flip)


def flip(input: Tensor, dims: Indices, *, out: Tensor | None = None) -> Tensor:
    """Read axes of a tensor backwards: torch.flip.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.
    dims : list of int
        The axes, each once, negative ones from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or one that is named twice, or a tensor that requires a gradient or is not
        plain memory.
    DTypeError
        No tensor, axes that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.flip.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.flip(torch.arange(3), (0,))
    tensor([2, 1, 0])
    """
    return _FLIP.run_tensor(input, (dims,), out)


@lowering("torch.roll", Rule(r.ROLL, (r.SHIFT, r.AXES)), shifts=as_one_or_more, dims=optional(as_one_or_more))
def lower_roll(shape: Indices, shifts: OneOrMore, dims: OneOrMore | None = None) -> Windows:
    """Return the plan of `fastops.torch.roll` on a tensor of this shape.

    Without dims, it is a plan of the flattened tensor, which has one axis.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.torch.roll((4,), -1, 0))
    (4,) -> (4,)
      axis 0: extent 4, start 1, stride 1, count 4, wrap
    """
    if not shifts:
        raise AttributeValueError.about("shifts", "have at least one value", shifts)
    axes = dims or ()
    if not axes and len(shifts) == 1:
        return lower_rolls((prod(shape),), shifts, (0,))
    if len(shifts) != len(axes):
        raise AttributeValueError.about("shifts", f"have as many values as dims, {len(axes)}", shifts)
    return lower_rolls(shape, shifts, resolve_axes("dims", axes, len(shape), may_repeat=True))


_ROLL = TensorOperator(lower_roll)


def roll(
    input: Tensor, shifts: Index | Indices, dims: Index | Indices | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Move elements of a tensor along axes, around their ends: torch.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts. Without dims, the
    elements move in the flattened tensor, whose shape is restored.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.
    shifts : int or list of int
        How far elements move, one or more: as many as dims, or one, if there are none.
    dims : int or list of int, optional
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, no shifts, lists of different lengths, or a tensor that requires a gradient or
        is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.roll.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.roll(torch.arange(5), 2, 0)
    tensor([3, 4, 0, 1, 2])
    """
    # They are read once: reading them may run code of the caller's, which changes them.
    axes = None if dims is None else _ROLL.read("dims", dims)
    run = _ROLL.run_tensor if axes else _ROLL.run_flat_tensor
    return run(input, (shifts, axes), out)


@lowering("torch.rot90", Rule(r.ROTATE, (r.TURNS, r.AXES)), k=as_scalar, dims=as_indices)
def lower_rot90(shape: Indices, k: Index = 1, dims: Indices = (0, 1)) -> Windows:
    """Return the plan of `fastops.torch.rot90` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.rot90((2, 3)).shape
    (3, 2)
    """
    check_rank(shape, 2)
    if len(dims) != 2:
        raise AttributeValueError.about("dims", "have 2 values", dims)
    first, second = resolve_axes("dims", dims, len(shape))
    return lower_rotation(shape, k, first, second)


_ROT90 = TensorOperator(lower_rot90)


def rot90(input: Tensor, k: Index = 1, dims: Indices = (0, 1), *, out: Tensor | None = None) -> Tensor:
    """Rotate a tensor in the plane of two axes, by quarter turns: torch.rot90, as a copy.

    The first quarter turn moves what lies along the first axis towards the second: on a matrix of m columns,
    ``output[y, x] = input[x, m - 1 - y]``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 2 or more and any type of whole bytes, whatever its strides. It must not require a
        gradient.
    k : int
        How many quarter turns; negative ones turn the other way.
    dims : list of int
        Two different axes, negative ones from the end; from the first towards the second.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Axes that are not two, or the same, or that input does not have, a tensor of less than two axes, or one that
        requires a gradient or is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.rot90.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.rot90(torch.arange(6).reshape(2, 3))
    tensor([[2, 5],
            [1, 4],
            [0, 3]])
    """
    return _ROT90.run_tensor(input, (k, dims), out)


@lowering("torch.transpose", Rule(r.SWAP, (r.FIRST, r.SECOND)), dim0=as_scalar, dim1=as_scalar)
def lower_transpose(shape: Indices, dim0: Index, dim1: Index) -> Windows:
    """Return the plan of `fastops.torch.transpose` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.transpose((4, 5, 3), 0, -1).shape
    (3, 5, 4)
    """
    rank = len(shape)
    # A tensor of no axes counts as one of one.
    first, second = resolve_axis("dim0", dim0, max(rank, 1)), resolve_axis("dim1", dim1, max(rank, 1))
    order = [second if axis == first else first if axis == second else axis for axis in range(rank)]
    return lower_transposition("dim0", shape, order)


_TRANSPOSE = TensorOperator(lower_transpose)


def transpose(input: Tensor, dim0: Index, dim1: Index, *, out: Tensor | None = None) -> Tensor:
    """Swap two axes of a tensor: torch.transpose, as a copy.

    Axis dim0 of the result is axis dim1 of input, and axis dim1 of the result is axis dim0 of input.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    dim0, dim1 : int
        The axes, which may be the same; negative ones count from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, dims that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.transpose, which gives a view.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.transpose(torch.arange(6).reshape(2, 3), 0, 1)
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """
    return _TRANSPOSE.run_tensor(input, (dim0, dim1), out)


@lowering("torch.permute", Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END, r.NOTHING_REVERSES), dims=as_indices)
def lower_permute(shape: Indices, dims: Indices) -> Windows:
    """Return the plan of `fastops.torch.permute` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.permute((4, 5, 3), (2, 0, 1)).shape
    (3, 4, 5)
    """
    return lower_transposition("dims", shape, dims)


_PERMUTE = TensorOperator(lower_permute)


def permute(input: Tensor, dims: Indices, *, out: Tensor | None = None) -> Tensor:
    """Put the axes of a tensor in another order: torch.permute, as a copy.

    Axis k of the result is axis ``dims[k]`` of input.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    dims : list of int
        Each axis once, negative ones from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        The dims are not the axes of input, each once, or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, dims that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.permute, which gives a view.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.permute(torch.arange(6).reshape(2, 3), (1, 0))
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """
    return _PERMUTE.run_tensor(input, (dims,), out)
