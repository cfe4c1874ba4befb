"""Tables: every column holds what `_tables._gather` says of it, for whatever plans and memory."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from math import gcd, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.interpreters import interpret_plan, interpret_planes, interpret_table
from tests.helpers.strategies import LAYOUTS, array_of, plans

NEEDS = {t.NO_PLANE: 0, t.TILES: 2, t.CROSSED: 2 + 4, t.PIXELS: 2 + 8}


def parts_of(table: Sequence[int]) -> list[Sequence[int]]:
    return [table[t.HEADER_COLUMNS + k * t.PART_COLUMNS :][: t.PART_COLUMNS] for k in range(table[t.PARTS])]


def axes_of(table: Sequence[int], part: Sequence[int]) -> list[Sequence[int]]:
    return [table[part[t.FIRST_AXIS] + k * t.AXIS_COLUMNS :][: t.AXIS_COLUMNS] for k in range(part[t.AXES])]


def check_layout(table: Sequence[int]) -> None:
    """Each part's axes and program follow the ones before, and fill the table."""
    assert all(type(number) is int for number in table)
    parts = parts_of(table)
    at = t.HEADER_COLUMNS + len(parts) * t.PART_COLUMNS
    needs = 0
    for part in parts:
        assert part[t.AXES] >= 1
        assert part[t.FIRST_AXIS] == at
        at += part[t.AXES] * t.AXIS_COLUMNS
        assert part[t.PROGRAM] == at
        if part[t.PLANE] == t.PIXELS:
            windows, vectors = table[at + t.PROGRAM_WINDOWS], table[at + t.PROGRAM_VECTORS]
            at += t.PROGRAM_ENTRIES + vectors * (1 + windows * t.WINDOW_COLUMNS)
        needs |= NEEDS[part[t.PLANE]] | (t.NEEDS_STREAMS if part[t.STREAMS] else 0)
        # What is one run from the first output to the last.
        axes = axes_of(table, part)
        are_runs = [axis[t.KIND] == t.AFFINE and (axis[t.LO], axis[t.HI]) == (0, axis[t.COUNT]) for axis in axes]
        if part[t.PLANE] == t.NO_PLANE and part[t.BLOCK] <= 16 and not are_runs[-1]:
            needs |= 16
        if part[t.STREAMS] or not all(are_runs):
            needs |= 32
    assert at == len(table)
    assert table[t.NEEDS] == needs


def check_part(
    table: Sequence[int], part: Sequence[int], plan: SlicePlan, byte_strides: Sequence[int], width: int
) -> None:
    """A part says what it is made of, what it writes and what it may read."""
    axes, total = axes_of(table, part), plan.size * width
    block, plane = part[t.BLOCK], part[t.PLANE]
    counts = [axis[t.COUNT] for axis in axes]
    assert part[t.WIDTH] == width
    assert block % width == 0
    assert prod(counts) * block == total
    if plane == t.NO_PLANE:
        assert part[t.GRAIN_BYTES] == block
    else:
        assert part[t.GRAIN_BYTES] == block * counts[-2]
        assert all(axis[t.KIND] == t.AFFINE and axis[t.LO : t.HI + 1] == (0, axis[t.COUNT]) for axis in axes[-2:])
    assert part[t.GRAINS] * part[t.GRAIN_BYTES] == total
    places = [sum(i * s for i, s in zip(at, byte_strides, strict=True)) for at in np.ndindex(plan.source_shape)]
    assert (part[t.SRC_LOW], part[t.SRC_HIGH]) == ((min(places), max(places) + width) if places else (0, 0))
    assert part[t.STREAMS] in (0, 1)
    for axis in axes:
        check_walk(axis)


def check_walk(axis: Sequence[int]) -> None:
    if axis[t.KIND] == t.WALK:
        assert 0 <= axis[t.START] < axis[t.PERIOD]
        assert axis[t.CYCLE] * gcd(axis[t.PERIOD], axis[t.ADVANCE]) == axis[t.PERIOD]


@settings(max_examples=200, deadline=None)
@given(
    plans(),
    st.sampled_from([1, 2, 4, 12]),
    st.sampled_from(LAYOUTS[:-1]),
    st.sampled_from(LAYOUTS[:-1]),
    st.booleans(),
)
def test_columns_hold_what_they_should(
    plan: SlicePlan, width: int, layout: str, out_layout: str, streams: bool
) -> None:
    dtype = np.dtype(f"V{width}")
    source, out = array_of(plan.source_shape, dtype, layout), array_of(plan.shape, dtype, out_layout)
    schedule = create_schedule([plan], source.strides, width, [out.strides], streams=streams)
    check_layout(schedule.table)
    for part in parts_of(schedule.table):
        check_part(schedule.table, part, plan, source.strides, width)
        assert part[t.STREAMS] <= streams


