"""The layout of the int64 words that describe the arrays of a call; and the statuses of a call.

The source is array 0, and the outputs follow.
"""

from __future__ import annotations

WIDTH = 0  # bytes of an element of the source
FILL = 1  # address of the first fill value
FILL_BYTES = 2  # how many bytes of fill values there are
SIDES = 3  # number of axes of all arrays together
CONVERSION = 4  # address of the words of a conversion (`_conversion`); 0 if the output has the source's type
CONVERSION_WORDS = 5  # how many
HEADER_COLUMNS = 6

# The row of an array. The rows follow the header; behind all rows are the lengths of all axes, then their byte strides.
ADDRESS = 0  # of element 0
LOW = 1  # the lowest byte, counted from ADDRESS; compiled code writes it
HIGH = 2  # one more than the highest byte, counted likewise from ADDRESS
RANK = 3
ARRAY_COLUMNS = 4

# Statuses of a call.
DONE = 0
NO_ARRAYS = 1  # an object is not an array of NumPy of the right dtype and rank, or there are too few or too many
OTHER_SHAPE = 2  # an array has another shape than the words say
TOO_FAR = 3  # the elements of an array span more bytes than kernels compute with
NOT_WRITEABLE = 4
SHARED = 5  # an output may share memory with the source or another output, or its elements with each other
NO_FILL = 6  # there are fewer fill values than the words need
WRONG_WORDS = 7  # the words are not well-formed, or a kernel would leave the arrays
NO_MEMORY = 8  # there is no memory for the table
NOT_PINNED = 9  # an array's memory belongs to no array: the caller must keep the memory where it is
LARGE = 10  # the work is for threads, or needs more new arrays than compiled code makes
NOT_LOWERED = 11  # Python has to read and lower the attributes
