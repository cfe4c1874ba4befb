"""Draws of memory and of plans: arrays of any layout between guard bytes, and plans to run on them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np

from fastops import SampleMode
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.chains import Stage, create_map, draw_stages, joined

Array = np.ndarray[Any, Any]

#: The most elements of a source and of an output, and the most bytes of an output.
MOST_ELEMENTS, MOST_BYTES = 6000, 1 << 16

MODES = tuple(SampleMode)
WIDTHS = (1, 2, 4, 8, 3, 16, 12, 6, 5, 24, 7, 32, 48, 100)
STRIDES = (1, 1, 1, -1, -1, 2, -2, 3, 4, -3, 0, 7, 64, 2**33, -(2**40))
FAR = (0, 0, 0, 0, 0, 0, 0, 0, 2**31, -(2**31), 2**62, -(2**63), 2**64 - 1)

# The fewest bytes before and after an array in its buffer. Gaps between an axis and the next one. If an axis would end
# beyond this many bytes, there is no gap.
_GUARD, _GAPS, _WIDE = 192, (0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 16, 17, 64, 100), 1 << 17

# Twice the most outputs that are drawn for an axis of a chain. The fewest bytes of a result that is divided into its
# interior and its edges.
_LENGTHS, _SMALLEST_PEELED = (6, 12, 40, 90), (1 << 13, 1, 200)

_random_bytes = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8)


class Choices(Random):
    """A generator of random numbers, with shorter names for frequent draws."""

    integer, pick = Random.randint, Random.choice

    def __init__(self, source: Random) -> None:
        super().__init__(source.getrandbits(64))

    def is_rare(self, one_in: int) -> bool:
        """True with a probability of 1 / ``one_in``."""
        return self.randrange(one_in) == 0


class Memory(NamedTuple):
    """The shape of an array, its byte strides, the offset of its element 0 in its buffer, and the buffer's length."""

    shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    offset: int
    length: int

    def array_in(self, buffer: Array, dtype: np.dtype[Any]) -> Array:
        """The array of this dtype in a buffer."""
        return np.ndarray(self.shape, dtype, buffer, self.offset, self.byte_strides)

    def new_buffer(self, first: int) -> Array:
        """A buffer that begins at a cache line, filled with random bytes from number ``first`` on."""
        room = np.empty(self.length + 64, np.uint8)
        start = -room.ctypes.data % 64
        buffer = room[start : start + self.length]
        buffer[...] = np.resize(_random_bytes[first:], self.length)
        return buffer


def draw_shape(choices: Choices, rank: int, most: int, known: Mapping[int, int] | None = None) -> tuple[int, ...]:
    """Draw the shape of an array of at most ``most`` elements; ``known`` has extents by axis."""
    shape = dict(known or {})
    room = most // prod(shape.values())
    for k in range(rank):
        if k not in shape:
            shape[k] = choices.integer(1, max(min(choices.pick((4, 9, 20, 70, 300, 3000)), room), 1))
            room //= shape[k]
    return tuple([shape[k] for k in range(rank)])


def draw_memory(choices: Choices, shape: tuple[int, ...], width: int, *, may_repeat: bool) -> Memory:
    """Draw an array's memory: order of axes, gaps, negative strides, alignment; for sources, also strides of 0."""
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


class GatherCase(NamedTuple):
    """Plans of one source, the chains that they are made of, their memory, and how they are run."""

    source: Memory
    outputs: tuple[Memory, ...]
    dtype: np.dtype[Any]
    plans: tuple[SlicePlan, ...]
    chains: tuple[tuple[Stage, ...], ...]
    streams: bool
    smallest_peeled: int
    seed: int

    @property
    def width(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize


def draw_gather_case(choices: Choices) -> GatherCase:
    """Draw a case."""
    width = choices.pick(WIDTHS)
    shape = draw_shape(choices, choices.pick((1, 2, 3, 2, 3, 4, 0, 5, 8)), min(MOST_ELEMENTS, MOST_BYTES // width))
    # Rarely, axes have no elements.
    shape = tuple([0 if choices.is_rare(40) else n for n in shape])
    source = draw_memory(choices, shape, width, may_repeat=True)
    n_plans = choices.pick((1, 1, 1, 1, 1, 2, 3))
    chains = tuple([draw_chain(choices, shape, width, choices.is_rare(2)) for _ in range(n_plans)])
    plans = tuple([plan for chain in chains if (plan := joined(chain))])
    outputs = tuple(draw_memory(choices, plan.shape, width, may_repeat=False) for plan in plans)
    run = choices.is_rare(2), choices.pick(_SMALLEST_PEELED), choices.integer(0, 1000)
    return GatherCase(source, outputs, np.dtype(f"V{width}"), plans, chains, *run)


def draw_chain(choices: Choices, shape: tuple[int, ...], width: int, is_long: bool) -> tuple[Stage, ...]:
    """Draw stages that make one plan. A chain that is not long has one stage, which keeps the order of axes."""
    most = min(MOST_ELEMENTS, MOST_BYTES // width)
    if is_long:
        length, n = choices.pick(_LENGTHS), choices.integer(1, 4)
        stages = draw_stages(choices, n, lengths=(1, length), most=most, source_shape=shape)
        while joined(stages) is None:
            stages.pop()
        return tuple(stages)
    axes: list[AxisMap] = []
    for extent in shape:
        axes.append(_draw_axis(choices, extent, max(most, 1)))
        most //= max(axes[-1].count, 1)
    counts = [axis.count for axis in axes]
    if len(counts) < 8 and choices.is_rare(6):
        counts.insert(choices.integer(0, len(counts)), 1)
    return (Stage(shape, tuple(axes), tuple(range(len(axes))), tuple(counts), shape),)


def _draw_axis(choices: Choices, extent: int, room: int) -> AxisMap:
    if choices.is_rare(2) and extent <= room:
        return AxisMap.whole(extent)
    count = 0 if choices.is_rare(50) else choices.integer(1, min(room, choices.pick((3, 8, 40, 300, 3000))))
    start = choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(FAR)
    return create_map(choices, extent, start, count, STRIDES)
