"""crop_or_pad against the oracle of slices."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import DTYPES, Array, Call, contract, has_torch
from tests.helpers.oracle import slice_
from tests.ops._tables import refuse


def fitted(
    x: Array,
    size: Any,
    axes: Any = None,
    mode: str = "fill",
    position: Any = "center",
    flip: Any = (),
    fill_value: Any = 0,
    channel_axis: int = -1,
) -> Array:
    """Return the window by the oracle of slices, channel by channel if there is a list of fill values."""
    if isinstance(fill_value, list):
        channels = np.split(x, len(fill_value), channel_axis)
        pairs = zip(channels, fill_value, strict=True)
        own = [fitted(channel, size, axes, mode, position, flip, value) for channel, value in pairs]
        return np.concatenate(own, channel_axis)
    own = [axis % x.ndim for axis in (range(x.ndim) if axes is None else axes)]
    sizes = [size] * len(own) if isinstance(size, int) else size
    flips = [axis % x.ndim for axis in ([flip] if isinstance(flip, int) else flip)]
    start, counts = [0] * x.ndim, [*x.shape]
    for j, (axis, n) in enumerate(zip(own, sizes, strict=True)):
        start[axis] = int((x.shape[axis] - n) / 2) if isinstance(position, str) else position[j]
        counts[axis] = n
    return np.flip(slice_(x, start, counts, [1] * x.ndim, mode, fill_value), flips)


def fit(shape: tuple[int, ...], dtypes: Any = DTYPES, /, **arguments: Any) -> Call:
    return Call(shape, arguments, lambda x: fitted(x, **arguments), dtypes)


test_crop_or_pad = contract(fo.crop_or_pad, (5, 4), size=[3, 3])(
    fit((5, 4), size=[3, 7]),
    fit((6, 5), size=[3, 2]),
    fit((6, 3, 4), size=5, axes=[0, 2]),
    fit((2, 7), size=4),
    fit((3, 4), size=[6, 9]),
    fit((4, 3, 2), size=[2, 6], axes=[0, 1], mode="reflect", flip=1),
    fit((2, 7, 6), size=[5, 9], axes=[-1, -2], mode="clamp", flip=[-1, 1]),
    fit((5, 4), size=[4, 6], position=[-1, -4], mode="symmetric"),
    fit((5, 4), ("u1", "f4", "c16"), size=[8], axes=[0], position=[2], fill_value=7),
    fit((5, 4), ("u1", "f4", "c16"), size=[8], axes=[0], fill_value=[7, 8, 9, 1]),
    fit((3, 4), ("u1", "f4", "c16"), size=[8], axes=[1], flip=1, fill_value=[7, 8, 9], channel_axis=-2),
    fit((7,), size=3, position=[2], flip=[0]),
    fit((4, 4), size=[4, 4]),
    fit((3, 0), size=[2, 2]),
    fit((3, 2), size=[0, 2]),
    refuse("size must have 2 values, one for each axis of data", size=[3]),
    refuse("position must be one of center, random, or starts, got 'middle'", position="middle"),
    refuse(r"position must have shape \(N, 2\)", position=[1]),
    refuse("position must hold integers only", TypeError, position=[1.5, 0]),
    refuse("rng must be given for position 'random' only", rng=0),
    refuse("rng must be a numpy.random.Generator, a seed, or None", TypeError, position="random", rng="x"),
    refuse("flip must name axes that windows have starts for", size=[3], axes=[0], flip=1),
    refuse("flip must hold axes, or booleans", TypeError, flip=1.5),
    refuse("fill_value must be given in mode fill only", mode="wrap", fill_value=1),
    refuse("position must be in 0..4 in mode strict_bounds, got -1", IndexError, size=[7, 3], mode="strict_bounds"),
)


def test_random_positions_are_drawn_as_the_docstring_says() -> None:
    sizes = [(9, 4, 3), (5, 12, 3), (2, 3, 3)]
    images = [np.arange(np.prod(size)).reshape(size) + 1 for size in sizes]
    size, extents = np.array([4, 5]), np.array(sizes)[:, :2]
    most = np.maximum(extents - size, 0)
    for seed in range(20):
        drawn = np.random.default_rng(seed).integers(0, most, endpoint=True)
        starts = np.where(extents < size, -((size - extents) // 2), drawn)
        flip = np.random.default_rng(seed).random(3) < 0.5
        options: dict[str, Any] = {"axes": [0, 1], "mode": "fill", "fill_value": (7, 8, 9)}
        result = fo.crop_or_pad(images, size, position="random", rng=seed, flip=flip, **options)
        expected = [fo.slice(each, start, size, **options) for each, start in zip(images, starts, strict=True)]
        expected = [each[:, ::-1] if own else each for each, own in zip(expected, flip, strict=True)]
        np.testing.assert_array_equal(result, expected, strict=True)
        # One image, and a generator.
        generator = np.random.default_rng(seed)
        start = np.random.default_rng(seed).integers(0, most[:1], endpoint=True)[0]
        one = fo.crop_or_pad(images[0], size, position="random", rng=generator, flip=bool(flip[0]), **options)
        wanted = fo.slice(images[0], [start[0], 0], size, **options)
        np.testing.assert_array_equal(one, wanted[:, ::-1] if flip[0] else wanted)
    assert fo.crop_or_pad(np.arange(9), 3, position="random").tolist() in [[n, n + 1, n + 2] for n in range(7)]


def test_plans_draw_nothing() -> None:
    with pytest.raises(fo.AttributeValueError, match="crop_or_pad: position must be center, or starts"):
        fo.plan.crop_or_pad((5, 4), [3, 3], position="random")
    with pytest.raises(fo.OutOfBoundsError, match=r"crop_or_pad: position must be in 0\.\.3 in mode strict_bounds"):
        fo.plan.crop_or_pad((5, 4), [3, 3], position=[0, 5], mode="strict_bounds")


def test_lists_of_images_are_one_batch() -> None:
    images = [np.ones((n, 3), np.float32) for n in (2, 5, 4)]
    batch = fo.crop_or_pad(images, [4, 4], position=[[0, 0], [1, 0], [0, -1]])
    assert batch.sum((1, 2)).tolist() == [6, 12, 12]
    with pytest.raises(fo.AttributeValueError, match="crop_or_pad: copy must be True for a list of arrays"):
        fo.crop_or_pad(images, [4, 4], copy=None)
    with pytest.raises(fo.AttributeValueError, match=r"crop_or_pad: position must have shape \(3, 2\)"):
        fo.crop_or_pad(images, [4, 4], position=[[0, 0]])
    with pytest.raises(fo.AttributeValueError, match="crop_or_pad: data must have arrays of one rank"):
        fo.crop_or_pad([np.ones(3), np.ones((2, 2))], [4], axes=[0])
    if has_torch():
        torch = import_module("torch")
        found: Any = fo.crop_or_pad([torch.from_numpy(each) for each in images], [4, 4])
        assert torch.equal(found, torch.from_numpy(fo.crop_or_pad(images, [4, 4])))
