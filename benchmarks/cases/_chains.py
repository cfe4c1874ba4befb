"""Chains and layouts: plans that split, reorder and merge axes, and plans that several stages make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]

#: Pixels that an augmentation adds on each side of an image.
AUGMENT_PAD = 16

# How many pixels the crop of an augmentation reaches beyond the image, at the top and at the right: fewer than the pad.
_BEYOND = 12


@dataclass(frozen=True)
class Chain:
    """One plan, and NumPy's way to the same result.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    dtype : str
    full, small : tuple of int
        The shapes of the data that benchmarks time, and of the data that tests check.
    create : callable
        Returns the plan, from fastops and a shape.
    expected : callable
        Returns NumPy's result for data; a view where NumPy can give one.
    split, order : callable, tuple of int
        For cases that only split, reorder and merge axes: the extents that a shape is split into, and their order.
    """

    name: str
    dtype: str
    full: Shape
    small: Shape
    create: Callable[[Any, Shape], Any]
    expected: Callable[[NDArray[Any]], NDArray[Any]]
    split: Callable[[Shape], Shape] | None = None
    order: Shape = ()

    def plan(self, library: ModuleType, shape: Shape) -> Any:
        """Return the plan of data of a shape.

        Raises
        ------
        NotImplementedError
            That version of fastops does not have this plan yet.
        """
        try:
            return self.create(library, shape)
        except AttributeError as error:
            raise NotImplementedError(f"{library.__name__} has no plan of {self.name}") from error

    def data(self, shape: Shape) -> NDArray[Any]:
        """Return data of small whole numbers, which repeat after 251 elements."""
        return np.resize(np.arange(251, dtype=self.dtype), shape)


def _layout(
    name: str,
    dtype: str,
    full: Shape,
    small: Shape,
    split: Callable[[Shape], Shape],
    order: Shape,
    create: Callable[[Any, Shape], Any],
) -> Chain:
    """Return the case whose axes are split, reordered and merged."""

    def expected(data: NDArray[Any]) -> NDArray[Any]:
        return data.reshape(split(data.shape)).transpose(order)

    return Chain(name, dtype, full, small, create, expected, split, order)


def _transpose(name: str, dtype: str, full: Shape, small: Shape, order: Shape) -> Chain:
    def create(library: Any, shape: Shape) -> Any:
        return library.plan.numpy.transpose(shape, order)

    return _layout(name, dtype, full, small, tuple, order, create)


def crop_of(shape: Shape, size: int) -> tuple[slice, slice]:
    """Return the rows and columns that an augmentation crops from an image of this shape, once it is padded."""
    top = AUGMENT_PAD - _BEYOND
    left = shape[1] + AUGMENT_PAD + _BEYOND - size
    return slice(top, top + size), slice(left, left + size)


def _augment(name: str, rows: int, columns: int, size: int) -> Chain:
    """Return the case of an image that is padded by reflection, cropped, mirrored, and brought to channels first."""
    small = (40 * rows // columns, 40, 3)

    def crop(shape: Shape) -> tuple[slice, slice]:
        return crop_of(shape, size * shape[1] // columns)

    def create(library: Any, shape: Shape) -> Any:
        padded = library.plan.numpy.pad(shape, ((AUGMENT_PAD,) * 2,) * 2 + ((0, 0),), "reflect")
        return padded[crop(shape)][:, ::-1].transpose((2, 0, 1))

    def expected(data: NDArray[Any]) -> NDArray[Any]:
        padded = np.pad(data, ((AUGMENT_PAD,) * 2,) * 2 + ((0, 0),), "reflect")
        return padded[crop(data.shape)][:, ::-1].transpose(2, 0, 1)

    return Chain(name, "uint8", (rows, columns, 3), small, create, expected)


_PATCH = 16


def _patches_chw(shape: Shape) -> Shape:
    channels, rows, columns = shape
    return channels, rows // _PATCH, _PATCH, columns // _PATCH, _PATCH


def _blocks_nhwc(block: int, shape: Shape) -> Shape:
    n, rows, columns, channels = shape
    return n, rows // block, block, columns // block, block, channels


def _depth_of_nchw(shape: Shape) -> Shape:
    n, channels, rows, columns = shape
    return n, channels // 4, 2, 2, rows, columns


def _upsampled(library: Any, shape: Shape) -> Any:
    rows = library.plan.numpy.repeat(shape, 2, 0)
    return rows.then(library.plan.numpy.repeat(rows.shape, 2, 1))


#: Rows, columns and crop size of channels-last images that are padded by reflection, cropped, mirrored and transposed.
AUGMENTATIONS = {
    "augment_256_to_224": (256, 256, 224),
    "augment_512_to_448": (512, 512, 448),
    "augment_1080p_to_1024": (1080, 1920, 1024),
}

CHAIN_CASES = {
    case.name: case
    for case in (
        *[_augment(name, *sizes) for name, sizes in AUGMENTATIONS.items()],
        _transpose("transpose_4096_u8", "uint8", (4096, 4096), (40, 48), (1, 0)),
        _transpose("transpose_3000_f32", "float32", (3000, 3000), (30, 20), (1, 0)),
        _transpose("chw_to_hwc_u8", "uint8", (3, 1080, 1920), (3, 18, 32), (1, 2, 0)),
        _transpose("hwc_to_chw_u8", "uint8", (1080, 1920, 3), (18, 32, 3), (2, 0, 1)),
        _transpose("nchw_to_nhwc_f32", "float32", (8, 64, 112, 112), (2, 16, 7, 9), (0, 2, 3, 1)),
        _transpose("attention_f16", "float16", (8, 512, 16, 64), (2, 12, 4, 8), (0, 2, 1, 3)),
        _layout(
            "pixel_shuffle_f32",
            "float32",
            (16, 64, 64, 64),
            (2, 8, 5, 7),
            _depth_of_nchw,
            (0, 1, 4, 2, 5, 3),
            lambda library, shape: library.plan.onnx.depth_to_space(shape, 2, mode="CRD"),
        ),
        _layout(
            "patches_nhwc_u8",
            "uint8",
            (8, 512, 512, 3),
            (1, 32, 48, 3),
            partial(_blocks_nhwc, _PATCH),
            (0, 1, 3, 2, 4, 5),
            lambda library, shape: library.plan.tensorflow.space_to_depth(shape, _PATCH),
        ),
        _layout(
            "patches_chw_f32",
            "float32",
            (3, 1024, 1024),
            (3, 32, 48),
            _patches_chw,
            (1, 3, 0, 2, 4),
            lambda library, shape: library.plan.torch.pixel_unshuffle(shape, _PATCH).transpose((1, 2, 0)),
        ),
        _layout(
            "space_to_depth_nhwc_f32",
            "float32",
            (16, 128, 128, 64),
            (2, 8, 6, 4),
            partial(_blocks_nhwc, 2),
            (0, 1, 3, 2, 4, 5),
            lambda library, shape: library.plan.tensorflow.space_to_depth(shape, 2),
        ),
        Chain(
            "rot90_hwc_u8",
            "uint8",
            (1080, 1920, 3),
            (18, 32, 3),
            lambda library, shape: library.plan.numpy.rot90(shape),
            np.rot90,
        ),
        Chain(
            "upsample_hwc_u8",
            "uint8",
            (1080, 1920, 3),
            (18, 32, 3),
            _upsampled,
            lambda data: data.repeat(2, 0).repeat(2, 1),
        ),
    )
}


def result_of(chain: Chain, data: NDArray[Any], plan: Any) -> NDArray[Any]:
    """Return NumPy's result in the shape of the plan's result."""
    expected = np.ascontiguousarray(chain.expected(data))
    assert expected.size == prod(plan.shape)
    return expected.reshape(plan.shape)
