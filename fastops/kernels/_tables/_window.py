"""The layout of int64 tables of windows: many outputs of one size, each of which reads from a start of its own.

A *window* is one output. What all of them read is said in words (`_tables._words`) of one piece with one output, of
which axis k of the piece is axis k of the source and of the output.
"""

from __future__ import annotations

from fastops.kernels._tables._words import AXIS_COLUMNS, HEADER_COLUMNS, MOST_AXES, PIECE_COLUMNS

#: Words of a window, at most.
MOST_WORDS = HEADER_COLUMNS + 2 * MOST_AXES + 1 + PIECE_COLUMNS + MOST_AXES * AXIS_COLUMNS

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
