"""Cases of the gather kernel: plans of one source, its memory and that of the outputs, and the launches."""

from __future__ import annotations

from dataclasses import dataclass
from unittest import mock

import numpy as np

from fastops import AttributeValueError, SampleMode
from fastops._execution._records import Guard
from fastops._execution._tables import as_table
from fastops._runtime._kernels import compile_kernel
from fastops._schedules import _interiors
from fastops._schedules._byte_strides import span_of
from fastops._schedules._pieces import Place
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _trace as trace
from fastops.kernels._tables._gather import NEEDS
from fastops.plan import AxisMap, SlicePlan
from tests.fuzz._choices import Choices
from tests.fuzz._launches import Launches, draw_launches
from tests.fuzz._memory import AnyArray, Memory, draw_memory
from tests.helpers.chains import Stage, draw_stages, joined, one_by_one

MODES = tuple(SampleMode)
WIDTHS = (1, 2, 4, 8, 3, 16, 12, 6, 5, 24, 7, 32, 48, 100)
STRIDES = (1, 1, 1, -1, -1, 2, -2, 3, 4, -3, 0, 7, 64, 2**33, -(2**40))
FAR = (0, 0, 0, 0, 0, 0, 0, 0, 2**31, -(2**31), 2**62, -(2**63), 2**64 - 1)

# Elements of a source and of an output, and bytes of an output.
_MOST_ELEMENTS = 6000
_MOST_BYTES = 1 << 16

# Lengths of what stages of a chain repeat, and from which size on a result is divided into its interior and its edges.
_LENGTHS = (6, 12, 40, 90)
_SMALLEST_PEELED = (1 << 13, 1, 200)


@dataclass(frozen=True)
class GatherCase:
    """Plans, the chains that some of them are made of, memory, and how they are run."""

    plans: tuple[SlicePlan, ...]
    chains: tuple[tuple[Stage, ...], ...]
    width: int
    source: Memory
    outputs: tuple[Memory, ...]
    streams: bool
    is_cut: bool
    launches: Launches
    is_guarded: bool
    smallest_peeled: int
    seed: int

    def run(self) -> str | None:
        """Run the kernel; return what is wrong with the bytes afterwards, or None."""
        source_buffer = self.source.new_buffer(self.seed)
        source_before = source_buffer.copy()
        source = self.source.array_in(source_buffer, np.dtype(f"V{self.width}"))
        # The fill values of each plan, whichever of its pieces reads them.
        fills = np.arange(1, self.width * sum(self._fill_counts()) + 1).astype(np.uint8).reshape(-1, self.width)
        own_fills = np.split(fills, np.cumsum(self._fill_counts())[:-1])
        buffers = [memory.new_buffer(self.seed + 7) for memory in self.outputs]
        expected = [buffer.copy() for buffer in buffers]
        for i, (memory, buffer, plan) in enumerate(zip(self.outputs, expected, self.plans, strict=True)):
            if plan.size:
                every = _chained(self.chains[i], source, own_fills[i]) if self.chains[i] else None
                right = moved(plan, source, own_fills[i][0]) if every is None else every
                memory.array_in(buffer, source.dtype)[...] = right.reshape(plan.shape)
        pieces = [piece for i in range(len(self.plans)) for piece in self._pieces(i)]
        plans, strides, places = zip(*pieces, strict=True)
        smallest_edge = min(self.smallest_peeled, 1 << 10)
        limits = {"_SMALLEST_PEELED": self.smallest_peeled, "_SMALLEST_PEELED_EDGE": smallest_edge}
        with mock.patch.multiple(_interiors, **limits):
            schedule = create_schedule(plans, source.strides, self.width, strides, places=places, streams=self.streams)
        targets = tuple(
            memory.array_in(buffer, source.dtype) for memory, buffer in zip(self.outputs, buffers, strict=True)
        )
        if schedule.total_bytes:
            self._write(targets, source, as_table(schedule.table), fills.ravel())
        if not np.array_equal(source_buffer, source_before):
            return "the source has been written"
        for i, (buffer, right) in enumerate(zip(buffers, expected, strict=True)):
            wrong = np.flatnonzero(buffer != right)
            if wrong.size:
                return f"byte {wrong[0] - self.outputs[i].offset} of output {i}, and {wrong.size - 1} more, are wrong"
        return None

    def _fill_counts(self) -> list[int]:
        return [max(plan.fills, 1) for plan in self.plans]

    def _pieces(self, i: int) -> list[tuple[SlicePlan, tuple[int, ...], Place]]:
        """Return what writes an output: its plan, or two of them that have a part of its longest axis each."""
        plan, byte_strides = self.plans[i], self.outputs[i].byte_strides
        fill_offset = sum(self._fill_counts()[:i]) * self.width
        most = max(plan.shape, default=0)
        if not self.is_cut or plan.size < 2:
            return [(plan, byte_strides, Place(i, 0, fill_offset))]
        k, n = plan.shape.index(most), 1 + self.seed % (most - 1)
        try:
            cuts = [plan[(slice(None),) * k + (part,)] for part in (slice(n), slice(n, None))]
        except AttributeValueError:
            # An axis that is merged of several cannot be cut anywhere.
            return [(plan, byte_strides, Place(i, 0, fill_offset))]
        offsets = (0, n * byte_strides[k])
        return [(cut, byte_strides, Place(i, offset, fill_offset)) for cut, offset in zip(cuts, offsets, strict=True)]

    def _write(self, targets: tuple[AnyArray, ...], source: AnyArray, table: AnyArray, fill: AnyArray) -> None:
        needs = int(table[NEEDS])
        if self.is_guarded:
            span = span_of(source.shape, source.strides, self.width)
            arrays = (source.shape, source.strides, span, source.dtype, [plan.shape for plan in self.plans])
            guard = Guard(*arrays, table, fill, moves=True)
            own = (np.empty(trace.MOST_VALUES, np.int64), np.empty(trace.MOST_OUTPUTS, np.int64))
            run = compile_kernel("gather_traced", needs).run
            fits = run(targets, source, (), None, guard.order, *own, 0, trace.ONLY_WITH_GIL) == trace.DONE
            if fits != all(target.flags.c_contiguous for target in targets):
                raise ValueError(f"the guard says {fits}")
            if fits:
                return
        self.launches.run_kernel("gather", needs, 0, targets, source, table, fill)


