"""Which axes and which block the schedule makes of the axes of a plan, on each side of each limit."""

from __future__ import annotations

import pytest

from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.schedules import FAR, axes_of, mirrored, nothing, part_of, schedule


@pytest.mark.parametrize(
    ("row", "width", "axes", "block"),
    [
        (1024, 1, [(100, 1024)], 1024),
        (1025, 1, [(100, 1025), (1025, 1)], 1),
        (256, 4, [(100, 1024)], 1024),
        (257, 4, [(100, 1028), (257, 4)], 4),
    ],
)
def test_rows_of_up_to_1024_bytes_are_blocks(row: int, width: int, axes: list[tuple[int, int]], block: int) -> None:
    table = schedule([100, row], [5000, width], width=width)
    assert axes_of(table) == axes
    assert part_of(table)[t.BLOCK] == block


@pytest.mark.parametrize(
    ("source", "out", "axes", "block"),
    [
        # All is contiguous on both sides.
        ([600, 30, 2], [600, 30, 2], [(3 * 20 * 15, 2)], 2),
        # The source has gaps between its rows, the output has them, both.
        ([4000, 40, 2], [600, 30, 2], [(3, 600), (20, 30)], 30),
        ([800, 40, 2], [600, 30, 2], [(3 * 20, 30)], 30),
        ([600, 30, 2], [4000, 40, 2], [(3, 4000), (20, 40)], 30),
        ([900, 30, 2], [900, 30, 2], [(3, 900)], 600),
        # Nothing is contiguous with anything.
        ([5000, 70, 3], [4000, 50, 3], [(3, 4000), (20, 50), (15, 3)], 2),
        # The output is contiguous and the source a multiple of it.
        ([1200, 60, 4], [600, 30, 2], [(3 * 20 * 15, 2)], 2),
        ([0, 0, 0], [600, 30, 2], [(3 * 20 * 15, 2)], 2),
    ],
)
def test_neighbours_that_move_as_one_axis_are_merged(
    source: list[int], out: list[int], axes: list[tuple[int, int]], block: int
) -> None:
    table = schedule([3, 20, 15], source, out=out, width=2)
    assert sorted(axes_of(table)) == sorted(axes)
    assert part_of(table)[t.BLOCK] == block


def test_axes_are_ordered_by_the_output_and_written_upwards() -> None:
    table = schedule([30, 400, 50], [7, 10**4, FAR], out=[-500, 2, 20000])
    assert axes_of(table) == [(50, 20000), (30, 500), (400, 2)]
    assert part_of(table)[t.DST_OFFSET] == -29 * 500
    assert part_of(table)[t.SRC_OFFSET] == 29 * 7
    assert axes_of(schedule([900], [1], out=[-1])) == [(900, 1)]
    # Walks are not turned around, and stand where the distance of their outputs puts them.
    assert axes_of(schedule([mirrored(30), 400], [3, 700], out=[-500, 1])) == [(30, -500), (400, 1)]


def test_axes_of_one_output_are_dropped_wherever_they_lie() -> None:
    table = schedule([AxisMap.create(9, 4, 1, 1), 400, AxisMap.create(9, 3, 1, 1)], [10**4, 20, 2], out=[7, 2, 3])
    assert axes_of(table) == [(400, 2)]
    assert part_of(table)[t.SRC_OFFSET] == 4 * 10**4 + 3 * 2
    table = schedule([AxisMap.create(9, 4, 1, 1)], [5], width=4)
    assert axes_of(table) == [(1, 0)]
    assert part_of(table)[t.SRC_OFFSET] == 4 * 5


def test_axes_of_length_one_may_stand_elsewhere_in_the_output() -> None:
    for shape, out in (((400, 1), (3, 7)), ((1, 400), (7, 3)), ((400,), (3,)), ((1, 400, 1), (7, 3, 5))):
        for axes in ((1, 400), (400, 1), (1, 400, 1)):
            plan = SlicePlan.create([AxisMap.whole(n) for n in axes], shape)
            table = create_schedule([plan], [2 if n > 1 else 900 for n in axes], 1, [out]).table
            assert axes_of(table) == [(400, 3)]


@pytest.mark.parametrize(
    ("axes", "merged"),
    [
        # Whatever is beside an axis of fill values is one too, and their order is the output's.
        ([nothing(7), 30, 5], [(7 * 30 * 5, 1)]),
        ([30, nothing(7), mirrored(5)], [(7 * 30 * 5, 1)]),
        ([mirrored(30), 5, nothing(7)], [(7 * 30 * 5, 1)]),
        ([nothing(1), 30, 5], [(30 * 5, 1)]),
    ],
)
def test_fill_values_are_one_axis(axes: list[int | AxisMap], merged: list[tuple[int, int]]) -> None:
    table = schedule(axes, [1000, 50, 3])
    assert axes_of(table) == merged
    part = part_of(table)
    row = table[part[t.FIRST_AXIS] :]
    assert row[: t.AXIS_COLUMNS] == (t.AFFINE, merged[0][0], 1, 0, 0, 0, 0, t.FILL, t.FILL, 0)


@pytest.mark.parametrize(("row", "block", "axes"), [(30, 30, [(7, 2000)]), (1025, 1, [(7, 2000), (1025, 1)])])
def test_fill_values_with_gaps_between_them_are_blocks(row: int, block: int, axes: list[tuple[int, int]]) -> None:
    table = schedule([nothing(7), row], [5000, 1], out=[2000, 1])
    assert (part_of(table)[t.BLOCK], part_of(table)[t.WIDTH], axes_of(table)) == (block, 1, axes)
