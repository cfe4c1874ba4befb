"""The cases of the benchmarks give what NumPy gives, in the sizes that they say."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import fastops as fo
from benchmarks import cases
from tests.benchmarks.names import kept_names


def plans_of(case: cases.Case, size: cases.Size) -> list[Any]:
    shape = (size.shape,) if case.takes_data else ()
    return cases.outputs_of(getattr(fo.plan, case.operator)(*shape, **case.attributes(size)))


def test_small_cases_give_what_numpy_gives():
    assert [case.name for case in cases.CASES.values()] == kept_names("case")
    wrong = []
    for name, case in cases.CASES.items():
        expected = cases.outputs_of(case.expected(case.data(case.small), case.small))
        call = case.call(fo, case.small)
        fresh = call()
        out = case.copied_outputs(fresh)
        for each in cases.outputs_of(out):
            each[...] = np.full_like(each, 77)
        if call(out=out) is not out and not isinstance(fresh, list):
            wrong.append(f"{name} gives another array than out")
        for way, result in (
            ("fresh", fresh),
            ("out", out),
            ("plan", [plan() for plan in case.prepared(fo, case.small)]),
        ):
            arrays = cases.outputs_of(result)
            are_equal = [np.array_equal(*pair) for pair in zip(arrays, expected, strict=True)]
            if not all(are_equal) or any(array.dtype != np.dtype(case.dtype) for array in arrays):
                wrong.append(f"{name}, {way}: {are_equal}")
    assert wrong == []


def test_full_cases_have_the_structure_of_the_small_ones_and_the_sizes_of_their_suite():
    wrong = []
    for name, case in cases.CASES.items():
        full, small = (
            sum(int(np.prod(plan.shape)) for plan in plans_of(case, size)) for size in (case.full, case.small)
        )
        nbytes = full * np.dtype(case.dtype).itemsize
        fits = {
            "layouts": 32e6 <= nbytes <= 100e6,
            "grid": 32e6 <= nbytes <= 100e6,
            "images": 100e3 <= nbytes <= 2.2e6,
            "latency": full == small,
            "ranges": (full, small) == (case.full.shape[0], case.small.shape[0]),
            "bandwidth": full > 10_000_000,
        }
        if small >= 10_000 or len(case.full.shape) != len(case.small.shape) or not fits[case.suite]:
            wrong.append((name, full, small))
    assert wrong == []


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


def test_windows_and_compiled_pads_give_what_numpy_gives():
    for (name, case), is_small in product(cases.WINDOWS_CASES.items(), (True, False)):
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
