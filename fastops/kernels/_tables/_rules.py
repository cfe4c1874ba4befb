"""The layout of the int64 words of rules: how compiled code reads the attributes of an operator, and what they mean.

A rule says which family of operators one belongs to, in which dialect, and which of its attributes is which parameter
of the family. Attributes are read into arguments, which are words too.
"""

from __future__ import annotations

FAMILY = 0
OPTION = 1  # the dialect, in numbers that mean something to the family
SECOND_OPTION = 2
# The addresses of types and objects by which attributes are read.
INT_TYPE, INT64_TYPE, INT32_TYPE = 3, 4, 5
TUPLE_TYPE, LIST_TYPE, SLICE_TYPE, STR_TYPE, ARRAY_TYPE = 6, 7, 8, 9, 10
INT64_DTYPE, INT32_DTYPE = 11, 12
NONE, ELLIPSIS = 13, 14
CONSTANTS = 15  # number of objects that stand for numbers, as the words of modes do
ATTRIBUTES = 16  # number of attributes
HEADER_COLUMNS = 17  # then the parameter of each attribute; then the address and the number of each constant

#: Added to the parameter of an attribute that may be None.
OPTIONAL = 16

# Families, and their parameters.
WINDOWS = 0
START, SIZE, STRIDE, AXES, MODE = 0, 1, 2, 3, 4
REST_IF_MINUS_1, ONE_AXIS = 1, 2  # option: a size of -1 is all that is left; or integers of one axis, from the end too
SLICES = 1
BEGIN, END = 0, 1  # and STRIDE and AXES; the option is how far below 0 a begin is clamped
BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_MASK, ELLIPSIS_MASK = 5, 6, 7, 8, 9
BIT_LISTS, BIT_FIELDS = 0, 1  # second option: what masks are
INDEX = 2  # of slices, integers, an ellipsis and new axes
PADS = 3  # BEFORE, AFTER, AXES and MODE; or BEFORE alone, which has both sides
BEFORE, AFTER = 0, 1
BY_SIDES, BY_HALVES, FROM_THE_LAST, BY_PAIRS, BY_ANY_PAIRS = 0, 1, 2, 3, 4  # option: how pads are written
ONE_FOLD = 1  # second option: mirrored pads are no longer than the axis
ROLL = 4
SHIFT = 0  # and AXES
ONE_SHIFT, BROADCAST = 1, 2  # option: one shift is for all axes; or one axis for all shifts too
FLIP = 5  # AXES
ALL_BY_DEFAULT, MAY_REPEAT = 1, 2  # option: axes may be None, or an integer; axes may be named twice
TILE = 6
REPEATS = 0
ONE_EACH, ANY_NUMBER, MAY_BE_ONE, FROM_0 = 0, 1, 2, 3  # option: as many as axes; or not; or an integer; or below 0 too
SPLIT = 7
LENGTHS, AXIS, NUMBER = 0, 1, 2
MOST_PARTS = 1 << 20  # of an axis
ARE_LENGTHS, MAY_INFER, ARE_INDICES, NO_LIST = 0, 1, 2, 3  # option: what a list is
REFUSED, PARTS, UNEQUAL_PARTS, LENGTH = 0, 1, 2, 3  # second option: what an integer is
TRANSPOSE = 8
ORDER = 0
FROM_END = 1  # option: axes may be counted from the end
NONE_REVERSES, EMPTY_REVERSES, NOTHING_REVERSES = 0, 1, 2  # second option
SWAP = 9
FIRST, SECOND = 0, 1
ROTATE = 10
TURNS = 0  # and AXES
WHOLE = 11  # no parameters; not of data without axes

BATCH = 12  # of windows: START, a row for each, SIZE, STRIDE, AXES, MODE
ITEMS = 5
MOVE = 13
SOURCE, DESTINATION = 0, 1
REPEAT = 14  # REPEATS, and AXIS, without which data is flattened
BROADCAST = 15
SHAPE = 0
SLIDE = 16  # SIZE, STRIDE and AXES of all windows
WINDOWS_LAST, AS_FRAMES = 0, 1  # option: where the axes of what is in a window are in the result

# Arguments: a row for each parameter, then the values.
MOST_PARAMETERS = 10
KIND = 0
COUNT = 1  # of values
FIRST_VALUE = 2  # index of the first of them
ROW_LENGTH = 3  # of each row of ROWS, of which COUNT is the number
ARGUMENT_COLUMNS = 4
ARGUMENT_WORDS = 256

# Kinds of arguments.
ABSENT, INTEGER, LIST, ROWS, CONSTANT, PLACES = 0, 1, 2, 3, 4, 5

# A place of an index: what it is, then start, stop and step of a slice, or the integer.
PLACE = 0
PLACE_COLUMNS = 4
IS_SLICE, IS_INTEGER, IS_ELLIPSIS, IS_NEW_AXIS = 0, 1, 2, 3
HAS_NO_START, HAS_NO_STOP = 4, 8  # added to IS_SLICE

# Why arguments have no words, in numbers that no status of a call has (`_arrays`). In calls of Python, each of these
# means that Python reads and lowers the attributes, and says what is wrong; users' compiled code has a text of each.
OTHER_KIND = 32  # arguments are of another kind, or of another length
NO_AXIS = 33  # data has no axis of this number
REPEATED_AXIS = 34
ZERO_STRIDE = 35
NEGATIVE_SIZE = 36
TOO_LARGE = 37  # a number leaves 64 bits, or comes near to that; or words are more than there is room for
OUT_OF_BOUNDS = 38
EMPTY_AXIS = 39  # there is nothing to read in another mode but FILL
NO_MODE = 40
FILL_VALUE = 41  # the type of data cannot express it
UNUSED_FILL_VALUE = 42  # in another mode but FILL
UNEQUAL_SPLIT = 43  # so many parts, there are none, or they are not equal
TOO_MANY_PARTS = 44
NO_BROADCAST = 45  # an axis has another length than 1 and that of the shape
TOO_LONG_WINDOW = 46  # of more elements than the axis
NO_STEP = 47  # windows follow each other at a distance below 1, or at several along an axis
