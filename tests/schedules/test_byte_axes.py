"""Axes in bytes: each row reads what its map reads, in the one form that `_tables._gather` describes."""

from __future__ import annotations

import itertools
from functools import cache
from math import gcd

import pytest

from fastops import OutOfBoundsError, SampleMode
from fastops._schedules._byte_axes import PlainAxis, SegmentAxis, WalkAxis, lay_axis
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap
from tests.helpers.interpreters import source_offset

MODES = [mode for mode in SampleMode if mode is not SampleMode.STRICT_BOUNDS]
BYTE_STRIDES = (-40, 8)


@cache
def small_maps() -> list[AxisMap]:
    maps = []
    for extent, start, stride, count, mode in itertools.product(
        (0, 1, 2, 5), range(-8, 9), (-7, -3, -1, 0, 1, 2, 5), (1, 2, 6), SampleMode
    ):
        try:
            maps.append(AxisMap.create(extent, start, stride, count, mode))
        except OutOfBoundsError:
            continue
    return list(dict.fromkeys(maps))


def test_a_row_reads_what_its_map_reads() -> None:
    for axis in small_maps():
        for byte_stride in BYTE_STRIDES:
            row = lay_axis(axis, byte_stride, 16).row()
            assert len(row) == t.AXIS_COLUMNS
            assert all(type(number) is int for number in row)
            assert (row[t.COUNT], row[t.DST_PITCH]) == (axis.count, 16)
            for y in range(axis.count):
                index = axis.source(y)
                assert source_offset(row, y) == (t.FILL if index is None else index * byte_stride), (axis, y)


def test_segments_lie_in_order_and_hold_no_offset_that_is_not_taken() -> None:
    laid = [lay_axis(axis, 8, 4) for axis in small_maps() if axis.mode in (SampleMode.FILL, SampleMode.CLAMP)]
    assert {type(axis) for axis in laid} == {SegmentAxis}
    for axis in laid:
        assert isinstance(axis, SegmentAxis)
        assert 0 <= axis.lo <= axis.hi <= axis.count
        if axis.lo == axis.hi:
            assert axis.first == 0
        if axis.hi - axis.lo <= 1:
            assert axis.src_pitch == 0


def test_runs_of_segments_are_as_long_as_they_can_be() -> None:
    for axis in small_maps():
        if axis.mode is SampleMode.FILL:
            laid = lay_axis(axis, 8, 4)
            assert isinstance(laid, SegmentAxis)
            inside = [y for y in range(axis.count) if axis.source(y) is not None]
            assert list(range(laid.lo, laid.hi)) == inside
            assert laid.is_fill == (not inside)


def test_an_axis_of_fill_values_says_so_and_other_segments_do_not() -> None:
    assert SegmentAxis.all_fill(3, 4).is_fill
    assert not SegmentAxis(3, 4, 0, 0, 1, 1, 0, 8).is_fill
    assert not SegmentAxis(3, 4, 0, 0, 1, 2, t.FILL, t.FILL).is_fill


def test_walks_are_on_the_circle_of_their_mode() -> None:
    circles = {
        SampleMode.WRAP: lambda d: (d, t.NO_FOLD, d - 1),
        SampleMode.REFLECT: lambda d: (2 * d - 2, 2 * d - 2, d - 1),
        SampleMode.SYMMETRIC: lambda d: (2 * d, 2 * d - 1, d - 1),
    }
    walks = 0
    for axis in small_maps():
        laid = lay_axis(axis, 8, 4)
        if not isinstance(laid, WalkAxis):
            assert axis.mode not in circles or isinstance(laid, PlainAxis)
            continue
        walks += 1
        assert (laid.period, laid.fold, laid.top) == circles[axis.mode](axis.extent)
        assert laid.index_pitch == 8
        assert 0 <= laid.start < laid.period
        assert -laid.period < 2 * laid.advance <= laid.period
        assert laid.advance > 0 or (axis.mode is SampleMode.WRAP and laid.advance)
        cycle = next(n for n in itertools.count(1) if n * laid.advance % laid.period == 0)
        assert laid.row()[t.CYCLE] == cycle == laid.period // gcd(laid.period, laid.advance)
    assert walks > 100


