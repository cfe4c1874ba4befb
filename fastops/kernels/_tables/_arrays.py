"""The layout of the int64 words that describe the arrays of a call; and the statuses of a call.

The source is array 0, and the outputs follow.
"""

# - WIDTH: bytes of an element of the source
# - FILL: address of the first fill value
# - FILL_BYTES: how many bytes of fill values there are
# - SIDES: number of axes of all arrays together
# - CONVERSION: address of the words of a conversion (`_conversion`); 0 if the output has the source's type
# - CONVERSION_WORDS: how many
WIDTH, FILL, FILL_BYTES, SIDES, CONVERSION, CONVERSION_WORDS, HEADER_COLUMNS = range(7)

# The row of an array. The rows follow the header; behind all rows are the lengths of all axes, then their byte strides.
# - ADDRESS: of element 0
# - LOW: the lowest byte, counted from ADDRESS; compiled code writes it
# - HIGH: one more than the highest byte, counted likewise from ADDRESS
ADDRESS, LOW, HIGH, RANK, ARRAY_COLUMNS = range(5)

# Statuses of a call.
# - NO_ARRAYS: an object is not an array of NumPy of the right dtype and rank, or there are too few or too many
# - OTHER_SHAPE: an array has another shape than the words say
# - TOO_FAR: the elements of an array span more bytes than kernels compute with
# - SHARED: an output may share memory with the source or another output, or its elements with each other
# - NO_FILL: there are fewer fill values than the words need
# - WRONG_WORDS: the words are not well-formed, or a kernel would leave the arrays
# - NO_MEMORY: there is no memory for the table
# - NOT_PINNED: compiled code cannot pin an array: the caller must keep its memory where it is
# - LARGE: Python has to start threads, to make the new arrays, or to make several launches
# - NOT_LOWERED: Python has to read and lower the attributes
DONE, NO_ARRAYS, OTHER_SHAPE, TOO_FAR, NOT_WRITEABLE, SHARED, NO_FILL, WRONG_WORDS, NO_MEMORY, NOT_PINNED = range(10)
LARGE, NOT_LOWERED = range(10, 12)
