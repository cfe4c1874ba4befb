"""Tables: schedules as the arrays that the kernel reads, made anew or out of one that was made before."""

from __future__ import annotations

from array import array as words
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from fastops._dtypes import AnyArray
from fastops._look_up import CACHE_SIZE
from fastops._plan import AxisMap, SlicePlan
from fastops._runtime import STREAM_BYTES
from fastops._schedule import contiguous_byte_strides, create_schedule
from fastops.kernels._gather_table import HEADER_COLUMNS, SRC_OFFSET

# Where a table says from where its first part reads.
_FIRST_SRC_OFFSET = HEADER_COLUMNS + SRC_OFFSET


def create_table(
    plans: tuple[SlicePlan, ...],
    byte_strides: tuple[int, ...],
    width: int,
    out_byte_strides: tuple[tuple[int, ...], ...] | None = None,
) -> AnyArray:
    """Return the table of plans of one source; ``out_byte_strides`` None stands for C-contiguous outputs."""
    if out_byte_strides is None:
        if len(plans) == 1 and plans[0].is_view:
            return _relocated_table(plans[0], byte_strides, width)
        out_byte_strides = tuple([contiguous_byte_strides(plan.shape, width) for plan in plans])
    streams = sum([plan.size for plan in plans]) * width >= STREAM_BYTES
    return as_table(create_schedule(plans, byte_strides, width, out_byte_strides, streams=streams).table)


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(words("q", integers), np.int64)


def _relocated_table(plan: SlicePlan, byte_strides: tuple[int, ...], width: int) -> AnyArray:
    """Return the table of a plan that reads in bounds: that of another one of its size, begun elsewhere.

    Crops at random places differ in nothing else, and making a schedule takes longer than running a small one.
    """
    strides, counts, offset = [], [], 0
    for axis, byte_stride in zip(plan.axes, byte_strides, strict=True):
        strides.append(axis.stride)
        counts.append(axis.count)
        offset += axis.start * byte_stride
    table = _table_at_origin(plan.source_shape, tuple(strides), tuple(counts), plan.shape, byte_strides, width)[:]
    table[_FIRST_SRC_OFFSET] += offset
    return np.frombuffer(table, np.int64)


@lru_cache(CACHE_SIZE)
def _table_at_origin(
    source_shape: tuple[int, ...],
    strides: tuple[int, ...],
    counts: tuple[int, ...],
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    width: int,
) -> words[int]:
    """Return the table of a plan that reads in bounds, as if each axis began at 0, from where falling strides leave."""
    axes, offset = [], 0
    for extent, stride, count, byte_stride in zip(source_shape, strides, counts, byte_strides, strict=True):
        start = max(-stride, 0) * (count - 1)
        axes.append(AxisMap.create(extent, start, stride, count))
        offset += start * byte_stride
    plan = SlicePlan.create(axes, shape)
    streams = plan.size * width >= STREAM_BYTES
    schedule = create_schedule((plan,), byte_strides, width, (contiguous_byte_strides(shape, width),), streams=streams)
    table = words("q", schedule.table)
    table[_FIRST_SRC_OFFSET] -= offset
    return table
