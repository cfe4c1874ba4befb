"""Folds of patches, by overwriting, sums and means, against loops over all elements."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import DTYPES, Array, Call, contract, has_torch
from tests.helpers.seeds import noted
from tests.ops._tables import refuse


def placed(x: Array, shape: Any, stride: Any, axes: Any, cover: str) -> Any:
    """Yield the place in the result and the value of each element of patches, patch after patch."""
    rank = len(shape)
    own = [axis % rank for axis in (range(rank) if axes is None else axes)]
    k = len(own)
    sizes = [x.shape[k + axis] for axis in own]
    steps = sizes if stride is None else [stride] * k if isinstance(stride, int) else stride
    before = [0] * k
    if cover == "same":
        before = [max((x.shape[j] - 1) * steps[j] + sizes[j] - shape[axis], 0) // 2 for j, axis in enumerate(own)]
    for index in np.ndindex(x.shape):
        place = list(index[k:])
        for j, axis in enumerate(own):
            place[axis] += index[j] * steps[j] - before[j]
        if all(0 <= at < n for at, n in zip(place, shape, strict=True)):
            yield tuple(place), x[index]


def folded(
    x: Array, shape: Any, stride: Any = None, axes: Any = None, cover: str = "valid", reduce: str = "overwrite"
) -> Array:
    result = np.zeros(shape, x.dtype)
    if reduce == "overwrite":
        for place, value in placed(x, shape, stride, axes, cover):
            result[place] = value
        return result
    sums, counts = np.zeros(shape, "c16" if x.dtype.kind == "c" else "f8"), np.zeros(shape)
    for place, value in placed(x, shape, stride, axes, cover):
        sums[place] += value
        counts[place] += 1
    return (sums / np.maximum(counts, 1) if reduce == "mean" else sums).astype(x.dtype)


def fold(patches: tuple[int, ...], pieces: int, /, **arguments: Any) -> Call:
    return Call(patches, arguments, lambda x: folded(x, **arguments), DTYPES, pieces=pieces)


test_fold = contract(fo.fold, (2, 4), shape=[8])(
    fold((3, 4), 1, shape=[12]),
    fold((2, 3, 2, 3), 1, shape=[4, 9]),
    fold((2, 3), 2, shape=[7]),
    fold((3, 4), 2, shape=[8], stride=[2]),
    fold((4, 3), 2, shape=[7], stride=2, cover="same"),
    fold((3, 2, 4, 3, 5), 4, shape=[8, 3, 7], stride=[2, 2], axes=[0, -1]),
    fold((2, 2, 3, 2), 2, shape=[5, 4], stride=[2, 2], axes=[0, 1], cover="all"),
    fold((3, 2), 2, shape=[13], stride=5),
    fold((0, 4), 1, shape=[3]),
    fold((4, 5), 1, shape=[4, 5], axes=[]),
    fold((1, 2, 0), 1, shape=[2, 0], axes=[0]),
    refuse("data must have 4 axes: 2 that count patches, and 2 of a patch", shape=[8, 8]),
    refuse(r"data must have shape \(1, 4\), that of patches of data of shape \(7,\), got \(2, 4\)", shape=[7]),
    refuse("data must have patches of at least 1 element", ValueError, (0, 0)),
    refuse("shape must be a list of integers in 0", shape=[-1]),
    refuse("reduce must be one of overwrite, sum, mean", reduce="max"),
    refuse("copy must be True for reduce 'sum'", reduce="sum", copy=None),
)


def test_random_sums_and_means() -> None:
    rng = Random(0)
    types = ("f2", "f4", "f8", "c8", ">f4", ml_dtypes.bfloat16)
    for _ in range(150):
        shape = [rng.randint(1, 7) for _ in range(rng.randint(1, 3))]
        axes = rng.sample(range(len(shape)), rng.randint(1, len(shape)))
        size, stride = [rng.randint(1, 4) for _ in axes], [rng.randint(1, 4) for _ in axes]
        cover: Any = rng.choice(["valid", "same"])
        reduce: Any = rng.choice(["sum", "mean", "overwrite"])
        cut = fo.patches(np.zeros(shape), size, stride, axes=axes, cover=cover)
        x = np.array([rng.random() for _ in range(cut.size)]).reshape(cut.shape).astype(rng.choice(types))
        with noted(shape, axes, size, stride, cover, reduce, x.dtype):
            expected = folded(x, shape, stride, axes, cover, reduce)
            result = fo.fold(x, shape, stride, axes=axes, cover=cover, reduce=reduce)
            assert (result.dtype, result.tobytes()) == (expected.dtype, expected.tobytes())


def test_sums_are_written_where_the_patches_were() -> None:
    memory = np.arange(12, dtype=np.float32)
    data, expected = memory.reshape(3, 4), folded(memory.reshape(3, 4), [8], 2, reduce="sum")
    assert fo.fold(data, [8], 2, reduce="sum", out=memory[2:10]) is not None
    np.testing.assert_array_equal(memory[2:10], expected)
    if has_torch():
        tensor: Any = import_module("torch").arange(12.0).reshape(3, 4)
        np.testing.assert_array_equal(fo.fold(tensor, [8], 2, reduce="sum").numpy(), expected)
    with pytest.raises(fo.DTypeError, match="fold: data must be of floats or complex numbers for reduce 'mean'"):
        fo.fold(np.arange(4).reshape(2, 2), [4], reduce="mean")
    with pytest.raises(fo.AttributeValueError, match="reduce must be 'overwrite' for data that is not in memory"):
        fo.fold(import_module("dask.array").ones((2, 2)), [4], reduce="sum")
