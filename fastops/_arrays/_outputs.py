"""Outputs: fresh arrays, the pool of their memory, pins, and the checks of a caller's arrays before they are written.

**The pool** keeps the memory of large results that nobody refers to any more, for later results. Without the pool, the
system clears each page of a fresh array at the first write, and takes the pages back when the array is dropped. On two
cores, this took three to ten times as long as writing the result. The C library already keeps the memory of smaller
results. A block of memory is free if the list in this module holds the only reference to it, because every array, view
and buffer of a result refers to the block.

**A pin** keeps the memory of a caller's array in its place while a kernel runs without the GIL. Another thread could
call ``ndarray.resize(..., refcheck=False)``, which frees or moves the memory. NumPy resizes only arrays that own their
memory, and none that has a weak reference. So a pin is a weak reference to the owner. It is a proxy, because a proxy is
made in half the time of a plain reference.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
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

# A block may be longer than its result by one fifth.
_LARGEST_REST = 5

_LINE_BYTES = 64

_blocks: deque[AnyArray] = deque()


def is_pooled(n: int) -> bool:
    """True if results of n bytes come from the pool."""
    return POOLED_BYTES <= n <= KEEP_BYTES and CAN_COUNT


def take_block(n: int) -> tuple[AnyArray, int]:
    """Return a block to which nobody else refers, and an offset from which n bytes begin at a cache line.

    The pool keeps the block, and returns it again once it is free.
    """
    size = n + _LINE_BYTES
    block = _find_free(size)
    if block is None:
        block = np.empty(size, np.uint8)
        _blocks.append(block)
        # Forget the oldest blocks, free or in use. If another thread changes the list meanwhile, it forgets blocks too.
        with suppress(IndexError, RuntimeError):
            while len(_blocks) > 1 and sum([each.nbytes for each in tuple(_blocks)]) > KEEP_BYTES:
                _blocks.popleft()
    # The last user may have made the block read-only.
    block.flags.writeable = True
    return block, -block.ctypes.data % _LINE_BYTES


def _find_free(size: int) -> AnyArray | None:
    """Return a free block of at least ``size`` bytes, and not many more; None if there is none.

    The block that was used last is tried first, because most of it may still be in a cache. Writing two blocks in turn
    took 1.5 times as long.
    """
    for _ in range(len(_blocks)):
        try:
            # A block that was taken out of the list belongs to this thread, so no lock is needed.
            taken = [_blocks.pop()]
        except IndexError:
            return None
        is_free = _count_references(taken) == _REFERENCES_IF_FREE
        block = taken[0]
        if is_free and (block.strides != (1,) or getweakrefcount(block)):
            # The last user has changed the block, or could see it again through a weak reference: drop it.
            continue
        if is_free and size <= block.nbytes <= size + size // _LARGEST_REST:
            _blocks.append(block)
            return block
        _blocks.appendleft(block)
    return None


def _count_references(taken: list[AnyArray]) -> int:
    """Return the number of references to the one block of a list, including the reference of the list.

    No variable of Python code holds the block meanwhile. So the number does not depend on how the interpreter calls
    functions, nor on tools that trace a program and keep the values of variables.
    """
    (count,) = map(sys.getrefcount, taken)
    return count


# Python does not promise how many references counting adds, so count the references of a free block.
_REFERENCES_IF_FREE = _count_references([np.empty(0, np.uint8)])


def _can_count() -> bool:
    """True if this interpreter counts one more reference to a block once another list holds it."""
    taken = [np.empty(0, np.uint8)]
    others = taken.copy()
    return _count_references(taken) == _REFERENCES_IF_FREE + len(others)


#: True if counts of references tell free blocks from others; otherwise, the pool keeps no memory.
CAN_COUNT = _can_count()


def pin(array: Any) -> Any:
    """Return the pin of an array, or None without an owner; while a pin exists, NumPy does not resize the owner."""
    # Most arrays own their memory.
    if type(array) is ndarray and array.base is None:
        return proxy(array)
    owner = _owner_of(array)
    return None if owner is None else proxy(owner)


def _owner_of(array: Any) -> Any:
    """Return the array that owns the memory of an array; None if there is none."""
    for _ in range(_MOST_BASES):
        if issubclass(type(array), ndarray):
            # A subclass may define its own ``base`` and ``flags``.
            base = ndarray.base.__get__(array)
            # An array with WRITEBACKIFCOPY has a base, but owns its memory.
            if base is None or ndarray.flags.__get__(array).owndata:
                return array
            array = base
        elif type(array) is memoryview:
            try:
                array = array.obj
            except ValueError:
                # The memoryview has been released.
                return None
        elif type(array) is _STRIDED:
            array = vars(array).get("base")
        else:
            break
    return None


# The most steps to an owner. NumPy keeps chains of views short; a longer chain is a cycle without an owner.
_MOST_BASES = 1000

# The type of the base of arrays that `as_strided` makes.
_STRIDED = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)


#: The most axes of an array of NumPy.
MOST_AXES = 64

# The most steps of an exact search for shared bytes; beyond them, arrays count as overlapping.
_OVERLAP_WORK = 10_000


def allocate(shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return an uninitialised C-contiguous array; raise an OutputError if there can be none."""
    try:
        try:
            return _allocate(shape, dtype)
        except MemoryError:
            # A block in use is freed with the last array that refers to it.
            _blocks.clear()
            return _allocate(shape, dtype)
    except (ValueError, MemoryError, OverflowError) as error:
        raise too_large(shape, dtype) from error


