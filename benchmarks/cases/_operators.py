"""Cases of single operators: large moves, each mode at each width, ranges, tiny calls, and other layouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product, starmap
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import MIB, Case, Size, pad_functions, split_functions, view_functions

Array = NDArray[Any]
Shape = tuple[int, ...]

_S, _ALL, _BACK = np.s_, slice(None), slice(None, None, -1)


# Each function returns a size whose outputs have about ``elements`` elements. Most outputs consist of six squares,
# whose side `_side` returns.


def _side(elements: int) -> int:
    return max(isqrt(elements // 6), 4)


def _cropped_size(elements: int) -> Size:
    side = _side(elements)
    return Size((2, 3, side + 13, side + 29), side)


def _padded_size(elements: int) -> Size:
    side = _side(elements)
    # A pad of 16 if most of the output is still the image.
    pad = 16 if side > 100 else 1
    return Size((2, 3, side - 2 * pad, side - 2 * pad), pad)


def _square_size(elements: int) -> Size:
    return Size((2, 3, _side(elements), _side(elements)))


def _halved_size(elements: int) -> Size:
    return Size((2, 3, 2 * _side(elements), 2 * _side(elements) - 1))


def _frames_size(elements: int) -> Size:
    return Size((2, _side(elements), _side(elements), 3))


def _halved_frames_size(elements: int) -> Size:
    return Size((2, 2 * _side(elements), 2 * _side(elements) - 1, 3))


def _tokens_size(elements: int) -> Size:
    length = max(elements // 512, 4)
    return Size((2, 4, length, 128), length // 4)


def _heads_size(elements: int) -> Size:
    return Size((2, max(elements // 1536, 1), 768))


# Large moves of images, frames and tensors of attention.


def _crop(size: Size) -> dict[str, Any]:
    top, left = [(extent - size.amount) // 2 for extent in size.shape[2:]]
    end = [0, 0, top + size.amount, left + size.amount]
    return {"begin": [0, 0, top, left], "end": end, "begin_mask": [1, 1], "end_mask": [1, 1]}


def _cropped(data: Array, size: Size) -> Array:
    top, left = [(extent - size.amount) // 2 for extent in data.shape[2:]]
    return data[:, :, top : top + size.amount, left : left + size.amount]


def _tokens(size: Size) -> dict[str, Any]:
    ends = {"begin": [0, 0, size.amount], "end": [0, 0, size.amount + size.shape[2] // 2]}
    return ends | {"begin_mask": [1, 1, 0], "end_mask": [1, 1, 0]}


_IMAGES, _SMALL_IMAGES = (8, 3, 1080, 1920), (2, 3, 20, 30)
_FRAMES, _SMALL_FRAMES = (16, 1080, 1920, 3), (4, 9, 14, 3)


def _large(
    name: str,
    operator: str,
    dtype: str,
    full: Size,
    small: Size,
    functions: tuple[Any, Any],
    sized: Callable[[int], Size] | None,
) -> Case:
    return Case(name, "bandwidth", operator, dtype, full, small, *functions, sized)


def _large_view(name: str, dtype: str, full: Shape, small: Shape, index: tuple[slice, ...], sized: Any) -> Case:
    return _large(name, "strided_slice", dtype, Size(full), Size(small), view_functions(*index), sized)


def _large_pad(mode: str, short: str, count: int) -> Case:
    full, small = Size((count, 3, 512, 512), 16), Size((2, 3, 11, 13), 4)
    name = f"pad_{mode}_{short}"
    return _large(name, "slice", GRID_DTYPES[short], full, small, pad_functions(mode), _padded_size)


#: Types of 1, 2, 4, 8 and 16 bytes, by the names that cases have for them.
GRID_DTYPES = {"u8": "uint8", "u16": "uint16", "f32": "float32", "f64": "float64", "c128": "complex128"}

_CROP, _SMALL_CROP = Size(_IMAGES, 1024), Size(_SMALL_IMAGES, 16)
_CACHE, _SMALL_CACHE = Size((2, 32, 4096, 128), 1024), Size((2, 4, 24, 8), 6)
_HEADS, _SMALL_HEADS = Size((8, 1024, 3072)), Size((2, 5, 12))
_KEPT_TOKENS = (_tokens, lambda data, size: data[:, :, size.amount : size.amount + data.shape[2] // 2])
_HALVED = (_ALL, _ALL, _S[::2], _S[::2])
_MIRRORED = (_ALL, _ALL, _ALL, _BACK)

LARGE_CASES = (
    _large("crop_f32", "strided_slice", "float32", _CROP, _SMALL_CROP, (_crop, _cropped), _cropped_size),
    _large_view("stride_2_f32", "float32", _IMAGES, _SMALL_IMAGES, _HALVED, _halved_size),
    _large_view("horizontal_flip_f32", "float32", _IMAGES, _SMALL_IMAGES, _MIRRORED, _square_size),
    _large_view("bgr_to_rgb_u8", "uint8", _FRAMES, _SMALL_FRAMES, _MIRRORED, _frames_size),
    _large_view("stride_2_nhwc_u8", "uint8", _FRAMES, _SMALL_FRAMES, _S[:, ::2, ::2], _halved_frames_size),
    _large_view("every_2nd_frame_u8", "uint8", _FRAMES, _SMALL_FRAMES, (_S[::2],), None),
    _large("kv_cache_window_f16", "strided_slice", "float16", _CACHE, _SMALL_CACHE, _KEPT_TOKENS, _tokens_size),
    *[_large_pad(mode, "f32", 16) for mode in ("reflect", "clamp", "fill", "wrap")],
    _large_pad("reflect", "u8", 64),
    _large(
        "qkv_split_f32", "variadic_split", "float32", _HEADS, _SMALL_HEADS, split_functions(-1, (1,) * 3), _heads_size
    ),
)


# Each mode at each width. Cases that are large cases too are taken from there.


def _window(size: Size) -> dict[str, Any]:
    return {"start": [5, 7], "size": [size.amount, size.amount], "axes": [2, 3]}


def _windowed(data: Array, size: Size) -> Array:
    return data[:, :, 5 : 5 + size.amount, 7 : 7 + size.amount]


# The operator, the sizes, and the functions of each kind.
_KINDS: dict[str, tuple[str, Callable[[int], Size], tuple[Any, Any]]] = {
    "window": ("slice", _cropped_size, (_window, _windowed)),
    **{
        f"pad_{mode}": ("slice", _padded_size, pad_functions(mode))
        for mode in ("wrap", "clamp", "fill", "reflect", "symmetric")
    },
    "stride_2": ("strided_slice", _halved_size, view_functions(*_HALVED)),
    "reverse": ("strided_slice", _square_size, view_functions(*_MIRRORED)),
    "split_3": ("variadic_split", _heads_size, split_functions(2, (1, 1, 1))),
}

#: The kinds of the grid; a window is `slice` in mode strict_bounds.
GRID_KINDS = tuple(_KINDS)


def _grid_case(kind: str, short: str) -> Case:
    (operator, sized, functions), dtype = _KINDS[kind], GRID_DTYPES[short]
    full, small = sized(64 * MIB // np.dtype(dtype).itemsize), sized(1000)
    return Case(f"{kind}_{short}", "grid", operator, dtype, full, small, *functions, sized=sized)


_LARGE_NAMES = {case.name for case in LARGE_CASES}
GRID_CASES = tuple(
    [case for case in starmap(_grid_case, product(_KINDS, GRID_DTYPES)) if case.name not in _LARGE_NAMES]
)


# Ranges of 20 million elements.


def _range_case(name: str, dtype: str, start: float, step: float) -> Case:
    def attributes(size: Size) -> dict[str, Any]:
        # Half a step short of the next element, so that no rounding of stop changes the count.
        stop = start + (2 * size.shape[0] - 1) * step / 2
        return {"start": start, "stop": stop, "step": step, "output_type": dtype}

    def expected(positions: Array, _size: Size) -> Array:
        # Floats of less than 32 bits are computed in 32, and rounded once more.
        number = np.dtype("float32" if dtype == "float16" else dtype).type
        values: Array = number(start) + positions.astype(number) * number(step)
        return values.astype(dtype, copy=False)

    full, small = Size((20_000_000,)), Size((1_000,))
    return Case(name, "ranges", "range", dtype, full, small, attributes, expected, lambda n: Size((n,)))


RANGE_CASES = (
    _range_case("range_f32", "float32", 0.5, 0.1),
    _range_case("range_i64", "int64", -7, 3),
    _range_case("range_i32", "int32", -7, 3),
    _range_case("range_f64", "float64", 0.5, 0.1),
    # The last element is 40,000.5, which float16 can hold.
    _range_case("range_f16", "float16", 0.5, 0.002),
    # Modulo 256.
    _range_case("range_u8", "uint8", 5, 3),
)


# Tiny calls: all of their time passes before and after the kernel.


def _tiny(name: str, operator: str, shape: Shape, attributes: dict[str, Any], expected: Callable[[Array], Any]) -> Case:
    size = Size(shape)
    return Case(name, "latency", operator, "float32", size, size, lambda _: attributes, lambda data, _: expected(data))


_PADDED = {"start": [-2, -2], "size": [12, 12], "axes": [0, 1], "mode": "reflect"}
_HUNDRED = {"start": 0, "stop": 100, "step": 1, "output_type": "float32"}
_STRIDED = {"begin": [1, 0], "end": [7, 8], "strides": [1, 2]}

LATENCY_CASES = (
    _tiny("tiny_strided_slice", "strided_slice", (8, 8), _STRIDED, lambda data: data[1:7, ::2]),
    _tiny("tiny_reflect_pad", "slice", (8, 8), _PADDED, lambda data: np.pad(data, 2, "reflect")),
    _tiny(
        "tiny_split",
        "variadic_split",
        (8, 8),
        {"axis": 0, "split_lengths": [3, 3, -1]},
        partial(np.split, indices_or_sections=[3, 6]),
    ),
    _tiny("tiny_range", "range", (100,), _HUNDRED, lambda positions: positions.astype("float32")),
)


# Other widths, layouts, strides, ranks and pads than those of the large cases, with odd and prime extents.


def _view(name: str, dtype: str, full: Shape, small: Shape, *index: slice, arranged: Any = np.asarray) -> Case:
    functions = view_functions(*index)
    return Case(name, "layouts", "strided_slice", dtype, Size(full), Size(small), *functions, arranged=arranged)


def _pad(name: str, mode: str, dtype: str, full: Size, small: Size, axes: Shape = (-2, -1)) -> Case:
    return Case(name, "layouts", "slice", dtype, full, small, *pad_functions(mode, axes))


def _tile(name: str, dtype: str, full: Size, small: Size, axes: Shape) -> Case:
    """Return the case that repeats axes, as often as the size's amount says."""

    def attributes(size: Size) -> dict[str, Any]:
        tiled = [size.shape[axis] * size.amount for axis in axes]
        return {"start": [0] * len(axes), "size": tiled, "axes": list(axes), "mode": "wrap"}

    def expected(data: Array, size: Size) -> Array:
        return np.tile(data, [size.amount if axis in axes else 1 for axis in range(data.ndim)])

    return Case(name, "layouts", "slice", dtype, full, small, attributes, expected)


