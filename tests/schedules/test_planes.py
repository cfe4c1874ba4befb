"""Which axes the schedule pairs into a plane, and what it streams, on each side of each limit.

Each decision is right either way, as far as bytes go; these are the ones that are fast.
"""

from __future__ import annotations

import pytest

from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap
from tests.helpers.schedules import CROSSED, FAR, PIXELS, ROWS, TILES, axes_of, mirrored, nothing, part_of, schedule


@pytest.mark.parametrize(
    ("counts", "source", "width", "plane"),
    [
        # Reversed channels: rows of 3 bytes.
        ([200], [-2], 1, ROWS),
        ([15, 3], [3, -1], 1, ROWS),
        ([16, 3], [3, -1], 1, ROWS),
        ([17, 3], [3, -1], 1, PIXELS),
        ([4, 4, 3], [100, 3, -1], 1, ROWS),
        ([4, 5, 3], [100, 3, -1], 1, PIXELS),
        # Crossed rows of 512 bytes.
        ([16, 512], [1, 1000], 1, ROWS),
        ([16, 513], [1, 1000], 1, CROSSED),
        ([16, 128], [4, 1000], 4, ROWS),
        ([16, 129], [4, 1000], 4, CROSSED),
        ([17, 128], [4, 1000], 4, CROSSED),
    ],
)
def test_up_to_16_rows_of_up_to_512_bytes_stay_rows(
    counts: list[int], source: list[int], width: int, plane: int
) -> None:
    table = schedule(counts, source, width=width)
    assert part_of(table)[t.PLANE] == plane
    if plane == ROWS:
        assert axes_of(table)[-1][0] == counts[-1]


@pytest.mark.parametrize(
    ("counts", "source", "width", "axes", "plane"),
    [
        # Along the outer axis the source is denser than along the last one. The shorter axis is the inner one.
        ([200, 300], [4, 1000], 4, [(200, 1200), (300, 4)], CROSSED),
        ([300, 200], [4, 1000], 4, [(200, 4), (300, 800)], CROSSED),
        ([200, 300], [-4, 1000], 4, [(200, 1200), (300, 4)], CROSSED),
        ([200, 300], [4, -1000], 4, [(200, 1200), (300, 4)], CROSSED),
        ([200, 300], [999, 1000], 4, [(200, 1200), (300, 4)], CROSSED),
        # It is not: the last axis alone is shuffled.
        ([200, 300], [1000, 1000], 4, [(200, 1200), (1, 4), (300, 4)], PIXELS),
        # Two rows and three are too few for a tile.
        ([4, 300], [4, 1000], 4, [(4, 1200), (300, 4)], CROSSED),
        ([2, 300], [4, 1000], 4, [(2, 1200), (1, 4), (300, 4)], PIXELS),
        ([3, 300], [4, 1000], 4, [(3, 1200), (300, 4)], PIXELS),
        # The densest axis is brought in from anywhere, unless it repeats one element.
        ([8, 9, 300], [4, FAR, 1000], 4, [(9, 1200), (8, 10800), (300, 4)], CROSSED),
        ([8, 9, 300], [-4, -FAR, 1000], 4, [(9, 1200), (8, 10800), (300, 4)], CROSSED),
        ([8, 9, 300], [0, 4, 1000], 4, [(8, 10800), (9, 1200), (300, 4)], CROSSED),
        # A walk is no partner.
        ([200, mirrored(9), 300], [4, 2, 1000], 4, [(9, 1200), (200, 10800), (300, 4)], CROSSED),
    ],
)
def test_crossed_axes_are_a_plane(
    counts: list[int | AxisMap], source: list[int], width: int, axes: list[tuple[int, int]], plane: int
) -> None:
    table = schedule(counts, source, width=width)
    assert (axes_of(table), part_of(table)[t.PLANE]) == (axes, plane)


@pytest.mark.parametrize(
    ("width", "src_pitch", "plane"),
    [
        # Four planes become pixels of four: small blocks are shuffled, larger ones transposed if they lie apart.
        (1, 1000, PIXELS),
        (3, 1000, PIXELS),
        (4, 1000, CROSSED),
        (8, 1000, CROSSED),
        (4, 16, CROSSED),
        (4, -16, CROSSED),
        (4, 15, PIXELS),
        (4, -15, PIXELS),
    ],
)
def test_crossed_blocks_of_4_bytes_are_transposed_if_they_lie_16_apart(width: int, src_pitch: int, plane: int) -> None:
    table = schedule([200, 4], [width, src_pitch], width=width)
    assert axes_of(table) == [(4, width), (200, 4 * width)]
    assert part_of(table)[t.PLANE] == plane


@pytest.mark.parametrize(("width", "plane"), [(1, PIXELS), (4, PIXELS), (8, CROSSED)])
def test_three_planes_of_up_to_4_bytes_are_shuffled(width: int, plane: int) -> None:
    table = schedule([200, 3], [width, 1000], width=width)
    assert axes_of(table) == [(3, width), (200, 3 * width)]
    assert part_of(table)[t.PLANE] == plane


