"""Cases at other sizes: those whose outputs fit in the cache, and the steps from the smallest to the largest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isqrt

from benchmarks.cases import CASES, Case, Size

KIB, MIB = 1 << 10, 1 << 20


def _side(elements: int) -> int:
    """Return the side of the squares of which 2 x 3 have so many elements."""
    return max(isqrt(elements // 6), 4)


def _cropped(elements: int) -> Size:
    side = _side(elements)
    return Size((2, 3, side + 13, side + 29), side)


def _padded(elements: int) -> Size:
    side = _side(elements)
    # A pad of 16 where that leaves most of the output to the image.
    pad = 16 if side > 100 else 1
    return Size((2, 3, side - 2 * pad, side - 2 * pad), pad)


def _window(elements: int) -> Size:
    length = max(elements // 512, 4)
    return Size((2, 4, length, 128), length // 4)


#: The size of each case whose output has about so many elements.
_SIZES: dict[str, Callable[[int], Size]] = {
    "crop_f32": _cropped,
    "stride_2_f32": lambda elements: Size((2, 3, 2 * _side(elements), 2 * _side(elements) - 1)),
    "horizontal_flip_f32": lambda elements: Size((2, 3, _side(elements), _side(elements))),
    "bgr_to_rgb_u8": lambda elements: Size((2, _side(elements), _side(elements), 3)),
    "stride_2_nhwc_u8": lambda elements: Size((2, 2 * _side(elements), 2 * _side(elements) - 1, 3)),
    "pad_reflect_f32": _padded,
    "pad_clamp_f32": _padded,
    "pad_fill_f32": _padded,
    "pad_wrap_f32": _padded,
    "pad_reflect_u8": _padded,
    "pad_clamp_u8": _padded,
    "pad_fill_u8": _padded,
    "pad_wrap_u8": _padded,
    "kv_cache_window_f16": _window,
    "qkv_split_f32": lambda elements: Size((2, max(elements // 1536, 1), 768)),
}

#: The operations that are looked at in the cache.
RESIZABLE = tuple(_SIZES)


def resized(name: str, output_bytes: int) -> tuple[Case, Size]:
    """Return a case and the size that makes its outputs about so large."""
    case = CASES.get(name)
    if case is None:
        # Pads of u8, of which the table has one mode.
        case = replace(CASES[name.replace("_u8", "_f32")], name=name, dtype="uint8")
    width = {"u8": 1, "f16": 2, "f32": 4}[name.rpartition("_")[2]]
    return case, _SIZES[name](output_bytes // width)


def shown_bytes(number: int) -> str:
    """Return a power of two as KiB or MiB."""
    return f"{number // MIB}MiB" if number >= MIB else f"{number // KIB}KiB"
