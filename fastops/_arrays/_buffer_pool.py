"""Memory for large results: that of earlier ones, once nobody has them any more.

The system gives fresh memory page by page as it is first written, with zeros in it, and takes it back as soon as it is
dropped: on two cores that took three to ten times as long as writing the result. Smaller results need none of this,
because the C library keeps their memory.

A block is free when the list here is the only one that refers to it. Every array, view and buffer that shows a result
refers to its block, so nothing is written that anybody can still see.
"""

from __future__ import annotations

import sys
from collections import deque
from contextlib import suppress
from weakref import getweakrefcount

import numpy as np

from fastops._arrays._dtypes import AnyArray
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
    """Return memory to which nobody else refers, kept for when it is free again, and where in it n bytes begin.

    They begin with a cache line: rows of whole lines have no ends then that need two stores.
    """
    size = n + _LINE_BYTES
    block = _find_free(size)
    if block is None:
        block = np.empty(size, np.uint8)
        _blocks.append(block)
        _forget_oldest()
    # Whoever had it may have locked it.
    block.flags.writeable = True
    return block, -block.ctypes.data % _LINE_BYTES


def forget_blocks() -> None:
    """Give all blocks back that are free; those in use go with what shows them."""
    _blocks.clear()


def _forget_oldest() -> None:
    """Forget the oldest blocks until the others have KEEP_BYTES at most, those in use too."""
    # Where other threads change the list meanwhile, they do the same.
    with suppress(IndexError, RuntimeError):
        while len(_blocks) > 1 and sum([block.nbytes for block in tuple(_blocks)]) > KEEP_BYTES:
            _blocks.popleft()


def _find_free(size: int) -> AnyArray | None:
    """Return a block of at least so many bytes, and not many more, to which nobody refers, or None.

    The one that was taken last comes first: most of it may still be in a cache. To write one of two blocks in turn took
    half as long again.
    """
    for _ in range(len(_blocks)):
        try:
            # Whoever has taken a block out of the list is alone with it: there is no need of a lock.
            taken = [_blocks.pop()]
        except IndexError:
            return None
        is_free = _count_references(taken) == _REFERENCES_IF_FREE
        block = taken[0]
        if is_free and (block.strides != (1,) or getweakrefcount(block)):
            # Whoever had it has changed it, or would see it again: it goes.
            continue
        if is_free and size <= block.nbytes <= size + size // _LARGEST_REST:
            _blocks.append(block)
            return block
        _blocks.appendleft(block)
    return None


def _count_references(taken: list[AnyArray]) -> int:
    """Return how many references there are to the one block of a list, with those that the list has and counting makes.

    No variable of Python code has the block meanwhile. So the number does not depend on how the interpreter calls
    functions, nor on tools that trace a program and keep the values of variables.
    """
    (count,) = map(sys.getrefcount, taken)
    return count


# Python does not promise how many references counting makes, so a block is counted of which there is no other.
_REFERENCES_IF_FREE = _count_references([np.empty(0, np.uint8)])


def _can_count() -> bool:
    """True if this interpreter counts one more for a block to which somebody refers."""
    taken = [np.empty(0, np.uint8)]
    others = taken.copy()
    return _count_references(taken) == _REFERENCES_IF_FREE + len(others)


#: True if counts of references tell free blocks from others. Where they do not, no memory is kept.
CAN_COUNT = _can_count()
