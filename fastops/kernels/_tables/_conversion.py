"""The layout of the int64 words of a conversion: how elements are cast and scaled between the source and the output.

Output ``y`` is ``T(x) * a + b`` of the element ``x`` that it reads, where T is float64 for an output of float64 and
float32 for others; product, sum and result are rounded, in this order. The numbers a and b are those of the output's
channel.
"""

# - SOURCE: the type of the source's elements
# - RESULT: the type of the output's
# - CHANNEL_AXIS: axis of the output along which channels lie; -1 for none: all elements are of channel 0
SOURCE, RESULT, CHANNEL_AXIS, CHANNELS, HEADER_COLUMNS = range(5)
# The numbers a follow the header. They have type T, and there are `numbers_of(channels)` of them: one for each channel
# in turn, which begin again with channel 0 after the last channel. The same number of numbers b follow.

#: Types of sources, and their bytes.
UINT8, INT8, UINT16, INT16, FLOAT16, BFLOAT16, FLOAT32 = range(7)
SOURCE_WIDTHS = (1, 1, 2, 2, 2, 2, 4)

#: Types of results, and their bytes.
TO_FLOAT32, TO_FLOAT16, TO_BFLOAT16, TO_FLOAT64 = range(4)
RESULT_WIDTHS = (4, 2, 2, 8)

#: The most elements that are converted together through a buffer, or where steps use different numbers.
PART = 480

#: Elements that one step of a loop converts. The last step of a part may read numbers that it does not use, at most
#: this many.
LANES = 48

#: Elements whose numbers stay in registers. With 1, 2, 3, 4, 6, 8, 12 or 24 channels, each step uses the same numbers.
KEPT_NUMBERS = 24


def numbers_of(channels: int) -> int:
    """Return how many numbers a, and how many numbers b, a conversion has: a part may begin with any channel."""
    return channels + PART + LANES
