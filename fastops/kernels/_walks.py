"""Walks: where a mirrored or repeated axis is, at any output, and how far it goes straight from there.

Computes: positions on a circle that the indices of the source are on once, or there and back; and from a position the
run of outputs that are read at one pitch.
Memory: reads the row of an axis (`_tables._gather`).
Fast because a position takes a step for each bit of the output's number, and a run one division at most.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._tables._gather import ADVANCE, FOLD, PERIOD, START, TOP


@interpreted
def position_of(row, y):
    """Return the position of output y: START + y * ADVANCE mod PERIOD, by doubling, so that nothing overflows."""
    period, position, advance = row[PERIOD], row[START], row[ADVANCE]
    if advance < 0:
        advance += period
    while y > 0:
        if y & 1:
            position += advance
            if position >= period:
                position -= period
        advance += advance
        if advance >= period:
            advance -= period
        y >>= 1
    return position


@interpreted
def next_position(position, advance, period):
    """Return the position one output later; |advance| <= period."""
    position += advance
    if position >= period:
        position -= period
    elif position < 0:
        position += period
    return position


@interpreted
def lap_of(row, position):
    """Return the index at a position, the stride to the next output's, and how many more outputs it leads to."""
    advance, top = row[ADVANCE], row[TOP]
    if position > top:  # on the way back from the fold: the index falls while the position rises
        index, stride, room = row[FOLD] - position, -advance, row[PERIOD] - 1 - position
    elif advance > 0:
        index, stride, room = position, advance, top - position
    else:
        index, stride, room = position, advance, position
    distance = abs(advance)
    return index, stride, room if distance == 1 else room // distance
