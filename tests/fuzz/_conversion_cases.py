"""Cases of conversions: a plan whose result is cast and normalized, its memory, and the launches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from fastops._arrays._conversions import Normalization, find_conversion
from fastops._execution._execute import words_of
from fastops._settings import STREAM_BYTES
from fastops.plan import SlicePlan
from tests.fuzz._case import AnyArray, Case, Choices, draw_launches, draw_memory, draw_shape
from tests.fuzz._gather_cases import draw_chain
from tests.helpers.chains import Stage, joined, moved, one_by_one
from tests.helpers.launches import described, run_launches_by

SOURCES = (np.uint8, np.int8, np.uint16, np.int16, np.float16, ml_dtypes.bfloat16, np.float32)
RESULTS = (np.float32, np.float16, ml_dtypes.bfloat16, np.float64)

# Some tiles of the smallest elements.
_MOST_ELEMENTS = 200_000


@dataclass(frozen=True)
class ConversionCase(Case):
    """A plan, the chain that it is made of, and the axis of channels."""

    plan: SlicePlan
    chain: tuple[Stage, ...]
    axis: int | None

    def prepare(self, sources: list[AnyArray]) -> None:
        """The payload of a NaN is not documented."""
        if self.dtype.kind not in "iu":
            sources[0][np.isnan(sources[0].astype(np.float32))] = np.nan

    def move(self, sources: list[AnyArray], targets: list[AnyArray], rights: list[AnyArray]) -> None:
        """Cast and normalize by numbers of each channel."""
        n = 1 if self.axis is None else self.plan.shape[self.axis]
        rng = np.random.default_rng(self.seed)
        mean, std = rng.uniform(-200, 200, n).tolist(), rng.uniform(0.1, 90, n).tolist()
        wanted = Normalization(tuple(mean), tuple(std), self.axis, self.result)
        fills = np.arange(3, 3 + max(self.plan.fills, 1)).astype(self.dtype)
        rights[0][...] = self._converted(moved(sources[0], one_by_one(self.chain), fills), mean, std)
        conversion = find_conversion(wanted, self.dtype, None, len(self.plan.shape))
        words = words_of((self.plan.geometry,))
        with described((*sources, *targets), words, fills.view(np.uint8), conversion) as where:
            run_launches_by(*self.launches)("execute_at", 0, *where, 1, 0 if self.streams else STREAM_BYTES, 1)
        # NumPy keeps a NaN's sign where fastops may not.
        for array in (*targets, *rights):
            array[np.isnan(array)] = np.nan

    def _converted(self, array: Any, mean: list[float], std: list[float]) -> Any:
        """Return the elements by the documented formula, in NumPy's arithmetic."""
        kind = np.float64 if self.result == np.float64 else np.float32
        shape = [-1 if k == self.axis else 1 for k in range(array.ndim)]
        scale, shift = [
            each.astype(kind).reshape(shape) for each in (1 / np.array(std), -np.array(mean) / np.array(std))
        ]
        with np.errstate(all="ignore"):
            return (array.astype(kind) * scale + shift).astype(self.result)


def draw_conversion_case(choices: Choices) -> ConversionCase:
    """Draw a case, whose result has elements."""
    dtype, result = np.dtype(choices.pick(SOURCES)), np.dtype(choices.pick(RESULTS))
    chain: tuple[Stage, ...] = ()
    plan = None
    while plan is None or not plan.size:
        shape = draw_shape(choices, choices.pick((1, 2, 3, 3, 3, 4, 5)), _MOST_ELEMENTS)
        chain = draw_chain(choices, shape, dtype.itemsize, choices.is_rare(2))
        plan = joined(chain)
    source = draw_memory(choices, shape, dtype.itemsize, may_repeat=True)
    output = draw_memory(choices, plan.shape, result.itemsize, may_repeat=False)
    axis = choices.integer(0, len(plan.shape) - 1) if plan.shape and not choices.is_rare(4) else None
    run = choices.is_rare(2), draw_launches(choices)
    seed = choices.integer(0, 1000)
    return ConversionCase((source,), (output,), dtype, result, *run, seed, plan, chain, axis)
