"""The layout of the int64 table that the guard of prepared calls reads."""

from __future__ import annotations

DTYPE = 0  # address of the dtype object of both arrays
SRC_RANK = 1
DST_RANK = 2
SRC_LOW = 3  # the lowest byte of the source, counted from its element 0
SRC_HIGH = 4  # one beyond the highest
DST_BYTES = 5  # bytes of the destination
SHAPES = 6  # the source's shape, its byte strides, then the destination's shape
