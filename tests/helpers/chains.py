"""Random plans and chains of them, their results by NumPy and the oracle, random arrays, and forms of arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from math import prod
from random import Random
from typing import Any

import numpy as np

from fastops import AttributeValueError, SampleMode
from fastops._geometry._axis_map import Map, Run, RunMap
from fastops._geometry._geometry import Geometry, create_geometry, windows_of
from fastops.plan import AxisMap
from fastops.plan._slice_plan import SlicePlan
from tests.helpers.oracle import index

Array = np.ndarray[Any, Any]

# The most axes of any result, and of the first source.
_MOST_AXES, _MOST_FIRST_AXES = 8, 4

MODES = list(SampleMode)

# Lengths of axes.
_LENGTHS = (1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 11, 12)

# Added to the starts of maps.
_FAR = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, -40, 10**9, -(10**9), 2**40, -(2**63), 2**70)


@dataclass(frozen=True)
class Stage:
    """A stage splits the axes of its source, reads each axis by a map, and reorders and merges axes.

    It may take more fill values than it reads.
    """

    extents: tuple[int, ...]
    maps: tuple[Map, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    unused_fills: int = 0

    @property
    def plan(self) -> SlicePlan:
        create = partial(SlicePlan, self.maps, self.shape, self.source_shape, self.order)
        return create(fills=create().fills + self.unused_fills) if self.unused_fills else create()

    def apply(self, elements: Array, first_slot: int) -> Array:
        """Apply the stage to an array of numbers; -1, -2 and so on are the fill values of slots 0, 1 and so on."""
        if 0 in self.shape:
            return np.zeros(self.shape, np.int64)
        elements = elements.reshape(self.extents)
        slots = np.full((1,) * elements.ndim, -1)
        for k, axis in enumerate(self.maps):
            reads = [_read(axis, y) for y in range(axis.count)]
            if not axis.extent:
                # Every output is the fill value, also where another axis has no elements.
                elements = np.zeros([max(n, 1) for n in elements.shape], np.int64)
            elements = elements.take(np.maximum(reads, 0), k)
            # If several axes read fill values, the output is the value of the highest slot.
            own = np.reshape([max(-1 - each, -1) for each in reads], (-1, *[1] * (elements.ndim - 1 - k)))
            slots = np.maximum(slots, own)
        elements = np.where(slots >= 0, -1 - first_slot - slots, elements)
        return elements.transpose(self.order).reshape(self.shape)


def _read(axis: Map, y: int) -> int:
    """Return the index that an output reads, for an AxisMap by the oracle; -1 - slot for a fill value."""
    if type(axis) is RunMap:
        found = axis.source(y)
        return -1 - slot_of(axis, y) if found is None else found
    assert type(axis) is AxisMap
    found = index(axis.start + y * axis.stride, axis.extent, axis.mode.name.lower())
    return -1 if found is None else found


def draw_stages(
    chosen: Random,
    n: int,
    *,
    lengths: Sequence[int] = _LENGTHS,
    most: int = 400,
    source_shape: tuple[int, ...] | None = None,
) -> list[Stage]:
    """Draw n stages, each for the result of the stage before; no result has more than ``most`` elements."""
    shape = source_shape
    if shape is None:
        shape = tuple([_draw_length(chosen, lengths) for _ in range(chosen.randint(0, _MOST_FIRST_AXES))])
        while _size_of(shape) > most:
            shape = shape[1:]
    stages: list[Stage] = []
    while len(stages) < n:
        stage = _draw_stage(chosen, shape, max(lengths) // 2)
        if _size_of(stage.shape) <= most and len(stage.shape) <= _MOST_AXES:
            stages.append(stage)
            shape = stage.shape
    return stages


def _size_of(shape: Sequence[int]) -> int:
    """Return the number of elements of a shape, with 1 in place of each 0."""
    return prod([max(n, 1) for n in shape])


def _draw_length(chosen: Random, lengths: Sequence[int]) -> int:
    return 0 if chosen.random() < 0.01 else int(chosen.choice(lengths))


def draw_chain(chosen: Random, least: int, most: int, **limits: Any) -> tuple[list[Stage], SlicePlan | None]:
    """Draw some stages; return them, and one plan for all, or None if they do not join."""
    stages = draw_stages(chosen, chosen.randint(least, most), **limits)
    return stages, joined(stages)


def joined(stages: Sequence[Stage]) -> SlicePlan | None:
    """Return one plan for all stages, or None if they do not join."""
    plan = stages[0].plan
    for stage in stages[1:]:
        try:
            plan = plan.then(stage.plan)
        except AttributeValueError:
            return None
    return plan


def one_by_one(stages: Sequence[Stage]) -> Array:
    """Return the number of the source element that each element of the last result reads, stage by stage."""
    shape = stages[0].source_shape
    elements, slots = np.arange(np.prod(shape, dtype=int)).reshape(shape), 0
    for stage in stages:
        elements = stage.apply(elements, slots)
        slots += stage.plan.fills
    return elements


def _draw_stage(chosen: Random, shape: tuple[int, ...], reach: int) -> Stage:
    splits = chosen.random() < 0.55
    extents = tuple([factor for n in shape for factor in (_draw_factors(chosen, n) if splits else (n,))])
    maps: list[Map] = [
        AxisMap.whole(n) if splits and chosen.random() < 0.6 else _draw_map(chosen, n, reach) for n in extents
    ]
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
    return Stage(extents, tuple(maps), tuple(order), tuple(result), shape, int(chosen.random() < 0.03))


def _draw_factors(chosen: Random, n: int) -> list[int]:
    """Draw factors of a length."""
    factors = []
    while n > 1 and chosen.random() < 0.7:
        factors.append(chosen.choice([d for d in range(2, n + 1) if n % d == 0]))
        n //= factors[-1]
    factors = [*factors, n] if n != 1 or not factors else factors
    chosen.shuffle(factors)
    return factors


def _draw_map(chosen: Random, extent: int, reach: int) -> Map:
    if chosen.random() < 0.05:
        return _draw_run_map(chosen, extent, reach)
    count = 0 if chosen.random() < 0.03 else chosen.randint(1, reach)
    start = chosen.randint(-reach, reach) + chosen.choice(_FAR)
    return create_map(chosen, extent, start, count, range(-3, 4))


def create_map(chosen: Random, extent: int, start: int, count: int, strides: Sequence[int]) -> AxisMap:
    """Draw the mode and the stride of a map; for a map in bounds, draw the start, and drop outputs beyond the axis."""
    mode = chosen.choice(MODES)
    if mode is not SampleMode.FILL and (extent == 0 or mode is SampleMode.STRICT_BOUNDS):
        if extent == 0:
            return AxisMap.whole(0)
        return AxisMap.create(extent, *draw_inside(chosen, extent, count, strides))
    return AxisMap.create(extent, start, chosen.choice(strides), count, mode)


def draw_inside(chosen: Random, extent: int, count: int, strides: Sequence[int]) -> tuple[int, int, int]:
    """Draw a start and a stride; return them with the number of outputs, at most count, that lie in the axis."""
    start, stride = chosen.randint(0, extent - 1), chosen.choice(strides)
    room = start if stride < 0 else extent - 1 - start
    return start, stride, min(count, room // abs(stride) + 1) if stride else count


def _draw_run_map(chosen: Random, extent: int, reach: int) -> RunMap:
    """Draw runs of fill values of three slots and of elements of the axis."""
    runs = []
    for _ in range(chosen.randint(1, chosen.choice((2, 4, 4, 30)))):
        count = chosen.randint(1, max(reach // 2, 1))
        if extent == 0 or chosen.random() < 0.3:
            runs.append(Run(count, None, chosen.randint(0, 2)))
        else:
            start, stride, count = draw_inside(chosen, extent, count, range(-2, 3))
            runs.append(Run(count, start, stride))
    return RunMap(extent, runs)


def elements_of(plan: SlicePlan) -> Array:
    """Return the source element that each output reads by `AxisMap.source`: its number, or -1 - slot."""
    if not plan.size:
        return np.zeros(plan.shape, np.int64)
    places = np.ones(len(plan.source_shape), np.int64)
    places[:-1] = np.cumprod(plan.source_shape[:0:-1])[::-1]
    total, slots = np.zeros((), np.int64), np.full((), -1)
    windows = windows_of(plan.geometry)
    for i, k in enumerate(plan.order):
        axis, window = plan.axes[k], windows[k]
        reads = [axis.source(y) for y in range(axis.count)]
        place = int(places[window.axis]) if window.axis >= 0 else 0
        numbers = [0 if each is None else (window.offset + window.step * each) * place for each in reads]
        fills = [slot_of(axis, y) if each is None else -1 for y, each in enumerate(reads)]
        column = (-1, *[1] * (len(plan.order) - 1 - i))
        total, slots = total + np.reshape(numbers, column), np.maximum(slots, np.reshape(fills, column))
    return np.where(slots >= 0, -1 - slots, total).reshape(plan.shape)


def assert_right(geometry: Geometry) -> None:
    """Assert that geometry made without checks equals that of `create_geometry`, and holds exact ints in tuples."""
    axes, shape, source_shape, order, fills, windows = geometry
    assert create_geometry(tuple(map(copy, axes)), shape, source_shape, order, windows, fills) == geometry
    assert {type(number) for number in (*shape, *source_shape, *order, fills)} == {int}
    assert {type(each) for each in geometry[:4]} == {tuple}


def slot_of(axis: Map, y: int) -> int:
    """Return the slot of an output that reads a fill value."""
    return [run.stride for run in axis.runs for _ in range(run.count)][y] if type(axis) is RunMap else 0


def moved(source: Array, numbers: Array, fills: Array) -> Array:
    """Return the elements of a source with these numbers; -1 - slot is a fill value."""
    # View elements as plain bytes: NumPy would change the byte order, and the bytes between fields.
    cell = np.dtype(f"V{source.itemsize}")
    every = np.concatenate([fills.view(cell)[::-1], source.reshape(-1).view(cell)])
    return np.ascontiguousarray(every[numbers + fills.size]).view(source.dtype).reshape(numbers.shape)


def draw_chunks(chosen: Random, extent: int) -> tuple[int, ...]:
    """Draw lengths of chunks of an axis: equal ones, or any, also 0."""
    if chosen.random() < 0.5:
        length = chosen.randint(1, max(extent, 1))
        return tuple([min(length, extent - at) for at in range(0, extent, length)]) or (0,)
    lengths: list[int] = []
    while sum(lengths) < extent or not lengths:
        least = 0 if chosen.random() < 0.1 else min(1, extent)
        lengths.append(chosen.randint(least, extent - sum(lengths)))
    return tuple(lengths)


#: Forms of lists of integers.
FORMS: dict[str, Callable[[list[int]], Any]] = {
    "lists": list,
    "tuples": tuple,
    "arrays": lambda numbers: np.array(numbers, np.int64),
    "swapped arrays": lambda numbers: np.array(numbers, np.dtype(np.int64).newbyteorder()),
    "scalars": lambda numbers: [np.int32(each) for each in numbers],
    "arrays of rank 0": lambda numbers: [np.array(each) for each in numbers],
}


def in_form(value: Any, form: str) -> Any:
    """Return an argument in a form: each form changes lists of 32-bit integers, and "tuples" nested lists too."""
    if isinstance(value, list) and all(type(each) is int and abs(each) < 2**31 for each in value):
        return FORMS[form](value)
    is_nested = form == "tuples" and isinstance(value, list)
    return tuple([in_form(each, form) for each in value]) if is_nested else value


# A dtype for each width that one load moves; for each pair of loads, of 2, 4, 8, 16 and 32 bytes, that moves others;
# and for memcpy, which moves more than 256 bytes.
DTYPES = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "S7", "V12", "V24", "V40", "V264")]

LAYOUTS = ["C", "F", "negative", "strided", "permuted", "unaligned", "broadcast"]


def array_of(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str, *, seed: int = 0) -> np.ndarray[Any, Any]:
    """Return an array of random bytes in a memory layout."""
    array = np.frombuffer(np.random.default_rng(seed).bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
    return lay_out(array, layout)


def lay_out(array: np.ndarray[Any, Any], layout: str) -> np.ndarray[Any, Any]:
    """Return a copy of an array in a memory layout; "broadcast" repeats the first element of the first axis."""
    shape, dtype = array.shape, array.dtype
    if array.ndim == 0 or array.size == 0 or layout == "C":
        return array.copy()
    if layout == "F":
        return array.copy(order="F")
    if layout == "broadcast":
        return np.broadcast_to(array[:1].copy(), shape)
    if layout == "permuted":
        return array.copy().swapaxes(0, -1).copy().swapaxes(0, -1)
    backwards = (slice(None, None, -1),) * array.ndim
    if layout == "negative":
        return array[backwards].copy()[backwards]
    if layout == "unaligned":
        target = np.frombuffer(bytearray(array.nbytes + 1), np.uint8)[1:].view(dtype).reshape(shape)
    else:
        target = np.zeros([2 * n + 1 for n in shape], dtype)[(slice(1, None, 2),) * array.ndim]
    target[...] = array
    return target