@pytest.mark.parametrize(
    ("axis", "first"),
    [
        (AxisMap.create(5, -1, 5, 4, SampleMode.WRAP), 4 * 8),
        (AxisMap.create(5, -1, 8, 4, SampleMode.REFLECT), 1 * 8),
        (AxisMap.create(5, 7, -8, 4, SampleMode.REFLECT), 1 * 8),
        (AxisMap.create(5, -1, 10, 4, SampleMode.SYMMETRIC), 0),
        (AxisMap.create(5, 7, 20, 4, SampleMode.SYMMETRIC), 2 * 8),
    ],
)
def test_walks_that_stand_still_are_plain(axis: AxisMap, first: int) -> None:
    laid = lay_axis(axis, 8, 4)
    assert isinstance(laid, PlainAxis)
    assert (laid.count, laid.dst_pitch, laid.src_pitch, laid.first) == (4, 4, 0, first)


@pytest.mark.parametrize("mode", [SampleMode.WRAP, SampleMode.REFLECT, SampleMode.SYMMETRIC])
def test_walks_over_one_repeated_element_are_plain(mode: SampleMode) -> None:
    laid = lay_axis(AxisMap.create(5, -1, 1, 9, mode), 0, 4)
    assert isinstance(laid, PlainAxis)
    assert (laid.count, laid.dst_pitch, laid.src_pitch, laid.first) == (9, 4, 0, 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stride", [2**70, -(2**70)])
def test_offsets_of_huge_coordinates_fit_the_table(mode: SampleMode, stride: int) -> None:
    for start in (-(2**80), -3, 2, 2**80):
        axis = AxisMap.create(2**20, start, stride, 9, mode)
        row = lay_axis(axis, 8, 4).row()
        assert all(-(2**63) <= number < 2**63 for number in row)
        for y in range(9):
            index = axis.source(y)
            assert source_offset(row, y) == (t.FILL if index is None else index * 8)


def test_axes_hold_their_fields_only() -> None:
    for axis in (PlainAxis(7, 4, 8), SegmentAxis.all_fill(7, 4), WalkAxis(7, 4, 0, 1, 5, t.NO_FOLD, 4, 8)):
        assert not hasattr(axis, "__dict__")


def test_half_of_a_huge_circle_is_exact() -> None:
    extent = 2**60 + 3
    for stride, advance in ((2**59 + 1, 2**59 + 1), (2**59 + 2, -(2**59) - 1)):
        laid = lay_axis(AxisMap.create(extent, -1, stride, 9, SampleMode.WRAP), 1, 1)
        assert isinstance(laid, WalkAxis)
        assert laid.advance == advance


def test_an_axis_that_is_jumped_over_has_no_run() -> None:
    laid = lay_axis(AxisMap.create(2, -7003, 7, 2000, SampleMode.FILL), 8, 4)
    assert isinstance(laid, SegmentAxis)
    assert (laid.lo, laid.hi, laid.first, laid.src_pitch) == (1001, 1001, 0, 0)


def test_rows_of_one_run_and_of_none() -> None:
    assert SegmentAxis(9, 4, -8, 48, 2, 7, 5, t.FILL).row() == (t.AFFINE, 9, 4, 2, 7, 48, -8, 5, t.FILL, 0)
    assert SegmentAxis.all_fill(9, 4).row() == (t.AFFINE, 9, 4, 0, 0, 0, 0, t.FILL, t.FILL, 0)
    row = PlainAxis(7, 4, -8, 48).row()
    assert row == (t.AFFINE, 7, 4, 0, 7, 48, -8, 0, 0, 0)
    assert PlainAxis(7, 4, -8).first == 0
