"""Random cases, each from a seed: valid for the framework that they are drawn for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DTYPES = ("float32", "int32", "uint8", "int64", "float16")

FAR = (2**31 - 1, -(2**31), 2**63 - 1, -(2**63))


def draw_shape(rng: Random, *, least: int = 1, smallest_rank: int = 1) -> tuple[int, ...]:
    return tuple(rng.randint(least, 6) for _ in range(rng.randint(smallest_rank, 4)))


def draw_bounds(rng: Random, extent: int, stride: int) -> tuple[int, int]:
    """A begin and an end; most lie in the order that the stride asks for, so that something is taken."""
    begin, end = (
        rng.choice(FAR) if rng.random() < 0.05 else rng.randint(-2 * extent - 1, 2 * extent + 1) for _ in range(2)
    )
    first, last = (bound + extent if bound < 0 else bound for bound in (begin, end))
    if (last - first) * stride < 0 and rng.random() < 0.9:
        return end, begin
    return begin, end


@dataclass(frozen=True)
class Spec:
    """A strided slice: its masks are lists of bits, one a position."""

    shape: tuple[int, ...]
    dtype: str
    begin: tuple[int, ...]
    end: tuple[int, ...]
    strides: tuple[int, ...]
    begin_mask: tuple[int, ...]
    end_mask: tuple[int, ...]
    new_axis_mask: tuple[int, ...]
    shrink_axis_mask: tuple[int, ...]
    ellipsis_mask: tuple[int, ...]

    @property
    def attributes(self) -> dict[str, tuple[int, ...]]:
        """All but the data."""
        return {name: value for name, value in vars(self).items() if name not in ("shape", "dtype")}


@dataclass(frozen=True)
class Freedom:
    """What strided slices may use.

    ``least`` is the smallest extent. ``early_begin`` allows a begin before the axis with a negative stride, where
    frameworks differ; ``backward_shrink`` a negative stride where an axis is shrunk; ``stray_bits`` bits and zero
    strides at positions that ignore them, and masks of other lengths; ``shrunk_ellipsis`` a shrink bit at the ellipsis.
    """

    least: int = 0
    ellipsis: bool = True
    early_begin: bool = True
    backward_shrink: bool = True
    stray_bits: bool = True
    shrunk_ellipsis: bool = True


def draw_spec(rng: Random, free: Freedom) -> Spec:
    """A strided slice with all masks."""
    shape = draw_shape(rng, least=free.least if rng.random() < 0.15 else 1)
    named = rng.randint(0, len(shape))
    after = rng.randint(0, named) if free.ellipsis and rng.random() < 0.4 else None
    leading = named if after is None else named - after
    axes = [*range(leading), *range(len(shape) - named + leading, len(shape))]
    uses = [("axis", axis) for axis in axes]
    if after is not None:
        uses.insert(leading, ("ellipsis", -1))
    for _ in range(rng.choice((0, 0, 1, 2)) if uses else 1):
        uses.insert(rng.randint(0, len(uses)), ("new", -1))
    columns = [_draw_position(rng, free, use, shape[axis] if use == "axis" else 3) for use, axis in uses]
    spec = Spec(shape, rng.choice(DTYPES), *zip(*columns, strict=True))
    if free.stray_bits:
        masks = {name: mask for name, mask in spec.attributes.items() if name.endswith("_mask")}
        length = _draw_length(rng, list(masks.values()))
        spec = replace(spec, **{name: (*mask, *[0] * length)[:length] for name, mask in masks.items()})
    return spec


def _draw_position(rng: Random, free: Freedom, use: str, extent: int) -> tuple[int, ...]:
    """begin, end, stride and the five bits of a position."""
    stride = rng.choice((1, 1, 2, 3, -1, -1, -2, -3, 7, -7))
    begin, end = draw_bounds(rng, extent, stride)
    masked = [int(rng.random() < 0.25) for _ in range(2)]
    if use != "axis":
        stray = free.stray_bits and rng.random() < 0.3
        bits = [0, int(stray and free.shrunk_ellipsis), 1] if use == "ellipsis" else [1, int(stray), 0]
        return begin, end, 0 if stray else 1, *masked, *bits
    if extent > 0 and rng.random() < 0.2:
        stride = stride if free.backward_shrink else abs(stride)
        return rng.randint(-extent, extent - 1), end, stride, *masked, 0, 1, 0
    if stride < 0 and not free.early_begin:
        begin = max(begin, -extent)
    return begin, end, stride, *masked, 0, 0, 0


def _draw_length(rng: Random, masks: list[tuple[int, ...]]) -> int:
    """A length of all masks, which OpenVINO wants to be one: without zeros at their ends, as they are, or longer."""
    if rng.random() < 0.2:
        return max((i + 1 for mask in masks for i, bit in enumerate(mask) if bit), default=0)
    return len(masks[0]) + rng.choice((0, 0, 0, 2))
