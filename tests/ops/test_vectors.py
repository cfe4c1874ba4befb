"""Every recorded case of the four operators, `recommended` outcomes first."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests._vectors import Case, load_cases

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")

NUMPY_TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    **{f"{kind[0]}{bits}": np.dtype(f"{kind}{bits}").type for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}


def check(case: Case, results: Any) -> None:
    """Assert that the arrays are those that the case expects, shapes and values."""
    assert case.expected is not None, f"expected an error, got {results}"
    assert len(results) == len(case.expected)
    for result, (shape, flat) in zip(results, case.expected, strict=True):
        assert result.shape == shape
        assert result.dtype == case.data.dtype
        np.testing.assert_array_equal(result.ravel(), np.array(flat).astype(result.dtype))


@pytest.mark.parametrize("case", load_cases("openvino_strided_slice"))
def test_strided_slice(case: Case) -> None:
    p = case.parameters
    lists = [np.array(p[name], dtype=p["index_dtype"]) for name in ("begin", "end", "strides")]
    masks = {name: p[name] for name in MASKS}
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.strided_slice(case.data, *lists, **masks)
    else:
        check(case, [fo.strided_slice(case.data, *lists, **masks)])


@pytest.mark.parametrize("case", load_cases("openvino_variadic_split"))
def test_variadic_split(case: Case) -> None:
    p = case.parameters
    axis, lengths = np.array(p["axis"], dtype=p["axis_dtype"]), np.array(p["split_lengths"], dtype=p["index_dtype"])
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.variadic_split(case.data, axis, lengths)
    else:
        check(case, fo.variadic_split(case.data, axis, lengths))


@pytest.mark.parametrize("case", load_cases("trt_slice_formula"))
def test_slice(case: Case) -> None:
    p = case.parameters
    arguments = (p["start"], p["size"], p["stride"])
    options = {"axes": p["axes"], "mode": p["mode"], "fill_value": p["fill"]}
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.slice(case.data, *arguments, **options)
    else:
        check(case, [fo.slice(case.data, *arguments, **options)])


@pytest.mark.parametrize("case", load_cases("openvino_range"))
def test_range(case: Case) -> None:
    p = case.parameters
    # "nan" and "inf" stand as strings in the files.
    inputs = [
        NUMPY_TYPES[p[f"{n}_type"]](float(p[n]) if isinstance(p[n], str) else p[n]) for n in ("start", "stop", "step")
    ]
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.range(*inputs, p["output_type"])
        return
    result = fo.range(*inputs, p["output_type"])
    ((shape, flat),) = case.expected
    assert result.shape == shape
    # Every recorded value is exact in the output type, so that converting it back must give it again.
    integral = p["output_type"][0] in "iu"
    assert [int(v) if integral else float(v) for v in result] == [v if integral else float(v) for v in flat]
