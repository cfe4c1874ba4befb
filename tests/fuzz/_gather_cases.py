"""Cases of the gather kernel: plans of one source, its memory and that of the outputs, and the launches."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from fastops import AttributeValueError, SampleMode
from fastops._execution._execute import as_table
from fastops._geometry._words import Piece, Place, to_words
from fastops._settings import STREAM_BYTES
from fastops.plan import AxisMap, SlicePlan
from tests.fuzz._case import (
    MOST_BYTES,
    MOST_ELEMENTS,
    AnyArray,
    Case,
    Choices,
    Memory,
    draw_launches,
    draw_memory,
    draw_shape,
)
from tests.helpers.chains import Stage, draw_inside, draw_stages, joined, moved, one_by_one
from tests.helpers.launches import described, run_launches_by

MODES = tuple(SampleMode)
WIDTHS = (1, 2, 4, 8, 3, 16, 12, 6, 5, 24, 7, 32, 48, 100)
STRIDES = (1, 1, 1, -1, -1, 2, -2, 3, 4, -3, 0, 7, 64, 2**33, -(2**40))
FAR = (0, 0, 0, 0, 0, 0, 0, 0, 2**31, -(2**31), 2**62, -(2**63), 2**64 - 1)

# Lengths of what stages of a chain repeat, and from which size on a result is divided into its interior and its edges.
_LENGTHS = (6, 12, 40, 90)
_SMALLEST_PEELED = (1 << 13, 1, 200)


@dataclass(frozen=True)
class GatherCase(Case):
    """Plans, the chains that they are made of, and how they are run."""

    plans: tuple[SlicePlan, ...]
    chains: tuple[tuple[Stage, ...], ...]
    is_cut: bool
    is_guarded: bool
    smallest_peeled: int

    @property
    def source(self) -> Memory:
        """The memory of the source."""
        return self.sources[0]

    @property
    def width(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    def move(self, sources: list[AnyArray], targets: list[AnyArray], rights: list[AnyArray]) -> None:
        """Run words as Python does for objects, or for arrays that are described."""
        (source,), width = sources, self.width
        # Fill values of the slots, which all plans have in common.
        fills = np.arange(1, width * max(1, *[plan.fills for plan in self.plans]) + 1).astype(np.uint8)
        elements = fills.reshape(-1, width).view(self.dtype)[:, 0]
        for right, chain, plan in zip(rights, self.chains, self.plans, strict=True):
            if plan.size:
                right[...] = moved(source, one_by_one(chain), elements[: max(plan.fills, 1)])
        pieces = [piece for i in range(len(self.plans)) for piece in self._pieces(i)]
        words = as_table(to_words(source.shape, [plan.shape for plan in self.plans], pieces))
        stream_bytes, run = 0 if self.streams else STREAM_BYTES, run_launches_by(*self.launches)
        if not any(plan.size for plan in self.plans):
            return
        if self.is_guarded:
            fill = fills.view(self.dtype)
            run("execute_launch", 0, tuple(targets), source, words, fill, None, 0, stream_bytes, 0)
        else:
            with described((source, *targets), words, fills) as where:
                run("execute_at", 0, *where, self.smallest_peeled, stream_bytes, 1)

    def _pieces(self, i: int) -> list[Piece]:
        """Return what writes an output: its plan, or two of them that have a part of its longest axis each."""
        plan = self.plans[i]
        most = max(plan.shape, default=0)
        if self.is_cut and plan.size > 1:
            k, n = plan.shape.index(most), 1 + self.seed % (most - 1)
            # An axis that is merged of several cannot be cut anywhere.
            with suppress(AttributeValueError):
                cuts = [plan[(slice(None),) * k + (part,)] for part in (slice(n), slice(n, None))]
                firsts = [[first if axis == k else 0 for axis in range(len(plan.shape))] for first in (0, n)]
                places = [tuple([Place(axis, first, 1) for axis, first in enumerate(own)]) for own in firsts]
                return [Piece(cut.geometry, i, place) for cut, place in zip(cuts, places, strict=True)]
        return [Piece(plan.geometry, i)]


def draw_gather_case(choices: Choices) -> GatherCase:
    """Draw a case."""
    width = choices.pick(WIDTHS)
    shape = draw_shape(choices, choices.pick((1, 2, 3, 2, 3, 4, 0, 5, 8)), min(MOST_ELEMENTS, MOST_BYTES // width))
    # Rarely, axes without elements.
    shape = tuple([0 if choices.is_rare(40) else n for n in shape])
    source = draw_memory(choices, shape, width, may_repeat=True)
    n_plans = choices.pick((1, 1, 1, 1, 1, 2, 3))
    chains = tuple([draw_chain(choices, shape, width, choices.is_rare(2)) for _ in range(n_plans)])
    plans = tuple([plan for chain in chains if (plan := joined(chain))])
    outputs = tuple(draw_memory(choices, plan.shape, width, may_repeat=False) for plan in plans)
    streams, is_cut, launches = choices.is_rare(2), choices.is_rare(3), draw_launches(choices)
    is_guarded, smallest_peeled = choices.is_rare(2), choices.pick(_SMALLEST_PEELED)
    run, dtype = (streams, launches, choices.integer(0, 1000)), np.dtype(f"V{width}")
    return GatherCase((source,), outputs, dtype, dtype, *run, plans, chains, is_cut, is_guarded, smallest_peeled)


def draw_chain(choices: Choices, shape: tuple[int, ...], width: int, is_long: bool) -> tuple[Stage, ...]:
    """Draw stages that are one plan, or less of them; one that keeps the order of axes, unless it is to be long."""
    most = min(MOST_ELEMENTS, MOST_BYTES // width)
    if is_long:
        length, n = choices.pick(_LENGTHS), choices.integer(1, 4)
        stages = draw_stages(choices, n, lengths=(1, length), most=most, source_shape=shape)
        while joined(stages) is None:
            stages.pop()
        return tuple(stages)
    axes: list[AxisMap] = []
    for extent in shape:
        axes.append(_draw_axis(choices, extent, max(most, 1)))
        most //= max(axes[-1].count, 1)
    counts = [axis.count for axis in axes]
    if len(counts) < 8 and choices.is_rare(6):
        counts.insert(choices.integer(0, len(counts)), 1)
    return (Stage(shape, tuple(axes), tuple(range(len(axes))), tuple(counts), shape),)


def _draw_axis(choices: Choices, extent: int, room: int) -> AxisMap:
    if choices.is_rare(2) and extent <= room:
        return AxisMap.whole(extent)
    mode = choices.pick(MODES)
    if mode is SampleMode.STRICT_BOUNDS or (extent == 0 and mode is not SampleMode.FILL):
        if extent == 0:
            return AxisMap.create(0, 0, 1, 0)
        count = choices.integer(1, max(min(extent, room), 1))
        return AxisMap.create(extent, *draw_inside(choices, extent, count, STRIDES))
    count = choices.integer(1, min(room, choices.pick((3, 8, 40, 300, 3000)))) if not choices.is_rare(50) else 0
    start = choices.integer(-extent - 3, 2 * extent + 3) + choices.pick(FAR)
    return AxisMap.create(extent, start, choices.pick(STRIDES), count, mode)
