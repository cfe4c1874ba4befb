"""Outputs: fresh arrays, and the checks of a caller's arrays before anything is written into them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._buffer_pool import forget_blocks, is_pooled, take_block
from fastops._arrays._byte_strides import LARGEST_SPAN, is_nested, is_spannable, span_of, without_far_strides
from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._pins import pin
from fastops._errors import OutputError, counted, named, shown
from fastops._geometry._numbers import is_masked

# Up to as many arrays are compared in pairs; the spans of more are sorted first.
_FEW_ARRAYS = 8

# Pairs of more arrays that are compared; then all their bytes are marked, if these are one in so many of those between.
_MOST_COMPARED = 2000
_SPARSEST = 16

#: NumPy's own limit.
MOST_AXES = 64

# Candidates that an exact search for shared bytes may look at before the answer is "they overlap".
_OVERLAP_WORK = 10_000


def allocate(shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return an uninitialised C-contiguous array; whatever the system says against it is an OutputError."""
    try:
        try:
            return _allocate(shape, dtype)
        except MemoryError:
            forget_blocks()
            return _allocate(shape, dtype)
    except (ValueError, MemoryError, OverflowError) as error:
        raise too_large(shape, dtype) from error


def too_large(shape: tuple[int, ...], dtype: AnyDType) -> OutputError:
    """Return the error for a result that no array can be."""
    if len(shape) > MOST_AXES:
        return OutputError.about("the output", f"have at most {MOST_AXES} axes", shape)
    return OutputError.about("the output", f"fit in memory as elements of {counted(dtype.itemsize, 'byte')}", shape)


def _allocate(shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    n = prod(shape) * dtype.itemsize
    if is_pooled(n):
        return np.ndarray(shape, dtype, *take_block(n))
    # np.empty makes elements of no bytes one byte long.
    return np.empty(shape, dtype) if dtype.itemsize else np.ndarray(shape, dtype)


def as_output(out: Any, shape: tuple[int, ...], dtype: AnyDType, name: str = "out") -> tuple[AnyArray, Any]:
    """Return a view of ``out``, a plain ndarray of this shape and dtype, and its pin; errors call it by a name.

    Each element of it can be written once. All is read from the view, which nobody else has and so nobody can change.
    """
    if not isinstance(out, np.ndarray) or is_masked(out):
        # Arrays of other libraries would be shown as arrays.
        got = type(out) if hasattr(type(out), "shape") else out
        # Tensors have this method.
        hint = ", as data is one: pass out.numpy()" if callable(getattr(type(out), "numpy", None)) else ""
        raise OutputError.about(name, f"be an array of NumPy, without a mask{hint}", got)
    pinned = pin(out)
    target = without_far_strides(np.ndarray.view(out, np.ndarray))
    if target.shape != shape:
        raise OutputError.about(name, f"have shape {shown(shape)}", target.shape)
    if target.dtype != dtype:
        raise OutputError.about(name, f"have dtype {named(dtype)}", target.dtype)
    if not is_spannable(span_of(shape, target.strides, dtype.itemsize)):
        raise OutputError.about(name, f"span at most {LARGEST_SPAN} bytes", f"byte strides {target.strides}")
    flags = target.flags
    if not flags.writeable:
        raise OutputError.about(name, "be writeable", out)
    if not flags.c_contiguous and _overlaps_itself(target):
        raise OutputError.about(name, "hold each element at bytes of its own", f"byte strides {target.strides}")
    return target, pinned


def as_outputs(outs: Sequence[Any], results: Sequence[tuple[tuple[int, ...], AnyDType]]) -> list[tuple[AnyArray, Any]]:
    """Return `as_output` of each output, for results of these shapes and dtypes; outputs may not overlap each other."""
    names = ["out"] if len(results) == 1 else [f"out[{k}]" for k in range(len(results))]
    pinned = [as_output(out, *result, name) for out, result, name in zip(outs, results, names, strict=True)]
    if len(pinned) > 1 and overlap_each_other([target for target, _ in pinned]):
        raise OutputError.about("out", "hold arrays that do not overlap each other", outs)
    return pinned


def share_memory(one: AnyArray, other: AnyArray) -> bool:
    """True if the arrays share a byte, or if that is too hard to tell."""
    memory, others = _sole_owner_of(one), _sole_owner_of(other)
    if memory is not others and memory is not None and others is not None:
        return False
    if not np.may_share_memory(one, other):
        return False
    try:
        # NumPy's stubs know two of the values that it takes.
        return np.shares_memory(one, other, max_work=_OVERLAP_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def _sole_owner_of(array: AnyArray) -> AnyArray | None:
    """Return the array that owns the memory of an array, if it is one that shares it with nobody else's."""
    owner = array if array.base is None else array.base
    return owner if type(owner) is np.ndarray and owner.flags.owndata else None


def overlap_each_other(arrays: Sequence[AnyArray]) -> bool:
    """True if any two arrays share a byte. Only those whose spans of memory meet are compared."""
    if len(arrays) <= _FEW_ARRAYS:
        return any(share_memory(one, other) for one, other in combinations(arrays, 2))
    spans = sorted((*np.lib.array_utils.byte_bounds(array), k) for k, array in enumerate(arrays) if array.size)
    open_spans: list[tuple[int, int, int]] = []
    compared = 0
    for low, high, k in spans:
        open_spans = [span for span in open_spans if span[1] > low]
        compared += len(open_spans)
        if compared > _MOST_COMPARED:
            return _meet(arrays)
        if any(share_memory(arrays[k], arrays[j]) for _, _, j in open_spans):
            return True
        open_spans.append((low, high, k))
    return False


def _meet(arrays: Sequence[AnyArray]) -> bool:
    """True if any two arrays share a byte, or are too far apart: each byte is marked, in the time of writing them."""
    spans = [np.lib.array_utils.byte_bounds(array) for array in arrays if array.size]
    low, high = min([span[0] for span in spans]), max([span[1] for span in spans])
    if high - low > _SPARSEST * sum([array.nbytes for array in arrays]):
        return True
    marks = np.zeros(high - low, np.bool_)
    for array in arrays:
        if array.size:
            shape, strides = (*array.shape, array.itemsize), (*array.strides, 1)
            own: AnyArray = np.ndarray(shape, np.bool_, marks, array.ctypes.data - low, strides)
            if own.any():
                return True
            own[...] = True
    return False


def _overlaps_itself(array: AnyArray) -> bool:
    """True if two elements share a byte, or if that is too hard to tell.

    Axes that are not nested can be interleaved and miss each other: the elements of small arrays are compared one by
    one.
    """
    if is_nested(array.shape, array.strides, array.itemsize):
        return False
    if array.size > _OVERLAP_WORK:
        return True
    offsets = np.zeros(1, np.int64)
    for stride, n in zip(array.strides, array.shape, strict=True):
        offsets = np.add.outer(offsets, stride * np.arange(n)).ravel()
    return bool((np.diff(np.sort(offsets)) < array.itemsize).any())