def test_parts_of_a_split_follow_each_other() -> None:
    source = np.zeros((40, 60, 9), np.uint8)
    parts = fo.plan.variadic_split(source.shape, 2, [3, 0, 1, 5])
    strides = [contiguous_byte_strides(part.shape, 1) for part in parts]
    schedule = create_schedule(parts, source.strides, 1, strides)
    check_layout(schedule.table)
    rows = parts_of(schedule.table)
    assert [row[t.DST_INDEX] for row in rows] == [0, 2, 3]
    assert schedule.total_bytes == schedule.table[t.TOTAL_BYTES] == source.size
    for row, plan in zip(rows, [parts[0], *parts[2:]], strict=True):
        check_part(schedule.table, row, plan, source.strides, 1)
    assert {row[t.PLANE] for row in rows} > {t.PIXELS}


def test_without_outputs_a_table_is_a_header() -> None:
    plan = SlicePlan.create([AxisMap.create(4, 0, 1, 0)])
    schedule = create_schedule([plan], (1,), 1, [(1,)], streams=True)
    assert (schedule.table, schedule.total_bytes) == ((0, 0, 0), 0)
    schedule = create_schedule([], (1,), 1, [])
    assert (schedule.table, schedule.total_bytes) == ((0, 0, 0), 0)


# Source strides of rank 3, in elements: in each order, with gaps, repeated, backwards, crossed.
SOURCES = [*itertools.permutations((1, 3, 60)), (2, 6, 90), (-60, 3, -1), (60, 0, 3), (4, 64, 1), (1, 17, 1000)]
COUNTS = [(5, 7, 3), (2, 33, 4), (20, 3, 5), (3, 4, 17)]


def test_every_kind_of_plane_visits_the_bytes_of_its_plan_and_programs_do_too() -> None:
    planes = set()
    for distances, counts, width, gaps in itertools.product(SOURCES, COUNTS, (1, 4), (1, 2)):
        plan = SlicePlan.create([AxisMap.whole(n) for n in counts])
        strides = tuple([distance * width for distance in distances])
        out_strides = contiguous_byte_strides(counts, width * gaps)
        table = create_schedule([plan], strides, width, [out_strides]).table
        expected = sorted(interpret_plan(plan, strides, width, out_strides))
        assert sorted(interpret_table(table)) == expected
        check_layout(table)
        check_part(table, parts_of(table)[0], plan, strides, width)
        plane = parts_of(table)[0][t.PLANE]
        if plane == t.PIXELS:
            assert sorted(interpret_planes(table)) == expected
        planes.add(plane)
    assert planes == set(NEEDS)


def test_whether_to_stream_is_said_by_name() -> None:
    with pytest.raises(TypeError):
        create_schedule([], (1,), 1, [], True)
    plan = SlicePlan.create([AxisMap.whole(9)])
    for said, streams in (({}, 0), ({"streams": False}, 0), ({"streams": True}, 1)):
        table = create_schedule([plan], (1,), 1, [(1,)], **said).table
        assert (table[t.NEEDS], parts_of(table)[0][t.STREAMS]) == (streams * (t.NEEDS_STREAMS | t.NEEDS_RUNS), streams)


@pytest.mark.parametrize(
    ("shape", "byte_strides", "out_byte_strides"),
    [
        ((4, 1), (3, 1), []),
        ((4, 1), (3, 1), [(1, 1), (1, 1)]),
        ((4, 1), (3,), [(1, 1)]),
        ((4, 1), (3, 1, 1), [(1, 1)]),
        ((4,), (3, 1), [(1, 1)]),
        ((4, 1, 1), (3, 1), [(1,)]),
    ],
)
def test_each_axis_has_its_byte_stride(shape: tuple[int, ...], byte_strides: Any, out_byte_strides: Any) -> None:
    plan = SlicePlan.create([AxisMap.whole(4), AxisMap.whole(1)], shape)
    with pytest.raises(ValueError, match="zip"):
        create_schedule([plan], byte_strides, 1, out_byte_strides)


def test_a_schedule_is_a_value() -> None:
    schedule = create_schedule([], (1,), 1, [])
    with pytest.raises(FrozenInstanceError):
        schedule.total_bytes = 1
    assert not hasattr(schedule, "__dict__")
    assert schedule == create_schedule([], (2,), 3, [])


def test_needs_are_what_the_kernel_compiles_for_them() -> None:
    assert dict(enumerate(t.NEEDS_OF_PLANE)) == NEEDS
