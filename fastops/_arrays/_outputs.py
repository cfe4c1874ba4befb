"""Outputs: fresh arrays, the pool of their memory, pins, and the checks of a caller's arrays before they are written.

**The pool** is memory of large results that nobody refers to any more. The system gives fresh memory page by page when
it is first written, with zeros in it, and takes it back as soon as it is dropped: on two cores that took three to ten
times as long as writing the result. The C library keeps the memory of smaller results. A block of memory is free if the
list here has the only reference to it: every array, view and buffer that shows a result refers to its block.

**A pin** keeps the memory of a caller's array in its place while a kernel runs without Python's lock. Another thread
may call ``ndarray.resize(..., refcheck=False)``, which frees or moves the memory. NumPy resizes no array that has a
weak reference, and only the owner of memory. So a pin is a weak reference to the owner; a proxy is made in half the
time of a plain reference.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from math import prod
from typing import Any
from weakref import getweakrefcount, proxy

import numpy as np
from numpy import ndarray

from fastops._arrays._dtypes import AnyArray, AnyDType, check_span, is_nested, without_far_strides
from fastops._errors import OutputError, counted, named, shown
from fastops._geometry._numbers import is_masked
from fastops._settings import KEEP_BYTES
from fastops.kernels._tables._gather import POOLED_BYTES

#: Results of fewer bytes are allocated anew each time.
SMALLEST_BYTES = POOLED_BYTES

# A result leaves at most a fifth of its length in its block unused.
_LARGEST_REST = 5

_LINE_BYTES = 64

_blocks: deque[AnyArray] = deque()


def is_pooled(n: int) -> bool:
    """True if results of n bytes are written into memory that is kept."""
    return SMALLEST_BYTES <= n <= KEEP_BYTES and CAN_COUNT


def take_block(n: int) -> tuple[AnyArray, int]:
    """Return memory to which nobody else refers, and where in it n bytes begin: with a cache line.

    The pool keeps the memory, and gives it again when it is free.
    """
    size = n + _LINE_BYTES
    block = _find_free(size)
    if block is None:
        block = np.empty(size, np.uint8)
        _blocks.append(block)
        _forget_oldest()
    # Its last user may have locked it.
    block.flags.writeable = True
    return block, -block.ctypes.data % _LINE_BYTES


def forget_blocks() -> None:
    """Give all free blocks back to the system; blocks in use go with the last array that refers to them."""
    _blocks.clear()


def _forget_oldest() -> None:
    """Forget the oldest blocks, free or in use, until the others have KEEP_BYTES at most."""
    # Other threads that change the list meanwhile do the same.
    with suppress(IndexError, RuntimeError):
        while len(_blocks) > 1 and sum([block.nbytes for block in tuple(_blocks)]) > KEEP_BYTES:
            _blocks.popleft()


def _find_free(size: int) -> AnyArray | None:
    """Return a block of at least so many bytes, and not many more, to which nobody refers, or None.

    The block that was taken last comes first, because most of it may still be in a cache. Writing two blocks in turn
    took half as long again.
    """
    for _ in range(len(_blocks)):
        try:
            # No other thread has a block that was taken out of the list, so that no lock is needed.
            taken = [_blocks.pop()]
        except IndexError:
            return None
        is_free = _count_references(taken) == _REFERENCES_IF_FREE
        block = taken[0]
        if is_free and (block.strides != (1,) or getweakrefcount(block)):
            # Its last user has changed it, or would see it again: drop it.
            continue
        if is_free and size <= block.nbytes <= size + size // _LARGEST_REST:
            _blocks.append(block)
            return block
        _blocks.appendleft(block)
    return None


def _count_references(taken: list[AnyArray]) -> int:
    """Return how many references there are to the one block of a list, that of the list and those of counting included.

    No variable of Python code has the block meanwhile. So the number does not depend on how the interpreter calls
    functions, nor on tools that trace a program and keep the values of variables.
    """
    (count,) = map(sys.getrefcount, taken)
    return count


# Python does not promise how many references counting makes: count a block that nobody else refers to.
_REFERENCES_IF_FREE = _count_references([np.empty(0, np.uint8)])


def _can_count() -> bool:
    """True if this interpreter counts one reference more for a block that one more list has."""
    taken = [np.empty(0, np.uint8)]
    others = taken.copy()
    return _count_references(taken) == _REFERENCES_IF_FREE + len(others)


#: True if counts of references tell free blocks from others; if they do not, no memory is kept.
CAN_COUNT = _can_count()


def pin(array: Any) -> Any:
    """Return an object that keeps NumPy from resizing an array, or the array whose view it is, while it exists."""
    # Most arrays own their memory.
    if type(array) is ndarray and array.base is None:
        return proxy(array)
    owner = _owner_of(array)
    return None if owner is None else proxy(owner)


def _owner_of(array: Any) -> Any:
    """Return the array that owns the memory of this one; None if there is none."""
    for _ in range(_MOST_BASES):
        if issubclass(type(array), ndarray):
            # A subclass may have attributes of these names.
            base = ndarray.base.__get__(array)
            # An array that writes back to another one has that as its base, and memory of its own.
            if base is None or ndarray.flags.__get__(array).owndata:
                return array
            array = base
        elif type(array) is memoryview:
            try:
                array = array.obj
            except ValueError:
                # It has been released.
                return None
        elif type(array) is _STRIDED:
            array = vars(array).get("base")
        else:
            break
    return None


# NumPy keeps chains of views short. A ring of views has no array that could be resized.
_MOST_BASES = 1000

# The type of the base of arrays that `as_strided` makes.
_STRIDED = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)


# Up to so many arrays are compared in pairs.
_FEW_ARRAYS = 8

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
    check_span(shape, target.strides, dtype.itemsize, name, OutputError)
    flags = target.flags
    if not flags.writeable:
        raise OutputError.about(name, "be writeable", out)
    # The elements of axes that are not nested may miss each other nevertheless; nobody has such an output.
    if not flags.c_contiguous and not is_nested(shape, target.strides, dtype.itemsize):
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
    if not np.may_share_memory(one, other):
        return False
    try:
        # NumPy's stubs know two of the values that it takes.
        return np.shares_memory(one, other, max_work=_OVERLAP_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def overlap_each_other(arrays: Sequence[AnyArray]) -> bool:
    """True if any two arrays share a byte. Only arrays whose spans of memory meet are compared."""
    spans = sorted((*np.lib.array_utils.byte_bounds(array), k) for k, array in enumerate(arrays) if array.size)
    group: list[AnyArray] = []
    end = 0
    for low, high, k in spans:
        if low >= end:
            if _overlap_in(group):
                return True
            group = []
        group.append(arrays[k])
        end = max(end, high)
    return _overlap_in(group)


def _overlap_in(group: Sequence[AnyArray]) -> bool:
    """True if any two arrays, whose spans follow each other without a gap, share a byte."""
    if len(group) <= _FEW_ARRAYS:
        return any(share_memory(one, other) for one, other in combinations(group, 2))
    # Of many arrays, each byte is marked, in about the time of writing them.
    spans = [np.lib.array_utils.byte_bounds(array) for array in group]
    first = min([low for low, _ in spans])
    marks = np.zeros(max([high for _, high in spans]) - first, np.bool_)
    for array, (low, _) in zip(group, spans, strict=True):
        # `byte_bounds` is where the lowest element begins, as negative strides lead to it.
        shape, strides = (*array.shape, array.itemsize), (*map(abs, array.strides), 1)
        own: AnyArray = np.ndarray(shape, np.bool_, marks, low - first, strides)
        if own.any():
            return True
        own[...] = True
    return False
