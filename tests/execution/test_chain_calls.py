"""Chains run by the kernel: one pass gives what the stages give one by one, of every type, into any strides."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from fastops._execution import _execute
from fastops._execution._views import as_view
from fastops.plan import SlicePlan
from tests.helpers.chains import Array, draw_stages, joined, moved, one_by_one
from tests.helpers.draws import Choices, draw_memory
from tests.helpers.seeds import scale

# Types of every width that kernels know, and of others; both byte orders, and types whose elements are not any bytes.
DTYPES = [
    *("?", "u1", "i1", "<i2", ">u2", "f2", "V3", "f4", ">i4", "V5", "V6", "S7", "U2", "f8", ">f8", "c8", "M8[s]"),
    *("V9", ">U3", "V12", "c16", ">c16", "V16", "V24", "V32", "V40", "V100", "V200", ml_dtypes.bfloat16),
    [("a", "<i2"), ("b", ">f4"), ("c", "u1", 3)],
    np.dtype([("x", "f8"), ("y", "?"), ("z", "S3")], align=True),
]

# Of small chains, and of those that have rows of vectors.
LIMITS: list[dict[str, Any]] = [{}, {"lengths": (1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 48, 64, 97), "most": 20_000}]


def random_bytes(chosen: Choices, n: int) -> Array:
    return np.random.default_rng(chosen.integer(0, 1 << 30)).integers(0, 256, n, np.uint8)


def elements(chosen: Choices, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    if dtype.names is not None:
        # What lies between fields is no part of a fill value.
        record = np.zeros(shape, dtype)
        for name in dtype.names:
            field = dtype[name]
            record[name] = elements(chosen, (*shape, *field.shape), field.base)
        return record
    made = random_bytes(chosen, int(np.prod(shape)) * dtype.itemsize)
    if dtype.kind == "U":
        points = made.view("u4") % 0xD7FF + 1
        return points.astype(dtype.byteorder + "u4").view(dtype).reshape(shape)
    return (made & 1 if dtype.kind == "b" else made).view(dtype).reshape(shape)


def given_values(chosen: Choices, fills: Array) -> Any:
    """Fill values as a call gives them."""
    if not fills.size or (not any(fills.tobytes()) and chosen.random() < 0.7):
        return None
    is_record, is_raw = fills.dtype.names is not None, fills.dtype.kind == "V" and fills.dtype.isbuiltin != 2
    as_bytes = not is_record and (is_raw or fills.dtype.kind == "S")
    values: list[Any] = [value.tobytes() if as_bytes else value for value in fills]
    if len({value.tobytes() for value in fills}) == 1 and chosen.random() < 0.5:
        return values[0]
    return tuple(values) if not is_record and chosen.random() < 0.5 else values


def check_call(
    chosen: Choices, plan: SlicePlan, data: Array, expected: Array, given: Any, counted: Counter[str]
) -> None:
    """Run a plan, and the same from JSON, from memory at random and into such; nothing but ``out`` may change."""
    dtype, cell, again = data.dtype, f"V{data.itemsize}", SlicePlan.from_json(plan.to_json())
    assert (again, repr(again)) == (plan, repr(plan))
    sources, targets = [draw_memory(chosen, each.shape, dtype.itemsize, may_repeat=False) for each in (data, expected)]
    overlaps = chosen.random() < 0.3
    at = chosen.integer(0, 15) + (0 if overlaps else sources.length)
    buffer = random_bytes(chosen, max(sources.length, at + targets.length))
    source, target = sources.array_in(buffer, dtype), targets.array_in(buffer[at:], dtype)
    np.copyto(source.view(cell), data.view(cell))
    source.flags.writeable = chosen.random() < 0.7
    # What the first call has prepared, the second one runs.
    for _ in range(2):
        result = plan(source, fill_value=given)
        assert (result.dtype, result.flags.c_contiguous) == (dtype, True)
        assert result.tobytes() == expected.tobytes()
    if plan.is_view:
        view = as_view(plan.geometry, source)
        assert view.shape == expected.shape
        assert np.ascontiguousarray(view.view(cell)).tobytes() == expected.tobytes()
        assert not view.size or np.shares_memory(view, source)
    after = buffer.copy()
    np.copyto(targets.array_in(after[at:], dtype).view(cell), expected.view(cell))
    # The whole array is read before any of it is written.
    assert again(source, target, given) is target
    assert np.array_equal(buffer, after)
    counted["views"] += plan.is_view
    counted["overlapping"] += overlaps and np.shares_memory(source, target)


def test_random_chains_into_any_strides(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: Counter[str] = Counter()
    for case in range(scale(320, 20_000)):
        chosen = Choices(random.Random(f"chain {case}"))
        smallest = chosen.pick((1, 1 << 13))
        monkeypatch.setattr(_execute, "SMALLEST_PEELED", smallest)
        monkeypatch.setattr(_execute, "STREAM_BYTES", chosen.pick((1 << 24, 1 << 24, 1)))
        stages = draw_stages(chosen, chosen.pick((1, 2, 2, 3, 3, 4, 4)), **LIMITS[case % 2])
        dtype = np.dtype(DTYPES[case % len(DTYPES)])
        data = elements(chosen, stages[0].source_shape, dtype)
        while joined(stages) is None:
            stages.pop()
            counted["several plans"] += 1
        plan, numbers = joined(stages), one_by_one(stages)
        assert plan is not None
        assert plan.fills == sum([stage.plan.fills for stage in stages])
        fills = elements(chosen, (plan.fills,), dtype)
        if chosen.random() < 0.2:
            fills = np.zeros(fills.shape, dtype)
        elif chosen.random() < 0.2:
            fills = fills[:1].view(f"V{dtype.itemsize}").repeat(plan.fills).view(dtype)[: plan.fills]
        expected = moved(data, numbers, fills) if plan.size else np.zeros(plan.shape, dtype)
        check_call(chosen, plan, data, expected, given_values(chosen, fills), counted)
    assert min(counted[each] for each in ("several plans", "overlapping", "views")) > 0, counted
