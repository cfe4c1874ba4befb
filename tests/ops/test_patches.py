"""Grids of patches, by NumPy's pad and sliding windows, and by PyTorch where it is installed."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import DTYPES, Array, Call, contract, has_torch
from tests.helpers.patch_oracle import Cut, cut_same, patches
from tests.helpers.seeds import noted
from tests.ops._tables import refuser

#: NumPy's words for modes.
WORDS = {"reflect": "reflect", "clamp": "edge", "wrap": "wrap", "fill": "constant", "symmetric": "symmetric"}


def cut_of(x: Array, axis: int, size: int, stride: int, cover: str) -> Cut:
    if cover == "same":
        return cut_same(x, axis, size, stride)
    behind = max(size - x.shape[axis], (size - x.shape[axis]) % stride) if cover == "all" else 0
    return Cut(axis, size, stride, 1, 0, behind)


def gridded(
    x: Array, size: Any, stride: Any = None, axes: Any = None, mode: str = "reflect", cover: str = "valid"
) -> Array:
    """Return the grid of patches: its axes in front, elements of patches in place."""
    own = [axis % x.ndim for axis in (range(x.ndim) if axes is None else axes)]
    sizes = [size] * len(own) if isinstance(size, int) else size
    strides = sizes if stride is None else [stride] * len(own) if isinstance(stride, int) else stride
    cuts = [cut_of(x, *each, cover) for each in zip(own, sizes, strides, strict=True)]
    found = patches(x, *cuts, mode=WORDS[mode])
    elements = {axis: x.ndim + j for j, axis in enumerate(own)}
    return found.transpose([*own, *[elements.get(k, k) for k in range(x.ndim)]])


def cut(shape: tuple[int, ...], pieces: int, dtypes: Any = DTYPES, /, **arguments: Any) -> Call:
    return Call(shape, arguments, lambda x: gridded(x, **arguments), dtypes, pieces=pieces)


CALLS = [
    cut((7,), 1, size=3),
    cut((4, 6), 1, size=[2, 3]),
    cut((9, 5, 3), 1, size=[4, 2], stride=[2, 3], axes=[0, 1]),
    cut((3, 9, 5), 1, size=4, stride=1, axes=[-1, 1]),
    cut((7,), 2, size=3, stride=3, cover="all"),
    cut((7, 9, 2), 4, size=[4, 5], stride=[2, 3], axes=[1, 0], cover="all", mode="symmetric"),
    cut((5, 8), 9, size=[3, 4], stride=[2, 3], cover="same", mode="clamp"),
    cut((3,), 1, size=8, cover="all", mode="wrap"),
    cut((6, 2), 3, ("u1", "f4", "c16"), size=[4], stride=[2], axes=[0], cover="same", mode="fill"),
    cut((8, 4), 1, size=4, cover="all"),
    cut((3, 4, 5), 1, size=[], axes=[]),
    cut((0, 5), 1, size=[2], axes=[1]),
]

refuse = refuser((5, 4), size=2)
REFUSALS = [
    refuse("size must have 2 values, one for each axis of data", size=[2]),
    refuse("size must be at least 1", size=[2, 0]),
    refuse("stride must be at least 1", stride=0),
    refuse("stride must be at most the size 2 for cover 'all', .*, got 3", stride=3, cover="all"),
    refuse(r"axes must be in -2\.\.1", axes=[2]),
    refuse("axes must name each axis once", axes=[1, 1]),
    refuse("cover must be one of valid, same, all", cover="full"),
    refuse("mode must be one that reads beyond data", size=3, cover="all", mode="strict_bounds"),
    refuse("size must give at most 4096 pieces", ValueError, (200, 200), size=70, stride=1, cover="same"),
    refuse("fill_value must be given in mode", fill_value=0),
]

test_patches = contract(fo.patches, CALLS, REFUSALS)


def test_random_grids_and_their_folds() -> None:
    rng = Random(0)
    for _ in range(300):
        shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
        x = np.arange(np.prod(shape)).astype(rng.choice(["f4", "f8", "c8"])).reshape(shape)
        axes = rng.sample(range(x.ndim), rng.randint(1, x.ndim))
        size = [rng.randint(1, 6) for _ in axes]
        cover: Any = rng.choice(["valid", "same", "all"])
        stride = [rng.randint(1, n if cover == "all" else 5) for n in size]
        mode: Any = rng.choice(list(WORDS))
        with noted(shape, axes, size, stride, cover, mode):
            if cover == "valid" and any(n > shape[axis] for n, axis in zip(size, axes, strict=True)):
                assert 0 in fo.patches(x, size, stride, axes=axes).shape
                continue
            found = fo.patches(x, size, stride, axes=axes, mode=mode, cover=cover)
            np.testing.assert_array_equal(found, gridded(x, size, stride, axes, mode, cover), strict=True)
            if cover == "valid" or any(s > n for s, n in zip(stride, size, strict=True)):
                continue
            # Whatever is padded, and however often an element is there.
            for reduce in ("overwrite", "mean"):
                back = fo.fold(found, shape, stride, axes=axes, cover=cover, reduce=reduce)  # type: ignore[arg-type]
                np.testing.assert_allclose(back, x, rtol=0 if x.dtype != np.float64 else 1e-15)


@pytest.mark.skipif(not has_torch(), reason="needs PyTorch")
def test_valid_patches_are_those_of_pytorch() -> None:
    torch = import_module("torch")
    x = torch.arange(2 * 11 * 13).reshape(2, 11, 13)
    expected = x.unfold(1, 4, 3).unfold(2, 5, 2).permute(1, 2, 0, 3, 4)
    assert torch.equal(fo.patches(x, [4, 5], [3, 2], axes=[1, 2]), expected)  # type: ignore[call-overload]
