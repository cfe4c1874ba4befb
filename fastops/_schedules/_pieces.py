"""Pieces: results that several plans write, a piece each, and where in memory each of them goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Place(NamedTuple):
    """Where a plan's outputs go, from which byte of that destination on, and at which byte of the fill its value is."""

    dst_index: int
    dst_offset: int = 0
    fill_offset: int = 0


class Pieces(NamedTuple):
    """How pieces make a result: they do not overlap, and leave no element out.

    Attributes
    ----------
    shape : tuple of int
        The result's.
    starts : tuple of tuple of int
        Where in the result each piece begins.
    fills : tuple of int
        Which of the fill values of a call each piece reads.
    """

    shape: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    fills: tuple[int, ...]

    def places(self, byte_strides: Sequence[int], width: int) -> Iterator[Place]:
        """Yield where each piece lies in a result of these byte strides."""
        for start, fill in zip(self.starts, self.fills, strict=True):
            offset = sum([i * byte_stride for i, byte_stride in zip(start, byte_strides, strict=True)])
            yield Place(0, offset, fill * width)
