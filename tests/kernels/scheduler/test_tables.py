"""The scheduler, interpreted: tables visit each byte of a plan once, from where the plan reads it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from math import gcd, prod

import numpy as np

import fastops as fo
from fastops._geometry._words import Piece, Place, to_words
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.draws import Choices, draw_gather_case, draw_memory
from tests.helpers.schedules import (
    axes_of,
    contiguous_byte_strides,
    create_table,
    interpret_table,
    parts_of,
    source_offset,
    starts_of,
    table_of,
    visits,
    visits_of,
)
from tests.helpers.seeds import SEED, chooser, scale

Table = Sequence[int]

EVERY_PLANE = {t.NO_PLANE, t.TILES, t.TRANSPOSED, t.TUPLES}

# The most bytes of a result: Python checks each of them.
MOST_BYTES = 6000


def check_columns(table: Table, plans: Sequence[SlicePlan], byte_strides: Table, width: int) -> None:
    """The axes, the program and the lists of a part follow it, and its columns agree with them and with the plans."""
    assert all(type(number) is int and -(2**63) <= number < 2**63 for number in table)
    total, shape = 0, plans[0].source_shape
    places = [sum(i * s for i, s in zip(index, byte_strides, strict=True)) for index in np.ndindex(shape)]
    span = (min(places), max(places) + width) if places else (0, 0)
    for start, part in zip(starts_of(table), parts_of(table), strict=True):
        axes, plane, block = axes_of(table, part), part[t.PLANE], part[t.BLOCK]
        at = start + t.PART_COLUMNS
        assert part[t.AXES] >= 1
        assert (part[t.FIRST_AXIS], part[t.PROGRAM]) == (at, at + len(axes) * t.AXIS_COLUMNS)
        at = part[t.PROGRAM]
        if plane == t.TUPLES:
            windows, vectors = table[at + t.PROGRAM_WINDOWS], table[at + t.PROGRAM_VECTORS]
            at += t.PROGRAM_ENTRIES + vectors * (1 + windows * t.WINDOW_COLUMNS)
        at += sum((axis[t.RUNS] + 1) * t.RUN_COLUMNS for axis in axes if axis[t.KIND] == t.PIECEWISE)
        assert start + part[t.LENGTH] == at
        # True for axes that are one run from the first output to the last.
        are_runs = [axis[t.KIND] == t.AFFINE and (axis[t.LO], axis[t.HI]) == (0, axis[t.COUNT]) for axis in axes]
        counts = [axis[t.COUNT] for axis in axes]
        assert (part[t.WIDTH], block % width, part[t.STREAMS] in (0, 1)) == (width, 0, True)
        assert part[t.ITEM_BYTES] == (block if plane == t.NO_PLANE else block * counts[-2])
        assert part[t.ITEMS] * part[t.ITEM_BYTES] == prod(counts) * block
        assert plane == t.NO_PLANE or all(are_runs[-2:])
        assert (part[t.SRC_LOW], part[t.SRC_HIGH]) == span
        total += prod(counts) * block
        for axis in axes:
            if axis[t.KIND] == t.PERIODIC:
                assert 0 <= axis[t.START] < axis[t.PERIOD]
                assert axis[t.CYCLE] * gcd(axis[t.PERIOD], axis[t.ADVANCE]) == axis[t.PERIOD]
    assert total == sum(plan.size for plan in plans) * width == table[t.TOTAL_BYTES]


def strides_of(chosen: Choices, shape: tuple[int, ...], width: int) -> tuple[int, ...]:
    return draw_memory(chosen, shape, width, may_repeat=False).byte_strides


def test_tables_are_what_plans_mean() -> None:
    wrong, parts, kinds = [], set(), set()
    for seed in range(scale(400, 100_000)):
        case = draw_gather_case(Choices(chooser(f"scheduler {seed}")))
        if not 0 < sum(plan.size for plan in case.plans) * case.width <= MOST_BYTES:
            continue
        pieces = [Piece(plan.geometry, i) for i, plan in enumerate(case.plans)]
        words = to_words(case.source.shape, [plan.shape for plan in case.plans], pieces)
        strides = [*case.source.byte_strides, *[s for memory in case.outputs for s in memory.byte_strides]]
        table = table_of(words, strides, case.width, streams=case.streams, smallest=case.smallest_peeled)
        assert table is not None
        for i, (plan, memory) in enumerate(zip(case.plans, case.outputs, strict=True)):
            right = visits_of(plan, case.source.byte_strides, case.width, memory.byte_strides)
            wrong += [(seed, i)] if visits(table, i) != right else []
        if all(plan.fills < 2 for plan in case.plans):
            check_columns(table, case.plans, case.source.byte_strides, case.width)
        assert case.streams or not any(part[t.STREAMS] for part in parts_of(table))
        parts.add(table[t.PARTS])
        kinds |= {axis[t.KIND] for part in parts_of(table) for axis in axes_of(table, part)}
        # Nothing is written beyond a table that is too small.
        for room in (2, 22, len(table) // 2, len(table) - 1) if table[t.PARTS] > 2 else ():
            assert table_of(words, strides, case.width, room=room, smallest=case.smallest_peeled) is None
    assert wrong == [], f"FASTOPS_TEST_SEED={SEED} draws them again"
    assert len(parts) > 3
    assert kinds == {t.AFFINE, t.PERIODIC, t.PIECEWISE}


def test_pieces_are_written_where_their_places_are() -> None:
    # One of them is element (2, 0, 5) of the second output.
    one, places = SlicePlan((), (1, 1), ()), (Place(0, 2, 1), Place(2, 5, 1))
    words = to_words((), [(), (3, 1, 6)], [Piece(SlicePlan([]).geometry, 0), Piece(one.geometry, 1, places)])
    table = table_of(words, [100, 10, 2], 2)
    assert table is not None
    assert [(part[t.DST_INDEX], part[t.DST_OFFSET]) for part in parts_of(table)] == [(0, 0), (1, 210)]


# Source strides of rank 3, in elements: in each order, with gaps, repeated, backwards, crossed.
SOURCES = [*itertools.permutations((1, 3, 60)), (2, 6, 90), (-60, 3, -1), (60, 0, 3), (4, 64, 1), (1, 17, 1000)]
COUNTS = [(5, 7, 3), (2, 33, 4), (20, 3, 5), (3, 4, 17)]


def test_every_kind_of_plane_visits_the_bytes_of_its_plan() -> None:
    planes = set()
    for distances, counts, width, gaps in itertools.product(SOURCES, COUNTS, (1, 4), (1, 2)):
        plan = SlicePlan([AxisMap.whole(n) for n in counts])
        strides = tuple([distance * width for distance in distances])
        out_strides = contiguous_byte_strides(counts, width * gaps)
        table = create_table([plan], strides, width, [out_strides])
        right = visits_of(plan, strides, width, out_strides)
        assert visits(table) == right, (distances, counts, width, gaps)
        # Not only by its program: by the axes as well.
        assert sorted(interpret_table(table)) == [(dst, src) for dst, src, _ in right]
        check_columns(table, [plan], strides, width)
        planes.add(parts_of(table)[0][t.PLANE])
    assert planes == EVERY_PLANE


def draw_padded(chosen: Choices, extents: Sequence[int], most: int) -> SlicePlan:
    """Draw one or two pads, some axes backwards, in another order."""
    plan = SlicePlan([AxisMap.whole(n) for n in extents])
    for _ in range(chosen.choice((1, 2, 2))):
        pads = [[chosen.choice((0, chosen.randint(0, most))) if n > 4 else 0 for _ in "ab"] for n in plan.shape]
        modes = ("reflect", "edge", "wrap", "symmetric", "constant")
        plan = plan.then(fo.plan.numpy.pad(plan.shape, pads, chosen.choice(modes)))
    plan = plan[tuple([slice(None, None, chosen.choice((1, -1))) for _ in plan.shape])]
    return plan.transpose(chosen.sample(range(len(extents)), len(extents)))


def test_interiors_and_their_edges_visit_the_bytes_of_their_plans() -> None:
    chosen = Choices(random.Random(13))
    parts, planes = [], set()
    for _ in range(scale(400, 10_000)):
        extents = [chosen.randint(2, 9), chosen.randint(5, 60), chosen.choice((1, 2, 3, 4, 5))]
        plan, width = draw_padded(chosen, extents, 6), chosen.choice((1, 1, 2, 4, 8))
        if plan.size * width > MOST_BYTES:
            continue
        source, out = [strides_of(chosen, shape, width) for shape in (plan.source_shape, plan.shape)]
        table = create_table([plan], source, width, [out], smallest=1)
        assert visits(table) == visits_of(plan, source, width, out), (plan, source, width, out)
        check_columns(table, [plan], source, width)
        parts.append(table[t.PARTS])
        planes |= {part[t.PLANE] for part in parts_of(table)}
    # An interior has six edges; more are edges that have an interior.
    assert sum(n > 7 for n in parts) > 3
    assert planes == EVERY_PLANE


def test_vectors_of_edges_read_nothing_beyond_the_source() -> None:
    chosen = Choices(random.Random(12))
    groups = 0
    for _ in range(scale(400, 5000)):
        extents = [chosen.choice((1, 2, 3, 40, 90, 258)), chosen.randint(40, 120), chosen.randint(1, 4)]
        width = chosen.choice((1, 2, 4, 8))
        pads = [(chosen.randint(0, 20) if n > 3 else 0, chosen.randint(0, 20) if n > 3 else 0) for n in extents]
        mode = chosen.choice(("reflect", "edge", "wrap", "symmetric"))
        plan = fo.plan.numpy.pad(extents, pads, mode)[tuple([slice(None, None, chosen.choice((1, -1))) for _ in pads])]
        plan = plan.transpose(chosen.sample(range(3), 3))
        source, out = [strides_of(chosen, shape, width) for shape in (plan.source_shape, plan.shape)]
        table = create_table([plan], source, width, [out], smallest=1)
        for part in parts_of(table):
            axes = axes_of(table, part)
            # Only the program knows what an edge reads.
            if part[t.PLANE] != t.TUPLES or axes[-1][t.COUNT] > 1 or axes[-2][t.SRC_PITCH]:
                continue
            groups += 1
            low, high = [table[part[t.PROGRAM] + column] for column in (t.PROGRAM_LOW, t.PROGRAM_HIGH)]
            rows = [[source_offset(axis, y) for y in range(axis[t.COUNT])] for axis in axes[:-2]]
            first = part[t.SRC_OFFSET] + sum(min(row) for row in rows)
            last = part[t.SRC_OFFSET] + sum(max(row) for row in rows)
            assert first + low >= part[t.SRC_LOW], (plan, source, out, width)
            assert last + high <= part[t.SRC_HIGH], (plan, source, out, width)
    assert groups > 100


def test_a_table_does_not_grow_with_the_count() -> None:
    nothing = SlicePlan([AxisMap.create(4, 0, 1, 0)])
    assert create_table([nothing], (1,), 1, [(1,)]) == create_table([], (), 1, []) == [0] * t.HEADER_COLUMNS
    for mode, stride in itertools.product(["wrap", "clamp", "fill", "reflect", "symmetric"], [1, -1, 3, 0, 2**40]):
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
        assert (table[t.PARTS] > 1) == any(part[t.PLANE] == t.TUPLES for part in parts_of(table)) == is_cut
