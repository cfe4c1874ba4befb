"""Random patches of images, each from a seed: what a framework may take or refuse."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.conformance._draws import DTYPES


@dataclass(frozen=True)
class Patches:
    """Images of two axes besides batch and channels, and how these are cut."""

    batch: int
    channels: int
    extents: tuple[int, int]
    dtype: str
    sizes: list[int]
    strides: list[int]
    rates: list[int]


def draw_patches(rng: Random, dtypes: tuple[str, ...] = DTYPES) -> Patches:
    """Most sizes fit in the images."""
    extents = (rng.randint(1, 9), rng.randint(1, 9))
    sizes, strides, rates = ([rng.randint(1, most) for _ in range(2)] for most in (4, 4, 3))
    return Patches(rng.randint(1, 3), rng.randint(1, 4), extents, rng.choice(dtypes), sizes, strides, rates)
