"""One image, one head's window, one plane at a time: outputs of 100 KiB to 2 MiB, which stay in a cache."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from benchmarks.cases._case import Case, Size
from benchmarks.cases._grid import GRID_DTYPES
from benchmarks.cases._moves import pad_functions, view_attributes, view_of

_S = np.s_
_DTYPES = {short: GRID_DTYPES[short] for short in ("u8", "f32")} | {"f16": "float16"}
_MODES = ("reflect", "symmetric", "clamp", "fill", "wrap")

# An image of 256x256, channels first and last; a pad of such a one is 0.2 MB of u8 and 0.9 MB of f32.
_SIDE, _SMALL_SIDE = 256, 40
_LAYOUTS = {"chw": lambda height, width: (3, height, width), "hwc": lambda height, width: (height, width, 3)}

# Bytes of a row of f32, and of all rows.
_ROW_BYTES = (64, 256, 1024, 4096)
_ROWS_BYTES = 512 << 10

# Outputs of more than these bytes are shared by two threads, and shall gain from it.
_LARGER_SIDES = {"1MiB": 296, "2MiB": 418}


def _view(name: str, dtype: str, full: tuple[int, ...], small: tuple[int, ...], *index: slice) -> Case:
    """Return the case of ``data[index]``, an index of the first axes."""

    def whole(size: Size) -> tuple[slice, ...]:
        return (*index, *[slice(None)] * (len(size.shape) - len(index)))

    def attributes(size: Size) -> dict[str, Any]:
        return view_attributes(whole(size), size)

    return Case(
        f"image_{name}",
        "images",
        "strided_slice",
        dtype,
        Size(full),
        Size(small),
        attributes,
        lambda data, size: view_of(whole(size), data, size),
    )


def _of_image(name: str, layout: str, short: str, rows: slice, columns: slice, extra: int = 0) -> Case:
    """Return the case that reads rows and columns of an image, of which `extra` more are there than are read."""
    index = (_S[:], rows, columns) if layout == "chw" else (rows, columns)
    shape = _LAYOUTS[layout]
    full, small = shape(_SIDE + extra, _SIDE + 2 * extra), shape(_SMALL_SIDE, _SMALL_SIDE + 3)
    return _view(f"{name}_{layout}_{short}", _DTYPES[short], full, small, *index)


def _pad(mode: str, pad: int, layout: str, short: str, side: int = _SIDE, suffix: str = "") -> Case:
    """Return the case that pads rows and columns of an image."""
    shape = _LAYOUTS[layout]
    axes = (1, 2) if layout == "chw" else (0, 1)
    name = f"image_pad_{mode}_{pad}_{layout}_{short}{suffix}"
    full, small = Size(shape(side, side), pad), Size(shape(7, 9), 3)
    return Case(name, "images", "slice", _DTYPES[short], full, small, *pad_functions(mode, axes))


def _of_rows(name: str, row_bytes: int, columns: slice, extra: int) -> Case:
    """Return the case of many rows of so many bytes, of f32."""
    width = row_bytes // 4
    full, small = (_ROWS_BYTES // row_bytes, width + extra), (5, 7 + extra)
    return _view(f"{name}_rows_{row_bytes}", "float32", full, small, _S[:], columns)


_INSIDE = _S[16:-16]

IMAGE_CASES = (
    *[_of_image("crop", layout, short, _INSIDE, _INSIDE, 32) for layout, short in product(_LAYOUTS, _DTYPES)],
    *[_of_image("mirror", layout, short, _S[:], _S[::-1]) for layout, short in product(_LAYOUTS, _DTYPES)],
    *[_of_image("upside_down", layout, short, _S[::-1], _S[:]) for layout, short in (("chw", "f32"), ("hwc", "u8"))],
    *[_of_image("half", layout, short, _S[::2], _S[::2], 256) for layout, short in product(_LAYOUTS, ("u8", "f32"))],
    *[
        _view(f"bgr_to_rgb_{short}", _DTYPES[short], (_SIDE, _SIDE, 3), (7, 9, 3), _S[:], _S[:], _S[::-1])
        for short in ("u8", "f32")
    ],
    *[_pad(mode, 16, layout, short) for mode, (layout, short) in product(_MODES, (("chw", "f32"), ("hwc", "u8")))],
    *[
        _pad("reflect", pad, layout, short)
        for pad, (layout, short) in product((1, 4, 32), (("chw", "f32"), ("hwc", "u8")))
    ],
    _pad("reflect", 16, "chw", "f16"),
    _pad("reflect", 16, "chw", "u8"),
    *[_of_rows("crop", row_bytes, _S[5:-4], 9) for row_bytes in _ROW_BYTES],
    *[_of_rows("mirror", row_bytes, _S[::-1], 0) for row_bytes in _ROW_BYTES],
    _view("head_window_f16", "float16", (4, 600, 128), (2, 310, 8), _S[:], _S[7:-293]),
    *[
        _view(f"crop_chw_f32_{shown}", "float32", (3, side + 13, side + 29), (2, 20, 30), _S[:], _S[6:-7], _S[11:-18])
        for shown, side in _LARGER_SIDES.items()
    ],
    *[
        _view(f"mirror_chw_f32_{shown}", "float32", (3, side, side), (2, 11, 13), _S[:], _S[:], _S[::-1])
        for shown, side in _LARGER_SIDES.items()
    ],
    *[_pad("reflect", 16, "chw", "f32", side - 32, f"_{shown}") for shown, side in _LARGER_SIDES.items()],
)

#: Those of which two threads are asked to gain.
SHARED_IMAGES = tuple(case.name for case in IMAGE_CASES if case.name.endswith(tuple(_LARGER_SIDES)))