@pytest.mark.parametrize(
    ("counts", "source", "width", "axes"),
    [
        # Channels of pixels, at least a vector of them, become planes, all at once; the rows are outside of both.
        ([3, 16], [1, 3], 1, [(3, 16), (16, 1)]),
        ([3, 7, 50], [1, 200, 3], 1, [(7, 50), (3, 350), (50, 1)]),
        ([3, 7, 50], [1, 200, -3], 1, [(7, 50), (3, 350), (50, 1)]),
        ([4, 7, 50], [-2, 500, 8], 2, [(7, 100), (4, 700), (50, 2)]),
        # Three of four channels.
        ([3, 50], [1, 4], 1, [(3, 50), (50, 1)]),
        # Fewer than a vector, five channels, pixels too far apart, and blocks of 8 bytes: plane by plane.
        ([3, 1, 15], [1, 200, 3], 1, [(3, 15), (15, 1)]),
        ([5, 900], [1, 5], 1, [(5, 900), (1, 1), (900, 1)]),
        ([3, 900], [1, 5], 1, [(3, 900), (1, 1), (900, 1)]),
        ([3, 50], [8, 24], 8, [(3, 400), (50, 8)]),
    ],
)
def test_channels_become_planes_at_once(
    counts: list[int], source: list[int], width: int, axes: list[tuple[int, int]]
) -> None:
    assert axes_of(schedule(counts, source, width=width)) == axes


@pytest.mark.parametrize(("width", "plane"), [(64, CROSSED), (65, TILES)])
@pytest.mark.parametrize("counts", [[200, 300], [300, 200]])
def test_blocks_of_up_to_64_bytes_are_transposed(width: int, plane: int, counts: list[int]) -> None:
    assert part_of(schedule(counts, [width, FAR], width=width))[t.PLANE] == plane


@pytest.mark.parametrize(
    ("source", "out", "plane"),
    [
        # Too few rows to be brought in from outside, but they are next to the last axis.
        ([FAR, 16, 1000], [1000, 100, 16], CROSSED),
        ([FAR, -16, 1000], [1000, 100, 16], CROSSED),
        ([FAR, 16, -1000], [1000, 100, 16], CROSSED),
        # The source is denser along the last axis, or alike; the output has gaps along it.
        ([FAR, 1000, 17], [1000, 100, 16], TILES),
        ([FAR, 1000, 1000], [1000, 100, 16], TILES),
        ([FAR, 16, 1000], [1000, 100, 17], TILES),
    ],
)
def test_a_plane_is_crossed_where_the_output_is_dense_across_the_source(
    source: list[int], out: list[int], plane: int
) -> None:
    table = schedule([100, 3, 5], source, out=out, width=16)
    assert axes_of(table) == [(100, 1000), (3, 100), (5, out[-1])]
    assert part_of(table)[t.PLANE] == plane


@pytest.mark.parametrize(
    ("row", "width", "axes", "plane"),
    [
        (127, 1, [(100, 1000), (127, 2)], TILES),
        (128, 1, [(100, 1000), (128, 2)], ROWS),
        (31, 4, [(31, 8), (100, 1000)], TILES),
        (32, 4, [(100, 1000), (32, 8)], ROWS),
    ],
)
def test_rows_of_less_than_128_bytes_are_tiles(row: int, width: int, axes: list[tuple[int, int]], plane: int) -> None:
    table = schedule([100, row], [3000, 3 * width], out=[1000, 2 * width], width=width)
    assert (axes_of(table), part_of(table)[t.PLANE]) == (axes, plane)


@pytest.mark.parametrize(
    ("extents", "axes"),
    [
        ([200, mirrored(127)], [(127, 1), (200, 127)]),
        ([200, mirrored(128)], [(200, 128), (128, 1)]),
        ([31, mirrored(30)], [(30, 1), (31, 30)]),
        ([30, mirrored(30)], [(30, 30), (30, 1)]),
        ([29, mirrored(30)], [(29, 30), (30, 1)]),
        # It is the next one, not any.
        ([200, 5, mirrored(30)], [(200, 150), (5, 30), (30, 1)]),
        ([5, 200, mirrored(30)], [(5, 6000), (30, 1), (200, 30)]),
        # The last axis is plain, and the one outside it is not.
        ([mirrored(200), 3], [(3, 1), (200, 3)]),
    ],
)
def test_short_rows_that_are_no_plane_run_along_the_longer_axis(
    extents: list[int | AxisMap], axes: list[tuple[int, int]]
) -> None:
    table = schedule(extents, [FAR, 7, -1][-len(extents) :])
    assert (axes_of(table), part_of(table)[t.PLANE]) == (axes, ROWS)


