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

# What windows of a plan have in common, behind which are the numbers of the axes that have starts, then the strides of
# these.
N_AXES = 0  # how many such axes there are
MODE = 1  # that of all axes
AXES = 2  # the first number

# All windows of a call: the words of their plan, then these. Their arrays are described (`_arrays`): the sources are
# numbers 0 and on, the output is the last one.
MOST_PLAN_WORDS = AXES + 2 * MOST_AXES
N_WINDOWS = MOST_PLAN_WORDS
SOURCES = N_WINDOWS + 1  # how many arrays they read: 1, or one for each
STREAMS = N_WINDOWS + 2  # 1: the output leaves past the caches, where it can
STARTS = N_WINDOWS + 3  # the address of the starts: for each window one of each axis that has them
STRIDES = N_WINDOWS + 4  # the same of strides; 0 if all windows have those of the plan
ITEMS = N_WINDOWS + 5  # the address of each window's index of the source's first axis; 0 if there are none
CALL_WORDS = N_WINDOWS + 6
