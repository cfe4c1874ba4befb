"""Cases of the range kernel: a plan, a type of either byte order, and the memory of the output."""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np

from fastops.plan import RangePlan
from tests.fuzz._case import AnyArray, Case, Choices, draw_launches, draw_memory
from tests.helpers.launches import range_written, run_launches_by

_INTEGERS = tuple(np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64))
_FLOATS = tuple(np.dtype(each) for each in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16))
_DTYPES = (*_FLOATS, *_INTEGERS)


@dataclass(frozen=True)
class RangeCase(Case):
    """A plan; values are compared as bytes."""

    plan: RangePlan

    def move(self, _sources: list[AnyArray], targets: list[AnyArray], rights: list[AnyArray]) -> None:
        """Write a range."""
        if self.plan.count:
            rights[0][...] = self._values().view(self.result)
            streams = int(self.streams)
            with range_written(self.plan.geometry, self.dtype, targets[0], STREAMS=streams) as where:
                run_launches_by(*self.launches)("run_range", 0, *where)

    def _values(self) -> AnyArray:
        plan, dtype = self.plan, self.dtype
        index = np.arange(plan.count)
        with np.errstate(all="ignore"):
            if dtype.kind in "iu":
                start, step = np.uint64(plan.start % 2**64), np.uint64(plan.step % 2**64)
                return (start + index.astype(np.uint64) * step).astype(dtype)
            wide = np.float64 if dtype.itemsize == 8 else np.float32
            return (wide(plan.start) + index.astype(wide) * wide(plan.step)).astype(dtype)


def draw_range_case(choices: Choices) -> RangeCase:
    """Draw a case."""
    dtype = choices.pick(_DTYPES)
    if dtype.isbuiltin and choices.is_rare(3):
        dtype = dtype.newbyteorder()
    count = choices.integer(0, choices.pick((9, 70, 300, 3000)))
    start, step = (_draw_number(choices, is_integral=dtype.kind in "iu") for _ in range(2))
    memory = draw_memory(choices, (count,), dtype.itemsize, may_repeat=False)
    launches = draw_launches(choices)
    run = choices.is_rare(2), launches, choices.integer(0, 1000)
    return RangeCase((), (memory,), dtype, np.dtype(f"V{dtype.itemsize}"), *run, RangePlan(start, step, count))


def _draw_number(choices: Choices, *, is_integral: bool) -> int | float:
    number = choices.integer(-300, 300)
    if is_integral:
        return number * choices.pick((1, 1, 2**13 + 1, 2**31 - 1, 2**62 + 3))
    return number * choices.pick((1.0, 0.5, 0.1, 1e-3, 1e-20, 1e6))
