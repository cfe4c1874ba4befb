"""Ranges of 20 million elements: what the ranges suite times."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import Case, Size


def _sized(elements: int) -> Size:
    return Size((elements,))


def _range_case(name: str, dtype: str, start: float, step: float) -> Case:
    def attributes(size: Size) -> dict[str, Any]:
        # Half a step short of the next element, so that no rounding of stop changes the count.
        stop = start + (2 * size.shape[0] - 1) * step / 2
        return {"start": start, "stop": stop, "step": step, "output_type": dtype}

    def expected(positions: NDArray[Any], _size: Size) -> NDArray[Any]:
        # Floats narrower than 32 bits are computed in 32, and rounded once more.
        number = np.dtype("float32" if dtype == "float16" else dtype).type
        values: NDArray[Any] = number(start) + positions.astype(number) * number(step)
        return values.astype(dtype, copy=False)

    return Case(name, "ranges", "range", dtype, Size((20_000_000,)), Size((1_000,)), attributes, expected, sized=_sized)


RANGE_CASES = (
    _range_case("range_f32", "float32", 0.5, 0.1),
    _range_case("range_i64", "int64", -7, 3),
    _range_case("range_i32", "int32", -7, 3),
    _range_case("range_f64", "float64", 0.5, 0.1),
    # The last element is 40,000.5, which float16 can hold.
    _range_case("range_f16", "float16", 0.5, 0.002),
    # Modulo 256.
    _range_case("range_u8", "uint8", 5, 3),
)
