"""Rows and shuffle programs, which the scheduler writes.

Each row reads what its map reads, and has the form that `_tables._gather` describes. In a shuffle program, every byte
of a group comes from the right byte of the source.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from functools import cache
from math import gcd

from fastops import OutOfBoundsError, SampleMode
from fastops._geometry._axis_map import Map
from fastops._geometry._words import Piece, to_words
from fastops.kernels._scheduler._parts import _write_list
from fastops.kernels._scheduler._programs import (
    LONGEST_GROUP,
    SHUFFLE_WORDS,
    Shuffle,
    forget_program,
    write_channel_program,
    write_edge_program,
    write_group_program,
    write_tuple_program,
)
from fastops.kernels._scheduler._rows import cut, is_fill, is_plain, lower_axis, main_run_of, offset_of, pitch_of
from fastops.kernels._tables import _gather as t, _words as w
from fastops.plan import AxisMap, Run, RunMap, SlicePlan
from tests.helpers.chains import slot_of
from tests.helpers.schedules import interpret_program, source_offset, words_of

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


# The row of the outputs of an axis from the first one on, its words, the number of that output, and the fill index.
Laid = tuple[memoryview, memoryview, int, int]


def as_in_tables(words: memoryview, row: memoryview) -> list[int]:
    if row[t.KIND] != t.PIECEWISE:
        return row.tolist()
    table = words_of([*row, *[-77] * 99])
    end = _write_list(words, table, 0, table, t.AXIS_COLUMNS, len(table))
    assert end == t.AXIS_COLUMNS + (table[t.RUNS] + 1) * t.RUN_COLUMNS
    return table[:end].tolist()


def lay_boxes(axis: Map, byte_stride: int, dst_pitch: int) -> list[Laid]:
    """The rows of an axis: more than one where it has several fill values."""
    plan = SlicePlan([axis])
    words = words_of(to_words(plan.source_shape, [plan.shape], [Piece(plan.geometry, 0)]))
    laid, piece = [], words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        own, row = piece + w.PIECE_COLUMNS, words_of([-99] * t.AXIS_COLUMNS)
        lower_axis(words, own, byte_stride, dst_pitch, row)
        laid.append((row, words, words[own + w.DST_FIRST], words[piece + w.FILL_INDEX]))
        piece += words[piece + w.LENGTH]
    return laid


def lay(axis: Map, byte_stride: int, dst_pitch: int) -> memoryview:
    """The row of an axis of one fill value at most."""
    ((row, *_),) = lay_boxes(axis, byte_stride, dst_pitch)
    return row


def check_rows(axis: Map, byte_stride: int) -> set[int]:
    """The rows of an axis read what its map reads, each with one fill value; return their kinds."""
    done, kinds = 0, set()
    for row, words, begin, slot in lay_boxes(axis, byte_stride, 16):
        whole = as_in_tables(words, row)
        assert (begin, whole[t.DST_PITCH]) == (done, 16)
        for y in range(whole[t.COUNT]):
            index = axis.source(done + y)
            right = t.FILL if index is None else index * byte_stride
            assert source_offset(whole, y) == offset_of(words, row, y) == right, (axis, y)
            assert index is not None or slot_of(axis, done + y) == slot, (axis, y)
        done += whole[t.COUNT]
        kinds.add(row[t.KIND])
    assert done == axis.count
    return kinds


def test_a_row_reads_what_its_map_reads() -> None:
    for axis, byte_stride in itertools.product(small_maps(), (-40, 8)):
        check_rows(axis, byte_stride)
    # Offsets of huge coordinates fit the table.
    for mode, stride, start in itertools.product(MODES, (2**70, -(2**70)), (-(2**80), -3, 2, 2**80)):
        check_rows(AxisMap.create(2**20, start, stride, 9, mode), 8)


def is_affine(row: Sequence[int]) -> bool:
    return row[t.KIND] == t.AFFINE


def reads_fill(row: Sequence[int]) -> bool:
    """True if any output of an affine row is the fill value."""
    ends = ((row[t.LO], row[t.BEFORE]), (row[t.COUNT] - row[t.HI], row[t.AFTER]))
    return any(count > 0 and offset == t.FILL for count, offset in ends)


def test_runs_of_fill_values_are_as_long_as_they_can_be() -> None:
    for axis in small_maps():
        if axis.mode is FILL:
            row, inside = lay(axis, 8, 4), [y for y in range(axis.count) if axis.source(y) is not None]
            assert is_affine(row)
            assert list(range(row[t.LO], row[t.HI])) == inside
            assert (is_fill(row), reads_fill(row)) == (not inside, len(inside) < axis.count)


def turns(row: Sequence[int]) -> bool:
    """True for a walk whose first and last output are not on one segment of the period."""
    top, last = row[t.TOP], row[t.START] + (row[t.COUNT] - 1) * row[t.ADVANCE]
    return not (0 <= last <= top if row[t.START] <= top else top < last < row[t.PERIOD])


def test_walks_are_on_the_circle_of_their_mode() -> None:
    walks = 0
    for axis in small_maps():
        row, d = lay(axis, 8, 4), axis.extent
        if row[t.KIND] != t.PERIODIC:
            continue
        walks += 1
        circles = {WRAP: (d, t.NO_REFLECTION), REFLECT: (2 * d - 2, 2 * d - 2), SYMMETRIC: (2 * d, 2 * d - 1)}
        period, fold, advance = row[t.PERIOD], row[t.REFLECTION], row[t.ADVANCE]
        assert (period, fold, row[t.TOP], row[t.INDEX_PITCH]) == (*circles[axis.mode], d - 1, 8)
        assert 0 <= row[t.START] < period
        assert -period < 2 * advance <= period
        assert advance > 0 or (axis.mode is WRAP and advance)
        assert row[t.CYCLE] == period // gcd(period, advance)
        # A walk that does not turn is plain.
        assert turns(row), axis
    assert walks > 100
    # Half of a huge circle is exact.
    for stride, advance in ((2**59 + 1, 2**59 + 1), (2**59 + 2, -(2**59) - 1)):
        row = lay(AxisMap.create(2**60 + 3, -1, stride, 9, WRAP), 1, 1)
        assert (row[t.KIND], row[t.ADVANCE]) == (t.PERIODIC, advance)


def draw_runs(chosen: random.Random) -> RunMap:
    runs = []
    for _ in range(chosen.randint(1, 4)):
        fills = Run(chosen.randint(1, 3), None, chosen.choice((0, 0, 2)))
        one = Run(1, chosen.randint(0, 8), 1)
        runs.append(chosen.choice([fills, Run(chosen.randint(1, 3), 4, 0), Run(3, 1, 2), one]))
    return RunMap(9, runs)


def test_axes_of_runs_read_what_they_read() -> None:
    chosen = random.Random(17)
    kinds = [check_rows(draw_runs(chosen), 8) for _ in range(3000)]
    assert set[int]().union(*kinds) == {t.AFFINE, t.PIECEWISE}


def test_parts_of_an_axis_read_what_it_reads() -> None:
    chosen = random.Random(18)
    maps: list[Map] = [*chosen.sample(small_maps(), 600), *[draw_runs(chosen) for _ in range(600)]]
    for axis in maps:
        for row, words, *_ in lay_boxes(axis, 8, 4):
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
            assert part[t.KIND] != t.PERIODIC or turns(part), (axis, begin, end)
            is_inside = is_affine(row) and row[t.LO] <= begin and end <= row[t.HI]
            assert not is_inside or is_plain(part), (axis, begin, end)
            assert part[t.KIND] != t.PIECEWISE or part[t.COUNT] > 1
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
    if row[t.KIND] == t.PIECEWISE:
        runs = as_in_tables(words, row)[t.AXIS_COLUMNS :]
        begins, firsts = runs[:: t.RUN_COLUMNS], runs[1 :: t.RUN_COLUMNS]
        lengths = [b - a for (a, b), first in zip(itertools.pairwise(begins), firsts, strict=False) if first != t.FILL]
        assert end - begin == max(lengths, default=0)


Program = list[int]


def new_shuffle() -> Shuffle:
    """Scratch memory without a program, in separate arrays, so that an access beyond one of them fails."""
    shuffle = Shuffle(*[words_of([-99] * n) for n in SHUFFLE_WORDS])
    forget_program(shuffle)
    return shuffle


# Each program is also made in memory that has another one, which must not be taken for it.
USED = new_shuffle()


def made_by(write: Callable[..., int], *numbers: int) -> Program | None:
    """The program of tuples, or of tuples whose blocks go to planes, for these numbers; None if there is none."""
    made = []
    for shuffle in (new_shuffle(), USED, USED):
        length = write(shuffle, *numbers)
        made.append(shuffle.program[:length].tolist() or None)
    assert made[0] == made[1] == made[2]
    return made[0]


def read_from(write: Callable[..., int], block: int, offsets: Sequence[int], *numbers: int) -> Program | None:
    """The program of one tuple, or of one vector in each of some planes, of blocks at any offsets; None for none."""
    shuffle = new_shuffle()
    length = write(shuffle, block, words_of(offsets), len(offsets), *numbers)
    return shuffle.group[:length].tolist() or None


def vectors_of(program: Program) -> list[Program]:
    """The words of each vector: its offset in the output, and its windows."""
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    return [program[first : first + words] for first in range(t.PROGRAM_ENTRIES, len(program), words)]


def window_offsets(program: Program) -> list[int]:
    """The source offsets of all windows of all vectors."""
    return [offset for vector in vectors_of(program) for offset in vector[1 :: t.WINDOW_COLUMNS]]


def check_columns(program: Program, case: object) -> None:
    """The columns of a program agree with its vectors."""
    offsets, vectors = window_offsets(program), program[t.PROGRAM_VECTORS]
    assert (program[t.PROGRAM_LOW], program[t.PROGRAM_HIGH]) == (min(offsets), max(offsets) + 16), case
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    assert len(program) == t.PROGRAM_ENTRIES + vectors * words, case
    assert 1 <= program[t.PROGRAM_WINDOWS] <= t.MOST_WINDOWS, case
    # One loop makes all vectors together, if there is a loop for so many; vectors of many windows share them.
    own = {tuple(vector[1 :: t.WINDOW_COLUMNS]) for vector in vectors_of(program)}
    if program[t.PROGRAM_TOGETHER] != 1:
        assert program[t.PROGRAM_TOGETHER] == vectors, case
        if program[t.PROGRAM_WINDOWS] < t.FEWEST_SHARED_WINDOWS:
            assert vectors == 3, case
        else:
            assert program[t.PROGRAM_WINDOWS] in t.SHARED_WINDOWS[vectors], case
            assert len(own) == 1, case


def test_a_group_is_made_of_its_pixels() -> None:
    chosen = random.Random(19)
    made = 0
    for _ in range(1000):
        block, count = chosen.randint(1, chosen.choice((4, 20))), chosen.randint(1, 9)
        inner_pitch, src_pitch = chosen.randint(-40, 40), chosen.choice((-1, 1)) * chosen.randint(1, 80)
        program = made_by(write_tuple_program, block, count, inner_pitch, src_pitch)
        if program is None:
            continue
        made += 1
        pixel, case = block * count, (block, count, inner_pitch, src_pitch)
        group = program[t.PROGRAM_TUPLES] * pixel
        expected = {at: at // pixel * src_pitch + at % pixel // block * inner_pitch + at % block for at in range(group)}
        assert interpret_program(program) == expected, case
        check_columns(program, case)
        assert program[t.PROGRAM_PLANAR] == 0
        assert program[t.PROGRAM_REACH] == max(vector[0] for vector in vectors_of(program)) + 16 >= group, case
    assert made > 200


def test_there_are_programs_of_tuples_where_shuffles_are_faster() -> None:
    # Reversed channels, strides of 3 and 5 in bytes, planes to tuples; then bytes far apart, and long tuples.
    for numbers in ((1, 3, -1, 3), (1, 1, 0, 3), (1, 1, 0, -5), (1, 3, 10_000, 1)):
        assert made_by(write_tuple_program, *numbers), numbers
    for numbers in ((1, 1, 0, 17), (8, 17, 8, 200), (1, 129, 1, 140), (1, 1, 0, 6), (1, 1, 0, -6)):
        assert made_by(write_tuple_program, *numbers) is None, numbers


def test_channels_go_to_planes_of_their_own() -> None:
    chosen = random.Random(20)
    made = 0
    for _ in range(2000):
        block, n, dst_pitch = chosen.choice((1, 1, 2, 3, 4, 8)), chosen.randint(2, 5), chosen.choice((777, -999))
        inner_pitch = chosen.choice((1, 1, -1, 2)) * block
        src_pitch = chosen.choice((n * block, -n * block, chosen.randint(-20, 20)))
        case = block, n, dst_pitch, inner_pitch, src_pitch
        program = made_by(write_channel_program, *case)
        if program is None:
            continue
        made += 1
        pixels = program[t.PROGRAM_TUPLES]
        expected = {
            channel * dst_pitch + i * block + byte: i * src_pitch + channel * inner_pitch + byte
            for channel in range(n)
            for i in range(pixels)
            for byte in range(block)
        }
        assert interpret_program(program) == expected, case
        check_columns(program, case)
        assert (program[t.PROGRAM_PLANAR], program[t.PROGRAM_REACH]) == (1, 16)
        assert (pixels * block, program[t.PROGRAM_TOGETHER]) == (16, n), case
    assert made > 200
    # There is a loop only for three and four channels whose blocks divide a vector and lie close together.
    for none in ((1, 2, 99, 1, 2), (1, 5, 99, 1, 5), (3, 3, 99, 3, 9), (1, 3, 99, 1, 30)):
        assert made_by(write_channel_program, *none) is None, none


def test_groups_and_edges_read_nothing_but_what_they_may() -> None:
    chosen = random.Random(21)
    made = [0, 0]
    for _ in range(3000):
        block, n, reach = chosen.choice((1, 2, 3, 4, 8)), chosen.choice((1, 2, 4, 8, 16, 32)), chosen.randint(0, 70)
        offsets = [chosen.randint(-reach, reach) for _ in range(n)]
        low, high = chosen.randint(-90, 10), chosen.randint(-10, 90)
        lowest, highest = min(low, *offsets), max(high, max(offsets) + block)
        case = block, offsets, low, high
        program = read_from(write_group_program, *case)
        if program is not None:
            made[0] += 1
            expected = {block * i + byte: offsets[i] + byte for i in range(n) for byte in range(block)}
            assert interpret_program(program) == expected, case
            check_columns(program, case)
            assert (program[t.PROGRAM_PLANAR], program[t.PROGRAM_TUPLES]) == (0, 1)
            assert lowest <= program[t.PROGRAM_LOW] <= program[t.PROGRAM_HIGH] <= highest, case
        planes, inner_pitch = chosen.randint(2, 5), chosen.choice((block, -block))
        program = read_from(write_edge_program, *case, planes, inner_pitch, 555)
        if program is not None:
            made[1] += 1
            expected = {
                555 * channel + block * i + byte: offsets[i] + channel * inner_pitch + byte
                for channel in range(planes)
                for i in range(n)
                for byte in range(block)
            }
            assert interpret_program(program) == expected, (case, planes, inner_pitch)
            check_columns(program, (case, planes, inner_pitch))
            assert (program[t.PROGRAM_PLANAR], program[t.PROGRAM_TUPLES], n * block) == (1, 1, 16)
            shift = (planes - 1) * inner_pitch
            assert program[t.PROGRAM_LOW] >= lowest + min(shift, 0), (case, planes, inner_pitch)
            assert program[t.PROGRAM_HIGH] <= highest + max(shift, 0), (case, planes, inner_pitch)
    assert min(made) > 100, made
    # No whole vectors; the source may not be read so far; a fill value; a group that is too long.
    longest = [40] * (LONGEST_GROUP // 4 + 4)
    wrong = [([28, 40, 52], 28, 56), ([28] * 4, 28, 32), ([28, t.FILL, 52, 40], 28, 56), (longest, 0, 64)]
    for offsets, low, high in wrong:
        assert read_from(write_group_program, 4, offsets, low, high) is None, offsets
