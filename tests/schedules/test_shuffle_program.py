"""Shuffle programs: every byte of a group comes from the source byte that it should, and from nowhere else."""

from __future__ import annotations

import random

from fastops._schedules._shuffle_program import create_group_program, create_shuffle_program
from fastops.kernels._tables import _gather as t
from tests.helpers.interpreters import interpret_program

Program = tuple[int, ...]


def program_of(*arguments: int) -> Program:
    program = create_shuffle_program(*arguments)
    assert program is not None, arguments
    return program


def vectors_of(program: Program) -> list[Program]:
    """The words of each vector: where in the output it begins, and its windows."""
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    return [program[first : first + words] for first in range(t.PROGRAM_ENTRIES, len(program), words)]


def written_from(program: Program) -> list[int]:
    return [vector[0] for vector in vectors_of(program)]


def window_offsets(program: Program) -> list[int]:
    """Where in the source all windows of all vectors begin."""
    return [offset for vector in vectors_of(program) for offset in vector[1 :: t.WINDOW_COLUMNS]]


def test_a_group_is_made_of_its_pixels() -> None:
    chosen = random.Random(19)
    made = 0
    for _ in range(1000):
        block, count = chosen.randint(1, chosen.choice((4, 20))), chosen.randint(1, 9)
        inner_pitch, src_pitch = chosen.randint(-40, 40), chosen.choice((-1, 1)) * chosen.randint(1, 80)
        program = create_shuffle_program(block, count, inner_pitch, src_pitch)
        if program is None:
            continue
        made += 1
        pixel, case = block * count, (block, count, inner_pitch, src_pitch)
        group = program[t.PROGRAM_PIXELS] * pixel
        expected = {at: at // pixel * src_pitch + at % pixel // block * inner_pitch + at % block for at in range(group)}
        assert all(type(word) is int for word in program), case
        assert interpret_program(program) == expected, case
        offsets = window_offsets(program)
        assert (program[t.PROGRAM_LOW], program[t.PROGRAM_HIGH]) == (min(offsets), max(offsets) + 16), case
        assert program[t.PROGRAM_REACH] == max(written_from(program)) + 16 >= group, case
        words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
        assert len(program) == t.PROGRAM_ENTRIES + program[t.PROGRAM_VECTORS] * words, case
    assert made > 200


def test_known_programs() -> None:
    for arguments, vectors, windows in (
        ((1, 3, -1, 3), 3, 2),  # BGR to RGB
        ((3, 1, 0, 6), 3, 2),  # every second pixel of 3 bytes
        ((4, 1, 0, -4), 1, 1),  # reversed, of 4 bytes
        ((1, 1, 0, 3), 1, 3),  # a stride of 3 in bytes
        ((3, 1, 0, 7), 3, 3),  # pixels of 3 bytes, 7 apart: all vectors have the same windows
        ((1, 3, 10_000, 1), 3, 3),  # CHW to HWC
    ):
        program = program_of(*arguments)
        assert (program[t.PROGRAM_VECTORS], program[t.PROGRAM_WINDOWS]) == (vectors, windows), arguments
    # What shuffles would not make faster has none.
    for none in ((1, 1, 0, 17), (8, 17, 8, 200), (1, 129, 1, 140)):
        assert create_shuffle_program(*none) is None, none
    # A vector has up to four windows, of sixteen bytes each.
    for src_pitch, windows in ((1, 1), (2, 2), (3, 3), (5, 4), (-5, 4)):
        assert program_of(1, 1, 0, src_pitch)[t.PROGRAM_WINDOWS] == windows
    assert create_shuffle_program(1, 1, 0, 6) is create_shuffle_program(1, 1, 0, -6) is None
    assert window_offsets(program_of(8, 2, 8, 16)) == [0]
    assert window_offsets(program_of(8, 2, 9, 17)) == [0, 16]


def test_a_group_is_made_of_blocks_from_anywhere() -> None:
    offsets = (28, 40, 52, 40)
    program = create_group_program(4, offsets, 28, 56)
    assert program is not None
    assert interpret_program(program) == {4 * i + byte: offsets[i] + byte for i in range(4) for byte in range(4)}
    # There are no whole vectors, it may not be read so far, or one is a fill value.
    for wrong in ((4, offsets[:3], 28, 56), (4, (28, 28, 28, 28), 28, 32), (4, (28, t.FILL, 52, 40), 28, 56)):
        assert create_group_program(*wrong) is None, wrong