def too_large(shape: tuple[int, ...], dtype: AnyDType) -> OutputError:
    """Return the error for a result that is too large for an array."""
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
    """Return a view of ``out`` as a plain ndarray of this shape and dtype, and its pin; ``name`` is for errors.

    The checks read the view, because another thread may change ``out``, but not the view. No two elements of the view
    share a byte.
    """
    if not isinstance(out, np.ndarray) or is_masked(out):
        # The message shows the type of an array of another library, not its elements.
        got = type(out) if hasattr(type(out), "shape") else out
        raise OutputError.about(name, "be an array of NumPy, without a mask", got)
    pinned = pin(out)
    target = without_far_strides(np.ndarray.view(out, np.ndarray))
    if target.shape != shape:
        raise OutputError.about(name, f"have shape {shown(shape)}", target.shape)
    if target.dtype != dtype:
        raise OutputError.about(name, f"have dtype {named(dtype)}", target.dtype)
    check_span(target, name, OutputError)
    flags = target.flags
    if not flags.writeable:
        raise OutputError.about(name, "be writeable", out)
    # Refuse axes that are not nested, although their elements may share no byte: such outputs are rare.
    if not flags.c_contiguous and not is_nested(target):
        raise OutputError.about(name, "hold each element at bytes of its own", f"byte strides {target.strides}")
    return target, pinned


def as_outputs(outs: Any, results: Sequence[tuple[tuple[int, ...], AnyDType]]) -> list[tuple[AnyArray, Any]]:
    """Return `as_output` of each output, for results of these shapes and dtypes; raise if outputs overlap."""
    if not isinstance(outs, list | tuple) or len(outs) != len(results):
        raise OutputError.about("out", f"be a list of {counted(len(results), 'array')}", outs)
    names = ["out"] if len(results) == 1 else [f"out[{k}]" for k in range(len(results))]
    pinned = [as_output(out, *result, name) for out, result, name in zip(outs, results, names, strict=True)]
    if len(pinned) > 1 and overlap_each_other([target for target, _ in pinned]):
        raise OutputError.about("out", "hold arrays that do not overlap each other", outs)
    return pinned


def share_memory(one: AnyArray, other: AnyArray) -> bool:
    """True if the arrays share a byte, or if the search for one takes too long."""
    # NumPy's type stubs allow only two values of max_work.
    return np.may_share_memory(one, other, max_work=_OVERLAP_WORK)  # type: ignore[arg-type]


def overlap_each_other(arrays: Sequence[AnyArray]) -> bool:
    """True if any two arrays share a byte. Only arrays whose spans of memory overlap are compared."""
    spans = sorted((*np.lib.array_utils.byte_bounds(array), k) for k, array in enumerate(arrays) if array.size)
    for i, (_, end, k) in enumerate(spans):
        for j in range(i + 1, len(spans)):
            low, _, other = spans[j]
            if low >= end:
                break
            if share_memory(arrays[k], arrays[other]):
                return True
    return False
