"""Rows: each reads what its map reads, and has the form that `_tables._gather` describes."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache
from math import gcd
from typing import NamedTuple

from fastops import OutOfBoundsError, SampleMode
from fastops._geometry._axis_map import Map
from fastops._geometry._words import Piece, to_words
from fastops.kernels._scheduler._parts import _write_list
from fastops.kernels._scheduler._rows import cut, is_fill, is_plain, lower_axis, main_run_of, offset_of, pitch_of
from fastops.kernels._tables import _gather as t
from fastops.kernels._tables import _words as w
from fastops.plan import AxisMap, Run, RunMap, SlicePlan
from tests.helpers.chains import slot_of
from tests.helpers.interpreters import source_offset
from tests.helpers.schedules import words_of

WRAP, CLAMP, FILL = SampleMode.WRAP, SampleMode.CLAMP, SampleMode.FILL
REFLECT, SYMMETRIC = SampleMode.REFLECT, SampleMode.SYMMETRIC
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


class Laid(NamedTuple):
    """The row of the outputs of an axis from `begin` on, with the words and the fill index that it has."""

    row: memoryview
    words: memoryview
    begin: int
    slot: int
    runs: list[tuple[int, int, int]]

    def as_in_tables(self) -> list[int]:
        """The row as a table has it, and behind it the list of its runs."""
        return as_in_tables(self.words, self.row)


def as_in_tables(words: memoryview, row: memoryview) -> list[int]:
    if row[t.KIND] != t.LISTED:
        return row.tolist()
    table = words_of([*row, *[-77] * 99])
    end = _write_list(words, table, 0, table, t.AXIS_COLUMNS, len(table))
    assert end == t.AXIS_COLUMNS + (table[t.RUNS] + 1) * t.LISTED_COLUMNS
    return table[:end].tolist()


def lay_boxes(axis: Map, byte_stride: int, dst_pitch: int) -> list[Laid]:
    """The rows of an axis: more than one where it has several fill values."""
    plan = SlicePlan([axis])
    words = words_of(to_words(plan.source_shape, [plan.shape], [Piece(plan.geometry, 0)]))
    laid, piece = [], words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        own, row = piece + w.PIECE_COLUMNS, words_of([-99] * t.AXIS_COLUMNS)
        lower_axis(words, own, byte_stride, dst_pitch, row)
        runs = []
        if words[own + w.MODE] == w.PIECEWISE:
            first, n = own + words[own + w.START], words[own + w.STRIDE]
            ends = [words[first + (i + 1) * w.RUN_COLUMNS] for i in range(n)]
            starts = [words[first + i * w.RUN_COLUMNS :][: w.RUN_COLUMNS].tolist() for i in range(n)]
            runs = [(end - begin, index, pace) for end, (begin, index, pace) in zip(ends, starts, strict=True)]
        laid.append(Laid(row, words, words[own + w.DST_FIRST], words[piece + w.FILL_INDEX], runs))
        piece += words[piece + w.LENGTH]
    return laid


def lay(axis: Map, byte_stride: int, dst_pitch: int) -> memoryview:
    """The row of an axis of one fill value at most."""
    (laid,) = lay_boxes(axis, byte_stride, dst_pitch)
    return laid.row


def offsets_of(axis: Map, byte_stride: int, slot: int = 0) -> list[int]:
    """The source offset of each output of an axis, from its map; fill values must have one fill index."""
    indices = [axis.source(y) for y in range(axis.count)]
    assert all(index is not None or slot_of(axis, y) == slot for y, index in enumerate(indices))
    return [t.FILL if index is None else index * byte_stride for index in indices]


def check_row(axis: AxisMap, byte_stride: int) -> None:
    (laid,) = lay_boxes(axis, byte_stride, 16)
    row = laid.as_in_tables()
    assert (row[t.COUNT], row[t.DST_PITCH]) == (axis.count, 16)
    offsets = offsets_of(axis, byte_stride)
    assert [source_offset(row, y) for y in range(axis.count)] == offsets, axis
    assert [offset_of(laid.words, laid.row, y) for y in range(axis.count)] == offsets, axis


def test_a_row_reads_what_its_map_reads() -> None:
    for axis, byte_stride in itertools.product(small_maps(), (-40, 8)):
        check_row(axis, byte_stride)
    # Offsets of huge coordinates fit the table.
    for mode, stride, start in itertools.product(MODES, (2**70, -(2**70)), (-(2**80), -3, 2, 2**80)):
        check_row(AxisMap.create(2**20, start, stride, 9, mode), 8)


def is_affine(row: Sequence[int]) -> bool:
    return row[t.KIND] == t.AFFINE


def reads_fill(row: Sequence[int]) -> bool:
    """True if any output of an affine row is the fill value."""
    ends = ((row[t.LO], row[t.BEFORE]), (row[t.COUNT] - row[t.HI], row[t.AFTER]))
    return any(count > 0 and offset == t.FILL for count, offset in ends)


def test_segments_lie_in_order_and_hold_no_offset_that_is_not_taken() -> None:
    for axis in small_maps():
        if axis.mode not in (FILL, CLAMP):
            continue
        row = lay(axis, 8, 4)
        assert is_affine(row)
        assert 0 <= row[t.LO] <= row[t.HI] <= row[t.COUNT]
        assert row[t.LO] < row[t.HI] or row[t.FIRST] == 0
        assert row[t.HI] - row[t.LO] > 1 or row[t.SRC_PITCH] == 0
        if axis.mode is FILL:
            # Runs are as long as they can be.
            inside = [y for y in range(axis.count) if axis.source(y) is not None]
            assert list(range(row[t.LO], row[t.HI])) == inside
            assert is_fill(row) == (not inside)
            assert reads_fill(row) == (len(inside) < axis.count)
        else:
            assert not reads_fill(row)
            assert not is_fill(row)
    # One that is jumped over.
    for mode, place, outside in ((CLAMP, 1001, (0, 8)), (FILL, 0, (t.FILL, t.FILL))):
        row = lay(AxisMap.create(2, -7003, 7, 2000, mode), 8, 4)
        assert (row[t.LO], row[t.HI], row[t.FIRST], row[t.SRC_PITCH]) == (place, place, 0, 0)
        assert (row[t.BEFORE], row[t.AFTER]) == outside


def turns(row: Sequence[int]) -> bool:
    """True for a walk whose first and last output are not on one segment of the period."""
    top, last = row[t.TOP], row[t.START] + (row[t.COUNT] - 1) * row[t.ADVANCE]
    return not (0 <= last <= top if row[t.START] <= top else top < last < row[t.PERIOD])


def test_walks_are_on_the_circle_of_their_mode() -> None:
    circles = {
        WRAP: lambda d: (d, t.NO_FOLD, d - 1),
        REFLECT: lambda d: (2 * d - 2, 2 * d - 2, d - 1),
        SYMMETRIC: lambda d: (2 * d, 2 * d - 1, d - 1),
    }
    walks = 0
    for axis in small_maps():
        row = lay(axis, 8, 4)
        if row[t.KIND] != t.WALK:
            assert axis.mode not in circles or is_plain(row)
            continue
        walks += 1
        period, fold, top, advance = row[t.PERIOD], row[t.FOLD], row[t.TOP], row[t.ADVANCE]
        assert (period, fold, top) == circles[axis.mode](axis.extent)
        assert row[t.INDEX_PITCH] == 8
        assert 0 <= row[t.START] < period
        assert -period < 2 * advance <= period
        assert advance > 0 or (axis.mode is WRAP and advance)
        cycle = next(n for n in itertools.count(1) if n * advance % period == 0)
        assert row[t.CYCLE] == cycle == period // gcd(period, advance)
        # One that does not turn is plain.
        assert turns(row), axis
    assert walks > 100
    # Half of a huge circle is exact.
    for stride, advance in ((2**59 + 1, 2**59 + 1), (2**59 + 2, -(2**59) - 1)):
        row = lay(AxisMap.create(2**60 + 3, -1, stride, 9, WRAP), 1, 1)
        assert (row[t.KIND], row[t.ADVANCE]) == (t.WALK, advance)


def test_axes_that_stand_still_or_over_one_repeated_element_are_plain() -> None:
    cases = [(AxisMap.create(5, -1, 1, 4, mode), 0, 0) for mode in (CLAMP, WRAP, REFLECT, SYMMETRIC)]
    cases += [(AxisMap.create(5, -1, 5, 4, WRAP), 8, 4 * 8), (AxisMap.create(5, -1, 8, 4, REFLECT), 8, 8)]
    cases += [(AxisMap.create(5, 7, -8, 4, REFLECT), 8, 8), (AxisMap.create(5, -1, 10, 4, SYMMETRIC), 8, 0)]
    for axis, byte_stride, first in [*cases, (AxisMap.create(5, 7, 20, 4, SYMMETRIC), 8, 2 * 8)]:
        row = lay(axis, byte_stride, 4)
        assert is_plain(row), axis
        assert (row[t.COUNT], row[t.DST_PITCH], row[t.SRC_PITCH], row[t.FIRST]) == (4, 4, 0, first), axis


def draw_runs(chosen: random.Random) -> RunMap:
    runs = []
    for _ in range(chosen.randint(1, 4)):
        fills = Run(chosen.randint(1, 3), None, chosen.choice((0, 0, 2)))
        one = Run(1, chosen.randint(0, 8), 1)
        runs.append(chosen.choice([fills, Run(chosen.randint(1, 3), 4, 0), Run(3, 1, 2), one]))
    return RunMap(9, runs)


def check_form(laid: Laid) -> None:
    """A row is affine if its runs are one run, with at most one constant run on either side."""
    row, n = laid.row, len(laid.runs)
    are_read = [first != w.FILL_RUN for _, first, _ in laid.runs]
    moving = {i for i, (count, _, pace) in enumerate(laid.runs) if are_read[i] and count > 1 and pace}
    are_sides = [are_read[i] and n - i <= 2 and moving <= {i} for i in range(min(n, 2))]
    assert is_affine(row) == (n <= 1 or any(are_sides))
    if is_affine(row):
        # A map that is no list of runs may be all of a fill value.
        fills = [not each for each in are_read] if n else [bool(is_fill(row))]
        assert is_plain(row) == (n <= 1 and not fills[0])
        assert (is_fill(row), reads_fill(row)) == (all(fills), any(fills))
        assert row[t.HI] < row[t.COUNT] or row[t.AFTER] in (0, t.FILL)
        assert row[t.HI] - row[t.LO] > 1 or row[t.SRC_PITCH] == 0


def test_axes_of_runs_have_the_simplest_form_that_they_can() -> None:
    chosen = random.Random(17)
    kinds: set[int] = set()
    boxes = 0
    for _ in range(3000):
        axis = draw_runs(chosen)
        done = 0
        for laid in lay_boxes(axis, 8, 4):
            words = laid.as_in_tables()
            assert laid.begin == done
            assert words[t.DST_PITCH] == 4
            for y in range(words[t.COUNT]):
                index = axis.source(done + y)
                assert source_offset(words, y) == (t.FILL if index is None else index * 8), (axis, y)
                # A box has one fill value.
                assert index is not None or slot_of(axis, done + y) == laid.slot, (axis, y)
            check_form(laid)
            kinds.add(laid.row[t.KIND])
            done += words[t.COUNT]
            boxes += 1
        assert done == axis.count
    assert kinds == {t.AFFINE, t.LISTED}
    assert boxes > 3100


def test_parts_of_an_axis_read_what_it_reads() -> None:
    chosen = random.Random(18)
    maps: list[Map] = [*chosen.sample(small_maps(), 600), *[draw_runs(chosen) for _ in range(600)]]
    for axis in maps:
        for laid in lay_boxes(axis, 8, 4):
            words, row = laid.words, laid.row
            whole, n = as_in_tables(words, row), row[t.COUNT]
            begin = chosen.randrange(n)
            end = chosen.randint(begin + 1, n)
            part, again = [words_of([-99] * t.AXIS_COLUMNS) for _ in "ab"]
            cut(words, row, begin, end, part)
            offsets = [source_offset(whole, y) for y in range(begin, end)]
            assert part[t.DST_PITCH] == 4
            made = as_in_tables(words, part)
            assert made[t.COUNT] == part[t.COUNT] == end - begin
            assert [source_offset(made, y) for y in range(end - begin)] == offsets, (axis, begin, end)
            assert [offset_of(words, part, y) for y in range(end - begin)] == offsets, (axis, begin, end)
            # A part of one run is plain.
            assert part[t.KIND] != t.WALK or turns(part), (axis, begin, end)
            is_inside = is_affine(row) and row[t.LO] <= begin and end <= row[t.HI]
            assert not is_inside or is_plain(part), (axis, begin, end)
            assert part[t.KIND] != t.LISTED or part[t.COUNT] > 1
            assert is_fill(part) == ({*offsets} == {t.FILL})
            cut(words, part, 0, 1, again)
            assert offset_of(words, again, 0) == offsets[0]
            check_main_run(words, part, offsets)


def check_main_run(words: memoryview, row: memoryview, offsets: Sequence[int]) -> None:
    """The main run of a row has the pitch that `pitch_of` returns; in a list, no run is longer."""
    begin, end = main_run_of(words, row)
    assert 0 <= begin <= end <= len(offsets)
    inside = offsets[begin:end]
    assert t.FILL not in inside
    assert {after - before for before, after in itertools.pairwise(inside)} <= {pitch_of(words, row)}
    if row[t.KIND] == t.LISTED:
        runs = as_in_tables(words, row)[t.AXIS_COLUMNS :]
        begins, firsts = runs[:: t.LISTED_COLUMNS], runs[1 :: t.LISTED_COLUMNS]
        lengths = [b - a for (a, b), first in zip(itertools.pairwise(begins), firsts, strict=False) if first != t.FILL]
        assert end - begin == max(lengths, default=0)
