"""Cuts: results of several boxes are written whole, each byte once, whichever fills and edges they have."""

from __future__ import annotations

import random

import numpy as np
import pytest

import fastops as fo
from fastops._schedules import _interiors
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as t
from fastops.plan import SlicePlan
from tests.helpers.chains import draw_chain, elements_of
from tests.helpers.interpreters import source_offset, visits
from tests.helpers.torture import scale


def expected(
    plan: SlicePlan, byte_strides: tuple[int, ...], width: int, out_byte_strides: tuple[int, ...]
) -> list[tuple[int, int, bool]]:
    """What a plan visits, from `AxisMap.source`."""
    found = []
    for at, element in np.ndenumerate(elements_of(plan)):
        dst = sum(i * stride for i, stride in zip(at, out_byte_strides, strict=True))
        if element < 0:
            found += [(dst + b, (-1 - element) * width + b, False) for b in range(width)]
        else:
            place = np.unravel_index(element, plan.source_shape)
            src = sum(int(i) * stride for i, stride in zip(place, byte_strides, strict=True))
            found += [(dst + b, src + b, True) for b in range(width)]
    return sorted(found)


def byte_strides_of(chosen: random.Random, shape: tuple[int, ...], width: int) -> tuple[int, ...]:
    """Byte strides of axes in any order, up and down, with gaps."""
    steps = [0] * len(shape)
    span = width
    order = list(range(len(shape)))
    if chosen.random() < 0.5:
        chosen.shuffle(order)
    for axis in order[::-1]:
        steps[axis] = span * chosen.choice((1, 1, 1, -1))
        span *= max(shape[axis], 1)
        span += chosen.choice((0, 0, 0, 1, 16))
    return tuple(steps)


@pytest.mark.parametrize("smallest_peeled", [1, 1 << 13])
def test_tables_of_chains_write_each_byte_once(smallest_peeled: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_interiors, "_SMALLEST_PEELED", smallest_peeled)
    monkeypatch.setattr(_interiors, "_SMALLEST_PEELED_EDGE", min(smallest_peeled, 1 << 10))
    chosen = random.Random(11)
    parts, kinds = set(), set()
    for _ in range(scale(300, 5000)):
        _, plan = draw_chain(chosen, 1, 4)
        if plan is None or not plan.size:
            continue
        width = chosen.choice((1, 2, 3, 4, 16))
        source, out = [byte_strides_of(chosen, shape, width) for shape in (plan.source_shape, plan.shape)]
        table = create_schedule([plan], source, width, [out], streams=chosen.random() < 0.2).table
        assert visits(table) == expected(plan, source, width, out), (plan, source, width, out)
        parts.add(table[t.PARTS])
        for k in range(table[t.PARTS]):
            part = table[t.HEADER_COLUMNS + k * t.PART_COLUMNS :]
            kinds |= {table[part[t.FIRST_AXIS] + i * t.AXIS_COLUMNS] for i in range(part[t.AXES])}
    assert len(parts) > 3
    assert kinds == {t.AFFINE, t.WALK, t.LISTED}


@pytest.mark.parametrize("later", [(0, 1), (1, 0), (1, 1)])
def test_boxes_share_no_axis(later: tuple[int, int]) -> None:
    # Each merges the axes of what it reads, which were changed for the boxes behind it too.
    once = fo.plan.numpy.pad((1, 2, 2), [(1, 1), (0, 0), (0, 0)])
    plan = once.then(fo.plan.numpy.pad(once.shape, [later, (0, 0), (0, 0)]))
    strides = [contiguous_byte_strides(each, 2) for each in ((1, 2, 2), plan.shape)]
    table = create_schedule([plan], strides[0], 2, [strides[1]]).table
    assert visits(table) == expected(plan, strides[0], 2, strides[1])


def test_vectors_of_edges_read_nothing_beyond_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_interiors, "_SMALLEST_PEELED", 1)
    chosen = random.Random(12)
    groups = 0
    for _ in range(scale(400, 5000)):
        extents = [chosen.choice((1, 2, 3, 40, 90, 258)), chosen.randint(40, 120), chosen.randint(1, 4)]
        width = chosen.choice((1, 2, 4, 8))
        pads = [(chosen.randint(0, 20) if n > 3 else 0, chosen.randint(0, 20) if n > 3 else 0) for n in extents]
        mode = chosen.choice(("reflect", "edge", "wrap", "symmetric"))
        plan = fo.plan.numpy.pad(extents, pads, mode)[tuple([slice(None, None, chosen.choice((1, -1))) for _ in pads])]
        plan = plan.transpose(chosen.sample(range(3), 3))
        source, out = [byte_strides_of(chosen, shape, width) for shape in (plan.source_shape, plan.shape)]
        table = create_schedule([plan], source, width, [out]).table
        for k in range(table[t.PARTS]):
            part = table[t.HEADER_COLUMNS + k * t.PART_COLUMNS :]
            axes = [table[part[t.FIRST_AXIS] + i * t.AXIS_COLUMNS :] for i in range(part[t.AXES])]
            # Only the program knows what an edge reads.
            if part[t.PLANE] != t.PIXELS or axes[-1][t.COUNT] > 1 or axes[-2][t.SRC_PITCH]:
                continue
            groups += 1
            low, high = [table[part[t.PROGRAM] + column] for column in (t.PROGRAM_LOW, t.PROGRAM_HIGH)]
            rows = [[source_offset(axis, y) for y in range(axis[t.COUNT])] for axis in axes[:-2]]
            first = part[t.SRC_OFFSET] + sum(min(row) for row in rows)
            last = part[t.SRC_OFFSET] + sum(max(row) for row in rows)
            assert first + low >= part[t.SRC_LOW], (plan, source, out, width)
            assert last + high <= part[t.SRC_HIGH], (plan, source, out, width)
    assert groups > 100
