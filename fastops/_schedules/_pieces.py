"""Mosaics: results that several plans write, a piece each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastops._schedules._schedule import Place


class Mosaic(NamedTuple):
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
