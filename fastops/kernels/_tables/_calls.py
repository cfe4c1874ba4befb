"""The layouts of int64 words of two kinds of calls: of many windows, and of calls in users' compiled code.

Windows are outputs of one size, which read from starts of their own. The words of one window (`_tables._words`) are one
piece with one output. Axis k of the piece is axis k of the source and of the output.

The words of a call in users' compiled code lie on the stack of the user's function. Behind the header are the arguments
of the rule (`_tables._rules`), the description of a source and an output (`_tables._arrays`), and room for the words of
the plan (`_tables._words`).
"""

from fastops.kernels._tables._words import AXIS_COLUMNS, HEADER_COLUMNS, MOST_AXES, PIECE_COLUMNS

#: Words of a window, at most.
MOST_WORDS = HEADER_COLUMNS + 2 * MOST_AXES + 1 + PIECE_COLUMNS + MOST_AXES * AXIS_COLUMNS

# Many windows: the words that all of them share.
# - N_AXES: how many axes have starts
# - MODE: of all axes
# - AXES: the numbers of the axes that have starts, then their strides
N_AXES, MODE, AXES = range(3)

# The windows of a call: the words that they share, then these. In the description of their arrays (`_arrays`), the
# sources are arrays 0 and on, and the output is the last one.
# - SOURCES: the number of sources: 1, or as many as windows
# - STARTS: the address of the starts, a row for each window
# - STRIDES: the address of the strides, a row for each window; 0 if all windows share theirs
# - ITEMS: the address of each window's index of the source's first axis; 0 without items
MOST_PLAN_WORDS = AXES + 2 * MOST_AXES
N_WINDOWS, SOURCES, STARTS, STRIDES, ITEMS, CALL_WORDS = range(MOST_PLAN_WORDS, MOST_PLAN_WORDS + 6)

# A call in users' compiled code.
FILL = 0  # a fill value of data's dtype, in two words
RULE = 2  # family, option and second option
# - WIDTH: bytes of an element
# - IS_FILLED: 1 if the call gives a fill value
# - ARRAYS: where the description of the arrays is
# - WORDS: where the words of the plan are
# - N_WORDS: how many words there are; compiled code writes it
# - ARGUMENTS: where the arguments are
SRC_RANK, WIDTH, IS_FILLED, ARRAYS, ARRAYS_WORDS, WORDS, N_WORDS, ARGUMENTS = range(5, 13)
