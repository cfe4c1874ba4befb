"""Large moves of images, frames and tensors of attention: what the bandwidth suite times."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import Case, Size
from benchmarks.cases._moves import pad_functions
from benchmarks.cases._sizes import (
    cropped_size,
    frames_size,
    halved_frames_size,
    halved_size,
    heads_size,
    padded_size,
    square_size,
    window_size,
)


def _crop(size: Size) -> dict[str, Any]:
    height, width = size.shape[2:]
    top, left = (height - size.amount) // 2, (width - size.amount) // 2
    end = [0, 0, top + size.amount, left + size.amount]
    return {"begin": [0, 0, top, left], "end": end, "begin_mask": [1, 1], "end_mask": [1, 1]}


def _cropped(data: NDArray[Any], size: Size) -> NDArray[Any]:
    height, width = data.shape[2:]
    top, left = (height - size.amount) // 2, (width - size.amount) // 2
    return data[:, :, top : top + size.amount, left : left + size.amount]


def _whole_axes(strides: list[int]) -> dict[str, Any]:
    """Attributes that take whole axes at these strides."""
    masks = [1] * len(strides)
    return {"begin": [0] * len(strides), "end": [0] * len(strides), "strides": strides} | {
        "begin_mask": masks,
        "end_mask": masks,
    }


def _window(size: Size) -> dict[str, Any]:
    length = size.shape[2] // 2
    ends = {"begin": [0, 0, size.amount], "end": [0, 0, size.amount + length]}
    return ends | {"begin_mask": [1, 1, 0], "end_mask": [1, 1, 0]}


def _pad_case(name: str, mode: str, dtype: str, full: Size, small: Size) -> Case:
    return Case(name, "bandwidth", "slice", dtype, full, small, *pad_functions(mode), sized=padded_size)


_IMAGES, _SMALL_IMAGES = (8, 3, 1080, 1920), (2, 3, 20, 30)
_FRAMES, _SMALL_FRAMES = (16, 1080, 1920, 3), (4, 9, 14, 3)
_PADDED, _SMALL_PADDED = Size((16, 3, 512, 512), 16), Size((2, 3, 11, 13), 4)

LARGE_CASES = (
    Case(
        "crop_f32",
        "bandwidth",
        "strided_slice",
        "float32",
        Size(_IMAGES, 1024),
        Size(_SMALL_IMAGES, 16),
        _crop,
        _cropped,
        sized=cropped_size,
    ),
    Case(
        "stride_2_f32",
        "bandwidth",
        "strided_slice",
        "float32",
        Size(_IMAGES),
        Size(_SMALL_IMAGES),
        lambda _size: _whole_axes([1, 1, 2, 2]),
        lambda data, _size: data[:, :, ::2, ::2],
        sized=halved_size,
    ),
    Case(
        "horizontal_flip_f32",
        "bandwidth",
        "strided_slice",
        "float32",
        Size(_IMAGES),
        Size(_SMALL_IMAGES),
        lambda _size: _whole_axes([1, 1, 1, -1]),
        lambda data, _size: data[..., ::-1],
        sized=square_size,
    ),
    Case(
        "bgr_to_rgb_u8",
        "bandwidth",
        "strided_slice",
        "uint8",
        Size(_FRAMES),
        Size(_SMALL_FRAMES),
        lambda _size: _whole_axes([1, 1, 1, -1]),
        lambda data, _size: data[..., ::-1],
        sized=frames_size,
    ),
    Case(
        "stride_2_nhwc_u8",
        "bandwidth",
        "strided_slice",
        "uint8",
        Size(_FRAMES),
        Size(_SMALL_FRAMES),
        lambda _size: _whole_axes([1, 2, 2]),
        lambda data, _size: data[:, ::2, ::2],
        sized=halved_frames_size,
    ),
    Case(
        "every_2nd_frame_u8",
        "bandwidth",
        "strided_slice",
        "uint8",
        Size(_FRAMES),
        Size(_SMALL_FRAMES),
        lambda _size: _whole_axes([2]),
        lambda data, _size: data[::2],
    ),
    Case(
        "kv_cache_window_f16",
        "bandwidth",
        "strided_slice",
        "float16",
        Size((2, 32, 4096, 128), 1024),
        Size((2, 4, 24, 8), 6),
        _window,
        lambda data, size: data[:, :, size.amount : size.amount + data.shape[2] // 2],
        sized=window_size,
    ),
    _pad_case("pad_reflect_f32", "reflect", "float32", _PADDED, _SMALL_PADDED),
    _pad_case("pad_clamp_f32", "clamp", "float32", _PADDED, _SMALL_PADDED),
    _pad_case("pad_fill_f32", "fill", "float32", _PADDED, _SMALL_PADDED),
    _pad_case("pad_wrap_f32", "wrap", "float32", _PADDED, _SMALL_PADDED),
    _pad_case("pad_reflect_u8", "reflect", "uint8", Size((64, 3, 512, 512), 16), _SMALL_PADDED),
    Case(
        "qkv_split_f32",
        "bandwidth",
        "variadic_split",
        "float32",
        Size((8, 1024, 3072)),
        Size((2, 5, 12)),
        lambda size: {"axis": -1, "split_lengths": [size.shape[-1] // 3] * 3},
        lambda data, _size: np.split(data, 3, axis=-1),
        sized=heads_size,
    ),
)
