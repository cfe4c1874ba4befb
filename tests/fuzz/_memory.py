"""Memory of a case: arrays of any byte strides inside buffers whose other bytes are guards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.fuzz._choices import Choices

AnyArray = np.ndarray[Any, Any]

# Bytes before and after the array in its buffer, at least.
_GUARD = 192

# Bytes left out between an axis and the next one.
_GAPS = (0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 16, 17, 64, 100)

# Larger spans get no more gaps.
_MOST_BYTES = 1 << 17

_random_bytes = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8)


@dataclass(frozen=True)
class Memory:
    """Byte strides of an array, and where it lies in its buffer.

    Attributes
    ----------
    shape, byte_strides : tuple of int
        Of the array.
    offset : int
        Its element 0 in the buffer.
    length : int
        Bytes of the buffer.
    """

    shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    offset: int
    length: int

    def array_in(self, buffer: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
        """The array of this dtype in a buffer."""
        return np.ndarray(self.shape, dtype, buffer, self.offset, self.byte_strides)

    def new_buffer(self, first: int) -> AnyArray:
        """A buffer of random bytes, which begins with a cache line, from number ``first`` of them on."""
        room = np.empty(self.length + 64, np.uint8)
        start = -room.ctypes.data % 64
        buffer = room[start : start + self.length]
        buffer[...] = _random_bytes[first : first + self.length]
        return buffer


def draw_memory(choices: Choices, shape: tuple[int, ...], width: int, *, may_repeat: bool) -> Memory:
    """Draw the memory of an array: axes in any order, gaps, falling and, for sources, repeating axes; any alignment."""
    order = list(range(len(shape)))
    if len(shape) > 1 and choices.is_rare(2):
        for i in range(len(order) - 1):
            j = choices.integer(i, len(order) - 1)
            order[i], order[j] = order[j], order[i]
    is_plain = not choices.is_rare(2)
    steps = [0] * len(shape)
    low, span = 0, width
    for axis in reversed(order):
        if may_repeat and choices.is_rare(24):
            continue
        step = span if is_plain or span * shape[axis] > _MOST_BYTES else span + choices.pick(_GAPS)
        reach = step * max(shape[axis] - 1, 0)
        span = reach + span
        if not is_plain and choices.is_rare(6):
            low -= reach
            step = -step
        steps[axis] = step
    first = _GUARD + choices.pick((0, 0, 1, 2, 4, 8, 16, 32, 63))
    return Memory(shape, tuple(steps), first - low, first + span + _GUARD)
