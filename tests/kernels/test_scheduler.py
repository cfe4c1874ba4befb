"""The scheduler, run by Python: tables write each byte of a plan once, from the place that the plan reads.

Its choices of axes, blocks, planes and streaming are tested just below and above each limit: any choice moves the right
bytes, but these choices are fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import gcd, prod
from typing import Any, NamedTuple

import fastops as fo
from fastops import SampleMode
from fastops._geometry._words import Piece, Place, to_words
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.draws import Choices, draw_gather_case, draw_memory
from tests.helpers.schedules import (
    axes_of,
    contiguous_byte_strides,
    create_table,
    parts_of,
    source_offset,
    starts_of,
    table_of,
    visits,
    visits_of,
)
from tests.helpers.seeds import SEED, chooser, scale

Table = Sequence[int]

ROWS, TILES, TRANSPOSED, TUPLES = t.NO_PLANE, t.TILES, t.TRANSPOSED, t.TUPLES

# The most bytes of a result: Python checks each of them.
MOST_BYTES = 6000


def check_columns(table: Table, plans: Sequence[SlicePlan], byte_strides: Table, width: int) -> int:
    """Assert that axes, program and lists follow each part, and that its columns agree with these and the plans.

    Assert also that edges with a program of their own read nothing beyond the source; return their number.
    """
    assert all(type(number) is int and -(2**63) <= number < 2**63 for number in table)
    edges, total, shape = 0, 0, plans[0].source_shape
    reaches = [stride * (n - 1) for stride, n in zip(byte_strides, shape, strict=True)]
    span = (0, 0) if 0 in shape else (sum(min(r, 0) for r in reaches), sum(max(r, 0) for r in reaches) + width)
    for start, part in zip(starts_of(table), parts_of(table), strict=True):
        axes, plane, block = axes_of(part), part[t.PLANE], part[t.BLOCK]
        at = start + t.PART_COLUMNS + len(axes) * t.AXIS_COLUMNS
        assert part[t.AXES] >= 1
        if plane == TUPLES:
            windows, vectors = table[at + t.PROGRAM_WINDOWS], table[at + t.PROGRAM_VECTORS]
            if axes[-1][t.COUNT] == 1 and not axes[-2][t.SRC_PITCH]:
                # Only the program knows what an edge reads.
                edges += 1
                rows = [{source_offset(axis, y) for y in range(axis[t.COUNT])} - {t.FILL} for axis in axes[:-2]]
                first, last = [part[t.SRC_OFFSET] + sum(map(end, rows)) for end in (min, max)]
                assert span[0] <= first + table[at + t.PROGRAM_LOW]
                assert last + table[at + t.PROGRAM_HIGH] <= span[1]
            at += t.PROGRAM_ENTRIES + vectors * (1 + windows * t.WINDOW_COLUMNS)
        at += sum((axis[t.RUNS] + 1) * t.RUN_COLUMNS for axis in axes if axis[t.KIND] == t.PIECEWISE)
        assert start + part[t.LENGTH] == at
        # True for axes that are one run from the first output to the last.
        are_runs = [axis[t.KIND] == t.AFFINE and (axis[t.LO], axis[t.HI]) == (0, axis[t.COUNT]) for axis in axes]
        counts = [axis[t.COUNT] for axis in axes]
        assert (part[t.WIDTH], block % width, part[t.STREAMS] in (0, 1)) == (width, 0, True)
        assert part[t.ITEM_BYTES] == (block if plane == ROWS else block * counts[-2])
        assert part[t.ITEMS] * part[t.ITEM_BYTES] == prod(counts) * block
        assert plane == ROWS or all(are_runs[-2:])
        assert (part[t.SRC_LOW], part[t.SRC_HIGH]) == span
        total += prod(counts) * block
        for axis in axes:
            if axis[t.KIND] == t.PERIODIC:
                assert 0 <= axis[t.START] < axis[t.PERIOD]
                assert axis[t.CYCLE] * gcd(axis[t.PERIOD], axis[t.ADVANCE]) == axis[t.PERIOD]
    assert total == sum(plan.size for plan in plans) * width == table[t.TOTAL_BYTES]
    return edges


def strides_of(chosen: Choices, shape: tuple[int, ...], width: int) -> tuple[int, ...]:
    return draw_memory(chosen, shape, width, may_repeat=False).byte_strides


def test_tables_are_what_plans_mean() -> None:
    wrong, parts, kinds = [], set(), set()
    for seed in range(scale(400, 100_000)):
        case = draw_gather_case(Choices(chooser(f"scheduler {seed}")))
        if not 0 < sum(plan.size for plan in case.plans) * case.width <= MOST_BYTES:
            continue
        source, outs = case.source.byte_strides, [memory.byte_strides for memory in case.outputs]
        given: Any = case.plans, source, case.width, outs
        table = create_table(*given, streams=case.streams, smallest=case.smallest_peeled)
        for i, (plan, out) in enumerate(zip(case.plans, outs, strict=True)):
            wrong += [(seed, i)] if visits(table, i) != visits_of(plan, source, case.width, out) else []
        if all(plan.fills < 2 for plan in case.plans):
            check_columns(table, case.plans, source, case.width)
        assert case.streams or not any(part[t.STREAMS] for part in parts_of(table))
        parts.add(table[t.PARTS])
        kinds |= {axis[t.KIND] for part in parts_of(table) for axis in axes_of(part)}
        # Nothing is written beyond a table that is too small.
        for room in (2, 22, len(table) // 2, len(table) - 1) if table[t.PARTS] > 2 else ():
            assert create_table(*given, room=room, smallest=case.smallest_peeled) == []
    assert wrong == [], f"FASTOPS_TEST_SEED={SEED} draws them again"
    assert len(parts) > 3
    assert kinds == {t.AFFINE, t.PERIODIC, t.PIECEWISE}


def test_pieces_are_written_where_their_places_are() -> None:
    # The second piece is element (2, 0, 5) of the second output.
    one, places = SlicePlan((), (1, 1), ()), (Place(0, 2, 1), Place(2, 5, 1))
    words = to_words((), [(), (3, 1, 6)], [Piece(SlicePlan([]).geometry, 0), Piece(one.geometry, 1, places)])
    table = table_of(words, [100, 10, 2], 2)
    assert [(part[t.DST_INDEX], part[t.DST_OFFSET]) for part in parts_of(table)] == [(0, 0), (1, 210)]


def draw_padded(chosen: Choices, extents: Sequence[int], most: int) -> SlicePlan:
    """Draw one or two pads; then reverse some axes, and put all in another order."""
    plan = SlicePlan([AxisMap.whole(n) for n in extents])
    for _ in range(chosen.choice((1, 2, 2))):
        pads = [[chosen.choice((0, chosen.randint(0, most))) if n > 4 else 0 for _ in "ab"] for n in plan.shape]
        modes = ("reflect", "edge", "wrap", "symmetric", "constant")
        plan = plan.then(fo.plan.numpy.pad(plan.shape, pads, chosen.choice(modes)))
    plan = plan[tuple([slice(None, None, chosen.choice((1, -1))) for _ in plan.shape])]
    return plan.transpose(chosen.sample(range(len(extents)), len(extents)))


def test_interiors_and_their_edges_visit_the_bytes_of_their_plans() -> None:
    chosen = Choices(chooser("interiors"))
    parts, planes, edges = [], set(), 0
    for k in range(scale(800, 15_000)):
        is_long = k % 2 > 0
        extents = [chosen.randint(2, 9), chosen.randint(5, 60), chosen.choice((1, 2, 3, 4, 5))]
        if is_long:
            extents = [chosen.choice((1, 2, 3, 40, 90, 258)), chosen.randint(40, 120), chosen.randint(1, 4)]
        plan, width = draw_padded(chosen, extents, 20 if is_long else 6), chosen.choice((1, 1, 2, 4, 8))
        source, out = [strides_of(chosen, shape, width) for shape in (plan.source_shape, plan.shape)]
        told = (plan, source, width, out, SEED)
        table = create_table([plan], source, width, [out], smallest=1)
        if not is_long and plan.size * width <= MOST_BYTES:
            assert visits(table) == visits_of(plan, source, width, out), told
            parts.append(table[t.PARTS])
            planes |= {part[t.PLANE] for part in parts_of(table)}
        if plan.fills < 2:
            edges += check_columns(table, [plan], source, width)
    # An interior and its edges are at most 7 parts; there are more only if an edge has an interior of its own.
    assert sum(n > 7 for n in parts) > 3
    assert planes == {ROWS, TILES, TRANSPOSED, TUPLES}
    assert edges > 100


def test_a_table_does_not_grow_with_the_count() -> None:
    empty = SlicePlan([AxisMap.create(4, 0, 1, 0)])
    assert create_table([empty], (1,), 1, [(1,)]) == create_table([], (), 1, []) == [0] * t.HEADER_COLUMNS
    for mode, stride in product(["wrap", "clamp", "fill", "reflect", "symmetric"], [1, -1, 3, 0, 2**40]):
        plans = [fo.plan.slice((7, 5), [-3, 0], [n, 5], [stride, 1], mode=mode) for n in (20, 10**12)]
        few, many = [create_table([plan], (20, 4), 4, [(20, 4)]) for plan in plans]
        assert len(many) <= len(few), (mode, stride)
        check_columns(many, plans[1:], (20, 4), 4)


def test_rows_of_mirrored_pixels_are_cut_up_where_they_are_many() -> None:
    for side, channels, width, is_cut in ((64, 3, 1, False), (182, 2, 3, True)):
        shape = (side, side, channels)
        plan = fo.plan.slice(shape, [-9, side + 9, 0], shape, [1, -1, 1], mode="reflect")
        strides = contiguous_byte_strides(shape, width)
        table = create_table([plan], strides, width, [strides])
        assert (table[t.PARTS] > 1) == any(part[t.PLANE] == TUPLES for part in parts_of(table)) == is_cut


def mirrored(count: int) -> AxisMap:
    """Return a periodic axis of `count` outputs."""
    return AxisMap.create(9, -2, 1, count, SampleMode.REFLECT)


def nothing(count: int) -> AxisMap:
    """Return an axis of `count` fill values."""
    return AxisMap.create(9, 100, 1, count, SampleMode.FILL)


class Row(NamedTuple):
    """Axes (an integer is the extent of a whole axis), the source's byte strides, and the first part of the table.

    The part has a plane, axes (counts and pitches in the output, the outermost first), the bytes of a block, and 1 if
    its stores are nontemporal when the table may stream. Fields of the part that are None are not compared; an output
    without strides is dense.
    """

    axes: list[Any]
    source: list[int]
    plane: int
    made: list[tuple[int, int]] | None = None
    width: int = 1
    out: list[int] | None = None
    block: int | None = None
    streams: int | None = None


FAR = 10**6
CHOICES = [
    # Up to 16 rows of up to 512 bytes are neither shuffled nor transposed, even with reversed channels or transposed
    # axes.
    Row([200], [-2], ROWS),
    *[Row([n, 3], [3, -1], plane) for n, plane in ((16, ROWS), (17, TUPLES))],
    *[Row([4, n, 3], [100, 3, -1], plane) for n, plane in ((4, ROWS), (5, TUPLES))],
    *[Row([16, 512 // n], [n, 1000], ROWS, width=n) for n in (1, 4)],
    *[Row([16, 512 // n + 1], [n, 1000], TRANSPOSED, width=n) for n in (1, 4)],
    # Blocks of up to 64 bytes are transposed.
    *[Row([200, 300], [n, FAR], plane, width=n) for n, plane in ((64, TRANSPOSED), (65, TILES))],
    *[Row([300, 200], [n, FAR], plane, width=n) for n, plane in ((64, TRANSPOSED), (65, TILES))],
    # A single axis of blocks below 8 bytes is shuffled if no loop for runs moves it, and a vector reads few windows.
    *[Row([1000], [by * n], ROWS, width=n) for n in (1, 2, 4) for by in (1, 0, -1, 2)],
    *[Row([1000], [by * n], TUPLES, width=n) for n in (1, 2, 4) for by in (3, -2)],
    *[Row([1000], [by], TUPLES, width=3) for by in (-3, 6, 9)],
    *[Row([1000], [by], ROWS, width=3) for by in (0, 3)],
    Row([1000], [14], TUPLES, width=7),
    *[Row([1000], [by], ROWS, width=n) for n, by in ((8, 24), (9, 18), (1, 17))],
    # If the source is denser along an outer axis than along the last one, both are transposed; the longer one becomes
    # the last.
    *[Row([200, 300], [4, by], TRANSPOSED, [(200, 1200), (300, 4)], 4) for by in (1000, -1000)],
    Row([300, 200], [4, 1000], TRANSPOSED, [(200, 4), (300, 800)], 4),
    # If it is not denser, only the last axis is shuffled. Two or three rows are too few for a transpose.
    Row([200, 300], [1000, 1000], TUPLES, [(200, 1200), (1, 4), (300, 4)], 4),
    Row([4, 300], [4, 1000], TRANSPOSED, [(4, 1200), (300, 4)], 4),
    Row([2, 300], [4, 1000], TUPLES, [(2, 1200), (1, 4), (300, 4)], 4),
    Row([3, 300], [4, 1000], TUPLES, [(3, 1200), (300, 4)], 4),
    # The densest axis is transposed wherever it stands, unless it repeats one element or is periodic.
    Row([8, 9, 300], [4, FAR, 1000], TRANSPOSED, [(9, 1200), (8, 10800), (300, 4)], 4),
    Row([8, 9, 300], [0, 4, 1000], TRANSPOSED, [(8, 10800), (9, 1200), (300, 4)], 4),
    Row([200, mirrored(9), 300], [4, 2, 1000], TRANSPOSED, [(9, 1200), (200, 10800), (300, 4)], 4),
    # Three or four planes become pixels: small blocks are shuffled, larger ones transposed if they lie 16 bytes or more
    # apart.
    *[Row([200, 4], [n, by], TUPLES, width=n) for n, by in ((1, 1000), (3, 1000), (4, 15), (4, -15))],
    *[Row([200, 4], [n, by], TRANSPOSED, width=n) for n, by in ((4, 1000), (8, 1000), (4, 16), (4, -16))],
    *[Row([200, 3], [n, 1000], plane, width=n) for n, plane in ((1, TUPLES), (4, TUPLES), (8, TRANSPOSED))],
    # If there are pixels for at least a vector, their channels become planes, all at once; the axis of rows becomes the
    # outermost.
    Row([3, 7, 16], [1, 200, 3], TUPLES, [(7, 16), (3, 112), (16, 1)]),
    Row([3, 7, 50], [1, 200, 3], TUPLES, [(7, 50), (3, 350), (50, 1)]),
    Row([4, 7, 50], [-2, 500, 8], TUPLES, [(7, 100), (4, 700), (50, 2)], 2),
    # Fewer pixels than a vector, five channels, pixels too far apart, and blocks of 8 bytes are moved plane by plane.
    Row([3, 7, 15], [1, 200, 3], TUPLES, [(3, 105), (15, 1), (7, 15)]),
    Row([5, 900], [1, 5], TUPLES, [(5, 900), (1, 1), (900, 1)]),
    Row([3, 900], [1, 5], TUPLES, [(3, 900), (1, 1), (900, 1)]),
    Row([3, 50], [8, 24], ROWS, [(3, 400), (50, 8)], 8),
    # If short rows are no plane, and the axis next to them is longer, this axis becomes the last one.
    Row([200, mirrored(127)], [7, -1], ROWS, [(127, 1), (200, 127)]),
    Row([200, mirrored(128)], [7, -1], ROWS, [(200, 128), (128, 1)]),
    Row([5, 200, mirrored(30)], [FAR, 7, -1], ROWS, [(5, 6000), (30, 1), (200, 30)]),
    Row([mirrored(200), 3], [7, -1], ROWS, [(3, 1), (200, 3)]),
    # Pixels are shuffled: reversed channels, and every second pixel.
    Row([900, 3], [-6, -1], TUPLES, [(3, 1), (900, 3)]),
    Row([50, 900, 3], [FAR, 3, -1], TUPLES, [(50, 2700), (3, 1), (900, 3)]),
    # Fill values and all axes beside them become one axis.
    Row([30, nothing(7), mirrored(5)], [1000, 50, 3], ROWS, [(7 * 30 * 5, 1)]),
    # Dense rows are streamed, even a single one; rows with gaps between them if they have at least 1024 bytes; elements
    # with gaps are not.
    *[Row([50, n], [9000, 2], ROWS, out=[5000, 1], streams=n // 1024) for n in (1024, 1023)],
    Row([50, 3000], [9000, 2], ROWS, out=[9000, 2], streams=0),
    Row([2, 3, 1000], [FAR, 9000, 2], ROWS, out=[3000, 1000, 1], streams=1),
    *[Row([600], [2], ROWS, out=[by], streams=2 - by) for by in (1, 2)],
    Row([50, 900, 3], [FAR, 3, -1], TUPLES, out=[2700, 3, 1], streams=1),
    *[Row([50, n, 3], [FAR, 3, -1], TUPLES, out=[5000, 3, 1], streams=n - 341) for n in (342, 341)],
    # Pixels are not shuffled where the output is not dense, or one element is repeated, or an axis is periodic.
    Row([900, 3], [3, -1], TILES, out=[4, 1], streams=0),
    Row([900, 3], [0, -1], TRANSPOSED, out=[3, 1], streams=1),
    Row([900, mirrored(3)], [9, 1], ROWS, out=[3, 1], streams=0),
    Row([mirrored(900), 3], [9, -1], ROWS, out=[3, 1], streams=0),
    # An axis of one output may have any pitch. Periodic axes may be written downwards.
    Row([nothing(1), 300], [1000, 1], ROWS, out=[777, 1], streams=1),
    Row([mirrored(3000)], [1], ROWS, out=[-1], streams=0),
    Row([mirrored(50), 1000], [9000, 2], ROWS, out=[-1000, 1], streams=0),
    # Transposes are streamed, because they write whole lines; tiles are not.
    Row([200, 300], [4, 1000], TRANSPOSED, out=[300, 1], streams=1),
    Row([100, 50], [3000, 3], TILES, out=[1000, 2], streams=0),
    # Rows of up to 1024 bytes become one block, also rows of fill values.
    Row([100, 1024], [5000, 1], ROWS, [(100, 1024)], block=1024),
    Row([100, 1025], [5000, 1], ROWS, [(100, 1025), (1025, 1)], block=1),
    Row([nothing(7), 30], [5000, 1], ROWS, [(7, 2000)], out=[2000, 1], block=30),
    Row([nothing(7), 1025], [5000, 1], ROWS, [(7, 2000), (1025, 1)], out=[2000, 1], block=1),
    # Two axes coalesce if, in source and output, the pitch of one is the pitch times the count of the next.
    Row([3, 20, 15], [600, 30, 2], ROWS, [(900, 2)], 2, block=2),
    Row([3, 20, 15], [4000, 40, 2], ROWS, [(3, 600), (20, 30)], 2, block=30),
    Row([3, 20, 15], [600, 30, 2], ROWS, [(3, 4000), (20, 40)], 2, [4000, 40, 2], 30),
    Row([3, 20, 15], [900, 30, 2], ROWS, [(3, 900)], 2, [900, 30, 2], 600),
    Row([3, 20, 15], [5000, 70, 3], TILES, [(3, 4000), (15, 3), (20, 50)], 2, [4000, 50, 3], 2),
    Row([3, 20, 15], [1200, 60, 4], ROWS, [(900, 2)], 2, block=2),
    Row([3, 20, 15], [0, 0, 0], ROWS, [(900, 2)], 2, block=2),
    # A short row of whole pixels is one block; in a mirrored axis, each pixel is one block. A reversal of all axes is
    # one axis.
    Row([4, 5, 3], [27, 3, 1], ROWS, [(4, 15)], block=15),
    Row([4, 5], [-5, -1], ROWS, [(20, 1)], block=1),
    Row([9, mirrored(13), 3], [27, 3, 1], ROWS, [(9, 39), (13, 3)], block=3),
    # Axes are written upwards, except periodic ones, and sorted by the size of their pitch in the output.
    Row([900], [1], ROWS, [(900, 1)], out=[-1], block=1),
    Row([mirrored(30), 400], [3, 700], ROWS, [(30, -500), (400, 1)], out=[-500, 1], block=1),
    # Rows of less than 128 bytes are tiles.
    *[Row([100, n], [3000, 3], plane, out=[1000, 2], block=1) for n, plane in ((127, TILES), (128, ROWS))],
    # Few rows are transposed if the output is dense along the last axis, and the source denser along the axis before
    # it.
    Row([100, 3, 5], [FAR, 16, 1000], TRANSPOSED, width=16, out=[1000, 100, 16], block=16),
    *[Row([100, 3, 5], [FAR, 1000, by], TILES, width=16, out=[1000, 100, 16], block=16) for by in (17, 1000)],
    Row([100, 3, 5], [FAR, 16, 1000], TILES, width=16, out=[1000, 100, 17], block=16),
]


def test_choices_below_and_above_each_limit() -> None:
    for row in CHOICES:
        plan = SlicePlan([AxisMap.whole(axis) if type(axis) is int else axis for axis in row.axes])
        out = contiguous_byte_strides(plan.shape, row.width) if row.out is None else row.out
        plain, streamed = [create_table([plan], row.source, row.width, [out], streams=each) for each in (False, True)]
        part = parts_of(plain)[0]
        made = [(axis[t.COUNT], axis[t.DST_PITCH]) for axis in axes_of(part)]
        found = part[t.PLANE], made, part[t.BLOCK], parts_of(streamed)[0][t.STREAMS]
        wanted = row.plane, row.made, row.block, row.streams
        assert all(a == b for a, b in zip(found, wanted, strict=True) if b is not None), (row, found)
        assert part[t.STREAMS] == 0
