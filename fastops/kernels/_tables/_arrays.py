"""The layout of the int64 words that describe the memory of a call: what kernels know of its arrays.

Arrays are counted from the source, which is number 0; the outputs follow.
"""

from __future__ import annotations

WIDTH = 0  # bytes of an element of the source
FILL = 1  # address of the first fill value
FILL_BYTES = 2  # bytes from there on
SIDES = 3  # number of axes of all arrays together
CONVERSION = 4  # address of the words of a conversion (`_conversion`); 0 if the output has the source's type
CONVERSION_WORDS = 5  # how many
HEADER_COLUMNS = 6

# An array, in rows behind the header. Behind all arrays are the lengths of their axes, then the byte strides of these.
ADDRESS = 0  # of element 0
LOW = 1  # the lowest byte, counted from there; compiled code writes it
HIGH = 2  # one beyond the highest
RANK = 3
ARRAY_COLUMNS = 4

# --- What a call comes to -----------------------------------------------------------------------------------------

DONE = 0
NO_ARRAYS = 1  # source and outputs are not arrays of NumPy of one dtype, as many and of the ranks that the words say
OTHER_SHAPE = 2  # an array has another shape than the words say
TOO_FAR = 3  # elements of an array lie further apart than memory is long
NOT_WRITEABLE = 4
SHARED = 5  # outputs may share memory with each other, with the source, or elements of one with each other
NO_FILL = 6  # there are fewer fill values than the words want
WRONG_WORDS = 7  # words are none, or would have a kernel leave its arrays
NO_MEMORY = 8  # there is none for the table
LARGE = 10  # it is work for threads, or more new arrays than compiled code makes
NOT_LOWERED = 11  # attributes are wrong, or such that Python reads and lowers them
NOT_PINNED = 9  # arrays have memory of others than arrays, which the caller has to keep where it is
