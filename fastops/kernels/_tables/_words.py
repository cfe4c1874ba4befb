"""The layout of the int64 words of plans: the geometry that compiled code reads.

Words have no byte strides: an axis reads indices of an axis of the source, and writes indices of an axis of an output.
The axes of all outputs are numbered consecutively.
"""

# Header. Behind it are the source's shape, then the rank of each output, then the shapes of the outputs.
# - PIECES: number of pieces
# - OUTPUTS: number of outputs
# - SRC_RANK: axes of the source
# - FILLS: how many fill values are needed
# - FIRST_PIECE: index of the first piece
PIECES, OUTPUTS, SRC_RANK, FILLS, FIRST_PIECE, HEADER_COLUMNS = range(6)

# A piece: a box of an output with one map for each axis and at most one fill value. Its axes follow, then lists of
# runs.
# - OUTPUT: which output
# - FILL_INDEX: which fill value
# - AXES: number of axes
# - LENGTH: words to the next piece
OUTPUT, FILL_INDEX, AXES, LENGTH, PIECE_COLUMNS = range(5)

# An axis of a piece: output y reads coordinate START + y * STRIDE of an extent, under a mode.
# - SRC_AXIS: the axis of the source; index i of the extent is its index SRC_FIRST + i * SRC_STEP. NO_AXIS for none
# - DST_AXIS: the axis of the outputs; output y is its index DST_FIRST + y * DST_STEP. NO_AXIS for none
EXTENT, START, STRIDE, COUNT, MODE, SRC_AXIS, SRC_FIRST, SRC_STEP, DST_AXIS, DST_FIRST, DST_STEP = range(11)
AXIS_COLUMNS = 11

NO_AXIS = -1

# Modes: the numbers of `SampleMode`, and PIECEWISE.
STRICT_BOUNDS, WRAP, CLAMP, FILL, REFLECT, SYMMETRIC = range(6)
PIECEWISE = 6  # the axis is a list of runs: START is where the list begins, from the axis's row on, STRIDE their number

# A run of such a list. The list ends with a run that begins at COUNT.
# - RUN_BEGIN: the first output
# - RUN_FIRST: the index that it reads, or FILL_RUN
# - RUN_STRIDE: from one output's index to the next one's; for a fill value, its fill slot
RUN_BEGIN, RUN_FIRST, RUN_STRIDE, RUN_COLUMNS = range(4)

FILL_RUN = -(2**63)

#: The largest absolute value of numbers in words: sums of a few of them, in elements or in bytes, stay within 64 bits.
LARGEST = 1 << 61

#: The most axes of a piece.
MOST_AXES = 64
