"""The layout of the int64 words of rules and of arguments: how compiled code reads and lowers an operator's attributes.

A rule names the family and the dialect of an operator, and says which attribute is which parameter of the family.
Compiled code reads attributes into arguments, which are words too.
"""

# - OPTION: the dialect, by a number of the family
FAMILY, OPTION, SECOND_OPTION = range(3)
# The addresses of types and objects. They tell an attribute's kind.
INT_TYPE, INT64_TYPE, INT32_TYPE, TUPLE_TYPE, LIST_TYPE, SLICE_TYPE, STR_TYPE, ARRAY_TYPE = range(3, 11)
INT64_DTYPE, INT32_DTYPE, NONE, ELLIPSIS = range(11, 15)
# - CONSTANTS: number of constants: objects that stand for numbers, such as the names of modes
# - ATTRIBUTES: number of attributes
# Behind the header are the parameter of each attribute, then the address and the number of each constant.
CONSTANTS, ATTRIBUTES, HEADER_COLUMNS = range(15, 18)

#: Added to the parameter of an attribute that may be None.
OPTIONAL = 16

# Families, and their parameters.
WINDOWS = 0
START, SIZE, STRIDE, AXES, MODE = 0, 1, 2, 3, 4
REST_IF_MINUS_1, ONE_AXIS = 1, 2  # option: a size of -1 is the rest of the axis; or each is one integer, for one axis
SLICES = 1
BEGIN, END = 0, 1  # and STRIDE and AXES
OPENVINO_CLAMP, NUMPY_CLAMP = 0, -1  # option: the index to which a begin before the axis is clamped
MASKS = BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_MASK, ELLIPSIS_MASK = 5, 6, 7, 8, 9
BIT_LISTS, BIT_FIELDS = 0, 1  # second option: the form of masks
# The parameter of an index. An index is read as lists, one after another: BEGIN, END, STRIDE, then the masks in the
# order of MASKS.
INDEX = 10
NEW_AXIS_COLUMN, SHRINK_COLUMN, ELLIPSIS_COLUMN, INDEX_COLUMNS = 5, 6, 7, 8
PADS = 2  # BEFORE, AFTER, AXES and MODE; or BEFORE alone, with the pads of both sides
BEFORE, AFTER = 0, 1
BY_SIDES, BY_HALVES, FROM_THE_LAST, BY_PAIRS, BY_ANY_PAIRS = 0, 1, 2, 3, 4  # option: the form of pads
ONE_FOLD = 1  # second option: a pad mirrors the axis at most once
ROLL = 3
SHIFT = 0  # and AXES
ONE_SHIFT, ONE_OF_EITHER = 1, 2  # option: one shift may be for all axes; and one axis for all shifts
FLIP = 4  # AXES
ALL_BY_DEFAULT, MAY_REPEAT = 1, 2  # option: axes may be None, or an integer; axes may be named twice
TILE = 5
REPEATS = 0
ONE_EACH, ANY_NUMBER, MAY_BE_ONE, FROM_0 = 0, 1, 2, 3  # option: one per axis; any number; or an integer; below 0 is 0
SPLIT = 6
LENGTHS, AXIS, NUMBER = 0, 1, 2
MOST_PARTS = 1 << 20  # of an axis
ARE_LENGTHS, MAY_INFER, ARE_INDICES, NO_LIST = 0, 1, 2, 3  # option: a list has lengths, or -1 too, or indices
REFUSED, PARTS, UNEQUAL_PARTS, LENGTH = 0, 1, 2, 3  # second option: the meaning of an integer
TRANSPOSE = 7
ORDER = 0
FROM_END = 1  # option: axes may be counted from the end
NONE_REVERSES, EMPTY_REVERSES, NOTHING_REVERSES = 0, 1, 2  # second option: the order that reverses the axes
ROTATE = 8
TURNS = 0  # and AXES
WHOLE = 9  # no parameters; data must have an axis

BATCH = 10  # of windows: START, a row for each, SIZE, STRIDE, AXES, MODE
ITEMS = 5
MOVE = 11
SOURCE, DESTINATION = 0, 1
EXCHANGE = 1  # option: two axes change places
REPEAT = 12  # REPEATS and AXIS; without AXIS data is flattened
BROADCAST = 13  # a tile: REPEATS are the lengths of the result
SLIDE = 14  # SIZE, STRIDE and AXES of sliding windows
WINDOWS_LAST, AS_FRAMES = 0, 1  # option: where the axes of a window's elements are in the result

# Arguments: a row for each parameter, then the values.
# - COUNT: of values
# - FIRST_VALUE: index of the first of them
# - ROW_LENGTH: values of each row of ROWS; COUNT is the number of rows
KIND, COUNT, FIRST_VALUE, ROW_LENGTH, ARGUMENT_COLUMNS = range(5)
MOST_PARAMETERS, ARGUMENT_WORDS = 10, 256

# Kinds of arguments.
ABSENT, INTEGER, LIST, ROWS, CONSTANT = 0, 1, 2, 3, 4

# The uses of a position of a strided slice.
IS_SLICE, IS_INTEGER, IS_ELLIPSIS, IS_NEW_AXIS = 0, 1, 2, 3

# Statuses of rules, for arguments that they do not lower to words. No status of a call (`_arrays`) has one of these
# numbers. For a call from Python, Python then lowers the attributes, and raises the error if they are wrong; users'
# compiled code has an error text for each status.
# - OTHER_KIND: an argument has another kind or another length
# - NO_AXIS: data has no such axis
# - TOO_LARGE: a number or a sum may exceed 64 bits, or there is no room for the words
# - EMPTY_AXIS: an empty axis is read in another mode than FILL
# - FILL_VALUE: data's dtype cannot hold the fill value
# - UNUSED_FILL_VALUE: there is a fill value in another mode than FILL
# - UNEQUAL_SPLIT: the number of parts is below 1, or they would not be equal
# - NO_BROADCAST: an axis has neither length 1 nor the length of the shape
# - TOO_LONG_WINDOW: a window is longer than its axis
# - NO_STEP: a step between windows is below 1, or an axis has several
OTHER_KIND, NO_AXIS, REPEATED_AXIS, ZERO_STRIDE, NEGATIVE_SIZE, TOO_LARGE, OUT_OF_BOUNDS, EMPTY_AXIS = range(32, 40)
NO_MODE, FILL_VALUE, UNUSED_FILL_VALUE, UNEQUAL_SPLIT, TOO_MANY_PARTS, NO_BROADCAST, TOO_LONG_WINDOW = range(40, 47)
NO_STEP = 47
