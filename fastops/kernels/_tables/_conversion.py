"""The layout of the int64 words of a conversion: how elements are cast and scaled between the source and the output.

Output ``y`` is ``T(x) * a + b`` of the element ``x`` that it reads, where T is float64 for an output of float64 and
float32 for others; product, sum and result are rounded, in this order. The numbers a and b are those of the output's
channel.
"""

from __future__ import annotations

SOURCE = 0  # the type of the source's elements
RESULT = 1  # the type of the output's
CHANNEL_AXIS = 2  # axis of the output along which channels lie; -1 for none: all elements are of channel 0
CHANNELS = 3
HEADER_COLUMNS = 4
# Behind the header are the numbers a, of type T: those of channel 0, 1 and so on, and of channel 0 again behind the
# last one, as many as `numbers_of` says. The numbers b follow, in the same way.

#: Types of sources, and their bytes.
UINT8, INT8, UINT16, INT16, FLOAT16, BFLOAT16, FLOAT32 = range(7)
SOURCE_WIDTHS = (1, 1, 2, 2, 2, 2, 4)

#: Types of results, and their bytes.
TO_FLOAT32, TO_FLOAT16, TO_BFLOAT16, TO_FLOAT64 = range(4)
RESULT_WIDTHS = (4, 2, 2, 8)

#: Elements that are converted together where their numbers are not all the same.
PART = 480

#: Elements that one step of a loop converts; the last step of a part may read as many numbers that no element has.
LANES = 48

#: Elements whose numbers stay in registers: those of 1, 2, 3, 4, 6, 8 or 12 channels are then the same in each step.
KEPT_NUMBERS = 24


def numbers_of(channels: int) -> int:
    """Return the number of the numbers a, or b, of a conversion: a part may begin with any channel."""
    return channels + PART + LANES
