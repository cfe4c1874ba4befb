"""Arithmetic of axes: pure functions of integers, which Python calls for plans and kernels compile.

So each rule of a mode is written once. Modes are the numbers of `SampleMode`.
"""

from fastops.kernels._tables._gather import NO_REFLECTION
from fastops.kernels._tables._words import LARGEST, REFLECT, WRAP


def inside_of_line(extent: int, start: int, stride: int, count: int) -> tuple[int, int]:
    """Return the outputs [first, end) that read inside an axis, if there were outputs without end on either side.

    Both numbers may be below 0 or above the count, unless the stride is 0.
    """
    if stride > 0:
        return -(start // stride), -((start - extent) // stride)
    if stride < 0:
        return -((extent - 1 - start) // -stride), start // -stride + 1
    return (0, count) if 0 <= start < extent else (0, 0)


def is_inside(extent: int, start: int, stride: int, count: int) -> bool:
    """Return True if all coordinates, at least one, lie in an axis; start and stride are within LARGEST."""
    if start < 0 or start >= extent:
        return False
    if stride == 1:
        return count <= extent - start
    # Larger reaches are out of bounds. The product is rounded, but its error is far smaller than the limit.
    if abs(float(stride)) * float(count - 1) >= float(LARGEST):
        return False
    return 0 <= start + (count - 1) * stride < extent


def divisor_of(one: int, other: int) -> int:
    """Return the greatest common divisor of two numbers; the first one is above 0."""
    other = abs(other)
    while other:
        one, other = other, one % other
    return one


def circle_of(extent: int, mode: int) -> tuple[int, int]:
    """Return the period of an axis of 2 or more elements in WRAP, REFLECT or SYMMETRIC, and its reflection point."""
    if mode == WRAP:
        return extent, NO_REFLECTION
    if mode == REFLECT:
        return 2 * extent - 2, 2 * extent - 2
    return 2 * extent, 2 * extent - 1


def walk_of(start: int, stride: int, period: int, fold: int, mode: int) -> tuple[int, int]:
    """Return the position of output 0 within a period, and the advance from one output to the next."""
    position, advance = start % period, stride % period
    if advance > period // 2:
        advance -= period
    if advance < 0 and mode != WRAP:
        # A reflected period is its own mirror image: to walk down in it is to walk up in the mirror image.
        position, advance = (fold - position) % period, -advance
    return position, advance


def bounds_of(
    extent: int, begin: int, end: int, stride: int, lowest: int, begin_masked: bool | int, end_masked: bool | int
) -> tuple[int, int]:
    """Return the start and the count of ``begin : end : stride`` on an axis.

    Negative bounds count from the end, then out-of-range ones are clamped; a masked bound is the axis's own end. If the
    stride is negative, a begin before the axis is clamped to ``lowest``. The stride is not 0.
    """
    if extent == 0:
        return 0, 0
    if begin < 0:
        begin += extent
    if end < 0:
        end += extent
    # An end on the other side of the start needs no clamp: the count is 0 or less then.
    if stride > 0:
        start = 0 if begin_masked or begin < 0 else begin if begin < extent else extent
        stop = extent if end_masked or end > extent else end
        count = (stop - start + stride - 1) // stride
    else:
        start = extent - 1 if begin_masked or begin >= extent else begin if begin > lowest else lowest
        stop = -1 if end_masked or end < 0 else end
        count = (start - stop - stride - 1) // -stride
    return start, count if count > 0 else 0


def count_between(start: int, stop: int, step: int) -> int:
    """Return how many numbers start, start + step, … there are before stop."""
    return max(-((start - stop) // step), 0)


def part_of(extent: int, parts: int, i: int) -> tuple[int, int]:
    """Return the start and the length of part i of an axis in equal parts; the first ones may have one element more."""
    longer = extent % parts
    return i * (extent // parts) + min(i, longer), extent // parts + (1 if i < longer else 0)
