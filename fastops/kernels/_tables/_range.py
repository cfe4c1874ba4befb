"""The layout of the int64 words of ranges: the row that the range kernel runs, and the words of a type."""

from fastops.kernels._tables._rules import HEADER_COLUMNS as _RULE_COLUMNS

# - FORMULA: of the vectors, one of those below
# - COUNT: elements
# - WIDTH: bytes of an element: 1, 2, 4 or 8
# - START: the start: its low 64 bits if integral, else its bits in the type that the formula computes in
# - STEP: the step, in the same form
# - MASK: the bits that an integral type has, -1 for a type that fills its width
# - STREAMS: 1: the output is larger than the caches
# - BYTES: of the output
FORMULA, COUNT, WIDTH, START, STEP, MASK, STREAMS, BYTES, COLUMNS = range(9)

# Formulas: the low bits of start + i * step modulo 2^64; or in float64, in float32, or in float32 and then rounded.
INT8, INT16, INT32, INT64, FLOAT64, FLOAT32, FLOAT16, BFLOAT16 = range(8)

# The words of a type: a row in which the numbers of a range are not set, then the words of a rule, which say how
# integers are read, then these addresses of types and objects.
RULE = COLUMNS
FLOAT_TYPE = RULE + _RULE_COLUMNS
FLOAT64_TYPE = FLOAT_TYPE + 1
DTYPE = FLOAT_TYPE + 2

# Numbers of a range, two words each for start, stop and step: 1 and the bits of a float, or 0 and an integer.
NUMBERS_WORDS = 6

# Statuses of a range with wrong numbers. `_arrays` has the other statuses.
# - ZERO_STEP: the step is 0, or truncates to 0
# - OUT_OF_RANGE: a number or the count is larger than kernels compute with
NOT_FINITE, ZERO_STEP, OUT_OF_RANGE = range(21, 24)
