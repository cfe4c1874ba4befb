"""Which axes, block and plane the scheduler chooses, and what it streams, just below and above each limit.

Any choice moves the right bytes; these choices are fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fastops.kernels._tables import _gather as t
from tests.helpers.schedules import (
    FAR,
    ROWS,
    TILES,
    TRANSPOSED,
    TUPLES,
    mirrored,
    nothing,
    part_of,
    pitches_of,
    schedule,
)

Axes = list[tuple[int, int]]

# Axes of a dense output (a number is the extent of a whole axis), byte strides of the source, the width, and the plane.
PLANES: dict[str, list[tuple[list[Any], list[int], int, int]]] = {
    "up to 16 rows of up to 512 bytes stay rows": [
        # Reversed channels: rows of 3 bytes.
        ([200], [-2], 1, ROWS),
        ([16, 3], [3, -1], 1, ROWS),
        ([17, 3], [3, -1], 1, TUPLES),
        ([4, 4, 3], [100, 3, -1], 1, ROWS),
        ([4, 5, 3], [100, 3, -1], 1, TUPLES),
        # Crossed rows of 512 bytes.
        ([16, 512], [1, 1000], 1, ROWS),
        ([16, 513], [1, 1000], 1, TRANSPOSED),
        ([16, 128], [4, 1000], 4, ROWS),
        ([16, 129], [4, 1000], 4, TRANSPOSED),
    ],
    "blocks of up to 64 bytes are transposed": [
        (counts, [width, FAR], width, plane)
        for width, plane in ((64, TRANSPOSED), (65, TILES))
        for counts in ([200, 300], [300, 200])
    ],
    "an axis alone is shuffled where no run does it": [
        # Loops for runs move contiguous and repeated elements, and for some widths reversed ones and every second one.
        *[([1000], [pitch], width, ROWS) for width in (1, 2, 4) for pitch in (width, 0, -width, 2 * width)],
        *[([1000], [pitch], width, TUPLES) for width in (1, 2, 4) for pitch in (3 * width, -2 * width)],
        *[([1000], [pitch], 3, TUPLES) for pitch in (-3, 6, 9)],
        *[([1000], [pitch], 3, ROWS) for pitch in (0, 3)],
        # A shuffle of blocks of 8 bytes moves two at a time; no four windows have what a vector needs.
        ([1000], [14], 7, TUPLES),
        *[([1000], [pitch], width, ROWS) for width, pitch in ((8, 24), (9, 18), (1, 17))],
    ],
}

# The same with the axes of the part before the plane: counts and pitches in the output, the outermost first.
PAIRED: dict[str, list[tuple[list[Any], list[int], int, Axes, int]]] = {
    "the source is denser along an outer axis than along the last one, and the shorter axis is the inner one": [
        ([200, 300], [4, 1000], 4, [(200, 1200), (300, 4)], TRANSPOSED),
        ([300, 200], [4, 1000], 4, [(200, 4), (300, 800)], TRANSPOSED),
        ([200, 300], [4, -1000], 4, [(200, 1200), (300, 4)], TRANSPOSED),
        # It is not: the last axis alone is shuffled.
        ([200, 300], [1000, 1000], 4, [(200, 1200), (1, 4), (300, 4)], TUPLES),
        # Two rows and three are too few for a tile.
        ([4, 300], [4, 1000], 4, [(4, 1200), (300, 4)], TRANSPOSED),
        ([2, 300], [4, 1000], 4, [(2, 1200), (1, 4), (300, 4)], TUPLES),
        ([3, 300], [4, 1000], 4, [(3, 1200), (300, 4)], TUPLES),
        # The densest axis is brought in from anywhere, unless it repeats one element; a walk is no partner.
        ([8, 9, 300], [4, FAR, 1000], 4, [(9, 1200), (8, 10800), (300, 4)], TRANSPOSED),
        ([8, 9, 300], [0, 4, 1000], 4, [(8, 10800), (9, 1200), (300, 4)], TRANSPOSED),
        ([200, mirrored(9), 300], [4, 2, 1000], 4, [(9, 1200), (200, 10800), (300, 4)], TRANSPOSED),
    ],
    "four planes become pixels: small blocks are shuffled, larger ones transposed if they lie 16 bytes apart": [
        ([200, 4], [width, pitch], width, [(4, width), (200, 4 * width)], plane)
        for plane, widths in ((TUPLES, [(1, 1000), (3, 1000), (4, 15), (4, -15)]), (TRANSPOSED, [(4, 1000), (8, 1000)]))
        for width, pitch in (*widths, *([(4, 16), (4, -16)] if plane == TRANSPOSED else []))
    ],
    "three planes of up to 4 bytes are shuffled": [
        ([200, 3], [width, 1000], width, [(3, width), (200, 3 * width)], plane)
        for width, plane in ((1, TUPLES), (4, TUPLES), (8, TRANSPOSED))
    ],
    "channels of pixels, at least a vector of them, become planes, all at once; the rows are outside of both": [
        ([3, 16], [1, 3], 1, [(3, 16), (16, 1)], ROWS),
        ([3, 7, 50], [1, 200, 3], 1, [(7, 50), (3, 350), (50, 1)], TUPLES),
        ([4, 7, 50], [-2, 500, 8], 2, [(7, 100), (4, 700), (50, 2)], TUPLES),
        # Three of four channels.
        ([3, 50], [1, 4], 1, [(3, 50), (50, 1)], ROWS),
        # Fewer than a vector, five channels, pixels too far apart, and blocks of 8 bytes: plane by plane.
        ([3, 1, 15], [1, 200, 3], 1, [(3, 15), (15, 1)], ROWS),
        ([5, 900], [1, 5], 1, [(5, 900), (1, 1), (900, 1)], TUPLES),
        ([3, 900], [1, 5], 1, [(3, 900), (1, 1), (900, 1)], TUPLES),
        ([3, 50], [8, 24], 8, [(3, 400), (50, 8)], ROWS),
    ],
    "short rows that are no plane run along the longer axis next to them": [
        ([200, mirrored(127)], [7, -1], 1, [(127, 1), (200, 127)], ROWS),
        ([200, mirrored(128)], [7, -1], 1, [(200, 128), (128, 1)], ROWS),
        ([200, 5, mirrored(30)], [FAR, 7, -1], 1, [(200, 150), (5, 30), (30, 1)], ROWS),
        ([5, 200, mirrored(30)], [FAR, 7, -1], 1, [(5, 6000), (30, 1), (200, 30)], ROWS),
        # The last axis is plain, and the one outside it is not.
        ([mirrored(200), 3], [7, -1], 1, [(3, 1), (200, 3)], ROWS),
    ],
    "pixels are shuffled: reversed channels, every second pixel of them, planes of channels": [
        ([900, 3], [3, -1], 1, [(3, 1), (900, 3)], TUPLES),
        ([900, 3], [-6, -1], 1, [(3, 1), (900, 3)], TUPLES),
        ([50, 900, 3], [FAR, 3, -1], 1, [(50, 2700), (3, 1), (900, 3)], TUPLES),
    ],
    "fill values are one axis, whatever is beside them, in the order of the output": [
        ([nothing(7), 30, 5], [1000, 50, 3], 1, [(7 * 30 * 5, 1)], ROWS),
        ([30, nothing(7), mirrored(5)], [1000, 50, 3], 1, [(7 * 30 * 5, 1)], ROWS),
        ([mirrored(30), 5, nothing(7)], [1000, 50, 3], 1, [(7 * 30 * 5, 1)], ROWS),
    ],
}

# Axes, byte strides of the source and of the output, the plane, and 1 if it is streamed when that is asked for.
STREAMED: list[tuple[list[Any], list[int], list[int], int, int]] = [
    # Dense rows; rows with gaps of 1024 bytes and more, and of less; elements with gaps.
    ([50, 3000], [9000, 2], [3000, 1], ROWS, 1),
    ([50, 1024], [9000, 2], [5000, 1], ROWS, 1),
    ([50, 1023], [9000, 2], [5000, 1], ROWS, 0),
    ([50, 3000], [9000, 2], [9000, 2], ROWS, 0),
    ([2, 3, 1000], [FAR, 9000, 2], [3000, 1000, 1], ROWS, 1),
    # One row is dense whatever its length.
    ([600], [2], [1], ROWS, 1),
    ([600], [2], [2], ROWS, 0),
    # Pixels: dense rows of them; with gaps.
    ([900, 3], [3, -1], [3, 1], TUPLES, 1),
    ([50, 900, 3], [FAR, 3, -1], [2700, 3, 1], TUPLES, 1),
    ([50, 342, 3], [FAR, 3, -1], [5000, 3, 1], TUPLES, 1),
    ([50, 341, 3], [FAR, 3, -1], [5000, 3, 1], TUPLES, 0),
    # Pixels are not shuffled where the output is not dense, or one element is repeated, or an axis is a walk.
    ([900, 3], [3, -1], [4, 1], TILES, 0),
    ([900, 3], [0, -1], [3, 1], TRANSPOSED, 1),
    ([900, mirrored(3)], [9, 1], [3, 1], ROWS, 0),
    ([mirrored(900), 3], [9, -1], [3, 1], ROWS, 0),
    # An axis of one output may have any pitch.
    ([nothing(1), 300], [1000, 1], [777, 1], ROWS, 1),
    # Walks that write downwards.
    ([mirrored(3000)], [1], [-1], ROWS, 0),
    ([mirrored(50), 1000], [9000, 2], [-1000, 1], ROWS, 0),
    # Transposes stream what they have whole, tiles nothing.
    ([200, 300], [4, 1000], [300, 1], TRANSPOSED, 1),
    ([100, 50], [3000, 3], [1000, 2], TILES, 0),
]

# Axes, byte strides of the source and of the output, the width; then the axes, the block and the plane of the part.
LAID: list[tuple[list[Any], list[int], list[int], int, Axes, int, int]] = [
    # Rows of up to 1024 bytes are blocks.
    ([100, 1024], [5000, 1], [1024, 1], 1, [(100, 1024)], 1024, ROWS),
    ([100, 1025], [5000, 1], [1025, 1], 1, [(100, 1025), (1025, 1)], 1, ROWS),
    # Of fill values with gaps between them too.
    ([nothing(7), 30], [5000, 1], [2000, 1], 1, [(7, 2000)], 30, ROWS),
    ([nothing(7), 1025], [5000, 1], [2000, 1], 1, [(7, 2000), (1025, 1)], 1, ROWS),
    # Neighbours that move as one axis are merged: all is contiguous on both sides; or there are gaps between rows.
    ([3, 20, 15], [600, 30, 2], [600, 30, 2], 2, [(3 * 20 * 15, 2)], 2, ROWS),
    ([3, 20, 15], [4000, 40, 2], [600, 30, 2], 2, [(3, 600), (20, 30)], 30, ROWS),
    ([3, 20, 15], [600, 30, 2], [4000, 40, 2], 2, [(3, 4000), (20, 40)], 30, ROWS),
    ([3, 20, 15], [900, 30, 2], [900, 30, 2], 2, [(3, 900)], 600, ROWS),
    # Nothing is contiguous with anything; the output is contiguous, and the source a multiple of it.
    ([3, 20, 15], [5000, 70, 3], [4000, 50, 3], 2, [(3, 4000), (15, 3), (20, 50)], 2, TILES),
    ([3, 20, 15], [1200, 60, 4], [600, 30, 2], 2, [(3 * 20 * 15, 2)], 2, ROWS),
    ([3, 20, 15], [0, 0, 0], [600, 30, 2], 2, [(3 * 20 * 15, 2)], 2, ROWS),
    # Crops of whole pixels: a short row of them is one element. A reversal of all axes is one.
    ([4, 5, 3], [27, 3, 1], [15, 3, 1], 1, [(4, 15)], 15, ROWS),
    ([4, 5], [-5, -1], [5, 1], 1, [(20, 1)], 1, ROWS),
    # A mirrored axis over whole pixels moves pixels.
    ([9, mirrored(13), 3], [27, 3, 1], [39, 3, 1], 1, [(9, 39), (13, 3)], 3, ROWS),
    # Axes are written upwards, but for walks, which stand where the distance of their outputs puts them.
    ([900], [1], [-1], 1, [(900, 1)], 1, ROWS),
    ([mirrored(30), 400], [3, 700], [-500, 1], 1, [(30, -500), (400, 1)], 1, ROWS),
    # Rows of less than 128 bytes are tiles.
    ([100, 127], [3000, 3], [1000, 2], 1, [(100, 1000), (127, 2)], 1, TILES),
    ([100, 128], [3000, 3], [1000, 2], 1, [(100, 1000), (128, 2)], 1, ROWS),
    # Too few rows to be brought in from outside, but they are next to the last axis: crossed where the output is dense
    # across the source, and not where that is denser along the last axis, or alike, or the output has gaps along it.
    ([100, 3, 5], [FAR, 16, 1000], [1000, 100, 16], 16, [(100, 1000), (3, 100), (5, 16)], 16, TRANSPOSED),
    ([100, 3, 5], [FAR, 1000, 17], [1000, 100, 16], 16, [(100, 1000), (3, 100), (5, 16)], 16, TILES),
    ([100, 3, 5], [FAR, 1000, 1000], [1000, 100, 16], 16, [(100, 1000), (3, 100), (5, 16)], 16, TILES),
    ([100, 3, 5], [FAR, 16, 1000], [1000, 100, 17], 16, [(100, 1000), (3, 100), (5, 17)], 16, TILES),
]


def made_of(axes: Sequence[Any], source: Sequence[int], **options: Any) -> tuple[Axes, int, int]:
    """The axes, the block and the plane of a schedule."""
    table = schedule(axes, source, **options)
    return pitches_of(table), part_of(table)[t.BLOCK], part_of(table)[t.PLANE]


@pytest.mark.parametrize("name", [*PLANES, *PAIRED])
def test_axes_of_dense_outputs(name: str) -> None:
    for case in [*PLANES.get(name, []), *PAIRED.get(name, [])]:
        counts, source, width, *axes, plane = case
        made, _, own_plane = made_of(counts, source, width=width)
        assert (own_plane, made) == (plane, axes[0] if axes else made), case
        assert axes or plane != ROWS or made[-1][0] == counts[-1], case


def test_axes_of_outputs_with_gaps() -> None:
    for case in LAID:
        axes, source, out, width, *right = case
        assert made_of(axes, source, out=out, width=width) == tuple(right), case


def test_outputs_are_streamed_where_whole_lines_are_written() -> None:
    for case in STREAMED:
        axes, source, out, plane, streams = case
        tables = [schedule(axes, source, out=out, streams=streamed) for streamed in (True, False)]
        made = [(part_of(table)[t.PLANE], part_of(table)[t.STREAMS]) for table in tables]
        assert made == [(plane, streams), (plane, 0)], case
