"""Memory of a case: arrays of any byte strides inside buffers whose other bytes are guards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tests.fuzz._choices import Choices

AnyArray = np.ndarray[Any, Any]

#: Elements of a source and of an output, and bytes of an output, at most.
MOST_ELEMENTS, MOST_BYTES = 6000, 1 << 16

# Bytes before and after the array in its buffer, at least; those left out between an axis and the next one; and from
# which span on there are none.
_GUARD, _GAPS, _WIDE = 192, (0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 16, 17, 64, 100), 1 << 17

_random_bytes = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8)


@dataclass(frozen=True)
class Memory:
    """The shape of an array, its byte strides, its element 0 in its buffer, and how many bytes that has."""

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
        buffer[...] = np.resize(_random_bytes[first:], self.length)
        return buffer

    def wrong_in(self, buffer: AnyArray, expected: AnyArray) -> str | None:
        """What is wrong with the bytes of a buffer, or None."""
        wrong = np.flatnonzero(buffer != expected)
        return f"byte {wrong[0] - self.offset}, and {wrong.size - 1} more, are wrong" if wrong.size else None


def draw_shape(choices: Choices, rank: int, most: int, known: Mapping[int, int] | None = None) -> tuple[int, ...]:
    """Draw the shape of an array of at most so many elements, of which some extents are known."""
    shape = dict(known or {})
    room = most // prod(shape.values())
    for k in range(rank):
        if k not in shape:
            shape[k] = choices.integer(1, max(min(choices.pick((4, 9, 20, 70, 300, 3000)), room), 1))
            room //= shape[k]
    return tuple([shape[k] for k in range(rank)])


def draw_memory(choices: Choices, shape: tuple[int, ...], width: int, *, may_repeat: bool) -> Memory:
    """Draw the memory of an array: axes in any order, gaps, falling and, for sources, repeating axes; any alignment."""
    order = list(range(len(shape)))
    if len(shape) > 1 and choices.is_rare(2):
        choices.shuffle(order)
    is_plain = not choices.is_rare(2)
    steps = [0] * len(shape)
    low, span = 0, width
    for axis in reversed(order):
        if may_repeat and choices.is_rare(24):
            continue
        step = span if is_plain or span * shape[axis] > _WIDE else span + choices.pick(_GAPS)
        reach = step * max(shape[axis] - 1, 0)
        span = reach + span
        if not is_plain and choices.is_rare(6):
            low -= reach
            step = -step
        steps[axis] = step
    first = _GUARD + choices.pick((0, 0, 1, 2, 4, 8, 16, 32, 63))
    return Memory(shape, tuple(steps), first - low, first + span + _GUARD)
