"""The layout of the int64 records of traced calls: what a call must be like, and how its table is made.

A record holds what `fastops._geometry._traces` has made of a call, and what compiled code compares and fills in. All
places in it are counted in words from its beginning.
"""

from __future__ import annotations

# Header.
ID = 0  # which record of its operator it is
TYPE = 1  # address of the type object of all arrays: ndarray, and no subclass
DTYPE = 2  # address of the dtype object of all arrays
FLAGS = 3  # its flags, which say if it has references, and
WIDTH = 4  # its item size: `dtype.__setstate__` can change both
RANK = 5  # of the source
PARTS = 6  # number of outputs
STRIDED = 7  # 1 if the byte strides of outputs are inputs; 0 if outputs are C-contiguous
FILL = 8  # address of the array object of the fill values of calls that give none; 0 if there is none
KEEPS_GIL = 9  # 1 if the data is moved with the GIL kept
TOKENS = 10  # number of tokens of the attributes
FIRST_TOKEN = 11  # index of the first of them
CONSTANTS = 12  # number of constants, which are values
FIRST_CONSTANT = 13
ROWS = 14  # number of rows of the program
FIRST_ROW = 15
OUTPUTS = 16  # number of values that it gives
FIRST_OUTPUT = 17
TABLE_WORDS = 18  # words of the table, which are the first that it gives
INPUTS = 19  # number of inputs: the shape, the byte strides, those of outputs, the integers of the attributes
ADDRESSED = 20  # 1 if the source is no array but an address: its shape and strides are the first attributes
HEADER_COLUMNS = 21  # then the ranks of the outputs

# What a program gives behind the table: how far a source and each output reach, in bytes, and the outputs' shapes.
SRC_LOW = 0  # the lowest byte of the source, counted from its element 0
SRC_HIGH = 1  # one beyond the highest
TOTAL_BYTES = 2  # bytes written by all outputs
FIRST_OUT = 3  # of each output its lowest byte, one beyond the highest, its shape

# Operations of a program, which are columns OPERATION, ONE and OTHER. The first ones give a value.
OPERATION, ONE, OTHER = 0, 1, 2
ROW_COLUMNS = 3
ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, SMALLER, LARGER = 0, 1, 2, 3, 4, 5, 6
IS_LESS, IS_AT_MOST, IS_EQUAL, DIFFERS = 7, 8, 9, 10  # conditions

# Values of at most this size are computed with: no sum of two of them leaves 64 bits.
LARGEST = 1 << 61

# Tokens of the attributes, in the order in which they are written.
TOKEN = 0  # one of those below
ADDRESS = 1  # of the type object that it is of, or of the object that it is
LENGTH = 2  # the number of its items, which follow
TOKEN_COLUMNS = 3
INTEGER = 0  # an exact int, which is an input
OBJECT = 1  # that object and no other
TUPLE, LIST, SLICE = 2, 3, 4  # of items
DEEPEST = 8  # tuples, lists and slices within each other

# Room for what a program gives, and for its values.
MOST_OUTPUTS = 512
MOST_VALUES = 1024

#: Work that writes fewer bytes than this runs serially: measured, where two threads overtake one.
PARALLEL_BYTES = 3 << 17

#: Work that writes more bytes than this is done by several launches, so that Ctrl-C waits for one of them only: memory
#: that a virtual machine has never touched came at 0.36 GB/s, at which a launch takes 0.2 s.
LAUNCH_BYTES = 1 << 26

# In place of a number of threads: only what keeps the GIL is moved, or that and what one thread moves.
ONLY_WITH_GIL, ONE_IF_SMALL = -1, 0

# What the kernel has done with a call that fits a record.
DONE = 0  # moved the data
PREPARED = 1  # written the table that moves it
OTHER_OUTPUTS = 2  # written the shapes that outputs should have; these ones have others, or share memory
NO_ROOM = 3  # nothing: the table has more words than there is room for
OUTCOMES = 4
NO_RECORD = -1
