"""The layout of int64 tables of windows: many outputs of one size, each of which reads from a start of its own.

A *window* is one output. What all of them read is said in words (`_tables._words`) of one piece with one output, of
which axis k of the piece is axis k of the source and of the output.
"""

from __future__ import annotations

from fastops.kernels._tables._words import AXIS_COLUMNS, HEADER_COLUMNS, MOST_AXES, PIECE_COLUMNS

#: Words of a window, at most.
MOST_WORDS = HEADER_COLUMNS + 2 * MOST_AXES + 1 + PIECE_COLUMNS + MOST_AXES * AXIS_COLUMNS

# --- Users' compiled code -----------------------------------------------------------------------------------------

# What is wrong with a call, in the order in which it is found; 0 is nothing.
NO_AXIS = 1  # data has no axis of this number
REPEATED_AXIS = 2
ZERO_STRIDE = 3
NEGATIVE_SIZE = 4
TOO_LARGE = 5  # a number leaves 64 bits, or comes near to that
OUT_OF_BOUNDS = 6
EMPTY_AXIS = 7  # there is nothing to read in another mode but FILL
OTHER_SHAPE = 8  # of the output
NO_MODE = 9
FILL_VALUE = 10  # the type of data cannot express it
OTHER_LENGTH = 11  # of a list
UNUSED_FILL_VALUE = 12  # in another mode but FILL

# Behind the words of a window, in this order: bytes of an element; a bit for each axis that was set; the byte strides
# of the source, and those of the output.
USER_WIDTH = 0
USER_AXES_SET = 1
USER_BYTE_STRIDES = 2

# --- Many windows -------------------------------------------------------------------------------------------------

# A table that has WINDOWS where others have the number of their parts (`_gather.PARTS`), behind the header of all
# tables. The first destination is the output, those behind it are the sources if each window has its own.
WINDOWS = -1
N_WINDOWS = 2  # how many
DOUBTFUL = 3  # written by compiled code: the first window that may be wrong, so that nothing is moved; -1 for none
IS_CHECKED = 4  # 1: no window is looked at, and those with numbers that are too large are left out
DST_STEP = 5  # from one window's output to the next one's
N_AXES = 6  # axes of which each window has a start of its own
AXIS_NUMBERS = 7  # where the numbers of these axes are in the table
MODE = 8  # that of these axes
WIDTH = 9  # bytes of an element
STREAMS = 10  # 1: the output leaves past the caches, where it can
WORDS = 11  # where the words of a window are
N_WORDS = 12  # how many
BYTE_STRIDES = 13  # where the byte strides are, of the source and of the output of a window
STARTS = 14  # where the starts are: for each window one of each such axis
STRIDES = 15  # the same of strides; 0 if all windows have those of the words
ITEMS = 16  # where each window's index of the source's first axis is; 0 if it has none
ITEM_EXTENT = 17  # of that axis
ITEM_PITCH = 18  # from one index of it to the next
GEOMETRIES = 19  # where extents and byte strides of each window's source are, by its rank; 0 if they have one source
WINDOWS_COLUMNS = 20
