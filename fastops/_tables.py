"""Tables: schedules as the arrays that the kernel reads."""

from __future__ import annotations

from array import array as words
from collections.abc import Sequence

import numpy as np

from fastops._byte_strides import contiguous_byte_strides
from fastops._dtypes import AnyArray
from fastops._limits import STREAM_BYTES
from fastops._plan import SlicePlan
from fastops._schedule import create_schedule
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
        out_byte_strides = tuple([contiguous_byte_strides(plan.shape, width) for plan in plans])
    streams = sum([plan.size for plan in plans]) * width >= STREAM_BYTES
    return as_table(create_schedule(plans, byte_strides, width, out_byte_strides, streams=streams).table)


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(words("q", integers), np.int64)


def moved_table(table: AnyArray, offset: int) -> AnyArray:
    """Return a table of one part that reads `offset` bytes further on."""
    moved = table.copy()
    moved[_FIRST_SRC_OFFSET] += offset
    return moved
