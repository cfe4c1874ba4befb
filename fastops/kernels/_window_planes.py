"""Planes of a window: which two axes of a table move together, and by which shuffle program.

Computes: what `_schedules._planes` chooses, for axes that are plain; programs come with the words of the window.
Memory: reads the words, moves the rows of the table, and copies the program behind them.
Fast because a plane is chosen once for all rows of a window.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import ZERO, copy_bytes, load_int, loops, shift
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    FIRST_PROGRAM,
    NO_INNER,
    PROGRAM_BLOCK,
    PROGRAM_BLOCKS,
    PROGRAM_COLUMNS,
    PROGRAM_FEWEST,
    PROGRAM_INNER,
    PROGRAM_INNER_DST_PITCH,
    PROGRAM_INNER_PITCH,
    PROGRAM_LENGTH,
    PROGRAM_OUTER,
    PROGRAM_OUTER_DST_PITCH,
    PROGRAM_OUTER_PITCH,
    PROGRAMS,
)
from fastops.kernels._window_axes import NUMBER, is_plain, lay_plain, row_of


@loops
def _swap_axes(table, n, i, j):
    if i != j:
        spare = row_of(table, n)
        copy_bytes(spare, row_of(table, i), 8 * g.AXIS_COLUMNS)
        copy_bytes(row_of(table, i), row_of(table, j), 8 * g.AXIS_COLUMNS)
        copy_bytes(row_of(table, j), spare, 8 * g.AXIS_COLUMNS)


@loops
def _find_axis(table, n, number, src_pitch, dst_pitch):
    """Return which row is a plain axis of the window with this number and these pitches, n for none."""
    for k in range(n):
        row = row_of(table, k)
        if (
            is_plain(row)
            and load_int(row, NUMBER) == number
            and load_int(row, g.SRC_PITCH) == src_pitch
            and load_int(row, g.DST_PITCH) == dst_pitch
        ):
            return k
    return n


@loops
def _pair_by_program(words, table, n, block):
    """Return the axes, the last two of which are the plane of a shuffle program; 0 if no program fits.

    The program is copied behind the axes.
    """
    at = load_int(words, FIRST_PROGRAM)
    for _ in range(load_int(words, PROGRAMS)):
        program = shift(words, 8 * at)
        at += PROGRAM_COLUMNS + load_int(program, PROGRAM_LENGTH)
        if load_int(program, PROGRAM_BLOCK) != block:
            continue
        outer = _find_axis(
            table,
            n,
            load_int(program, PROGRAM_OUTER),
            load_int(program, PROGRAM_OUTER_PITCH),
            load_int(program, PROGRAM_OUTER_DST_PITCH),
        )
        if outer == n or load_int(row_of(table, outer), g.COUNT) < load_int(program, PROGRAM_FEWEST):
            continue
        if load_int(program, PROGRAM_INNER) != NO_INNER:
            inner = _find_axis(
                table,
                n,
                load_int(program, PROGRAM_INNER),
                load_int(program, PROGRAM_INNER_PITCH),
                load_int(program, PROGRAM_INNER_DST_PITCH),
            )
            if inner == n or load_int(row_of(table, inner), g.COUNT) != load_int(program, PROGRAM_BLOCKS):
                continue
            # The rest keeps its order: both are taken out, and put behind it.
            _move_last(table, n, inner)
            _move_last(table, n, outer - 1 if inner < outer else outer)
        else:
            _move_last(table, n, outer)
            copy_bytes(row_of(table, n), row_of(table, n - 1), 8 * g.AXIS_COLUMNS)
            lay_plain(row_of(table, n - 1), ZERO, 1, block, ZERO)
            n += 1
        copy_bytes(row_of(table, n), shift(program, 8 * PROGRAM_COLUMNS), 8 * load_int(program, PROGRAM_LENGTH))
        return n
    return ZERO


@loops
def _move_last(table, n, k):
    """Put the row of axis k behind the others."""
    for i in range(k, n - 1):
        _swap_axes(table, n, i, i + 1)


@outlined(types.UniTuple(types.intp, 2)(byte_pointer, byte_pointer, types.intp, types.intp))
def pair_window(words, table, n, block):
    """Bring two axes that move together behind the others; return how many axes there are, and their plane."""
    last = row_of(table, n - 1)
    count = load_int(last, g.COUNT)
    outer_rows = 1
    for k in range(n - 1):
        outer_rows *= load_int(row_of(table, k), g.COUNT)
    if not is_plain(last) or (count * block <= g.FEW_BYTES and outer_rows <= g.FEW_ROWS):
        return n, g.NO_PLANE
    with_program = _pair_by_program(words, table, n, block)
    if with_program:
        return with_program, g.PIXELS
    # The axis along which the source is densest.
    dense, least = n, abs(load_int(last, g.SRC_PITCH))
    for k in range(n - 1):
        row = row_of(table, k)
        pitch = abs(load_int(row, g.SRC_PITCH)) if is_plain(row) else 0
        if 0 < pitch < least and load_int(row, g.COUNT) >= g.FEWEST_CROSSED_ROWS:
            dense, least = k, pitch
    partner = n - 2 if dense == n else dense
    if n < 2 or (dense == n and count * block >= g.SHORTEST_ROW) or not is_plain(row_of(table, partner)):
        return n, g.NO_PLANE
    _move_last(table, n, partner)
    if load_int(row_of(table, n - 1), g.COUNT) < load_int(row_of(table, n - 2), g.COUNT):
        _swap_axes(table, n, n - 1, n - 2)
    one, other = row_of(table, n - 2), row_of(table, n - 1)
    if load_int(one, g.DST_PITCH) != block:
        one, other = other, one
    is_crossed = (
        load_int(one, g.DST_PITCH) == block
        and block <= g.LARGEST_TRANSPOSED_BLOCK
        and abs(load_int(other, g.SRC_PITCH)) < abs(load_int(one, g.SRC_PITCH))
    )
    return n, g.CROSSED if is_crossed else g.TILES
