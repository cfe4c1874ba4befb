"""Pieces: results that several plans write, a piece each, and where in memory each of them goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastops._schedules._byte_strides import strides_of_axes


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
    split_shape : tuple of int or None
        The shape that the pieces are boxes of, where that is one that splits axes of the result.
    """

    shape: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    split_shape: tuple[int, ...] | None = None

    def split_byte_strides(self, byte_strides: Sequence[int]) -> Sequence[int]:
        """Return the byte strides of the axes that pieces are boxes of, in a result of these byte strides."""
        if self.split_shape is None:
            return byte_strides
        return strides_of_axes(self.split_shape, self.shape, byte_strides)

    def places(self, byte_strides: Sequence[int]) -> Iterator[Place]:
        """Yield where each piece lies in a result in which axes that they are boxes of have these byte strides."""
        for start in self.starts:
            offset = sum([i * byte_stride for i, byte_stride in zip(start, byte_strides, strict=True)])
            yield Place(0, offset)
