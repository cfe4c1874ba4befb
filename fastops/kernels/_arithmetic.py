"""Arithmetic of axes: what Python computes for a plan, and compiled code for a window, by the same functions.

Pure functions of integers, traced or not. Kernels compile them as they are; no rule of a mode is written twice. They
take modes by their numbers, those of `SampleMode`.
"""

from __future__ import annotations

from fastops.kernels._tables._gather import NO_FOLD
from fastops.kernels._tables._window import REFLECT, WRAP


def inside_of_line(extent: int, start: int, stride: int, count: int) -> tuple[int, int]:
    """Return the first output that reads inside an axis, and the one behind the last, were there outputs without end.

    Either may lie outside of the count, unless the stride is 0.
    """
    if stride > 0:
        return -(start // stride), -((start - extent) // stride)
    if stride < 0:
        return -((extent - 1 - start) // -stride), start // -stride + 1
    return (0, count) if 0 <= start < extent else (0, 0)


def circle_of(extent: int, mode: int) -> tuple[int, int]:
    """Return the positions on the circle of an axis of 2 or more in mode WRAP, REFLECT or SYMMETRIC, and its fold."""
    if mode == WRAP:
        return extent, NO_FOLD
    if mode == REFLECT:
        return 2 * extent - 2, 2 * extent - 2
    return 2 * extent, 2 * extent - 1


def walk_of(start: int, stride: int, period: int, fold: int, mode: int) -> tuple[int, int]:
    """Return the position of output 0 on a circle, and how many positions lie from one output to the next."""
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    if advance < 0 and mode != WRAP:
        # Both circles that fold are their own mirror images, so a walk down is the mirrored walk up.
        position, advance = (fold - position) % period, -advance
    return position, advance
