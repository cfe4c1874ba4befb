"""Shuffle programs: every byte of a group comes from the source byte that it should, and from nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops._plans._traces import Trace
from fastops._schedules._shuffle_program import create_group_program, create_shuffle_program
from fastops.kernels._tables import _gather as t
from tests.helpers.interpreters import interpret_program


def written_from(program: tuple[int, ...]) -> list[int]:
    """Where in the output the vectors of a group begin."""
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    return list(program[t.PROGRAM_ENTRIES :: words])


def window_offsets(program: tuple[int, ...]) -> list[int]:
    """Where in the source all windows of all vectors begin."""
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    vectors = [program[first + 1 : first + words] for first in range(t.PROGRAM_ENTRIES, len(program), words)]
    return [offset for vector in vectors for offset in vector[:: t.WINDOW_COLUMNS]]


@given(
    st.integers(1, 20),
    st.integers(1, 9),
    st.integers(-40, 40),
    st.integers(-80, 80).filter(bool),
)
def test_a_group_is_made_of_its_pixels(block: int, count: int, inner_pitch: int, src_pitch: int) -> None:
    program = create_shuffle_program(block, count, inner_pitch, src_pitch)
    if program is None:
        return
    pixel = block * count
    group = program[t.PROGRAM_PIXELS] * pixel
    expected = {}
    for byte in range(group):
        row, within = divmod(byte, pixel)
        i, rest = divmod(within, block)
        expected[byte] = row * src_pitch + i * inner_pitch + rest
    assert interpret_program(program) == expected
    offsets = window_offsets(program)
    assert (program[t.PROGRAM_LOW], program[t.PROGRAM_HIGH]) == (min(offsets), max(offsets) + 16)
    assert program[t.PROGRAM_REACH] == max(written_from(program)) + 16 >= group
    assert len(program) == t.PROGRAM_ENTRIES + program[t.PROGRAM_VECTORS] * (
        1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    )


@pytest.mark.parametrize(
    ("arguments", "vectors", "windows"),
    [
        ((1, 3, -1, 3), 3, 2),  # BGR to RGB
        ((3, 1, 0, 6), 3, 2),  # every second pixel of 3 bytes
        ((4, 1, 0, -4), 1, 1),  # reversed, of 4 bytes
        ((1, 1, 0, 3), 1, 3),  # a stride of 3 in bytes
        ((1, 3, 10_000, 1), 3, 3),  # CHW to HWC
    ],
)
def test_known_programs(arguments: tuple[int, int, int, int], vectors: int, windows: int) -> None:
    program = create_shuffle_program(*arguments)
    assert program is not None
    assert (program[t.PROGRAM_VECTORS], program[t.PROGRAM_WINDOWS]) == (vectors, windows)


def test_programs_of_traced_integers_are_plain() -> None:
    # They are kept for others: what other tests have not asked for yet.
    trace = Trace()
    pixels = create_shuffle_program(*map(trace.new_input, (3, 1, 0, 7)))
    group = create_group_program(
        trace.new_input(4), tuple(map(trace.new_input, (28, 40, 52, 40))), *map(trace.new_input, (28, 56))
    )
    for program in (
        pixels,
        group,
        create_shuffle_program(3, 1, 0, 7),
        create_group_program(4, (28, 40, 52, 40), 28, 56),
    ):
        assert program is not None
        assert {type(word) for word in program} == {int}


@pytest.mark.parametrize("arguments", [(1, 1, 0, 17), (8, 17, 8, 200), (1, 129, 1, 140)])
def test_what_shuffles_would_not_make_faster_has_no_program(arguments: tuple[int, int, int, int]) -> None:
    assert create_shuffle_program(*arguments) is None


@pytest.mark.parametrize(
    ("pixel", "pixels", "starts"),
    [
        # Small ones are made several at a time, as many as end where a vector does.
        (1, 16, [0]),
        (3, 16, [0, 16, 32]),
        (5, 16, [0, 16, 32, 48, 64]),
        (7, 16, [0, 16, 32, 48, 64, 80, 96]),
        (8, 2, [0]),
        # Larger ones too, if three vectors make a group.
        (12, 4, [0, 16, 32]),
        (24, 2, [0, 16, 32]),
        (48, 1, [0, 16, 32]),
        # Others are made alone: the last vector overlaps the one before it, or the only one reaches beyond the pixel.
        (9, 1, [0]),
        (20, 1, [0, 4]),
        (32, 1, [0, 16]),
        (36, 1, [0, 16, 20]),
        (127, 1, [0, 16, 32, 48, 64, 80, 96, 111]),
        (128, 1, [0, 16, 32, 48, 64, 80, 96, 112]),
    ],
)
def test_pixels_of_a_group_and_where_its_vectors_are_written(pixel: int, pixels: int, starts: list[int]) -> None:
    program = create_shuffle_program(1, pixel, 1, pixel)
    assert program is not None
    assert (program[t.PROGRAM_PIXELS], written_from(program)) == (pixels, starts)
    assert program[t.PROGRAM_WINDOWS] == 1


@pytest.mark.parametrize(("src_pitch", "windows"), [(1, 1), (2, 2), (3, 3), (5, 4), (6, None), (-5, 4), (-6, None)])
def test_a_vector_has_up_to_four_windows(src_pitch: int, windows: int | None) -> None:
    program = create_shuffle_program(1, 1, 0, src_pitch)
    assert (None if program is None else program[t.PROGRAM_WINDOWS]) == windows


def test_a_window_has_sixteen_bytes() -> None:
    whole, wider = create_shuffle_program(8, 2, 8, 16), create_shuffle_program(8, 2, 9, 17)
    assert whole is not None
    assert wider is not None
    assert window_offsets(whole) == [0]
    assert window_offsets(wider) == [0, 16]
