"""The layout of the int64 table that the guard of prepared calls reads."""

from __future__ import annotations

TYPE = 0  # address of the type object of all arrays: ndarray, and no subclass
DTYPE = 1  # address of the dtype object of all arrays
SRC_RANK = 2
SRC_LOW = 3  # the lowest byte of the source, counted from its element 0
SRC_HIGH = 4  # one beyond the highest
PARTS = 5  # number of outputs
SHAPES = 6  # the source's shape, its byte strides, then for each output: its rank, its bytes, its shape
