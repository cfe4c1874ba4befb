"""Schedules: a table visits exactly the byte pairs that the interpreter of plans gives, and its size has a bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import Place, create_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import SlicePlan
from tests.helpers.interpreters import interpret_parts, interpret_plan, interpret_table
from tests.helpers.strategies import LAYOUTS, array_of, plans
from tests.helpers.torture import scale


@settings(max_examples=scale(250, 600), deadline=None)
@given(plans(), st.sampled_from([1, 2, 3, 4, 16]), st.sampled_from(LAYOUTS), st.sampled_from(LAYOUTS[:-1]))
def test_a_table_visits_the_bytes_of_its_plan(plan: SlicePlan, width: int, layout: str, out_layout: str) -> None:
    dtype = np.dtype(f"V{width}")
    source = array_of(plan.source_shape, dtype, layout)
    out = array_of(plan.shape, dtype, out_layout)
    schedule = create_schedule([plan], source.strides, width, [out.strides])
    assert schedule.total_bytes == plan.size * width == schedule.table[t.TOTAL_BYTES]
    if plan.size == 0:
        assert schedule.table[t.PARTS] == 0
        return
    pairs = interpret_parts(schedule.table)
    assert len({dst for dst, _ in pairs}) == len(pairs), "a byte is written twice"
    assert sorted(pairs) == sorted(interpret_plan(plan, source.strides, width, out.strides))


def test_each_part_that_is_not_empty_has_a_row() -> None:
    parts = fo.plan.variadic_split((4, 6), 1, [1, 0, 2, 3])
    strides = [contiguous_byte_strides(part.shape, 4) for part in parts]
    schedule = create_schedule(parts, (24, 4), 4, strides)
    assert schedule.table[t.PARTS] == 3
    written = [part for part in parts if part.size]
    for k, part in enumerate(written):
        assert schedule.table[t.HEADER_COLUMNS + k * t.PART_COLUMNS + t.FILL_OFFSET] == 0
        expected = interpret_plan(part, (24, 4), 4, contiguous_byte_strides(part.shape, 4))
        assert sorted(interpret_table(schedule.table, k)) == sorted(expected)


def test_plans_may_go_into_one_destination() -> None:
    parts = fo.plan.variadic_split((4, 6), 1, [1, 0, 5])
    places = [Place(0, 40, 8), Place(7), Place(3, -4)]
    alone = create_schedule(parts, (24, 4), 4, [(24, 4)] * 3).table
    placed = create_schedule(parts, (24, 4), 4, [(24, 4)] * 3, places=iter(places)).table
    written = [place for part, place in zip(parts, places, strict=True) if part.size]
    for k, place in enumerate(written):
        at = t.HEADER_COLUMNS + k * t.PART_COLUMNS
        assert (placed[at + t.DST_INDEX], placed[at + t.FILL_OFFSET]) == (place.dst_index, place.fill_offset)
        assert interpret_table(placed, k) == [(dst + place.dst_offset, src) for dst, src in interpret_table(alone, k)]


@pytest.mark.parametrize("mode", ["wrap", "clamp", "fill", "reflect", "symmetric"])
@pytest.mark.parametrize("stride", [1, -1, 3, 0, 2**40])
def test_a_table_does_not_grow_with_the_count(mode: str, stride: int) -> None:
    def table(count: int) -> tuple[int, ...]:
        plan = fo.plan.slice((7, 5), [-3, 0], [count, 5], [stride, 1], mode=mode)
        return create_schedule([plan], (20, 4), 4, [(20, 4)]).table

    assert len(table(10**12)) <= len(table(20))
    assert all(-(2**63) <= number < 2**63 for number in table(10**12))


@pytest.mark.parametrize(
    ("plan", "axes", "block", "plane"),
    [
        # A crop of whole pixels: a short row of them is one element, a long one is a run.
        (fo.plan.slice((9, 9, 3), [1, 1, 0], [4, 5, 3]), 1, 15, 0),
        (fo.plan.slice((9, 999, 3), [1, 1, 0], [4, 500, 3]), 2, 1, 0),
        # A reflected axis over whole pixels moves pixels.
        (fo.plan.slice((9, 9, 3), [0, -2, 0], [9, 13, 3], mode="reflect"), 2, 3, 0),
        # What is contiguous on both sides is one run.
        (fo.plan.slice((9, 9, 3), [2, 0, 0], [4, 9, 3]), 1, 1, 0),
        # A reversal of all axes is the reversal of one.
        (fo.plan.strided_slice((4, 5), [-1, -1], [-9, -9], [-1, -1]), 1, 1, 0),
        # Reversed channels are too short for a row: pixels times channels is a plane.
        (fo.plan.strided_slice((90, 90, 3), [0, 0, -1], [90, 90, -9], [1, 1, -1]), 2, 1, t.PIXELS),
    ],
)
def test_axes_merge(plan: SlicePlan, axes: int, block: int, plane: int) -> None:
    width = 1
    table = create_schedule(
        [plan],
        contiguous_byte_strides(plan.source_shape, width),
        width,
        [contiguous_byte_strides(plan.shape, width)],
    ).table
    part: Any = table[t.HEADER_COLUMNS :]
    assert (part[t.AXES], part[t.BLOCK], part[t.PLANE]) == (axes, block, plane)
