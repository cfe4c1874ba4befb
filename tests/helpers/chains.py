"""Random stages of chains: a plan each, and what it does with an array, by NumPy and the oracle."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastops import SampleMode
from fastops._plans._run_map import Map, RunMap
from fastops._plans._slice_plan import SlicePlan, windows_of
from fastops.plan import AxisMap
from tests.helpers.oracle import index

Array = np.ndarray[Any, Any]

# Elements of results on the way, and axes of arrays.
_MOST_ELEMENTS, _MOST_AXES = 400, 3


@dataclass(frozen=True)
class Stage:
    """A stage: its source is split into extents, each is read as a map says, and axes are reordered and merged."""

    extents: tuple[int, ...]
    maps: tuple[AxisMap, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]

    @property
    def plan(self) -> SlicePlan:
        return SlicePlan.create(self.maps, self.shape, self.source_shape, self.order)

    def apply(self, elements: Array, first_slot: int) -> Array:
        """Do the stage with an array of numbers: a fill value is the number of its slot below 0, from -1 on."""
        if 0 in self.shape:
            return np.zeros(self.shape, np.int64)
        elements = elements.reshape(self.extents)
        for k, axis in enumerate(self.maps):
            indices = [
                index(axis.start + y * axis.stride, axis.extent, axis.mode.name.lower()) for y in range(axis.count)
            ]
            if not axis.extent:
                # Every output is the fill value, of what has elements along the other axes or not.
                elements = np.zeros([max(n, 1) for n in elements.shape], np.int64)
            taken = elements.take([each or 0 for each in indices], k)
            outside = np.array([each is None for each in indices]).reshape(
                [-1 if i == k else 1 for i in range(taken.ndim)]
            )
            elements = np.where(outside, -1 - first_slot, taken)
        return elements.transpose(self.order).reshape(self.shape)


def draw_stages(chosen: random.Random, n: int) -> list[Stage]:
    """Draw so many stages, each of what the one before it gives."""
    shape = tuple([chosen.choice((1, 2, 3, 4, 4, 5, 6, 6, 8, 12)) for _ in range(chosen.randint(0, _MOST_AXES))])
    stages: list[Stage] = []
    while len(stages) < n:
        stage = _draw_stage(chosen, shape)
        if np.prod(stage.shape) <= _MOST_ELEMENTS and len(stage.shape) <= 8:
            stages.append(stage)
            shape = stage.shape
    return stages


def _draw_stage(chosen: random.Random, shape: tuple[int, ...]) -> Stage:
    splits = chosen.random() < 0.55
    extents = tuple([factor for n in shape for factor in (_draw_factors(chosen, n) if splits else (n,))])
    maps = [AxisMap.whole(n) if splits and chosen.random() < 0.6 else _draw_map(chosen, n) for n in extents]
    if chosen.random() < 0.15:
        extents, maps = (*extents, 1), [*maps, AxisMap.create(1, 0, 0, chosen.randint(1, 3))]
    order = list(range(len(maps)))
    if chosen.random() < 0.6:
        chosen.shuffle(order)
    result: list[int] = []
    for k in order:
        count = maps[k].count
        if result and 0 not in (*result, count) and chosen.random() < 0.3:
            result[-1] *= count
        elif count != 1 or chosen.random() < 0.7:
            result.append(count)
    if chosen.random() < 0.2:
        result.insert(chosen.randint(0, len(result)), 1)
    return Stage(extents, tuple(maps), tuple(order), tuple(result), shape)


def _draw_factors(chosen: random.Random, n: int) -> list[int]:
    """Draw lengths that make one."""
    factors = []
    while n > 1 and chosen.random() < 0.7:
        factors.append(chosen.choice([d for d in range(2, n + 1) if n % d == 0]))
        n //= factors[-1]
    factors = [*factors, n] if n != 1 or not factors else factors
    chosen.shuffle(factors)
    return factors


def _draw_map(chosen: random.Random, extent: int) -> AxisMap:
    count = chosen.randint(1, 6) if chosen.random() < 0.97 else 0
    mode = chosen.choice(list(SampleMode))
    if mode is not SampleMode.FILL and (extent == 0 or mode is SampleMode.STRICT_BOUNDS):
        if extent == 0:
            return AxisMap.whole(0)
        start, stride = chosen.randint(0, extent - 1), chosen.randint(-3, 3)
        room = start if stride < 0 else extent - 1 - start
        return AxisMap.create(extent, start, stride, min(count, room // abs(stride) + 1 if stride else count))
    return AxisMap.create(extent, chosen.randint(-6, 6), chosen.randint(-3, 3), count, mode)


def elements_of(plan: SlicePlan) -> Array:
    """What each element of a plan's result reads, from `AxisMap.source`: its number, or its slot below 0."""
    if not plan.size:
        return np.zeros(plan.shape, np.int64)
    places = np.ones(len(plan.source_shape), np.int64)
    places[:-1] = np.cumprod(plan.source_shape[:0:-1])[::-1]
    total, slots = np.zeros((), np.int64), np.full((), -1)
    windows = windows_of(plan)
    for i, k in enumerate(plan.order):
        axis, window = plan.axes[k], windows[k]
        column = [-1] * i + [axis.count] + [1] * (len(plan.order) - 1 - i)
        reads = [axis.source(y) for y in range(axis.count)]
        place = int(places[window.axis]) if window.axis >= 0 else 0
        numbers = [0 if each is None else (window.offset + window.step * each) * place for each in reads]
        fills = [slot_of(axis, y) if each is None else -1 for y, each in enumerate(reads)]
        shape = [n if n > 0 else 1 for n in column]
        total, slots = total + np.reshape(numbers, shape), np.maximum(slots, np.reshape(fills, shape))
    return np.where(slots >= 0, -1 - slots, total).reshape(plan.shape)


def slot_of(axis: Map, y: int) -> int:
    """The slot of an output that is a fill value."""
    return [run.stride for run in axis.runs for _ in range(run.count)][y] if type(axis) is RunMap else 0
