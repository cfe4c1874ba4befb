"""The layout of the int64 row that the range kernel runs."""

from __future__ import annotations

FORMULA = 0  # which formula makes the vectors, one of those below
COUNT = 1  # elements
WIDTH = 2  # bytes of an element: 1, 2, 4 or 8
DST_PITCH = 3  # bytes from one element to the next in the output
SWAP = 4  # 1: store the bytes in the order opposite to the machine's
START = 5  # the start: its low 64 bits if integral, else its bits in the type that the formula computes in
STEP = 6  # the step, likewise
MASK = 7  # the bits that an integral type has, -1 for a type that fills its width
CODES = 8  # number of codes in the rounding table of a float of at most 8 bits, which FLOAT32 makes; else 0
STREAMS = 9  # 1: the output is larger than what stays in the caches
COLUMNS = 10

# Formulas.
INT8 = 0  # start + i * step modulo 2^64, of which the low bits are kept
INT16 = 1
INT32 = 2
INT64 = 3
FLOAT64 = 4  # in float64
FLOAT32 = 5  # in float32
FLOAT16 = 6  # in float32, then rounded
BFLOAT16 = 7  # in float32, then rounded
