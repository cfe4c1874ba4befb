"""Tables that the scheduler makes, and their meaning byte by byte, in Python.

`fastops.kernels._tables._gather` documents tables. A pair is a destination byte offset and a source byte offset, which
is None for the fill value. `visits` gives the number of a byte of the fill value in place of None.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, product
from math import prod
from typing import Any

import numpy as np

from fastops._geometry._words import Piece, to_words
from fastops.kernels._intrinsics._shuffles import SHUFFLED_GROUPS
from fastops.kernels._scheduler._schedule import SCRATCH_WORDS, Options, write_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import SlicePlan
from tests.helpers.chains import elements_of

Pairs = list[tuple[int, int | None]]


def words_of(numbers: Iterable[int]) -> memoryview:
    """Return a view of numbers as 64-bit integers, whose items are integers of Python."""
    return memoryview(array("q", numbers))


def contiguous_byte_strides(shape: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the byte strides of a C-contiguous array."""
    return tuple([width * prod(shape[k:]) for k in range(1, len(shape) + 1)])


def table_of(
    words: Sequence[int],
    byte_strides: Sequence[int],
    width: int,
    *,
    streams: bool = False,
    smallest: int = 1 << 13,
    room: int = 1 << 16,
) -> list[int]:
    """Return the scheduler's table, empty if it exceeds `room`; a result of fewer than `smallest` bytes is one part."""
    own, strides, table = words_of(words), words_of([*byte_strides, 0]), memoryview(array("q", [-77]) * room)
    scratch, options = words_of([-99] * SCRATCH_WORDS), Options(int(streams), smallest, 0, 0)
    length = write_schedule(own, strides, width, options, table, scratch, table, room)
    return table[: max(length, 0)].tolist()


def create_table(
    plans: Sequence[SlicePlan], source: Sequence[int], width: int, outs: Sequence[Sequence[int]], **options: Any
) -> list[int]:
    """Return the table of plans that read one source, one plan for each output, for arrays of these byte strides."""
    pieces = [Piece(plan.geometry, i) for i, plan in enumerate(plans)]
    words = to_words(plans[0].source_shape if plans else (), [plan.shape for plan in plans], pieces)
    return table_of(words, [*source, *chain(*outs)], width, **options)


def starts_of(table: Sequence[int]) -> list[int]:
    """Where in a table each part begins."""
    starts = [t.HEADER_COLUMNS]
    for _ in range(table[t.PARTS]):
        starts.append(starts[-1] + table[starts[-1] + t.LENGTH])
    assert starts.pop() == len(table)
    return starts


def parts_of(table: Sequence[int]) -> list[Sequence[int]]:
    """The parts of a table, each up to the end of the table."""
    return [table[start:] for start in starts_of(table)]


def axes_of(part: Sequence[int]) -> list[Sequence[int]]:
    """Return the rows of the axes of a part, each up to the end of the table, which has their lists of runs."""
    return [part[t.PART_COLUMNS + k * t.AXIS_COLUMNS :] for k in range(part[t.AXES])]


def _places(part: Sequence[int], rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int | None]]:
    """The offsets of each output along some axes."""
    for y in product(*(range(row[t.COUNT]) for row in rows)):
        offsets = [source_offset(row, at) for at, row in zip(y, rows, strict=True)]
        dst = part[t.DST_OFFSET] + sum(at * row[t.DST_PITCH] for at, row in zip(y, rows, strict=True))
        yield dst, None if t.FILL in offsets else part[t.SRC_OFFSET] + sum(offsets)


def source_offset(row: Sequence[int], y: int) -> int:
    """The source offset of output y of an axis row, or FILL."""
    if row[t.KIND] == t.AFFINE:
        if y < row[t.LO]:
            return row[t.BEFORE]
        return row[t.AFTER] if y >= row[t.HI] else row[t.FIRST] + (y - row[t.LO]) * row[t.SRC_PITCH]
    if row[t.KIND] == t.PIECEWISE:
        runs = [row[row[t.LIST] + i * t.RUN_COLUMNS :][: t.RUN_COLUMNS] for i in range(row[t.RUNS] + 1)]
        assert runs[-1][t.RUN_BEGIN] == row[t.COUNT]
        begin, first, pitch = next(run for run, following in pairwise(runs) if y < following[t.RUN_BEGIN])
        return t.FILL if first == t.FILL else first + (y - begin) * pitch
    position = (row[t.START] + y * row[t.ADVANCE]) % row[t.PERIOD]
    return min(position, row[t.REFLECTION] - position) * row[t.INDEX_PITCH]


