"""Other widths, layouts, strides, ranks and pads than those of the large cases, with odd and prime extents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import Case, Size, as_it_is
from benchmarks.cases._moves import pad_functions, view_attributes, view_of

_PIXEL = "u1,u1,u1"
_WHOLE = slice(None)

Arrangement = Callable[[NDArray[Any]], NDArray[Any]]


def _view(
    name: str,
    dtype: str,
    full: tuple[int, ...],
    small: tuple[int, ...],
    *index: slice,
    arranged: Arrangement = as_it_is,
) -> Case:
    """Return the case of ``data[index]``, an index of all axes."""
    functions = partial(view_attributes, index), partial(view_of, index)
    return Case(name, "layouts", "strided_slice", dtype, Size(full), Size(small), *functions, arranged)


def _pad(name: str, mode: str, dtype: str, full: Size, small: Size, axes: tuple[int, ...] = (-2, -1)) -> Case:
    """Return the case that pads axes by the size's amount."""
    return Case(name, "layouts", "slice", dtype, full, small, *pad_functions(mode, axes))


def _tile(name: str, dtype: str, full: Size, small: Size, axes: tuple[int, ...]) -> Case:
    """Return the case that repeats axes, as often as the size's amount says."""

    def attributes(size: Size) -> dict[str, Any]:
        tiled = [size.shape[axis] * size.amount for axis in axes]
        return {"start": [0] * len(axes), "size": tiled, "axes": list(axes), "mode": "wrap"}

    def expected(data: NDArray[Any], size: Size) -> NDArray[Any]:
        return np.tile(data, [size.amount if axis in axes else 1 for axis in range(data.ndim)])

    return Case(name, "layouts", "slice", dtype, full, small, attributes, expected)


