"""Axes in bytes: each row reads what its map reads, in the one form that `_tables._gather` describes."""

from __future__ import annotations

import itertools
import random
from functools import cache
from math import gcd

from fastops import OutOfBoundsError, SampleMode
from fastops._schedules._byte_axes import ListedAxis, PlainAxis, SegmentAxis, WalkAxis, lay_axis
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, Run, RunMap
from tests.helpers.interpreters import source_offset

WRAP, FILL, REFLECT, SYMMETRIC = SampleMode.WRAP, SampleMode.FILL, SampleMode.REFLECT, SampleMode.SYMMETRIC
MODES = [mode for mode in SampleMode if mode is not SampleMode.STRICT_BOUNDS]


@cache
def small_maps() -> list[AxisMap]:
    maps = []
    numbers = ((0, 1, 2, 5), range(-8, 9), (-7, -3, -1, 0, 1, 2, 5), (1, 2, 6))
    for extent, start, stride, count, mode in itertools.product(*numbers, SampleMode):
        try:
            maps.append(AxisMap.create(extent, start, stride, count, mode))
        except OutOfBoundsError:
            continue
    return list(dict.fromkeys(maps))


def check_row(axis: AxisMap, byte_stride: int) -> None:
    row = lay_axis(axis, byte_stride, 16).row()
    assert len(row) == t.AXIS_COLUMNS
    assert all(type(number) is int and -(2**63) <= number < 2**63 for number in row)
    assert (row[t.COUNT], row[t.DST_PITCH]) == (axis.count, 16)
    for y in range(axis.count):
        index = axis.source(y)
        assert source_offset(row, y) == (t.FILL if index is None else index * byte_stride), (axis, y)


def test_a_row_reads_what_its_map_reads() -> None:
    for axis, byte_stride in itertools.product(small_maps(), (-40, 8)):
        check_row(axis, byte_stride)
    # Offsets of huge coordinates fit the table.
    for mode, stride, start in itertools.product(MODES, (2**70, -(2**70)), (-(2**80), -3, 2, 2**80)):
        check_row(AxisMap.create(2**20, start, stride, 9, mode), 8)


def test_segments_lie_in_order_and_hold_no_offset_that_is_not_taken() -> None:
    for axis in small_maps():
        if axis.mode not in (FILL, SampleMode.CLAMP):
            continue
        laid = lay_axis(axis, 8, 4)
        assert isinstance(laid, SegmentAxis)
        assert 0 <= laid.lo <= laid.hi <= laid.count
        assert laid.lo < laid.hi or laid.first == 0
        assert laid.hi - laid.lo > 1 or laid.src_pitch == 0
        if axis.mode is FILL:
            # Runs are as long as they can be.
            inside = [y for y in range(axis.count) if axis.source(y) is not None]
            assert list(range(laid.lo, laid.hi)) == inside
            assert laid.is_fill == (not inside)
            assert laid.reads_fill == (len(inside) < axis.count)
    # One that is jumped over.
    laid = lay_axis(AxisMap.create(2, -7003, 7, 2000, FILL), 8, 4)
    assert isinstance(laid, SegmentAxis)
    assert (laid.lo, laid.hi, laid.first, laid.src_pitch) == (1001, 1001, 0, 0)


def test_walks_are_on_the_circle_of_their_mode() -> None:
    circles = {
        WRAP: lambda d: (d, t.NO_FOLD, d - 1),
        REFLECT: lambda d: (2 * d - 2, 2 * d - 2, d - 1),
        SYMMETRIC: lambda d: (2 * d, 2 * d - 1, d - 1),
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
        assert laid.advance > 0 or (axis.mode is WRAP and laid.advance)
        cycle = next(n for n in itertools.count(1) if n * laid.advance % laid.period == 0)
        assert laid.row()[t.CYCLE] == cycle == laid.period // gcd(laid.period, laid.advance)
    assert walks > 100
    # Half of a huge circle is exact.
    for stride, advance in ((2**59 + 1, 2**59 + 1), (2**59 + 2, -(2**59) - 1)):
        laid = lay_axis(AxisMap.create(2**60 + 3, -1, stride, 9, WRAP), 1, 1)
        assert isinstance(laid, WalkAxis)
        assert laid.advance == advance


def test_walks_that_stand_still_or_over_one_repeated_element_are_plain() -> None:
    cases = [(AxisMap.create(5, -1, 1, 4, mode), 0, 0) for mode in (WRAP, REFLECT, SYMMETRIC)]
    cases += [(AxisMap.create(5, -1, 5, 4, WRAP), 8, 4 * 8), (AxisMap.create(5, -1, 8, 4, REFLECT), 8, 8)]
    cases += [(AxisMap.create(5, 7, -8, 4, REFLECT), 8, 8), (AxisMap.create(5, -1, 10, 4, SYMMETRIC), 8, 0)]
    for axis, byte_stride, first in [*cases, (AxisMap.create(5, 7, 20, 4, SYMMETRIC), 8, 2 * 8)]:
        laid = lay_axis(axis, byte_stride, 4)
        assert isinstance(laid, PlainAxis), axis
        assert (laid.count, laid.dst_pitch, laid.src_pitch, laid.first) == (4, 4, 0, first), axis


def test_axes_of_runs_have_the_simplest_form_that_they_can() -> None:
    chosen = random.Random(17)
    forms = set()
    for _ in range(3000):
        kinds = [
            Run(chosen.randint(1, 3), None, chosen.choice((0, 0, 2))),
            Run(chosen.randint(1, 3), 4, 0),
            Run(3, 1, 2),
        ]
        axis = RunMap(
            9, [chosen.choice([*kinds, Run(1, chosen.randint(0, 8), 1)]) for _ in range(chosen.randint(1, 4))]
        )
        laid = lay_axis(axis, 8, 4)
        words = (*laid.row(t.AXIS_COLUMNS), *laid.words()) if isinstance(laid, ListedAxis) else laid.row()
        assert (words[t.COUNT], words[t.DST_PITCH]) == (axis.count, 4)
        for y in range(axis.count):
            index = axis.source(y)
            assert source_offset(words, y) == (t.FILL if index is None else index * 8), (axis, y)
        # One run, or one with something constant on either side, of which at most one is a fill value.
        n, slots = len(axis.runs), axis.slots
        are_read = [run.first is not None for run in axis.runs]
        moving = {i for i, run in enumerate(axis.runs) if are_read[i] and run.count > 1 and run.stride}
        are_sides = [are_read[i] and n - i <= 2 and moving <= {i} for i in range(min(n, 2))]
        form: type = SegmentAxis if len(slots) <= 1 and (n == 1 or any(are_sides)) else ListedAxis
        forms.add(form)
        assert type(laid) is (PlainAxis if n == 1 and not slots else form), axis
        if isinstance(laid, SegmentAxis):
            is_filled = (laid.is_fill, laid.reads_fill, laid.slot)
            assert is_filled == (not any(are_read), bool(slots), max(slots, default=0)), axis
            assert laid.hi < laid.count or laid.after in (0, t.FILL)
    assert forms == {SegmentAxis, ListedAxis}
