"""Random cases of transposes and blocks, each from a seed: valid for all frameworks."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from random import Random

from tests.conformance._draws import DTYPES


@dataclass(frozen=True)
class Order:
    """A transpose: each axis once."""

    shape: tuple[int, ...]
    dtype: str
    axes: list[int]


def draw_order(rng: Random, *, negative: bool = False, least: int = 0, most_axes: int = 6) -> Order:
    """An order of axes; ``negative`` counts some from the end, ``least`` is the smallest extent."""
    rank = rng.randint(1, most_axes)
    shape = tuple(rng.randint(least if rng.random() < 0.1 else 1, 4) for _ in range(rank))
    axes = rng.sample(range(rank), rank)
    return Order(shape, rng.choice(DTYPES), [axis - rng.choice((0, rank)) if negative else axis for axis in axes])


@dataclass(frozen=True)
class Space:
    """An image of any number of axes, whose channels can be moved into blocks, and blocks into channels."""

    batch: int
    channels: int
    spatial: tuple[int, ...]
    size: int
    dtype: str

    @property
    def wide(self) -> tuple[int, ...]:
        """The shape of the image as space: with blocks along its axes."""
        return (self.batch, self.channels, *[extent * self.size for extent in self.spatial])

    @property
    def deep(self) -> tuple[int, ...]:
        """The shape of the same image as depth: with blocks as channels."""
        return (self.batch, self.channels * self.size ** len(self.spatial), *self.spatial)


def draw_space(
    rng: Random, dtypes: tuple[str, ...] = DTYPES, *, axes: tuple[int, ...] = (2,), least_size: int = 1
) -> Space:
    """An image with so many axes behind the channels."""
    n = rng.choice(axes)
    spatial = tuple(rng.randint(1, 3 if n > 2 else 5) for _ in range(n))
    return Space(rng.randint(1, 3), rng.randint(1, 4), spatial, rng.randint(least_size, 3), rng.choice(dtypes))


@dataclass(frozen=True)
class Batches:
    """Blocks along some of the axes behind the batch, and what is padded before and behind each, or cropped."""

    shape: tuple[int, ...]
    dtype: str
    blocks: list[int]
    before: list[int]
    behind: list[int]

    def whole(self, first: int, values: list[int]) -> list[int]:
        """Return a list with a value for each axis: the batch's in front, and the same behind."""
        return [first, *values, *[first] * (len(self.shape) - 1 - len(values))]

    @property
    def pairs(self) -> list[list[int]]:
        """The pads or crops of each of these axes."""
        return [list(pair) for pair in zip(self.before, self.behind, strict=True)]


def draw_pads(rng: Random, *, smallest_rank: int = 2) -> Batches:
    """Blocks that become a part of the batch; pads make each axis a multiple of its block."""
    spatial, others, blocks = _draw_axes(rng, smallest_rank)
    before = [rng.choice((0, 0, block, rng.randint(0, 4))) for block in blocks]
    behind = [
        -(extent + low) % block + rng.choice((0, 0, block))
        for extent, low, block in zip(spatial, before, blocks, strict=True)
    ]
    return Batches((rng.randint(1, 3), *spatial, *others), rng.choice(DTYPES), blocks, before, behind)


def draw_crops(rng: Random, *, smallest_rank: int = 2) -> Batches:
    """A part of the batch that becomes blocks, of which something is left on each axis once they are cropped."""
    spatial, others, blocks = _draw_axes(rng, smallest_rank)
    before, behind = [], []
    for extent, block in zip(spatial, blocks, strict=True):
        before.append(min(rng.choice((0, 0, block, rng.randint(0, 4))), extent * block - 1))
        behind.append(min(rng.choice((0, 0, block, rng.randint(0, 4))), extent * block - 1 - before[-1]))
    batch = rng.randint(1, 3) * prod(blocks)
    return Batches((batch, *spatial, *others), rng.choice(DTYPES), blocks, before, behind)


def _draw_axes(rng: Random, smallest_rank: int) -> tuple[list[int], list[int], list[int]]:
    """Extents of the axes with blocks, those of the axes behind them, and the blocks."""
    n = rng.randint(1, 3)
    spatial = [rng.randint(1, 5) for _ in range(n)]
    least = max(0, smallest_rank - 1 - n)
    others = [rng.randint(1, 3) for _ in range(rng.randint(least, max(least, 4 - n)))]
    return spatial, others, [rng.randint(1, 3) for _ in range(n)]
