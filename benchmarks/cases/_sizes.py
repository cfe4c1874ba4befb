"""Sizes of cases whose outputs have as many elements as one likes: in the first cache, or beyond the last."""

from __future__ import annotations

from math import isqrt

from benchmarks.cases._case import Size

KIB, MIB = 1 << 10, 1 << 20


def _side(elements: int) -> int:
    """Return the side of the squares of which 2 x 3 have so many elements."""
    return max(isqrt(elements // 6), 4)


def cropped_size(elements: int) -> Size:
    """Return images of which a square is cropped."""
    side = _side(elements)
    return Size((2, 3, side + 13, side + 29), side)


def halved_size(elements: int) -> Size:
    """Return images of which every second row and column is read."""
    return Size((2, 3, 2 * _side(elements), 2 * _side(elements) - 1))


def square_size(elements: int) -> Size:
    """Return images that are read whole."""
    return Size((2, 3, _side(elements), _side(elements)))


def frames_size(elements: int) -> Size:
    """Return images, channels last, that are read whole."""
    return Size((2, _side(elements), _side(elements), 3))


def halved_frames_size(elements: int) -> Size:
    """Return images, channels last, of which every second row and column is read."""
    return Size((2, 2 * _side(elements), 2 * _side(elements) - 1, 3))


def padded_size(elements: int) -> Size:
    """Return images that are padded."""
    side = _side(elements)
    # A pad of 16 where that leaves most of the output to the image.
    pad = 16 if side > 100 else 1
    return Size((2, 3, side - 2 * pad, side - 2 * pad), pad)


def window_size(elements: int) -> Size:
    """Return a cache of keys, half of whose positions are read."""
    length = max(elements // 512, 4)
    return Size((2, 4, length, 128), length // 4)


def heads_size(elements: int) -> Size:
    """Return rows of queries, keys and values."""
    return Size((2, max(elements // 1536, 1), 768))


def shown_bytes(number: int) -> str:
    """Return a power of two as KiB or MiB."""
    return f"{number // MIB}MiB" if number >= MIB else f"{number // KIB}KiB"
