"""The layout of the int64 table that the guard of prepared calls reads."""

from __future__ import annotations

TYPE = 0  # address of the type object of all arrays: ndarray, and no subclass
DTYPE = 1  # address of the dtype object of all arrays
WIDTH = 2  # its item size, which `dtype.__setstate__` can change
SRC_RANK = 3
SRC_LOW = 4  # the lowest byte of the source, counted from its element 0
SRC_HIGH = 5  # one beyond the highest
PARTS = 6  # number of outputs
SHAPES = 7  # the source's shape, its byte strides, then for each output: its rank, its bytes, its shape