def draw_gather_case(choices: Choices) -> GatherCase:
    """Draw a case."""
    width = choices.pick(WIDTHS)
    rank = choices.pick((1, 2, 3, 2, 3, 4, 0, 5, 8))
    shape: list[int] = []
    room = min(_MOST_ELEMENTS, _MOST_BYTES // width)
    for _ in range(rank):
        extent = _draw_extent(choices, room)
        shape.append(extent)
        room //= max(extent, 1)
    source = draw_memory(choices, tuple(shape), width, may_repeat=True)
    n_plans = choices.pick((1, 1, 1, 1, 1, 2, 3))
    chains = tuple([_draw_chain(choices, shape, width) if choices.is_rare(2) else () for _ in range(n_plans)])
    plans = tuple([_plan_of(chain) if chain else _draw_plan(choices, shape, width) for chain in chains])
    outputs = tuple(draw_memory(choices, plan.shape, width, may_repeat=False) for plan in plans)
    launches = draw_launches(choices)
    streams, is_cut, is_guarded = choices.is_rare(2), choices.is_rare(3), choices.is_rare(2)
    smallest_peeled, seed = choices.pick(_SMALLEST_PEELED), choices.integer(0, 1000)
    run = (streams, is_cut, launches, is_guarded, smallest_peeled, seed)
    return GatherCase(plans, chains, width, source, outputs, *run)


def _draw_extent(choices: Choices, room: int) -> int:
    largest = choices.pick((4, 9, 20, 70, 300, 3000))
    if choices.is_rare(40):
        return 0
    return choices.integer(1, max(min(largest, room), 1))


def _draw_chain(choices: Choices, shape: list[int], width: int) -> tuple[Stage, ...]:
    """Draw stages that are one plan, or less of them."""
    most = max(min(_MOST_ELEMENTS, _MOST_BYTES // width), 1)
    length, n = choices.pick(_LENGTHS), choices.integer(1, 4)
    stages = draw_stages(choices, n, lengths=(1, length), most=most, source_shape=tuple(shape))
    while joined(stages) is None:
        stages.pop()
    return tuple(stages)


def _plan_of(chain: tuple[Stage, ...]) -> SlicePlan:
    plan = joined(chain)
    assert plan is not None
    return plan


def _draw_plan(choices: Choices, shape: list[int], width: int) -> SlicePlan:
    axes = []
    room = min(_MOST_ELEMENTS, _MOST_BYTES // width)
    for extent in shape:
        axis = _draw_axis(choices, extent, max(room, 1))
        axes.append(axis)
        room //= max(axis.count, 1)
    counts = [axis.count for axis in axes]
    if len(counts) < 8 and choices.is_rare(6):
        counts.insert(choices.integer(0, len(counts)), 1)
    return SlicePlan.create(axes, counts)


def _draw_axis(choices: Choices, extent: int, room: int) -> AxisMap:
    if choices.is_rare(2) and extent <= room:
        return AxisMap.whole(extent)
    mode = choices.pick(MODES)
    if mode is SampleMode.STRICT_BOUNDS or (extent == 0 and mode is not SampleMode.FILL):
        if extent == 0:
            return AxisMap.create(0, 0, 1, 0)
        start, stride = choices.integer(0, extent - 1), choices.pick(STRIDES)
        left = start if stride < 0 else extent - 1 - start
        most = left // abs(stride) + 1 if stride else extent
        return AxisMap.create(extent, start, stride, choices.integer(1, max(min(most, room), 1)))
    count = choices.integer(1, min(room, choices.pick((3, 8, 40, 300, 3000)))) if not choices.is_rare(50) else 0
    start = choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(FAR)
    return AxisMap.create(extent, start, choices.pick(STRIDES), count, mode)


def _chained(chain: tuple[Stage, ...], source: AnyArray, fills: AnyArray) -> AnyArray:
    """What the stages of a chain give, done one by one with the numbers of elements."""
    every = np.concatenate([fills.view(source.dtype)[::-1, 0], source.reshape(-1)])
    chained: AnyArray = every[one_by_one(chain) + len(fills)]
    return chained


def moved(plan: SlicePlan, source: AnyArray, fill: AnyArray) -> AnyArray:
    """What a plan reads, by NumPy's indexing."""
    one = fill.view(source.dtype)[0]
    counts = tuple(axis.count for axis in plan.axes)
    if source.size == 0:
        return np.full(counts, one)
    indices = [_indices(axis) for axis in plan.axes if type(axis) is AxisMap]
    moved = source[np.ix_(*[np.maximum(index, 0) for index in indices])] if indices else source.copy()
    for k, index in enumerate(indices):
        if (index < 0).any():
            moved[(slice(None),) * k + (index < 0,)] = one
    return moved


def _indices(axis: AxisMap) -> AnyArray:
    """The source index of each output of an axis, -1 for the fill value, by the formula of its mode."""
    extent = axis.extent
    small = max(abs(axis.start), abs(axis.start + (axis.count - 1) * axis.stride)) < 2**62
    x = axis.start + np.arange(axis.count, dtype=np.int64 if small else object) * axis.stride
    match axis.mode:
        case SampleMode.STRICT_BOUNDS:
            index = x
        case SampleMode.FILL:
            index = np.where((x >= 0) & (x < extent), x, -1)
        case SampleMode.CLAMP:
            index = np.clip(x, 0, extent - 1)
        case SampleMode.WRAP:
            index = x % extent
        case SampleMode.REFLECT:
            c = x % max(2 * extent - 2, 1)
            index = np.minimum(c, 2 * extent - 2 - c)
        case SampleMode.SYMMETRIC:
            c = x % (2 * extent)
            index = np.minimum(c, 2 * extent - 1 - c)
    return index.astype(np.int64)