@pytest.mark.parametrize(
    ("width", "src_pitch", "plane"),
    [
        # What runs do themselves: contiguous, repeated, and for some widths reversed and every second.
        *[(width, src_pitch, ROWS) for width in (1, 2, 4) for src_pitch in (width, 0, -width, 2 * width)],
        *[(width, src_pitch, PIXELS) for width in (1, 2, 4) for src_pitch in (3 * width, -2 * width)],
        *[(3, src_pitch, PIXELS) for src_pitch in (-3, 6, 9)],
        (3, 3, ROWS),
        (3, 0, ROWS),
        # A shuffle of blocks of 8 bytes moves two at a time.
        (7, 14, PIXELS),
        (8, 24, ROWS),
        (9, 18, ROWS),
        # No four windows have what a vector needs.
        (1, 17, ROWS),
    ],
)
def test_an_axis_alone_is_shuffled_where_no_run_does_it(width: int, src_pitch: int, plane: int) -> None:
    table = schedule([1000], [src_pitch], width=width)
    assert part_of(table)[t.PLANE] == plane
    assert axes_of(table) == ([(1, width), (1000, width)] if plane else [(1000, width)])


@pytest.mark.parametrize(
    ("counts", "source", "axes"),
    [
        # Reversed channels, every second pixel of them, planes of channels.
        ([900, 3], [3, -1], [(3, 1), (900, 3)]),
        ([900, 3], [-6, -1], [(3, 1), (900, 3)]),
        ([900, 3], [1, 900], [(3, 1), (900, 3)]),
        ([50, 900, 3], [FAR, 3, -1], [(50, 2700), (3, 1), (900, 3)]),
    ],
)
def test_pixels_are_shuffled_where_the_output_is_dense(
    counts: list[int], source: list[int], axes: list[tuple[int, int]]
) -> None:
    table = schedule(counts, source)
    assert (axes_of(table), part_of(table)[t.PLANE]) == (axes, PIXELS)


@pytest.mark.parametrize(
    ("counts", "source", "out", "plane"),
    [
        ([900, 3], [3, -1], [4, 1], TILES),
        ([900, 3], [0, -1], [3, 1], CROSSED),
        ([900, 3], [3, -1], [6, 2], TILES),
        ([900, mirrored(3)], [9, 1], [3, 1], ROWS),
        ([mirrored(900), 3], [9, -1], [3, 1], ROWS),
    ],
)
def test_pixels_are_not_shuffled_elsewhere(
    counts: list[int | AxisMap], source: list[int], out: list[int], plane: int
) -> None:
    assert part_of(schedule(counts, source, out=out))[t.PLANE] == plane


@pytest.mark.parametrize(
    ("axes", "source", "out", "plane", "streams"),
    [
        # Dense rows; rows with gaps of 1024 bytes and more, and of less; elements with gaps.
        ([50, 3000], [9000, 2], [3000, 1], ROWS, 1),
        ([50, 1024], [9000, 2], [5000, 1], ROWS, 1),
        ([50, 1023], [9000, 2], [5000, 1], ROWS, 0),
        ([2, 1000], [9000, 2], [5000, 1], ROWS, 0),
        ([50, 3000], [9000, 2], [9000, 2], ROWS, 0),
        ([50, 40, 1023], [FAR, 9000, 2], [FAR, 1023, 1], ROWS, 0),
        ([50, 40, 1024], [FAR, 9000, 2], [FAR, 1024, 1], ROWS, 1),
        ([2, 3, 1000], [FAR, 9000, 2], [3000, 1000, 1], ROWS, 1),
        # One row is dense whatever its length.
        ([600], [2], [1], ROWS, 1),
        ([600], [2], [2], ROWS, 0),
        # Pixels: dense rows of them; with gaps; the axes outside them.
        ([900, 3], [3, -1], [3, 1], PIXELS, 1),
        ([50, 900, 3], [FAR, 3, -1], [2700, 3, 1], PIXELS, 1),
        ([50, 900, 3], [FAR, 3, -1], [5000, 3, 1], PIXELS, 1),
        ([50, 342, 3], [FAR, 3, -1], [5000, 3, 1], PIXELS, 1),
        ([50, 341, 3], [FAR, 3, -1], [5000, 3, 1], PIXELS, 0),
        ([50, 300, 3], [FAR, 3, -1], [900, 3, 1], PIXELS, 1),
        ([20, 50, 300, 3], [FAR, 5000, 3, -1], [45000, 900, 3, 1], PIXELS, 1),
        ([20, 50, 341, 3], [FAR, 5000, 3, -1], [FAR, 1023, 3, 1], PIXELS, 0),
        # An axis of one output may have any pitch.
        ([nothing(1), 300], [1000, 1], [777, 1], ROWS, 1),
        # Walks that write downwards.
        ([mirrored(3000)], [1], [-1], ROWS, 0),
        ([mirrored(50), 1000], [9000, 2], [-1000, 1], ROWS, 0),
        # Transposes stream what they have whole, tiles nothing.
        ([200, 300], [4, 1000], [300, 1], CROSSED, 1),
        ([100, 50], [3000, 3], [1000, 2], TILES, 0),
    ],
)
def test_outputs_are_streamed_where_whole_lines_are_written(
    axes: list[int | AxisMap], source: list[int], out: list[int], plane: int, streams: int
) -> None:
    table = schedule(axes, source, out=out, streams=True)
    assert (part_of(table)[t.PLANE], part_of(table)[t.STREAMS]) == (plane, streams)
    assert table[t.NEEDS] & t.NEEDS_STREAMS == streams * t.NEEDS_STREAMS
    assert part_of(schedule(axes, source, out=out))[t.STREAMS] == 0
