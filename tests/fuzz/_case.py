"""Cases of all kernels: random numbers, memory full of guard bytes, launches, and the comparison of all bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any

import numpy as np

AnyArray = np.ndarray[Any, Any]

#: Elements of a source and of an output, and bytes of an output, at most.
MOST_ELEMENTS, MOST_BYTES = 6000, 1 << 16

# Bytes before and after the array in its buffer, at least; those between an axis and the next one; and from which span
# on there are none.
_GUARD, _GAPS, _WIDE = 192, (0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 16, 17, 64, 100), 1 << 17

_random_bytes = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8)

#: For each launch of a call whether it is serial after all, and the threads of a launch.
Launches = tuple[tuple[bool, ...], int]


class Choices(Random):
    """A generator of random numbers of its own, with shorter words for what cases draw most."""

    integer, pick = Random.randint, Random.choice

    def __init__(self, source: Random) -> None:
        super().__init__(source.getrandbits(64))

    def is_rare(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.randrange(one_in) == 0


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


@dataclass(frozen=True)
class Case:
    """Memory, and how a kernel is run on it: all of its bytes are known before and afterwards."""

    sources: tuple[Memory, ...]
    outputs: tuple[Memory, ...]
    dtype: np.dtype[Any]  # of sources
    result: np.dtype[Any]  # of outputs
    streams: bool
    launches: Launches
    seed: int

    def run(self) -> str | None:
        """Run the kernel; return what is wrong with the bytes afterwards, or None."""
        read = [memory.new_buffer(self.seed + i) for i, memory in enumerate(self.sources)]
        written = [memory.new_buffer(self.seed + 7) for memory in self.outputs]
        sources, targets = arrays_in(self.sources, read, self.dtype), arrays_in(self.outputs, written, self.result)
        self.prepare(sources)
        before, right = [buffer.copy() for buffer in read], [buffer.copy() for buffer in written]
        rights = arrays_in(self.outputs, right, self.result)
        self.move(sources, targets, rights)
        if not all(map(np.array_equal, read, before)):
            return "a source has been written"
        for memory, buffer, expected in zip(self.outputs, written, right, strict=True):
            wrong = np.flatnonzero(buffer != expected)
            if wrong.size:
                return f"byte {wrong[0] - memory.offset}, and {wrong.size - 1} more, are wrong"
        return None

    def prepare(self, sources: list[AnyArray]) -> None:
        """Change values of sources that a case cannot have."""

    def move(self, sources: list[AnyArray], targets: list[AnyArray], rights: list[AnyArray]) -> None:
        """Write targets by the kernel, and the same values into rights by NumPy."""
        raise NotImplementedError


def arrays_in(memories: Sequence[Memory], buffers: Sequence[AnyArray], dtype: np.dtype[Any]) -> list[AnyArray]:
    """The arrays of a dtype in buffers."""
    return [memory.array_in(buffer, dtype) for memory, buffer in zip(memories, buffers, strict=True)]


def draw_launches(choices: Choices) -> Launches:
    """Draw them; one serial launch is the most frequent."""
    launches = choices.pick((1, 1, 1, 1, 2, 3))
    workers = choices.pick((1, 1, 1, 2, 3, 5)) if launches == 1 else choices.pick((2, 3, 5))
    return tuple([not choices.is_rare(2) for _ in range(launches)]), workers


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
