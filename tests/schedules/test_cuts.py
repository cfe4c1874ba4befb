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
from tests.helpers.interpreters import visits
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
