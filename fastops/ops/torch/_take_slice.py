"""Basic indexing of a tensor."""

from __future__ import annotations

from typing import Any

from fastops._arrays._tensors import Tensor
from fastops._errors import DTypeError
from fastops._geometry._numbers import Indices
from fastops._lowering._decorator import lowering
from fastops._lowering._indexing import INDEX_RULE, as_places, lower_basic_index
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator


def _as_places(attribute: str, index: Any) -> tuple[Any, ...]:
    """Return what an index says of each axis, as `as_places` does; tensors of uint8 are masks for PyTorch."""
    for place in index if type(index) is tuple else (index,):
        if str(getattr(place, "dtype", None)) == "torch.uint8":
            raise DTypeError.also(IndexError).about(attribute, INDEX_RULE, index)
    return as_places(attribute, index)


@lowering("torch.take_slice", index=_as_places)
def lower_take_slice(shape: Indices, index: Any) -> Windows:
    """Return the plan of `fastops.torch.take_slice` on a tensor of this shape.

    Examples
    --------
    >>> import numpy as np, fastops as fo
    >>> fo.plan.torch.take_slice((4, 5, 6), np.s_[0, ..., ::2]).shape
    (5, 3)
    """
    return lower_basic_index(shape, index, may_reverse=False)


_OPERATOR = TensorOperator(lower_take_slice)


def take_slice(input: Tensor, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return ``input[index]`` for any basic index, as a copy.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    index : int, slice, Ellipsis, None, or tuple of these
        As in PyTorch's basic indexing: an integer takes one index and drops the axis, None adds an axis, an ellipsis
        stands for the axes that nothing else names. Steps of slices are positive.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    OutOfBoundsError
        An integer lies outside its axis.
    AttributeValueError
        More indices than axes, two ellipses, a step of 0 or below, or a tensor that requires a gradient or is not plain
        memory.
    DTypeError
        No tensor, an index of another kind, as lists, booleans and arrays, which are advanced indices, or a type of
        less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, basic indexing of a tensor, which gives a view. PyTorch takes a second ellipsis,
    too, which is an error here.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.take_slice(torch.arange(12).reshape(3, 4), (slice(1, None), slice(None, None, 2)))
    tensor([[ 4,  6],
            [ 8, 10]])
    """
    if type(index) is list:
        # Not a tuple of indices, for which a call would be looked up.
        raise DTypeError.also(IndexError)(_OPERATOR.name, "index", INDEX_RULE, index)
    return _OPERATOR.run_tensor(input, (index,), out)
