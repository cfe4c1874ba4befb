"""Crops: launches of plans that read in bounds.

Crops of one size at other places differ in the offset from which they read and in nothing else, and making a schedule
takes longer than running a small one. So a crop is another one of its size, moved; its plan is made when it is asked
for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fastops._arrays._dtypes import AnyDType
from fastops._execution._prepared_call import Launch, create_launch
from fastops._execution._tables import NO_TABLE
from fastops._lowering._bounds import Bounds
from fastops._plans._axis_map import AxisMap
from fastops._plans._slice_plan import SlicePlan
from fastops._settings import CACHE_SIZE


def is_inside(shape: Sequence[int], bounds: Sequence[Bounds]) -> bool:
    """True if every output of an array of this shape is read in bounds; false where there is none."""
    for extent, (start, stride, count) in zip(shape, bounds, strict=True):
        if count < 1 or not 0 <= start < extent or not 0 <= start + (count - 1) * stride < extent:
            return False
    return True


def create_crop(
    source_shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
    bounds: Sequence[Bounds],
    shape: tuple[int, ...],
) -> Launch:
    """Return the launch that reads an array of these byte strides in bounds; ``shape`` is that of the result."""
    strides, counts, offset = [], [], 0
    for (start, stride, count), byte_stride in zip(bounds, byte_strides, strict=True):
        strides.append(stride if count > 1 else 1)
        counts.append(count)
        offset += start * byte_stride
    origin, first = _find_origin(source_shape, tuple(strides), tuple(counts), shape, byte_strides, dtype)
    if origin.table is NO_TABLE:
        return create_launch((crop_plan(source_shape, bounds, shape),), byte_strides, dtype)
    return origin.moved(dtype, offset - first, lambda: (crop_plan(source_shape, bounds, shape),))


@lru_cache(CACHE_SIZE)
def _find_origin(
    source_shape: tuple[int, ...],
    strides: tuple[int, ...],
    counts: tuple[int, ...],
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
) -> tuple[Launch, int]:
    """Return the launch in which each axis begins at 0 or where a falling stride leaves, and its offset."""
    bounds, offset = [], 0
    for stride, count, byte_stride in zip(strides, counts, byte_strides, strict=True):
        start = max(-stride, 0) * max(count - 1, 0)
        bounds.append((start, stride, count))
        offset += start * byte_stride
    return create_launch((crop_plan(source_shape, bounds, shape),), byte_strides, dtype), offset


def crop_plan(source_shape: Sequence[int], bounds: Sequence[Bounds], shape: Sequence[int]) -> SlicePlan:
    """Return the plan that reads each axis in bounds; ``shape`` is that of the result."""
    return SlicePlan.create(
        tuple([AxisMap.create(extent, *bound) for extent, bound in zip(source_shape, bounds, strict=True)]), shape
    )
