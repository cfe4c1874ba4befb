"""patches and frame against sliding windows of np.pad, and folds against loops over all elements."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import DTYPES, Array, Call, contract, has_torch
from tests.helpers.oracle import PAD_MODES, Cut, cut_same, patches
from tests.helpers.processes import peak_of
from tests.helpers.seeds import noted
from tests.ops._tables import refuse


def cut_of(x: Array, axis: int, size: int, stride: int, cover: str) -> Cut:
    if cover == "same":
        return cut_same(x, axis, size, stride)
    behind = max(size - x.shape[axis], (size - x.shape[axis]) % stride) if cover == "all" else 0
    return Cut(axis, size, stride, 1, 0, behind)


def gridded(
    x: Array, size: Any, stride: Any = None, axes: Any = None, mode: str = "reflect", cover: str = "valid"
) -> Array:
    """Return the grid of patches: the axes of the grid come first, and the axes of elements stay in place."""
    own = [axis % x.ndim for axis in (range(x.ndim) if axes is None else axes)]
    sizes = [size] * len(own) if isinstance(size, int) else size
    strides = sizes if stride is None else [stride] * len(own) if isinstance(stride, int) else stride
    cuts = [cut_of(x, *each, cover) for each in zip(own, sizes, strides, strict=True)]
    found = patches(x, *cuts, mode=PAD_MODES[mode])
    elements = {axis: x.ndim + j for j, axis in enumerate(own)}
    return found.transpose([*own, *[elements.get(k, k) for k in range(x.ndim)]])


def cut(shape: tuple[int, ...], pieces: int, dtypes: Any = DTYPES, /, **arguments: Any) -> Call:
    return Call(shape, arguments, lambda x: gridded(x, **arguments), dtypes, pieces=pieces)


test_patches = contract(fo.patches, (5, 4), size=2)(
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
    refuse("size must have 2 values, one for each axis of data", size=[2]),
    refuse("stride must be at most the size 2 for cover 'all', .*, got 3", stride=3, cover="all"),
    refuse("mode must not be strict_bounds for patches", size=3, cover="all", mode="strict_bounds"),
    refuse("fill_value must be given in mode", fill_value=0),
)


def test_patches_of_many_pieces_read_padded_data() -> None:
    large = np.arange(75 * 71, dtype="u1").reshape(75, 71)
    # Plans may not have so many pieces.
    found = fo.patches(large, [70, 80], 1, cover="same")
    np.testing.assert_array_equal(found, gridded(large, [70, 80], 1, cover="same"), strict=True)
    with pytest.raises(fo.AttributeValueError, match=r"^patches: size must give at most 4096 pieces"):
        fo.plan.patches((75, 71), [70, 80], 1, cover="same")
    # All 24 patches along each axis reach beyond it, and make 576 pieces.
    fields = np.dtype([("a", "i2"), ("b", "u1")])
    for dtype, mode in (("u1", "reflect"), ("M8[s]", "symmetric"), (fields, "wrap"), (">f4", "fill")):
        x = np.arange(24 * 24, dtype="u2").reshape(24, 24, 1).astype(dtype)
        expected = gridded(x, 48, 1, [1, 0], mode, "same")
        call = partial(fo.patches, x, 48, 1, axes=[1, 0], mode=mode, cover="same")
        out = np.zeros(expected.shape[::-1], dtype).T
        for found in (call(), call(copy=None), call(out=out)):
            np.testing.assert_array_equal(found, expected, strict=True)
        assert found is out
    memory = np.zeros(expected.size, dtype)
    memory[7 : 7 + x.size] = x.ravel()
    shared = memory[7 : 7 + x.size].reshape(x.shape)
    fo.patches(shared, 48, 1, axes=[1, 0], mode="fill", cover="same", out=memory.reshape(expected.shape))
    np.testing.assert_array_equal(memory.reshape(expected.shape), expected, strict=True)
    for options, rule in (
        ({"copy": False}, "copy must be True or None for a result that reads out of bounds"),
        ({"copy": False, "out": out}, "copy must be True or None for a result written into out"),
        ({"copy": 3}, "copy must be True, False or None, got 3"),
        ({"out": out[1:]}, "out must have shape"),
        ({"fill_value": "a"}, "fill_value must"),
    ):
        with pytest.raises(fo.FastopsError, match=f"^patches: {rule}"):
            call(**options)
    filled = fo.patches(large[:24, :24], 48, 1, mode="fill", fill_value=7, cover="same")
    inside = gridded(np.ones_like(large[:24, :24]), 48, 1, mode="fill", cover="same")
    expected = np.where(inside, gridded(large[:24, :24], 48, 1, mode="fill", cover="same"), 7).astype("u1")
    np.testing.assert_array_equal(filled, expected, strict=True)


def test_patches_of_elements_that_lie_far_apart_need_little_memory() -> None:
    image = np.arange(1, 300 * 300 + 1, dtype="u4").reshape(1, 300, 300, 1)
    call = partial(fo.tensorflow.extract_patches, image, [1, 20, 20, 1], [1, 7, 7, 1], [1, 2**40, 2**40, 1], "SAME")
    found, peak = peak_of(call)
    assert peak < 4 * found.nbytes
    # Along rows and columns, the image lies between the two middle elements of each patch, so no patch reads an element
    # of it.
    assert found.shape == (1, 43, 43, 400)
    assert not found.any()
    x = np.arange(1, 601, dtype="u2").reshape(1, 600, 1, 1)
    rows = fo.tensorflow.extract_patches(x, [1, 3, 1, 1], [1, 1, 1, 1], [1, 2**40, 1, 1], "SAME")
    np.testing.assert_array_equal(rows[0, :, 0], np.pad(x[0, :, 0], ((0, 0), (1, 1))))


def framed(x: Array, length: int, hop: int, axis: int = -1, mode: str = "", fill_value: int = 0) -> Array:
    """Return the frames; centered ones if there is a mode."""
    k, pads = axis % x.ndim, length // 2 if mode else 0
    widths = [(pads, pads) if j == k else (0, 0) for j in range(x.ndim)]
    options = {"constant_values": fill_value} if mode == "fill" else {}
    padded = np.pad(x, widths, PAD_MODES[mode or "reflect"], **options)  # type: ignore[call-overload]
    return np.moveaxis(patches(padded, Cut(k, length, hop)), -1, k if axis < 0 else k + 1)


def frames(shape, length, hop, axis=-1, pieces=1, dtypes=DTYPES, **centered):
    arguments = {"frame_length": length, "hop_length": hop, "axis": axis}
    if centered:
        arguments |= {"center": True, **centered}
    return Call(shape, arguments, lambda x: framed(x, length, hop, axis, **centered), dtypes, pieces=pieces)


test_frame = contract(fo.frame, (5,), frame_length=2, hop_length=1)(
    Call((10,), {"frame_length": 4, "hop_length": 3}, lambda x: framed(x, 4, 3), pieces=1),
    frames((10,), 4, 3, 0),
    frames((2, 11), 3, 5),
    frames((11, 2), 5, 2, 0),
    frames((3, 9, 2), 5, 2, -2),
    frames((3, 9, 2), 4, 2, 1),
    frames((2, 11), 6, 2, pieces=4, mode="reflect"),
    frames((11,), 5, 4, 0, pieces=2, mode="clamp"),
    frames((3,), 9, 2, pieces=2, mode="wrap"),
    frames((4,), 2, 1, pieces=3, dtypes=("u1", "f4", "c16"), mode="fill", fill_value=7),
    frames((5,), 1, 2, mode="reflect"),
    frames((0, 5), 3, 1),
    refuse("x must have at least one axis", ValueError, ()),
    refuse("frame_length must be at most 5, .*, got 6", frame_length=6),
    refuse("center must be True or False", TypeError, center=1),
    refuse("mode must not be strict_bounds for centered", center=True, mode="strict_bounds"),
    refuse("mode must be fill for a signal of no samples, got 'edge'", ValueError, (0,), center=True, mode="edge"),
    refuse("fill_value must be given in mode", fill_value=0),
)


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
