"""torch.split."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError, OutputError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_index_or_indices, as_scalar, at_most
from fastops._lowering._axes import resolve_axis_of
from fastops._lowering._decorator import lowering
from fastops._lowering._rule import Rule
from fastops._lowering._splits import MOST_PARTS, check_parts, lower_splits, resolve_lengths
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r

_SIZES = "split_size_or_sections"


@lowering(
    "torch.split",
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS), r.ARE_LENGTHS, r.LENGTH),
    split_size_or_sections=at_most(MOST_PARTS, as_index_or_indices),
    dim=as_scalar,
)
def lower_split(shape: Indices, split_size_or_sections: Index | Indices, dim: Index = 0) -> list[Windows]:
    """Return the plans of `fastops.torch.split` on a tensor of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.torch.split((5,), 2)]
    [(2,), (2,), (1,)]
    """
    axis = resolve_axis_of(shape, "dim", dim)
    extent, sizes = shape[axis], split_size_or_sections
    if not isinstance(sizes, int):
        if not sizes:
            raise AttributeValueError.about(_SIZES, "have at least one size", sizes, axis, extent)
        return lower_splits(shape, axis, resolve_lengths(_SIZES, sizes, axis, extent, may_infer=False))
    if sizes < 0 or (sizes == 0 and extent):
        rule = "be at least 1" if extent else "be at least 0"
        raise AttributeValueError.about(_SIZES, rule, sizes, axis, extent)
    parts = max(-(-extent // sizes), 1) if sizes else 1
    check_parts(_SIZES, parts)
    return lower_splits(shape, axis, (*(sizes,) * (parts - 1), extent - sizes * (parts - 1)))


_OPERATOR = TensorOperator(lower_split, data_name="tensor")


def split(
    tensor: Tensor, split_size_or_sections: Index | Indices, dim: Index = 0, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]:
    """Split a tensor along an axis, into parts of one size or of given sizes: torch.split, as copies.

    Part k is ``tensor[..., s : s + n, ...]``, where n is its size and s the sum of the sizes before it. All parts are
    written by one launch of the kernel.

    Parameters
    ----------
    tensor : torch.Tensor
        Dense, on the CPU, of rank 1 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    split_size_or_sections : int or list of int
        The size of each part, of which the last one may have less, or the sizes, which must sum to the axis.
    dim : int
        The axis; negative ones count from the end.
    out : list of torch.Tensor, optional
        Where to write, one tensor a part, with any strides. They may overlap the tensor, not each other.

    Returns
    -------
    tuple of torch.Tensor
        Those of ``out``, or fresh contiguous tensors of the tensor's type.

    Raises
    ------
    AttributeValueError
        An axis that the tensor does not have, sizes that do not sum to it, a size of 0 for an axis that is not empty,
        or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` has another number of tensors than parts, or one of them does not fit its part.

    Notes
    -----
    Specification: PyTorch 2.13, torch.split, which gives views.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if out is None:
        return tuple(_OPERATOR.run_tensor(tensor, (split_size_or_sections, dim)))
    if not isinstance(out, list | tuple):
        raise OutputError(_OPERATOR.name, "out", "be a list of tensors", out)
    return tuple(_OPERATOR.run_tensor(tensor, (split_size_or_sections, dim), tuple(islice(out, MOST_PARTS))))