def interpret_program(program: Sequence[int]) -> dict[int, int]:
    """Return, for each output byte that the vectors of a group write, the source byte that it comes from."""
    written: dict[int, int] = {}
    offsets, windows = [], program[t.PROGRAM_WINDOWS]
    # The kernels have a loop for this number of vectors and of windows.
    assert (program[t.PROGRAM_TOGETHER], windows) in SHUFFLED_GROUPS
    assert program[t.PROGRAM_VECTORS] % program[t.PROGRAM_TOGETHER] == 0
    for vector in range(program[t.PROGRAM_VECTORS]):
        first = t.PROGRAM_ENTRIES + vector * (1 + windows * t.WINDOW_COLUMNS)
        sources: dict[int, int] = {}
        for column in range(first + 1, first + 1 + windows * t.WINDOW_COLUMNS, t.WINDOW_COLUMNS):
            offset, *shuffle = program[column : column + 3]
            offsets.append(offset)
            lanes = b"".join(word.to_bytes(8, sys.byteorder, signed=True) for word in shuffle)
            found = {i: offset + lane for i, lane in enumerate(lanes) if lane != t.NO_LANE}
            assert all(source < offset + 16 for source in found.values())
            assert not sources.keys() & found.keys(), "two windows give one byte"
            sources |= found
        for i, source in sources.items():
            assert written.setdefault(program[first] + i, source) == source
        assert program[t.PROGRAM_PLANAR] or program[first] + 16 <= program[t.PROGRAM_REACH]
    assert (program[t.PROGRAM_LOW], program[t.PROGRAM_HIGH]) == (min(offsets), max(offsets) + 16)
    assert program[t.PROGRAM_PLANAR] in (0, 1)
    assert not program[t.PROGRAM_PLANAR] or program[t.PROGRAM_REACH] == 16
    return written


def pairs_of(part: Sequence[int]) -> Pairs:
    """Return the pairs of a part; a shuffle program gives those of the last two axes."""
    axes = axes_of(part)
    if part[t.PLANE] != t.TUPLES:
        cells = range(part[t.BLOCK])
        return [(dst + b, None if src is None else src + b) for dst, src in _places(part, axes) for b in cells]
    *outer, inner, last = axes
    program, block, pitch = last[t.AXIS_COLUMNS :], part[t.BLOCK], last[t.DST_PITCH]
    written, pixels = interpret_program(program), program[t.PROGRAM_TUPLES]
    pixel = block * inner[t.COUNT]
    if program[t.PROGRAM_PLANAR]:
        assert pitch == block, "planes are dense"
        places = [i * inner[t.DST_PITCH] + b for i in range(inner[t.COUNT]) for b in range(block)]
    else:
        assert (inner[t.DST_PITCH], pitch) == (block, pixel), "pixels are dense"
        places = list(range(pixel))
    pairs: Pairs = []
    for dst, src in _places(part, outer):
        for at in range(last[t.COUNT]):
            group, place = divmod(at, pixels)
            first = group * pixels * last[t.SRC_PITCH]
            pairs += [
                (dst + at * pitch + b, None if src is None else src + first + written[place * pitch + b])
                for b in places
            ]
    return pairs


def visits(table: Sequence[int], output: int = 0) -> list[tuple[int, int, bool]]:
    """Return the offset and the origin of each byte that the parts of an output write, in order of the offsets.

    The origin is a source offset and True, or the number of a byte of the fill values and False.
    """
    found = []
    for part in parts_of(table):
        # A part writes whole elements, so pair `i` is byte `i % width` of an element, and of the fill value if there is
        # no source.
        for i, (dst, src) in enumerate(pairs_of(part)):
            if part[t.DST_INDEX] == output:
                of_fill = part[t.FILL_OFFSET] + i % part[t.WIDTH]
                found.append((dst, of_fill if src is None else src, src is not None))
    return sorted(found)


def visits_of(
    plan: SlicePlan, byte_strides: Sequence[int], width: int, out_byte_strides: Sequence[int]
) -> list[tuple[int, int, bool]]:
    """Return the bytes that a plan reads by `AxisMap.source`, in the form of `visits`."""
    found = []
    for at, element in np.ndenumerate(elements_of(plan)):
        dst = sum(i * stride for i, stride in zip(at, out_byte_strides, strict=True))
        src = (-1 - element) * width
        if element >= 0:
            place = np.unravel_index(element, plan.source_shape)
            src = sum(int(i) * stride for i, stride in zip(place, byte_strides, strict=True))
        found += [(dst + b, src + b, bool(element >= 0)) for b in range(width)]
    return sorted(found)
