"""The layout of the int64 table that the guard of prepared calls reads."""

from __future__ import annotations

TYPE = 0  # address of the type object of all arrays: ndarray, and no subclass
DTYPE = 1  # address of the dtype object of all arrays
FLAGS = 2  # its flags, which say if it has references, and
WIDTH = 3  # its item size: `dtype.__setstate__` can change both
SRC_RANK = 4
SRC_LOW = 5  # the lowest byte of the source, counted from its element 0
SRC_HIGH = 6  # one beyond the highest
PARTS = 7  # number of outputs
SHAPES = 8  # the source's shape, its byte strides, then for each output: its rank, its bytes, its shape
