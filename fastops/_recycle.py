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

import numpy as np

from fastops._dtypes import AnyArray
from fastops._limits import KEEP_BYTES

# Results of fewer bytes are allocated anew each time.
_SMALLEST_BYTES = 1 << 20

# A result leaves at most a fifth of its length in its block unused.
_LARGEST_REST = 5

# Without the lock of the interpreter, counts of references say nothing.
_IS_COUNTING = getattr(sys, "_is_gil_enabled", lambda: True)()

_blocks: deque[AnyArray] = deque()


def is_recycled(n: int) -> bool:
    """True if results of n bytes are written into memory that is kept."""
    return _SMALLEST_BYTES <= n <= KEEP_BYTES and _IS_COUNTING


def take_block(n: int) -> AnyArray:
    """Return at least n bytes, to which nobody else refers, and keep them for when they are free again."""
    for _ in range(len(_blocks)):
        try:
            # Whoever has taken a block out of the list is alone with it: there is no need of a lock.
            block = _blocks.popleft()
        except IndexError:
            break
        is_free = _references(block) == _REFERENCES_TO_FREE
        _blocks.append(block)
        if is_free and n <= block.nbytes <= n + n // _LARGEST_REST:
            return block
    block = np.empty(n, np.uint8)
    _blocks.append(block)
    while len(_blocks) > 1 and sum([each.nbytes for each in tuple(_blocks)]) > KEEP_BYTES:
        # Those in use are forgotten too: their memory goes with them. Other threads may be faster.
        with suppress(IndexError):
            _blocks.popleft()
    return block


def _references(block: AnyArray) -> int:
    return sys.getrefcount(block)


def _count_references() -> int:
    """Return what `_references` says of a block that was taken out of a list and is free."""
    blocks = deque([np.empty(0, np.uint8)])
    block = blocks.popleft()
    return _references(block)


_REFERENCES_TO_FREE = _count_references()
