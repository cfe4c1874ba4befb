"""Tables: schedules as the arrays that the kernel reads."""

from __future__ import annotations

from array import array as words
from collections.abc import Sequence

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._geometry import Geometry
from fastops._schedules._pieces import Pieces
from fastops._schedules._schedule import create_schedule
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables._gather import HEADER_COLUMNS

#: The table of calls that write nothing.
NO_TABLE = np.zeros(HEADER_COLUMNS, np.int64)


def create_table(
    plans: tuple[Geometry, ...],
    byte_strides: tuple[int, ...],
    width: int,
    out_byte_strides: Sequence[Sequence[int]],
    pieces: Pieces | None,
    total_bytes: int,
) -> AnyArray:
    """Return the table of plans of one source, which write so many bytes into outputs of these byte strides.

    The plans have an output each, or are pieces of one.
    """
    places = None
    if pieces is not None:
        split = pieces.split_byte_strides(out_byte_strides[0])
        places = pieces.places(split)
        out_byte_strides = [split] * len(plans)
    streams = total_bytes >= STREAM_BYTES
    return as_table(create_schedule(plans, byte_strides, width, out_byte_strides, places=places, streams=streams).table)


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(words("q", integers), np.int64)
