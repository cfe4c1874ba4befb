"""A fill value for each channel, in slices, pads and windows; and windows that are mirrored: by loops over elements."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import dask.array as da
import h5py
import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import LAYOUTS, lay_out
from tests.helpers.contract import Array, has_torch
from tests.helpers.seeds import noted, scale

RECORD = np.dtype([("a", "u1"), ("b", ">i2")])
DTYPES = ("u1", "f4", ">f4", "f8", "i2", "c16", "?", "m8[s]", "S3", ml_dtypes.bfloat16, RECORD)


def window_of(x: Array, start: Any, size: Any, stride: Any, flips: Any, fill: Any, axis: int) -> Array:
    """Return a window, of which each index along an axis has a fill value."""
    result = np.empty(size, x.dtype)
    for index in np.ndindex(*size):
        steps = [n - 1 - i if flip else i for i, n, flip in zip(index, size, flips, strict=True)]
        read = [s + i * t for s, i, t in zip(start, steps, stride, strict=True)]
        is_inside = all(0 <= at < extent for at, extent in zip(read, x.shape, strict=True))
        result[index] = x[tuple(read)] if is_inside else fill[index[axis]]
    return result


def some(rng: Random, shape: Any, dtype: Any) -> Array:
    return np.array([rng.randrange(2) for _ in range(int(np.prod(shape)))], "u1").astype(dtype).reshape(shape)


def draw(rng: Random) -> tuple[Array, Any, int]:
    """Draw an array of three axes, its fill values, and their axis, often the last one of whole pixels."""
    dtype, axis = np.dtype(rng.choice(DTYPES)), rng.choice([0, 1, 2, 2, 2])
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 5) for _ in range(3)]
    values = lay_out(some(rng, shape, dtype), rng.choice(LAYOUTS))
    return values, dtype, axis


def test_slices_and_windows_fill_channels() -> None:
    rng = Random(0)
    for _ in range(scale(400, 4000)):
        x, dtype, axis = draw(rng)
        n = rng.choice([1, 1, 2, 5])
        starts = [[rng.randint(-3, 4) for _ in range(3)] for _ in range(n)]
        strides = [[rng.choice([1, 1, -1, 2, 0]) for _ in range(3)] for _ in range(n)]
        size, flips = [rng.randint(0, 5) for _ in range(3)], [[rng.random() < 0.4 for _ in range(3)] for _ in range(n)]
        axes = [0, 1, 2]
        if rng.random() < 0.7:
            # Channels are taken whole, and not named.
            size[axis] = x.shape[axis]
            for own, zero in ((starts, 0), (strides, 1), (flips, False)):
                for row in own:
                    row[axis] = zero
            axes.remove(axis)
        fill = some(rng, [size[axis]], dtype)
        with noted(x.shape, x.strides, dtype, axis, starts, strides, size, flips, axes):
            expected = np.empty((n, *size), dtype)
            for i, row in enumerate(zip(starts, strides, flips, strict=True)):
                expected[i] = window_of(x, row[0], size, row[1], row[2], fill, axis)
            own_starts, own_strides, own_flips = (
                [[row[k] for k in axes] for row in each] for each in (starts, strides, flips)
            )
            options: dict[str, Any] = {"axes": axes, "mode": "fill", "channel_axis": rng.choice([axis, axis - 3])}
            options["fill_value"] = rng.choice([list, np.asarray])(fill)
            own_size = [size[k] for k in axes]
            listed = rng.random() < 0.3
            out = (
                lay_out(np.zeros(expected.shape, dtype), rng.choice(["C", "F", "permuted", "strided"]))
                if rng.random() < 0.5
                else None
            )
            result = fo.windows(
                [x] * n if listed else x, own_starts, own_size, own_strides, flip=own_flips, out=out, **options
            )
            assert out is None or result is out
            assert (result.dtype, result.tobytes()) == (dtype, expected.tobytes())
            if not any(flips[0]):
                result = fo.slice(x, own_starts[0], own_size, own_strides[0], **options)
                assert (result.dtype, result.tobytes()) == (dtype, expected[0].tobytes())
                assert result.flags.c_contiguous


def test_pads_fill_channels() -> None:
    rng = Random(1)
    for _ in range(scale(200, 2000)):
        x = some(rng, [rng.randint(1, 4) for _ in range(3)], rng.choice(["u1", "f4", ">i2", "c16"]))
        axis, pads = rng.randrange(3), [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(3)]
        if rng.random() < 0.6:
            pads[axis] = (0, 0)
        size = [low + n + high for (low, high), n in zip(pads, x.shape, strict=True)]
        fill = some(rng, [size[axis]], x.dtype)
        with noted(x.shape, x.dtype, pads, axis):
            start = [-low for low, _ in pads]
            expected = window_of(x, start, size, [1] * 3, [False] * 3, fill, axis)
            result = fo.numpy.pad(x, pads, constant_values=fill, channel_axis=axis)
            np.testing.assert_array_equal(result, expected, strict=True)


def test_other_kinds_of_data_fill_channels() -> None:
    x = np.arange(4 * 5 * 3, dtype=np.float32).reshape(4, 5, 3)
    start, size, pads = [-1, -2, 0], [6, 9, 3], ((1, 1), (2, 2), (0, 0))
    for axis, fill in ((2, (7, 8, 9)), (0, (1, 2, 3, 4, 5, 6))):
        options: dict[str, Any] = {"mode": "fill", "fill_value": fill, "channel_axis": axis}
        expected = window_of(x, start, size, [1] * 3, [False] * 3, fill, axis)
        calls: list[Any] = [
            lambda data, o=options: fo.slice(data, start, size, **o),
            lambda data, o=options: fo.windows(data, [start, start], size, **o)[1],
            lambda data, a=axis, f=fill: fo.numpy.pad(data, pads, constant_values=f, channel_axis=a),
        ]
        for call in calls:
            np.testing.assert_array_equal(call(da.from_array(x, chunks=2)).compute(scheduler="sync"), expected)
            with h5py.File("channels.h5", "w", driver="core", backing_store=False) as file:
                np.testing.assert_array_equal(call(file.create_dataset("data", data=x)), expected)
            if has_torch():
                torch = import_module("torch")
                assert torch.equal(call(torch.from_numpy(x)), torch.from_numpy(expected))


def test_views_are_given_where_nothing_is_filled() -> None:
    x = np.zeros((3, 4, 3), np.uint8)
    options: dict[str, Any] = {"mode": "fill", "fill_value": (1, 2, 3)}
    assert np.shares_memory(fo.slice(x, [1, 1, 0], [2, 2, 3], copy=None, **options), x)
    assert fo.slice(x, [-1, 0, 0], [1, 1, 3], copy=None, **options).ravel().tolist() == [1, 2, 3]
    with pytest.raises(fo.AttributeValueError, match="copy must be True or None for a result that reads out of bounds"):
        fo.slice(x, [-1, 0, 0], [1, 1, 3], copy=False, **options)
    # The output may be where data is.
    memory = np.arange(18, dtype=np.uint8)
    data, out = memory[:9].reshape(1, 3, 3), memory[3:18].reshape(1, 5, 3)
    assert fo.slice(data, [0, -1, 0], [1, 5, 3], out=out, **options).ravel().tolist() == [1, 2, 3, *range(9), 1, 2, 3]


def test_large_images_of_pixels() -> None:
    rng = np.random.default_rng(0)
    for dtype, channels, n in (
        ("u1", 3, 700),
        ("u1", 4, 300),
        ("f4", 3, 300),
        ("u2", 3, 200),
        ("f8", 3, 90),
        ("u1", 7, 90),
    ):
        image, fill = rng.integers(0, 99, (n, n, channels)).astype(dtype), rng.integers(0, 99, channels)
        for rows, columns in ((40, 50), (0, 3), (5, 0), (1, 7)):
            pads = ((rows, rows + 1), (columns, columns + 1), (0, 0))
            expected = np.empty((n + 2 * rows + 1, n + 2 * columns + 1, channels), dtype)
            expected[...] = fill
            expected[rows : rows + n, columns : columns + n] = image
            result = fo.numpy.pad(image, pads, constant_values=fill, channel_axis=-1)
            np.testing.assert_array_equal(result, expected, strict=True)


def test_what_is_wrong_with_values_of_channels() -> None:
    x = np.zeros((3, 4, 3), np.uint8)
    counted = r"must be a scalar, or a list of 3, as many as the result has along channel_axis, got"
    calls: list[Any] = [
        lambda fill, axis: fo.slice(x, [-1] * 2, [4] * 2, axes=[0, 1], mode="fill", fill_value=fill, channel_axis=axis),
        lambda fill, axis: fo.windows(x, [[-1]], [4], axes=[0], mode="fill", fill_value=fill, channel_axis=axis),
    ]
    for call in calls:
        for fill in ((1, 2), [1, 2, 3, 4], [[1, 2, 3]], np.ones((1, 3))):
            with pytest.raises(fo.AttributeValueError, match=f"fill_value {counted}"):
                call(fill, -1)
        for fill, error in (((1, 2, 300), ValueError), ([1, 2, 1.5], TypeError), ([1, 2, "a"], TypeError)):
            with pytest.raises(error, match="fill_value must be"):
                call(fill, -1)
        with pytest.raises(fo.AxisError, match=r"channel_axis must be in -3\.\.2"):
            call((1, 2, 3), 3)
        with pytest.raises(fo.DTypeError, match="channel_axis must be an integer"):
            call((1, 2, 3), 1.5)
    with pytest.raises(fo.AttributeValueError, match=f"constant_values {counted}"):
        fo.numpy.pad(x, ((1, 1), (0, 0), (0, 0)), constant_values=[1, 2], channel_axis=2)
    with pytest.raises(fo.AttributeValueError, match="channel_axis must not be given in mode edge"):
        fo.numpy.pad(x, 1, "edge", channel_axis=2)
    with pytest.raises(fo.AttributeValueError, match="channel_axis must not be axis 0, of which items are indices"):
        fo.windows(x, [[0, 0]], [1, 1], items=[0], mode="fill", fill_value=[1], channel_axis=0)


def test_which_windows_are_mirrored() -> None:
    x, starts = np.arange(20).reshape(4, 5), [[0, 1], [1, 0]]

    def cut(flip: Any, **options: Any) -> Any:
        return fo.windows(x, starts, [2, 3], flip=flip, axes=[0, 1], **options).tolist()

    plain = fo.windows(x, starts, [2, 3])
    for flip in (1, [1], -1, np.array([1]), True, [True, True], [[False, True]] * 2):
        assert cut(flip) == plain[:, :, ::-1].tolist()
    for flip in ([0, 1], (1, 0), [[True, True]] * 2):
        assert cut(flip) == plain[:, ::-1, ::-1].tolist()
    for flip in (None, False, [], [False, False]):
        assert cut(flip) == plain.tolist()
    assert cut([True, False]) == [plain[0, :, ::-1].tolist(), plain[1].tolist()]
    # Beyond data too: the same elements, mirrored.
    far = fo.windows(x, [[-2, 3]], [4, 4], [2, -1], mode="reflect")
    assert (fo.windows(x, [[-2, 3]], [4, 4], [2, -1], mode="reflect", flip=[0, 1]) == far[:, ::-1, ::-1]).all()
    wrong: list[Any] = [
        (2, r"must be in -2\.\.1"),
        ([0, 0], "must name each axis once"),
        ([True] * 3, r"must have shape \(2,\) or \(2, 2\), or name axes"),
        (1.5, "must hold axes, or booleans"),
        ("ab", "must hold axes, or booleans"),
    ]
    for flip, rule in wrong:
        with pytest.raises(fo.FastopsError, match=f"windows: flip {rule}"):
            cut(flip)
    with pytest.raises(fo.AttributeValueError, match=r"flip must have shape \(2, 2\) where axes are not named"):
        fo.windows(x, starts, [2, 3], flip=[True, False])
    with pytest.raises(fo.AttributeValueError, match="flip must name axes that windows have starts for"):
        fo.windows(x, [[0]], [2], axes=[0], flip=1)
    with pytest.raises(fo.OutOfBoundsError, match=r"starts must keep all coordinates within 2\^62"):
        fo.windows(x, [[2**62, 0]], [2, 2], mode="fill", flip=0)
