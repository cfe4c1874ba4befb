"""Tables that the scheduler makes, interpreted, and what is read off them."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Sequence

from fastops import SampleMode
from fastops._geometry._words import Piece, to_words
from fastops.kernels._scheduler._schedule import Options, most_axes_of, scratch_words, write_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan

ROWS, TILES, CROSSED, PIXELS = t.NO_PLANE, t.TILES, t.CROSSED, t.PIXELS

FAR = 10**6

#: Room for tables, in words.
ROOM = 1 << 16


def words_of(numbers: Iterable[int]) -> memoryview:
    """The numbers as an array of 64-bit integers, whose items Python has as its own."""
    return memoryview(array("q", numbers))


def table_of(
    words: Sequence[int],
    byte_strides: Sequence[int],
    width: int,
    *,
    streams: bool = False,
    smallest: int = 1 << 13,
    room: int = ROOM,
) -> list[int] | None:
    """The table that the scheduler makes, or None if there is no room; results of fewer bytes are one part each."""
    own, strides, table = words_of(words), words_of([*byte_strides, 0]), words_of([-77] * room)
    n = most_axes_of(own)
    scratch = words_of([-99] * scratch_words(n))
    length = write_schedule(own, strides, width, Options(int(streams), smallest, 0, 0), scratch, n, table, room)
    return None if length < 0 else table[:length].tolist()


def contiguous_byte_strides(shape: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the byte strides of a C-contiguous array."""
    strides = []
    byte_stride = width
    for extent in reversed(shape):
        strides.append(byte_stride)
        byte_stride *= extent
    return tuple(reversed(strides))


def create_table(
    plans: Sequence[SlicePlan],
    source_byte_strides: Sequence[int],
    width: int,
    out_byte_strides: Sequence[Sequence[int]],
    *,
    streams: bool = False,
    smallest: int = 1 << 13,
) -> list[int]:
    """The table of plans of one source, of which each writes an output."""
    pieces = [Piece(plan.geometry, i) for i, plan in enumerate(plans)]
    words = to_words(plans[0].source_shape if plans else (), [plan.shape for plan in plans], pieces)
    strides = [*source_byte_strides, *itertools.chain.from_iterable(out_byte_strides)]
    room, table = ROOM, None
    while table is None:
        table = table_of(words, strides, width, streams=streams, smallest=smallest, room=room)
        room *= 4
    return table


def schedule(
    axes: Sequence[int | AxisMap],
    source: Sequence[int],
    *,
    out: Sequence[int] | None = None,
    width: int = 1,
    streams: bool = False,
) -> tuple[int, ...]:
    """The table of axes that are read as they are (a number is such an extent) from byte strides into byte strides."""
    plan = SlicePlan([AxisMap.whole(axis) if type(axis) is int else axis for axis in axes])
    out = contiguous_byte_strides(plan.shape, width) if out is None else out
    return tuple(create_table([plan], source, width, [out], streams=streams))


def part_of(table: Sequence[int]) -> Sequence[int]:
    return table[t.HEADER_COLUMNS :]


def axes_of(table: Sequence[int]) -> list[tuple[int, int]]:
    """Counts and destination pitches of the axes, from the outermost to the innermost."""
    part = part_of(table)
    rows = [table[part[t.FIRST_AXIS] + k * t.AXIS_COLUMNS :] for k in range(part[t.AXES])]
    return [(row[t.COUNT], row[t.DST_PITCH]) for row in rows]


def mirrored(count: int) -> AxisMap:
    """A walk of a number of outputs."""
    return AxisMap.create(9, -2, 1, count, SampleMode.REFLECT)


def nothing(count: int) -> AxisMap:
    """An axis of fill values."""
    return AxisMap.create(9, 100, 1, count, SampleMode.FILL)
