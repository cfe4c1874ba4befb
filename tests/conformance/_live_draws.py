"""What random calls are made of: shapes, arrays of any dtype and layout, axes, and how arguments are given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

import ml_dtypes  # noqa: F401 - it tells NumPy of bfloat16.
import numpy as np

from tests.conformance._live import Call
from tests.conformance._outcomes import Array

#: An argument that is not given.
LEFT_OUT = object()

#: Numbers at the ends of what int32 and int64 hold, and beyond.
EXTREMES = (2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63), 2**63)

_RANKS = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5)


def numbered(shape: Sequence[int], dtype: str = "int32") -> Array:
    """An array of 1, 2, 3 and so on, for examples."""
    return np.arange(1, prod(shape) + 1).astype(dtype).reshape(shape)


def draw_shape(
    rng: Random, *, ranks: Sequence[int] = _RANKS, extents: Sequence[int] = (1, 2, 2, 3, 3, 4, 5)
) -> list[int]:
    """A shape, in about one of seven cases with an empty axis, in about one of fifty of up to eight axes."""
    most_axes = max(ranks)
    rank = rng.randint(most_axes, 8) if most_axes > 4 and rng.random() < 0.02 else rng.choice(ranks)
    shape = [rng.choice(extents if rank < 6 else (1, 1, 2)) for _ in range(rank)]
    if shape and rng.random() < 0.15:
        shape[rng.randrange(rank)] = 0
    return shape


def draw_data(rng: Random, shape: Sequence[int], dtypes: Sequence[str], *, may_reverse: bool = True) -> Array:
    """An array of random bytes, whose axes are in any order in memory, with gaps, and backwards if they may be."""
    dtype = np.dtype(rng.choice(dtypes))
    if rng.random() < 0.3:
        return _fresh(rng, shape, dtype)
    order = rng.sample(range(len(shape)), len(shape))
    steps = [rng.choice((1, 1, 1, 2, 3)) * (rng.choice((1, 1, -1)) if may_reverse else 1) for _ in shape]
    memory = _fresh(rng, [shape[k] * abs(steps[k]) for k in order], dtype)
    return memory.transpose(np.argsort(order).tolist())[(*[slice(None, None, step) for step in steps], ...)]


def _fresh(rng: Random, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    content = np.frombuffer(rng.randbytes(prod(shape) * dtype.itemsize), np.uint8)
    return (content & 1 if dtype.kind == "b" else content).view(dtype).reshape(shape).copy()


def draw_axis(rng: Random, rank: int, wrong: float = 0.05) -> int:
    """An axis, counted from either end; sometimes one that there is not."""
    if rank and rng.random() >= wrong:
        return rng.randrange(-rank, rank)
    return rng.choice((rank, -rank - 1, rank + 3, *EXTREMES[:2])) if rng.random() < 0.8 else 0


def draw_axes(rng: Random, rank: int, n: int, wrong: float = 0.1) -> list[int]:
    """Axes, each once, counted from either end; sometimes one is named twice, or there is not."""
    axes = [axis - rng.choice((0, rank)) for axis in rng.sample(range(rank), min(n, rank))]
    if axes and rng.random() < wrong:
        axes[rng.randrange(len(axes))] = rng.choice((axes[-1], axes[0], rank, -rank - 1))
    elif rank < n and rng.random() < 0.5:
        axes += [rng.choice((0, -1, rank)) for _ in range(n - rank)]
    return axes


def draw_lengths(rng: Random, extent: int) -> list[int]:
    """Lengths of one to five parts of an axis, of which some may be empty."""
    cuts = [0, *sorted(rng.randint(0, extent) for _ in range(rng.randint(0, 4))), extent]
    return [high - low for low, high in pairwise(cuts)]


def draw_place(rng: Random, extent: int, *, may_reverse: bool = True) -> Any:
    """An index of an axis, or a slice, most of which take something."""
    if rng.random() < 0.3:
        is_wrong = not extent or rng.random() < 0.03
        return rng.choice((extent, -extent - 1, 2**63)) if is_wrong else rng.randrange(-extent, extent)
    step = rng.choice((None, 1, 1, 2, 3, 0 if rng.random() < 0.1 else 2, *((-1, -1, -2) if may_reverse else ())))
    ends = sorted((rng.randint(0, extent), rng.randint(0, extent)))
    bounds = ends if (step or 1) > 0 else ends[::-1]
    bounds = [bound - extent if rng.random() < 0.3 and bound < extent else bound for bound in bounds]
    bounds = [rng.choice((None, None, *EXTREMES)) if rng.random() < 0.35 else bound for bound in bounds]
    return slice(*bounds, step)


def in_some_form(rng: Random, values: Sequence[Any]) -> Any:
    """A list or a tuple."""
    return rng.choice((list, tuple))(values)


def spelled(rng: Random, data: Array | None, arguments: dict[str, Any], by_name: dict[str, Any] | None = None) -> Call:
    """A call with these arguments, in order; some by position and the others by name, but for those left out.

    Those of ``by_name`` can be given by name only.
    """
    values = list(arguments.values())
    leading = next((i for i, value in enumerate(values) if value is LEFT_OUT), len(values))
    given = {name: value for name, value in (arguments | (by_name or {})).items() if value is not LEFT_OUT}
    return Call(data, given, rng.choice((leading, rng.randint(0, leading))))
