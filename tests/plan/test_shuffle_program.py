"""Shuffle programs: every byte of a group comes from the source byte that it should, and from nowhere else."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops._shuffle_program import create_shuffle_program
from fastops.kernels import _gather_table as t


def interpret(program: tuple[int, ...]) -> dict[int, int]:
    """Return, for each output byte that the vectors of a group write, the source byte that it comes from."""
    written: dict[int, int] = {}
    words = 1 + program[t.PROGRAM_WINDOWS] * t.WINDOW_COLUMNS
    for vector in range(program[t.PROGRAM_VECTORS]):
        first = t.PROGRAM_ENTRIES + vector * words
        sources: list[int | None] = [None] * 16
        for window in range(program[t.PROGRAM_WINDOWS]):
            column = first + 1 + window * t.WINDOW_COLUMNS
            offset = program[column]
            lanes = b"".join(word.to_bytes(8, sys.byteorder, signed=True) for word in program[column + 1 : column + 3])
            assert all(lane < 16 or lane == t.NO_LANE for lane in lanes)
            if set(lanes) == {t.NO_LANE}:
                continue
            assert program[t.PROGRAM_LOW] <= offset
            assert offset + 16 <= program[t.PROGRAM_HIGH]
            for i, lane in enumerate(lanes):
                if lane != t.NO_LANE:
                    assert sources[i] is None, "two windows give one byte"
                    sources[i] = offset + lane
        for i, source in enumerate(sources):
            if source is not None:
                at = program[first] + i
                assert written.setdefault(at, source) == source
        assert program[first] + 16 <= program[t.PROGRAM_REACH]
    return written


@given(
    st.integers(1, 20),
    st.integers(1, 9),
    st.integers(-40, 40),
    st.integers(-80, 80).filter(bool),
)
def test_a_group_is_made_of_its_pixels(block: int, count: int, inner_step: int, step: int) -> None:
    program = create_shuffle_program(block, count, inner_step, step)
    if program is None:
        return
    pixel = block * count
    group = program[t.PROGRAM_PIXELS] * pixel
    expected = {}
    for byte in range(group):
        row, within = divmod(byte, pixel)
        i, rest = divmod(within, block)
        expected[byte] = row * step + i * inner_step + rest
    written = interpret(program)
    assert {byte: written[byte] for byte in range(group)} == expected
    assert program[t.PROGRAM_REACH] >= group
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


@pytest.mark.parametrize("arguments", [(1, 1, 0, 17), (8, 17, 8, 200), (1, 129, 1, 140)])
def test_what_shuffles_would_not_make_faster_has_no_program(arguments: tuple[int, int, int, int]) -> None:
    assert create_shuffle_program(*arguments) is None
