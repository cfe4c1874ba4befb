"""The layout of int64 words that say what a window reads, for compiled code that lays it over memory itself.

A *window* is one output: for each axis start, stride and count, under one mode, as a plan has them. Compiled code makes
the row of a part of it, and runs that. All offsets and pitches are bytes.
"""

from __future__ import annotations

# Header.
RANK = 0  # axes, which follow the header
WIDTH = 1  # bytes of an element
MODE = 2  # what coordinates outside of an axis read
STREAMS = 3  # 1: the output leaves past the caches, where it can
HAS_PLANES = 4  # 1: the last two axes may move together
PROGRAMS = 5  # number of shuffle programs
FIRST_PROGRAM = 6  # where the first of them begins, counted from the first word
HEADER_COLUMNS = 7

# Modes, as `SampleMode` has them.
STRICT_BOUNDS, WRAP, CLAMP, FILL, REFLECT, SYMMETRIC = range(6)

# An axis.
EXTENT = 0  # of the source
SRC_PITCH = 1  # from one index to the next in the source
START = 2  # coordinate of output 0
STRIDE = 3  # coordinates from one output to the next
COUNT = 4  # outputs
DST_PITCH = 5  # from one output to the next in the destination
AXIS_COLUMNS = 6

#: Starts and strides that compiled code computes with lie within this of 0, so that no sum leaves 64 bits.
LARGEST = 1 << 61

# A shuffle program, and the plane that it is for: its last two axes, by their numbers, and how they read.
PROGRAM_BLOCK = 0  # bytes of a block
PROGRAM_OUTER = 1  # which axis is the last one: its outputs are pixels
PROGRAM_OUTER_PITCH = 2  # from one pixel to the next in the source
PROGRAM_INNER = 3  # which axis is the one before, or NO_INNER
PROGRAM_INNER_PITCH = 4  # from one block of a pixel to the next in the source
PROGRAM_OUTER_DST_PITCH = 5  # from one pixel to the next in the destination
PROGRAM_INNER_DST_PITCH = 6  # from one block of a pixel to the next in the destination
PROGRAM_BLOCKS = 7  # blocks of a pixel
PROGRAM_FEWEST = 8  # pixels that a row must have
PROGRAM_LENGTH = 9  # words of the program, which follow
PROGRAM_COLUMNS = 10

NO_INNER = -1  # a pixel is one block

#: Axes of a window: NumPy's arrays have no more.
MOST_AXES = 64

#: Words of the longest shuffle program, by `_gather`: 8, and eight vectors of 1 word and four windows of 3 each.
MOST_PROGRAM_WORDS = 8 + 8 * (1 + 4 * 3)

#: Programs of a window, and all of its words.
MOST_PROGRAMS = 8
MOST_WORDS = HEADER_COLUMNS + MOST_AXES * AXIS_COLUMNS + MOST_PROGRAMS * (PROGRAM_COLUMNS + MOST_PROGRAM_WORDS)

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

# Behind the axes of these words: a bit for each axis that was set.
AXES_SET = HEADER_COLUMNS + MOST_AXES * AXIS_COLUMNS
USER_WORDS = AXES_SET + 1

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
WORDS = 8  # where the words of a window are
N_WORDS = 9  # how many, with all programs
STARTS = 10  # where the starts are: for each window one of each such axis
STRIDES = 11  # the same of strides; 0 if all windows have those of the words
ITEMS = 12  # where each window's index of the source's first axis is; 0 if it has none
ITEM_EXTENT = 13  # of that axis
ITEM_PITCH = 14  # from one index of it to the next
GEOMETRIES = 15  # where extents and byte strides of each window's source are, by its rank; 0 if they have one source
WINDOWS_COLUMNS = 16
