"""The cases of the benchmarks give the same results as NumPy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import fastops as fo
from benchmarks import cases


def plans_of(case: cases.Case, size: cases.Size) -> list[Any]:
    shape = (size.shape,) if case.takes_data else ()
    return cases.outputs_of(getattr(fo.plan, case.operator)(*shape, **case.attributes(size)))


def test_small_cases_give_what_numpy_gives():
    for name, case in cases.CASES.items():
        expected = cases.outputs_of(case.expected(case.data(case.small), case.small))
        call = case.call(fo, case.small)
        fresh = call()
        out = case.copied_outputs(fresh)
        for each in cases.outputs_of(out):
            each[...] = np.full_like(each, 77)
        assert call(out=out) is out or isinstance(fresh, list), name
        for result in (fresh, out, [plan() for plan in case.prepared(fo, case.small)]):
            for array, right in zip(cases.outputs_of(result), expected, strict=True):
                assert (array.dtype, np.array_equal(array, right)) == (np.dtype(case.dtype), True), name


def test_the_grid_has_each_kind_at_each_width_and_size():
    assert {np.dtype(dtype).itemsize for dtype in cases.GRID_DTYPES.values()} == {1, 2, 4, 8, 16}
    modes = set()
    for kind, (short, dtype) in product(cases.GRID_KINDS, cases.GRID_DTYPES.items()):
        case = cases.CASES[f"{kind}_{short}"]
        assert case.dtype == dtype
        modes.add(case.operator if case.operator != "slice" else case.attributes(case.small).get("mode"))
        for output_bytes in (256 * cases.KIB, cases.MIB, 64 * cases.MIB):
            elements = sum(plan.size for plan in plans_of(case, case.resized(output_bytes)))
            assert elements * np.dtype(dtype).itemsize == pytest.approx(output_bytes, rel=0.1), case.name
    assert modes == {None, "wrap", "clamp", "fill", "reflect", "symmetric", "strided_slice", "variadic_split"}


def test_chains_give_what_numpy_gives():
    for name, chain in cases.CHAIN_CASES.items():
        assert chain.name == name
        data = chain.data(chain.small)
        plan = chain.plan(fo, chain.small)
        expected = cases.result_of(chain, data, plan).tobytes()
        out = np.full(plan.shape, 77, chain.dtype)
        plan(data, out)
        assert plan(data).tobytes() == out.tobytes() == expected, name
        assert np.prod(chain.full) * np.dtype(chain.dtype).itemsize < 128e6, name


def test_windows_normalized_ones_too_and_compiled_pads_give_what_numpy_gives():
    for (name, case), is_small in product((cases.WINDOWS_CASES | cases.NORMALIZE_CASES).items(), (True, False)):
        assert case.name == name
        drawn = case.draw(is_small)
        drawn.out[...] = 77
        result = case.call(fo, is_small=is_small)()
        np.testing.assert_array_equal(result, cases.expected_windows(drawn), strict=True, err_msg=name)
        np.testing.assert_array_equal(case.draw(is_small).starts, drawn.starts)
    for name in cases.COMPILED_CASES:
        data = cases.compiled_data(name)
        expected = np.pad(data, cases.COMPILED_PAD, "reflect")
        for pad in (cases.compiled_pad(fo), cases.pad_by_hand()):
            np.testing.assert_array_equal(pad(data, cases.COMPILED_PAD, 3), expected, strict=True, err_msg=name)


def test_cache_misses_are_calls_that_differ():
    for operator in cases.DIFFERENT_OPERATORS:
        calls = cases.different_calls(fo, operator)
        first = 0 if operator == "range" else 1
        assert len({repr(call.args[first:]) for call in calls}) == len(calls) == 10_000, operator
        for call in calls[::1111]:
            assert sum(array.size for array in cases.outputs_of(call())) in (64, 140), operator
