"""Shuffle programs: every byte of a group comes from the right byte of the source."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

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
from fastops.kernels._tables import _gather as t
from tests.helpers.schedules import interpret_program, words_of

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
