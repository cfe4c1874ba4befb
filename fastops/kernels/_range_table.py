"""The layout of the int64 row that the range kernel runs."""

from __future__ import annotations

KIND = 0  # which formula, one of those below
COUNT = 1  # elements
WIDTH = 2  # bytes of an element: 1, 2, 4 or 8
DST_STEP = 3  # bytes from one element to the next
SWAP = 4  # 1: store the bytes in the order opposite to the machine's
START = 5  # the start: its low 64 bits if integral, else its bits in the type that the formula computes in
STEP = 6  # the step, likewise
MASK = 7  # the bits that an integral type has, -1 for a type that fills its width
STEPS = 8  # SMALL_FLOAT: number of entries in the rounding table
COLUMNS = 9

# Formulas.
INTEGER = 0  # start + i * step modulo 2^64, of which the low bits are kept
FLOAT64 = 1  # in float64
FLOAT32 = 2  # in float32
FLOAT16 = 3  # in float32, then rounded
BFLOAT16 = 4  # in float32, then rounded
SMALL_FLOAT = 5  # in float32, then rounded by a table