def _one_row(name: str, full: Shape, small: Shape, counts: tuple[int, int], axis: int) -> Case:
    """Return the case that lengthens an axis of length 1 to the size's amount, in mode clamp."""

    def attributes(size: Size) -> dict[str, Any]:
        return {"start": [-size.amount // 2], "size": [size.amount], "axes": [axis], "mode": "clamp"}

    def expected(data: Array, size: Size) -> Array:
        return np.repeat(data, size.amount, axis)

    return Case(
        name, "layouts", "slice", "float32", Size(full, counts[0]), Size(small, counts[1]), attributes, expected
    )


def _channels(dtype: str, short: str, count: int, channels: int, full: Shape) -> Case:
    """Return the case that reads the first ``count`` channels of pixels that have ``channels``."""
    name = f"channels_{count}_of_{channels}_{short}"
    return _view(name, dtype, (*full, channels), (2, 5, 7, channels), _ALL, _ALL, _ALL, slice(0, count))


def _reversed_in_memory(axis: int, data: Array) -> Array:
    """Return data whose byte strides along an axis are negative."""
    return np.flip(np.ascontiguousarray(np.flip(data, axis)), axis)


_reversed_rows, _reversed_columns = partial(_reversed_in_memory, -2), partial(_reversed_in_memory, -1)
_PIXEL, _BACK_2 = "u1,u1,u1", slice(None, None, -2)
_INSIDE = (_ALL, _ALL, _S[31:-43], _S[53:-29])
# For `_INSIDE`, small cases have axes of under a hundred, because their margins are those of the large cases.
_SMALL_INSIDE = (1, 2, 83, 89)
_SMALL = (2, 3, 11, 13)
_CROPPED = (4, 3, 1087, 1019)

LAYOUT_CASES = (
    # Widths.
    _view("crop_u16", "uint16", (8, 3, 1087, 1019), _SMALL_INSIDE, *_INSIDE),
    _view("crop_rgb24", _PIXEL, (13, 1, 1087, 1931), _SMALL_INSIDE, *_INSIDE),
    _view("flip_u16", "uint16", (11, 3, 809, 1201), _SMALL, _ALL, _ALL, _ALL, _BACK),
    _view("flip_c128", "complex128", (1, 5, 701, 1009), _SMALL, _ALL, _ALL, _ALL, _BACK),
    _view("flip_rgb24", _PIXEL, (11, 1, 1009, 1907), _SMALL, _ALL, _ALL, _ALL, _BACK),
    _pad("pad_reflect_rgb24", "reflect", _PIXEL, Size((11, 1009, 1201), 17), Size((3, 11, 13), 4)),
    # Strides.
    _view("stride_2_u64", "uint64", (1, 5, 2003, 2411), _SMALL, _ALL, _ALL, _S[::2], _S[::2]),
    _view("stride_3_f32", "float32", (4, 3, 1009, 3607), _SMALL, _ALL, _ALL, _ALL, _S[::3]),
    _view("stride_3_u8", "uint8", (7, 3, 1087, 6007), _SMALL, _ALL, _ALL, _ALL, _S[1::3]),
    _view("stride_3_rows_f32", "float32", (3, 3, 3001, 1201), _SMALL, _ALL, _ALL, _S[::3], _ALL),
    _view("stride_4_f32", "float32", (3, 3, 1511, 3607), _SMALL, _ALL, _ALL, _ALL, _S[2::4]),
    _view("stride_4_u16", "uint16", (5, 3, 1511, 4007), _SMALL, _ALL, _ALL, _ALL, _S[::4]),
    _view("stride_minus_2_f32", "float32", (2, 3, 2011, 2503), _SMALL, _ALL, _ALL, _ALL, _BACK_2),
    _view("stride_minus_2_u8", "uint8", (7, 3, 2011, 2503), _SMALL, _ALL, _ALL, _ALL, _BACK_2),
    # Input in other layouts.
    _view("crop_f_ordered_f32", "float32", _CROPPED, _SMALL_INSIDE, *_INSIDE, arranged=np.asfortranarray),
    _view("transpose_f64", "float64", (2503, 2707), (13, 17), _ALL, _ALL, arranged=np.asfortranarray),
    _view("transpose_u8", "uint8", (59, 809, 1009), (5, 7, 11), _ALL, _ALL, _ALL, arranged=np.asfortranarray),
    _view("crop_reversed_rows_f32", "float32", _CROPPED, _SMALL_INSIDE, *_INSIDE, arranged=_reversed_rows),
    _view("crop_reversed_columns_f32", "float32", _CROPPED, _SMALL_INSIDE, *_INSIDE, arranged=_reversed_columns),
    # Innermost counts of 1 to 8, of pixels whose channels are last.
    _channels("uint8", "u8", 1, 3, (29, 1009, 1201)),
    _channels("uint8", "u8", 2, 3, (17, 1009, 1201)),
    _channels("uint8", "u8", 3, 4, (13, 1009, 1201)),
    _channels("float32", "f32", 4, 5, (3, 1009, 1201)),
    _channels("uint16", "u16", 5, 7, (5, 1009, 1201)),
    _channels("float32", "f32", 6, 8, (2, 1009, 1201)),
    _channels("uint8", "u8", 7, 9, (7, 1009, 1201)),
    _channels("float16", "f16", 8, 11, (3, 1009, 1201)),
    _view("flip_nhwc_u8", "uint8", (16, 1009, 1201, 3), (2, 5, 7, 3), _ALL, _ALL, _BACK, _ALL),
    _view("rgba_to_abgr_u8", "uint8", (13, 1009, 1201, 4), (2, 5, 7, 4), _ALL, _ALL, _ALL, _BACK),
    # Ranks.
    _view("crop_5d_f32", "float32", (3, 5, 7, 401, 601), (2, 3, 3, 13, 17), *_S[:, 1:, :-1, 5:-7, 7:-7]),
    _view("stride_6d_f32", "float32", (2, 3, 13, 17, 101, 211), (2, 2, 3, 5, 3, 17), *_S[:, :, :, ::2, :, 5:-7]),
    _view("flips_7d_u8", "uint8", (5, 7, 11, 13, 17, 19, 23), (2, 3, 2, 3, 2, 3, 5), *[_ALL, _BACK] * 3, _ALL),
    _view("flips_8d_f32", "float32", (3, 5, 7, 5, 7, 11, 13, 17), (2, 3, 2, 3, 2, 3, 2, 5), *[_ALL, _BACK] * 4),
    _pad(
        "pad_reflect_5d_f32", "reflect", "float32", Size((2, 3, 31, 251, 307), 3), Size((2, 1, 5, 7, 9), 3), (2, 3, 4)
    ),
    # Pads of 1, of several periods, and of pixels.
    _pad("pad_1_reflect_f32", "reflect", "float32", Size((8, 3, 769, 811), 1), Size(_SMALL, 1)),
    _pad("pad_1_wrap_u8", "wrap", "uint8", Size((29, 3, 769, 811), 1), Size(_SMALL, 1)),
    _pad("pad_1_clamp_nhwc_u16", "clamp", "uint16", Size((19, 601, 811, 3), 1), Size((2, 5, 7, 3), 1), (1, 2)),
    _pad("pad_5_fill_nhwc_f16", "fill", "float16", Size((13, 601, 811, 3), 5), Size((2, 5, 7, 3), 5), (1, 2)),
    _pad("pad_periods_reflect_f32", "reflect", "float32", Size((3, 3, 211, 223), 500), Size((1, 2, 5, 7), 12)),
    _pad("pad_periods_wrap_u8", "wrap", "uint8", Size((11, 3, 211, 223), 500), Size((1, 2, 5, 7), 12)),
    _pad("pad_periods_short_rows_f32", "reflect", "float32", Size((16001, 5, 7), 11), Size((3, 5, 7), 11)),
    _one_row("clamp_one_row_f32", (1, 12011), (1, 23), (1000, 37), 0),
    _one_row("clamp_one_column_f32", (12011, 1), (23, 1), (1000, 37), 1),
    _tile("tile_3_f32", "float32", Size((809, 1201), 3), Size((5, 7), 3), (0, 1)),
    _tile("tile_3_nhwc_u8", "uint8", Size((7, 401, 499, 3), 3), Size((2, 3, 5, 3), 3), (1, 2)),
    # Parts of unequal length.
    *[
        Case(name, "layouts", "variadic_split", dtype, Size(full), Size(small), *split_functions(-1, weights))
        for name, dtype, full, small, weights in (
            ("split_unequal_u16", "uint16", (8009, 4099), (5, 41), (13, 1, 29)),
            ("split_channels_u8", "uint8", (11, 1009, 1201, 3), (2, 5, 7, 3), (1, 1, 1)),
        )
    ],
)


# One image at a time: outputs of 200 KiB to 1 MiB, which stay in a cache. Channels are first or last.

_LAYOUTS: dict[str, Callable[[int, int], Shape]] = {"chw": lambda h, w: (3, h, w), "hwc": lambda h, w: (h, w, 3)}
_IMAGE_DTYPES = (("chw", "f32"), ("hwc", "u8"))


def _image(name: str, layout: str, short: str, rows: slice, columns: slice, extra: int = 0) -> Case:
    """Return the case that reads parts of an image with ``extra`` rows and ``2 * extra`` columns more than a square."""
    index = (_ALL, rows, columns) if layout == "chw" else (rows, columns)
    full, small = [_LAYOUTS[layout](side + extra, side + 2 * extra) for side in (256, 40)]
    functions = view_functions(*index)
    dtype = GRID_DTYPES[short]
    return Case(f"image_{name}_{layout}_{short}", "images", "strided_slice", dtype, Size(full), Size(small), *functions)


def _image_pad(mode: str, pad: int, layout: str, short: str) -> Case:
    axes = (1, 2) if layout == "chw" else (0, 1)
    full, small = Size(_LAYOUTS[layout](256, 256), pad), Size(_LAYOUTS[layout](7, 9), 3)
    name = f"image_pad_{mode}_{pad}_{layout}_{short}"
    return Case(name, "images", "slice", GRID_DTYPES[short], full, small, *pad_functions(mode, axes))


_RGB = Size((256, 256, 3)), Size((7, 9, 3))

IMAGE_CASES = (
    *[_image("crop", *kind, _S[16:-16], _S[16:-16], 32) for kind in _IMAGE_DTYPES],
    *[_image("mirror", *kind, _ALL, _BACK) for kind in _IMAGE_DTYPES],
    *[_image("upside_down", *kind, _BACK, _ALL) for kind in _IMAGE_DTYPES],
    *[_image("half", *kind, _S[::2], _S[::2], 256) for kind in _IMAGE_DTYPES],
    Case("image_bgr_to_rgb_hwc_u8", "images", "strided_slice", "uint8", *_RGB, *view_functions(_ALL, _ALL, _BACK)),
    *[_image_pad(mode, 16, *kind) for mode, kind in product(("reflect", "clamp", "fill", "wrap"), _IMAGE_DTYPES)],
)


#: The cases of single operators, by name.
CASES: dict[str, Case] = {
    case.name: case for case in (*LARGE_CASES, *RANGE_CASES, *LATENCY_CASES, *LAYOUT_CASES, *GRID_CASES, *IMAGE_CASES)
}


def names_of(suite: str) -> list[str]:
    """Return the names of a suite's cases."""
    return [name for name, case in CASES.items() if case.suite == suite]
