"""What calls that move blocks are made of: blocks of the axes behind a batch, blocks of images, and patches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from tests.conformance._live_draws import draw_shape


@dataclass(frozen=True)
class Blocks:
    """A shape, the blocks of its first axes behind the batch, and the pads or crops before and behind each of these."""

    shape: list[int]
    sizes: list[int]
    before: list[int]
    behind: list[int]

    def of_all_axes(self, neutral: int, values: list[int]) -> list[int]:
        """Return a list with a value for each axis: the neutral one for the batch, and for axes behind the blocks'."""
        return [neutral, *values, *[neutral] * (len(self.shape) - 1 - len(values))]

    @property
    def pairs(self) -> list[list[int]]:
        """The pads or crops of each of these axes."""
        return [list(pair) for pair in zip(self.before, self.behind, strict=True)]


def draw_padded_blocks(rng: Random, numbers: Sequence[int] = (0, 1, 1, 2, 2, 2, 3, 4)) -> Blocks:
    """Blocks that become a part of the batch; most pads make each axis a multiple of its block."""
    shape, sizes = _draw_sizes(rng, numbers)
    before, behind = [], []
    for extent, size in zip([*shape[1:], 3], sizes, strict=False):
        before.append(rng.choice((0, 0, 1, rng.randint(0, 3))))
        behind.append(-(extent + before[-1]) % max(size, 1) + rng.choice((0, 0, max(size, 1))))
    _spoil(rng, before, behind)
    return Blocks(shape, sizes, before, behind)


def draw_cropped_blocks(rng: Random, numbers: Sequence[int] = (0, 1, 1, 2, 2, 2, 3, 4)) -> Blocks:
    """A part of the batch that becomes blocks, of which most crops leave something."""
    shape, sizes = _draw_sizes(rng, numbers)
    if shape and shape[0]:
        shape[0] = rng.choice((1, 1, 2)) * max(prod(sizes), 1) + (rng.random() < 0.04)
    before, behind = [], []
    for extent, size in zip([*shape[1:], 3], sizes, strict=False):
        whole = extent * max(size, 1)
        before.append(min(rng.choice((0, 0, 1, size, rng.randint(0, whole))), max(whole - 1, 0)))
        behind.append(rng.choice((0, 0, 0, rng.randint(0, max(whole - before[-1] - (rng.random() < 0.9), 0)))))
    _spoil(rng, before, behind)
    return Blocks(shape, sizes, before, behind)


def _draw_sizes(rng: Random, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """A shape, and the sizes of blocks of its first axes behind the batch."""
    n = rng.choice(numbers)
    shape = draw_shape(rng, ranks=(n + 1, n + 1, n + 2, n + 3), extents=(1, 2, 3, 4) if n < 3 else (1, 1, 2))
    sizes = [rng.choice((1, 2, 2, 3)) for _ in range(n)]
    if sizes and rng.random() < 0.03:
        sizes[rng.randrange(n)] = rng.choice((0, -1))
    elif rng.random() < 0.02:
        shape = shape[:n]
    return shape, sizes


def _spoil(rng: Random, before: list[int], behind: list[int]) -> None:
    """Make a value wrong, or take some away, of a few."""
    if before and rng.random() < 0.08:
        rng.choice((before, behind))[rng.randrange(len(before))] += rng.choice((-5, 1, 1, 3))
    elif before and rng.random() < 0.02:
        before.pop()
        behind.pop()


def draw_images(rng: Random, factors: Mapping[int, int], ranks: Sequence[int] = (4,)) -> list[int]:
    """A shape of images, most of whose axes have the factors that are given by axis."""
    shape = draw_shape(rng, ranks=ranks, extents=(1, 2, 3))
    for axis, factor in factors.items():
        if -len(shape) <= axis < len(shape):
            shape[axis] = rng.choice((1, 1, 2)) * abs(factor) if shape[axis] else 0
    if shape and rng.random() < 0.06:
        shape[rng.randrange(len(shape))] += 1
    elif rng.random() < 0.03:
        shape = [*shape, 4] if rng.random() < 0.5 else shape[1:]
    return shape


def draw_block_size(rng: Random) -> int:
    """A size of blocks; a few are none."""
    return rng.choice((2, 2, 2, 3, 4)) if rng.random() < 0.93 else rng.choice((1, 0, -1))


def draw_patches(rng: Random) -> tuple[list[int], list[int], list[int]]:
    """Sizes, strides and rates of rows and columns; one of them is wrong in a few."""
    lists = [[rng.randint(1, most) for _ in range(2)] for most in (3, 4, 2)]
    if rng.random() < 0.06:
        rng.choice(lists)[rng.randrange(2)] = rng.choice((0, -1))
    sizes, strides, rates = lists
    return sizes, strides, rates
