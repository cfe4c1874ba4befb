"""The layout of the int64 words of plans: all that the core knows of what is to be moved.

Words hold no byte strides: what an axis reads is said in indices of the source's axes, and where it writes in indices
of the outputs' axes. The axes of all outputs are counted through, one output behind the other.
"""

from __future__ import annotations

# Header. Behind it are the source's shape, then the rank of each output, then the shapes of the outputs.
PIECES = 0  # number of pieces
OUTPUTS = 1  # number of outputs
SRC_RANK = 2  # axes of the source
FILLS = 3  # fill values that there must be
FIRST_PIECE = 4  # index of the first piece
HEADER_COLUMNS = 5

# A piece: a box of an output that is read alike, with one fill value at most. Its axes follow, then lists of runs.
OUTPUT = 0  # which output
FILL_INDEX = 1  # which fill value
AXES = 2  # number of axes
LENGTH = 3  # words to the next piece
PIECE_COLUMNS = 4

# An axis of a piece: output y reads coordinate START + y * STRIDE of an extent, under a mode.
EXTENT = 0
START = 1
STRIDE = 2
COUNT = 3
MODE = 4
SRC_AXIS = 5  # axis of the source that index i of the extent is on, at SRC_FIRST + i * SRC_STEP; NO_AXIS for none
SRC_FIRST = 6
SRC_STEP = 7
DST_AXIS = 8  # axis of the outputs that output y is on, at DST_FIRST + y * DST_STEP; NO_AXIS for none
DST_FIRST = 9
DST_STEP = 10
AXIS_COLUMNS = 11

NO_AXIS = -1

# Modes, as `SampleMode` has them, and one more.
STRICT_BOUNDS, WRAP, CLAMP, FILL, REFLECT, SYMMETRIC = range(6)
PIECEWISE = 6  # the axis is a list of runs: START is where the list begins, from the axis's row on, STRIDE their number

# A run of such a list. Behind the last one stands one that begins at COUNT.
RUN_BEGIN = 0  # the first output
RUN_FIRST = 1  # the index that it reads, or FILL_RUN
RUN_STRIDE = 2  # from the index of one output to that of the next; of a fill value, the number of its slot
RUN_COLUMNS = 3

FILL_RUN = -(2**63)

#: Numbers of words lie within this of 0, so that no sum of a few of them, and of what they stand for in bytes, leaves
#: 64 bits.
LARGEST = 1 << 61

#: Axes of a piece.
MOST_AXES = 64
