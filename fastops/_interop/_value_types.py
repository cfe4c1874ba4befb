"""Types of an ONNX graph's values, put together from what several places say of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def fuller_type(found: Any, declared: Any) -> Any:
    """Return a type that was found, with the extents that only the declared one has."""
    if declared.WhichOneof("value") != "tensor_type" or found.WhichOneof("value") != "tensor_type":
        return found
    if not declared.tensor_type.HasField("shape"):
        return found
    if not found.tensor_type.HasField("shape"):
        return declared
    dims = declared.tensor_type.shape.dim
    if len(dims) != len(found.tensor_type.shape.dim):
        return found
    both = type(found)()
    both.CopyFrom(found)
    for own, other in zip(both.tensor_type.shape.dim, dims, strict=True):
        if not own.HasField("dim_value") and other.HasField("dim_value"):
            own.dim_value = other.dim_value
    return both


def common_type(types: Sequence[Any]) -> Any:
    """Return what types of tensors have in common: the extents that are equal in all."""
    first, *others = types
    both = type(first)()
    if any([each.WhichOneof("value") != "tensor_type" for each in types]):
        return both
    tensors = [each.tensor_type for each in types]
    both.tensor_type.elem_type = tensors[0].elem_type
    if len({len(each.shape.dim) if each.HasField("shape") else None for each in tensors}) > 1:
        return both
    both.CopyFrom(first)
    for i, dim in enumerate(both.tensor_type.shape.dim):
        if any([each.tensor_type.shape.dim[i] != dim for each in others]):
            dim.Clear()
    return both


def stacked_type(each: Any) -> Any:
    """Return the type of a number of tensors of a type, one after the other along a new first axis."""
    stacked = type(each)()
    if each.WhichOneof("value") == "tensor_type" and each.tensor_type.HasField("shape"):
        stacked.tensor_type.elem_type = each.tensor_type.elem_type
        stacked.tensor_type.shape.dim.add()
        stacked.tensor_type.shape.dim.extend(each.tensor_type.shape.dim)
    return stacked