def _one_row(name: str, dtype: str, full: Size, small: Size, axis: int) -> Case:
    """Return the case that clamps an axis of length 1 to the size's amount."""

    def attributes(size: Size) -> dict[str, Any]:
        return {"start": [-size.amount // 2], "size": [size.amount], "axes": [axis], "mode": "clamp"}

    def expected(data: NDArray[Any], size: Size) -> NDArray[Any]:
        return np.repeat(data, size.amount, axis)

    return Case(name, "layouts", "slice", dtype, full, small, attributes, expected)


def _split(name: str, dtype: str, full: Size, small: Size, axis: int, weights: tuple[int, ...]) -> Case:
    """Return the case that splits an axis into parts in this proportion, the last of which takes the rest."""

    def lengths(size: Size) -> list[int]:
        return [size.shape[axis] * weight // sum(weights) for weight in weights[:-1]]

    def attributes(size: Size) -> dict[str, Any]:
        return {"axis": axis, "split_lengths": [*lengths(size), -1]}

    def expected(data: NDArray[Any], size: Size) -> list[NDArray[Any]]:
        return np.split(data, np.cumsum(lengths(size)), axis)

    return Case(name, "layouts", "variadic_split", dtype, full, small, attributes, expected)


def _channels(dtype: str, short: str, count: int, channels: int, full: tuple[int, int, int]) -> Case:
    """Return the case of the first channels of pixels with more."""
    name = f"channels_{count}_of_{channels}_{short}"
    index = (_WHOLE, _WHOLE, _WHOLE, slice(0, count))
    return _view(name, dtype, (*full, channels), (2, 5, 7, channels), *index)


def _reversed_in_memory(axis: int) -> Arrangement:
    """Return the layout whose byte strides along an axis are negative."""

    def arranged(data: NDArray[Any]) -> NDArray[Any]:
        return np.flip(np.ascontiguousarray(np.flip(data, axis)), axis)

    return arranged


_S, _REVERSED, _BACK_2 = np.s_, slice(None, None, -1), slice(None, None, -2)
_INSIDE = (_S[:], _S[:], _S[31:-43], _S[53:-29])
# Small cases have the margins of the large ones in axes of about a hundred.
_SMALL_INSIDE = (1, 2, 83, 89)
_SMALL = (2, 3, 11, 13)

LAYOUT_CASES = (
    # Widths.
    _view("crop_u16", "uint16", (8, 3, 1087, 1019), _SMALL_INSIDE, *_INSIDE),
    _view("crop_rgb24", _PIXEL, (13, 1, 1087, 1931), _SMALL_INSIDE, *_INSIDE),
    _view("flip_u16", "uint16", (11, 3, 809, 1201), _SMALL, _WHOLE, _WHOLE, _WHOLE, _REVERSED),
    _view("flip_c128", "complex128", (1, 5, 701, 1009), _SMALL, _WHOLE, _WHOLE, _WHOLE, _REVERSED),
    _view("flip_rgb24", _PIXEL, (11, 1, 1009, 1907), _SMALL, _WHOLE, _WHOLE, _WHOLE, _REVERSED),
    _pad("pad_reflect_c128", "reflect", "complex128", Size((1, 4, 613, 997), 13), Size(_SMALL, 3)),
    _pad("pad_reflect_rgb24", "reflect", _PIXEL, Size((11, 1009, 1201), 17), Size((3, 11, 13), 4)),
    # Strides.
    _view("stride_2_u64", "uint64", (1, 5, 2003, 2411), _SMALL, _WHOLE, _WHOLE, _S[::2], _S[::2]),
    _view("stride_3_f32", "float32", (4, 3, 1009, 3607), _SMALL, _WHOLE, _WHOLE, _WHOLE, _S[::3]),
    _view("stride_3_u8", "uint8", (7, 3, 1087, 6007), _SMALL, _WHOLE, _WHOLE, _WHOLE, _S[1::3]),
    _view("stride_3_rows_f32", "float32", (3, 3, 3001, 1201), _SMALL, _WHOLE, _WHOLE, _S[::3], _WHOLE),
    _view("stride_4_f32", "float32", (3, 3, 1511, 3607), _SMALL, _WHOLE, _WHOLE, _WHOLE, _S[2::4]),
    _view("stride_4_u16", "uint16", (5, 3, 1511, 4007), _SMALL, _WHOLE, _WHOLE, _WHOLE, _S[::4]),
    _view("stride_minus_2_f32", "float32", (2, 3, 2011, 2503), _SMALL, _WHOLE, _WHOLE, _WHOLE, _BACK_2),
    _view("stride_minus_2_u8", "uint8", (7, 3, 2011, 2503), _SMALL, _WHOLE, _WHOLE, _WHOLE, _BACK_2),
    # Input in other layouts.
    _view("crop_f_ordered_f32", "float32", (4, 3, 1087, 1019), _SMALL_INSIDE, *_INSIDE, arranged=np.asfortranarray),
    _view("transpose_f64", "float64", (2503, 2707), (13, 17), _WHOLE, _WHOLE, arranged=np.asfortranarray),
    _view("transpose_u8", "uint8", (59, 809, 1009), (5, 7, 11), _WHOLE, _WHOLE, _WHOLE, arranged=np.asfortranarray),
    _view(
        "crop_reversed_rows_f32",
        "float32",
        (4, 3, 1087, 1019),
        _SMALL_INSIDE,
        *_INSIDE,
        arranged=_reversed_in_memory(-2),
    ),
    _view(
        "crop_reversed_columns_f32",
        "float32",
        (4, 3, 1087, 1019),
        _SMALL_INSIDE,
        *_INSIDE,
        arranged=_reversed_in_memory(-1),
    ),
    # Innermost counts of 1 to 8, of pixels whose channels are last.
    _channels("uint8", "u8", 1, 3, (29, 1009, 1201)),
    _channels("uint8", "u8", 2, 3, (17, 1009, 1201)),
    _channels("uint8", "u8", 3, 4, (13, 1009, 1201)),
    _channels("float32", "f32", 4, 5, (3, 1009, 1201)),
    _channels("uint16", "u16", 5, 7, (5, 1009, 1201)),
    _channels("float32", "f32", 6, 8, (2, 1009, 1201)),
    _channels("uint8", "u8", 7, 9, (7, 1009, 1201)),
    _channels("float16", "f16", 8, 11, (3, 1009, 1201)),
    _view("flip_nhwc_u8", "uint8", (16, 1009, 1201, 3), (2, 5, 7, 3), _WHOLE, _WHOLE, _REVERSED, _WHOLE),
    _view("rgba_to_abgr_u8", "uint8", (13, 1009, 1201, 4), (2, 5, 7, 4), _WHOLE, _WHOLE, _WHOLE, _REVERSED),
    # Ranks.
    _view("crop_5d_f32", "float32", (3, 5, 7, 401, 601), (2, 3, 3, 13, 17), *_S[:, 1:, :-1, 5:-7, 7:-7]),
    _view("stride_6d_f32", "float32", (2, 3, 13, 17, 101, 211), (2, 2, 3, 5, 3, 17), *_S[:, :, :, ::2, :, 5:-7]),
    _view("flips_7d_u8", "uint8", (5, 7, 11, 13, 17, 19, 23), (2, 3, 2, 3, 2, 3, 5), *[_WHOLE, _REVERSED] * 3, _WHOLE),
    _view("flips_8d_f32", "float32", (3, 5, 7, 5, 7, 11, 13, 17), (2, 3, 2, 3, 2, 3, 2, 5), *[_WHOLE, _REVERSED] * 4),
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
    _one_row("clamp_one_row_f32", "float32", Size((1, 12011), 1000), Size((1, 23), 37), 0),
    _one_row("clamp_one_column_f32", "float32", Size((12011, 1), 1000), Size((23, 1), 37), 1),
    _tile("tile_3_f32", "float32", Size((809, 1201), 3), Size((5, 7), 3), (0, 1)),
    _tile("tile_3_nhwc_u8", "uint8", Size((7, 401, 499, 3), 3), Size((2, 3, 5, 3), 3), (1, 2)),
    # Parts of unequal length.
    _split("split_unequal_u16", "uint16", Size((8009, 4099)), Size((5, 41)), -1, (13, 1, 29)),
    _split("split_channels_u8", "uint8", Size((11, 1009, 1201, 3)), Size((2, 5, 7, 3)), -1, (1, 1, 1)),
)
